//! Linux native asynchronous I/O by raw system calls (man 2 io_submit, man 2 io_getevents).

#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use kneepoint_core::load::backend::{Backend, Completion, Direction, Flush, Io};
use kneepoint_core::spec::profile::FlushCall;
use kneepoint_core::words::units::Nanos;

use super::durable::DurableCalls;
use super::submit_policy::{PolicyTuner, Submission};
use super::{Descriptors, WorkerBackend, last_errno};
use crate::buffer::{BufferNeeds, Buffers, ReadSample};
use crate::clock::Clock;

/// `IOCB_CMD_PREAD` of linux/aio_abi.h.
const IOCB_CMD_PREAD: u16 = 0;
/// `IOCB_CMD_PWRITE` of linux/aio_abi.h.
const IOCB_CMD_PWRITE: u16 = 1;

/// `IOCB_CMD_FSYNC` of linux/aio_abi.h (Linux 4.18).
const IOCB_CMD_FSYNC: u16 = 2;
/// `IOCB_CMD_FDSYNC` of linux/aio_abi.h (Linux 4.18).
const IOCB_CMD_FDSYNC: u16 = 3;

/// `struct iocb` of linux/aio_abi.h on a little-endian machine.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Iocb {
    data: u64,
    key: u32,
    rw_flags: i32,
    opcode: u16,
    reqprio: i16,
    fildes: u32,
    buf: u64,
    nbytes: u64,
    offset: i64,
    reserved2: u64,
    flags: u32,
    resfd: u32,
}

/// I/O through `io_submit`, and `io_getevents` where nothing has completed yet.
#[derive(Debug)]
pub struct AioBackend<'a> {
    // The context goes first: it is destroyed before the buffers that it writes into.
    context: Context,
    clock: Clock,
    descriptors: Descriptors<'a>,
    buffers: Buffers,
    durable: DurableCalls,
    blocks: Box<[Iocb]>,
    queued: Vec<*mut Iocb>,
    events: Vec<IoEvent>,
    tactician: PolicyTuner,
    in_flight: u32,
}

impl<'a> AioBackend<'a> {
    /// A backend for `needs.slots` I/Os in flight.
    ///
    /// # Errors
    /// When the kernel has no room for another context, or there is not enough memory.
    pub fn new(
        descriptors: Descriptors<'a>,
        needs: BufferNeeds<'_>,
        clock: Clock,
    ) -> io::Result<Self> {
        let slots = needs.slots as usize;
        Ok(Self {
            context: Context::new(needs.slots)?,
            clock,
            descriptors,
            buffers: Buffers::new(needs)?,
            durable: DurableCalls::of(needs.profile.durability),
            blocks: vec![Iocb::default(); slots].into_boxed_slice(),
            queued: Vec::with_capacity(slots),
            events: vec![IoEvent::default(); slots],
            tactician: PolicyTuner::new(needs.slots, Submission::plain_for(needs.profile)),
            in_flight: 0,
        })
    }

    /// Sends what is queued; an I/O that the kernel refuses completes with its error.
    fn send(&mut self, done: &mut Vec<Completion>) {
        let mut sent = 0;
        let under_way = self.in_flight + self.queued.len() as u32;
        let at_once = match self.tactician.tactic(under_way).submission {
            Submission::Together => self.queued.len(),
            Submission::OneByOne => 1,
        };
        while sent < self.queued.len() {
            let end = self.queued.len().min(sent + at_once);
            let left = &mut self.queued[sent..end];
            // SAFETY: the pointers are to blocks of `self.blocks`, which do not move, and their
            // buffers stay until the context is destroyed.
            let accepted = unsafe {
                libc::syscall(libc::SYS_io_submit, self.context.id(), left.len(), left.as_mut_ptr())
            };
            if accepted > 0 {
                sent += accepted as usize;
                self.in_flight += accepted as u32;
                continue;
            }
            let error = last_errno();
            if error == -libc::EAGAIN && self.in_flight > 0 {
                break;
            }
            if error != -libc::EINTR {
                // SAFETY: as above; the block is ours, for the kernel refused it.
                let slot = unsafe { (*left[0]).data } as u32;
                done.push(Completion { slot, at: self.clock.now(), result: error });
                sent += 1;
            }
        }
        self.queued.drain(..sent);
    }

    /// Takes completions; waits for the first ones for at most `patience`.
    fn reap(&mut self, patience: Nanos, done: &mut Vec<Completion>) {
        let wanted = self.tactician.tactic(self.in_flight).wanted;
        let count = self.context.take(wanted, patience, &mut self.events);
        let at = self.clock.now();
        self.tactician.count(count, self.in_flight, at);
        self.in_flight -= count as u32;
        done.extend(self.events[..count].iter().map(|event| Completion {
            slot: event.data as u32,
            at,
            result: event.res as i32,
        }));
    }
}

impl WorkerBackend for AioBackend<'_> {
    fn change_load(&mut self, slots: u32) {
        self.tactician = self.tactician.resized(slots);
    }

    fn read_sample(&self) -> ReadSample {
        self.buffers.read_sample()
    }

    fn buffers(&mut self) -> Option<&mut Buffers> {
        Some(&mut self.buffers)
    }
}

impl Backend for AioBackend<'_> {
    #[inline]
    fn now(&self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn submit(&mut self, io: Io) {
        let offset = self.buffers.prepare(&io);
        let block = &mut self.blocks[io.slot as usize];
        *block = Iocb {
            data: u64::from(io.slot),
            opcode: match io.direction {
                Direction::Read => IOCB_CMD_PREAD,
                Direction::Write => IOCB_CMD_PWRITE,
            },
            rw_flags: match io.direction {
                Direction::Read => 0,
                Direction::Write => self.durable.write_flags,
            },
            fildes: self.descriptors.0[io.target as usize] as u32,
            buf: self.buffers.address(offset) as u64,
            nbytes: u64::from(io.bytes),
            offset: io.offset as i64,
            ..Iocb::default()
        };
        self.queued.push(block);
    }

    #[inline]
    fn flush(&mut self, flush: Flush) {
        let block = &mut self.blocks[flush.slot as usize];
        *block = Iocb {
            data: u64::from(flush.slot),
            opcode: match self.durable.flush {
                FlushCall::Fdatasync => IOCB_CMD_FDSYNC,
                // Plans with the other calls are refused: the kernel has none of them here.
                FlushCall::Fsync | FlushCall::SyncFileRange | FlushCall::SyncFileRangeWrite => {
                    IOCB_CMD_FSYNC
                }
            },
            fildes: self.descriptors.0[flush.target as usize] as u32,
            ..Iocb::default()
        };
        self.queued.push(block);
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.send(done);
        if self.in_flight == 0 && done.is_empty() {
            self.clock.sleep_until(deadline);
            return;
        }
        let mut now = self.clock.last();
        while done.is_empty() {
            let patience = self.clock.patience(now, deadline);
            self.reap(patience, done);
            if done.is_empty() && patience > Nanos::ZERO {
                self.clock.woke(now + patience);
            }
            now = self.clock.now();
            if now >= deadline {
                return;
            }
        }
    }
}

impl Drop for AioBackend<'_> {
    fn drop(&mut self) {
        if self.in_flight > 0 {
            self.buffers.leak();
        }
    }
}

/// `AIO_RING_MAGIC` of fs/aio.c.
const RING_MAGIC: u32 = 0xa10a_10a1;

/// `struct io_event` of linux/aio_abi.h.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct IoEvent {
    data: u64,
    obj: u64,
    res: i64,
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

/// A kernel I/O context with its completion ring, destroyed on drop.
///
/// The context's id is the address of a ring that the kernel shares with the process: a header
/// and, behind it, one event for each completion (`struct aio_ring` of fs/aio.c, which
/// is told by its magic number). Completions that are there already are taken from it without a
/// system call.
#[derive(Debug)]
struct Context {
    id: libc::c_ulong,
    /// True if the ring is what this program knows.
    readable: bool,
}

impl Context {
    /// A context for `events` I/Os in flight.
    fn new(events: u32) -> io::Result<Self> {
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
    const fn id(&self) -> libc::c_ulong {
        self.id
    }

    fn header(&self) -> &RingHeader {
        // SAFETY: the id of a context is the address of its ring, which the kernel maps readable
        // and writable into this process until the context is destroyed.
        unsafe { &*(self.id as *const RingHeader) }
    }

    /// Takes up to `events.len()` completions; waits for the first `wanted` for at most `patience`.
    /// Gives their number.
    fn take(&self, wanted: u32, patience: Nanos, events: &mut [IoEvent]) -> usize {
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
