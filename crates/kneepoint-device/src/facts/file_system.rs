//! The file system that a path lies on, the kernel's table of mounts (`/proc/PID/mountinfo`,
//! described in proc_pid_mountinfo(5)), and the devices that make up a mounted btrfs.
//!
//! The kernel lists every mounted btrfs under `/sys/fs/btrfs/UUID`, its members as links below
//! `devices/`: mountinfo names only one of them.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::block::DeviceRef;
use super::{DeviceNumber, DeviceStack, SysRoot, block};

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

    /// True if its files are windows into the kernel, not storage.
    pub(super) fn is_pseudo(&self) -> bool {
        const PSEUDO: &str = "autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts \
                              efivarfs fusectl mqueue nsfs proc pstore rpc_pipefs securityfs \
                              selinuxfs sysfs tracefs";
        PSEUDO.split(' ').any(|pseudo| pseudo == self.mount.fs_type)
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
    let all = btrfs_members(root).unwrap_or_default();
    all.into_iter()
        .map(|fs| fs.devices.iter().map(|device| device.number).collect::<Vec<_>>())
        .find(|members| members.iter().any(|number| named.contains(number)))
        .unwrap_or(named)
}

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The file system's device number; anonymous (0:N) where it has no single block device.
    pub number: DeviceNumber,
    /// Where it is mounted.
    pub mount_point: PathBuf,
    /// Options of this mount, `rw,noatime`.
    pub options: String,
    /// File system type.
    pub fs_type: String,
    /// The thing mounted: a device's path, or any text for file systems without a device.
    pub source: PathBuf,
    /// Options of the file system as a whole.
    pub super_options: String,
}

impl Mount {
    /// Reads one line; nothing where it is not of the documented form.
    fn parse(line: &[u8]) -> Option<Self> {
        // Fields are split at single spaces: an empty source is an empty field.
        let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
        let dash = fields.iter().skip(6).position(|field| *field == b"-")? + 6;
        let text = |index: usize| Some(String::from_utf8_lossy(fields.get(index)?).into_owned());
        Some(Self {
            number: text(2)?.parse().ok()?,
            mount_point: PathBuf::from(unescape(fields.get(4)?)),
            options: text(5)?,
            fs_type: text(dash + 1)?,
            source: PathBuf::from(unescape(fields.get(dash + 2)?)),
            super_options: text(dash + 3)?,
        })
    }

    /// Mount options and file system options in one line, without repeating `rw` or `ro`.
    pub fn all_options(&self) -> String {
        let own: Vec<&str> = self.options.split(',').collect();
        let more = self.super_options.split(',').filter(|option| {
            !own.contains(option) && !matches!(*option, "rw" | "ro") && !option.is_empty()
        });
        own.iter().copied().chain(more).collect::<Vec<_>>().join(",")
    }

    /// True if files on it can be written.
    pub fn is_read_only(&self) -> bool {
        let read_only = |options: &str| options.split(',').any(|option| option == "ro");
        read_only(&self.options) || read_only(&self.super_options)
    }

    /// The device paths that the mount names: its source, and devices given as options, such as
    /// the external journal or log (`logdev=/dev/sdb1`). bcachefs joins its members by colons.
    pub(crate) fn named_devices(&self) -> Vec<PathBuf> {
        let mut paths = vec![self.source.clone()];
        let source = self.source.as_os_str().as_bytes();
        if source.starts_with(b"/dev/") && source.contains(&b':') {
            let members = source.split(|byte| *byte == b':');
            paths.extend(members.map(|member| PathBuf::from(OsString::from_vec(member.to_vec()))));
        }
        let values = self.super_options.split(',').filter_map(|option| option.split_once('='));
        paths.extend(
            values
                .map(|(_, value)| PathBuf::from(unescape(value.as_bytes())))
                .filter(|value| value.starts_with("/dev")),
        );
        paths
    }
}

/// Reads a whole table.
///
/// # Errors
/// The first line that is not of the documented form: what is mounted is then not known.
pub(crate) fn parse_table(table: &[u8]) -> Result<Vec<Mount>, String> {
    table
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| {
            Mount::parse(line).ok_or_else(|| {
                format!("'{}' is not a line of mountinfo", String::from_utf8_lossy(line))
            })
        })
        .collect()
}

/// Turns the kernel's `\040` and the like back into the bytes that they stand for.
pub(crate) fn unescape(text: &[u8]) -> OsString {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        let escaped = octal(rest);
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &rest[4..] } else { tail };
    }
    OsString::from_vec(bytes)
}

/// The byte of an escape of three octal digits at the start of the text.
fn octal(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(b"\\")?.get(..3)?;
    let is_octal = digits.iter().all(|digit| matches!(digit, b'0'..=b'7'));
    u8::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_octal)?, 8).ok()
}

/// A mounted btrfs file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BtrfsMembers {
    /// UUID of the file system.
    pub(crate) uuid: String,
    pub(crate) devices: Vec<DeviceRef>,
}

/// All mounted btrfs file systems with their devices.
///
/// # Errors
/// When a list exists but cannot be read; a kernel without btrfs gives an empty list.
pub(crate) fn btrfs_members(root: &SysRoot) -> io::Result<Vec<BtrfsMembers>> {
    let all = root.dir("/sys/fs/btrfs");
    let names = match all.names() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        names => names?,
    };
    let mut found = Vec::new();
    for uuid in names {
        let listed = all.dir(&uuid).dir("devices");
        if !listed.path.is_dir() {
            continue;
        }
        let mut devices = Vec::new();
        for name in listed.names()? {
            let device = block::reference(&listed.dir(&name))
                .ok_or_else(|| io::Error::other(format!("btrfs {uuid}: cannot read {name}/dev")))?;
            devices.push(DeviceRef { name, ..device });
        }
        found.push(BtrfsMembers { uuid, devices });
    }
    Ok(found)
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

#[cfg(test)]
mod mount_tests {
    use std::path::Path;

    use super::*;

    fn one(line: &str) -> Mount {
        parse_table(line.as_bytes()).unwrap().remove(0)
    }

    #[test]
    fn lines_read_with_and_without_optional_fields() {
        let mount = one(
            r"36 35 8:17 /sub /mnt/my\040data rw,noatime shared:1 master:2 - ext4 /dev/sdb1 rw,discard",
        );
        assert_eq!(mount.number.to_string(), "8:17");
        assert_eq!(mount.mount_point, Path::new("/mnt/my data"));
        assert_eq!(mount.source, Path::new("/dev/sdb1"));
        assert_eq!(mount.all_options(), "rw,noatime,discard");
        assert!(!mount.is_read_only());
        assert!(one("27 1 254:0 / / rw - ext4 /dev/vda ro,discard").is_read_only());
    }

    #[test]
    fn an_empty_source_keeps_its_place() {
        let mount = one("27 1 0:40 / /tmp rw - tmpfs  rw,size=4k");
        assert_eq!((mount.fs_type.as_str(), mount.source.as_os_str().len()), ("tmpfs", 0));
        assert_eq!(mount.super_options, "rw,size=4k");
    }

    #[test]
    fn a_line_of_another_form_is_an_error() {
        assert!(parse_table(b"27 1 254:0 / / rw ext4 /dev/vda rw").is_err());
        assert!(parse_table(b"nonsense").is_err());
    }

    #[test]
    fn devices_in_options_count_as_named() {
        let log = one("1 1 8:1 / /x rw - xfs /dev/sda1 rw,logdev=/dev/sdb2,logbufs=8");
        assert!(log.named_devices().contains(&PathBuf::from("/dev/sdb2")));
        let many = one("1 1 0:50 / /x rw - bcachefs /dev/sda:/dev/sdb rw");
        assert!(many.named_devices().contains(&PathBuf::from("/dev/sdb")));
    }

    #[test]
    fn escapes_turn_back_into_bytes() {
        assert_eq!(unescape(br"a\040b\134c\9"), OsString::from(r"a b\c\9"));
    }
}
