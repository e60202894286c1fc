//! What the numbers of a run, or of several, amount to: findings with their evidence.
//!
//! A finding is data; sentences are made of it elsewhere. Each rests on a test that holds with
//! 95 % confidence for all findings of its kind together, and on no point that something disturbed.
//! A difference below [`PRACTICAL_PERCENT`] is none.

mod steps;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::comparison::{
    ComparedFigure, Comparison, Difference, FactorKind, Ratio, SeriesComparison, adjusted,
};
use super::curve::Curve;
use super::mark::Mark;
use super::saturation::saturation;
use crate::load::backend::Direction;
use crate::result::series_key::{SeriesPoints, by_series};
use crate::result::{
    Between, Change, Contrast, Finding, Measure, NamedFactor, Order, Place, PointResult, Quantity,
    SaturationStatus, Significance, is_practical,
};
use crate::spec::suite::SERIES_MAX;

/// What the points of one run show: what throughput does at high loads in every series, then
/// contrasts between series.
pub fn of_points(points: &[PointResult]) -> Vec<Finding> {
    let series = all_series(points);
    let mut findings = steps::at_high_loads(&series);
    findings.extend(contrasts(&series).into_iter().map(Finding::Contrast));
    findings
}

/// All contrasts together are false with at most this probability.
const ALPHA_FAMILY: f64 = 0.05;

/// A series of a run.
#[derive(Debug)]
pub(super) struct Series<'a> {
    pub(super) name: &'a str,
    factors: &'a BTreeMap<String, String>,
    pub(super) points: Vec<&'a PointResult>,
    pub(super) curve: Curve<'a>,
}

/// The series of `points` that have usable ones, in the order of their first appearance.
pub(super) fn all_series(points: &[PointResult]) -> Vec<Series<'_>> {
    let series = by_series(points).into_iter().map(|SeriesPoints { key, points }| {
        let curve = Curve::of(points.iter().copied());
        Series { name: key.name, factors: key.factors, curve, points }
    });
    series.filter(|series| !series.curve.is_empty()).collect()
}

/// A pair of series that differ in one respect.
struct Pair<'s, 'a> {
    left: &'s Series<'a>,
    right: &'s Series<'a>,
    respect: Respect,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Respect {
    Order,
    Direction,
    BlockSize,
}

/// Significant differences between series that differ in one respect, at their peaks.
pub(super) fn contrasts(series: &[Series<'_>]) -> Vec<Contrast> {
    let (blocks, partners) = (blocks(series), partners(series));
    let (mut tested, mut kinds) = (Vec::new(), BTreeSet::new());
    for (index, left) in series.iter().enumerate() {
        let later =
            partners.get(left.factors).into_iter().flatten().filter(|other| **other > index);
        for right in later.map(|other| &series[*other]) {
            let pair = respect(left, right)
                .map(|respect| Pair { left, right, respect })
                .filter(|pair| is_telling(pair, &blocks, &kinds));
            kinds.extend(pair.as_ref().map(Pair::kind));
            tested.extend(pair.and_then(|pair| {
                let ratio = ratio(&pair)?;
                Some((ratio.p_value()?, (pair, ratio)))
            }));
        }
    }
    significant(tested)
        .into_iter()
        .filter(|(_, ratio)| is_practical(ratio.percent()))
        .filter_map(|(pair, ratio)| contrast(&pair, ratio))
        .collect()
}

/// Those of a family of tests that are significant with 95 % confidence for all of them together.
fn significant<T>(tested: Vec<(f64, T)>) -> Vec<T> {
    let p_values: Vec<f64> = tested.iter().map(|(p_value, _)| *p_value).collect();
    let shown = adjusted(&p_values).into_iter().zip(tested);
    shown.filter(|(p_value, _)| *p_value <= ALPHA_FAMILY).map(|(_, (_, item))| item).collect()
}

/// The places of the series under the same factors; nothing where there are more than a suite can
/// have, of which each against each would be sentences that no one reads.
fn partners<'a>(series: &[Series<'a>]) -> BTreeMap<&'a BTreeMap<String, String>, Vec<usize>> {
    let mut partners: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, series) in series.iter().enumerate() {
        partners.entry(series.factors).or_default().push(index);
    }
    partners.retain(|_, places| places.len() <= SERIES_MAX);
    partners
}

/// Whether a pair is worth a sentence: of the block sizes of a profile the smallest against the
/// largest, of every two profiles the first block size.
fn is_telling(pair: &Pair<'_, '_>, blocks: &Blocks<'_>, known: &BTreeSet<Kind<'_>>) -> bool {
    if pair.respect != Respect::BlockSize {
        return !known.contains(&pair.kind());
    }
    let Some([least, most]) = blocks.get(&pair.left.work()) else { return false };
    let both = [pair.left.block(), pair.right.block()];
    both.contains(&Some(*least)) && both.contains(&Some(*most))
}

/// The smallest and the largest block of every work.
type Blocks<'a> = BTreeMap<Work<'a>, [u64; 2]>;

fn blocks<'a>(series: &[Series<'a>]) -> Blocks<'a> {
    let mut blocks = Blocks::new();
    for series in series {
        let Some(block) = series.block() else { continue };
        let [least, most] = blocks.entry(series.work()).or_insert([block; 2]);
        (*least, *most) = (block.min(*least), block.max(*most));
    }
    blocks
}

/// A profile and its factors.
type Work<'a> = (Option<&'a str>, &'a BTreeMap<String, String>);

impl<'a> Series<'a> {
    fn profile(&self) -> Option<&'a str> {
        self.points.first().map(|point| point.profile.as_str())
    }

    fn work(&self) -> Work<'a> {
        (self.profile(), self.factors)
    }

    fn block(&self) -> Option<u64> {
        Some(self.points.first()?.storage?.block_bytes)
    }
}

/// The profiles of a pair, their factors, and in what they differ.
type Kind<'a> = (Option<&'a str>, Option<&'a str>, &'a BTreeMap<String, String>, Respect);

impl<'a> Pair<'_, 'a> {
    fn kind(&self) -> Kind<'a> {
        (self.left.profile(), self.right.profile(), self.left.factors, self.respect)
    }
}

/// In what two series differ, where it is one respect only.
fn respect(left: &Series<'_>, right: &Series<'_>) -> Option<Respect> {
    let (first, other) = (left.points.first()?, right.points.first()?);
    let (one, two) = (first.storage?, other.storage?);
    let is_alike = left.factors == right.factors
        && first.settings == other.settings
        && first.beside.is_empty()
        && other.beside.is_empty()
        && left.curve.unit() == right.curve.unit()
        && one.durability == two.durability;
    if !is_alike || !have_peaks_alike(left, right) {
        return None;
    }
    let same_block = one.block_bytes == two.block_bytes;
    let same_read = one.read_percent == two.read_percent;
    let same_random = one.random_percent == two.random_percent;
    let extremes = |a: f64, b: f64| a.min(b) == 0.0 && a.max(b) == 100.0;
    match (same_block, same_read, same_random) {
        (true, true, false) if extremes(one.random_percent, two.random_percent) => {
            Some(Respect::Order)
        }
        (true, false, true) if extremes(one.read_percent, two.read_percent) => {
            Some(Respect::Direction)
        }
        (false, true, true) if left.profile() == right.profile() => Some(Respect::BlockSize),
        _ => None,
    }
}

/// Whether the peaks of two series can be compared: both were measured at the same
/// loads, or both had stopped rising. One of a single load has no peak but its own number.
fn have_peaks_alike(left: &Series<'_>, right: &Series<'_>) -> bool {
    let is_saturated = |series: &Series<'_>| {
        saturation(&series.curve).is_some_and(|knee| knee.status == SaturationStatus::Reached)
    };
    left.curve.levels() == right.curve.levels() || (is_saturated(left) && is_saturated(right))
}

/// Throughput for the order of access and for sequential access, IO/s otherwise.
fn measure(pair: &Pair<'_, '_>) -> Measure {
    let is_rate = pair.respect != Respect::Order
        && pair.left.points.first().is_some_and(|point| !point.is_sequential());
    let quantity = if is_rate { Quantity::Iops } else { Quantity::Throughput };
    // One that was measured at one load has no peak.
    let is_single = [pair.left, pair.right].iter().all(|series| series.curve.levels().len() == 1);
    let place = if is_single { Place::EqualLoad } else { Place::Peak };
    Measure { place, quantity }
}

/// The peak of the right series as a multiple of that of the left one.
fn ratio(pair: &Pair<'_, '_>) -> Option<Ratio> {
    let quantity = measure(pair).quantity;
    let peak = |series: &Series<'_>| series.curve.read(Place::Peak, quantity, None);
    let (left, right): (Mark, Mark) = (peak(pair.left)?, peak(pair.right)?);
    if left.rests_on_disturbed() || right.rests_on_disturbed() {
        return None;
    }
    Ratio::of(left.value, right.value)
}

fn contrast(pair: &Pair<'_, '_>, ratio: Ratio) -> Option<Contrast> {
    let (faster, slower, ratio) = match ratio.log >= 0.0 {
        true => (pair.right, pair.left, ratio),
        false => (pair.left, pair.right, ratio.inverse()),
    };
    let (fast, slow) = (faster.points.first()?.storage?, slower.points.first()?.storage?);
    let between = match pair.respect {
        Respect::Order if fast.random_percent == 0.0 => {
            Between::Order { faster: Order::Sequential }
        }
        Respect::Order => Between::Order { faster: Order::Random },
        Respect::Direction if fast.read_percent == 100.0 => {
            Between::Direction { faster: Direction::Read }
        }
        Respect::Direction => Between::Direction { faster: Direction::Write },
        Respect::BlockSize => {
            Between::BlockSize { faster_bytes: fast.block_bytes, slower_bytes: slow.block_bytes }
        }
    };
    let multiple = |percent: f64| 1.0 + percent / 100.0;
    Some(Contrast {
        between,
        faster: faster.name.to_owned(),
        slower: slower.name.to_owned(),
        measure: measure(pair),
        ratio: multiple(ratio.percent()),
        interval: ratio.interval_percent()?.map(multiple),
    })
}

/// The significant differences of whole series: at the first of the rules that has one; where a series
/// has none there, at the peak; where it has none at either, at equal load.
pub fn between_runs(comparison: &Comparison) -> Vec<Finding> {
    let runs = 1..comparison.runs.len();
    let found = runs.flat_map(|run| {
        let factor = only_factor(comparison, run);
        let series = comparison.series.iter();
        series
            .flat_map(|series| of_series(series, run))
            .map(move |change| Change { factor: factor.clone(), ..change })
            .collect::<Vec<_>>()
    });
    found.map(Finding::Change).collect()
}

fn of_series(series: &SeriesComparison, run: usize) -> Vec<Change> {
    for place in [Place::Sustained, Place::Peak, Place::EqualLoad] {
        let at_place = series.figures.iter().filter(|figure| figure.measure.place == place);
        let mut changes: Vec<Change> =
            at_place.filter_map(|figure| change(series, figure, run)).collect();
        // The other rules say the same again; the tables have them.
        if place == Place::Sustained {
            changes.truncate(1);
        }
        if !changes.is_empty() {
            return changes;
        }
    }
    Vec::new()
}

/// How `run` differs from the reference in a number of `series`; nothing unless the difference is
/// significant and practical.
pub fn change(series: &SeriesComparison, figure: &ComparedFigure, run: usize) -> Option<Change> {
    let difference: &Difference = figure.differences.get(run)?.as_ref()?;
    let is_shown =
        difference.significance == Significance::Significant && is_practical(difference.percent);
    let interval_percent = difference.interval_percent.filter(|_| is_shown)?;
    Some(Change {
        series: series.series.clone(),
        measure: figure.measure,
        rule: figure.rule.clone(),
        run,
        percent: difference.percent,
        interval_percent,
        bound: difference.bound,
        factor: None,
    })
}

/// The one planned factor, setting of the target or of the engine in which `run` differs from the
/// reference. Where several differ, or something of the machine does, none can be named as the
/// cause. Sizes and counts that follow from another setting are not counted.
fn only_factor(comparison: &Comparison, run: usize) -> Option<NamedFactor> {
    let follows = ["size_bytes", "target_count"];
    let mut differing = comparison
        .factors
        .iter()
        .filter(|factor| factor.values[0] != factor.values[run])
        .filter(|factor| !follows.contains(&factor.name.as_str()));
    let factor = differing.next()?;
    let is_setting =
        matches!(factor.kind, FactorKind::Planned | FactorKind::Target | FactorKind::Engine);
    let is_only = differing.next().is_none();
    (is_setting && is_only).then(|| {
        Some(NamedFactor {
            name: factor.name.clone(),
            from: factor.values[0].clone()?,
            to: factor.values[run].clone()?,
        })
    })?
}
