//! The only I/O loop: it drives a disk, a null device and a simulated system alike.
//!
//! The axes are composed, not multiplied: pacing, offsets, mix and data belong to the lanes, the
//! end of the point to the [`Watch`], the I/O to the [`Backend`]. One round of the loop is
//!
//! 1. hand every I/O that is due to the backend and note the time once for all of them,
//! 2. let the backend send them and wait for completions or for the next thing that is due,
//! 3. record the completions and give their slots back.
//!
//! Once as many writes of a stream have completed as it makes durable together, a flush goes out in the
//! place of the last of them: the next I/O of that place waits for it, and it is in flight like any other.
//! It is neither paced nor counted among the I/Os.
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

pub use errors::{ErrorLog, IoFault, WRONG_DATA};

use crate::load::backend::{
    Backend, Completion, DEADLINE_SLACK, Direction, FLUSH_CLASS, TRIM_CLASS,
};
use crate::load::record::interval::{IntervalRecord, Shape};
use crate::load::record::recorder::{Completed, Fate, Recorder, Straddler};
use crate::load::stream::{Source, StreamHabits, WorkerPlan};
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
    let mut driver = Driver::new(duty, sources);
    driver.run(backend, watch);
    driver.drain(backend)
}

/// The loop with what it has in flight. It can be told another load between two runs: what is in
/// flight then stays there, a higher load fills up, a lower one lets I/Os come back without issuing
/// the next.
#[derive(Debug)]
pub struct Driver<S> {
    round: Round<S>,
    errors_max: u64,
    drain_max: Nanos,
}

impl<S: Source> Driver<S> {
    /// A loop with nothing in flight.
    ///
    /// # Panics
    /// When there is not one source for each of the worker's streams.
    pub fn new(task: &WorkerTask<'_>, sources: Vec<S>) -> Self {
        let seats = task.worker.seats();
        let has =
            |habit: fn(StreamHabits) -> bool| sources.iter().any(|source| habit(source.habits()));
        let (classes, uncounted) = match task.worker.classes {
            Some(of_all) => (of_all as usize, 0),
            None if has(|habits| habits.flush_every.is_some()) => (FLUSH_CLASS + 1, 1),
            None if has(|habits| habits.writes_without_data) => (TRIM_CLASS + 2, 0),
            None => (Direction::ALL.len(), 0),
        };
        let shape = Shape { targets: seats.len(), classes, uncounted };
        let round = Round {
            done: Vec::with_capacity(task.worker.slot_count() as usize),
            recorder: Recorder::of_shape(seats.start, shape),
            errors: ErrorLog::new(task.errors_max),
            lanes: Lanes::new(task.worker, sources, task.epoch),
            epoch: task.epoch,
            interval: task.timing.interval,
            interval_start: task.epoch,
        };
        Self { round, errors_max: task.errors_max, drain_max: task.timing.drain_max }
    }

    /// Goes on with the load, the timing and the epoch of `task`, whose worker has the same streams.
    /// Arrivals of an open loop that were not issued yet are forgotten.
    ///
    /// # Panics
    /// When it has not as many streams.
    pub fn change(&mut self, task: &WorkerTask<'_>) {
        let round = &mut self.round;
        round.lanes.change(task.worker, task.epoch);
        round.done.reserve(task.worker.slot_count() as usize);
        if task.epoch > round.interval_start {
            // What completed since the last interval belongs to neither load.
            round.recorder.close();
        }
        round.recorder.restart(round.lanes.in_flight());
        round.epoch = task.epoch;
        round.interval = task.timing.interval;
        round.interval_start = task.epoch;
        self.errors_max = task.errors_max;
        self.drain_max = task.timing.drain_max;
        round.errors.allow(task.errors_max);
    }

    /// Issues I/Os on `backend` until `watch` stops it, or more of them have failed than the task
    /// allows ([`Self::is_exhausted`]). What is in flight stays there.
    pub fn run<B: Backend, W: Watch>(&mut self, backend: &mut B, watch: &mut W) {
        let mut now = backend.now();
        while self.round.measure(backend, watch, &mut now) == Flow::Continue {}
    }

    /// Whether more I/Os have failed than the task allows.
    pub const fn is_exhausted(&self) -> bool {
        self.round.errors.exceeded()
    }

    /// The I/Os in flight, as they are at `now`.
    pub fn in_flight(&self, now: Nanos) -> Vec<Straddler> {
        let slots = self.round.lanes.busy();
        slots.iter().map(|slot| self.round.straddler(slot, now, Fate::Lost)).collect()
    }

    /// How the part that ends at `now` went, with what is in flight still there; the count of failed I/Os
    /// begins again.
    pub fn pause(&mut self, now: Nanos) -> Driven {
        let in_flight = self.in_flight(now);
        let round = &mut self.round;
        Driven {
            lost: 0,
            in_flight_max: round.lanes.in_flight_max(),
            straddlers: [round.recorder.take_straddlers(), in_flight].concat(),
            errors: std::mem::replace(&mut round.errors, ErrorLog::new(self.errors_max)),
        }
    }

    /// Waits for what is in flight, at most for as long as the timing of the task says.
    pub fn drain<B: Backend>(mut self, backend: &mut B) -> Driven {
        let lost = self.round.drain(backend, backend.now() + self.drain_max);
        Driven {
            lost,
            in_flight_max: self.round.lanes.in_flight_max(),
            straddlers: self.round.recorder.take_straddlers(),
            errors: self.round.errors,
        }
    }
}

/// The state of the loop.
#[derive(Debug)]
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
        let slot = self.lanes.release(completion.slot, completion.at);
        let (target, first_class) = self.lanes.seat(&slot);
        let bytes = slot.transfer.bytes();
        if slot.start() < self.interval_start {
            self.note(&slot, completion.at, Fate::Returned);
        }
        if completion.result == bytes as i32 {
            let start = slot.start();
            let latency = completion.at.since(start);
            let lag = slot.submitted.since(start);
            let class = first_class + slot.class();
            self.recorder.complete(Completed { target, class, bytes, latency, lag });
        } else {
            self.recorder.fail(target);
            self.errors.add(slot.fault(target, completion.result));
        }
    }

    /// Notes an I/O that was in flight at the start of the interval.
    #[cold]
    fn note(&mut self, slot: &Slot, at: Nanos, fate: Fate) {
        let straddler = self.straddler(slot, at, fate);
        self.recorder.note(straddler);
    }

    /// The I/O of `slot`, which ended at `at` or was looked at then.
    fn straddler(&self, slot: &Slot, at: Nanos, fate: Fate) -> Straddler {
        let (target, first_class) = self.lanes.seat(slot);
        Straddler {
            target,
            class: first_class + slot.class(),
            end: at.since(self.epoch),
            latency: at.since(slot.start()),
            fate,
        }
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
                let slot = self.lanes.release(completion.slot, completion.at);
                self.note(&slot, completion.at, Fate::Returned);
                if completion.result != slot.transfer.bytes() as i32 {
                    let (target, _) = self.lanes.seat(&slot);
                    self.errors.add(slot.fault(target, completion.result));
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
