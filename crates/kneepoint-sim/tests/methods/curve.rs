//! The performance curve of vdbench (`iorate=curve`; Vdbench Users Guide, "Run Definition parameters").
//!
//! A run at the highest rate that the threads reach comes first; then runs at shares of that rate, whose
//! requests arrive at random (`distribution=exponential` is the default) and wait while all threads are
//! busy. Each run takes 30 s (`elapsed`), of which the first interval of a second is not averaged. As the
//! program has it (5.04.06), response time counts from when a thread issues a request; that it rounds its
//! rates is left out.

use kneepoint_core::plan::StopRule;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;

use super::{Bench, IN_FLIGHT_MAX, MethodAnswer};
use crate::Case;

/// Its points where none are named, in percent of the highest rate.
const SHARES: [f64; 6] = [10.0, 50.0, 70.0, 80.0, 90.0, 100.0];

/// The rate at which the line between two points of the curve reaches the limit. The guide says how to make
/// a curve, not how to read it; this is kinder than the highest point within the limit.
pub(crate) fn curve(case: &Case, seed: u64) -> MethodAnswer {
    let mut bench = Bench::of(case, seed);
    bench.plan.open_loop.in_flight_max = IN_FLIGHT_MAX;
    bench.plan.timing.ramp = Nanos::from_secs(1);
    bench.plan.timing.stop = StopRule::FixedTime { measure: Nanos::from_secs(29) };
    let highest = bench.measure(LoadLevel::outstanding(IN_FLIGHT_MAX), None).rate.mean;
    let points = SHARES.map(|share| {
        let point = bench.measure(LoadLevel::offered(highest * share / 100.0), None);
        (point.rate.mean, point.open_loop.unwrap().service_mean_ms)
    });
    let limit = bench.limit_ms();
    let rate = match points.iter().position(|(_, response)| *response > limit) {
        None => Some(points[SHARES.len() - 1].0),
        Some(0) => None,
        Some(above) => {
            let ((low, fast), (high, slow)) = (points[above - 1], points[above]);
            Some(low + (high - low) * (limit - fast) / (slow - fast))
        }
    };
    bench.answer(rate)
}
