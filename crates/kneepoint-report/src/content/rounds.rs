//! How points that were measured in rounds came to steady state.

use kneepoint_core::number::{Count, Rate, ResponseTime};
use kneepoint_core::result::{PointResult, SteadyStateResult};

use super::survey::SeriesView;
use super::words;
use crate::figure::{Drawing, Interval, Strip};
use crate::page::{Block, Figure};

/// Strips of the rounds of every point that has them.
pub(super) fn blocks(series: &SeriesView<'_>) -> Vec<Block> {
    let strips: Vec<Figure> =
        series.points.iter().filter_map(|point| strip(series, point)).collect();
    if strips.is_empty() {
        return Vec::new();
    }
    let text = "IO/s of every round, from the first one on; the dashed line is the mean of the \
                last rounds, which are the ones measured. Range and slope are those of the test \
                for steady state, in percent of that mean.";
    vec![Block::paragraph(text), Block::Strips(strips)]
}

fn strip(series: &SeriesView<'_>, point: &PointResult) -> Option<Figure> {
    let steady = point.steady_state.as_ref()?;
    let load = words::level(point.load());
    let strip = Strip {
        language: series.language,
        title: format!("Rounds of {} at {load}", series.name),
        heading: format!("{load}: {}", outcome(steady)),
        value: "Throughput in IO/s".to_owned(),
        intervals: bars(steady),
        mean: steady.window.map_or(point.iops.mean, |window| window.iops_mean),
    };
    Some(Figure::new("", Drawing::Strip(strip)))
}

/// `range 3.1 %, slope -0.4 %` of the last rounds, or how many there were too few of.
fn outcome(steady: &SteadyStateResult) -> String {
    steady.window.map_or_else(
        || format!("{} rounds, too few to tell", Count(steady.rounds.len() as u64)),
        |window| {
            format!("range {:.1} %, slope {:+.1} %", window.range_percent, window.slope_percent)
        },
    )
}

fn bars(steady: &SteadyStateResult) -> Vec<Interval> {
    let bar = |(index, round): (usize, &kneepoint_core::result::RoundResult)| Interval {
        start_s: round.start_s,
        length_s: steady.round_s,
        value: round.iops,
        tooltip: format!(
            "round {}: {} IO/s, mean {}",
            index + 1,
            Rate(round.iops),
            ResponseTime(round.latency_mean_ms)
        ),
    };
    steady.rounds.iter().enumerate().map(bar).collect()
}
