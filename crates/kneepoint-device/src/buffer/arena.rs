//! One anonymous mapping that holds all buffers of a worker.
#![allow(unsafe_code)]

use std::io;
use std::ops::Range;
use std::ptr::NonNull;

use kneepoint_core::plan::MemoryPages;

/// Bytes of a huge page on x86-64, and on aarch64 with small pages of 4 KiB.
pub(super) const HUGE_PAGE: usize = 2 << 20;

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
    /// Maps `length` bytes, at least one, in these pages, whatever the system has for programs that ask for none: the
    /// same load takes the same way then, however many buffers it has.
    ///
    /// # Errors
    /// When there is not enough memory, or not enough of it in huge pages.
    pub(crate) fn new(length: usize, pages: MemoryPages) -> io::Result<Self> {
        match pages {
            MemoryPages::Small => {
                let arena = Self::mapped(length.max(1))?;
                // Where the kernel knows no huge pages, it has none to be kept from, and refuses.
                let _ = arena.advise(libc::MADV_NOHUGEPAGE);
                Ok(arena)
            }
            MemoryPages::Huge => Self::huge(length.max(1).next_multiple_of(HUGE_PAGE)),
        }
    }

    /// `length` bytes of the kernel's choice of pages.
    fn mapped(length: usize) -> io::Result<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new anonymous mapping at an address of the kernel's choice touches nothing.
        let address = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(address.cast()).ok_or_else(io::Error::last_os_error)?;
        Ok(Self { start, length })
    }

    /// `length` bytes, a multiple of a huge page, all of them in such pages.
    fn huge(length: usize) -> io::Result<Self> {
        let arena = Self::mapped(length + HUGE_PAGE)?.aligned(length);
        arena.advise(libc::MADV_HUGEPAGE)?;
        for page in (0..length).step_by(HUGE_PAGE) {
            // SAFETY: the byte is within the mapping. The first use of a page is when the kernel finds it.
            unsafe { arena.address(page).write_volatile(0) };
        }
        match huge_bytes(arena.start.as_ptr() as usize..arena.start.as_ptr() as usize + length)? {
            found if found >= length as u64 => Ok(arena),
            found => Err(io::Error::other(format!(
                "of {} MiB for buffers the kernel has {} MiB in huge pages",
                length >> 20,
                found >> 20
            ))),
        }
    }

    /// The part of `length` bytes that begins at a multiple of a huge page; the rest is given back.
    fn aligned(self, length: usize) -> Self {
        let whole = std::mem::ManuallyDrop::new(self);
        let address = whole.start.as_ptr() as usize;
        let before = address.next_multiple_of(HUGE_PAGE) - address;
        let after = whole.length - before - length;
        // SAFETY: both parts are of the mapping, and nothing refers to them.
        unsafe {
            let start = whole.start.as_ptr();
            if before > 0 {
                libc::munmap(start.cast(), before);
            }
            if after > 0 {
                libc::munmap(start.add(before + length).cast(), after);
            }
            Self { start: whole.start.add(before), length }
        }
    }

    /// Tells the kernel what pages are wanted (man 2 madvise).
    fn advise(&self, advice: libc::c_int) -> io::Result<()> {
        // SAFETY: the mapping is ours, and the advice changes no content.
        match unsafe { libc::madvise(self.start.as_ptr().cast(), self.length, advice) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
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

/// Bytes of `addresses` in huge pages, as far as /proc/self/smaps tells: of the mappings that they lie in.
fn huge_bytes(addresses: Range<usize>) -> io::Result<u64> {
    Ok(huge_bytes_of(&std::fs::read_to_string("/proc/self/smaps")?, &addresses))
}

fn huge_bytes_of(maps: &str, addresses: &Range<usize>) -> u64 {
    let mut is_within = false;
    let mut bytes = 0;
    for line in maps.lines() {
        if let Some(mapping) = mapping(line) {
            is_within = mapping.start < addresses.end && addresses.start < mapping.end;
        } else if let Some(size) = line.strip_prefix("AnonHugePages:").filter(|_| is_within) {
            let kib = size.trim().trim_end_matches(" kB").parse().unwrap_or(0_u64);
            bytes += kib << 10;
        }
    }
    bytes
}

/// The addresses of a mapping, from the line that begins its entry.
fn mapping(line: &str) -> Option<Range<usize>> {
    let (start, end) = line.split_whitespace().next()?.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    Some(address(start)?..address(end)?)
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and whoever drops the arena has no I/O in flight on it.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn huge_bytes_within(arena: &Arena) -> u64 {
        let start = arena.start.as_ptr() as usize;
        huge_bytes(start..start + arena.length).unwrap()
    }

    #[test]
    fn buffers_lie_in_the_pages_that_were_asked_for() {
        // Used from end to end, more than a huge page of it.
        let mut small = Arena::new(2 * HUGE_PAGE + 1, MemoryPages::Small).unwrap();
        assert_eq!(small.length, 2 * HUGE_PAGE + 1);
        small.slice_mut(0, 2 * HUGE_PAGE + 1).fill(1);
        assert_eq!(huge_bytes_within(&small), 0);
        let mut huge = match Arena::new(HUGE_PAGE + 1, MemoryPages::Huge) {
            Ok(arena) => arena,
            Err(error) => {
                kneepoint_testkit::skipped(format!("there are no huge pages: {error}"));
                return;
            }
        };
        assert_eq!(huge.length, 2 * HUGE_PAGE);
        assert_eq!(huge.start.as_ptr() as usize % HUGE_PAGE, 0);
        assert!(huge_bytes_within(&huge) >= 2 * HUGE_PAGE as u64);
        huge.slice_mut(0, 2 * HUGE_PAGE).fill(1);
    }

    #[test]
    fn huge_pages_are_counted_where_they_are() {
        let maps = "7f0000000000-7f0000400000 rw-p 00000000 00:00 0\nSize: 4096 kB\nAnonHugePages:      2048 kB\n\
                    7f0000800000-7f0000a00000 rw-p 00000000 00:00 0 [heap]\nAnonHugePages:      1024 kB\nVmFlags: rd\n";
        let within = |start, end| huge_bytes_of(maps, &(start..end));
        assert_eq!(within(0x7f00_0000_0000, 0x7f00_0040_0000), 2 << 20);
        assert_eq!(within(0x7f00_0010_0000, 0x7f00_0090_0000), 3 << 20);
        assert_eq!(within(0x7f00_0040_0000, 0x7f00_0080_0000), 0, "between them");
    }
}
