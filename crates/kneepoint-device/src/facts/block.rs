//! One block device: a disk, a partition, or a device made of others; its number, the settings of
//! its queue and the kernel's counters of it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::Metadata;
use std::ops::Sub;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use kneepoint_core::words::fault::Fault;

use super::{DriveFacts, LoopFile, SysDir, SysRoot};

/// A block device as the kernel describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockDevice {
    /// Major and minor number.
    pub number: DeviceNumber,
    /// Kernel name, `sda1`; a `!` stands for a `/` of the node's path.
    pub name: String,
    /// The kind of device.
    pub class: DeviceClass,
    /// Size in bytes; 0 where there is no medium.
    pub size_bytes: u64,
    /// Smallest unit that the device addresses, in bytes.
    pub logical_block_bytes: u32,
    /// Smallest unit that the device writes without reading first, in bytes.
    pub physical_block_bytes: Option<u32>,
    /// True if the kernel lets no one write to it.
    pub is_read_only: bool,
    /// The model of its zones.
    pub zoned: Zoned,
    /// The drive behind it; of the whole disk for a partition.
    pub drive: DriveFacts,
    /// Queue settings by their sysfs names; of the whole disk for a partition.
    pub settings: BTreeMap<String, String>,
    /// Its partitions, as the kernel knows them.
    pub partitions: Vec<DeviceRef>,
    /// Kernel names of devices built on it (md, dm, bcache).
    pub holders: Vec<String>,
    /// The devices that it is built on or part of.
    pub below: Vec<DeviceRef>,
}

/// A block device by number and kernel name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRef {
    /// Major and minor number.
    pub number: DeviceNumber,
    /// Kernel name.
    pub name: String,
}

/// Kinds of block devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceClass {
    /// A whole disk, physical or a hypervisor's.
    Disk,
    /// A part of a disk.
    Partition(Partition),
    /// A file shown as a disk.
    Loop(LoopFile),
    /// Compressed memory shown as a disk.
    Zram,
    /// Software RAID.
    Md(Array),
    /// Device mapper.
    Dm(Mapping),
}

impl DeviceClass {
    /// The class in words.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Partition(_) => "partition",
            Self::Loop(_) => "loop device",
            Self::Zram => "zram device",
            Self::Md(_) => "md array",
            Self::Dm(_) => "dm device",
        }
    }

    fn read(device: &SysDir, name: &str) -> Self {
        if let Some(partition) = Partition::read(device) {
            Self::Partition(partition)
        } else if device.has("md") {
            Self::Md(Array::read(device))
        } else if device.has("dm") {
            Self::Dm(Mapping::read(device))
        } else if name.starts_with("loop") {
            Self::Loop(LoopFile::read(device))
        } else if name.starts_with("zram") {
            Self::Zram
        } else {
            Self::Disk
        }
    }
}

kneepoint_core::named! {
    /// The model of a device's zones, as the kernel names it (`queue/zoned`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Zoned {
        /// No zones.
        None = "none",
        /// Zones that may be written in any order.
        HostAware = "host-aware",
        /// Zones that must be written in order: random writes fail.
        HostManaged = "host-managed",
    }
}

impl BlockDevice {
    /// Reads the device of that number.
    ///
    /// # Errors
    /// When sysfs does not know the device: then nothing can be said of it.
    pub fn read(root: &SysRoot, number: DeviceNumber) -> Result<Self, Fault> {
        let device = root.dir(format!("/sys/dev/block/{number}")).resolved().map_err(|error| {
            Fault::new(format!("the kernel shows nothing of block device {number}"))
                .because(format!("/sys/dev/block/{number}: {error}"))
                .fix("check that /sys is mounted and that the device still exists")
        })?;
        Ok(Self::read_dir(root, &device, number))
    }

    fn read_dir(root: &SysRoot, device: &SysDir, number: DeviceNumber) -> Self {
        let name = device.name();
        let class = DeviceClass::read(device, &name);
        let disk = match class {
            DeviceClass::Partition(_) => parent(device).unwrap_or_else(|| device.clone()),
            _ => device.clone(),
        };
        let told = disk.text("queue/zoned");
        let zoned = Zoned::ALL.into_iter().find(|model| Some(model.name()) == told.as_deref());
        Self {
            number,
            size_bytes: device.value::<u64>("size").unwrap_or(0) * SECTOR_BYTES,
            logical_block_bytes: disk.value("queue/logical_block_size").unwrap_or(512),
            physical_block_bytes: disk.value("queue/physical_block_size"),
            is_read_only: [device, &disk].into_iter().any(is_read_only),
            zoned: zoned.unwrap_or(Zoned::None),
            drive: DriveFacts::read(&disk),
            settings: queue_settings(&disk),
            partitions: partitions(device).unwrap_or_default(),
            holders: device.dir("holders").names().unwrap_or_default(),
            below: below(root, device, &class),
            class,
            name,
        }
    }

    /// Path of the device's node, as the kernel names it.
    pub fn node(&self) -> PathBuf {
        node_path(&self.name)
    }
}

/// Path of the node of a device with that kernel name.
pub(crate) fn node_path(name: &str) -> PathBuf {
    Path::new("/dev").join(name.replace('!', "/"))
}

/// The device number of a node path: by the node itself, else by its kernel name.
pub(crate) fn number_of_node(root: &SysRoot, node: &Path) -> Option<DeviceNumber> {
    if let Some(meta) = std::fs::metadata(root.path(node)).ok().filter(is_block) {
        return Some(DeviceNumber::from_raw(meta.rdev()));
    }
    let inside = node.strip_prefix("/dev").ok()?.to_str().filter(|inside| !inside.is_empty())?;
    root.dir("/sys/class/block").dir(&inside.replace('/', "!")).value("dev")
}

fn is_block(meta: &Metadata) -> bool {
    meta.file_type().is_block_device()
}

/// The partitions below a disk's sysfs directory.
pub(super) fn partitions(disk: &SysDir) -> std::io::Result<Vec<DeviceRef>> {
    let names = disk.names()?;
    let parts = names.iter().map(|name| disk.dir(name)).filter(|part| part.has("partition"));
    Ok(parts.filter_map(|part| reference(&part)).collect())
}

/// Number and name of the device whose sysfs directory (or a link to it) is given.
pub(super) fn reference(device: &SysDir) -> Option<DeviceRef> {
    Some(DeviceRef { number: device.value("dev")?, name: device.name() })
}

/// The directory above.
pub(super) fn parent(device: &SysDir) -> Option<SysDir> {
    let above = SysDir::at(device.path.parent()?);
    above.has("dev").then_some(above)
}

fn is_read_only(device: &SysDir) -> bool {
    device.value::<u8>("ro").is_some_and(|flag| flag != 0)
}

/// The devices that a device is built on: its disk, its members, or the device that holds its file.
fn below(root: &SysRoot, device: &SysDir, class: &DeviceClass) -> Vec<DeviceRef> {
    match class {
        DeviceClass::Partition(partition) => vec![partition.disk.clone()],
        DeviceClass::Loop(LoopFile { backing: Some(file), .. }) => {
            device_of_file(root, file).into_iter().collect()
        }
        _ => {
            let slaves = device.dir("slaves");
            let names = slaves.names().unwrap_or_default();
            names.iter().filter_map(|name| reference(&slaves.dir(name))).collect()
        }
    }
}

/// The device that a loop device's file is, or lies on.
fn device_of_file(root: &SysRoot, file: &Path) -> Option<DeviceRef> {
    let meta = std::fs::metadata(root.path(file)).ok()?;
    let raw = if is_block(&meta) { meta.rdev() } else { meta.dev() };
    let number = DeviceNumber::from_raw(raw);
    let device = root.dir(format!("/sys/dev/block/{number}")).resolved().ok()?;
    reference(&device)
}

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
    /// The synchronisation under way; `idle` if there is none.
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
        let disk = reference(&parent(device)?)?;
        let uuid = device.text("uevent").and_then(|text| {
            text.lines().find_map(|line| line.strip_prefix("PARTUUID=")).map(str::to_owned)
        });
        let start_bytes = device.value::<u64>("start").unwrap_or(0) * SECTOR_BYTES;
        Some(Self { index, start_bytes, uuid, disk })
    }
}

/// Major and minor number of a device, printed as sysfs does: `8:16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber {
    /// The driver's number; 0 for file systems without a block device of their own.
    pub major: u32,
    /// The device's number with that driver.
    pub minor: u32,
}

impl DeviceNumber {
    /// Splits the number as `stat` returns it.
    pub fn from_raw(raw: u64) -> Self {
        Self { major: rustix::fs::major(raw), minor: rustix::fs::minor(raw) }
    }

    /// True if the number stands for no block device: btrfs, overlayfs, network file systems.
    pub const fn is_anonymous(self) -> bool {
        self.major == 0
    }
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

impl FromStr for DeviceNumber {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        text.split_once(':')
            .and_then(|(major, minor)| {
                Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
            })
            .ok_or_else(|| Fault::new(format!("'{text}' is not a device number")))
    }
}

/// Files of `queue/` that are kept as they stand, in the kernel's own units
/// (ABI/stable/sysfs-block).
const SETTINGS: &str = "dma_alignment fua io_poll iostats max_sectors_kb minimum_io_size nomerges \
                        nr_requests optimal_io_size read_ahead_kb rq_affinity stable_writes \
                        virt_boundary_mask wbt_lat_usec write_cache";

/// Reads the queue settings of the disk whose sysfs directory is given.
fn queue_settings(disk: &SysDir) -> BTreeMap<String, String> {
    let queue = disk.dir("queue");
    let known = SETTINGS.split(' ').filter_map(|name| Some((name.to_owned(), queue.text(name)?)));
    let mut settings: BTreeMap<String, String> = known.collect();
    if let Some(line) = queue.text("scheduler") {
        settings.insert("scheduler".to_owned(), active_choice(&line).to_owned());
    }
    settings
}

/// The chosen word of a line such as `none [mq-deadline] bfq`; the line itself where none is
/// marked.
pub(crate) fn active_choice(line: &str) -> &str {
    line.split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'))
        .map_or(line, |(choice, _)| choice)
}

/// The unit of sizes and counters in sysfs, in bytes, whatever the device's own block size.
pub const SECTOR_BYTES: u64 = 512;

/// Counters of one device since the kernel has known it
/// (Documentation/admin-guide/iostats.rst); the difference of two readings is what happened between
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceCounters {
    /// Reads completed.
    pub reads: u64,
    /// Reads that were joined to a neighbour before they were sent.
    pub reads_merged: u64,
    /// Sectors of 512 bytes read.
    pub sectors_read: u64,
    /// Writes completed.
    pub writes: u64,
    /// Writes that were joined to a neighbour before they were sent.
    pub writes_merged: u64,
    /// Sectors of 512 bytes written.
    pub sectors_written: u64,
}

impl DeviceCounters {
    /// Bytes read.
    pub const fn bytes_read(&self) -> u64 {
        self.sectors_read * SECTOR_BYTES
    }

    /// Bytes written.
    pub const fn bytes_written(&self) -> u64 {
        self.sectors_written * SECTOR_BYTES
    }

    /// Reads the line of a `stat` file: eleven fields, and more of newer kernels.
    pub fn parse(line: &str) -> Option<Self> {
        let fields: Vec<u64> =
            line.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [reads, reads_merged, sectors_read, _, writes, writes_merged, sectors_written, ..] =
            *fields.first_chunk::<11>()?;
        Some(Self { reads, reads_merged, sectors_read, writes, writes_merged, sectors_written })
    }
}

impl Sub for DeviceCounters {
    type Output = Self;

    /// The counts since the `earlier` reading.
    fn sub(self, earlier: Self) -> Self {
        // The kernel's counters wrap around, and so does this.
        Self {
            reads: self.reads.wrapping_sub(earlier.reads),
            reads_merged: self.reads_merged.wrapping_sub(earlier.reads_merged),
            sectors_read: self.sectors_read.wrapping_sub(earlier.sectors_read),
            writes: self.writes.wrapping_sub(earlier.writes),
            writes_merged: self.writes_merged.wrapping_sub(earlier.writes_merged),
            sectors_written: self.sectors_written.wrapping_sub(earlier.sectors_written),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_and_print_alike() {
        let number: DeviceNumber = "259:3".parse().unwrap();
        assert_eq!((number.major, number.minor), (259, 3));
        assert_eq!(number.to_string(), "259:3");
        assert!("259".parse::<DeviceNumber>().is_err());
        assert!("0:43".parse::<DeviceNumber>().unwrap().is_anonymous());
    }
}

#[cfg(test)]
mod queue_tests {
    use super::*;

    #[test]
    fn the_marked_scheduler_is_the_active_one() {
        assert_eq!(active_choice("none [mq-deadline] kyber bfq"), "mq-deadline");
        assert_eq!(active_choice("[none]"), "none");
        assert_eq!(active_choice("none"), "none");
    }
}

#[cfg(test)]
mod counters_tests {
    use super::*;

    const NEW: &str = "53365 10672 4151394 19494 33417 16356 3155120 11139 0 10612 31698 8956 2 \
                       779160 963 4933 101";

    #[test]
    fn seventeen_fields_of_a_new_kernel_and_eleven_of_an_old_one() {
        let new = DeviceCounters::parse(NEW).unwrap();
        assert_eq!((new.reads, new.sectors_read, new.writes), (53365, 4151394, 33417));
        assert_eq!(new.bytes_written(), 3155120 * 512);
        let old = DeviceCounters::parse("1 2 3 4 5 6 7 8 9 10 11").unwrap();
        assert_eq!((old.writes, old.sectors_written), (5, 7));
        assert_eq!(DeviceCounters::parse("1 2 3"), None);
        assert_eq!(DeviceCounters::parse("1 2 3 4 5 6 7 8 9 10 x"), None);
    }

    #[test]
    fn a_difference_survives_the_wrap_of_a_counter() {
        let before = DeviceCounters { reads: u64::MAX, writes: 5, ..Default::default() };
        let after = DeviceCounters { reads: 1, writes: 7, ..Default::default() };
        let between = after - before;
        assert_eq!((between.reads, between.writes), (2, 2));
    }
}
