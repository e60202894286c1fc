//! Rounds until steady state, and what is written before them, as a plan tells them.

use kneepoint_core::plan::{Plan, Precondition, RoundPlan, SteadyState};
use kneepoint_core::spec::suite::TrackedQuantity;
use kneepoint_core::words::number::{RoundedBytes, Span};
use kneepoint_core::words::units::{Bytes, Nanos};

/// Rounds over all series.
pub(super) fn series_rounds_text(rounds: &RoundPlan) -> String {
    let rule = &rounds.steady_state;
    let samples = match rounds.every {
        1 => format!("last {} of them", rule.window),
        every => format!("last {} samples, {every} rounds apart,", rule.window),
    };
    let quantity = match rounds.quantity {
        TrackedQuantity::Rate => "throughput",
        TrackedQuantity::Mean => "mean response time",
    };
    format!(
        "rounds: {} to {} over all series in their order, until the {samples} are steady: range within {} \
         of the mean, slope within {}, of the {quantity} of {}\n",
        rounds.least(),
        rule.rounds_max,
        rule.range,
        rule.slope,
        rounds.tracked.join(", "),
    )
}

/// A point of rounds.
pub(super) fn rounds_text(ramp: Nanos, rule: &SteadyState) -> String {
    format!(
        "{ramp} ramp, then {} to {} rounds of {} until the last {} are steady: range within {} \
         of the mean, slope within {}; these are measured",
        rule.window, rule.rounds_max, rule.round, rule.window, rule.range, rule.slope
    )
}

/// The bytes that preconditioning writes, how long that may take, and the wear of the drive.
pub(super) fn precondition_text(plan: &Plan) -> String {
    let Some(Precondition { sequential, random }) = &plan.precondition else {
        return String::new();
    };
    let used: u64 = plan.targets.iter().map(|target| target.size_bytes).sum();
    let bytes = plan.precondition_bytes();
    let (then, wear) = match random {
        None => (String::new(), ["it", ""]),
        Some(random) => {
            let rule = &random.steady_state;
            let rounds = |count: u32| Span(Nanos(rule.round.0 * u64::from(count)));
            let then = format!(
                "; then {} random writes at the target's own pace for {} to {}",
                Bytes(random.block_bytes),
                rounds(rule.window),
                rounds(rule.rounds_max),
            );
            (then, ["the sequential part alone", "; the random part adds to that"])
        }
    };
    format!(
        "preconditioning: writes {} ({bytes} bytes) in sequence, {} blocks{then}\nwear: {} writes {:.1} \
         times what is used of the targets ({}){}\n",
        RoundedBytes(bytes),
        Bytes(sequential.block_bytes),
        wear[0],
        bytes as f64 / used.max(1) as f64,
        RoundedBytes(used),
        wear[1],
    )
}
