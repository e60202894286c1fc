//! How much of an open file is in the page cache.
#![allow(unsafe_code)]

use std::fs::File;
use std::os::fd::AsRawFd;

/// Number of the call `cachestat`, new in Linux 6.5; the same on every architecture
/// (include/uapi/asm-generic/unistd.h).
const CACHESTAT: libc::c_long = 451;

/// `struct cachestat_range`; a length of 0 reaches to the end.
#[repr(C)]
struct Range {
    offset: u64,
    length: u64,
}

/// `struct cachestat`, in pages.
#[repr(C)]
#[derive(Default)]
struct Stat {
    cached: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

/// Bytes of `file` in the page cache; nothing where the kernel does not tell.
pub(crate) fn cached_bytes(file: &File) -> Option<u64> {
    let (mut range, mut stat) = (Range { offset: 0, length: 0 }, Stat::default());
    // SAFETY: both structures are valid for the call and laid out as the kernel's; the descriptor
    // is open as long as `file` is borrowed.
    let status = unsafe { libc::syscall(CACHESTAT, file.as_raw_fd(), &mut range, &mut stat, 0) };
    // SAFETY: the call takes a number and gives one.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.cast_unsigned();
    (status == 0).then(|| stat.cached * page_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    #[test]
    fn what_was_just_written_is_cached() {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(&[1; 64 * 1024], 0).unwrap();
        match cached_bytes(&file) {
            Some(bytes) => assert!(bytes >= 64 * 1024, "{bytes}"),
            None => kneepoint_testkit::skipped("no cachestat on this kernel"),
        }
    }
}
