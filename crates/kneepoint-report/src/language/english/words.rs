//! Words that all chapters share.

use kneepoint_core::result::Verdict;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Metric;

use crate::language::Language::English;
use crate::language::catalog::Words;

pub(super) const TEXTS: Words = Words {
    and: "and",
    none: "none",
    not_recorded: "not recorded",
    points: |count| counted(count, "point", "points"),
    range: |from, to| format!("{from} to {to}"),
    load: |value, unit| format!("{} {}", English.level(value), noun(value, unit)),
    at_load: |value, unit| format!("{} {}", English.level(value), noun(value, unit)),
    loads: |values, unit| format!("{values} {}", noun(2.0, unit)),
    times_at: |times, load| format!("{times} times that at load {load}"),
    load_title: |unit| match unit {
        LoadUnit::OutstandingIos => "Outstanding I/Os",
        LoadUnit::OfferedIops => "Offered IO/s",
        LoadUnit::Users => "Users",
        LoadUnit::Warehouses => "Warehouses",
        LoadUnit::Copies => "Copies",
    },
    each_target: |what| format!("{what} per target"),
    metric: |metric| metric.to_string(),
    response_of: |metric| match metric {
        Metric::Mean => "Mean response time".to_owned(),
        Metric::Max => "Largest response time".to_owned(),
        Metric::P50 => "Median response time".to_owned(),
        other => format!("{other} response time"),
    },
    verdict: |verdict| match verdict {
        Verdict::Steady => "steady",
        Verdict::TimeLimit => "time limit",
        Verdict::Fixed => "fixed time",
        Verdict::Drifting => "drifting",
        Verdict::Failed => "failed",
        Verdict::Disturbed => "disturbed",
    },
    verdict_meaning: meaning,
    title: |_| None,
    series: "Series",
    load_word: "Load",
    target: "Target",
    throughput: "Throughput",
    response_time: "Response time",
    mean: "Mean",
    smallest: "Smallest",
    largest: "Largest",
    errors: "Errors",
    verdict_word: "Verdict",
    rule: "Rule",
};

fn noun(value: f64, unit: LoadUnit) -> &'static str {
    match unit {
        LoadUnit::OutstandingIos => "outstanding",
        unit => unit.label_of(value),
    }
}

/// `1 point`, `12 points`.
pub(super) fn counted(count: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", English.count(count), if count == 1 { singular } else { plural })
}

const fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Steady => "The accuracy that was asked for was reached.",
        Verdict::TimeLimit => {
            "Measured for all of the time allowed; the confidence interval, where given, says how \
             far the number can be trusted."
        }
        Verdict::Fixed => {
            "Measured for the time that was asked for; the confidence interval, where given, says \
             how far the number can be trusted."
        }
        Verdict::Drifting => {
            "Throughput rose or fell while it was measured; the mean is of a moving thing."
        }
        Verdict::Failed => {
            "Too many I/Os failed, or none completed; in no figure and no key figure."
        }
        Verdict::Disturbed => {
            "Something else disturbed the measurement; the number is kept and marked."
        }
    }
}
