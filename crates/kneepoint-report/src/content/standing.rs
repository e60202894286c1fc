//! Where a series stands at a rule and at its peak, in words.

use kneepoint_core::number::{Iops, MibPerS, ResponseTime};
use kneepoint_core::result::{Peak, PointResult, Summary, SustainedStatus, Verdict};
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
    let doubt = doubtful(series, summary).map(|doubt| format!("({doubt})"));
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

/// Why a sustained throughput is to be read with a reservation, if it is.
pub(super) fn doubtful(series: &SeriesView<'_>, summary: &Summary) -> Option<String> {
    let load = summary.sustained.outstanding?;
    let curve = series.curve();
    let below = curve.iter().rev().find(|point| point.load().value <= load);
    let above = curve.iter().find(|point| point.load().value >= load);
    doubts(below.into_iter().chain(above).copied())
}

/// Why a peak is to be read with a reservation, if it is.
pub(super) fn doubtful_peak(series: &SeriesView<'_>, peak: &Peak) -> Option<String> {
    let at_peak = |point: &&PointResult| point.load().value == peak.outstanding;
    doubts(series.curve().into_iter().filter(at_peak))
}

/// Names the verdicts that a number should not rest on.
fn doubts<'a>(points: impl Iterator<Item = &'a PointResult>) -> Option<String> {
    let mut doubts: Vec<String> = points
        .filter(|point| matches!(point.verdict, Verdict::Drifting | Verdict::Invalid))
        .map(|point| {
            format!(
                "the point at {} is {}",
                words::level(point.load()),
                words::verdict(point.verdict)
            )
        })
        .collect();
    doubts.dedup();
    (!doubts.is_empty()).then(|| words::listed(&doubts))
}

/// The peak as three texts: throughput, load, response time.
pub(super) fn peak(series: &SeriesView<'_>) -> Option<(Standing, String, String)> {
    let summary = series.summaries.iter().find(|summary| summary.peak.is_some())?;
    let peak = summary.peak?;
    let other = match series.judge {
        Judge::Iops => MibPerS(peak.throughput_mib_s).to_string(),
        Judge::MibPerS => Iops(peak.iops).to_string(),
    };
    let doubt = doubtful_peak(series, &peak);
    let tone = if doubt.is_some() { Tone::Caution } else { Tone::Plain };
    let detail = doubt.map_or_else(|| other.clone(), |doubt| format!("{other} ({doubt})"));
    let standing =
        Standing { headline: series.judge.print(series.judge.peak(&peak)), detail, tone };
    let load = words::load(peak.outstanding, summary.load_unit);
    Some((standing, load, ResponseTime(peak.latency_ms).to_string()))
}
