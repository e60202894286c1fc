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

/// Sleeps until `deadline`, or a little longer; returns at once where it has passed.
pub fn sleep_until(deadline: Nanos) {
    let left = deadline.since(monotonic());
    if left > Nanos::ZERO {
        std::thread::sleep(std::time::Duration::from_nanos(left.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_runs_backwards_and_remembers_its_reading() {
        let clock = Clock::default();
        let first = clock.now();
        assert_eq!(clock.last(), first);
        assert!(clock.now() >= first);
    }
}
