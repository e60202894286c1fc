//! How throughput went over time at points that are not to be trusted without a look.

use kneepoint_core::number::{Count, Rate, ResponseTime};
use kneepoint_core::result::{IntervalResult, PointResult, Verdict};

use super::judge::Judge;
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
        .filter(|point| !matches!(point.verdict, Verdict::Steady | Verdict::TimeLimit))
        .filter(|point| !point.intervals.is_empty())
        .collect();
    if doubtful.is_empty() {
        return Vec::new();
    }
    let shown = doubtful.len().min(STRIPS_MAX);
    let which = match doubtful.len() - shown {
        0 => "the points of this series that are neither steady nor at their time limit".to_owned(),
        more => format!(
            "the first {} of {} points of this series that are neither steady nor at their time limit",
            Count(shown as u64),
            Count((shown + more) as u64)
        ),
    };
    let text =
        format!("Throughput over the measured time of {which}; the dashed line is the mean.");
    let strips = doubtful[..shown].iter().map(|point| strip(series, point)).collect();
    vec![Block::paragraph(text), Block::Strips(strips)]
}

fn strip(series: &SeriesView<'_>, point: &PointResult) -> Figure {
    let judge = series.judge;
    let (load, verdict) = (words::level(point.load()), words::verdict(point.verdict));
    let mean = judge.estimate(point).mean;
    let strip = Strip {
        language: series.language,
        title: format!("Throughput over time of {} at {load}", series.name),
        heading: format!("{load}: {verdict}, mean {}", judge.print(mean)),
        value: format!("Throughput in {}", judge.unit()),
        intervals: point.intervals.iter().map(|interval| bar(judge, interval)).collect(),
        mean,
    };
    Figure::new("", Drawing::Strip(strip))
}

fn bar(judge: Judge, interval: &IntervalResult) -> Interval {
    let value = match judge {
        Judge::Iops => interval.iops,
        Judge::MibPerS => interval.throughput_mib_s,
    };
    Interval {
        start_s: interval.start_s,
        length_s: interval.length_s,
        value,
        tooltip: format!(
            "{} s: {}, mean {}",
            Rate(interval.start_s),
            judge.print(value),
            ResponseTime(interval.latency_mean_ms)
        ),
    }
}
