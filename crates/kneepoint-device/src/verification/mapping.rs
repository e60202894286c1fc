//! Part of a file in memory: what is stored there outlives the process, however that ends.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// Whole words of a file, shared with it, given back on drop.
#[derive(Debug)]
pub(super) struct Mapping {
    start: NonNull<AtomicU64>,
    /// In words of eight bytes.
    length: usize,
}

// SAFETY: the mapping is only reached through atomic words.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `length` words, at least one, from byte `offset` of `file` on, a multiple of 4 KiB. The file
    /// must be so long, and stay so.
    pub(super) fn new(file: &File, offset: u64, length: usize) -> io::Result<Self> {
        let bytes = length * size_of::<AtomicU64>();
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                protection,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                offset as libc::off_t,
            )
        };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(address.cast()).ok_or_else(io::Error::last_os_error)?;
        Ok(Self { start, length })
    }

    /// The words.
    #[inline]
    pub(super) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping holds that many words, aligned to a page, initialised by the file, and reached
        // as atomic words alone; the file is locked and keeps its length.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let bytes = self.length * size_of::<AtomicU64>();
        // SAFETY: the mapping is ours, and no reference to its words outlives it.
        unsafe { libc::munmap(self.start.as_ptr().cast(), bytes) };
    }
}
