//! Phrases: how the parts of a result read in a sentence.

use kneepoint_core::load::{LoadLevel, LoadUnit};
use kneepoint_core::number::Level;
use kneepoint_core::result::Verdict;
use kneepoint_core::rule::{Metric, Rule};
use kneepoint_core::units::Nanos;

use crate::page::Tone;

/// What is printed where there is nothing to print.
pub(super) const NOTHING: &str = "–";

/// `1 point`, `12 points`; `plural` is used for all counts but one.
pub(super) fn counted(count: usize, singular: &str, plural: &str) -> String {
    let noun = if count == 1 { singular } else { plural };
    format!("{} {noun}", kneepoint_core::number::Count(count as u64))
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The load as it follows a number: `64 outstanding`, `1,200 offered IO/s`.
pub(super) fn load(value: f64, unit: LoadUnit) -> String {
    format!("{} {}", Level(value), load_noun(unit))
}

/// The unit of a load, short.
pub(super) const fn load_noun(unit: LoadUnit) -> &'static str {
    match unit {
        LoadUnit::OutstandingIos => "outstanding",
        LoadUnit::OfferedIops => "offered IO/s",
    }
}

/// The load of a point.
pub(super) fn level(level: LoadLevel) -> String {
    load(level.value, level.unit)
}

/// A limit as it was typed, with a space before the unit: `20 ms`.
pub(super) fn limit(limit: Nanos) -> String {
    let text = limit.to_string();
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    format!("{} {}", &text[..unit], &text[unit..])
}

/// A rule as a formula: `mean ≤ 20 ms`; a rule that cannot be read stands as it was typed.
pub(super) fn rule(text: &str) -> String {
    match text.parse::<Rule>() {
        Ok(rule) => format!("{} ≤ {}", rule.metric, limit(rule.limit)),
        Err(_) => text.to_owned(),
    }
}

/// Which response time a rule looks at.
pub(super) fn metric(metric: Metric) -> String {
    match metric {
        Metric::Mean => "mean response time".to_owned(),
        Metric::Max => "largest response time".to_owned(),
        Metric::P50 => "median response time".to_owned(),
        other => format!("{other} response time"),
    }
}

/// The verdict in words.
pub(super) const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Steady => "steady",
        Verdict::TimeLimit => "time limit",
        Verdict::Drifting => "drifting",
        Verdict::Failed => "failed",
        Verdict::Invalid => "invalid",
    }
}

/// What a verdict means for the reader.
pub(super) const fn verdict_meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Steady => "The accuracy that was asked for was reached.",
        Verdict::TimeLimit => {
            "Measured for all of the time allowed; the confidence interval, where given, says how \
             far the number can be trusted."
        }
        Verdict::Drifting => {
            "Throughput rose or fell while it was measured; the mean is of a moving thing."
        }
        Verdict::Failed => {
            "Too many I/Os failed, or none completed; in no figure and no key figure."
        }
        Verdict::Invalid => {
            "Something else disturbed the measurement; the number is kept and marked."
        }
    }
}

/// The colour of a verdict.
pub(super) const fn verdict_tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Steady => Tone::Good,
        Verdict::TimeLimit => Tone::Plain,
        Verdict::Drifting => Tone::Caution,
        Verdict::Failed | Verdict::Invalid => Tone::Bad,
    }
}

/// A fact's key as a name: `read_ahead_kb` becomes `Read ahead kb`.
pub(super) fn key(key: &str) -> String {
    let words = key.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_formulas() {
        assert_eq!(rule("mean<=20ms"), "mean ≤ 20 ms");
        assert_eq!(rule("p99.9<=1.5ms"), "p99.9 ≤ 1.5 ms");
        assert_eq!(rule("fast enough"), "fast enough");
    }

    #[test]
    fn lists_end_with_and() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&items), "a, b and c");
        assert_eq!(listed(&items[..1]), "a");
    }
}
