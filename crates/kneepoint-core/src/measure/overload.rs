//! Open loop: what was offered, what was delivered, and whether the target kept up.

use crate::measure::Point;
use crate::measure::measurement::Measurement;
use crate::result::{OpenLoopResult, Warning};

/// Delivering less than this share of the offered rate is an overload, chance apart.
const DELIVERED_SHARE_MIN: f64 = 0.98;

/// Standard deviations of a Poisson count that are put down to chance.
const CHANCE_DEVIATIONS: f64 = 4.0;

/// Lateness is worth a number above this share of the mean response time.
const LATE_SHARE_MIN: f64 = 0.01;

impl OpenLoopResult {
    /// The share of the mean response time by which I/Os were submitted late, from 0 to 1; 0 where
    /// nothing completed.
    pub fn lag_share(&self) -> f64 {
        let mean_ms = self.lag_mean_ms + self.service_mean_ms;
        if mean_ms > 0.0 { (self.lag_mean_ms / mean_ms).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Whether I/Os were submitted so late that the response times cannot be read without knowing
    /// it.
    pub fn is_late(&self) -> bool {
        self.lag_share() > LATE_SHARE_MIN
    }
}

/// What became of the offered rate of `point`; `None` in a closed loop.
pub(crate) fn open_loop_result(
    point: &Point<'_>,
    measurement: &Measurement,
) -> Option<OpenLoopResult> {
    if !point.load.unit.is_offered() {
        return None;
    }
    let seconds = measurement.measured().as_secs_f64();
    let total = measurement.total();
    let offered_rate = point.load.value * point.plan.targets.len() as f64;
    let delivered_rate = if seconds > 0.0 { total.operations as f64 / seconds } else { 0.0 };
    let offered = offered_rate * seconds;
    let least = DELIVERED_SHARE_MIN * offered - CHANCE_DEVIATIONS * offered.sqrt();
    Some(OpenLoopResult {
        offered_rate,
        delivered_rate,
        overloaded: (total.operations as f64) < least,
        lag_mean_ms: total.lag_ns_mean() / 1e6,
        lag_max_ms: total.lag_max.as_millis_f64(),
        service_mean_ms: (total.latency_ns_mean() - total.lag_ns_mean()) / 1e6,
    })
}

/// What to say of a point whose target could not keep up.
pub(crate) fn overload_warning(result: &OpenLoopResult) -> Option<Warning> {
    let OpenLoopResult { offered_rate, delivered_rate, .. } = *result;
    result.overloaded.then_some(Warning::Overloaded { offered_rate, delivered_rate })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_is_told_above_a_hundredth_of_the_mean_response_time() {
        let open = |lag_mean_ms: f64, service_mean_ms: f64| OpenLoopResult {
            offered_rate: 1_000.0,
            delivered_rate: 1_000.0,
            overloaded: false,
            lag_mean_ms,
            lag_max_ms: 10.0 * lag_mean_ms,
            service_mean_ms,
        };
        assert_eq!(open(0.25, 0.75).lag_share(), 0.25);
        assert_eq!(open(0.0, 0.0).lag_share(), 0.0);
        assert!(open(0.02, 0.98).is_late());
        assert!(!open(0.01, 0.99).is_late());
        assert!(!open(0.0, 1.0).is_late());
    }
}
