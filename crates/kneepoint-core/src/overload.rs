//! Open loop: what was offered, what was delivered, and whether the target kept up.

use crate::instrument::Point;
use crate::load::LoadUnit;
use crate::measurement::Measurement;
use crate::result::OpenLoopResult;

/// Delivering less than this share of the offered rate is an overload, chance apart.
const DELIVERED_SHARE_MIN: f64 = 0.98;

/// Standard deviations of a Poisson count that are put down to chance.
const CHANCE_DEVIATIONS: f64 = 4.0;

/// What became of the offered rate of `point`; `None` in a closed loop.
pub(crate) fn open_loop_result(
    point: &Point<'_>,
    measurement: &Measurement,
) -> Option<OpenLoopResult> {
    if point.load.unit != LoadUnit::OfferedIops {
        return None;
    }
    let seconds = measurement.measured().as_secs_f64();
    let total = measurement.total();
    let offered_iops = point.load.value * point.plan.targets.len() as f64;
    let delivered_iops = if seconds > 0.0 { total.operations as f64 / seconds } else { 0.0 };
    let offered = offered_iops * seconds;
    let least = DELIVERED_SHARE_MIN * offered - CHANCE_DEVIATIONS * offered.sqrt();
    Some(OpenLoopResult {
        offered_iops,
        delivered_iops,
        overloaded: (total.operations as f64) < least,
        lag_mean_ms: total.lag_ns_mean() / 1e6,
        lag_max_ms: total.lag_max.as_millis_f64(),
        service_mean_ms: (total.latency_ns_mean() - total.lag_ns_mean()) / 1e6,
    })
}

/// What to say of a point whose target could not keep up.
pub(crate) fn overload_warning(result: &OpenLoopResult) -> Option<String> {
    result.overloaded.then(|| {
        format!(
            "overloaded: {:.0} IO/s were offered and {:.0} IO/s delivered, so response times grow \
             with the measured time; offer less",
            result.offered_iops, result.delivered_iops
        )
    })
}
