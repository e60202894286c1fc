//! Limits on the I/O of this process by its control group
//! (Documentation/admin-guide/cgroup-v2.rst, "IO Interface Files"; cgroup-v1/blkio-controller.rst).

use std::fmt;
use std::path::{Path, PathBuf};

use super::{DeviceClass, DeviceNumber, DeviceStack, SysRoot, target};

/// Limits by the names of their settings, by the files of the first version of control groups, where
/// each line is a device and a number, and by the keys in `io.max` of the second.
pub(crate) const THROTTLES: [(&str, &str, &str); 4] = [
    ("cgroup.read_bps", "blkio.throttle.read_bps_device", "rbps"),
    ("cgroup.write_bps", "blkio.throttle.write_bps_device", "wbps"),
    ("cgroup.read_iops", "blkio.throttle.read_iops_device", "riops"),
    ("cgroup.write_iops", "blkio.throttle.write_iops_device", "wiops"),
];

/// Files of the second version; each line a device and keys with values.
const LIMITS: [&str; 2] = ["io.max", "io.latency"];

/// A limit that the kernel keeps for one device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IoLimit {
    /// Kernel name of the device.
    pub device: String,
    /// The file that the limit stands in.
    pub file: PathBuf,
    /// The text of the file after the device's number: `rbps=max wbps=1048576 ...`, or a number.
    pub limit: String,
}

impl fmt::Display for IoLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {} in {}", self.limit, self.device, self.file.display())
    }
}

/// Loop devices on files on loop devices are followed this far.
const BACKING_DEPTH: usize = 4;

/// The limits on any device of `stack`, from this process's control group up to the root.
///
/// A loop device hands on the control group of its users to the disks under its file
/// (drivers/block/loop.c, `loop_queue_work`), so the limits of those count, too.
pub fn io_limits(root: &SysRoot, stack: &DeviceStack) -> Vec<IoLimit> {
    let mut limits = Vec::new();
    let mut level = vec![stack.clone()];
    for _ in 0..BACKING_DEPTH {
        limits.extend(level.iter().flat_map(|stack| stack_limits(root, stack)));
        level = level.iter().flat_map(|stack| backing_stacks(root, stack)).collect();
    }
    limits
}

/// The devices under the files behind the loop devices of `stack`; none for files that are gone.
fn backing_stacks(root: &SysRoot, stack: &DeviceStack) -> Vec<DeviceStack> {
    let files = stack.devices().iter().filter_map(|device| match &device.class {
        DeviceClass::Loop(shown) => shown.backing.as_deref(),
        _ => None,
    });
    files.filter_map(|file| target(root, file).ok()?.stack().cloned()).collect()
}

fn stack_limits(root: &SysRoot, stack: &DeviceStack) -> Vec<IoLimit> {
    let groups = root.text("/proc/self/cgroup").unwrap_or_default();
    let files: Vec<PathBuf> = groups.lines().flat_map(limit_files).collect();
    let mut limits: Vec<IoLimit> = Vec::new();
    for file in files {
        let Some(text) = root.text(&file) else { continue };
        for (device, limit) in text.lines().filter_map(|line| limit_on(stack, line)) {
            limits.push(IoLimit { device, file: file.clone(), limit });
        }
    }
    limits
}

/// The files that may hold limits, for a line `number:controllers:path` of `/proc/self/cgroup`.
fn limit_files(line: &str) -> Vec<PathBuf> {
    let mut parts = line.splitn(3, ':');
    let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next())
    else {
        return Vec::new();
    };
    let (bases, names): (&[&str], _) = match controllers {
        "" => (&["/sys/fs/cgroup", "/sys/fs/cgroup/unified"], LIMITS.to_vec()),
        _ if controllers.split(',').any(|name| name == "blkio") => {
            (&["/sys/fs/cgroup/blkio"], THROTTLES.map(|(_, file, _)| file).to_vec())
        }
        _ => return Vec::new(),
    };
    let levels: Vec<&Path> = Path::new(path).ancestors().collect();
    let folders = bases.iter().flat_map(|base| {
        levels
            .iter()
            .map(move |level| Path::new(base).join(level.strip_prefix("/").unwrap_or(level)))
    });
    folders.flat_map(|folder| names.iter().map(move |name| folder.join(name))).collect()
}

/// The device and the limit in a line that is about a device of `stack`.
fn limit_on(stack: &DeviceStack, line: &str) -> Option<(String, String)> {
    let (number, limit) = line.split_once(' ')?;
    let number: DeviceNumber = number.parse().ok()?;
    let device = stack.devices().iter().find(|device| device.number == number)?;
    let is_limit = limit.split(' ').any(|part| !part.ends_with("=max"));
    is_limit.then(|| (device.name.clone(), limit.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::fake::FakeTree;
    use super::*;

    /// Limits on the disk `sda` (8:0) with one file in the fake tree.
    fn check(groups: &str, (file, text): (&str, &str), expected: &[&str]) {
        let tree = FakeTree::quiet();
        tree.disk("sda", "8:0");
        tree.file("/proc/self/cgroup", groups);
        tree.file(file, text);
        let stack = DeviceStack::under_all(&tree.root(), &["8:0".parse().unwrap()]);
        let found = io_limits(&tree.root(), &stack);
        let found: Vec<String> = found.into_iter().map(|limit| limit.to_string()).collect();
        assert_eq!(found, expected, "{groups} {file}");
    }

    #[test]
    fn limits_of_the_group_and_of_those_above_count() {
        let text = "8:0 rbps=max wbps=1048576 riops=max wiops=max\n8:16 rbps=5\n";
        let said = "rbps=max wbps=1048576 riops=max wiops=max for sda in ";
        let at = |file: &str| format!("{said}{file}");
        for file in ["/sys/fs/cgroup/a/b/io.max", "/sys/fs/cgroup/a/io.max"] {
            check("0::/a/b\n", (file, text), &[&at(file)]);
        }
        check("0::/a/b\n", ("/sys/fs/cgroup/c/io.max", text), &[]);
        check("0::/a\n", ("/sys/fs/cgroup/a/io.max", "8:0 rbps=max wbps=max\n"), &[]);
        let old = "/sys/fs/cgroup/blkio/x/blkio.throttle.read_bps_device";
        let expected = format!("1000 for sda in {old}");
        check("3:cpu:/y\n2:blkio:/x\n", (old, "8:0 1000\n"), &[&expected]);
    }
}
