//! Passes over copies of programs: each measures every program once with every number of copies, in an order
//! drawn from the seed.
//!
//! A machine that changes over minutes (its clock, other guests of its host) changes between passes, and all
//! programs of a pass share the change. So the error of a geometric mean is worked out from its values in whole
//! passes: what the programs of a pass share stays in it, however many programs there are.

use std::collections::{BTreeMap, BTreeSet};

use super::undisturbed;
use crate::measure::rounds::mean_of_independent;
use crate::plan::{Plan, SeriesPlan, StopRule};
use crate::result::{PointResult, Verdict};
use crate::spec::factor::Combination;
use crate::spec::profile::{FlagSet, MemberClass, SeriesProfile};

/// Programs whose ratios make one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ScoreGroup<'a> {
    /// Kneepoint's own with these flags.
    Own(FlagSet),
    /// The user's own, with ratios to this machine.
    External(&'a str),
}

impl<'a> ScoreGroup<'a> {
    /// The group and the class of the programs of a series; `None` for other work.
    pub(crate) fn of(profile: &'a SeriesProfile) -> Option<(Self, MemberClass)> {
        match profile {
            SeriesProfile::Member(work) => Some((Self::Own(work.flags), work.class)),
            SeriesProfile::External(work) => {
                let member = &work.external;
                Some((Self::External(&member.reference_machine), member.class))
            }
            _ => None,
        }
    }
}

/// The logarithms of the geometric mean of `series` with this number of copies, for each pass that has all of them.
pub(crate) fn geometric_means(
    points: &[PointResult],
    series: &[&SeriesPlan],
    copies: f64,
) -> BTreeMap<u32, f64> {
    let mut sums: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
    for one in series {
        for (pass, log) in logarithms(points, one, copies) {
            let (count, sum) = sums.entry(pass).or_default();
            *count += 1;
            *sum += log;
        }
    }
    let whole = sums.into_iter().filter(|(_, (count, _))| *count == series.len());
    whole.map(|(pass, (count, sum))| (pass, sum / count as f64)).collect()
}

/// The logarithm of the throughput of one series in each pass: of measurements of one pass the one that counts.
fn logarithms(points: &[PointResult], series: &SeriesPlan, copies: f64) -> BTreeMap<u32, f64> {
    let is_own = |point: &&PointResult| {
        point.key() == series.key()
            && point.load.value == copies
            && point.verdict != Verdict::Failed
            && point.rate.mean > 0.0
    };
    let own: Vec<&PointResult> = points.iter().filter(is_own).collect();
    let log = |point: &PointResult| (point.repetition_of_plan(), libm::log(point.rate.mean));
    undisturbed(&own).into_iter().map(log).collect()
}

/// Half-width of the 95 % confidence interval of the mean of `values`, by Student's t distribution; `None` for
/// fewer than two.
pub(crate) fn half_width(values: &[f64]) -> Option<f64> {
    Some(mean_of_independent(values)?.half_width)
}

/// Whether the programs at a combination of settings need no further pass: as many were whole as there are at
/// least, and every geometric mean of theirs is known as accurately as asked for. A pass that has begun is done
/// in any case, for it does not count before it is whole.
pub(super) fn are_enough(plan: &Plan, factors: &Combination, measured: &[PointResult]) -> bool {
    let StopRule::Rounds { accuracy, passes_min, .. } = plan.timing.stop else { return false };
    let here = plan.series.iter().filter(|series| series.factors == *factors);
    let series: Vec<&SeriesPlan> = here.collect();
    let levels = once(series.iter().flat_map(|series| series.loads.levels()).map(|at| at.value));
    let passes = |copies: &f64| -> BTreeSet<u32> {
        geometric_means(measured, &series, *copies).into_keys().collect()
    };
    let whole = levels.iter().map(passes).reduce(|all, some| &all & &some).unwrap_or_default();
    if passes_min == 0 || (whole.len() as u32) < passes_min {
        return false;
    }
    let is_accurate = |members: &[&SeriesPlan], copies: f64| {
        let means = geometric_means(measured, members, copies);
        let values = means.into_iter().filter(|(pass, _)| whole.contains(pass));
        let values: Vec<f64> = values.map(|(_, value)| value).collect();
        half_width(&values).is_some_and(|width| width <= accuracy.fraction())
    };
    scored(&series).iter().all(|members| levels.iter().all(|copies| is_accurate(members, *copies)))
}

/// Every different item, in the order of first appearance.
fn once<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}

/// The sets of `series` that have a score: the programs of each group, and those of each of its classes.
fn scored<'a>(series: &[&'a SeriesPlan]) -> Vec<Vec<&'a SeriesPlan>> {
    let groups = once(series.iter().filter_map(|one| Some(ScoreGroup::of(&one.profile)?.0)));
    let classes = [None, Some(MemberClass::Integer), Some(MemberClass::Floating)];
    let sets = groups.iter().flat_map(|group| {
        classes.map(|wanted| {
            let is_one = |one: &&&SeriesPlan| {
                ScoreGroup::of(&one.profile).is_some_and(|(of, class)| {
                    of == *group && wanted.is_none_or(|wanted| class == wanted)
                })
            };
            series.iter().filter(is_one).copied().collect::<Vec<_>>()
        })
    });
    sets.filter(|members| !members.is_empty()).collect()
}
