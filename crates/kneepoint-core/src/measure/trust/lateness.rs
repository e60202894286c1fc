//! I/Os of an open loop that were submitted late: the generator, not the target, made them wait.

use super::disturbed_by;
use crate::measure::Point;
use crate::measure::measurement::Measurement;
use crate::measure::overload::open_loop_result;
use crate::plan::Engine;
use crate::result::{OpenLoopResult, Warning};

/// Lateness is told above this share of the mean response time.
const LAG_SHARE_MAX: f64 = 0.10;

/// With the null target the whole response time is the generator's. It is late above what a
/// processor takes to wake up, in milliseconds.
const NULL_LAG_MS_MIN: f64 = 0.050;

/// What the lateness of a point of an open loop says; nothing if the target itself was overloaded,
/// for then its queue was full and I/Os had to wait.
pub(super) fn finding(point: &Point<'_>, measurement: &Measurement) -> Option<Warning> {
    judge(&open_loop_result(point, measurement)?, point.plan.engine.engine)
}

fn judge(open: &OpenLoopResult, engine: Engine) -> Option<Warning> {
    let is_null_own = engine == Engine::Null && open.lag_mean_ms < NULL_LAG_MS_MIN;
    let share = open.lag_share();
    if open.overloaded || is_null_own || engine == Engine::Sim || share <= LAG_SHARE_MAX {
        return None;
    }
    let OpenLoopResult { lag_mean_ms, lag_max_ms, .. } = *open;
    let disturbed_percent = disturbed_by(share);
    Some(Warning::SubmittedLate { lag_mean_ms, lag_max_ms, disturbed_percent })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(lag_mean_ms: f64, service_mean_ms: f64) -> OpenLoopResult {
        OpenLoopResult {
            offered_rate: 1_000.0,
            delivered_rate: 1_000.0,
            overloaded: false,
            lag_mean_ms,
            lag_max_ms: 10.0 * lag_mean_ms,
            service_mean_ms,
        }
    }

    #[test]
    fn more_than_a_tenth_of_the_mean_response_time_is_late() {
        let percent = |open: &OpenLoopResult, engine| {
            judge(open, engine)?.disturbed_percent().map(f64::round)
        };
        assert_eq!(percent(&open(0.1, 1.0), Engine::IoUring), None);
        assert_eq!(percent(&open(0.25, 0.75), Engine::IoUring), Some(25.0));
        assert_eq!(percent(&open(0.25, 0.75), Engine::Sim), None);
        assert_eq!(percent(&open(0.002, 0.0), Engine::Null), None);
        assert_eq!(percent(&open(0.434, 0.0), Engine::Null), Some(100.0));
        let overloaded = OpenLoopResult { overloaded: true, ..open(90.0, 10.0) };
        assert_eq!(percent(&overloaded, Engine::IoUring), None);
        assert_eq!(percent(&open(0.0, 0.0), Engine::Null), None);
    }
}
