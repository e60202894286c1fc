//! Rounds over all series: the test for steady state, and the points that count.

use std::borrow::Cow;

use super::merged_points;
use crate::measure::search::{RoundTrial, TrackedTest};
use crate::plan::Plan;
use crate::result::series_key::by_series;
use crate::result::{PointResult, RoundCell, RoundsAnalysis, TrackedSeries};

/// What the rounds of `plan` show; `None` if it has none.
pub(super) fn rounds(points: &[PointResult], plan: &Plan) -> Option<RoundsAnalysis> {
    let rule = plan.rounds.as_ref()?;
    let trial = RoundTrial::of(rule, points);
    let attained = trial.is_attained(rule);
    let tracked = trial.tracked.into_iter().map(tracked).collect();
    let counted = in_window(points, &trial.window);
    let cells = by_series(&counted).into_iter().filter_map(|series| {
        let merged = merged_points(&series.points).into_iter().next()?;
        Some(RoundCell {
            series: series.key.name.to_owned(),
            rate: merged.rate.mean,
            volume: merged.mib_s(),
            latency_mean_ms: merged.latency_ms.mean,
            latency_max_ms: merged.latency_ms.max,
        })
    });
    Some(RoundsAnalysis {
        rounds: trial.rounds,
        rounds_max: rule.steady_state.rounds_max,
        attained,
        quantity: rule.quantity,
        range_percent_max: rule.steady_state.range.get(),
        slope_percent_max: rule.steady_state.slope.get(),
        tracked,
        cells: cells.collect(),
        window: trial.window,
    })
}

fn tracked(test: TrackedTest<'_>) -> TrackedSeries {
    let found = test.determination;
    TrackedSeries {
        series: test.series.to_owned(),
        mean: found.mean,
        range_percent: found.range_percent,
        slope_percent: found.slope_percent,
        is_steady: test.is_steady,
    }
}

/// The points that the numbers of a run rest on: with `rounds` those of their window, if they have one.
pub fn counted_points<'a>(
    points: &'a [PointResult],
    rounds: Option<&RoundsAnalysis>,
) -> Cow<'a, [PointResult]> {
    match rounds {
        None => Cow::Borrowed(points),
        Some(rounds) => in_window(points, &rounds.window),
    }
}

/// What a table shows: of rounds each series once, over those that count.
pub fn points_of_rounds<'a>(
    points: &'a [PointResult],
    rounds: Option<&RoundsAnalysis>,
) -> Cow<'a, [PointResult]> {
    if rounds.is_none() {
        return Cow::Borrowed(points);
    }
    let counted = counted_points(points, rounds);
    let merged = by_series(&counted).into_iter().flat_map(|series| merged_points(&series.points));
    Cow::Owned(merged.collect())
}

fn in_window<'a>(points: &'a [PointResult], window: &[u32]) -> Cow<'a, [PointResult]> {
    if window.is_empty() {
        return Cow::Borrowed(points);
    }
    let is_in = |point: &&PointResult| window.contains(&point.repetition_of_plan());
    Cow::Owned(points.iter().filter(is_in).cloned().collect())
}
