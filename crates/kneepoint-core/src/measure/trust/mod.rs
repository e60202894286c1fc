//! What limits the trust in a point: from numbers about the machine to causes and what to do.
//!
//! An instrument that sees a real machine hands over an [`Observation`] of plain numbers beside
//! its measurement. Everything that is concluded from them is concluded here, so that it can be
//! tested without a busy machine.

mod course;
mod environment;
mod machine;
mod observation;
#[cfg(test)]
mod tests;

pub use environment::{environment_warnings, mix_warnings};
pub use machine::{pressure_note, unrest};
pub use observation::{
    Accounting, DeviceTraffic, HostStart, Issued, Observation, ProcessorTime, Traffic, Waits,
};

use super::{Outcome, Point};
use crate::result::{Severity, ThroughputUnit, Warning};
use crate::words::units::Nanos;

/// A point is disturbed if something else can have changed its numbers by more than this share.
const OTHERS_SHARE_MAX: f64 = 0.05;

/// The wall clock was set when it moved against the monotonic one by more than this, in seconds.
/// Both follow the same corrections of frequency, so they differ by a step alone; the smallest
/// step that time services make is 128 ms, and two readings are a few microseconds apart.
const CLOCK_STEP_S_MIN: f64 = 0.010;

/// What limits the trust in a measured point.
pub(crate) fn findings(point: &Point<'_>, outcome: &Outcome) -> Vec<Warning> {
    let measurement = &outcome.measurement;
    let mut findings: Vec<Warning> = Vec::new();
    match &outcome.judged {
        Some(judged) => findings.extend(judged.iter().cloned()),
        None => findings.extend(observed(point, outcome)),
    }
    let counts: Vec<f64> =
        measurement.intervals.iter().map(|record| record.total().operations as f64).collect();
    let unit = ThroughputUnit::under(point.load.unit);
    findings.extend(course::standstills(point, outcome));
    // What shifts within a visit shows in the scatter between visits, and so in their answer.
    if point.visit.is_none() {
        findings.extend(course::level_shift_finding(&counts, (measurement.interval, unit)));
    }
    findings.extend(course::lateness(point, measurement));
    let interval = point.plan.timing.interval;
    findings.extend(outcome.starts.iter().flat_map(|start| uncommon_start(start, interval)));
    findings
}

/// What the observations of a point say, by what completed in it.
fn observed(point: &Point<'_>, outcome: &Outcome) -> Vec<Warning> {
    let mut findings = Vec::new();
    for observation in &outcome.observations {
        let issued = Issued::of(point, &outcome.measurement, observation.window.clone());
        let found = judge(&issued, observation).into_iter();
        findings.extend(found.map(|warning| warning.on_host(&observation.host)));
    }
    findings
}

/// What is wrong with the start of a host: by more than an interval it measured at another time than the
/// others.
fn uncommon_start(start: &HostStart, interval: Nanos) -> Vec<Warning> {
    let HostStart { host, late, clock, .. } = start;
    let (interval_ms, bound_ms) = (interval.as_millis_f64(), clock.bound_us / 1e3);
    let late = (*late > interval)
        .then(|| Warning::BeganLate { late_ms: late.as_millis_f64(), interval_ms });
    let uncertain =
        (bound_ms > interval_ms).then_some(Warning::ClockUncertain { bound_ms, interval_ms });
    late.into_iter().chain(uncertain).map(|warning| warning.on_host(host)).collect()
}

/// What an observation says about a point in which `issued` completed.
pub fn judge(issued: &Issued, observation: &Observation) -> Vec<Warning> {
    let mut findings = machine::traffic_findings(issued, observation);
    findings.extend(machine::others(issued, observation));
    findings.extend(machine::stolen(observation));
    findings.extend(machine::generator(issued, observation));
    findings.extend(clock_step(observation));
    findings
}

fn clock_step(observation: &Observation) -> Option<Warning> {
    let step_s = observation.clock_step_s;
    (step_s.abs() > CLOCK_STEP_S_MIN).then_some(Warning::ClockStepped { step_s })
}

/// A share of the numbers (above 0, at most 1) in percent.
fn disturbed_by(share: f64) -> f64 {
    debug_assert!(share > 0.0 && share <= 1.0, "{share}");
    100.0 * share
}

/// What remains of a whole when causes that do not depend on each other take these shares of it.
fn together(shares: impl IntoIterator<Item = f64>) -> f64 {
    1.0 - shares.into_iter().map(|share| 1.0 - share.clamp(0.0, 1.0)).product::<f64>()
}

/// The largest share by which a point can be off, in percent; `None` if nothing disturbed it, or
/// nothing bounds the share.
pub(crate) fn disturbed_percent(findings: &[Warning]) -> Option<f64> {
    let disturbing = || findings.iter().filter(|finding| finding.severity() == Severity::Disturbs);
    let percents: Option<Vec<f64>> = disturbing().map(Warning::disturbed_percent).collect();
    let mut shares: Vec<f64> = percents?.into_iter().map(|percent| percent / 100.0).collect();
    // The time that copies waited is the one that others had: it counts once.
    if disturbing().any(|finding| matches!(finding, Warning::CopiesWaited { .. })) {
        shares = shares.into_iter().reduce(f64::max).into_iter().collect();
    }
    disturbing().next().map(|_| (1000.0 * together(shares)).round() / 10.0)
}
