//! One anonymous mapping that holds all buffers of a worker.
#![allow(unsafe_code)]

use std::io;
use std::ptr::NonNull;

/// From this size on, in bytes, the kernel is asked for huge pages: fewer entries of the
/// processor's address cache for many buffers.
const HUGE_PAGE: usize = 2 << 20;

/// This much of a buffer is looked at, in bytes: no block is smaller.
pub(crate) const LOOKED_AT: usize = 512;

/// Page-aligned memory outside the heap, zeroed, given back on drop unless leaked.
#[derive(Debug)]
pub(crate) struct Arena {
    start: NonNull<u8>,
    /// In bytes.
    pub(crate) length: usize,
}

// SAFETY: the arena owns its mapping; nothing else refers to it.
unsafe impl Send for Arena {}

impl Arena {
    /// Maps `length` bytes, at least one.
    pub(crate) fn new(length: usize) -> io::Result<Self> {
        let length = length.max(1);
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new anonymous mapping at an address of the kernel's choice touches nothing.
        let address = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        if length >= HUGE_PAGE {
            // SAFETY: the mapping is ours. The advice may be refused and changes no content.
            unsafe { libc::madvise(address, length, libc::MADV_HUGEPAGE) };
        }
        let start = NonNull::new(address.cast()).ok_or_else(io::Error::last_os_error)?;
        Ok(Self { start, length })
    }

    /// The address of byte `offset`.
    ///
    /// # Panics
    /// When `offset` lies outside.
    #[inline]
    pub(crate) fn address(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.length, "a buffer lies within its arena");
        // SAFETY: `offset` is within the mapping.
        unsafe { self.start.as_ptr().add(offset) }
    }

    /// A copy of the first bytes of the buffer at `offset`, into which the kernel may be reading.
    ///
    /// # Panics
    /// When they do not lie within the arena.
    pub(crate) fn look(&self, offset: usize) -> [u8; LOOKED_AT] {
        assert!(offset + LOOKED_AT <= self.length, "a buffer lies within its arena");
        let start = self.address(offset);
        let mut copy = [0; LOOKED_AT];
        for (at, byte) in copy.iter_mut().enumerate() {
            // SAFETY: the byte is within the mapping and initialised (zeroed by the kernel). The
            // kernel may write it meanwhile, so it is read as what changes from outside.
            *byte = unsafe { start.add(at).read_volatile() };
        }
        copy
    }

    /// `length` bytes from `offset`, to be filled.
    ///
    /// # Panics
    /// When the part does not lie within the arena.
    #[inline]
    pub(crate) fn slice_mut(&mut self, offset: usize, length: usize) -> &mut [u8] {
        let end = offset.checked_add(length).expect("a buffer's end is a number");
        assert!(end <= self.length, "a buffer lies within its arena");
        // SAFETY: the part is within the mapping, initialised (zeroed by the kernel), and borrowed
        // from `self` exclusively. The kernel writes into it only while an I/O is in flight, and a
        // slot in flight is never filled.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().add(offset), length) }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and whoever drops the arena has no I/O in flight on it.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) };
    }
}
