//! A kernel I/O context and its completion ring.
//!
//! The context's id is the address of a ring that the kernel shares with the process: a header
//! and, behind it, one event for each completion (`struct aio_ring` of fs/aio.c, which
//! is told by its magic number). Completions that are there already are taken from it without a
//! system call.
#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use kneepoint_core::words::units::Nanos;

/// `AIO_RING_MAGIC` of fs/aio.c.
const RING_MAGIC: u32 = 0xa10a_10a1;

/// `struct io_event` of linux/aio_abi.h.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct IoEvent {
    pub(super) data: u64,
    obj: u64,
    pub(super) res: i64,
    res2: i64,
}

/// The header of the ring, `struct aio_ring` of fs/aio.c.
#[repr(C)]
struct RingHeader {
    id: u32,
    /// Number of events that fit.
    nr: u32,
    /// The next event to take.
    head: AtomicU32,
    /// The next event that the kernel fills.
    tail: AtomicU32,
    magic: u32,
    compat_features: u32,
    incompat_features: u32,
    /// Bytes from the header's start to the first event.
    header_length: u32,
}

/// A kernel I/O context, destroyed on drop.
#[derive(Debug)]
pub(super) struct Context {
    id: libc::c_ulong,
    /// Whether the ring is what this program knows.
    readable: bool,
}

impl Context {
    /// A context for `events` I/Os in flight.
    pub(super) fn new(events: u32) -> io::Result<Self> {
        let mut id: libc::c_ulong = 0;
        // SAFETY: `id` is a valid place for the context's id and holds zero, as the call demands.
        let status = unsafe { libc::syscall(libc::SYS_io_setup, events, &mut id) };
        if status < 0 {
            return Err(io::Error::last_os_error());
        }
        let mut context = Self { id, readable: false };
        let header = context.header();
        context.readable = header.magic == RING_MAGIC
            && header.incompat_features == 0
            && header.header_length as usize == size_of::<RingHeader>();
        Ok(context)
    }

    /// The id for system calls.
    pub(super) const fn id(&self) -> libc::c_ulong {
        self.id
    }

    fn header(&self) -> &RingHeader {
        // SAFETY: the id of a context is the address of its ring, which the kernel maps readable
        // and writable into this process until the context is destroyed.
        unsafe { &*(self.id as *const RingHeader) }
    }

    /// Takes up to `events.len()` completions; waits for the first `wanted` for at most `patience`.
    /// Gives their number.
    pub(super) fn take(&self, wanted: u32, patience: Nanos, events: &mut [IoEvent]) -> usize {
        match self.take_ready(events) {
            0 => self.wait(wanted, patience, events),
            count => count,
        }
    }

    /// Takes the completions that are there without a system call.
    fn take_ready(&self, events: &mut [IoEvent]) -> usize {
        if !self.readable {
            return 0;
        }
        let header = self.header();
        // This thread alone takes events; the kernel fills them before it moves the tail.
        let mut head = header.head.load(Ordering::Relaxed);
        let tail = header.tail.load(Ordering::Acquire);
        let mut count = 0;
        while head != tail && count < events.len() {
            let first = self.id as usize + size_of::<RingHeader>();
            let place = (first + head as usize * size_of::<IoEvent>()) as *const IoEvent;
            // SAFETY: `head` is below the ring's number of events, and the event was filled, for
            // it lies before the tail.
            events[count] = unsafe { place.read() };
            head = if head + 1 == header.nr { 0 } else { head + 1 };
            count += 1;
        }
        if count > 0 {
            header.head.store(head, Ordering::Release);
        }
        count
    }

    /// Asks the kernel (man 2 io_getevents).
    fn wait(&self, wanted: u32, patience: Nanos, events: &mut [IoEvent]) -> usize {
        let mut timeout = libc::timespec {
            // The type has another name, and with musl soon another size.
            tv_sec: (patience.0 / 1_000_000_000) as _,
            tv_nsec: (patience.0 % 1_000_000_000) as libc::c_long,
        };
        // SAFETY: `events` has room for its own length of events.
        let count = unsafe {
            libc::syscall(
                libc::SYS_io_getevents,
                self.id,
                libc::c_long::from(wanted),
                events.len(),
                events.as_mut_ptr(),
                &mut timeout,
            )
        };
        count.max(0) as usize
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is ours; the call waits for what is in flight.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.id) };
    }
}
