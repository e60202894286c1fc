//! How the conditions ended, a line each.

use kneepoint_core::analysis::comparison::{
    Bound, Check, Comparison, Gate, GateOutcome, UndecidedBecause,
};
use kneepoint_core::words::number::{Change, Percentage};

use super::letter;
use super::rows::interval_text;

/// Every check, and what came of all of them.
pub(super) fn gate_text(comparison: &Comparison, gate: &Gate) -> String {
    let several = comparison.runs.len() > 2;
    let mut text = String::new();
    for check in &gate.checks {
        let run =
            if several { format!(" in {}", letter(check.run as usize)) } else { String::new() };
        text.push_str(&format!(
            "{}: {}{run}: {}\n",
            outcome_word(check.outcome),
            check_name(check),
            reason(check)
        ));
    }
    let count = |outcome| gate.checks.iter().filter(|check| check.outcome == outcome).count();
    text.push_str(&format!(
        "{} passed, {} failed, {} cannot be told\n",
        count(GateOutcome::Passed),
        count(GateOutcome::Failed),
        count(GateOutcome::Undecided)
    ));
    for condition in gate.undecided_conditions() {
        text.push_str(&format!(
            "undecided: '{condition}' could be told nowhere; that fails unless --allow-undecided \
             accepts it\n"
        ));
    }
    text
}

const fn outcome_word(outcome: GateOutcome) -> &'static str {
    match outcome {
        GateOutcome::Passed => "passed",
        GateOutcome::Failed => "failed",
        GateOutcome::Undecided => "cannot tell",
    }
}

/// The condition with the series and the rule that it was compared with.
pub(super) fn check_name(check: &Check) -> String {
    let factors: Vec<String> =
        check.factors.iter().map(|(name, level)| format!("{name}={level}")).collect();
    let factors =
        if factors.is_empty() { String::new() } else { format!(" ({})", factors.join(", ")) };
    let rule = check.rule.as_ref().map(|rule| format!(" at {rule}")).unwrap_or_default();
    format!("{}{factors}, {}{rule}", check.series, check.condition)
}

/// What decided a check, or why nothing could.
pub(super) fn reason(check: &Check) -> String {
    let because = match check.because {
        None => None,
        Some(UndecidedBecause::TooUncertain) => {
            Some("the interval does not lie on one side of the limit; measure longer or more often")
        }
        Some(UndecidedBecause::NoInterval) => {
            Some("there is no confidence interval; measure longer, percentiles with --repeat")
        }
        Some(UndecidedBecause::Disturbed) => {
            Some("it rests on a point that something else disturbed; measure again")
        }
        Some(UndecidedBecause::Missing) => Some("not measured in both runs at the same load"),
        Some(UndecidedBecause::NoReference) => Some("the reference has no usable point"),
        Some(UndecidedBecause::AllFailed) => Some("no point of the run is usable"),
        Some(UndecidedBecause::OnlyBounded) => {
            Some("the rule is not crossed within the loads that were measured")
        }
    };
    let parts = [number(check), because.map(str::to_owned), detectable(check)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The change with its interval.
fn number(check: &Check) -> Option<String> {
    let percent = Change(check.percent?);
    let bound = match check.bound? {
        Bound::Exact => "",
        Bound::AtMost => "<= ",
        Bound::AtLeast => ">= ",
    };
    let interval = check.interval_percent.map(|interval| format!(" ({})", interval_text(interval)));
    Some(format!("{bound}{percent}{}", interval.unwrap_or_default()))
}

/// The smallest change that could have been told, where none was.
fn detectable(check: &Check) -> Option<String> {
    let is_uncertain = check.because == Some(UndecidedBecause::TooUncertain);
    let percent = check.detectable_percent.filter(|_| is_uncertain)?;
    Some(format!("a change of {} beyond the limit would be told", Percentage(percent)))
}
