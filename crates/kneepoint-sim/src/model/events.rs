//! The event queue: a binary heap of packed keys, ordered by time and then by sequence.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bits of an event's number of the thing that it is about.
const INDEX_BITS: u32 = 24;
/// Bits of its kind.
const KIND_BITS: u32 = 4;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EventKind {
    /// A host I/O (slot) reaches its controller.
    IoArrives,
    /// A host I/O (slot) completes in the host.
    IoCompletes,
    /// The controller is done with a disk operation (piece); a write goes down its link.
    PieceIssued,
    /// A disk operation (piece) reaches its drive.
    PieceAtDrive,
    /// The data of a disk operation (piece) is back in the controller.
    PieceBack,
    /// A drive finishes what it does.
    DriveDone,
    /// A host write (slot) is in the controller's cache.
    WriteCached,
}

const KINDS: [EventKind; 7] = [
    EventKind::IoArrives,
    EventKind::IoCompletes,
    EventKind::PieceIssued,
    EventKind::PieceAtDrive,
    EventKind::PieceBack,
    EventKind::DriveDone,
    EventKind::WriteCached,
];

/// An event that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    /// When, in ns.
    pub(super) at: u64,
    /// What.
    pub(super) kind: EventKind,
    /// To what.
    pub(super) index: u32,
}

/// Events by (time, sequence).
#[derive(Debug, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Reverse<u128>>,
    sequence: u64,
}

impl Events {
    /// Plans an event; `index` is below 2^24.
    #[inline]
    pub(super) fn push(&mut self, at: u64, kind: EventKind, index: u32) {
        debug_assert!(index < 1 << INDEX_BITS, "the index fits");
        self.sequence += 1;
        let low = (self.sequence << (INDEX_BITS + KIND_BITS))
            | (u64::from(index) << KIND_BITS)
            | u64::from(kind as u8);
        self.heap.push(Reverse((u128::from(at) << 64) | u128::from(low)));
    }

    /// The next event, if it is due at or before `deadline`.
    #[inline]
    pub(super) fn pop(&mut self, deadline: u64) -> Option<Event> {
        let Reverse(key) = *self.heap.peek()?;
        let at = (key >> 64) as u64;
        if at > deadline {
            return None;
        }
        self.heap.pop();
        let kind = KINDS[(key as u64 & ((1 << KIND_BITS) - 1)) as usize];
        let index = ((key as u64 >> KIND_BITS) & ((1 << INDEX_BITS) - 1)) as u32;
        Some(Event { at, kind, index })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_in_the_order_of_planning() {
        let mut events = Events::default();
        events.push(20, EventKind::DriveDone, 1);
        events.push(10, EventKind::PieceBack, 2);
        events.push(10, EventKind::WriteCached, (1 << 24) - 1);
        assert_eq!(events.pop(9), None);
        let next = events.pop(10).unwrap();
        assert_eq!((next.at, next.kind, next.index), (10, EventKind::PieceBack, 2));
        let next = events.pop(99).unwrap();
        assert_eq!((next.kind, next.index), (EventKind::WriteCached, (1 << 24) - 1));
        assert_eq!(events.pop(99).unwrap().at, 20);
        assert_eq!(events.pop(u64::MAX), None);
    }
}
