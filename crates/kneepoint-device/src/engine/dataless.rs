//! The calls that write without data: a hole in a file, a discard of a device, and zeroes in both.
#![allow(unsafe_code)]

use std::os::fd::RawFd;

use super::last_errno;

/// `BLKDISCARD` of linux/fs.h: `_IO(0x12, 119)`.
const BLKDISCARD: libc::Ioctl = 0x1277;
/// `BLKZEROOUT` of linux/fs.h: `_IO(0x12, 127)`.
const BLKZEROOUT: libc::Ioctl = 0x127f;

/// What becomes of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dataless {
    /// They are given back.
    Trim,
    /// They become zeroes.
    Zeroes,
}

/// How a target is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// A file, or anything else that is no block device.
    File,
    /// A block device.
    Device,
}

impl Manner {
    /// That of an open descriptor.
    pub(super) fn of(descriptor: RawFd) -> Self {
        let mut status = std::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: the place is ours, and large enough for the structure that the kernel fills.
        let known = unsafe { libc::fstat(descriptor, status.as_mut_ptr()) } == 0;
        // SAFETY: the kernel has filled it.
        let is_device =
            known && unsafe { status.assume_init() }.st_mode & libc::S_IFMT == libc::S_IFBLK;
        if is_device { Self::Device } else { Self::File }
    }

    /// Does it to `bytes` from `offset` of a target: as many bytes, or a negative error number.
    pub(super) fn perform(
        self,
        what: Dataless,
        descriptor: RawFd,
        (offset, bytes): (u64, u32),
    ) -> i32 {
        let status = match self {
            Self::Device => {
                let call = match what {
                    Dataless::Trim => BLKDISCARD,
                    Dataless::Zeroes => BLKZEROOUT,
                };
                let range = [offset, u64::from(bytes)];
                // SAFETY: the descriptor is open, and the kernel reads two numbers from the place.
                unsafe { libc::ioctl(descriptor, call, range.as_ptr()) }
            }
            Self::File => {
                let mode = libc::FALLOC_FL_KEEP_SIZE
                    | match what {
                        Dataless::Trim => libc::FALLOC_FL_PUNCH_HOLE,
                        Dataless::Zeroes => libc::FALLOC_FL_ZERO_RANGE,
                    };
                // SAFETY: the descriptor is open, and the call has no pointers.
                unsafe {
                    libc::fallocate(
                        descriptor,
                        mode,
                        offset as libc::off_t,
                        libc::off_t::from(bytes),
                    )
                }
            }
        };
        if status < 0 { last_errno() } else { bytes as i32 }
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{FileExt, MetadataExt};

    use super::*;

    #[test]
    fn exactly_the_bytes_that_are_named_become_zeroes() {
        for what in [Dataless::Trim, Dataless::Zeroes] {
            let file = tempfile::tempfile().unwrap();
            file.write_all_at(&[7; 65536], 0).unwrap();
            file.sync_all().unwrap();
            let before = file.metadata().unwrap().blocks();
            assert_eq!(Manner::of(file.as_raw_fd()), Manner::File);
            let done = Manner::File.perform(what, file.as_raw_fd(), (16384, 8192));
            if done == -libc::EOPNOTSUPP {
                kneepoint_testkit::skipped(format_args!("no {what:?} in the temporary directory"));
                continue;
            }
            assert_eq!(done, 8192);
            let mut all = vec![1; 65536];
            file.read_exact_at(&mut all, 0).unwrap();
            let is_empty = |at: usize| (16384..24576).contains(&at);
            assert!(
                all.iter().enumerate().all(|(at, byte)| *byte == if is_empty(at) { 0 } else { 7 })
            );
            let after = file.metadata().unwrap();
            assert_eq!(after.len(), 65536, "{what:?} keeps the size");
            let is_smaller = after.blocks() < before;
            assert_eq!(is_smaller, what == Dataless::Trim, "{before} {}", after.blocks());
        }
    }

    #[test]
    fn an_error_is_a_negative_number() {
        for manner in [Manner::File, Manner::Device] {
            for what in [Dataless::Trim, Dataless::Zeroes] {
                assert_eq!(manner.perform(what, -1, (0, 4096)), -libc::EBADF);
            }
        }
    }
}
