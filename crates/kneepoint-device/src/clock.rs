//! The only real clock: nanoseconds of `CLOCK_MONOTONIC`, read from the kernel, or from the
//! processor's time stamp counter where the kernel itself trusts it.
//!
//! Reading the counter takes about half of what the kernel's clock takes. It counts at a constant
//! rate on all processors of the machine together: the kernel checks that before it names it as its
//! clock source (`/sys/devices/system/clocksource`), and takes the name back where it was wrong.
//! The rate is measured against the kernel's clock, again for every point and over an ever longer
//! time.

#![allow(unsafe_code)]

use std::cell::Cell;

use kneepoint_core::words::units::Nanos;

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

    /// Waits until `deadline` without spinning: for what may be a little late.
    pub(crate) fn doze_until(&self, deadline: Nanos) {
        let time = deadline.since(self.now());
        std::thread::sleep(std::time::Duration::from_nanos(time.0));
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

/// The least that is spun at the end of a wait: a processor that does not sleep deeply wakes up
/// late by up to about this.
const SPIN_MIN: Nanos = Nanos(60_000);

/// The most that is spun; beyond it are pauses of the machine, which no spinning makes up for.
const SPIN_MAX: Nanos = Nanos(400_000);

/// How much a sleep that ended too late adds.
const SPIN_STEP: Nanos = Nanos(20_000);

/// Lets this thread's timers fire when they are due instead of up to 50 us later (man 2
/// `PR_SET_TIMERSLACK`).
pub(crate) fn sharpen_timers() {
    // SAFETY: the call takes a number and changes nothing but this thread's timer slack.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong) };
}

/// The clock source that the kernel uses.
const CLOCK_SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// The rate is measured over at least this time: with the two readings true to 25 ns it is true to
/// 10 parts in a million.
const BASELINE_MIN: Nanos = Nanos::from_millis(5);

/// A moment on both clocks.
#[derive(Debug, Clone, Copy)]
struct Moment {
    ticks: u64,
    at: Nanos,
}

/// The beginning of the time over which the counter's rate is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anchor(Moment);

/// How ticks are told as nanoseconds of the kernel's clock.
#[derive(Debug, Clone, Copy)]
pub struct TickScale {
    base: Moment,
    /// Nanoseconds per tick, times 2^32.
    rate: u64,
}

impl Anchor {
    /// The present moment; `None` where the kernel does not trust the counter.
    pub(crate) fn new() -> Option<Self> {
        let source = std::fs::read_to_string(CLOCK_SOURCE).ok()?;
        (source.trim() == "tsc").then(moment).flatten().map(Self)
    }

    /// The scale from the present moment on; waits where the anchor was made just now.
    pub(crate) fn scale(self) -> Option<TickScale> {
        let age = monotonic().since(self.0.at);
        if age < BASELINE_MIN {
            std::thread::sleep(std::time::Duration::from_nanos(BASELINE_MIN.0 - age.0));
        }
        TickScale::new(self.0, moment()?)
    }
}

impl TickScale {
    /// The scale between two moments; `None` where one of the clocks stood still between them.
    fn new(from: Moment, to: Moment) -> Option<Self> {
        let ticks = to.ticks.checked_sub(from.ticks).filter(|ticks| *ticks > 0)?;
        let rate = (u128::from(to.at.since(from.at).0) << 32) / u128::from(ticks);
        let rate = u64::try_from(rate).ok().filter(|rate| *rate > 0)?;
        Some(Self { base: to, rate })
    }

    /// Now, in nanoseconds of the kernel's clock.
    #[inline]
    fn now(&self) -> Nanos {
        self.at(ticks())
    }

    /// The time at which the counter stood at `ticks`; never before the base.
    #[inline]
    fn at(&self, ticks: u64) -> Nanos {
        let passed = u128::from(ticks.saturating_sub(self.base.ticks)) * u128::from(self.rate);
        self.base.at + Nanos((passed >> 32) as u64)
    }
}

/// Both clocks at the same moment: the narrowest of a few attempts.
fn moment() -> Option<Moment> {
    let attempt = || {
        let before = ticks();
        let at = monotonic();
        let after = ticks();
        (after.wrapping_sub(before), Moment { ticks: before + after.wrapping_sub(before) / 2, at })
    };
    let narrowest = (0..8).map(|_| attempt()).min_by_key(|(width, _)| *width);
    narrowest.filter(|(width, _)| *width > 0).map(|(_, moment)| moment)
}

/// The counter, read after everything before it has been done.
#[cfg(target_arch = "x86_64")]
#[inline]
fn ticks() -> u64 {
    // SAFETY: both instructions exist on every x86-64 processor and touch no memory; a system that
    // forbids the second to programs does not name it as its clock source.
    unsafe {
        core::arch::x86_64::_mm_lfence();
        core::arch::x86_64::_rdtsc()
    }
}

/// Other processors are asked through the kernel.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
const fn ticks() -> u64 {
    0
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

#[cfg(test)]
mod ticks_tests {
    use super::*;

    fn moment_at(ticks: u64, nanos: u64) -> Moment {
        Moment { ticks, at: Nanos(nanos) }
    }

    #[test]
    fn ticks_become_nanoseconds_of_the_kernels_clock() {
        let scale = TickScale::new(moment_at(1_000, 500), moment_at(26_000, 10_500)).unwrap();
        assert_eq!(scale.at(26_000), Nanos(10_500));
        assert!(scale.at(26_000 + 25_000).0.abs_diff(20_500) <= 1);
        // A year later the error of the fixed-point rate is still below a part in a million.
        let year = 365 * 86_400 * 2_500_000_000;
        assert!(scale.at(26_000 + year).0.abs_diff(10_500 + year * 2 / 5) < 365 * 86_400 * 1_000);
        assert_eq!(scale.at(0), Nanos(10_500), "it never runs backwards");
    }

    #[test]
    fn a_counter_that_stands_still_is_no_clock() {
        assert!(TickScale::new(moment_at(5, 0), moment_at(5, 1_000)).is_none());
        assert!(TickScale::new(moment_at(5, 0), moment_at(6, 0)).is_none());
    }

    #[test]
    fn the_scale_agrees_with_the_kernels_clock() {
        let Some(scale) = Anchor::new().and_then(Anchor::scale) else {
            kneepoint_testkit::skipped("the kernel does not use the time stamp counter");
            return;
        };
        let (before, between, after) = (monotonic(), scale.now(), monotonic());
        let slack = 1_000;
        assert!(before.0 <= between.0 + slack && between.0 <= after.0 + slack);
    }
}
