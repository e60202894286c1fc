//! The uses of a device, or of one that shares bytes with it: mounted in any mount namespace that
//! can be seen, swapped on, built on, or shown by a loop device.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::finding::{Reason, WriteFinding};
use crate::facts::{
    BlockDevice, DeviceClass, DeviceNumber, DeviceRef, FileId, LoopDevice, Mount, SysDir, SysRoot,
    btrfs_members, loop_devices, node_path, number_of_node, parse_table, unescape,
};

/// Every use of the device that speaks against writing it. What cannot be found out is a finding.
pub(super) fn findings(root: &SysRoot, device: &BlockDevice) -> Vec<WriteFinding> {
    let circle = match around(root, device) {
        Ok(circle) => circle,
        Err(error) => return vec![unknown("which devices share its bytes", &error)],
    };
    let mut findings: Vec<WriteFinding> = Vec::new();
    let mut add = |what, found: io::Result<Vec<Reason>>| match found {
        Ok(reasons) => findings.extend(reasons.into_iter().map(WriteFinding::refusing)),
        Err(error) => findings.push(unknown(what, &error)),
    };
    add("what is mounted", mounted(root, &circle));
    add("which devices btrfs uses", btrfs(root, &circle));
    add("what is swapped on", swapped(root, &circle));
    add("what is built on it", held(root, &circle));
    add("which loop devices there are", loops(root, device, &circle));
    add("what shares its file", shared_file(root, device));
    first_of_each(findings, WriteFinding::clone)
}

/// The items whose key no item before them has.
fn first_of_each<T, K: PartialEq>(items: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut seen = Vec::new();
    let is_new = |item: &T| {
        let key = key(item);
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    };
    items.into_iter().filter(is_new).collect()
}

pub(super) fn unknown(what: &'static str, cause: &impl ToString) -> WriteFinding {
    WriteFinding::refusing(Reason::Unknown { what, cause: cause.to_string() })
}

fn mounted(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mounts = mounts(root)?;
    let reasons = circle.iter().flat_map(|device| {
        // Whatever names the device: its number, its path, a file system's option.
        let known = mounts.iter().filter(|known| known.is_on(device));
        let points: BTreeSet<_> = known.map(|known| known.mount.mount_point.clone()).collect();
        points.into_iter().map(|mount_point| Reason::Mounted {
            device: device.name.clone(),
            relation: device.relation,
            mount_point,
        })
    });
    Ok(reasons.collect())
}

fn btrfs(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for file_system in btrfs_members(root)? {
        for device in circle {
            let is_member =
                |member: &DeviceRef| member.number == device.number || member.name == device.name;
            if file_system.devices.iter().any(is_member) {
                reasons.push(Reason::BtrfsMember {
                    device: device.name.clone(),
                    relation: device.relation,
                    uuid: file_system.uuid.clone(),
                });
            }
        }
    }
    Ok(reasons)
}

fn swapped(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for place in swap_places(root)? {
        for device in circle.iter().filter(|device| is_node(root, &place, device)) {
            reasons.push(Reason::Swap { place: place.clone(), relation: device.relation });
        }
    }
    Ok(reasons)
}

fn is_node(root: &SysRoot, path: &Path, device: &Involved) -> bool {
    path == node_path(&device.name) || number_of_node(root, path) == Some(device.number)
}

fn held(root: &SysRoot, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for device in circle {
        let holders = directory(root, device.number)?.dir("holders").names()?;
        reasons.extend(holders.into_iter().map(|holder| Reason::Held {
            device: device.name.clone(),
            relation: device.relation,
            holder,
        }));
    }
    Ok(reasons)
}

fn loops(root: &SysRoot, target: &BlockDevice, circle: &[Involved]) -> io::Result<Vec<Reason>> {
    let own = whole_disk(target);
    let mut reasons = Vec::new();
    for attached in loop_devices(root)?.into_iter().filter(|attached| attached.number != own) {
        let is_shown = |device: &&Involved| match attached.shown {
            Some(shown) => shown.device == device.number,
            None => is_node(root, attached.backing_path(root), device),
        };
        for device in circle.iter().filter(is_shown) {
            reasons.push(Reason::LoopBacking {
                loop_device: attached.name.clone(),
                relation: device.relation,
            });
        }
    }
    Ok(reasons)
}

/// The number of the disk that a device is or is part of.
const fn whole_disk(device: &BlockDevice) -> DeviceNumber {
    match &device.class {
        DeviceClass::Partition(partition) => partition.disk.number,
        _ => device.number,
    }
}

/// Other uses of the file that a loop device shows: another loop device, or swapping.
fn shared_file(root: &SysRoot, device: &BlockDevice) -> io::Result<Vec<Reason>> {
    let all = loop_devices(root)?;
    let Some(own) = all.iter().find(|attached| attached.number == whole_disk(device)) else {
        return Ok(Vec::new());
    };
    let path = own.backing_path(root);
    let meta = std::fs::metadata(root.path(path)).ok();
    let id = own.shown.map(|shown| shown.file).or(meta.as_ref().map(FileId::of));
    let length_bytes = meta.filter(|meta| Some(FileId::of(meta)) == id).map(|meta| meta.len());
    let file = KnownFile { path, id, length_bytes };
    let mut reasons = uses(root, &file, Relation::Backing)?;
    reasons.retain(|reason| match reason {
        Reason::LoopBacking { loop_device, .. } => *loop_device != own.name,
        _ => true,
    });
    if reasons.is_empty() && id.is_none() {
        return Err(io::Error::other(format!("{} shows a file that is not found", own.name)));
    }
    Ok(reasons)
}

/// The uses of a file: swapped on, or shown by a loop device.
pub(super) fn uses_of_file(root: &SysRoot, path: &Path) -> io::Result<Vec<Reason>> {
    let meta = std::fs::metadata(path).ok();
    let id = meta.as_ref().map(FileId::of);
    uses(
        root,
        &KnownFile { path, id, length_bytes: meta.as_ref().map(Metadata::len) },
        Relation::Itself,
    )
}

/// A file whose uses are asked for, as far as it is known.
struct KnownFile<'a> {
    path: &'a Path,
    /// Absent where its path leads nowhere from here.
    id: Option<FileId>,
    length_bytes: Option<u64>,
}

fn uses(root: &SysRoot, file: &KnownFile<'_>, relation: Relation) -> io::Result<Vec<Reason>> {
    let mut reasons = Vec::new();
    for place in swap_places(root)? {
        if file.is_at(root, &place) {
            reasons.push(Reason::Swap { place, relation });
        }
    }
    let found = loop_devices(root)?.into_iter().filter(|attached| file.is_shown_by(root, attached));
    reasons
        .extend(found.map(|attached| Reason::LoopBacking { loop_device: attached.name, relation }));
    Ok(reasons)
}

impl KnownFile<'_> {
    /// True if a recorded path leads to the file. One that leads nowhere from here, as one of
    /// another mount namespace does, may still be the file: then equal names count.
    fn is_at(&self, root: &SysRoot, recorded: &Path) -> bool {
        if recorded == self.path {
            return true;
        }
        let found = std::fs::metadata(root.path(recorded)).ok().map(|meta| FileId::of(&meta));
        match (found, self.id) {
            (Some(found), Some(id)) => found == id,
            _ => recorded.file_name().is_some() && recorded.file_name() == self.path.file_name(),
        }
    }

    /// True if a loop device shows the file. What cannot be told apart counts as the file.
    fn is_shown_by(&self, root: &SysRoot, attached: &LoopDevice) -> bool {
        let suits = self.length_bytes.is_none_or(|length| attached.suits(length));
        match (attached.shown, self.id) {
            (Some(shown), Some(id)) => {
                shown.file == id || (may_be_layers_of_one_file(shown.file, id) && suits)
            }
            _ => {
                let recorded = attached.backing_path(root);
                let is_lost = std::fs::metadata(root.path(recorded)).is_err();
                self.is_at(root, recorded) || (is_lost && suits)
            }
        }
    }
}

/// True if two files can be one that an overlay shows: it shows the inode of the layer below, on
/// an anonymous device.
const fn may_be_layers_of_one_file(first: FileId, second: FileId) -> bool {
    first.inode == second.inode && (first.device.is_anonymous() || second.device.is_anonymous())
}

/// A device that shares bytes with the target.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Involved {
    number: DeviceNumber,
    name: String,
    relation: Relation,
}

/// The relation of a device to the target.
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
fn around(root: &SysRoot, device: &BlockDevice) -> io::Result<Vec<Involved>> {
    let mut circle = family(root, device, |relation| relation)?;
    for twin in twins(root, device)? {
        circle.extend(family(root, &twin, |_| Relation::Twin)?);
    }
    if let Some(backing) = backing(root, device)? {
        circle.extend(family(root, &backing, |_| Relation::Backing)?);
    }
    Ok(first_of_each(circle, |involved| involved.number))
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
            let number = part.value("dev").ok_or_else(|| {
                io::Error::other(format!("{}/dev cannot be read", part.path.display()))
            })?;
            family.push(involved(number, &name, Relation::Partition));
        }
    }
    if let DeviceClass::Partition(partition) = &device.class {
        family.push(involved(partition.disk.number, &partition.disk.name, Relation::Disk));
    }
    Ok(family)
}

/// The resolved sysfs directory of a device.
fn directory(root: &SysRoot, number: DeviceNumber) -> io::Result<SysDir> {
    root.dir(format!("/sys/dev/block/{number}")).resolved()
}

/// Other disks with the same wwid and size: paths to one drive that no multipath driver has joined.
fn twins(root: &SysRoot, device: &BlockDevice) -> io::Result<Vec<BlockDevice>> {
    let disk_number = whole_disk(device);
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
    let loop_disk = match whole_disk(device) {
        number if number == device.number => device.clone(),
        disk => BlockDevice::read(root, disk).map_err(io::Error::other)?,
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

/// A mount with the devices that it names.
struct KnownMount {
    mount: Mount,
    named: Vec<(PathBuf, Option<DeviceNumber>)>,
}

/// The mounts of this process, whose table must be readable, and those of other processes as far as
/// they are: a mount may exist in another namespace alone, or above a changed root.
fn mounts(root: &SysRoot) -> io::Result<Vec<KnownMount>> {
    let mut lines = BTreeSet::new();
    let mut add = |table: Vec<u8>| {
        let rows = table.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.extend(rows.map(<[u8]>::to_vec));
    };
    add(std::fs::read(root.path("/proc/self/mountinfo"))?);
    let mut seen = BTreeSet::new();
    for process in root.dir("/proc").names()? {
        if !process.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let view = view(root, &process);
        if view.is_some() && !seen.insert(view) {
            continue;
        }
        if let Ok(table) = std::fs::read(root.path(format!("/proc/{process}/mountinfo"))) {
            add(table);
        }
    }
    let table = lines.into_iter().collect::<Vec<_>>().join(&b'\n');
    let mounts = parse_table(&table).map_err(io::Error::other)?;
    Ok(mounts.into_iter().map(|mount| KnownMount::new(root, mount)).collect())
}

impl KnownMount {
    fn new(root: &SysRoot, mount: Mount) -> Self {
        let named = mount
            .named_devices()
            .into_iter()
            .filter(|path| path.is_absolute())
            .map(|path| (path.clone(), number_of_node(root, &path)))
            .collect();
        Self { mount, named }
    }

    fn is_on(&self, device: &Involved) -> bool {
        let node = node_path(&device.name);
        self.mount.number == device.number
            || self
                .named
                .iter()
                .any(|(path, number)| *number == Some(device.number) || *path == node)
    }
}

/// The view of a process on the mounts: its namespace and its root; nothing where that is hidden.
fn view(root: &SysRoot, process: &str) -> Option<(PathBuf, PathBuf)> {
    let link = |name: &str| std::fs::read_link(root.path(format!("/proc/{process}/{name}"))).ok();
    Some((link("ns/mnt")?, link("root")?))
}

/// Paths of all swap devices and files (`/proc/swaps`, described in proc(5)); none on a kernel
/// without swapping.
fn swap_places(root: &SysRoot) -> io::Result<Vec<PathBuf>> {
    let table = match std::fs::read(root.path("/proc/swaps")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        table => table?,
    };
    let rows = table.split(|byte| *byte == b'\n').skip(1).filter(|row| !row.is_empty());
    Ok(rows.filter_map(swap_place).collect())
}

/// The first column of a row, without the mark of a file that is gone.
fn swap_place(row: &[u8]) -> Option<PathBuf> {
    let column = row.split(|byte| byte.is_ascii_whitespace()).next()?;
    let path = unescape(column);
    let bytes = path.as_bytes();
    let kept = bytes.strip_suffix(b" (deleted)").unwrap_or(bytes);
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(kept)))
}
