//! The synchronous engine: `pread`, `pwrite`, `fallocate` and `fdatasync`, one I/O in flight per worker thread.
#![allow(unsafe_code)]

use std::io;

use kneepoint_core::load::backend::{Backend, Completion, Content, Direction, Flush, Io};
use kneepoint_core::spec::profile::FlushCall;
use kneepoint_core::words::units::Nanos;

use super::dataless::{Dataless, Manner};
use super::durable::{DurableCalls, range_flags};
use super::{Descriptors, WorkerBackend, last_errno};
use crate::buffer::{BufferNeeds, Buffers, ReadSample};
use crate::clock::Clock;

/// Performs the queued I/O inside [`Backend::wait`].
#[derive(Debug)]
pub struct SyncBackend<'a> {
    clock: Clock,
    descriptors: Descriptors<'a>,
    buffers: Buffers,
    durable: DurableCalls,
    /// How each target is told to give blocks back.
    manners: Vec<Manner>,
    queued: Option<Request>,
}

/// What waits for [`Backend::wait`].
#[derive(Debug)]
enum Request {
    Io(Io),
    Flush(Flush),
}

impl<'a> SyncBackend<'a> {
    /// A backend for one I/O at a time.
    ///
    /// # Errors
    /// When there is not enough memory for the buffers.
    pub fn new(
        descriptors: Descriptors<'a>,
        needs: BufferNeeds<'_>,
        clock: Clock,
    ) -> io::Result<Self> {
        let buffers = Buffers::new(needs)?;
        let durable = DurableCalls::of(needs.profile.durability);
        let manners = descriptors.0.iter().map(|descriptor| Manner::of(*descriptor)).collect();
        Ok(Self { clock, descriptors, buffers, durable, manners, queued: None })
    }

    /// Performs one I/O: bytes transferred or a negative error number.
    fn perform(&mut self, io: &Io) -> i32 {
        let target = io.target as usize;
        let dataless = match io.content {
            Content::Unique(_) | Content::Duplicate(_) => None,
            Content::Trim => Some(Dataless::Trim),
            Content::Zeroes => Some(Dataless::Zeroes),
        };
        if let Some(what) = dataless {
            let place = (io.offset, io.bytes);
            return self.manners[target].perform(what, self.descriptors.0[target], place);
        }
        let offset = self.buffers.prepare(io);
        let buffer = self.buffers.slice_mut(offset, io.bytes as usize);
        let descriptor = self.descriptors.0[target];
        let position = io.offset as libc::off_t;
        let flags = self.durable.write_flags;
        // SAFETY: the descriptor is open and the buffer is ours for the time of the call.
        let transferred = unsafe {
            match io.direction {
                Direction::Read => {
                    libc::pread(descriptor, buffer.as_mut_ptr().cast(), buffer.len(), position)
                }
                Direction::Write if flags != 0 => {
                    let whole =
                        libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
                    libc::pwritev2(descriptor, &raw const whole, 1, position, flags)
                }
                Direction::Write => {
                    libc::pwrite(descriptor, buffer.as_ptr().cast(), buffer.len(), position)
                }
            }
        };
        if transferred < 0 { last_errno() } else { transferred as i32 }
    }

    /// Performs a flush: 0 or a negative error number.
    fn perform_flush(&self, flush: Flush) -> i32 {
        let descriptor = self.descriptors.0[flush.target as usize];
        // SAFETY: the descriptor is open.
        let status = unsafe {
            match (self.durable.flush, range_flags(self.durable.flush)) {
                // From offset 0 on, and no length: the whole file.
                (_, Some(flags)) => libc::sync_file_range(descriptor, 0, 0, flags),
                (FlushCall::Fdatasync, None) => libc::fdatasync(descriptor),
                (_, None) => libc::fsync(descriptor),
            }
        };
        if status < 0 { last_errno() } else { 0 }
    }
}

impl WorkerBackend for SyncBackend<'_> {
    fn read_sample(&self) -> ReadSample {
        self.buffers.read_sample()
    }

    fn buffers(&mut self) -> Option<&mut Buffers> {
        Some(&mut self.buffers)
    }
}

impl Backend for SyncBackend<'_> {
    #[inline]
    fn now(&self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn submit(&mut self, io: Io) {
        debug_assert!(self.queued.is_none(), "the synchronous engine takes one I/O at a time");
        self.queued = Some(Request::Io(io));
    }

    #[inline]
    fn flush(&mut self, flush: Flush) {
        debug_assert!(self.queued.is_none(), "the synchronous engine takes one I/O at a time");
        self.queued = Some(Request::Flush(flush));
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        match self.queued.take() {
            None => self.clock.sleep_until(deadline),
            Some(request) => {
                let (slot, result) = match request {
                    Request::Io(io) => (io.slot, self.perform(&io)),
                    Request::Flush(flush) => (flush.slot, self.perform_flush(flush)),
                };
                done.push(Completion { slot, at: self.clock.now(), result });
            }
        }
    }
}
