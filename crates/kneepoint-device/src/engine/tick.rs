//! A tick of the ring: what ends a wait without its own time limit.
//!
//! A wait with a time limit starts and stops a timer of the kernel, for about 1 us each time: at one
//! outstanding I/O on a fast device that is a tenth of the response time. One timer that completes
//! again and again does instead, as long as the deadline is farther away than its period, or need not
//! be met exactly. The period is a compromise, too: every tick is an interrupt, and costs the I/O that
//! it hits 10 to 20 us on a virtual machine.

#![allow(unsafe_code)]

use io_uring::types::{TimeoutFlags, Timespec};
use io_uring::{IoUring, cqueue, opcode};
use kneepoint_core::load::backend::DEADLINE_SLACK;
use kneepoint_core::words::units::Nanos;

/// Marks the completions of the timer; slots have smaller numbers.
pub(super) const TICK_DATA: u64 = u64::MAX;

/// Time between two ticks.
const PERIOD: Nanos = DEADLINE_SLACK;

/// How a deadline is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// It is not missed.
    Exact,
    /// It may be noticed late, by about [`DEADLINE_SLACK`].
    Lenient,
}

/// The timer of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tick {
    /// Running.
    Armed,
    /// To be started, with the next submission.
    Due,
    /// The kernel or the ring has none (multishot timeouts: Linux 6.4).
    Absent,
}

impl Tick {
    /// Of a ring whose waits block in the kernel.
    pub(super) fn of(ring: &IoUring) -> Self {
        let parameters = ring.params();
        match parameters.is_setup_sqpoll() || parameters.is_setup_iopoll() {
            true => Self::Absent,
            false => Self::Due,
        }
    }

    /// Starts the timer of `ring` if it is due. What is queued is submitted, too.
    #[inline]
    pub(super) fn arm(&mut self, ring: &mut IoUring) {
        if *self == Self::Due {
            *self = Self::armed(ring);
        }
    }

    fn armed(ring: &mut IoUring) -> Self {
        if ring.submission().is_full() {
            // An error shows in the next submission, too.
            let _ = ring.submit();
        }
        let period = Timespec::new().nsec(PERIOD.0 as u32);
        let timer = opcode::Timeout::new(&raw const period).flags(TimeoutFlags::MULTISHOT);
        let entry = timer.build().user_data(TICK_DATA);
        // SAFETY: the kernel reads the period while it takes the entry, within this function.
        let pushed = unsafe { ring.submission().push(&entry) };
        let is_taken = pushed.is_ok() && ring.submit().is_ok();
        if is_taken { Self::Armed } else { Self::Absent }
    }

    /// Whether a wait that lasts for `patience` at the longest can do without a time limit.
    #[inline]
    pub(super) fn serves(self, patience: Nanos, manner: Manner) -> bool {
        let is_near = manner == Manner::Exact && patience < PERIOD;
        self == Self::Armed && !is_near
    }

    /// Takes a completion of the timer.
    pub(super) fn note(&mut self, completion: &cqueue::Entry) {
        if !cqueue::more(completion.flags()) {
            let has_run = completion.result() == -libc::ETIME;
            *self = if has_run { Self::Due } else { Self::Absent };
        }
    }
}
