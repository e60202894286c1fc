//! A target that stood still within a point, or beyond its end.

use crate::measure::Outcome;
use crate::measure::measurement::Measurement;
use crate::measure::stall::Stall;
use crate::result::Warning;
use crate::result::warning::StallEnding;
use crate::words::units::Nanos;

/// A stop of the generator explains a stall unless the stall was longer than it by this much.
const EXPLAINED: Nanos = Nanos::from_millis(500);

/// The generator may stand still for this share of the measured time.
const PAUSED_SHARE_MAX: f64 = 0.05;

/// The longest I/O, where it took a large part of the measured time; and a generator that was
/// stopped itself.
pub(super) fn findings(outcome: &Outcome) -> Vec<Warning> {
    let stall = stall(&outcome.measurement, outcome.paused);
    stall.into_iter().chain(pause(outcome.paused, &outcome.measurement)).collect()
}

/// The generator did not run: I/Os that completed meanwhile were seen late.
fn pause(paused: Nanos, measurement: &Measurement) -> Option<Warning> {
    let limit = PAUSED_SHARE_MAX * measurement.measured().as_secs_f64();
    let paused_s = paused.as_secs_f64();
    (paused_s > limit).then_some(Warning::Stopped { paused_s })
}

fn stall(measurement: &Measurement, paused: Nanos) -> Option<Warning> {
    let stall = measurement.stall()?;
    if stall.time() <= paused + EXPLAINED && paused > Nanos::ZERO {
        return None;
    }
    let (time, ending) = match stall {
        Stall::Completed(time) => (time, StallEnding::Completed),
        Stall::Outlasting(time) => (time, StallEnding::Outlasted),
        Stall::Lost(time) => (time, StallEnding::Lost),
    };
    Some(Warning::Stalled {
        stalled_s: time.as_secs_f64(),
        measured_s: measurement.measured().as_secs_f64(),
        ending,
    })
}
