//! Which medium is behind a device number now: numbers are given again.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

use rustix::fs::OFlags;

use super::{DeviceNumber, FileId, SysRoot, node_path};

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

/// What a loop device shows, as the kernel knows it: whatever its name is by now, and from where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The file, as stat(2) has it.
    pub(crate) file: FileId,
    /// The block device that the file is the node of; of the number 0:0 for other files.
    pub(crate) device: DeviceNumber,
}

/// `struct loop_info64` of linux/loop.h.
#[repr(C)]
#[derive(Clone, Copy)]
struct LoopInfo {
    device: u64,
    inode: u64,
    rdevice: u64,
    offset: u64,
    size_limit: u64,
    numbers: [u32; 4],
    file_name: [u8; 64],
    crypt_name: [u8; 64],
    encrypt_key: [u8; 32],
    init: [u64; 2],
}

const _: () = assert!(size_of::<LoopInfo>() == 232);

/// Asks an attached loop device what it shows.
///
/// # Errors
/// When its node is not there, is another device's, may not be opened by this user, or nothing is
/// attached.
pub(super) fn shown_by_loop(root: &SysRoot, name: &str, number: DeviceNumber) -> io::Result<Shown> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let path = root.path(node_path(name));
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    if DeviceNumber::from_raw(file.metadata()?.rdev()) != number {
        return Err(io::Error::other("the node is another device's"));
    }
    let mut info = LoopInfo {
        device: 0,
        inode: 0,
        rdevice: 0,
        offset: 0,
        size_limit: 0,
        numbers: [0; 4],
        file_name: [0; 64],
        crypt_name: [0; 64],
        encrypt_key: [0; 32],
        init: [0; 2],
    };
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
