//! What the points mean: sustained throughput, peak, warnings of a whole run.
//!
//! Analysis is pure and can be repeated on stored points at any time; it never changes them.

pub mod between;
pub mod comparison;
mod copies;
mod curve;
mod effects;
mod estimate;
pub mod examination;
pub mod findings;
mod mark;
mod overload;
mod plausibility;
mod processor;
mod published;
mod readout;
pub mod reference;
mod repetition;
mod rounds;
mod run;
mod saturation;
mod score;
mod summary;
mod sustained;
mod user_counts;

pub use copies::summarize_copies;
pub use effects::effects;
pub use rounds::{counted_points, points_of_rounds};
pub use summary::{summarize, summarize_plan};

use crate::measure::search::is_visited;
use crate::result::PointResult;
use crate::result::series_key::by_series;

/// What the summaries of a series rest on, from its `points`, by rising load: none that failed, and
/// of several measurements of one load their mean.
pub fn merged_points(points: &[&PointResult]) -> Vec<PointResult> {
    curve::Curve::of(points.iter().copied()).into_points()
}

/// The points as a table shows them: the visits of a load in a search as one, by rising load; others
/// as they were measured.
pub fn points_of_table(points: &[PointResult]) -> Vec<PointResult> {
    let rows = by_series(points).into_iter().flat_map(|series| match is_visited(&series.points) {
        true => merged_points(&series.points),
        false => series.points.iter().map(|point| (*point).clone()).collect(),
    });
    rows.collect()
}
