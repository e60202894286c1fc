//! The search over load levels: what to measure next, from what was measured so far.
//!
//! A search has no state of its own. What comes next follows from the plan and from the points
//! that are there, so an interrupted run continues exactly where it stopped.

mod knee;
mod order;
mod settled;
#[cfg(test)]
mod tests;

pub use knee::SearchEnd;
pub(crate) use knee::{AGAIN_MAX, breaks, is_overloaded};
pub use order::{NextPoint, next_point};
pub use settled::is_superseded;
pub(crate) use settled::undisturbed;

use crate::plan::{Plan, SeriesPlan};
use crate::result::PointResult;
use crate::spec::grid::{KneeGoal, SearchPlan};
use crate::words::load::LoadLevel;
use crate::words::rule::Rule;

/// The next load level of one series in one repetition; `None` once it is done.
///
/// `measured` are the points of that series and repetition.
fn next_level(series: &SeriesPlan, rules: &[Rule], measured: &[&PointResult]) -> Option<LoadLevel> {
    match &series.search {
        SearchPlan::Grid => next_of_grid(series, measured),
        SearchPlan::Knee(plan) => knee::Search::new(series, plan, measured).next_level(rules),
    }
}

/// The first level of the grid that was not measured yet.
fn next_of_grid(series: &SeriesPlan, measured: &[&PointResult]) -> Option<LoadLevel> {
    series.loads.levels().find(|level| !measured.iter().any(|point| point.load == *level))
}

/// How the search for a rule ended.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOutcome {
    /// Why.
    pub end: SearchEnd,
    /// The loads of points that it concluded from although they were disturbed every time.
    pub disturbed: Vec<f64>,
}

/// How the search of `series` for `rule` ended, from the points of the series; `None` where rules
/// were not searched for.
pub fn search_outcome(
    plan: &Plan,
    series: &SeriesPlan,
    rule: &Rule,
    measured: &[&PointResult],
) -> Option<SearchOutcome> {
    let SearchPlan::Knee(knee) = &series.search else { return None };
    if knee.goal == KneeGoal::Saturation {
        return None;
    }
    let search = knee::Search::new(series, knee, measured);
    Some(SearchOutcome {
        end: search.end(rule, plan.rules.len()),
        disturbed: search.disturbed(rule),
    })
}
