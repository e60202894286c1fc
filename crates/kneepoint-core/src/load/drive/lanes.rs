//! Lanes: streams with their free slots and the time from which they may issue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand_core::Rng as _;

use super::errors::IoFault;
use crate::load::backend::{Backend, Direction, FLUSH_CLASS, Flush, Io, OFFSET_BITS, TRIM_CLASS};
use crate::load::stream::{Source, StreamHabits, StreamPlan, WorkerPlan};
use crate::plan::Arrivals;
use crate::words::seed::{self, Rng};
use crate::words::units::Nanos;

/// A stream on its way through the loop.
#[derive(Debug)]
struct Lane<S> {
    source: S,
    target: u32,
    /// The target and the first response class under which its I/Os are recorded.
    seat: (u32, usize),
    /// Slots that carry no I/O.
    free: Vec<u32>,
    /// Slots that the load does not use.
    spare: Vec<u32>,
    /// I/Os in flight beyond the load, which are not replaced.
    excess: u32,
    /// Most I/Os in flight.
    slots: u32,
    pace: Pace,
    /// Flushes and pauses between its I/Os.
    habits: StreamHabits,
    /// Writes that have completed since the last flush.
    unflushed: u32,
    /// Whether the lane is in `Lanes::touched` or in `Lanes::waiting` already.
    queued: bool,
}

impl<S> Lane<S> {
    /// Lets `slots` I/Os be in flight from now on; gives how many slots it lacks for that.
    fn resize(&mut self, slots: u32) -> u32 {
        let fewer = self.slots.saturating_sub(slots);
        let free = (self.free.len() as u32).min(fewer);
        self.spare.extend(self.free.drain(..free as usize));
        self.excess += fewer - free;
        // Slots come back while I/Os are driven: there is room for all of them now.
        self.spare.reserve(self.excess as usize);
        let more = slots.saturating_sub(self.slots);
        let kept = self.excess.min(more);
        self.excess -= kept;
        let spare = (self.spare.len() as u32).min(more - kept);
        self.free.extend(self.spare.drain(..spare as usize));
        self.slots = slots;
        more - kept - spare
    }
}

/// All lanes of one worker.
#[derive(Debug)]
pub(super) struct Lanes<S> {
    lanes: Vec<Lane<S>>,
    slots: Vec<Slot>,
    /// Lanes that may have something to issue now.
    touched: Vec<u32>,
    /// Lanes that have free slots but are not due yet.
    waiting: BinaryHeap<Reverse<(Nanos, u32)>>,
    /// Slots whose next I/O waits for a flush that was not issued yet.
    flushing: Vec<u32>,
    /// Slots that pause, and until when.
    thinking: BinaryHeap<Reverse<(Nanos, u32)>>,
    /// Slots filled since the last stamp.
    fresh: Vec<u32>,
    in_flight: u32,
    in_flight_max: u32,
}

impl<S: Source> Lanes<S> {
    /// The lanes of `worker`, one per source, all due at `epoch`.
    pub(super) fn new(worker: &WorkerPlan, sources: Vec<S>, epoch: Nanos) -> Self {
        assert_eq!(worker.streams.len(), sources.len(), "every stream has a source");
        let slot_count = worker.slot_count() as usize;
        let mut slots = Vec::with_capacity(slot_count);
        let mut lanes = Vec::with_capacity(sources.len());
        for (plan, source) in worker.streams.iter().zip(sources) {
            let first = slots.len() as u32;
            let unused = Slot::unused(lanes.len() as u32);
            slots.resize(slots.len() + plan.slots as usize, unused);
            let free = (first..first + plan.slots).rev().collect();
            let pace = Pace::new(plan, epoch);
            lanes.push(Lane {
                habits: source.habits(),
                unflushed: 0,
                source,
                target: plan.target,
                seat: (plan.seat.number, plan.seat.first_class as usize),
                free,
                spare: Vec::new(),
                excess: 0,
                slots: plan.slots,
                pace,
                queued: true,
            });
        }
        Self {
            touched: (0..lanes.len() as u32).rev().collect(),
            waiting: BinaryHeap::with_capacity(lanes.len()),
            fresh: Vec::with_capacity(slot_count),
            flushing: Vec::with_capacity(slot_count),
            thinking: BinaryHeap::with_capacity(slot_count),
            lanes,
            slots,
            in_flight: 0,
            in_flight_max: 0,
        }
    }

    /// Takes the load of `worker`, which has the same streams, from `now` on. What is in flight stays
    /// there.
    pub(super) fn change(&mut self, worker: &WorkerPlan, now: Nanos) {
        assert_eq!(worker.streams.len(), self.lanes.len(), "every lane has a stream");
        for (index, plan) in worker.streams.iter().enumerate() {
            let lane = &mut self.lanes[index];
            let missing = lane.resize(plan.slots);
            let first = self.slots.len() as u32;
            lane.free.extend(first..first + missing);
            lane.free.reserve((plan.slots as usize).saturating_sub(lane.free.len()));
            self.slots.resize((first + missing) as usize, Slot::unused(index as u32));
            lane.pace.change(plan, now);
            lane.queued = true;
        }
        self.waiting.clear();
        self.touched.clear();
        self.touched.extend((0..self.lanes.len() as u32).rev());
        self.fresh.reserve(self.slots.len());
        self.flushing.reserve(self.slots.len());
        self.thinking.reserve(self.slots.len());
        self.in_flight_max = self.in_flight;
    }

    /// Hands every I/O that is due at `now` to the backend; says whether there was any.
    #[inline]
    pub(super) fn issue<B: Backend>(&mut self, now: Nanos, backend: &mut B) -> bool {
        if !self.flushing.is_empty() {
            self.issue_flushes(backend);
        }
        self.wake(now);
        while let Some(lane) = self.touched.pop() {
            self.issue_lane(lane, now, backend);
        }
        self.in_flight_max = self.in_flight_max.max(self.in_flight);
        !self.fresh.is_empty()
    }

    /// Hands every flush that is due to the backend.
    #[inline]
    fn issue_flushes<B: Backend>(&mut self, backend: &mut B) {
        while let Some(slot) = self.flushing.pop() {
            let state = &mut self.slots[slot as usize];
            state.transfer = Transfer::FLUSH;
            state.offset = 0;
            state.intended = Nanos::MAX;
            let target = self.lanes[state.lane as usize].target;
            self.fresh.push(slot);
            self.in_flight += 1;
            backend.flush(Flush { slot, target });
        }
    }

    /// Gives slots whose pause is over back, and moves lanes whose time has come from `waiting` to `touched`.
    #[inline]
    fn wake(&mut self, now: Nanos) {
        while let Some(Reverse((until, slot))) = self.thinking.peek().copied() {
            if until > now {
                break;
            }
            self.thinking.pop();
            self.give_back(slot);
        }
        while let Some(Reverse((due, lane))) = self.waiting.peek().copied() {
            if due > now {
                return;
            }
            self.waiting.pop();
            self.touched.push(lane);
        }
    }

    /// Fills the free slots of a lane as far as it is due.
    #[inline]
    fn issue_lane<B: Backend>(&mut self, index: u32, now: Nanos, backend: &mut B) {
        let lane = &mut self.lanes[index as usize];
        lane.queued = false;
        while lane.pace.due() <= now {
            let Some(slot) = lane.free.pop() else { return };
            let drawn = lane.source.draw();
            let state = &mut self.slots[slot as usize];
            state.transfer = Transfer::new(drawn.direction, drawn.bytes);
            state.offset = drawn.offset | drawn.content.mark();
            state.intended = lane.pace.issued(now, drawn.delay).unwrap_or(Nanos::MAX);
            self.fresh.push(slot);
            self.in_flight += 1;
            backend.submit(Io {
                slot,
                target: lane.target,
                direction: drawn.direction,
                offset: drawn.offset,
                bytes: drawn.bytes,
                content: drawn.content,
            });
        }
        if !lane.free.is_empty() {
            lane.queued = true;
            self.waiting.push(Reverse((lane.pace.due(), index)));
        }
    }

    /// Notes `now` as the submission of every I/O handed out since the last stamp.
    #[inline]
    pub(super) fn stamp(&mut self, now: Nanos) {
        for slot in self.fresh.drain(..) {
            self.slots[slot as usize].submitted = now;
        }
    }

    /// When the next waiting lane is due; `Nanos::MAX` where none waits.
    #[inline]
    pub(super) fn next_due(&self) -> Nanos {
        let lane = self.waiting.peek().map_or(Nanos::MAX, |Reverse((due, _))| *due);
        self.thinking.peek().map_or(lane, |Reverse((until, _))| lane.min(*until))
    }

    /// Takes an I/O that completed at `at` out of its slot.
    #[inline]
    pub(super) fn release(&mut self, slot: u32, at: Nanos) -> Slot {
        let state = self.slots[slot as usize];
        let lane = &mut self.lanes[state.lane as usize];
        self.in_flight -= 1;
        if lane.excess == 0
            && let Some(every) = lane.habits.flush_every
            && state.transfer.is_write()
        {
            lane.unflushed += 1;
            if lane.unflushed >= every.get() {
                lane.unflushed = 0;
                self.flushing.push(slot);
                return state;
            }
        }
        match lane.habits.think {
            Nanos::ZERO => self.give_back(slot),
            think => self.thinking.push(Reverse((at + think, slot))),
        }
        state
    }

    /// Lets `slot` carry the next I/O, if the load still uses it.
    #[inline]
    fn give_back(&mut self, slot: u32) {
        let index = self.slots[slot as usize].lane;
        let lane = &mut self.lanes[index as usize];
        if lane.excess > 0 {
            lane.excess -= 1;
            lane.spare.push(slot);
            return;
        }
        lane.free.push(slot);
        if !lane.queued {
            lane.queued = true;
            self.touched.push(index);
        }
    }

    /// The target and the first response class under which the I/O of `slot` is recorded.
    #[inline]
    pub(super) fn seat(&self, slot: &Slot) -> (u32, usize) {
        self.lanes[slot.lane as usize].seat
    }

    /// The slots whose I/Os are in flight.
    pub(super) fn busy(&self) -> Vec<Slot> {
        let mut is_busy = vec![true; self.slots.len()];
        let idle = self.lanes.iter().flat_map(|lane| lane.free.iter().chain(&lane.spare));
        let thinking = self.thinking.iter().map(|Reverse((_, slot))| slot);
        for slot in idle.chain(&self.flushing).chain(thinking) {
            is_busy[*slot as usize] = false;
        }
        self.slots
            .iter()
            .zip(is_busy)
            .filter(|(_, is_busy)| *is_busy)
            .map(|(slot, _)| *slot)
            .collect()
    }

    pub(super) const fn in_flight(&self) -> u32 {
        self.in_flight
    }

    pub(super) const fn in_flight_max(&self) -> u32 {
        self.in_flight_max
    }
}

/// The pace of one lane.
#[derive(Debug, Clone)]
enum Pace {
    /// Closed loop: at once, or after the delay that ends a burst.
    Closed {
        /// Earliest time of the next I/O.
        due: Nanos,
    },
    /// Open loop: at the next arrival, however late the loop gets to it.
    Open(ArrivalProcess),
}

impl Pace {
    /// The pace of `plan`, from `epoch` on.
    pub(super) fn new(plan: &StreamPlan, epoch: Nanos) -> Self {
        match plan.arrivals {
            None => Self::Closed { due: epoch },
            Some(arrivals) => {
                let rng = seed::rng(seed::derive(plan.seed, "arrivals", 0));
                let gap_ns_mean = 1e9 / arrivals.rate_per_s;
                let next_ns = epoch.0 as f64;
                let spacing = arrivals.spacing;
                let mut process = ArrivalProcess { rng, spacing, gap_ns_mean, next_ns };
                process.begin();
                Self::Open(process)
            }
        }
    }

    /// Goes on at the rate of `plan` from `now` on.
    fn change(&mut self, plan: &StreamPlan, now: Nanos) {
        if let (Self::Open(process), Some(arrivals)) = (self, plan.arrivals) {
            process.gap_ns_mean = 1e9 / arrivals.rate_per_s;
            process.spacing = arrivals.spacing;
            process.next_ns = now.0 as f64;
            process.begin();
        }
    }

    /// Earliest time of the next I/O; in an open loop, the time of the oldest arrival that was
    /// not issued yet.
    #[inline]
    pub(super) fn due(&self) -> Nanos {
        match self {
            Self::Closed { due } => *due,
            Self::Open(process) => Nanos(process.next_ns as u64),
        }
    }

    /// Moves on after an I/O was issued at `now`; `delay` is the pause that its burst ends with, or of recorded
    /// arrivals the time to the next one at one I/O per second.
    ///
    /// Returns the time that the I/O's response time runs from: its arrival in an open loop;
    /// `None` in a closed one, where it runs from the submission.
    #[inline]
    pub(super) fn issued(&mut self, now: Nanos, delay: Nanos) -> Option<Nanos> {
        match self {
            Self::Closed { due } => {
                if delay > Nanos::ZERO {
                    *due = now + delay;
                }
                None
            }
            Self::Open(process) => {
                let intended = Nanos(process.next_ns as u64);
                process.advance(delay);
                Some(intended)
            }
        }
    }
}

/// The arrivals of an open loop. The backlog needs no memory: it is every arrival between
/// `next_ns` and now.
#[derive(Debug, Clone)]
struct ArrivalProcess {
    rng: Rng,
    spacing: Arrivals,
    gap_ns_mean: f64,
    /// The next arrival on the backend's clock; a fraction of a nanosecond is kept so that rates
    /// hold over hours (2^53 ns are 104 days).
    next_ns: f64,
}

impl ArrivalProcess {
    /// The first arrival; recorded ones begin at once.
    fn begin(&mut self) {
        self.advance(Nanos::ZERO);
    }

    #[inline]
    fn advance(&mut self, recorded: Nanos) {
        let gap = match self.spacing {
            Arrivals::Constant => 1.0,
            Arrivals::Exponential => {
                let unit = ((self.rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
                -libm::log(unit)
            }
            Arrivals::Recorded => recorded.0 as f64 * 1e-9,
        };
        self.next_ns += gap * self.gap_ns_mean;
    }
}

/// An I/O in flight: half a cache line, for the system call between submission and completion
/// leaves little of it in the cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// When it was handed to the backend.
    pub(super) submitted: Nanos,
    /// Open loop: when it was to be issued, never later than it was. [`Nanos::MAX`] in a closed
    /// loop.
    intended: Nanos,
    /// First byte.
    pub(super) offset: u64,
    pub(super) transfer: Transfer,
    /// Index of its lane.
    pub(super) lane: u32,
}

impl Slot {
    /// A slot of `lane` without an I/O.
    const fn unused(lane: u32) -> Self {
        let transfer = Transfer(0);
        Self { submitted: Nanos::ZERO, intended: Nanos::MAX, offset: 0, transfer, lane }
    }

    /// What its response time runs from: the time at which it was to be issued, where there is
    /// one, or that of its submission.
    #[inline]
    pub(super) fn start(&self) -> Nanos {
        self.intended.min(self.submitted)
    }

    /// How it failed.
    #[cold]
    pub(super) fn fault(&self, target: u32, result: i32) -> IoFault {
        let (direction, bytes) = (self.transfer.direction(), self.transfer.bytes());
        IoFault { target, direction, offset: self.offset & OFFSET_MASK, bytes, result }
    }

    /// Index of its response class.
    #[inline]
    pub(super) const fn class(&self) -> usize {
        match self.offset >> OFFSET_BITS {
            0 => self.transfer.class(),
            mark => TRIM_CLASS - 1 + mark as usize,
        }
    }
}

/// The bits of an offset without its mark.
const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;

/// A length and a direction in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer(u32);

impl Transfer {
    /// Set for a write; what an I/O moved comes back as a signed number, so no length needs it.
    const WRITE: u32 = 1 << 31;

    /// A transfer of `bytes`, above zero and less than 2 GiB.
    #[inline]
    pub(super) const fn new(direction: Direction, bytes: u32) -> Self {
        debug_assert!(bytes < Self::WRITE, "the length of an I/O is below 2 GiB");
        match direction {
            Direction::Read => Self(bytes),
            Direction::Write => Self(bytes | Self::WRITE),
        }
    }

    /// A flush: a write of nothing.
    pub(super) const FLUSH: Self = Self(Self::WRITE);

    /// The length in bytes.
    #[inline]
    pub(super) const fn bytes(self) -> u32 {
        self.0 & !Self::WRITE
    }

    /// The direction; a flush counts as a write.
    #[inline]
    const fn direction(self) -> Direction {
        match self.0 & Self::WRITE {
            0 => Direction::Read,
            _ => Direction::Write,
        }
    }

    /// Whether it writes, and is no flush.
    #[inline]
    const fn is_write(self) -> bool {
        self.0 > Self::WRITE
    }

    /// Index of its response class if it carries data.
    #[inline]
    const fn class(self) -> usize {
        match self {
            Self::FLUSH => FLUSH_CLASS,
            transfer => transfer.direction().index(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::backend::Content;
    use crate::load::stream::ArrivalPlan;

    /// The gaps between the first `count` arrivals, in means.
    fn gaps(spacing: Arrivals, count: usize) -> Vec<f64> {
        let plan = StreamPlan {
            seat: crate::load::stream::Seat::alone(0),
            number: 0,
            target: 0,
            size_bytes: 1 << 20,
            share: 0,
            share_count: 1,
            slots: 1,
            arrivals: Some(ArrivalPlan { rate_per_s: 20_000.0, spacing }),
            seed: 5,
        };
        let mut pace = Pace::new(&plan, Nanos::from_secs(1));
        let times: Vec<u64> = (0..=count)
            .map(|_| pace.issued(Nanos::ZERO, Nanos::ZERO).expect("an open loop").0)
            .collect();
        times.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 50_000.0).collect()
    }

    #[test]
    fn constant_arrivals_are_evenly_spaced() {
        assert!(gaps(Arrivals::Constant, 1000).iter().all(|gap| (gap - 1.0).abs() < 1e-4));
    }

    #[test]
    fn exponential_arrivals_pass_a_chi_square_test() {
        // 20 cells of equal probability: the bounds are quantiles of the exponential
        // distribution. The 99.9 % quantile of chi-square with 19 degrees of freedom is 43.8.
        let gaps = gaps(Arrivals::Exponential, 100_000);
        let mut cells = [0u32; 20];
        for gap in &gaps {
            cells[((1.0 - libm::exp(-gap)) * 20.0).min(19.0) as usize] += 1;
        }
        let expected = gaps.len() as f64 / 20.0;
        let off = |cell: &u32| f64::from(*cell) - expected;
        let statistic: f64 = cells.iter().map(|cell| off(cell) * off(cell) / expected).sum();
        assert!(statistic < 43.8, "{statistic}");
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
    }

    #[test]
    fn a_slot_is_half_a_cache_line() {
        assert_eq!(size_of::<Slot>(), 32);
    }

    #[test]
    fn a_transfer_gives_back_what_it_was_made_of() {
        for bytes in [1, 4096, (1 << 31) - 1] {
            for direction in Direction::ALL {
                let transfer = Transfer::new(direction, bytes);
                assert_eq!((transfer.direction(), transfer.bytes()), (direction, bytes));
                assert_eq!(transfer.class(), direction.index());
                assert_eq!(transfer.is_write(), direction == Direction::Write);
            }
        }
        assert_eq!((Transfer::FLUSH.bytes(), Transfer::FLUSH.class()), (0, FLUSH_CLASS));
        assert!(!Transfer::FLUSH.is_write());
    }

    #[test]
    fn writes_without_data_have_classes_of_their_own() {
        let offset = 1 << 40;
        let of = |content: Content| {
            let transfer = Transfer::new(Direction::Write, 4096);
            let slot = Slot { transfer, offset: offset | content.mark(), ..Slot::unused(0) };
            let fault = slot.fault(0, -5);
            assert_eq!((fault.offset, fault.bytes), (offset, 4096));
            slot.class()
        };
        assert_eq!(of(Content::Unique(u64::MAX)), Direction::Write.index());
        assert_eq!(of(Content::Duplicate(7)), Direction::Write.index());
        assert_eq!((of(Content::Trim), of(Content::Zeroes)), (2, 3));
        let flush = Slot { transfer: Transfer::FLUSH, ..Slot::unused(0) };
        assert_eq!(flush.class(), FLUSH_CLASS);
    }

    #[test]
    fn response_times_run_from_the_arrival_or_from_the_submission() {
        let closed = Slot { submitted: Nanos(7), ..Slot::unused(0) };
        assert_eq!(closed.start(), Nanos(7));
        let open = Slot { intended: Nanos(5), ..closed };
        assert_eq!(open.start(), Nanos(5));
    }
}
