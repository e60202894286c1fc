//! What limits the trust in a point: from numbers about the machine to causes and what to do.
//!
//! An instrument that sees a real machine hands over an [`Observation`] of plain numbers beside
//! its measurement. Everything that is concluded from them is concluded here, so that it can be
//! tested without a busy machine.

mod device;
mod environment;
mod grade;
mod issued;
mod lateness;
mod mix;
mod observation;
mod processor;
mod shift;
mod stall;
#[cfg(test)]
mod tests;
mod unrest;

use crate::measure::{Outcome, Point};
use crate::result::{ThroughputUnit, Warning};

pub use environment::environment_warnings;
use grade::disturbed_by;
pub(crate) use grade::disturbed_percent;
pub use issued::Issued;
pub use mix::mix_warnings;
pub use observation::{Accounting, DeviceTraffic, Observation, ProcessorTime, Traffic, Waits};
pub use unrest::{pressure_note, unrest};

/// A point is disturbed if something else can have changed its numbers by more than this share.
const OTHERS_SHARE_MAX: f64 = 0.05;

/// The wall clock was set when it moved against the monotonic one by more than this, in seconds.
/// Both follow the same corrections of frequency, so they differ by a step alone; the smallest
/// step that time services make is 128 ms, and two readings are a few microseconds apart.
const CLOCK_STEP_S_MIN: f64 = 0.010;

/// What limits the trust in a measured point.
pub(crate) fn findings(point: &Point<'_>, outcome: &Outcome) -> Vec<Warning> {
    let measurement = &outcome.measurement;
    let mut findings = match &outcome.observation {
        Some(observation) => {
            judge(&Issued::of(point, measurement, observation.window.clone()), observation)
        }
        None => Vec::new(),
    };
    let counts: Vec<f64> =
        measurement.intervals.iter().map(|record| record.total().operations as f64).collect();
    let unit = ThroughputUnit::under(point.load.unit);
    findings.extend(stall::findings(outcome));
    findings.extend(shift::finding(&counts, (measurement.interval, unit)));
    findings.extend(lateness::finding(point, measurement));
    findings
}

/// What an observation says about a point in which `issued` completed.
pub fn judge(issued: &Issued, observation: &Observation) -> Vec<Warning> {
    let mut findings = device::findings(issued, observation);
    findings.extend(processor::others(issued, observation));
    findings.extend(processor::stolen(observation));
    findings.extend(processor::generator(issued, observation));
    findings.extend(clock_step(observation));
    findings
}

fn clock_step(observation: &Observation) -> Option<Warning> {
    let step_s = observation.clock_step_s;
    (step_s.abs() > CLOCK_STEP_S_MIN).then_some(Warning::ClockStepped { step_s })
}
