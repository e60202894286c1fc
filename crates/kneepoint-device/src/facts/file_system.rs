//! The file system that a path lies on.

use std::path::Path;

use super::{DeviceNumber, DeviceStack, Mount, SysRoot, block, btrfs, parse_table};

/// A file system and the devices below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSystem {
    /// Its mount.
    pub mount: Mount,
    /// Bytes that an ordinary user can still use.
    pub free_bytes: u64,
    /// Size in bytes.
    pub size_bytes: u64,
    /// The devices that it lies on; none for memory and network file systems.
    pub stack: DeviceStack,
}

impl FileSystem {
    /// The file system of a canonical path whose `st_dev` is given; nothing where the mount table
    /// cannot be read.
    pub(super) fn of(root: &SysRoot, path: &Path, device: DeviceNumber) -> Option<Self> {
        let table = std::fs::read(root.path("/proc/self/mountinfo")).ok()?;
        let mount = covering(parse_table(&table).ok()?, path, device)?;
        let space = rustix::fs::statvfs(path).ok();
        let stack = DeviceStack::under_all(root, &devices(root, &mount));
        Some(Self {
            free_bytes: space.as_ref().map_or(0, |space| space.f_bavail * space.f_frsize),
            size_bytes: space.as_ref().map_or(0, |space| space.f_blocks * space.f_frsize),
            mount,
            stack,
        })
    }

    /// Type, source, mount point and options in one line.
    pub fn describe(&self) -> String {
        format!(
            "{} {} on {} ({})",
            self.mount.fs_type,
            self.mount.source.display(),
            self.mount.mount_point.display(),
            self.mount.all_options()
        )
    }

    /// Whether its files are windows into the kernel, not storage.
    pub(super) fn is_pseudo(&self) -> bool {
        const PSEUDO: [&str; 19] = [
            "autofs",
            "binfmt_misc",
            "bpf",
            "cgroup",
            "cgroup2",
            "configfs",
            "debugfs",
            "devpts",
            "efivarfs",
            "fusectl",
            "mqueue",
            "nsfs",
            "proc",
            "pstore",
            "rpc_pipefs",
            "securityfs",
            "selinuxfs",
            "sysfs",
            "tracefs",
        ];
        PSEUDO.contains(&self.mount.fs_type.as_str())
    }
}

/// The mount that a path is seen through: the longest mount point above it, the last one mounted
/// there. Mounts of the file's own device go first; a btrfs subvolume has a device number of its
/// own that no mount shows, so then the path alone decides.
fn covering(mounts: Vec<Mount>, path: &Path, device: DeviceNumber) -> Option<Mount> {
    let above = || mounts.iter().filter(|mount| path.starts_with(&mount.mount_point));
    let depth = |mount: &&Mount| mount.mount_point.components().count();
    // Of equal depths, `max_by_key` takes the last: the mount that hides the ones before it.
    above()
        .filter(|mount| mount.number == device)
        .max_by_key(depth)
        .or_else(|| above().max_by_key(depth))
        .cloned()
}

/// The devices that a mounted file system lies on.
fn devices(root: &SysRoot, mount: &Mount) -> Vec<DeviceNumber> {
    if !mount.number.is_anonymous() {
        return vec![mount.number];
    }
    if !mount.source.starts_with("/dev") {
        return Vec::new();
    }
    let named: Vec<_> =
        mount.named_devices().iter().filter_map(|path| block::number_of_node(root, path)).collect();
    let all = btrfs::members(root).unwrap_or_default();
    all.into_iter()
        .map(|fs| fs.devices.iter().map(|device| device.number).collect::<Vec<_>>())
        .find(|members| members.iter().any(|number| named.contains(number)))
        .unwrap_or(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mounts(table: &str) -> Vec<Mount> {
        parse_table(table.as_bytes()).unwrap()
    }

    #[test]
    fn the_longest_mount_point_of_the_files_device_covers_it() {
        let table = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
                     2 1 8:2 / /data rw - xfs /dev/sda2 rw\n\
                     3 1 0:40 / /data/vol rw - btrfs /dev/sdb rw\n";
        let check = |path: &str, device: &str, mount_point: &str| {
            let mount = covering(mounts(table), Path::new(path), device.parse().unwrap()).unwrap();
            assert_eq!(mount.mount_point, Path::new(mount_point), "{path}");
        };
        check("/home/f", "8:1", "/");
        check("/data/f", "8:2", "/data");
        check("/database/f", "8:1", "/");
        check("/data/vol/sub/f", "0:57", "/data/vol");
    }

    #[test]
    fn a_later_mount_hides_an_earlier_one_at_the_same_place() {
        let table = "1 0 0:30 / /m rw - btrfs /dev/sda rw\n2 0 0:31 / /m rw - btrfs /dev/sdb rw\n";
        let mount = covering(mounts(table), Path::new("/m/f"), "0:99".parse().unwrap()).unwrap();
        assert_eq!(mount.source, Path::new("/dev/sdb"));
    }
}
