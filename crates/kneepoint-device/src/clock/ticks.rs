//! The processor's time stamp counter as a clock, where the kernel itself trusts it.
//!
//! Reading it takes about half of what the kernel's clock takes. It counts at a constant rate on
//! all processors of the machine together: the kernel checks that before it names it as its clock
//! source (`/sys/devices/system/clocksource`), and takes the name back where it was wrong. The rate
//! is measured against the kernel's clock, again for every point and over an ever longer time.
#![allow(unsafe_code)]

use kneepoint_core::words::units::Nanos;

use super::monotonic;

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
    pub(super) fn now(&self) -> Nanos {
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
