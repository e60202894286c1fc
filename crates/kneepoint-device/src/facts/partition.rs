//! A partition and the disk that it is part of.

use super::block::DeviceRef;
use super::counters::SECTOR_BYTES;
use super::{SysDir, block};

/// A partition's place on its disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Number in the partition table, from 1.
    pub index: u32,
    /// First byte on the disk.
    pub start_bytes: u64,
    /// UUID in the partition table, where the kernel tells it.
    pub uuid: Option<String>,
    /// The whole disk.
    pub disk: DeviceRef,
}

impl Partition {
    /// Reads a partition's resolved sysfs directory; nothing where it is not a partition.
    pub(super) fn read(device: &SysDir) -> Option<Self> {
        let index = device.value("partition")?;
        let disk = block::reference(&block::parent(device)?)?;
        let uuid = device.text("uevent").and_then(|text| {
            text.lines().find_map(|line| line.strip_prefix("PARTUUID=")).map(str::to_owned)
        });
        let start_bytes = device.value::<u64>("start").unwrap_or(0) * SECTOR_BYTES;
        Some(Self { index, start_bytes, uuid, disk })
    }
}
