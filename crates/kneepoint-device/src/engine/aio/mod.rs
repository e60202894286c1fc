//! Linux native asynchronous I/O by raw system calls (man 2 io_submit, man 2 io_getevents).
#![allow(unsafe_code)]

mod context;

use std::io;

use kneepoint_core::load::backend::{Backend, Completion, Direction, Io};
use kneepoint_core::words::units::Nanos;

use super::Readable;
use super::submit_policy::{PolicyTuner, Submission};
use super::{Descriptors, last_errno};
use crate::buffer::{BufferNeeds, Buffers, ReadSample};
use crate::clock::Clock;
use context::{Context, IoEvent};

/// `IOCB_CMD_PREAD` of linux/aio_abi.h.
const IOCB_CMD_PREAD: u16 = 0;
/// `IOCB_CMD_PWRITE` of linux/aio_abi.h.
const IOCB_CMD_PWRITE: u16 = 1;

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
            blocks: vec![Iocb::default(); slots].into_boxed_slice(),
            queued: Vec::with_capacity(slots),
            events: vec![IoEvent::default(); slots],
            tactician: PolicyTuner::new(needs.slots),
            in_flight: 0,
        })
    }

    /// Sends what is queued; an I/O that the kernel refuses completes with its error.
    fn flush(&mut self, done: &mut Vec<Completion>) {
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

impl Readable for AioBackend<'_> {
    fn read_sample(&mut self) -> ReadSample {
        self.buffers.read_sample()
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
            fildes: self.descriptors.0[io.target as usize] as u32,
            buf: self.buffers.address(offset) as u64,
            nbytes: u64::from(io.bytes),
            offset: io.offset as i64,
            ..Iocb::default()
        };
        self.queued.push(block);
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.flush(done);
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
