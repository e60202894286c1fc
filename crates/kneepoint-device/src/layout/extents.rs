//! Holes of a file, whose bytes were never really written, from the file system's extent map.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::mem::size_of;
use std::os::fd::AsRawFd;

use kneepoint_core::words::units::Bytes;

/// `FS_IOC_FIEMAP` of linux/fs.h: `_IOWR('f', 11, struct fiemap)`.
const FS_IOC_FIEMAP: libc::Ioctl = 0xC020_660B_u32 as libc::Ioctl;
/// `FIEMAP_FLAG_SYNC` of linux/fiemap.h: write back first.
const FIEMAP_FLAG_SYNC: u32 = 1;
/// `FIEMAP_EXTENT_LAST` of linux/fiemap.h.
const EXTENT_LAST: u32 = 0x1;
/// `FIEMAP_EXTENT_UNWRITTEN` of linux/fiemap.h: allocated, but reads as zeros.
const EXTENT_UNWRITTEN: u32 = 0x800;
/// `FIEMAP_EXTENT_SHARED` of linux/fiemap.h: another file has the same blocks.
const EXTENT_SHARED: u32 = 0x2000;
/// Extents asked for at once.
const BATCH: usize = 128;

/// The result of reading an extent map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extents {
    /// Every byte was written.
    Written,
    /// Bytes from this offset on were never written: reading them does no I/O.
    Hole(Bytes),
    /// The file system has no extent map.
    Unknown,
}

/// `struct fiemap_extent` of linux/fiemap.h.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct FiemapExtent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

/// `struct fiemap` of linux/fiemap.h with room for a batch of extents.
#[repr(C)]
struct FiemapRequest {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    room: u32,
    reserved: u32,
    extents: [FiemapExtent; BATCH],
}

const _: () = assert!(size_of::<FiemapRequest>() == 32 + BATCH * 56);

/// Looks at the first `length` bytes of `file`.
///
/// # Errors
/// When the file system fails for another reason than not having an extent map.
pub fn extents(file: &File, length: Bytes) -> io::Result<Extents> {
    let mut covered = 0;
    while covered < length.0 {
        let Some(batch) = map_from(file, covered, length.0)? else { return Ok(Extents::Unknown) };
        let before = covered;
        for extent in &batch {
            if extent.logical > covered || extent.flags & EXTENT_UNWRITTEN != 0 {
                return Ok(Extents::Hole(Bytes(covered)));
            }
            covered = covered.max(extent.logical + extent.length);
        }
        let ended = batch.last().is_none_or(|extent| extent.flags & EXTENT_LAST != 0);
        if covered < length.0 && (ended || covered == before) {
            return Ok(Extents::Hole(Bytes(covered)));
        }
    }
    Ok(Extents::Written)
}

/// Returns true if the first extents of `file` are shared with another file; not if the file system
/// has no extent map.
pub(crate) fn shares_blocks(file: &File, length: Bytes) -> io::Result<bool> {
    let batch = map_from(file, 0, length.0)?.unwrap_or_default();
    Ok(batch.iter().any(|extent| extent.flags & EXTENT_SHARED != 0))
}

/// The extents from `start` to `end`, at most a batch; `None` without an extent map.
fn map_from(file: &File, start: u64, end: u64) -> io::Result<Option<Vec<FiemapExtent>>> {
    let mut request = Box::new(FiemapRequest {
        start,
        length: end - start,
        flags: FIEMAP_FLAG_SYNC,
        mapped: 0,
        room: BATCH as u32,
        reserved: 0,
        extents: [FiemapExtent::default(); BATCH],
    });
    // SAFETY: the request has the layout that the call expects, with room for `room` extents.
    let status = unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP, &raw mut *request) };
    if status == 0 {
        return Ok(Some(request.extents[..request.mapped.min(BATCH as u32) as usize].to_vec()));
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::EOPNOTSUPP | libc::ENOTTY | libc::EINVAL | libc::ENOSYS) => Ok(None),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    #[test]
    fn holes_and_unwritten_extents_are_found() {
        let file = tempfile::tempfile_in(".").unwrap();
        file.write_all_at(&[1; 65536], 0).unwrap();
        if extents(&file, Bytes(65536)).unwrap() == Extents::Unknown {
            kneepoint_testkit::skipped("this file system has no extent map");
            return;
        }
        assert_eq!(extents(&file, Bytes(65536)).unwrap(), Extents::Written);
        file.set_len(1 << 20).unwrap();
        assert_eq!(extents(&file, Bytes(1 << 20)).unwrap(), Extents::Hole(Bytes(65536)));
        let flags = rustix::fs::FallocateFlags::empty();
        if rustix::fs::fallocate(&file, flags, 65536, 1 << 19).is_ok() {
            assert_eq!(extents(&file, Bytes(1 << 19)).unwrap(), Extents::Hole(Bytes(65536)));
        }
    }
}
