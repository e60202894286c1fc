//! The answer of a search by visits for one rule.

use std::collections::{BTreeMap, BTreeSet};

use super::fit::{Estimated, Fit, Level, Sides, levels, mean_of, sides};
use super::knee::AGAIN_MAX;
use crate::result::{PointResult, Verdict};
use crate::words::rule::Rule;

/// A throughput that is higher than that at the crossing by more than this share of it, at a load
/// that meets the rule, is the answer in its place: beyond it throughput collapses.
const COLLAPSE_MIN: f64 = 0.05;

/// Where the visits of a series sustain a rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer<'a> {
    /// The lowest load already breaks it.
    Below(f64),
    /// Every load meets it; this one has the highest throughput.
    AtLeast(f64),
    /// At this load, which meets it: throughput is lower where it is reached.
    At(f64),
    /// Where response time reaches the limit.
    Crossing(Fit<'a>),
}

/// Whether a series was measured by visits: some load more than once in one repetition of the plan
/// without being disturbed, or more often than disturbed points are measured again.
pub fn is_visited(points: &[&PointResult]) -> bool {
    let mut numbers: BTreeMap<(u64, u32), [BTreeSet<u32>; 2]> = BTreeMap::new();
    for point in points.iter().filter(|point| point.verdict != Verdict::Failed) {
        let load = (point.load.value.to_bits(), point.repetition_of_plan());
        let [all, undisturbed] = numbers.entry(load).or_default();
        all.insert(point.repetition);
        if point.verdict != Verdict::Disturbed {
            undisturbed.insert(point.repetition);
        }
    }
    numbers.values().any(|[all, undisturbed]| undisturbed.len() > 1 || all.len() > 1 + AGAIN_MAX)
}

/// The visits that count, in the order measured: those that nothing disturbed, or all if most were
/// disturbed.
pub(crate) fn counted<'a>(points: &[&'a PointResult]) -> Vec<&'a PointResult> {
    let usable = || points.iter().copied().filter(|point| point.verdict != Verdict::Failed);
    let sound = || usable().filter(|point| point.verdict != Verdict::Disturbed);
    if 2 * sound().count() >= usable().count() { sound().collect() } else { usable().collect() }
}

impl<'a> Answer<'a> {
    /// The answer for `rule`, whose limit is a time, from the visits that count; `None` if they do
    /// not say it yet.
    pub(crate) fn of(visits: &[&'a PointResult], rule: &Rule) -> Option<Self> {
        let levels = levels(visits);
        let sides = sides(&levels, rule)?;
        let highest = fastest(&levels, &sides);
        match (sides.meets, sides.breaks) {
            (None, _) => Some(Self::Below(sides.breaks?)),
            (Some(_), None) => Some(Self::AtLeast(highest?.load)),
            (Some(_), Some(_)) => {
                let fit = Fit::of(visits, rule, &sides)?;
                let crossing = fit.at(|visit| Some(visit.rate.mean))?;
                let is_above = |level: &&Level<'_>| {
                    let rate = level.rate();
                    level.load < fit.load
                        && is_faster(rate.mean, crossing.mean)
                        && rate.end(-1.0) > crossing.end(1.0)
                };
                Some(match highest.filter(is_above) {
                    Some(level) => Self::At(level.load),
                    None => Self::Crossing(fit),
                })
            }
        }
    }

    /// A number at the answer.
    pub(crate) fn at(
        &self,
        visits: &[&PointResult],
        number: impl Fn(&PointResult) -> Option<f64>,
    ) -> Option<Estimated> {
        match self {
            Self::Below(_) | Self::AtLeast(_) | Self::At(_) => {
                mean_of(&self.visits(visits), number)
            }
            Self::Crossing(fit) => fit.at(number),
        }
    }

    /// Those of `visits` that it rests on.
    pub(crate) fn visits<'v>(&self, visits: &[&'v PointResult]) -> Vec<&'v PointResult>
    where
        'a: 'v,
    {
        match self {
            Self::Below(load) | Self::AtLeast(load) | Self::At(load) => {
                visits.iter().copied().filter(|visit| visit.load.value == *load).collect()
            }
            Self::Crossing(fit) => fit.visits.clone(),
        }
    }
}

/// Whether `rate` is higher than that at the crossing by more than matters.
pub(super) fn is_faster(rate: f64, crossing: f64) -> bool {
    rate > crossing * (1.0 + COLLAPSE_MIN)
}

/// The load of the highest throughput among those that meet the rule.
pub(super) fn fastest<'l, 'a>(levels: &'l [Level<'a>], sides: &Sides) -> Option<&'l Level<'a>> {
    let meeting = levels.iter().filter(|level| sides.meets >= Some(level.load));
    meeting.max_by(|a, b| a.rate().mean.total_cmp(&b.rate().mean))
}

/// `rule` with a time as its limit: what a reference is a multiple of is the mean over its visits.
/// `None` if it was not visited.
pub(crate) fn resolved(rule: &Rule, visits: &[&PointResult]) -> Option<Rule> {
    let Some(load) = rule.reference_load() else { return Some(*rule) };
    let here: Vec<&PointResult> =
        visits.iter().copied().filter(|visit| visit.load.value == load).collect();
    rule.against(mean_of(&here, |visit| rule.value_ms(visit))?.mean)
}
