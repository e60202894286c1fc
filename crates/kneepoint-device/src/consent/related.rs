//! The devices whose use speaks against writing a target: those that share bytes with it.

use std::io;

use std::os::unix::fs::{FileTypeExt, MetadataExt};

use crate::facts::{BlockDevice, DeviceClass, DeviceNumber, SysDir, SysRoot, loop_devices};

/// A device that shares bytes with the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Involved {
    pub(super) number: DeviceNumber,
    pub(super) name: String,
    pub(super) relation: Relation,
}

/// What a device is to the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The target.
    Itself,
    /// A partition of the target.
    Partition,
    /// The disk that the target is a partition of.
    Disk,
    /// The same drive, seen by another path (equal wwid and size).
    Twin,
    /// The device that the target, a loop device, shows.
    Backing,
}

impl Relation {
    /// Names a device together with what it is to the target.
    pub(super) fn of(self, device: &str) -> String {
        match self {
            Self::Itself => "it".to_owned(),
            Self::Partition => format!("its partition {device}"),
            Self::Disk => format!("its disk {device}"),
            Self::Twin => format!("{device}, the same drive by another path,"),
            Self::Backing => format!("{device}, which it shows as a disk,"),
        }
    }

    /// The relation as the object of a sentence.
    pub(super) const fn phrase(self) -> &'static str {
        match self {
            Self::Itself => "it",
            Self::Partition => "one of its partitions",
            Self::Disk => "the disk that it is part of",
            Self::Twin => "the same drive by another path",
            Self::Backing => "what it shows",
        }
    }
}

/// Every device that shares bytes with the device, itself first.
///
/// # Errors
/// When sysfs cannot be read where it must.
pub(super) fn around(root: &SysRoot, device: &BlockDevice) -> io::Result<Vec<Involved>> {
    let mut circle = family(root, device, |relation| relation)?;
    for twin in twins(root, device)? {
        circle.extend(family(root, &twin, |_| Relation::Twin)?);
    }
    if let Some(backing) = backing(root, device)? {
        circle.extend(family(root, &backing, |_| Relation::Backing)?);
    }
    let mut seen = Vec::new();
    circle.retain(|involved| {
        let is_new = !seen.contains(&involved.number);
        seen.push(involved.number);
        is_new
    });
    Ok(circle)
}

/// A device, its partitions, and its disk where it is a partition.
fn family(
    root: &SysRoot,
    device: &BlockDevice,
    seen_as: fn(Relation) -> Relation,
) -> io::Result<Vec<Involved>> {
    let involved = |number, name: &str, relation| Involved {
        number,
        name: name.to_owned(),
        relation: seen_as(relation),
    };
    let mut family = vec![involved(device.number, &device.name, Relation::Itself)];
    let dir = directory(root, device.number)?;
    for name in dir.names()? {
        let part = dir.dir(&name);
        if part.has("partition") {
            let number = part.value("dev").ok_or_else(|| missing(&part))?;
            family.push(involved(number, &name, Relation::Partition));
        }
    }
    if let DeviceClass::Partition(partition) = &device.class {
        family.push(involved(partition.disk.number, &partition.disk.name, Relation::Disk));
    }
    Ok(family)
}

/// The resolved sysfs directory of a device.
pub(super) fn directory(root: &SysRoot, number: DeviceNumber) -> io::Result<SysDir> {
    root.dir(format!("/sys/dev/block/{number}")).resolved()
}

fn missing(dir: &SysDir) -> io::Error {
    io::Error::other(format!("{}/dev cannot be read", dir.path().display()))
}

/// Other disks with the same wwid and size: paths to one drive that no multipath driver has joined.
fn twins(root: &SysRoot, device: &BlockDevice) -> io::Result<Vec<BlockDevice>> {
    let disk_number = match &device.class {
        DeviceClass::Partition(partition) => partition.disk.number,
        _ => device.number,
    };
    let Some(wwid) = &device.drive.wwid else { return Ok(Vec::new()) };
    let size: Option<u64> = directory(root, disk_number)?.value("size");
    let block = root.dir("/sys/block");
    let mut twins = Vec::new();
    for name in block.names()? {
        let dir = block.dir(&name);
        let Some(number) = dir.value::<DeviceNumber>("dev") else { continue };
        if number == disk_number || dir.value("size") != size {
            continue;
        }
        let other = BlockDevice::read(root, number).map_err(io::Error::other)?;
        if other.drive.wwid.as_ref() == Some(wwid) {
            twins.push(other);
        }
    }
    Ok(twins)
}

/// The block device that a loop device shows, where it does not show a file.
fn backing(root: &SysRoot, device: &BlockDevice) -> io::Result<Option<BlockDevice>> {
    let loop_disk = match &device.class {
        DeviceClass::Partition(partition) => {
            BlockDevice::read(root, partition.disk.number).map_err(io::Error::other)?
        }
        _ => device.clone(),
    };
    if !matches!(loop_disk.class, DeviceClass::Loop(_)) {
        return Ok(None);
    }
    let mut attached = loop_devices(root)?.into_iter();
    let Some(own) = attached.find(|attached| attached.number == loop_disk.number) else {
        return Ok(None);
    };
    let number = match own.shown {
        Some(shown) => shown.device,
        None => match std::fs::metadata(root.path(own.backing_path(root))) {
            Ok(meta) if meta.file_type().is_block_device() => DeviceNumber::from_raw(meta.rdev()),
            _ => return Ok(None),
        },
    };
    // Other files are no nodes and have the number 0:0.
    if number.is_anonymous() {
        return Ok(None);
    }
    BlockDevice::read(root, number).map(Some).map_err(io::Error::other)
}
