//! Lanes: streams with their free slots and the time from which they may issue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pacing::Pace;
use super::slot::{Slot, Transfer};
use crate::load::backend::{Backend, Io};
use crate::load::stream::{Source, WorkerPlan};
use crate::words::units::Nanos;

/// A stream on its way through the loop.
#[derive(Debug)]
struct Lane<S> {
    source: S,
    target: u32,
    /// Slots that carry no I/O.
    free: Vec<u32>,
    pace: Pace,
    /// Whether the lane is in `Lanes::touched` or in `Lanes::waiting` already.
    queued: bool,
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
            lanes.push(Lane { source, target: plan.target, free, pace, queued: true });
        }
        Self {
            touched: (0..lanes.len() as u32).rev().collect(),
            waiting: BinaryHeap::with_capacity(lanes.len()),
            fresh: Vec::with_capacity(slot_count),
            lanes,
            slots,
            in_flight: 0,
            in_flight_max: 0,
        }
    }

    /// Hands every I/O that is due at `now` to the backend; says whether there was any.
    #[inline]
    pub(super) fn issue<B: Backend>(&mut self, now: Nanos, backend: &mut B) -> bool {
        self.wake(now);
        while let Some(lane) = self.touched.pop() {
            self.issue_lane(lane, now, backend);
        }
        self.in_flight_max = self.in_flight_max.max(self.in_flight);
        !self.fresh.is_empty()
    }

    /// Moves lanes whose time has come from `waiting` to `touched`.
    #[inline]
    fn wake(&mut self, now: Nanos) {
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
            state.offset = drawn.offset;
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
        self.waiting.peek().map_or(Nanos::MAX, |Reverse((due, _))| *due)
    }

    /// Takes a completed I/O out of its slot.
    #[inline]
    pub(super) fn release(&mut self, slot: u32) -> Slot {
        let state = self.slots[slot as usize];
        let lane = &mut self.lanes[state.lane as usize];
        lane.free.push(slot);
        if !lane.queued {
            lane.queued = true;
            self.touched.push(state.lane);
        }
        self.in_flight -= 1;
        state
    }

    /// Index of the target that the I/O of `slot` goes to.
    #[inline]
    pub(super) fn target(&self, slot: &Slot) -> u32 {
        self.lanes[slot.lane as usize].target
    }

    /// The slots whose I/Os are in flight.
    pub(super) fn busy(&self) -> Vec<Slot> {
        let mut is_busy = vec![true; self.slots.len()];
        for slot in self.lanes.iter().flat_map(|lane| &lane.free) {
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
