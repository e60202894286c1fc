//! The only I/O loop: it drives a disk, a null device and a simulated system alike.
//!
//! The axes are composed, not multiplied: pacing, offsets, mix and data belong to the lanes, the
//! end of the point to the [`Watch`], the I/O to the [`Backend`]. One round of the loop is
//!
//! 1. hand every I/O that is due to the backend and note the time once for all of them,
//! 2. let the backend send them and wait for completions or for the next thing that is due,
//! 3. record the completions and give their slots back.
//!
//! In a closed loop response time runs from the note in step 1 to the time of the completion: what
//! the loop itself needs between two rounds is time in which the queue is short of a request, and
//! shows as such in the achieved outstanding I/Os, not in the response time. In an open loop it
//! runs from the time at which the I/O was to be issued, however late that happened; the lateness
//! is kept beside it.

mod errors;
mod lanes;
#[cfg(test)]
mod tests;

pub use errors::{ErrorLog, IoFault};

use crate::load::backend::{Backend, Completion, DEADLINE_SLACK, Direction};
use crate::load::record::interval::IntervalRecord;
use crate::load::record::recorder::{Completed, Fate, Recorder, Straddler};
use crate::load::stream::{Source, WorkerPlan};
use crate::plan::{Plan, Timing};
use crate::words::units::Nanos;
use lanes::{Lanes, Slot};

/// Whether a point goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Issue more.
    Continue,
    /// Stop issuing and drain.
    Stop,
}

/// Who looks at a point while it runs and decides when it ends.
pub trait Watch {
    /// Called once at the end of every interval; the point stops issuing when it says so.
    fn interval(&mut self, record: IntervalRecord) -> Flow;
}

/// What one worker drives, and when.
#[derive(Debug, Clone, Copy)]
pub struct WorkerTask<'a> {
    /// The worker's streams.
    pub worker: &'a WorkerPlan,
    /// Phases and interval length.
    pub timing: &'a Timing,
    /// More failed I/Os than this end the worker's part at once.
    pub errors_max: u64,
    /// Start of interval 0 on the backend's clock; the same for all workers of a point.
    pub epoch: Nanos,
}

impl<'a> WorkerTask<'a> {
    /// The duty of `worker` for a point of `plan` that begins at `epoch`.
    pub const fn new(plan: &'a Plan, worker: &'a WorkerPlan, epoch: Nanos) -> Self {
        Self { worker, timing: &plan.timing, errors_max: plan.errors_max, epoch }
    }
}

/// How a worker's part ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Driven {
    /// Failed I/Os, over all phases.
    pub errors: ErrorLog,
    /// I/Os that never came back while draining; their buffers must not be reused.
    pub lost: u32,
    /// Most I/Os that were in flight at once.
    pub in_flight_max: u32,
    /// I/Os that were in flight at the end of the last interval, those that were lost included.
    pub straddlers: Vec<Straddler>,
}

impl Driven {
    /// The end of a worker that did not come back itself, with up to `lost` I/Os.
    pub fn abandoned(lost: u32) -> Self {
        Self { errors: ErrorLog::new(0), lost, in_flight_max: lost, straddlers: Vec::new() }
    }
}

/// Issues the I/Os that `sources` draw on `backend` until `watch` stops it, then drains.
///
/// # Panics
/// When there is not one source for each of the worker's streams.
pub fn drive<B: Backend, S: Source, W: Watch>(
    backend: &mut B,
    duty: &WorkerTask<'_>,
    sources: Vec<S>,
    watch: &mut W,
) -> Driven {
    let lanes = Lanes::new(duty.worker, sources, duty.epoch);
    let mut round = Round {
        done: Vec::with_capacity(duty.worker.slot_count() as usize),
        recorder: Recorder::new(duty.worker.targets(), Direction::ALL.len()),
        errors: ErrorLog::new(duty.errors_max),
        lanes,
        epoch: duty.epoch,
        interval: duty.timing.interval,
        interval_start: duty.epoch,
    };
    let mut now = backend.now();
    while round.measure(backend, watch, &mut now) == Flow::Continue {}
    let lost = round.drain(backend, now + duty.timing.drain_max);
    Driven {
        lost,
        in_flight_max: round.lanes.in_flight_max(),
        straddlers: round.recorder.take_straddlers(),
        errors: round.errors,
    }
}

/// The state of the loop.
struct Round<S> {
    lanes: Lanes<S>,
    recorder: Recorder,
    errors: ErrorLog,
    done: Vec<Completion>,
    epoch: Nanos,
    interval: Nanos,
    interval_start: Nanos,
}

impl<S: Source> Round<S> {
    #[inline]
    fn interval_end(&self) -> Nanos {
        self.interval_start + self.interval
    }

    /// Issues what is due, waits, records what completed.
    #[inline]
    fn measure<B: Backend, W: Watch>(
        &mut self,
        backend: &mut B,
        watch: &mut W,
        now: &mut Nanos,
    ) -> Flow {
        if self.lanes.issue(*now, backend) {
            *now = backend.now();
            self.lanes.stamp(*now);
        }
        self.wait(backend);
        *now = match self.done.last() {
            Some(last) => last.at,
            None => backend.now(),
        };
        self.record(watch).and_then(|| self.close_until(*now, watch))
    }

    /// Waits for completions, for the next I/O that is due, or for the end of the interval. That end
    /// may be noticed late: completions are counted where they belong, by their times.
    #[inline]
    fn wait<B: Backend>(&mut self, backend: &mut B) {
        let due = self.lanes.next_due();
        if due.since(self.interval_end()) >= DEADLINE_SLACK {
            backend.wait_coarse(self.interval_end(), &mut self.done);
        } else {
            backend.wait(self.interval_end().min(due), &mut self.done);
        }
    }

    /// Records the completions in the order of their times.
    #[inline]
    fn record<W: Watch>(&mut self, watch: &mut W) -> Flow {
        let done = std::mem::take(&mut self.done);
        let mut flow = Flow::Continue;
        for completion in &done {
            if completion.at >= self.interval_end() {
                flow = flow.and_then(|| self.close_until(completion.at, watch));
            }
            self.complete(completion);
        }
        self.done = done;
        self.done.clear();
        if self.errors.exceeded() { Flow::Stop } else { flow }
    }

    /// Counts one completion and frees its slot.
    #[inline]
    fn complete(&mut self, completion: &Completion) {
        let slot = self.lanes.release(completion.slot);
        let target = self.lanes.target(&slot);
        let (direction, bytes) = slot.transfer.parts();
        if slot.start() < self.interval_start {
            self.note(&slot, completion.at, Fate::Returned);
        }
        if completion.result == bytes as i32 {
            let start = slot.start();
            let latency = completion.at.since(start);
            let lag = slot.submitted.since(start);
            let class = direction.index();
            self.recorder.complete(Completed { target, class, bytes, latency, lag });
        } else {
            self.recorder.fail(target);
            self.errors.add(slot.fault(target, completion.result));
        }
    }

    /// Notes an I/O that was in flight at the start of the interval.
    #[cold]
    fn note(&mut self, slot: &Slot, at: Nanos, fate: Fate) {
        let start = slot.start();
        self.recorder.note(Straddler {
            target: self.lanes.target(slot),
            class: slot.transfer.parts().0.index(),
            start: start.since(self.epoch),
            latency: at.since(start),
            fate,
        });
    }

    /// Closes every interval that ends at or before `now`.
    fn close_until<W: Watch>(&mut self, now: Nanos, watch: &mut W) -> Flow {
        let mut flow = Flow::Continue;
        while now >= self.interval_end() && flow == Flow::Continue {
            flow = watch.interval(self.recorder.close());
            self.interval_start = self.interval_end();
            self.recorder.expect(self.lanes.in_flight());
        }
        flow
    }

    /// Waits for what is in flight; returns how many I/Os did not come back in time.
    fn drain<B: Backend>(&mut self, backend: &mut B, give_up: Nanos) -> u32 {
        while self.lanes.in_flight() > 0 && backend.now() < give_up {
            backend.wait(give_up, &mut self.done);
            for completion in std::mem::take(&mut self.done) {
                let slot = self.lanes.release(completion.slot);
                self.note(&slot, completion.at, Fate::Returned);
                if completion.result != slot.transfer.parts().1 as i32 {
                    self.errors.add(slot.fault(self.lanes.target(&slot), completion.result));
                }
            }
        }
        let now = backend.now();
        for slot in self.lanes.busy() {
            self.note(&slot, now, Fate::Lost);
        }
        self.lanes.in_flight()
    }
}

impl Flow {
    /// What `next` says, unless this says stop already.
    #[inline]
    fn and_then(self, next: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Continue => next(),
            Self::Stop => Self::Stop,
        }
    }
}
