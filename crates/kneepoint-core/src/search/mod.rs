//! The search over load levels: what to measure next, from what was measured so far.
//!
//! A search has no state of its own. What comes next follows from the plan and from the points
//! that are there, so an interrupted run continues exactly where it stopped.

mod knee;
mod order;
#[cfg(test)]
mod tests;

pub(crate) use knee::{Bracket, bracket, breaks};
pub use knee::{SearchEnd, search_end};
pub use order::{NextPoint, next_point};

use crate::load::LoadLevel;
use crate::plan::{SearchPlan, SeriesPlan};
use crate::result::PointResult;
use crate::rule::Rule;

/// The next load level of one series in one repetition; `None` once it is done.
///
/// `measured` are the points of that series and repetition.
fn next_level(series: &SeriesPlan, rules: &[Rule], measured: &[&PointResult]) -> Option<LoadLevel> {
    match &series.search {
        SearchPlan::Grid => next_of_grid(series, measured),
        SearchPlan::Knee(plan) => knee::next_level(series, plan, rules, measured),
    }
}

/// The first level of the grid that was not measured yet.
fn next_of_grid(series: &SeriesPlan, measured: &[&PointResult]) -> Option<LoadLevel> {
    series.loads.levels().find(|level| !measured.iter().any(|point| point.load() == *level))
}
