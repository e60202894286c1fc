//! The phases of each point.

use kneepoint_core::fault::Fault;
use kneepoint_core::plan::{StopRule, Timing};
use kneepoint_core::units::Nanos;

use crate::cli::MeasureArgs;

/// Length of the recorder's intervals.
const INTERVAL: Nanos = Nanos::from_millis(100);

/// Time that I/Os in flight get to come back after a point.
const DRAIN_MAX: Nanos = Nanos::from_secs(30);

/// The phases that the user asked for.
pub(super) fn timing(args: &MeasureArgs) -> Result<Timing, Fault> {
    let (ramp, measure) = match args.quick {
        true => (Nanos::from_millis(200), Nanos::from_secs(1)),
        false => (Nanos::from_secs(1), Nanos::from_secs(10)),
    };
    let measure = args.time.unwrap_or(measure);
    if measure < INTERVAL {
        return Err(Fault::new(format!("{measure} is too short a time to measure"))
            .fix(format!("measure for at least {INTERVAL}, better for some seconds")));
    }
    Ok(Timing {
        ramp: whole_intervals(args.ramp.unwrap_or(ramp)),
        interval: INTERVAL,
        stop: StopRule::FixedTime { measure: whole_intervals(measure) },
        drain_max: DRAIN_MAX,
    })
}

/// Rounded up to whole intervals.
fn whole_intervals(time: Nanos) -> Nanos {
    Nanos(time.0.next_multiple_of(INTERVAL.0))
}
