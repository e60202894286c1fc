//! The only real clock: nanoseconds of `CLOCK_MONOTONIC`.
#![allow(unsafe_code)]

mod ticks;

use std::cell::Cell;

use kneepoint_core::words::units::Nanos;

pub(crate) use ticks::Anchor;
pub use ticks::TickScale;

/// A monotonic clock that remembers its last reading, and learns how late its sleeps end.
#[derive(Debug)]
pub struct Clock {
    last: Cell<Nanos>,
    /// The processor's counter; `None` to ask the kernel.
    ticks: Option<TickScale>,
    /// The last part of a wait, which is spun.
    spin: Cell<Nanos>,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Clock {
    /// A clock on the processor's counter, or on the kernel's clock without a scale for it.
    pub const fn new(ticks: Option<TickScale>) -> Self {
        Self { last: Cell::new(Nanos::ZERO), ticks, spin: Cell::new(SPIN_MIN) }
    }

    /// Reads the clock (about 10 ns from the processor, 25 ns through the vDSO).
    #[inline]
    pub fn now(&self) -> Nanos {
        let now = match &self.ticks {
            Some(scale) => scale.now(),
            None => monotonic(),
        };
        self.last.set(now);
        now
    }

    /// The last reading, free of charge.
    #[inline]
    pub fn last(&self) -> Nanos {
        self.last.get()
    }

    /// Waits until `deadline`, sleeping first and spinning at the end; returns at once where it has
    /// passed.
    pub fn sleep_until(&self, deadline: Nanos) {
        let now = self.now();
        let patience = self.patience(now, deadline);
        if patience > Nanos::ZERO {
            std::thread::sleep(std::time::Duration::from_nanos(patience.0));
            self.woke(now + patience);
        }
        while self.now() < deadline {
            std::hint::spin_loop();
        }
    }

    /// How long a wait for completions may block without missing `deadline`: nothing once it is so
    /// near that it must be polled.
    #[inline]
    pub(crate) fn patience(&self, now: Nanos, deadline: Nanos) -> Nanos {
        deadline.since(now).since(self.spin.get())
    }

    /// Learns from a sleep that was to end at `planned`.
    ///
    /// The part that is spun follows the lateness that one sleep in a hundred exceeds: up by a step
    /// where it was too short, down by the hundredth of a step where it was long enough.
    pub(crate) fn woke(&self, planned: Nanos) {
        let spin = self.spin.get();
        let learned = match monotonic().since(planned) > spin {
            true => (spin + SPIN_STEP).min(SPIN_MAX),
            false => spin.since(Nanos(SPIN_STEP.0 / 100)).max(SPIN_MIN),
        };
        self.spin.set(learned);
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

/// What is spun at the end of a wait at least: a processor that does not sleep deeply wakes up late
/// by up to about this.
const SPIN_MIN: Nanos = Nanos(60_000);

/// What is spun at most; beyond it lie pauses of the machine, which no spinning makes up for.
const SPIN_MAX: Nanos = Nanos(400_000);

/// How much a sleep that ended too late adds.
const SPIN_STEP: Nanos = Nanos(20_000);

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
        let clock = Clock::default();
        for micros in [0, 10, 200] {
            let deadline = monotonic() + Nanos(micros * 1_000);
            clock.sleep_until(deadline);
            assert!(monotonic() >= deadline);
        }
    }

    #[test]
    fn what_is_spun_follows_how_late_sleeps_end() {
        let clock = Clock::default();
        assert_eq!(clock.patience(Nanos(0), SPIN_MIN + Nanos(5)), Nanos(5));
        assert_eq!(clock.patience(Nanos(0), Nanos(100)), Nanos(0));
        clock.woke(Nanos::ZERO);
        assert_eq!(clock.spin.get(), SPIN_MIN + SPIN_STEP);
        (0..100).for_each(|_| clock.woke(Nanos::ZERO));
        assert_eq!(clock.spin.get(), SPIN_MAX);
        clock.woke(Nanos::MAX);
        assert_eq!(clock.spin.get(), SPIN_MAX.since(Nanos(200)));
        (0..10_000).for_each(|_| clock.woke(Nanos::MAX));
        assert_eq!(clock.spin.get(), SPIN_MIN);
    }

    #[test]
    fn the_clock_never_runs_backwards_and_remembers_its_reading() {
        let clock = Clock::default();
        let first = clock.now();
        assert_eq!(clock.last(), first);
        assert!(clock.now() >= first);
    }
}
