//! A ring by its number: what the kernel looks up faster than a file descriptor.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_long, c_uint, c_void};
use std::os::fd::AsRawFd as _;

use io_uring::IoUring;
use io_uring::types::SubmitArgs;

/// `IORING_REGISTER_RING_FDS` and `IORING_UNREGISTER_RING_FDS` (linux/io_uring.h).
const REGISTER: c_uint = 20;
const UNREGISTER: c_uint = 21;

/// `IORING_ENTER_GETEVENTS` and `IORING_ENTER_REGISTERED_RING`.
const ENTER_FLAGS: c_uint = 1 | 1 << 4;

/// `IORING_ENTER_EXT_ARG`.
const EXTENDED: c_uint = 1 << 3;

/// `struct io_uring_rsrc_update`.
#[repr(C)]
struct Update {
    /// Asked for: any number; given back: the number.
    offset: u32,
    reserved: u32,
    data: u64,
}

/// The number of a ring that is registered with the thread that uses it (man 2
/// io_uring_register, Linux 5.18). Calls with it do without counting the users of a descriptor
/// that the threads of a process share.
#[derive(Debug)]
pub(super) struct RingNumber {
    descriptor: c_int,
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
        let data = u64::try_from(descriptor).ok()?;
        let mut update = Update { offset: u32::MAX, reserved: 0, data };
        let registered = call(descriptor, REGISTER, &mut update);
        (registered == 1).then_some(Self { descriptor, number: update.offset })
    }

    /// Submits `queued` entries and waits for `wanted` completions, for as long as `limit` says or
    /// for ever. Whatever ends the wait early is no error: what has completed is in the ring.
    #[inline]
    pub(super) fn enter(&self, queued: u32, wanted: u32, limit: Option<&SubmitArgs<'_, '_>>) {
        let (flags, argument, length) = match limit {
            None => (ENTER_FLAGS, std::ptr::null(), size_of::<u64>()),
            Some(limit) => (
                ENTER_FLAGS | EXTENDED,
                std::ptr::from_ref(limit).cast::<c_void>(),
                size_of::<SubmitArgs<'_, '_>>(),
            ),
        };
        // SAFETY: the argument is absent or that of the call's extended form, and outlives it.
        unsafe {
            libc::syscall(
                libc::SYS_io_uring_enter,
                self.number,
                queued,
                wanted,
                flags,
                argument,
                length,
            )
        };
    }
}

impl Drop for RingNumber {
    fn drop(&mut self) {
        let mut update = Update { offset: self.number, reserved: 0, data: 0 };
        call(self.descriptor, UNREGISTER, &mut update);
    }
}

/// `io_uring_register` with one update.
fn call(descriptor: c_int, operation: c_uint, update: &mut Update) -> c_long {
    let update = std::ptr::from_mut(update).cast::<c_void>();
    // SAFETY: `update` is one of the structures that both operations take.
    unsafe { libc::syscall(libc::SYS_io_uring_register, descriptor, operation, update, 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread can have 16 numbers at once.
    const NUMBERS_MAX: usize = 16;

    #[test]
    fn a_number_is_given_back() {
        let Ok(ring) = IoUring::new(4) else {
            eprintln!("skipped: the kernel gives no ring");
            return;
        };
        let first = RingNumber::register(&ring);
        for _ in 0..=NUMBERS_MAX {
            let number = RingNumber::register(&ring);
            assert_eq!(number.is_some(), first.is_some());
        }
    }
}
