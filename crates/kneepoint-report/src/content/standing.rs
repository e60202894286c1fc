//! Where a series stands at a rule and at its peak, in words.

use kneepoint_core::number::{Iops, MibPerS, ResponseTime};
use kneepoint_core::result::{DoubtAbout, PointResult, Summary, SustainedStatus};
use kneepoint_core::rule::{Metric, Rule};

use super::judge::Judge;
use super::survey::SeriesView;
use super::words;
use crate::page::Tone;

/// A result with what it needs to be understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Standing {
    /// The result: a number with its unit, or why there is none.
    pub(super) headline: String,
    /// At which load; may be empty.
    pub(super) detail: String,
    pub(super) tone: Tone,
}

/// Where the series meets the summary's rule.
pub(super) fn sustained(series: &SeriesView<'_>, summary: &Summary) -> Standing {
    let curve = series.curve();
    let limit = match summary.rule.parse::<Rule>() {
        Ok(rule) => words::limit(rule.limit),
        Err(_) => summary.rule.clone(),
    };
    match summary.sustained.status {
        SustainedStatus::Met => met(series, summary),
        SustainedStatus::BelowFirst => Standing {
            headline: format!("already above {limit} at the lowest load"),
            detail: curve.first().map_or_else(String::new, |point| response(point, summary)),
            tone: Tone::Muted,
        },
        SustainedStatus::BeyondLast => Standing {
            headline: match curve.last() {
                Some(point) => format!("rule not reached: still {}", response(point, summary)),
                None => "rule not reached".to_owned(),
            },
            detail: String::new(),
            tone: Tone::Muted,
        },
        SustainedStatus::Unknown => unknown(),
    }
}

fn met(series: &SeriesView<'_>, summary: &Summary) -> Standing {
    let Some(value) = series.judge.sustained(&summary.sustained) else { return unknown() };
    let other = match series.judge {
        Judge::Iops => summary.sustained.throughput_mib_s.map(|rate| MibPerS(rate).to_string()),
        Judge::MibPerS => summary.sustained.iops.map(|rate| Iops(rate).to_string()),
    };
    let load = summary.sustained.outstanding;
    let load = load.map(|load| format!("at {}", words::load(load, summary.load_unit)));
    let doubt = doubtful(summary, DoubtAbout::Sustained).map(|doubt| format!("({doubt})"));
    Standing {
        headline: series.judge.print(value),
        tone: if doubt.is_some() { Tone::Caution } else { Tone::Plain },
        detail: [other, load, doubt].into_iter().flatten().collect::<Vec<_>>().join(" "),
    }
}

fn unknown() -> Standing {
    Standing {
        headline: "unknown: no usable point".to_owned(),
        detail: String::new(),
        tone: Tone::Muted,
    }
}

/// The response time that the rule looks at, and the load: `3.20 ms at 64 outstanding`.
fn response(point: &PointResult, summary: &Summary) -> String {
    let metric = summary.rule.parse::<Rule>().map_or(Metric::Mean, |rule| rule.metric);
    let time = ResponseTime(point.latency_ms.of(metric));
    format!("{time} at {}", words::level(point.load()))
}

/// Why a number of the summary is to be read with a reservation, if it is.
pub(super) fn doubtful(summary: &Summary, about: DoubtAbout) -> Option<String> {
    let doubts = summary.doubts.iter().filter(|doubt| doubt.about == about);
    let texts: Vec<String> = doubts
        .map(|doubt| {
            let load = words::load(doubt.load, summary.load_unit);
            format!("the point at {load} is {}", words::verdict(doubt.verdict))
        })
        .collect();
    (!texts.is_empty()).then(|| words::listed(&texts))
}

/// The peak as three texts: throughput, load, response time.
pub(super) fn peak(series: &SeriesView<'_>) -> Option<(Standing, String, String)> {
    let summary = series.summaries.iter().find(|summary| summary.peak.is_some())?;
    let peak = summary.peak?;
    let other = match series.judge {
        Judge::Iops => MibPerS(peak.throughput_mib_s).to_string(),
        Judge::MibPerS => Iops(peak.iops).to_string(),
    };
    let doubt = doubtful(summary, DoubtAbout::Peak);
    let tone = if doubt.is_some() { Tone::Caution } else { Tone::Plain };
    let detail = doubt.map_or_else(|| other.clone(), |doubt| format!("{other} ({doubt})"));
    let standing =
        Standing { headline: series.judge.print(series.judge.peak(&peak)), detail, tone };
    let load = words::load(peak.outstanding, summary.load_unit);
    Some((standing, load, ResponseTime(peak.latency_ms).to_string()))
}
