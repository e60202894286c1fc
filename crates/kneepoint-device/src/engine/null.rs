//! The null engine: completes at once without I/O, so it measures the generator itself.

use kneepoint_core::load::backend::{Backend, Completion, Flush, Io};
use kneepoint_core::words::units::Nanos;

use super::WorkerBackend;
use crate::buffer::ReadSample;
use crate::clock::Clock;

/// Completes every I/O at the next wait.
#[derive(Debug)]
pub struct NullBackend {
    clock: Clock,
    queued: Vec<(u32, u32)>,
}

impl NullBackend {
    /// A backend that reads `clock`.
    pub const fn new(clock: Clock) -> Self {
        Self { clock, queued: Vec::new() }
    }
}

impl WorkerBackend for NullBackend {
    fn read_sample(&self) -> ReadSample {
        ReadSample::default()
    }
}

impl Backend for NullBackend {
    #[inline]
    fn now(&self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn submit(&mut self, io: Io) {
        self.queued.push((io.slot, io.bytes));
    }

    #[inline]
    fn flush(&mut self, flush: Flush) {
        self.queued.push((flush.slot, 0));
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        if self.queued.is_empty() {
            self.clock.sleep_until(deadline);
            return;
        }
        self.complete(done);
    }

    #[inline]
    fn wait_coarse(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        if self.queued.is_empty() {
            self.clock.doze_until(deadline);
            return;
        }
        self.complete(done);
    }
}

impl NullBackend {
    #[inline]
    fn complete(&mut self, done: &mut Vec<Completion>) {
        let at = self.clock.now();
        done.extend(self.queued.drain(..).map(|(slot, bytes)| Completion {
            slot,
            at,
            result: bytes as i32,
        }));
    }
}
