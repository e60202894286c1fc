//! Registers for variables, by linear scan (Poletto and Sarkar 1999).

use super::lower::{Listing, Virtual};

/// Registers for variables; the machine has three more, for what is done in between.
pub(super) const REGISTERS: usize = 13;

/// Where a variable is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Register(u8),
    Slot(u16),
}

/// The places of all variables.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) of: Vec<Place>,
    pub(super) slots: usize,
}

/// A set of variables.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn insert(&mut self, variable: Virtual) {
        self.0[variable / 64] |= 1 << (variable % 64);
    }

    fn contains(&self, variable: Virtual) -> bool {
        self.0[variable / 64] >> (variable % 64) & 1 != 0
    }

    fn each(&self) -> impl Iterator<Item = Virtual> {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index * 64 + bit)
        })
    }
}

/// What a block needs from before, and what it makes.
#[derive(Debug)]
struct Flow {
    needed: Set,
    made: Set,
    live_in: Set,
}

/// Instructions from the first to the last at which a value is needed; each counts as two steps.
#[derive(Debug, Clone, Copy)]
struct Interval {
    variable: Virtual,
    start: usize,
    end: usize,
}

/// Gives each variable a place.
pub(super) fn allocate(listing: &Listing) -> Places {
    let mut places = Places { of: vec![Place::Slot(0); listing.variables], slots: 0 };
    let mut free: Vec<u8> = (0..REGISTERS as u8).rev().collect();
    // By ascending end.
    let mut active: Vec<(Interval, u8)> = Vec::new();
    for interval in intervals(listing) {
        let ended = active.partition_point(|(active, _)| active.end <= interval.start);
        free.extend(active.drain(..ended).map(|(_, register)| register));
        let register = free.pop().or_else(|| {
            let (last, register) =
                active.last().copied().filter(|(last, _)| last.end > interval.end)?;
            active.pop();
            places.of[last.variable] = places.slot();
            Some(register)
        });
        let Some(register) = register else {
            places.of[interval.variable] = places.slot();
            continue;
        };
        places.of[interval.variable] = Place::Register(register);
        let place = active.partition_point(|(active, _)| active.end <= interval.end);
        active.insert(place, (interval, register));
    }
    places
}

impl Places {
    fn slot(&mut self) -> Place {
        self.slots += 1;
        Place::Slot(self.slots as u16 - 1)
    }
}

/// The intervals of all variables that are used, by ascending start.
fn intervals(listing: &Listing) -> Vec<Interval> {
    let flows = flows(listing);
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; listing.variables];
    let mut cover = |variable: Virtual, step: usize| {
        let (start, end) = spans[variable].unwrap_or((step, step));
        spans[variable] = Some((start.min(step), end.max(step)));
    };
    for (block, flow) in flows.iter().enumerate() {
        let (first, after) = (listing.starts[block], listing.starts[block + 1]);
        flow.live_in.each().for_each(|variable| cover(variable, 2 * first));
        for next in listing.next(block) {
            flows[next].live_in.each().for_each(|variable| cover(variable, 2 * after - 1));
        }
        for (index, instruction) in listing.instructions[first..after].iter().enumerate() {
            let used = instruction.read().chain(instruction.written());
            used.for_each(|variable| cover(variable, 2 * (first + index)));
        }
    }
    let span = |(variable, span): (Virtual, Option<(usize, usize)>)| {
        span.map(|(start, end)| Interval { variable, start, end })
    };
    let mut intervals: Vec<Interval> = spans.into_iter().enumerate().filter_map(span).collect();
    intervals.sort_by_key(|interval| interval.start);
    intervals
}

/// What is live where each block begins.
fn flows(listing: &Listing) -> Vec<Flow> {
    let mut flows: Vec<Flow> = (0..listing.blocks()).map(|block| local(listing, block)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..flows.len()).rev() {
            let mut live = Set::new(listing.variables);
            for next in listing.next(block) {
                for (word, more) in live.0.iter_mut().zip(&flows[next].live_in.0) {
                    *word |= more;
                }
            }
            let flow = &mut flows[block];
            for ((word, made), needed) in live.0.iter_mut().zip(&flow.made.0).zip(&flow.needed.0) {
                *word = *word & !made | needed;
            }
            if live != flow.live_in {
                flow.live_in = live;
                changed = true;
            }
        }
    }
    flows
}

fn local(listing: &Listing, block: usize) -> Flow {
    let empty = Set::new(listing.variables);
    let mut flow = Flow { needed: empty.clone(), made: empty.clone(), live_in: empty };
    for instruction in &listing.instructions[listing.starts[block]..listing.starts[block + 1]] {
        for variable in instruction.read() {
            if !flow.made.contains(variable) {
                flow.needed.insert(variable);
            }
        }
        instruction.written().into_iter().for_each(|variable| flow.made.insert(variable));
    }
    flow
}
