//! What random runs are made of.

use kneepoint_core::result::{Estimate, PointResult, Verdict};
use proptest::prelude::*;

use super::synthetic::{DOUBLING, STANDARD, point};

/// Documents that are looked at; their reports take some 20 ms each.
pub(crate) const CASES: u32 = 150;

/// Half-widths of intervals as shares of their numbers; none is as good as unknown.
pub(crate) const SHARES: [Option<f64>; 6] =
    [None, Some(0.0), Some(0.004), Some(0.03), Some(0.16), Some(0.4)];

pub(crate) const RULES: [&[&str]; 4] =
    [&[], &["mean<=20ms"], &["mean<=15ms", "mean<=20ms"], &["p99<=30ms"]];

/// A series: its shape, how many loads it has, and for each how far throughput is from that of the
/// shape, how well it is known, and its verdict.
pub(crate) type Course = (usize, Vec<(f64, usize, usize)>);

pub(crate) fn course(shape: usize) -> impl Strategy<Value = Course> {
    let load = (0.3..1.8_f64, 0..SHARES.len(), 0..2 * Verdict::ALL.len());
    (Just(shape), proptest::collection::vec(load, 1..=DOUBLING.len()))
}

/// The points of a course.
pub(crate) fn points((shape, loads): &Course) -> Vec<PointResult> {
    let one = |(load, (factor, share, verdict)): (&u32, &(f64, usize, usize))| {
        let mut point = point(&STANDARD[*shape], *load);
        let known = |mean: f64| Estimate { mean, ci95: SHARES[*share].map(|share| share * mean) };
        let (rate, volume) =
            (known(point.rate.mean * factor), point.volume.map(|v| v.mean * factor));
        (point.rate.mean, point.rate.ci95) = (rate.mean, rate.ci95);
        if let (Some(printed), Some(volume)) = (point.volume.as_mut(), volume.map(known)) {
            (printed.mean, printed.ci95) = (volume.mean, volume.ci95);
        }
        point.latency_ms.ci95 = known(point.latency_ms.mean).ci95;
        // Half of the points are as they should be.
        point.verdict = Verdict::ALL.get(*verdict).copied().unwrap_or(Verdict::Steady);
        point
    };
    DOUBLING.iter().zip(loads).map(one).collect()
}
