//! A target that stood still within a point, or beyond its end.

use super::Finding;
use crate::measure::Outcome;
use crate::measure::measurement::Measurement;
use crate::measure::stall::Stall;
use crate::words::units::Nanos;

/// A stop of the generator explains a stall unless the stall was longer than it by this much.
const EXPLAINED: Nanos = Nanos::from_millis(500);

/// The generator may stand still for this share of the measured time.
const PAUSED_SHARE_MAX: f64 = 0.05;

/// The longest I/O, where it took a large part of the measured time; and a generator that was
/// stopped itself.
pub(super) fn findings(outcome: &Outcome) -> Vec<Finding> {
    let stall = stall(&outcome.measurement, outcome.paused);
    stall.into_iter().chain(pause(outcome.paused, &outcome.measurement)).collect()
}

/// The generator did not run: I/Os that completed meanwhile were seen late.
fn pause(paused: Nanos, measurement: &Measurement) -> Option<Finding> {
    let limit = PAUSED_SHARE_MAX * measurement.measured().as_secs_f64();
    (paused.as_secs_f64() > limit).then(|| {
        Finding::spoils(format!(
            "stopped: the load generator did not run for {}, so I/Os that were done meanwhile \
             were seen late; it was stopped by a signal, a debugger or a frozen control group, or \
             had no processor: measure again",
            seconds(paused)
        ))
    })
}

fn stall(measurement: &Measurement, paused: Nanos) -> Option<Finding> {
    let measured = seconds(measurement.measured());
    let stall = measurement.stall()?;
    if stall.time() <= paused + EXPLAINED && paused > Nanos::ZERO {
        return None;
    }
    let what = match stall {
        Stall::Completed(time) => {
            format!("stalled: an I/O took {} of the {measured} that were measured", seconds(time))
        }
        Stall::Outlasting(time) => format!(
            "stalled: an I/O that was in flight at the end of the {measured} that were measured \
             took {}",
            seconds(time)
        ),
        Stall::Lost(time) => format!(
            "stalled for at least {}: an I/O that was in flight at the end of the {measured} that \
             were measured did not come back",
            seconds(time)
        ),
    };
    Some(Finding::spoils(format!(
        "{what}; something below the target stood still: look for resets and timeouts in the \
         kernel's log, and measure for longer (--time) if the target is like that"
    )))
}

fn seconds(time: Nanos) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
