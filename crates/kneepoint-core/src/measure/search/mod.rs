//! The search over load levels: what to measure next, from what was measured so far.
//!
//! A search has no state of its own. What comes next follows from the plan and from the points
//! that are there, so an interrupted run continues exactly where it stopped.

mod answer;
mod fit;
mod knee;
mod order;
mod passes;
mod settled;
mod steady_rounds;
#[cfg(test)]
mod tests;
mod time;
#[cfg(test)]
mod visit_tests;
mod visits;

pub use answer::is_visited;
pub(crate) use answer::{Answer, counted, resolved};
pub use fit::unseen_share;
pub(crate) use fit::{Estimated, Fit, full_queue_ms, is_always_full, mean_of};
pub use knee::SearchEnd;
pub(crate) use knee::{AGAIN_MAX, breaks, is_overloaded};
pub use order::{NextPoint, next_point};
pub(crate) use passes::{ScoreGroup, geometric_means, half_width};
pub use settled::is_superseded;
pub(crate) use settled::undisturbed;
pub(crate) use steady_rounds::{RoundTrial, TrackedTest};
pub use time::{longest, usual};
pub use visits::{AnswerSoFar, PROBE_TIME, VISIT_TIME, Visit, VisitStart};
pub(crate) use visits::{Asked, Seen, answers_so_far};

use self::knee::Search;
use self::visits::VisitSearch;
use crate::plan::{Plan, SeriesPlan};
use crate::result::PointResult;
use crate::spec::grid::{KneeGoal, SearchPlan};
use crate::words::load::LoadLevel;
use crate::words::rule::Rule;

/// The next load level of one series in one repetition, and how it is visited if that is not by the
/// timing of the plan; `None` once the series is done, of one that is measured by turns, and of one that is
/// measured with another.
///
/// `measured` are the points of that series and repetition.
fn next_level(
    plan: &Plan,
    series: &SeriesPlan,
    measured: &[&PointResult],
) -> Option<(LoadLevel, Option<Visit>)> {
    if series.is_companion() {
        return None;
    }
    let once = |load| (load, None);
    match &series.search {
        SearchPlan::Grid => next_of_grid(series, measured).map(once),
        SearchPlan::Knee(knee) => match knee.answer {
            None => Search::new(series, knee, measured).next_level(&plan.rules).map(once),
            Some(accuracy) => {
                let search = VisitSearch::new(plan, (series, knee, accuracy), measured);
                search.next().map(|(load, visit)| (load, Some(visit)))
            }
        },
        SearchPlan::ByTurns => None,
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

/// How the search of `series` for `rule` ended, from the points of the series as they were measured
/// and from the `merged` ones by rising load; `None` where rules were not searched for.
pub fn search_outcome(
    plan: &Plan,
    series: &SeriesPlan,
    rule: &Rule,
    (measured, merged): (&[&PointResult], &[&PointResult]),
) -> Option<SearchOutcome> {
    let SearchPlan::Knee(knee) = &series.search else { return None };
    if knee.goal == KneeGoal::Saturation {
        return None;
    }
    Some(match knee.answer {
        None => {
            let search = Search::new(series, knee, merged);
            let end = search.end(rule, plan.rules.len());
            SearchOutcome { end, disturbed: search.disturbed(rule) }
        }
        Some(accuracy) => {
            let search = VisitSearch::new(plan, (series, knee, accuracy), measured);
            SearchOutcome { end: search.end(rule), disturbed: search.disturbed(rule) }
        }
    })
}
