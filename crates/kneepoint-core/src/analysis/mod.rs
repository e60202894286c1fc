//! What the points mean: sustained throughput, peak, warnings of a whole run.
//!
//! Analysis is pure and can be repeated on stored points at any time; it never changes them.

mod curve;
mod repetition;
mod summary;

pub use summary::{summarize, summarize_plan};

use crate::result::PointResult;

/// The points of `series` that its summaries rest on, by rising load: none that failed, and of
/// several measurements of one load their mean.
pub fn merged_points(series: &str, points: &[PointResult]) -> Vec<PointResult> {
    curve::Curve::of(series, points).into_points()
}
