//! The files of this process's control group that limit I/O.

use std::path::{Path, PathBuf};

use kneepoint_core::measure::journal::Form;
use kneepoint_core::words::fault::Fault;

use crate::facts::SysRoot;

/// A limit by its names in both versions of control groups.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// File of the first version (cgroup-v1/blkio-controller.rst).
    pub(super) throttle: &'static str,
    /// Key in `io.max` of the second version (cgroup-v2.rst).
    pub(super) key: &'static str,
}

/// The file that holds the limit for a device of that number, and how it stands there.
pub(super) fn limit_file(
    root: &SysRoot,
    limit: Limit,
    number: &str,
) -> Result<(PathBuf, Form), Fault> {
    let number = number.to_owned();
    let first = folder(root, Version::First).map(|folder| folder.join(limit.throttle));
    if let Some(file) = first.filter(|file| root.path(file).exists()) {
        return Ok((file, Form::Throttle { number }));
    }
    let second = folder(root, Version::Second).map(|folder| folder.join("io.max"));
    match second.filter(|file| root.path(file).exists()) {
        Some(file) => Ok((file, Form::Limit { number, key: limit.key.to_owned() })),
        None => Err(Fault::new("this process is in no control group that can limit I/O")
            .because("neither blkio.throttle files nor io.max are there for it")
            .fix(
                "run in a group below the root with the io controller enabled (version 2), or \
                  mount it: mount -t cgroup -o blkio none DIR (version 1)",
            )),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    First,
    Second,
}

/// The folder of this process's group.
fn folder(root: &SysRoot, version: Version) -> Option<PathBuf> {
    let groups = root.text("/proc/self/cgroup")?;
    let path = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let is_it = match version {
            Version::First => controllers.split(',').any(|name| name == "blkio"),
            Version::Second => controllers.is_empty(),
        };
        is_it.then_some(path)
    })?;
    let mounts = root.text("/proc/self/mounts")?;
    let base = mounts.lines().find_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, base, kind, options, ..] = words.as_slice() else { return None };
        let is_it = match version {
            Version::First => *kind == "cgroup" && options.split(',').any(|name| name == "blkio"),
            Version::Second => *kind == "cgroup2",
        };
        is_it.then_some(*base)
    })?;
    Some(Path::new(base).join(path.strip_prefix('/').unwrap_or(path)))
}
