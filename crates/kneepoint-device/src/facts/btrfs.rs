//! Which devices make up a mounted btrfs file system.
//!
//! The kernel lists every mounted btrfs under `/sys/fs/btrfs/UUID`, its members as links below
//! `devices/`: mountinfo names only one of them.

use std::io;

use super::block::DeviceRef;
use super::{SysRoot, block};

/// A mounted btrfs file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BtrfsMembers {
    /// UUID of the file system.
    pub(crate) uuid: String,
    /// Its devices.
    pub(crate) devices: Vec<DeviceRef>,
}

/// All mounted btrfs file systems with their devices.
///
/// # Errors
/// When a list exists but cannot be read; a kernel without btrfs gives an empty list.
pub(crate) fn members(root: &SysRoot) -> io::Result<Vec<BtrfsMembers>> {
    let all = root.dir("/sys/fs/btrfs");
    let names = match all.names() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        names => names?,
    };
    let mut found = Vec::new();
    for uuid in names {
        let listed = all.dir(&uuid).dir("devices");
        if !listed.path().is_dir() {
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
