//! The order of a whole run: series by series, or repetitions interleaved at random.

use super::{Visit, next_level, passes, steady_rounds};
use crate::plan::{Plan, PlanBlock, RoundPlan, SeriesPlan, blocks, companions, shuffle};
use crate::result::{AGAIN_FROM, PointResult};
use crate::spec::grid::SearchPlan;
use crate::words::load::LoadLevel;
use crate::words::seed;

/// The point to measure next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextPoint<'a> {
    /// Its series.
    pub series: &'a SeriesPlan,
    /// Its load level.
    pub load: LoadLevel,
    /// Which repetition it belongs to, from 0; a load that is measured again counts on in steps of
    /// [`AGAIN_FROM`].
    pub repetition: u32,
    /// How long it takes; `None` for as long as the timing of the plan says.
    pub visit: Option<Visit>,
}

/// The next point of a run, from its plan and from the points measured so far; `None` at the end.
///
/// Without repetitions the series run in the plan's order. With repetitions every one of them runs
/// all of the plan in its own order, drawn from the plan's seed, so that a slow drift of the
/// system shows as variation between repetitions and not as a difference between series: single
/// levels are shuffled where they are fixed beforehand, whole series where each level depends on
/// the one before. With factors this holds within each block of points under the same settings;
/// the blocks come in the order of [`blocks`]. Copies of programs have a block for each pass, and no further
/// pass once their scores are known accurately enough. Rounds until steady state run in the plan's order, each of
/// them: what a series does to the state of a drive is the same in every round.
pub fn next_point<'a>(plan: &'a Plan, measured: &[PointResult]) -> Option<NextPoint<'a>> {
    if let Some(rounds) = &plan.rounds {
        return next_of_rounds((plan, rounds), measured);
    }
    let is_needed = |block: &PlanBlock<'_>| !passes::are_enough(plan, block.combination, measured);
    blocks(plan)
        .into_iter()
        .find_map(|block| next_of_block(plan, block, measured).filter(|_| is_needed(&block)))
}

/// The next point of the round that has begun, or else the first of the next one if the rounds so far are not
/// steady.
fn next_of_rounds<'a>(
    (plan, rounds): (&'a Plan, &'a RoundPlan),
    measured: &[PointResult],
) -> Option<NextPoint<'a>> {
    // Nothing is varied between them.
    let combination = &plan.series.first()?.factors;
    let block = |repetition| PlanBlock { combination, repetition };
    let latest = measured.iter().map(PointResult::repetition_of_plan).max().unwrap_or(0);
    next_of_block(plan, block(latest), measured).or_else(|| {
        let is_over = latest + 1 >= plan.repetitions || steady_rounds::is_steady(rounds, measured);
        (!is_over).then(|| next_of_block(plan, block(latest + 1), measured)).flatten()
    })
}

fn next_of_block<'a>(
    plan: &'a Plan,
    block: PlanBlock<'a>,
    measured: &[PointResult],
) -> Option<NextPoint<'a>> {
    let repetition = block.repetition;
    let here = |series: &SeriesPlan| -> Vec<&PointResult> {
        let of_series = measured.iter().filter(|point| point.key() == series.key());
        of_series.filter(|point| point.repetition_of_plan() == repetition).collect()
    };
    let here = |series: &SeriesPlan| -> Vec<&PointResult> {
        // A moment that lacks the point of a series was not measured.
        let is_whole = |point: &&PointResult| {
            companions(&plan.series, series, point.load.value).all(|other| !here(other).is_empty())
        };
        here(series).into_iter().filter(is_whole).collect()
    };
    let next = |series: &'a SeriesPlan| {
        let here = here(series);
        let (load, visit) = next_level(plan, series, &here)?;
        // So every point has its own number, and what is measured again is no other repetition.
        let again = here.iter().filter(|point| point.load == load).count() as u32;
        let repetition = repetition + again * AGAIN_FROM;
        Some(NextPoint { series, load, repetition, visit })
    };
    let mut series = plan.series.iter().filter(|series| series.factors == *block.combination);
    let is_in_order = plan.rounds.is_some() || plan.repetitions <= 1 && plan.passes_min() == 0;
    if is_in_order {
        return series.find_map(next);
    }
    shuffled(plan, block).into_iter().find_map(|(series, load)| match load {
        None => next(series),
        Some(load) => {
            let is_measured = here(series).iter().any(|point| point.load == load);
            (!is_measured).then_some(NextPoint { series, load, repetition, visit: None })
        }
    })
}

/// Everything of one block in random order: levels of grids, and series that search.
fn shuffled<'a>(plan: &'a Plan, block: PlanBlock<'a>) -> Vec<(&'a SeriesPlan, Option<LoadLevel>)> {
    let mut parts: Vec<(&SeriesPlan, Option<LoadLevel>)> = Vec::new();
    let own = |series: &&SeriesPlan| series.factors == *block.combination && !series.is_companion();
    for series in plan.series.iter().filter(own) {
        match series.search {
            SearchPlan::Grid => {
                parts.extend(series.loads.levels().map(|load| (series, Some(load))));
            }
            SearchPlan::Knee(_) | SearchPlan::ByTurns => parts.push((series, None)),
        }
    }
    shuffle(&mut parts, seed::derive(plan.seed, "order", u64::from(block.repetition)));
    parts
}
