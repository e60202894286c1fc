//! How throughput went over time at points that are not to be trusted without a look.

use kneepoint_core::result::{IntervalResult, PointResult, Verdict};

use super::curves::style;
use super::survey::SeriesView;
use super::words;
use crate::figure::{Drawing, Interval, Strip};
use crate::language::texts;
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
    let language = series.language;
    let text = match doubtful.len() {
        all if all == shown => texts::figures::strips_of_all(language).to_owned(),
        all => {
            texts::figures::strips_of_some(language, &language.count(shown), &language.count(all))
        }
    };
    let strips = doubtful[..shown].iter().map(|point| strip(series, point)).collect();
    vec![Block::paragraph(text), Block::Strips(strips)]
}

fn strip(series: &SeriesView<'_>, point: &PointResult) -> Figure {
    let (judge, language) = (series.judge, series.language);
    let load = words::level(language, point.load);
    let verdict = &words::verdict(language, point);
    let mean = judge.estimate(point).mean;
    let strip = Strip {
        language: series.language,
        title: texts::figures::strip(language, series.name, &load),
        heading: texts::figures::strip_heading(
            language,
            &load,
            verdict,
            &judge.print(language, mean),
        ),
        value: texts::grids::throughput_in(language, judge.unit()),
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
            texts::figures::mean(language, &response)
        ),
    }
}
