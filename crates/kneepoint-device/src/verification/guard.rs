//! A backend that verifies: it keeps the ledgers of what another one writes, and looks at what that reads.

use kneepoint_core::load::backend::{Backend, Completion, Content, Direction, Flush, Io};
use kneepoint_core::load::drive::WRONG_DATA;
use kneepoint_core::words::units::Nanos;

use super::Ledgers;
use super::ledger::{UnitState, WriteEnd};
use super::sector::{SECTOR, WrongSector, look, tell_torn};
use crate::buffer::{Buffers, ReadSample};
use crate::engine::WorkerBackend;

/// Verifies what goes through `inner`. Nothing is allocated per I/O unless data is wrong.
pub(crate) struct Verifying<B> {
    inner: B,
    ledgers: Ledgers,
    /// By slot.
    in_flight: Vec<InFlight>,
    /// Of every slot the states that the units of its read had when it was issued.
    states: Vec<UnitState>,
    /// States of a slot, at the most.
    states_per_slot: usize,
}

/// An I/O in flight.
#[derive(Debug, Clone, Copy)]
struct InFlight {
    direction: Direction,
    target: u32,
    offset: u64,
    bytes: u32,
    /// Of a write.
    generation: u64,
}

impl InFlight {
    /// Neither reads nor writes.
    const fn nothing(target: u32) -> Self {
        Self { direction: Direction::Read, target, offset: 0, bytes: 0, generation: 0 }
    }
}

impl<B: WorkerBackend> Verifying<B> {
    /// Verifies the I/O of `inner`, which has up to `slots` of up to `block_bytes_max` in flight.
    pub(crate) fn new(
        mut inner: B,
        ledgers: &Ledgers,
        (slots, block_bytes_max): (u32, u64),
    ) -> Self {
        let identities = ledgers.iter().map(|ledger| ledger.identity).collect();
        if let Some(buffers) = inner.buffers() {
            buffers.stamp_sectors_of(identities);
        }
        let unit_min = ledgers.iter().map(|ledger| ledger.unit_sectors() * SECTOR).min();
        let states_per_slot = (block_bytes_max as usize).div_ceil(unit_min.unwrap_or(SECTOR));
        let unused = InFlight::nothing(0);
        Self {
            inner,
            ledgers: ledgers.clone(),
            in_flight: vec![unused; slots as usize],
            states: vec![UnitState(0); slots as usize * states_per_slot],
            states_per_slot,
        }
    }

    /// Settles what has completed.
    #[inline]
    fn settle(&mut self, done: &mut [Completion]) {
        for completion in done {
            let io = self.in_flight[completion.slot as usize];
            let is_whole = completion.result == io.bytes as i32;
            match io.direction {
                Direction::Write => {
                    let end = if is_whole { WriteEnd::Done } else { WriteEnd::Unknown };
                    let ledger = &self.ledgers[io.target as usize];
                    ledger.end_write(ledger.units(io.offset, io.bytes), (io.generation, end));
                }
                Direction::Read if is_whole => {
                    if let Some(wrong) = self.wrong(completion.slot, io) {
                        self.ledgers[io.target as usize].note(wrong);
                        completion.result = WRONG_DATA;
                    }
                }
                Direction::Read => {}
            }
        }
    }

    /// The wrong sectors that a read brought; nothing if there are none.
    #[inline]
    fn wrong(&mut self, slot: u32, io: InFlight) -> Option<Vec<WrongSector>> {
        let ledger = &self.ledgers[io.target as usize];
        let units = ledger.units(io.offset, io.bytes);
        let first = slot as usize * self.states_per_slot;
        let states = &self.states[first..first + units.len()];
        let unit_bytes = ledger.unit_sectors() * SECTOR;
        let data = self.inner.buffers()?.read_by(slot, io.bytes as usize);
        let offsets = (io.offset..).step_by(unit_bytes);
        let mut wrong = Vec::new();
        for (((unit, state), data), offset) in
            units.zip(states).zip(data.chunks_exact(unit_bytes)).zip(offsets)
        {
            let Some(expected) = ledger.expected(unit, *state) else { continue };
            for (sector, offset) in data.chunks_exact(SECTOR).zip((offset..).step_by(SECTOR)) {
                wrong.extend(look(sector, ledger.identity, (offset, expected)));
            }
        }
        if wrong.is_empty() {
            return None;
        }
        let settled = states.iter().filter_map(|state| state.settled());
        tell_torn(&mut wrong, settled, ledger.unit_sectors());
        Some(wrong)
    }
}

impl<B: WorkerBackend> WorkerBackend for Verifying<B> {
    fn change_load(&mut self, slots: u32) {
        self.inner.change_load(slots);
    }

    fn read_sample(&self) -> ReadSample {
        self.inner.read_sample()
    }

    fn buffers(&mut self) -> Option<&mut Buffers> {
        self.inner.buffers()
    }
}

impl<B: WorkerBackend> Backend for Verifying<B> {
    #[inline]
    fn now(&self) -> Nanos {
        self.inner.now()
    }

    #[inline]
    fn submit(&mut self, io: Io) {
        let Io { slot, target, direction, offset, bytes, .. } = io;
        let ledger = &self.ledgers[target as usize];
        let units = ledger.units(offset, bytes);
        let (content, generation) = match direction {
            Direction::Write => {
                let generation = ledger.begin_write(units);
                (Content::Unique(generation), generation)
            }
            Direction::Read => {
                let states = &mut self.states[slot as usize * self.states_per_slot..];
                for (state, unit) in states.iter_mut().zip(units) {
                    *state = ledger.state(unit);
                }
                (io.content, 0)
            }
        };
        self.in_flight[slot as usize] = InFlight { direction, target, offset, bytes, generation };
        self.inner.submit(Io { content, ..io });
    }

    #[inline]
    fn flush(&mut self, flush: Flush) {
        let Flush { slot, target } = flush;
        self.in_flight[slot as usize] = InFlight::nothing(target);
        self.inner.flush(flush);
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        let before = done.len();
        self.inner.wait(deadline, done);
        self.settle(&mut done[before..]);
    }

    #[inline]
    fn wait_coarse(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        let before = done.len();
        self.inner.wait_coarse(deadline, done);
        self.settle(&mut done[before..]);
    }
}
