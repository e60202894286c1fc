//! The synchronous engine: `pread` and `pwrite`, one I/O in flight per worker thread.
#![allow(unsafe_code)]

use std::io;

use kneepoint_core::load::backend::{Backend, Completion, Direction, Io};
use kneepoint_core::words::units::Nanos;

use super::WorkerBackend;
use super::{Descriptors, last_errno};
use crate::buffer::{BufferNeeds, Buffers, ReadSample};
use crate::clock::Clock;

/// Performs the queued I/O inside [`Backend::wait`].
#[derive(Debug)]
pub struct SyncBackend<'a> {
    clock: Clock,
    descriptors: Descriptors<'a>,
    buffers: Buffers,
    queued: Option<Io>,
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
        Ok(Self { clock, descriptors, buffers, queued: None })
    }

    /// Performs one I/O: bytes transferred or a negative error number.
    fn perform(&mut self, io: &Io) -> i32 {
        let offset = self.buffers.prepare(io);
        let buffer = self.buffers.slice_mut(offset, io.bytes as usize);
        let descriptor = self.descriptors.0[io.target as usize];
        let position = io.offset as libc::off_t;
        // SAFETY: the descriptor is open and the buffer is ours for the time of the call.
        let transferred = unsafe {
            match io.direction {
                Direction::Read => {
                    libc::pread(descriptor, buffer.as_mut_ptr().cast(), buffer.len(), position)
                }
                Direction::Write => {
                    libc::pwrite(descriptor, buffer.as_ptr().cast(), buffer.len(), position)
                }
            }
        };
        if transferred < 0 { last_errno() } else { transferred as i32 }
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
        self.queued = Some(io);
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        match self.queued.take() {
            None => self.clock.sleep_until(deadline),
            Some(io) => {
                let result = self.perform(&io);
                done.push(Completion { slot: io.slot, at: self.clock.now(), result });
            }
        }
    }
}
