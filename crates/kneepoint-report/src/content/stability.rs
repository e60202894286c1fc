//! How throughput went over time at points that are not to be trusted without a look.

use kneepoint_core::result::{IntervalResult, PointResult, Verdict};

use super::curves::style;
use super::survey::SeriesView;
use super::words;
use crate::figure::{Drawing, Interval, Strip};
use crate::page::{Block, Figure};

/// More strips than this per series would not be looked at.
const STRIPS_MAX: usize = 6;

/// Strips of the points whose verdict is neither steady nor time limit.
pub(super) fn blocks(series: &SeriesView<'_>) -> Vec<Block> {
    let doubtful: Vec<&PointResult> = series
        .points
        .iter()
        .copied()
        .filter(|point| {
            !matches!(point.verdict, Verdict::Steady | Verdict::TimeLimit | Verdict::Fixed)
        })
        .filter(|point| !point.intervals.is_empty())
        .collect();
    if doubtful.is_empty() {
        return Vec::new();
    }
    let shown = doubtful.len().min(STRIPS_MAX);
    let (texts, language) = (&series.texts().figures, series.language);
    let text = match doubtful.len() {
        all if all == shown => texts.strips_of_all.to_owned(),
        all => (texts.strips_of_some)(&language.count(shown), &language.count(all)),
    };
    let strips = doubtful[..shown].iter().map(|point| strip(series, point)).collect();
    vec![Block::paragraph(text), Block::Strips(strips)]
}

fn strip(series: &SeriesView<'_>, point: &PointResult) -> Figure {
    let (judge, language, texts) = (series.judge, series.language, series.texts());
    let load = words::level(language, point.load);
    let verdict = &words::verdict(language, point);
    let mean = judge.estimate(point).mean;
    let strip = Strip {
        language: series.language,
        title: (texts.figures.strip)(series.name, &load),
        heading: (texts.figures.strip_heading)(&load, verdict, &judge.print(language, mean)),
        value: (texts.grids.throughput_in)(judge.unit()),
        intervals: point.intervals.iter().map(|interval| bar(series, interval)).collect(),
        mean,
        verdict: verdict.to_owned(),
        style: style(point),
    };
    Figure::new("", Drawing::Strip(strip))
}

fn bar(series: &SeriesView<'_>, interval: &IntervalResult) -> Interval {
    let (judge, language) = (series.judge, series.language);
    let response = language.response_time(interval.latency_mean_ms);
    let value = judge.interval(interval);
    Interval {
        start_s: interval.start_s,
        length_s: interval.length_s,
        value,
        tooltip: format!(
            "{} s: {}, {}",
            language.rate(interval.start_s),
            judge.print(language, value),
            (series.texts().figures.mean)(&response)
        ),
    }
}
