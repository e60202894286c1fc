//! How points that were measured in rounds came to steady state.

use kneepoint_core::result::{PointResult, SteadyStateResult};

use super::curves::style;
use super::survey::SeriesView;
use super::words;
use crate::figure::{Drawing, Interval, Strip};
use crate::language::texts;
use crate::page::{Block, Figure};

/// Strips of the rounds of every point that has them.
pub(super) fn blocks(series: &SeriesView<'_>) -> Vec<Block> {
    let strips: Vec<Figure> =
        series.points.iter().filter_map(|point| strip(series, point)).collect();
    if strips.is_empty() {
        return Vec::new();
    }
    vec![Block::paragraph(texts::figures::rounds(series.language)), Block::Strips(strips)]
}

fn strip(series: &SeriesView<'_>, point: &PointResult) -> Option<Figure> {
    let steady = point.steady_state.as_ref()?;
    let load = words::level(series.language, point.load);
    let strip = Strip {
        language: series.language,
        title: texts::figures::rounds_strip(series.language, series.name, &load),
        heading: format!("{load}: {}", outcome(series, steady)),
        value: texts::grids::throughput_in(series.language, "IO/s"),
        intervals: bars(series, steady),
        mean: steady.window.map_or(point.rate.mean, |window| window.rate_mean),
        verdict: texts::words::verdict(series.language, point.verdict).to_owned(),
        style: style(point),
    };
    Some(Figure::new("", Drawing::Strip(strip)))
}

/// `range 3.1 %, slope -0.4 %` of the last rounds, or how many there were too few of.
fn outcome(series: &SeriesView<'_>, steady: &SteadyStateResult) -> String {
    let language = series.language;
    steady.window.map_or_else(
        || texts::figures::few_rounds(language, steady.rounds.len()),
        |window| {
            let range = language.written(&format!("{:.1}%", window.range_percent));
            let slope = language.written(&format!("{:+.1}%", window.slope_percent));
            texts::figures::steady(language, &range, &slope)
        },
    )
}

fn bars(series: &SeriesView<'_>, steady: &SteadyStateResult) -> Vec<Interval> {
    let language = series.language;
    let bar = |(index, round): (usize, &kneepoint_core::result::RoundResult)| Interval {
        start_s: round.start_s,
        length_s: steady.round_s,
        value: round.rate,
        tooltip: texts::figures::round(
            language,
            &language.count(index + 1),
            &language.iops(round.rate),
            &language.response_time(round.latency_mean_ms),
        ),
    };
    steady.rounds.iter().enumerate().map(bar).collect()
}
