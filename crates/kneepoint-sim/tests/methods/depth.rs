//! The search of fio for a queue depth (`latency_target`; fio's HOWTO, "I/O latency").
//!
//! fio looks for the highest depth at which `latency_percentile` of the I/Os of a `latency_window` are
//! within the target, between 1 and `iodepth`. What it does in which order is not in its documentation; it
//! says so with `--debug=rate` (version 3.33, on a file): from 1 on the depth doubles while windows succeed;
//! after one that fails it goes halfway back to the last that succeeded, and halfway up again after one that
//! succeeds. Where the last good depth fails it goes down one by one. Once the next depth is the same one,
//! a last window gives the result. A window and an `iodepth` as in its example `latency-profile.fio`.

use kneepoint_core::measure::search::{Visit, VisitStart};
use kneepoint_core::result::PointResult;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;

use super::{Bench, IN_FLIGHT_MAX, MethodAnswer};
use crate::Case;

const WINDOW: Visit = Visit {
    start: VisitStart::InFlight,
    ramp: Nanos(0),
    ramp_from_rest: Nanos(0),
    measure: Nanos::from_secs(5),
};

/// Half of the I/Os within the limit: fio knows no mean, and the median is next to it.
pub(crate) fn latency_target_of_half(case: &Case, seed: u64) -> Option<MethodAnswer> {
    latency_target(case, seed, |window| {
        window.latency_ms.p50.expect("what was measured has its median")
    })
}

/// All I/Os within the limit, which is what fio does if no percentile is named. It ends a window at the first
/// I/O that is late; here each is measured in full.
pub(crate) fn latency_target_of_all(case: &Case, seed: u64) -> Option<MethodAnswer> {
    latency_target(case, seed, |window| window.latency_ms.max)
}

/// `None` where a rate is searched for: fio changes the depth alone.
fn latency_target(
    case: &Case,
    seed: u64,
    latency_ms: impl Fn(&PointResult) -> f64,
) -> Option<MethodAnswer> {
    if case.unit.is_offered() {
        return None;
    }
    let mut bench = Bench::of(case, seed);
    let mut depths = Depths::default();
    loop {
        let window = bench.measure(LoadLevel::outstanding(depths.now), Some(WINDOW));
        let is_within = latency_ms(&window) <= bench.limit_ms();
        if is_within && depths.is_settled {
            return Some(bench.answer(Some(window.rate.mean)));
        }
        if !is_within && depths.now == 1 {
            return Some(bench.answer(None));
        }
        depths = if is_within { depths.up() } else { depths.down() };
    }
}

/// The depth of the next window, between one that succeeded and one that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Depths {
    low: u32,
    now: u32,
    high: u32,
    /// Whether the last window had this depth, too, and succeeded.
    is_settled: bool,
}

impl Default for Depths {
    fn default() -> Self {
        Self { low: 1, now: 1, high: IN_FLIGHT_MAX, is_settled: false }
    }
}

impl Depths {
    const fn up(self) -> Self {
        // Nothing has failed yet.
        let is_open = self.high == IN_FLIGHT_MAX;
        let now = if is_open { 2 * self.now } else { (self.now + self.high) / 2 };
        let now = if now > self.high { self.high } else { now };
        Self { low: self.now, now, is_settled: now == self.now, ..self }
    }

    const fn down(self) -> Self {
        let low = if self.low == self.now { self.low - 1 } else { self.low };
        Self { low, now: (self.now + low) / 2, high: self.now, is_settled: false }
    }
}

/// What fio 3.33 said on a file: windows that failed are 0.
#[test]
fn depths_follow_one_another_as_fio_says() {
    let check = |windows: &[u32], expected: &[u32]| {
        let mut depths = Depths::default();
        let step = |is_within: &u32| {
            depths = if *is_within == 1 { depths.up() } else { depths.down() };
            depths.now
        };
        assert_eq!(windows.iter().map(step).collect::<Vec<_>>(), expected);
        depths.is_settled
    };
    assert!(check(&[1, 1, 1, 1, 0, 0, 0, 0, 0, 1], &[2, 4, 8, 16, 12, 10, 9, 8, 7, 7]));
    assert!(check(&[1, 1, 1, 1, 1, 0, 0, 0, 0, 1], &[2, 4, 8, 16, 32, 24, 20, 18, 17, 17]));
    assert!(!check(&[1, 1, 1, 0, 0, 0, 0, 0, 0], &[2, 4, 8, 6, 5, 4, 3, 2, 1]));
    assert!(check(&[1, 1, 0, 0, 0, 1], &[2, 4, 3, 2, 1, 1]));
    let up = [1; 8];
    assert!(check(&up, &[2, 4, 8, 16, 32, 64, 128, 128]));
}
