//! A ring by its number: what the kernel looks up faster than a file descriptor.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::os::fd::{AsRawFd as _, BorrowedFd, RawFd};

use io_uring::IoUring;
use io_uring::types::Timespec;
use rustix::io::Result;
use rustix::io_uring::{
    IoringEnterFlags, IoringRegisterOp, io_uring_enter, io_uring_enter_arg, io_uring_getevents_arg,
    io_uring_ptr, io_uring_register, io_uring_rsrc_update,
};

/// Of every wait.
const WAIT: IoringEnterFlags = IoringEnterFlags::GETEVENTS.union(IoringEnterFlags::REGISTERED_RING);

/// The number of a ring that is registered with the thread that uses it (man 2
/// io_uring_register, Linux 5.18). Calls with it do without counting the users of a descriptor
/// that the threads of a process share.
#[derive(Debug)]
pub(super) struct RingNumber {
    descriptor: RawFd,
    number: u32,
}

impl RingNumber {
    /// Registers `ring` with this thread. `None` where the kernel does not, and for a ring whose
    /// submissions are polled, which is called in other ways.
    pub(super) fn register(ring: &IoUring) -> Option<Self> {
        if ring.params().is_setup_sqpoll() {
            return None;
        }
        let descriptor = ring.as_raw_fd();
        let mut update = update(u32::MAX);
        update.data = io_uring_ptr::new(descriptor as usize as *mut c_void);
        let registered = call(descriptor, IoringRegisterOp::RegisterRingFds, &mut update);
        (registered == Ok(1)).then_some(Self { descriptor, number: update.offset })
    }

    /// Submits `queued` entries and waits for `wanted` completions, for as long as `limit` says or
    /// for ever. Whatever ends the wait early is no error: what has completed is in the ring.
    #[inline]
    pub(super) fn enter(&self, queued: u32, wanted: u32, limit: Option<&Timespec>) {
        // SAFETY: with this flag the kernel takes the number for a registered ring's, which this
        // one is until it is dropped.
        let ring = unsafe { BorrowedFd::borrow_raw(self.number as RawFd) };
        // SAFETY: the entries that are queued were pushed whole; the argument outlives the call.
        let _ = unsafe {
            match limit {
                None => io_uring_enter(ring, queued, wanted, WAIT),
                Some(limit) => {
                    let argument = argument(limit);
                    let flags = WAIT | IoringEnterFlags::EXT_ARG;
                    io_uring_enter_arg(ring, queued, wanted, flags, Some(&argument))
                }
            }
        };
    }
}

impl Drop for RingNumber {
    fn drop(&mut self) {
        let mut update = update(self.number);
        let _ = call(self.descriptor, IoringRegisterOp::UnregisterRingFds, &mut update);
    }
}

/// An update of the registered ring `number`; all ones ask for any number, which is given back.
fn update(number: u32) -> io_uring_rsrc_update {
    let mut update = io_uring_rsrc_update::default();
    update.offset = number;
    update
}

/// The time limit of a wait.
fn argument(limit: &Timespec) -> io_uring_getevents_arg {
    io_uring_getevents_arg {
        ts: io_uring_ptr::new(std::ptr::from_ref(limit).cast_mut().cast()),
        ..io_uring_getevents_arg::default()
    }
}

/// `io_uring_register` with one update.
fn call(
    descriptor: RawFd,
    operation: IoringRegisterOp,
    update: &mut io_uring_rsrc_update,
) -> Result<u32> {
    let update = std::ptr::from_mut(update).cast::<c_void>();
    // SAFETY: `update` is what both operations take; the ring is open as long as its number is used.
    unsafe { io_uring_register(BorrowedFd::borrow_raw(descriptor), operation, update, 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread can have 16 numbers at once.
    const NUMBERS_MAX: usize = 16;

    #[test]
    fn a_number_is_given_back() {
        let Ok(ring) = IoUring::new(4) else {
            kneepoint_testkit::skipped("the kernel gives no ring");
            return;
        };
        let first = RingNumber::register(&ring);
        for _ in 0..=NUMBERS_MAX {
            let number = RingNumber::register(&ring);
            assert_eq!(number.is_some(), first.is_some());
        }
    }
}
