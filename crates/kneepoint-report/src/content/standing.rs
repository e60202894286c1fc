//! Where a series stands at a rule and at its peak, in words.

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

impl Standing {
    /// A result that is no number.
    fn muted(headline: impl Into<String>, detail: String) -> Self {
        Self { headline: headline.into(), detail, tone: Tone::Muted }
    }
}

/// Where the series meets the summary's rule.
pub(super) fn sustained(series: &SeriesView<'_>, summary: &Summary) -> Standing {
    let texts = &series.texts().standing;
    let curve = series.curve();
    let limit = match summary.rule.parse::<Rule>() {
        Ok(rule) => words::limit(series.language, rule.limit),
        Err(_) => summary.rule.clone(),
    };
    let response = |point: &PointResult| response(series, point, summary);
    match summary.sustained.status {
        SustainedStatus::Met => met(series, summary),
        SustainedStatus::BelowFirst => {
            let detail = curve.first().map_or_else(String::new, |point| response(point));
            Standing::muted((texts.above_at_lowest)(&limit), detail)
        }
        SustainedStatus::BeyondLast => match curve.last() {
            Some(point) => {
                Standing::muted((texts.not_reached_still)(&response(point)), String::new())
            }
            None => Standing::muted(texts.not_reached, String::new()),
        },
        SustainedStatus::Unknown => Standing::muted(texts.unknown, String::new()),
    }
}

fn met(series: &SeriesView<'_>, summary: &Summary) -> Standing {
    let (texts, language) = (series.texts(), series.language);
    let Some(value) = series.judge.sustained(&summary.sustained) else {
        return Standing::muted(texts.standing.unknown, String::new());
    };
    let other = match series.judge {
        Judge::Iops => summary.sustained.throughput_mib_s.map(|rate| language.mib_per_s(rate)),
        Judge::MibPerS => summary.sustained.iops.map(|rate| language.iops(rate)),
    };
    let load = summary.sustained.outstanding;
    let load =
        load.map(|load| (texts.standing.at)(&(texts.words.at_load)(load, summary.load_unit)));
    let doubt = doubtful(series, summary, DoubtAbout::Sustained).map(|doubt| format!("({doubt})"));
    Standing {
        headline: series.judge.print(language, value),
        tone: if doubt.is_some() { Tone::Caution } else { Tone::Plain },
        detail: [other, load, doubt].into_iter().flatten().collect::<Vec<_>>().join(" "),
    }
}

/// The response time that the rule looks at, and the load: `3.20 ms at 64 outstanding`.
fn response(series: &SeriesView<'_>, point: &PointResult, summary: &Summary) -> String {
    let metric = summary.rule.parse::<Rule>().map_or(Metric::Mean, |rule| rule.metric);
    let time = series.language.response_time(point.latency_ms.of(metric));
    let load = words::at_level(series.language, point.load());
    (series.texts().standing.response_at)(&time, &load)
}

/// Why a number of the summary is to be read with a reservation, if it is.
pub(super) fn doubtful(
    series: &SeriesView<'_>,
    summary: &Summary,
    about: DoubtAbout,
) -> Option<String> {
    let texts = series.texts();
    let doubts = summary.doubts.iter().filter(|doubt| doubt.about == about);
    let phrases: Vec<String> = doubts
        .map(|doubt| {
            let load = (texts.words.at_load)(doubt.load, summary.load_unit);
            (texts.standing.doubt)(&load, (texts.words.verdict)(doubt.verdict))
        })
        .collect();
    (!phrases.is_empty()).then(|| words::listed(series.language, &phrases))
}

/// The peak as three texts: throughput, load behind a preposition, response time.
pub(super) fn peak(series: &SeriesView<'_>) -> Option<(Standing, String, String)> {
    let language = series.language;
    let summary = series.summaries.iter().find(|summary| summary.peak.is_some())?;
    let peak = summary.peak?;
    let other = match series.judge {
        Judge::Iops => language.mib_per_s(peak.throughput_mib_s),
        Judge::MibPerS => language.iops(peak.iops),
    };
    let doubt = doubtful(series, summary, DoubtAbout::Peak);
    let tone = if doubt.is_some() { Tone::Caution } else { Tone::Plain };
    let detail = doubt.map_or_else(|| other.clone(), |doubt| format!("{other} ({doubt})"));
    let headline = series.judge.print(language, series.judge.peak(&peak));
    let load = (series.texts().words.at_load)(peak.outstanding, summary.load_unit);
    Some((Standing { headline, detail, tone }, load, language.response_time(peak.latency_ms)))
}
