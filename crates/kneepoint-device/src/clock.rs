//! The only real clock: nanoseconds of `CLOCK_MONOTONIC`.
#![allow(unsafe_code)]

use std::cell::Cell;

use kneepoint_core::units::Nanos;

/// A monotonic clock that remembers its last reading.
#[derive(Debug, Default)]
pub struct Clock {
    last: Cell<Nanos>,
}

impl Clock {
    /// Reads the clock (about 20 ns through the vDSO).
    #[inline]
    pub fn now(&self) -> Nanos {
        let now = monotonic();
        self.last.set(now);
        now
    }

    /// The last reading, free of charge.
    #[inline]
    pub fn last(&self) -> Nanos {
        self.last.get()
    }
}

/// Nanoseconds since an arbitrary moment that is the same for all threads of the machine.
#[inline]
pub fn monotonic() -> Nanos {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec, and CLOCK_MONOTONIC exists on every Linux.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    debug_assert_eq!(status, 0, "CLOCK_MONOTONIC can be read");
    Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

/// The last part of a wait is spun, for a sleeping thread wakes up late by up to about this.
pub(crate) const SPIN: Nanos = Nanos(60_000);

/// Waits until `deadline`, sleeping first and spinning at the end; returns at once where it has
/// passed.
pub fn sleep_until(deadline: Nanos) {
    let mut left = deadline.since(monotonic());
    if left > SPIN {
        std::thread::sleep(std::time::Duration::from_nanos(left.0 - SPIN.0));
    }
    while left > Nanos::ZERO {
        std::hint::spin_loop();
        left = deadline.since(monotonic());
    }
}

/// How long a wait for completions may block without missing `deadline`: nothing once it is so
/// near that it must be polled.
#[inline]
pub(crate) fn patience(now: Nanos, deadline: Nanos) -> Nanos {
    deadline.since(now).since(SPIN)
}

/// Lets this thread's timers fire when they are due instead of up to 50 us later (man 2
/// `PR_SET_TIMERSLACK`).
pub(crate) fn sharpen_timers() {
    // SAFETY: the call takes a number and changes nothing but this thread's timer slack.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_never_ends_early() {
        for micros in [0, 10, 200] {
            let deadline = monotonic() + Nanos(micros * 1_000);
            sleep_until(deadline);
            assert!(monotonic() >= deadline);
        }
        assert_eq!(patience(Nanos(0), Nanos(SPIN.0 + 5)), Nanos(5));
        assert_eq!(patience(Nanos(0), Nanos(100)), Nanos(0));
    }

    #[test]
    fn the_clock_never_runs_backwards_and_remembers_its_reading() {
        let clock = Clock::default();
        let first = clock.now();
        assert_eq!(clock.last(), first);
        assert!(clock.now() >= first);
    }
}
