//! A control group: bounds the processors that sessions use, and counts what they used.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::postgres::server_time::Used;

/// Processor time is given out in periods of this length: a shorter wait for the next one is seen less in
/// response times.
const PERIOD_US: u64 = 10_000;

/// How often, and how many times, it is looked whether a group is empty.
const LOOK: Duration = Duration::from_millis(20);
const LOOKS: u32 = 250;

/// A group of processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// Folders of the group: one, or in version 1 one for bounds and one for counts.
    folders: Vec<PathBuf>,
    version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Group {
    /// A new group called `name`, bounded to `cpu` processors if that is given.
    ///
    /// # Errors
    /// When the kernel or the rights of this user do not permit it.
    pub(super) fn make(name: &str, cpu: Option<f64>) -> Result<Self, String> {
        let mounts = fs::read_to_string("/proc/mounts").map_err(|error| error.to_string())?;
        let own = fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
        let (version, parents) = parents(&mounts, &own)
            .ok_or("no control group of processors is mounted on this machine")?;
        let group =
            Self { folders: parents.iter().map(|parent| parent.join(name)).collect(), version };
        for folder in &group.folders {
            if let Err(error) = fs::create_dir(folder) {
                let why = format!("cannot make the control group {}: {error}", folder.display());
                group.remove();
                return Err(why);
            }
        }
        if let Some(cpu) = cpu
            && let Err(error) = group.bound(cpu)
        {
            group.remove();
            return Err(format!("cannot bound a control group to {cpu} processors: {error}"));
        }
        Ok(group)
    }

    /// The group called `name` that another process has made and left behind; `None` if there is none.
    pub(super) fn left(name: &str) -> Option<Self> {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let (version, folders) = parents(&read("/proc/mounts"), &read("/proc/self/cgroup"))?;
        let made = folders.iter().map(|parent| parent.join(name)).filter(|folder| folder.is_dir());
        let folders: Vec<PathBuf> = made.collect();
        (!folders.is_empty()).then_some(Self { folders, version })
    }

    /// The group that the process `pid` is in; `None` if it is in none of processors.
    pub(super) fn of_process(pid: i32) -> Option<Self> {
        let mounts = fs::read_to_string("/proc/mounts").ok()?;
        let own = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
        let (version, folders) = parents(&mounts, &own)?;
        Some(Self { folders, version })
    }

    /// Processors that it may use; `None` for all that there are.
    pub(super) fn quota(&self) -> Option<f64> {
        let read = |name: &str| fs::read_to_string(self.folders[0].join(name)).ok();
        let text = match self.version {
            Version::One => {
                format!("{} {}", read("cpu.cfs_quota_us")?.trim(), read("cpu.cfs_period_us")?)
            }
            Version::Two => read("cpu.max")?,
        };
        quota_of(&text)
    }

    /// Why this user cannot bound a group here, as far as can be told without making one.
    pub(super) fn obstacle() -> Option<String> {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let found = parents(&read("/proc/mounts"), &read("/proc/self/cgroup"));
        let Some((version, folders)) = found else {
            return Some("no control group of processors is mounted on this machine".to_owned());
        };
        folders.iter().find_map(|folder| obstacle_in(folder, version))
    }

    fn bound(&self, cpu: f64) -> io::Result<()> {
        let quota = (cpu * PERIOD_US as f64).round().max(1_000.0) as u64;
        // The quota of a period is at least a millisecond.
        let period =
            if cpu * (PERIOD_US as f64) < 1_000.0 { (1_000.0 / cpu) as u64 } else { PERIOD_US };
        let folder = &self.folders[0];
        match self.version {
            Version::One => {
                fs::write(folder.join("cpu.cfs_period_us"), period.to_string())?;
                fs::write(folder.join("cpu.cfs_quota_us"), quota.to_string())
            }
            Version::Two => fs::write(folder.join("cpu.max"), format!("{quota} {period}")),
        }
    }

    /// The files that a process writes its number to in order to belong to it.
    fn doors(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|folder| folder.join("cgroup.procs")).collect()
    }

    /// The folder that counts what the group has used.
    pub(super) fn counts(&self) -> &Path {
        self.folders.last().map_or_else(|| Path::new("/"), PathBuf::as_path)
    }

    /// Ends all processes of the group, and removes it.
    pub(super) fn remove(&self) {
        for _ in 0..LOOKS {
            let mut is_empty = true;
            for pid in self.folders.iter().flat_map(|folder| members(folder)) {
                is_empty = false;
                if let Some(pid) = rustix::process::Pid::from_raw(pid) {
                    let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
                }
            }
            if is_empty {
                break;
            }
            thread::sleep(LOOK);
        }
        for folder in &self.folders {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// A command that runs `program`, which enters the group, if there is one, before anything of it runs.
pub(super) fn command(group: Option<&Group>, program: &OsStr) -> Command {
    let enter =
        "while [ \"$1\" != -- ]; do echo $$ > \"$1\" || exit 9; shift; done; shift; exec \"$@\"";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", enter, "enter"]);
    command.args(group.map(Group::doors).unwrap_or_default());
    command.arg("--").arg(program);
    command
}

/// Processors by quota and period, as the kernel writes them for version 2; `None` for all (`max`, or -1 in
/// version 1).
fn quota_of(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

/// Why no bounded group can be made in `folder`.
fn obstacle_in(folder: &Path, version: Version) -> Option<String> {
    if let Err(error) = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK) {
        return Some(format!("no control group can be made in {}: {error}", folder.display()));
    }
    let given = || fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
    match version {
        Version::Two if !given().split_whitespace().any(|name| name == "cpu") => Some(format!(
            "the control group {} does not hand on processors (cgroup.subtree_control)",
            folder.display()
        )),
        Version::One | Version::Two => None,
    }
}

/// What the group with this folder has used; `None` if it is not counted.
pub(super) fn used(folder: &Path) -> Option<Used> {
    let per_s = rustix::param::clock_ticks_per_second() as f64;
    // Version 1 counts in ticks, version 2 in microseconds.
    let (text, unit) = match fs::read_to_string(folder.join("cpuacct.stat")) {
        Ok(text) => (text, per_s),
        Err(_) => (fs::read_to_string(folder.join("cpu.stat")).ok()?, 1e6),
    };
    let value = |names: [&str; 2]| -> Option<f64> {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let (_, value) = lines.find(|(name, _)| names.contains(name))?;
        Some(value.trim().parse::<f64>().ok()? / unit)
    };
    let (user_s, system_s) = (value(["user", "user_usec"])?, value(["system", "system_usec"])?);
    Some(Used { user_s, system_s })
}

/// The processes of a group.
fn members(folder: &Path) -> Vec<i32> {
    let text = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// The folders in which groups are made: of version 1 if it has the processors, or else of version 2, within
/// the group of this process.
fn parents(mounts: &str, own: &str) -> Option<(Version, Vec<PathBuf>)> {
    let of_type = |kind: &'static str| {
        mounts.lines().filter_map(move |line| {
            let mut fields = line.split(' ').skip(1);
            let (place, found, options) = (fields.next()?, fields.next()?, fields.next()?);
            (found == kind).then_some((PathBuf::from(place), options))
        })
    };
    let own_of = |controller: &str| {
        own.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (names, path) = (fields.next()?, fields.next()?);
            let is_it = names.split(',').any(|name| name == controller);
            is_it.then(|| path.trim_start_matches('/').to_owned())
        })
    };
    let first = |controller: &str| {
        let has = |options: &str| options.split(',').any(|option| option == controller);
        let (place, _) = of_type("cgroup").find(|(_, options)| has(options))?;
        Some(place.join(own_of(controller)?))
    };
    if let Some(cpu) = first("cpu") {
        let counts = first("cpuacct").filter(|counts| *counts != cpu);
        return Some((Version::One, [Some(cpu), counts].into_iter().flatten().collect()));
    }
    let (place, _) = of_type("cgroup2").next()?;
    Some((Version::Two, vec![place.join(own_of("")?)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_cannot_be_bounded_is_told_beforehand() {
        let folder = tempfile::TempDir::new().unwrap();
        let said = obstacle_in(&folder.path().join("none"), Version::One).unwrap();
        assert!(said.contains("no control group can be made in"), "{said}");
        assert_eq!(obstacle_in(folder.path(), Version::One), None);
        let control = folder.path().join("cgroup.subtree_control");
        fs::write(&control, "memory cpuset\n").unwrap();
        let said = obstacle_in(folder.path(), Version::Two).unwrap();
        assert!(said.contains("does not hand on processors"), "{said}");
        fs::write(&control, "memory cpu\n").unwrap();
        assert_eq!(obstacle_in(folder.path(), Version::Two), None);
    }

    #[test]
    fn the_quota_of_a_group_is_read_as_the_kernel_writes_it() {
        assert_eq!(quota_of("2000 10000\n"), Some(0.2));
        assert_eq!(quota_of("max 100000\n"), None);
        assert_eq!(quota_of("-1 100000\n"), None);
        assert_eq!(quota_of(""), None);
    }

    #[test]
    fn groups_are_made_within_that_of_this_process() {
        let one = "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0\n\
                   cgroup /sys/fs/cgroup/cpuacct cgroup rw,relatime,cpuacct 0 0\n\
                   cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0\n";
        let own = "3:cpuset:/\n2:cpuacct:/\n1:cpu:/a\n0::/b\n";
        let found = ["/sys/fs/cgroup/cpu/a", "/sys/fs/cgroup/cpuacct/"].map(PathBuf::from);
        assert_eq!(parents(one, own), Some((Version::One, found.to_vec())));
        let both = "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n";
        let found = vec![PathBuf::from("/sys/fs/cgroup/cpu,cpuacct/x")];
        assert_eq!(parents(both, "4:cpu,cpuacct:/x\n"), Some((Version::One, found)));
        let two = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n";
        let found = vec![PathBuf::from("/sys/fs/cgroup/user.slice/u")];
        assert_eq!(parents(two, "0::/user.slice/u\n"), Some((Version::Two, found)));
        assert_eq!(parents("tmpfs / tmpfs rw 0 0\n", own), None);
    }
}
