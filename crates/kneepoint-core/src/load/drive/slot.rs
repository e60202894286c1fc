//! I/Os in flight, as the loop remembers them.

use super::errors::IoFault;
use crate::load::backend::Direction;
use crate::words::units::Nanos;

/// An I/O in flight: half a cache line, for the system call between submission and completion
/// leaves little of it in the cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// When it was handed to the backend.
    pub(super) submitted: Nanos,
    /// Open loop: when it was to be issued, never later than it was. [`Nanos::MAX`] in a closed
    /// loop.
    pub(super) intended: Nanos,
    /// First byte.
    pub(super) offset: u64,
    pub(super) transfer: Transfer,
    /// Index of its lane.
    pub(super) lane: u32,
}

impl Slot {
    /// A slot of `lane` without an I/O.
    pub(super) const fn unused(lane: u32) -> Self {
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
        let (direction, bytes) = self.transfer.parts();
        IoFault { target, direction, offset: self.offset, bytes, result }
    }
}

/// A length and a direction in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer(u32);

impl Transfer {
    /// Set for a write; what an I/O moved comes back as a signed number, so no length needs it.
    const WRITE: u32 = 1 << 31;

    /// A transfer of `bytes`, less than 2 GiB.
    #[inline]
    pub(super) const fn new(direction: Direction, bytes: u32) -> Self {
        debug_assert!(bytes < Self::WRITE, "the length of an I/O is below 2 GiB");
        match direction {
            Direction::Read => Self(bytes),
            Direction::Write => Self(bytes | Self::WRITE),
        }
    }

    /// The direction, and the length in bytes.
    #[inline]
    pub(super) const fn parts(self) -> (Direction, u32) {
        match self.0 & Self::WRITE {
            0 => (Direction::Read, self.0),
            _ => (Direction::Write, self.0 ^ Self::WRITE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_half_a_cache_line() {
        assert_eq!(size_of::<Slot>(), 32);
    }

    #[test]
    fn a_transfer_gives_back_what_it_was_made_of() {
        for bytes in [0, 1, 4096, (1 << 31) - 1] {
            for direction in Direction::ALL {
                assert_eq!(Transfer::new(direction, bytes).parts(), (direction, bytes));
            }
        }
    }

    #[test]
    fn response_times_run_from_the_arrival_or_from_the_submission() {
        let closed = Slot { submitted: Nanos(7), ..Slot::unused(0) };
        assert_eq!(closed.start(), Nanos(7));
        let open = Slot { intended: Nanos(5), ..closed };
        assert_eq!(open.start(), Nanos(5));
    }
}
