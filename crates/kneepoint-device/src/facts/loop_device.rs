//! Loop devices and the files behind them, and which medium is behind a device number now: numbers
//! are given again.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::{DeviceNumber, FileId, SECTOR_BYTES, SysDir, SysRoot, node_path};

/// The file that a loop device shows as a disk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoopFile {
    /// Path of the file when it was attached; absent where nothing is attached. The kernel adds
    /// ` (deleted)` to the name of a file that is gone.
    pub backing: Option<PathBuf>,
    /// First byte of the file that the device shows.
    pub offset_bytes: u64,
}

impl LoopFile {
    /// Reads the `loop` directory of a loop device's sysfs directory.
    pub(super) fn read(device: &SysDir) -> Self {
        let attached = device.dir("loop");
        Self {
            backing: attached.raw_line("backing_file").map(PathBuf::from),
            offset_bytes: attached.value("offset").unwrap_or(0),
        }
    }
}

/// An attached loop device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoopDevice {
    /// Kernel name, `loop0`.
    pub(crate) name: String,
    /// The device's number.
    pub(crate) number: DeviceNumber,
    /// The file behind it, by the path that it was attached by: in another mount namespace,
    /// perhaps, or of another name by now.
    backing: PathBuf,
    /// The file behind it; absent where this user may not ask.
    pub(crate) shown: Option<Shown>,
    /// Length of the file by what the device shows of it, in bytes; absent where it shows a part,
    /// or where that cannot be found out.
    length_bytes: Option<u64>,
}

impl LoopDevice {
    fn read(root: &SysRoot, name: String) -> io::Result<Option<Self>> {
        let device = root.dir("/sys/block").dir(&name);
        let LoopFile { backing: Some(backing), offset_bytes } = LoopFile::read(&device) else {
            return Ok(None);
        };
        let number = device
            .value("dev")
            .ok_or_else(|| io::Error::other(format!("/sys/block/{name}/dev cannot be read")))?;
        let shown = shown_by_loop(root, &name, number).ok();
        let is_part = device.value::<u64>("loop/sizelimit").is_none_or(|limit| limit > 0);
        let length = device.value::<u64>("size").map(|size| size * SECTOR_BYTES + offset_bytes);
        let length_bytes = length.filter(|_| !is_part);
        Ok(Some(Self { name, number, backing, shown, length_bytes }))
    }

    /// The backing file's path, without the mark that the kernel adds to the name of a file that is
    /// gone, unless a file is really called so.
    pub(crate) fn backing_path(&self, root: &SysRoot) -> &Path {
        if std::fs::symlink_metadata(root.path(&self.backing)).is_ok() {
            return &self.backing;
        }
        self.backing
            .to_str()
            .and_then(|text| text.strip_suffix(" (deleted)"))
            .map_or(self.backing.as_path(), Path::new)
    }

    /// True if a file of that length can be the one behind it: loop devices show whole sectors.
    pub(crate) fn suits(&self, length_bytes: u64) -> bool {
        let sectors = |bytes: u64| bytes / SECTOR_BYTES;
        self.length_bytes.is_none_or(|length| sectors(length) == sectors(length_bytes))
    }
}

/// All loop devices that have a file attached.
///
/// # Errors
/// When `/sys/block` cannot be listed, or an attached device cannot be read.
pub(crate) fn loop_devices(root: &SysRoot) -> io::Result<Vec<LoopDevice>> {
    let names = root.dir("/sys/block").names()?;
    let names = names.into_iter().filter(|name| name.starts_with("loop"));
    names.filter_map(|name| LoopDevice::read(root, name).transpose()).collect()
}

/// `BLKGETDISKSEQ` of linux/fs.h: `_IOR(0x12, 128, __u64)`, Linux 5.15.
const BLKGETDISKSEQ: libc::Ioctl = 0x8008_1280_u32 as libc::Ioctl;
/// `LOOP_GET_STATUS64` of linux/loop.h.
const LOOP_GET_STATUS64: libc::Ioctl = 0x4C05;

/// The number that the kernel gave to the disk of an open device when the disk, its medium or the
/// file behind it came; no other has it until the next start. `None` before Linux 5.15.
pub(crate) fn disk_sequence(device: &File) -> Option<u64> {
    let mut sequence = 0_u64;
    // SAFETY: the call writes one number of 64 bits to where it points.
    let status = unsafe { libc::ioctl(device.as_raw_fd(), BLKGETDISKSEQ, &raw mut sequence) };
    (status == 0).then_some(sequence)
}

/// The file behind a loop device, as the kernel knows it: whatever its name is by now, and from
/// where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The file, as stat(2) has it.
    pub(crate) file: FileId,
    /// The block device that the file is the node of; of the number 0:0 for other files.
    pub(crate) device: DeviceNumber,
}

/// `struct loop_info64` of linux/loop.h.
#[repr(C)]
#[derive(Default)]
struct LoopInfo {
    device: u64,
    inode: u64,
    rdevice: u64,
    /// Offset, size limit, numbers, names and a key: nothing that is asked for here.
    rest: [u64; 26],
}

const _: () = assert!(size_of::<LoopInfo>() == 232);

/// Asks an attached loop device what it shows.
///
/// # Errors
/// When its node is not there, is another device's, may not be opened by this user, or nothing is
/// attached.
fn shown_by_loop(root: &SysRoot, name: &str, number: DeviceNumber) -> io::Result<Shown> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let path = root.path(node_path(name));
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    if DeviceNumber::from_raw(file.metadata()?.rdev()) != number {
        return Err(io::Error::other("the node is another device's"));
    }
    let mut info = LoopInfo::default();
    // SAFETY: the call fills one `struct loop_info64`, whose layout this is.
    let status = unsafe { libc::ioctl(file.as_raw_fd(), LOOP_GET_STATUS64, &raw mut info) };
    if status != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Shown {
        file: FileId { device: DeviceNumber::from_raw(info.device), inode: info.inode },
        device: DeviceNumber::from_raw(info.rdevice),
    })
}
