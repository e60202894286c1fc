//! Reading ahead in the controller, and blocks that it keeps from reads.
//!
//! A read that goes on where an earlier one ended belongs to a stream. What follows it is read in
//! stretches before it is asked for; a read that lies within what is there already needs no disk.
//! `adaptive` begins a stream at its second read, `on` at every read.

use super::disk::Class;
use super::engine::{Owner, Stretch, SystemBackend};
use super::geometry::Extent;
use crate::system::setting::ReadAhead;

/// Streams of an array that are followed at a time.
const STREAMS_MAX: usize = 8;
/// Unit in which read data is kept.
const KEPT_BYTES: u64 = 65_536;

/// Consecutive reads of one array.
#[derive(Debug, Default)]
pub(super) struct Stream {
    array: u32,
    /// Where the next read is expected.
    next: u64,
    /// End of what has arrived.
    ready: u64,
    /// End of what was asked for.
    asked: u64,
    /// Disk operations of the stretch in flight.
    pending: u32,
    /// Reads that wait for the stretch, by slot.
    waiting: Vec<u32>,
}

/// The streams of an array, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Streams {
    pub(super) mode: ReadAhead,
    pub(super) ahead_bytes: u64,
    pub(super) numbers: Vec<u32>,
}

/// The result of a look for a read's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// It is there.
    Ready,
    /// It is on its way.
    Coming,
    /// The drives must be asked.
    Nothing,
}

impl SystemBackend {
    /// Looks for a read among the streams of its array, and reads ahead where it belongs to one.
    pub(super) fn look_ahead(&mut self, slot: u32) -> Found {
        let io = self.ios[slot as usize];
        let (start, end) = (io.address, io.address + u64::from(io.bytes));
        let streams = &self.arrays[io.array as usize].streams;
        let follows = |number: &&u32| self.streams[**number].next == start;
        match streams.numbers.iter().find(follows).copied() {
            Some(number) => self.follow_stream(number, slot, end),
            None => {
                self.begin_stream(io.array, end);
                Found::Nothing
            }
        }
    }

    /// A stream's next read.
    fn follow_stream(&mut self, number: u32, slot: u32, end: u64) -> Found {
        let stream = &mut self.streams[number];
        stream.next = end;
        let found = match end {
            end if end <= stream.ready => Found::Ready,
            end if end <= stream.asked => Found::Coming,
            _ => Found::Nothing,
        };
        match found {
            Found::Coming => stream.waiting.push(slot),
            Found::Nothing if stream.pending == 0 => {
                stream.ready = end;
                stream.asked = end;
            }
            _ => {}
        }
        self.read_on(number);
        found
    }

    fn begin_stream(&mut self, array: u32, end: u64) {
        let streams = &self.arrays[array as usize].streams;
        let idle = |number: &u32| {
            let stream = &self.streams[*number];
            stream.pending == 0 && stream.waiting.is_empty()
        };
        let number = match streams.numbers.len() < STREAMS_MAX {
            true => self.streams.take(),
            false => match streams.numbers.iter().copied().find(idle) {
                Some(number) => number,
                None => return,
            },
        };
        let stream = &mut self.streams[number];
        (stream.array, stream.next, stream.ready, stream.asked) = (array, end, end, end);
        let streams = &mut self.arrays[array as usize].streams;
        streams.numbers.retain(|known| *known != number);
        streams.numbers.push(number);
        if streams.mode == ReadAhead::On {
            self.read_on(number);
        }
    }

    /// Asks for the next stretch when half of the last one is used up. What reads that outran the last one have
    /// asked the drives for is not read once more.
    fn read_on(&mut self, number: u32) {
        let stream = &self.streams[number];
        let array = &self.arrays[stream.array as usize];
        let ahead = array.streams.ahead_bytes;
        let from = stream.asked.max(stream.next);
        let to = (from + ahead).min(array.end_bytes);
        if stream.pending > 0 || from >= to || stream.next + ahead / 2 < from {
            return;
        }
        let geometry = array.geometry;
        let mut pending = 0;
        // A failed drive is not looked at when reading ahead.
        for (row, Extent { strip, offset, bytes }) in geometry.extents(from, to) {
            let (drive, start) = geometry.data(row, strip);
            let start = start + u64::from(offset);
            self.ask(Stretch { drive, start, bytes }, Class::Read, Owner::Ahead(number));
            pending += 1;
        }
        let stream = &mut self.streams[number];
        stream.pending = pending;
        stream.asked = to;
    }

    /// A part of what was read ahead is there.
    pub(super) fn ahead_piece_done(&mut self, number: u32) {
        let stream = &mut self.streams[number];
        stream.pending -= 1;
        if stream.pending > 0 {
            return;
        }
        stream.ready = stream.asked;
        let mut waiting = std::mem::take(&mut stream.waiting);
        for slot in waiting.drain(..) {
            self.read_complete(slot);
        }
        self.streams[number].waiting = waiting;
        self.read_on(number);
    }
}

/// Blocks that a controller keeps from reads: one place for each of this many block numbers.
#[derive(Debug, Default)]
pub(super) struct Kept {
    blocks: Vec<u64>,
}

impl Kept {
    /// Room for `bytes`.
    pub(super) fn new(bytes: u64) -> Self {
        Self { blocks: vec![u64::MAX; (bytes / KEPT_BYTES).clamp(1, 1 << 24) as usize] }
    }

    /// Looks for all blocks of a read, which are kept from now on.
    pub(super) fn keep(&mut self, array: u32, start: u64, end: u64) -> Found {
        let mut found = Found::Ready;
        for block in start / KEPT_BYTES..end.div_ceil(KEPT_BYTES) {
            let key = (u64::from(array) << 44) | block;
            let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let place = (place % self.blocks.len() as u64) as usize;
            if std::mem::replace(&mut self.blocks[place], key) != key {
                found = Found::Nothing;
            }
        }
        found
    }
}
