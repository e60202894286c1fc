//! Devices made of other devices: software RAID and device mapper.

use super::SysDir;

/// A software RAID array (Documentation/admin-guide/md.rst).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Array {
    /// `raid0`, `raid1`, `raid5`, `linear`, ...
    pub level: Option<String>,
    /// Devices that the array should have.
    pub members: Option<u32>,
    /// Chunk size in bytes; absent or 0 where the level has no chunks.
    pub chunk_bytes: Option<u64>,
    /// `clean`, `active`, `readonly`, `inactive`, ...
    pub state: Option<String>,
    /// Members that are missing.
    pub degraded: Option<u32>,
    /// What is being synchronised; `idle` where nothing is.
    pub sync_action: Option<String>,
    /// Version of the metadata on the members.
    pub metadata: Option<String>,
    /// The array's UUID, where the kernel tells it.
    pub uuid: Option<String>,
}

impl Array {
    /// Reads the `md` directory of an array's sysfs directory.
    pub(super) fn read(device: &SysDir) -> Self {
        let md = device.dir("md");
        Self {
            level: md.text("level"),
            members: md.text("raid_disks").and_then(|text| {
                // During a reshape the file reads `4 (3)`: new and old number.
                text.split_whitespace().next()?.parse().ok()
            }),
            chunk_bytes: md.value("chunk_size"),
            state: md.text("array_state"),
            degraded: md.value("degraded"),
            sync_action: md.text("sync_action"),
            metadata: md.text("metadata_version"),
            uuid: md.text("uuid"),
        }
    }
}

/// A device-mapper device: LVM volume, encrypted volume, multipath, ...
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping {
    /// Name below `/dev/mapper`.
    pub name: Option<String>,
    /// UUID, whose prefix tells the owner (`LVM-`, `CRYPT-`, `mpath-`).
    pub uuid: Option<String>,
}

impl Mapping {
    /// Reads the `dm` directory of a mapped device's sysfs directory.
    pub(super) fn read(device: &SysDir) -> Self {
        let dm = device.dir("dm");
        Self { name: dm.text("name"), uuid: dm.text("uuid") }
    }
}
