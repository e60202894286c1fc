//! The target that a path on the command line leads to, the devices below it followed down to the
//! drives, and the smallest unit that direct I/O takes.

use std::collections::{BTreeSet, VecDeque};
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use kneepoint_core::plan::TargetKind;
use kneepoint_core::words::fault::Fault;
use rustix::fs::{AtFlags, CWD, StatxFlags};

use super::{BlockDevice, DeviceNumber, FileSystem, SysRoot, Zoned, effective_user};

/// A target that I/O can be driven against, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetFacts {
    /// Canonical path: absolute, without symbolic links.
    pub path: PathBuf,
    /// The kind of target.
    pub subject: Subject,
}

/// Kinds of targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A regular file.
    File(FileTarget),
    /// Nothing yet, in a directory that exists.
    Missing(MissingTarget),
    /// A block device, first in its stack.
    Block(DeviceStack),
}

/// Identity of a file: its file system's device number and its inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId {
    /// `st_dev`.
    pub device: DeviceNumber,
    /// `st_ino`.
    pub inode: u64,
}

impl FileId {
    /// The identity in a file's metadata.
    pub fn of(meta: &Metadata) -> Self {
        Self { device: DeviceNumber::from_raw(meta.dev()), inode: meta.ino() }
    }
}

/// A regular file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTarget {
    /// Which file it is, whatever its name.
    pub id: FileId,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Names that the file has.
    pub links: u64,
    /// User that the file belongs to.
    pub user: u32,
    /// Where it lies; absent where the mount table cannot be read.
    pub file_system: Option<FileSystem>,
}

impl FileTarget {
    /// True if it is an empty file of this user: what is left if a run is killed before it wrote
    /// the first byte of a test file, and nothing that could be lost.
    pub fn is_empty_and_own(&self) -> bool {
        self.size_bytes == 0 && self.user == effective_user()
    }
}

/// A file that is still to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTarget {
    /// The directory that it would be made in.
    pub directory: FileId,
    /// Where it would lie; absent where the mount table cannot be read.
    pub file_system: Option<FileSystem>,
}

impl TargetFacts {
    /// Bytes that are there now; 0 for a file that is still to be made.
    pub fn size_bytes(&self) -> u64 {
        match &self.subject {
            Subject::File(file) => file.size_bytes,
            Subject::Missing(_) => 0,
            Subject::Block(stack) => stack.tops().first().map_or(0, |device| device.size_bytes),
        }
    }

    /// The kind of target, as plans and results call it.
    pub fn kind(&self) -> TargetKind {
        match self.subject {
            Subject::Block(_) => TargetKind::Block,
            Subject::File(_) | Subject::Missing(_) => TargetKind::File,
        }
    }

    /// The file system of a file; none for a device.
    pub fn file_system(&self) -> Option<&FileSystem> {
        match &self.subject {
            Subject::File(file) => file.file_system.as_ref(),
            Subject::Missing(missing) => missing.file_system.as_ref(),
            Subject::Block(_) => None,
        }
    }

    /// The devices that the target is or lies on.
    pub fn stack(&self) -> Option<&DeviceStack> {
        match &self.subject {
            Subject::Block(stack) => Some(stack),
            _ => self.file_system().map(|file_system| &file_system.stack),
        }
    }

    /// The devices whose kernel counters see exactly the target's I/O, and that of everybody else
    /// on the same device or file system.
    pub fn counted_devices(&self) -> Vec<DeviceNumber> {
        let tops = self.stack().map_or(&[][..], DeviceStack::tops);
        tops.iter().map(|device| device.number).collect()
    }
}

/// Finds out what a path leads to.
///
/// # Errors
/// When it leads to something that I/O cannot be driven against: a directory, a character device,
/// a pipe, a socket, a file of the kernel's own, a device without medium or with zones that must
/// be written in order; or when it leads nowhere.
pub fn target(root: &SysRoot, path: &Path) -> Result<TargetFacts, Fault> {
    match std::fs::canonicalize(path) {
        Ok(canonical) => existing(root, canonical),
        Err(error) if error.kind() == io::ErrorKind::NotFound => missing(root, path),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn existing(root: &SysRoot, path: PathBuf) -> Result<TargetFacts, Fault> {
    let meta = std::fs::metadata(&path).map_err(|error| unreadable(&path, &error))?;
    let kind = meta.file_type();
    let subject = if kind.is_file() {
        let id = FileId::of(&meta);
        Subject::File(FileTarget {
            id,
            size_bytes: meta.len(),
            links: meta.nlink(),
            user: meta.uid(),
            file_system: storage(root, &path, &path, id.device)?,
        })
    } else if kind.is_block_device() {
        Subject::Block(block(root, &path, DeviceNumber::from_raw(meta.rdev()))?)
    } else {
        return Err(wrong_kind(&path, &meta));
    };
    Ok(TargetFacts { path, subject })
}

/// The file system of `seen`, unless it is one of the kernel's windows.
fn storage(
    root: &SysRoot,
    path: &Path,
    seen: &Path,
    device: DeviceNumber,
) -> Result<Option<FileSystem>, Fault> {
    let found = FileSystem::of(root, seen, device);
    match &found {
        Some(file_system) if file_system.is_pseudo() => {
            Err(Fault::new(format!("{} is not storage", path.display()))
                .because(format!("{} holds files of the kernel", file_system.mount.fs_type))
                .fix("name a file on a disk, or a block device"))
        }
        _ => Ok(found),
    }
}

fn block(root: &SysRoot, path: &Path, number: DeviceNumber) -> Result<DeviceStack, Fault> {
    let stack = DeviceStack::under(root, number)?;
    let device = stack
        .tops()
        .first()
        .ok_or_else(|| Fault::new(format!("{} vanished while it was looked at", path.display())))?;
    check_drivable(path, device)?;
    Ok(stack)
}

/// Refuses devices that hold nothing or that random writes fail on.
pub(super) fn check_drivable(path: &Path, device: &BlockDevice) -> Result<(), Fault> {
    let refused = Fault::new(format!("{} cannot be measured", path.display()));
    if device.zoned == Zoned::HostManaged {
        return Err(refused
            .because("it is host-managed zoned: its zones must be written in order")
            .fix("name a drive that takes writes in any order"));
    }
    if device.size_bytes == 0 {
        return Err(refused
            .because("it has no size: no medium is in it, or nothing is attached to it")
            .fix("insert a medium, attach a file, or name another device"));
    }
    Ok(())
}

fn missing(root: &SysRoot, path: &Path) -> Result<TargetFacts, Fault> {
    let nowhere = || Fault::new(format!("{} does not exist", path.display()));
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(nowhere()
            .because("it is a symbolic link that leads nowhere")
            .fix("name the file that the link should lead to, or remove the link"));
    }
    let name = path.file_name().filter(|_| !path.as_os_str().as_bytes().ends_with(b"/"));
    let name = name.ok_or_else(|| {
        nowhere().because("it names a directory").fix("name a file in an existing directory")
    })?;
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let directory = std::fs::canonicalize(above.unwrap_or(Path::new("."))).map_err(|error| {
        nowhere()
            .because(format!("nor can its directory be found: {error}"))
            .fix("create the directory first, or name another file")
    })?;
    in_directory(root, path, directory.join(name))
}

/// A file still to be made at `canonical`, whose directory exists.
fn in_directory(root: &SysRoot, path: &Path, canonical: PathBuf) -> Result<TargetFacts, Fault> {
    let directory = canonical.parent().unwrap_or(Path::new("/"));
    let meta = std::fs::metadata(directory).map_err(|error| unreadable(directory, &error))?;
    let id = FileId::of(&meta);
    let file_system = storage(root, path, directory, id.device)?;
    let device_files = file_system.as_ref().is_some_and(|fs| fs.mount.fs_type == "devtmpfs");
    if device_files || directory == Path::new("/dev") {
        return Err(Fault::new(format!("{} does not exist", path.display()))
            .because("there is no device of that name, and files do not belong beside devices")
            .fix("check the name with lsblk"));
    }
    let subject = Subject::Missing(MissingTarget { directory: id, file_system });
    Ok(TargetFacts { path: canonical, subject })
}

fn wrong_kind(path: &Path, meta: &Metadata) -> Fault {
    let kind = meta.file_type();
    let (what, fix) = if kind.is_dir() {
        ("a directory", "name a file in it; it is made where it does not exist")
    } else if kind.is_char_device() {
        ("a character device", "name the block device that belongs to it")
    } else if kind.is_fifo() {
        ("a pipe", "name a regular file or a block device")
    } else {
        ("a socket", "name a regular file or a block device")
    };
    Fault::new(format!("{} cannot be measured", path.display()))
        .because(format!("it is {what}"))
        .fix(fix)
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    Fault::new(format!("{} cannot be looked at", path.display()))
        .because(error)
        .fix("check the path and the permissions of the directories above it")
}

/// Devices from the top down, each once: the partition, then its disk; the array, then its members.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeviceStack {
    devices: Vec<BlockDevice>,
    top_count: usize,
}

impl DeviceStack {
    /// The stack under one device, which must exist.
    pub(super) fn under(root: &SysRoot, number: DeviceNumber) -> Result<Self, Fault> {
        BlockDevice::read(root, number)?;
        Ok(Self::under_all(root, &[number]))
    }

    /// The stack under several devices that bear one file system; what sysfs does not show is
    /// left out.
    pub(super) fn under_all(root: &SysRoot, tops: &[DeviceNumber]) -> Self {
        let mut stack = Self::default();
        let mut seen = BTreeSet::new();
        let mut queue: VecDeque<_> = tops.iter().map(|number| (*number, 1)).collect();
        while let Some((number, top)) = queue.pop_front() {
            if !seen.insert(number) {
                continue;
            }
            let Ok(device) = BlockDevice::read(root, number) else { continue };
            queue.extend(device.below.iter().map(|below| (below.number, 0)));
            stack.devices.push(device);
            stack.top_count += top;
        }
        stack
    }

    /// All devices, top down.
    pub fn devices(&self) -> &[BlockDevice] {
        &self.devices
    }

    /// The devices that I/O enters first: one, or the members of a file system that spans several.
    pub fn tops(&self) -> &[BlockDevice] {
        &self.devices[..self.top_count]
    }
}

/// The alignment that `O_DIRECT` demands of a target, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectAlignment {
    /// Offsets and lengths are multiples of this.
    pub offset_bytes: u32,
    /// Buffers start at multiples of this.
    pub memory_bytes: u32,
    /// How it is known.
    pub source: AlignmentSource,
}

kneepoint_core::named! {
    /// How an alignment is known.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AlignmentSource {
        /// The kernel told it for this very file (`STATX_DIOALIGN`, statx(2), since Linux 6.1).
        Kernel = "told by the kernel",
        /// The logical block size of the device below, the largest where there are several.
        LogicalBlock = "logical block size of the device",
        /// Nothing is known; 512 bytes are the smallest block of any drive.
        Assumed = "assumed",
        /// The kernel said that this file takes no direct I/O at all.
        Unsupported = "direct I/O is not supported here",
    }
}

/// Smallest block of any drive, in bytes.
const SMALLEST_BLOCK: u32 = 512;

/// The smallest alignment of direct I/O on a target.
pub fn direct_alignment(facts: &TargetFacts) -> DirectAlignment {
    from_kernel(facts).unwrap_or_else(|| from_devices(facts))
}

fn from_kernel(facts: &TargetFacts) -> Option<DirectAlignment> {
    let stat = rustix::fs::statx(CWD, &facts.path, AtFlags::empty(), StatxFlags::DIOALIGN).ok()?;
    if !StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::DIOALIGN) {
        return None;
    }
    // Both are 0 where the file takes no direct I/O.
    let (offset_bytes, memory_bytes, source) =
        match (stat.stx_dio_offset_align, stat.stx_dio_mem_align) {
            (0, _) | (_, 0) => (SMALLEST_BLOCK, SMALLEST_BLOCK, AlignmentSource::Unsupported),
            (offset_bytes, memory_bytes) => (offset_bytes, memory_bytes, AlignmentSource::Kernel),
        };
    Some(DirectAlignment { offset_bytes, memory_bytes, source })
}

fn from_devices(facts: &TargetFacts) -> DirectAlignment {
    let devices = facts.stack().map_or(&[][..], super::DeviceStack::tops);
    let largest = devices.iter().map(|device| device.logical_block_bytes).max();
    let (bytes, source) = match largest {
        Some(bytes) => (bytes, AlignmentSource::LogicalBlock),
        None => (SMALLEST_BLOCK, AlignmentSource::Assumed),
    };
    DirectAlignment { offset_bytes: bytes, memory_bytes: bytes, source }
}
