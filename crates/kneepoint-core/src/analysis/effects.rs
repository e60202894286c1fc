//! What the factors of a run do: main effects, interactions, and the best setting per series.
//!
//! A level is compared with the first level of its factor over pairs of combinations that differ
//! in nothing else, so the same numbers come out of a full design and of one at a time. Intervals
//! are propagated from those of the points, taken as independent and small (first order). A number
//! that rests on a point that drifts or is disturbed has no interval here.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::curve::Curve;
use super::mark::{Bound, Mark};
use super::measure::{Place, Quantity};
use super::summary::in_order;
use crate::factor::{Combination, Factor, Factors};
use crate::result::{Estimate, PointResult};
use crate::rule::Rule;
use crate::series_key::SeriesKey;

/// The effects of all factors on one number of one series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effects {
    /// Profile and block size.
    pub series: String,
    /// Which number.
    pub measure: Measure,
    /// One entry per factor with more than one level.
    pub factors: Vec<FactorEffect>,
    /// Pairs of factors that do not act independently, the clearest level of each; only those that
    /// are significant.
    pub interactions: Vec<Interaction>,
    /// The combination with the highest number.
    pub optimum: Optimum,
}

/// A number of a series that factors may change, in IO/s.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// What is sustained at this rule.
    Sustained(String),
    /// The highest throughput, whatever the response time.
    Peak,
}

/// The effect of one factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorEffect {
    /// Its name.
    pub factor: String,
    /// The level that the others are compared with.
    pub base: String,
    /// The other levels.
    pub levels: Vec<LevelEffect>,
}

/// A level compared with the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelEffect {
    /// The level.
    pub level: String,
    /// Mean IO/s at the base, over the pairs.
    pub before: f64,
    /// Mean IO/s at the level, over the pairs.
    pub after: f64,
    /// Change in percent of the base.
    pub change_percent: f64,
    /// Half-width of the 95 % confidence interval of the change, in percentage points; `None`
    /// where it is not known.
    pub ci95_percent: Option<f64>,
    /// Pairs of combinations that were compared.
    pub pairs: usize,
    /// Whether the change can be told from none.
    pub significance: Significance,
}

/// Whether a difference can be told from none, with 95 % confidence for each by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Significance {
    /// It can.
    Significant,
    /// It cannot.
    Insignificant,
    /// Confidence intervals are missing.
    Unknown,
}

/// A level whose effect depends on another factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interaction {
    /// The factor.
    pub factor: String,
    /// Its level, compared with the base.
    pub level: String,
    /// The other factor.
    pub other: String,
    /// The base of the other factor, and the change in percent there.
    pub at_base: (String, f64),
    /// Another level of it, and the change in percent there.
    pub at_level: (String, f64),
}

/// The best of all combinations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Optimum {
    /// Its levels.
    pub combination: Combination,
    /// Its IO/s.
    pub iops: Estimate,
    /// Other combinations whose number cannot be told from it.
    pub ties: Vec<Combination>,
    /// Whether the intervals are known that this rests on.
    pub significance: Significance,
}

/// A combination with its number.
struct Cell<'a> {
    combination: &'a Combination,
    iops: Estimate,
}

/// The effects of `factors` on every series: what is sustained at each rule, where every
/// combination has such a number, and the peak.
pub fn effects(points: &[PointResult], factors: &Factors, rules: &[Rule]) -> Vec<Effects> {
    let mut all = Vec::new();
    for of_name in in_order(points).chunk_by(|a, b| a.key.name == b.key.name) {
        let name = of_name[0].key.name;
        let curves: Vec<(SeriesKey<'_>, Curve<'_>)> = of_name
            .iter()
            .map(|series| (series.key, Curve::of(series.points.iter().copied())))
            .collect();
        for rule in rules {
            let cells = cells(&curves, |curve| {
                let mark = curve.sustained(rule, Quantity::Iops)?;
                (mark.bound == Bound::Exact).then(|| estimate(&mark))
            });
            let measure = Measure::Sustained(rule.to_string());
            all.extend(cells.and_then(|cells| of_cells((name, measure), &cells, factors)));
        }
        let cells = cells(&curves, |curve| {
            curve.read(Place::Peak, Quantity::Iops, None).as_ref().map(estimate)
        });
        all.extend(cells.and_then(|cells| of_cells((name, Measure::Peak), &cells, factors)));
    }
    all
}

/// A number with its interval; without one where it rests on a point that drifts or is disturbed.
fn estimate(mark: &Mark) -> Estimate {
    let ci95 = mark.value.ci95().filter(|_| mark.reservations.is_empty());
    Estimate { mean: mark.value.number, ci95 }
}

/// The cells of a series, found by their combinations and in the order of these.
struct Cells<'a>(BTreeMap<&'a Combination, Cell<'a>>);

impl Cells<'_> {
    fn iter(&self) -> impl DoubleEndedIterator<Item = &Cell<'_>> {
        self.0.values()
    }

    /// Those at `level` of the factor `name`.
    fn at(&self, name: &str, level: &str) -> Vec<&Cell<'_>> {
        let is_there =
            |cell: &&Cell<'_>| cell.combination.get(name).is_some_and(|known| known == level);
        self.iter().filter(is_there).collect()
    }
}

/// The number of every combination; nothing where one has none.
fn cells<'a>(
    curves: &[(SeriesKey<'a>, Curve<'_>)],
    number: impl Fn(&Curve<'_>) -> Option<Estimate>,
) -> Option<Cells<'a>> {
    let cell = |(key, curve): &(SeriesKey<'a>, Curve<'_>)| {
        let combination = key.factors;
        number(curve).map(|iops| (combination, Cell { combination, iops }))
    };
    curves.iter().map(cell).collect::<Option<_>>().map(Cells)
}

fn of_cells(
    (series, measure): (&str, Measure),
    cells: &Cells<'_>,
    factors: &Factors,
) -> Option<Effects> {
    let effects = factors.factors.iter().filter_map(|factor| factor_effect(factor, cells));
    Some(Effects {
        series: series.to_owned(),
        measure,
        factors: effects.collect(),
        interactions: interactions(factors, cells),
        optimum: optimum(cells)?,
    })
}

fn factor_effect(factor: &Factor, cells: &Cells<'_>) -> Option<FactorEffect> {
    let [base, others @ ..] = factor.levels.as_slice() else { return None };
    let at_base = cells.at(&factor.name, base);
    let effect = |level: &String| {
        let (before, after) = pairs((&factor.name, level), &at_base, cells)?;
        let change = Ratio::of(after.mean, before.mean);
        let change_percent = 100.0 * (change.value - 1.0);
        let ci95_percent = change.ci95.map(|width| 100.0 * width);
        Some(LevelEffect {
            level: level.clone(),
            before: before.mean.mean,
            after: after.mean.mean,
            change_percent,
            ci95_percent,
            pairs: before.count,
            significance: significance(change_percent, ci95_percent),
        })
    };
    let levels: Vec<LevelEffect> = others.iter().filter_map(effect).collect();
    let is_empty = levels.is_empty();
    (!is_empty).then(|| FactorEffect { factor: factor.name.clone(), base: base.clone(), levels })
}

/// The mean of several cells.
struct Mean {
    mean: Estimate,
    count: usize,
}

impl Mean {
    fn of(cells: &[&Cell<'_>]) -> Self {
        let count = cells.len();
        let count_f64 = count.max(1) as f64;
        let mean = cells.iter().map(|cell| cell.iops.mean).sum::<f64>() / count_f64;
        let squares: Option<Vec<f64>> =
            cells.iter().map(|cell| cell.iops.ci95.map(|width| width * width)).collect();
        let ci95 = squares.map(|squares| squares.iter().sum::<f64>().sqrt() / count_f64);
        Self { mean: Estimate { mean, ci95 }, count }
    }
}

/// The means of those `at_base` of a factor and of their partners at a level of it, which differ in
/// nothing else; nothing without a pair.
fn pairs(
    (name, level): (&str, &str),
    at_base: &[&Cell<'_>],
    cells: &Cells<'_>,
) -> Option<(Mean, Mean)> {
    let mut before = Vec::new();
    let mut after = Vec::new();
    for cell in at_base {
        let mut partner = cell.combination.clone();
        partner.insert(name.to_owned(), level.to_owned());
        if let Some(found) = cells.0.get(&partner) {
            before.push(*cell);
            after.push(found);
        }
    }
    (!before.is_empty()).then(|| (Mean::of(&before), Mean::of(&after)))
}

/// A quotient of two estimates.
struct Ratio {
    value: f64,
    ci95: Option<f64>,
}

impl Ratio {
    fn of(above: Estimate, below: Estimate) -> Self {
        if above.mean <= 0.0 || below.mean <= 0.0 {
            return Self { value: if below.mean > 0.0 { 0.0 } else { 1.0 }, ci95: None };
        }
        let value = above.mean / below.mean;
        let relative = |estimate: Estimate| estimate.ci95.map(|width| width / estimate.mean);
        let ci95 = relative(above)
            .zip(relative(below))
            .map(|(above, below)| value * (above * above + below * below).sqrt());
        Self { value, ci95 }
    }
}

fn significance(difference: f64, ci95: Option<f64>) -> Significance {
    match ci95 {
        None => Significance::Unknown,
        Some(width) if difference.abs() > width => Significance::Significant,
        Some(_) => Significance::Insignificant,
    }
}

/// For every pair of factors the level whose effect depends most clearly on the other.
fn interactions(factors: &Factors, cells: &Cells<'_>) -> Vec<Interaction> {
    let mut found = Vec::new();
    for (index, factor) in factors.factors.iter().enumerate() {
        for other in &factors.factors[index + 1..] {
            found.extend(interaction(factor, other, cells));
        }
    }
    found
}

fn interaction(factor: &Factor, other: &Factor, cells: &Cells<'_>) -> Option<Interaction> {
    let [base, levels @ ..] = factor.levels.as_slice() else { return None };
    let [other_base, other_levels @ ..] = other.levels.as_slice() else { return None };
    let at_base = cells.at(&factor.name, base);
    let change_at = |level: &str, at: &str| {
        let is_given =
            |cell: &&Cell<'_>| cell.combination.get(&other.name).is_some_and(|known| known == at);
        let given: Vec<&Cell<'_>> = at_base.iter().copied().filter(is_given).collect();
        let (before, after) = pairs((&factor.name, level), &given, cells)?;
        Some(Ratio::of(after.mean, before.mean))
    };
    let mut clearest: Option<(f64, Interaction)> = None;
    for level in levels {
        for at in other_levels {
            let (Some(here), Some(there)) = (change_at(level, other_base), change_at(level, at))
            else {
                continue;
            };
            let (Some(a), Some(b)) = (here.ci95, there.ci95) else { continue };
            let clarity = (there.value - here.value).abs() / (a * a + b * b).sqrt();
            if clarity > 1.0 && clearest.as_ref().is_none_or(|(most, _)| clarity > *most) {
                let percent = |ratio: &Ratio| 100.0 * (ratio.value - 1.0);
                let interaction = Interaction {
                    factor: factor.name.clone(),
                    level: level.clone(),
                    other: other.name.clone(),
                    at_base: (other_base.clone(), percent(&here)),
                    at_level: (at.clone(), percent(&there)),
                };
                clearest = Some((clarity, interaction));
            }
        }
    }
    clearest.map(|(_, interaction)| interaction)
}

fn optimum(cells: &Cells<'_>) -> Option<Optimum> {
    let better = |a: &&Cell<'_>, b: &&Cell<'_>| a.iops.mean.total_cmp(&b.iops.mean);
    // Of equals the first: max_by would give the last.
    let best = cells.iter().rev().max_by(better)?;
    let others = cells.iter().filter(|cell| cell.combination != best.combination);
    let compared: Vec<(&Cell<'_>, Significance)> = others
        .map(|cell| {
            let widths = best.iops.ci95.zip(cell.iops.ci95);
            let width = widths.map(|(a, b)| (a * a + b * b).sqrt());
            (cell, significance(best.iops.mean - cell.iops.mean, width))
        })
        .collect();
    let ties = compared.iter().filter(|(_, found)| *found == Significance::Insignificant);
    let is_unknown = compared.iter().any(|(_, found)| *found == Significance::Unknown);
    Some(Optimum {
        combination: best.combination.clone(),
        iops: best.iops,
        ties: ties.map(|(cell, _)| cell.combination.clone()).collect(),
        significance: match is_unknown {
            true => Significance::Unknown,
            false if compared.iter().all(|(_, found)| *found == Significance::Significant) => {
                Significance::Significant
            }
            false => Significance::Insignificant,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::Design;
    use crate::result::Throughput;

    /// A point at one load with `iops` and a confidence interval of 2 % of it.
    fn point(levels: &[(&str, &str)], iops: f64) -> PointResult {
        PointResult {
            series: "s".to_owned(),
            factors: levels.iter().map(|(name, at)| ((*name).into(), (*at).into())).collect(),
            rate: Throughput::iops(Estimate { mean: iops, ci95: Some(0.02 * iops) }),
            ..PointResult::default()
        }
    }

    fn factors(texts: &[&str]) -> Factors {
        let mut factors = Factors { design: Design::Full, ..Factors::default() };
        for text in texts {
            factors.add(text.parse().unwrap()).unwrap();
        }
        factors
    }

    #[test]
    fn main_effects_are_means_over_pairs() {
        let points = [
            point(&[("cache", "off"), ("raid", "5")], 100.0),
            point(&[("cache", "on"), ("raid", "5")], 200.0),
            point(&[("cache", "off"), ("raid", "10")], 200.0),
            point(&[("cache", "on"), ("raid", "10")], 400.0),
        ];
        let found = effects(&points, &factors(&["cache=off,on", "raid=5,10"]), &[]);
        let [effect] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((effect.series.as_str(), &effect.measure), ("s", &Measure::Peak));
        let cache = &effect.factors[0];
        assert_eq!((cache.factor.as_str(), cache.base.as_str()), ("cache", "off"));
        let on = &cache.levels[0];
        assert_eq!((on.before, on.after, on.change_percent, on.pairs), (150.0, 300.0, 100.0, 2));
        assert_eq!(on.significance, Significance::Significant);
        // Both double in both cases: they act independently.
        assert_eq!(effect.interactions, []);
        assert_eq!(effect.optimum.iops.mean, 400.0);
        assert_eq!(effect.optimum.significance, Significance::Significant);
        assert_eq!(effect.optimum.combination, points[3].factors);
    }

    #[test]
    fn interactions_and_ties_are_named() {
        let points = [
            point(&[("a", "1"), ("b", "1")], 100.0),
            point(&[("a", "2"), ("b", "1")], 200.0),
            point(&[("a", "1"), ("b", "2")], 199.0),
            point(&[("a", "2"), ("b", "2")], 201.0),
        ];
        let found = effects(&points, &factors(&["a=1,2", "b=1,2"]), &[]);
        let [interaction] = found[0].interactions.as_slice() else { panic!("{found:?}") };
        assert_eq!((interaction.factor.as_str(), interaction.other.as_str()), ("a", "b"));
        assert_eq!(interaction.at_base, ("1".to_owned(), 100.0));
        assert!((interaction.at_level.1 - 1.0).abs() < 0.01);
        assert_eq!(found[0].optimum.ties.len(), 2);
        assert_eq!(found[0].optimum.significance, Significance::Insignificant);
    }

    #[test]
    fn one_at_a_time_compares_with_the_base_alone() {
        let mut unknown = point(&[("a", "1"), ("b", "2")], 103.0);
        unknown.rate.ci95 = None;
        let points = [
            point(&[("a", "1"), ("b", "1")], 100.0),
            point(&[("a", "2"), ("b", "1")], 101.0),
            unknown,
        ];
        let found = effects(&points, &factors(&["a=1,2", "b=1,2"]), &[]);
        let level = |factor: usize| &found[0].factors[factor].levels[0];
        assert_eq!((level(0).pairs, level(0).significance), (1, Significance::Insignificant));
        assert!((level(0).change_percent - 1.0).abs() < 1e-9);
        assert_eq!((level(1).pairs, level(1).significance), (1, Significance::Unknown));
        assert_eq!(found[0].interactions, []);
        assert_eq!(found[0].optimum.significance, Significance::Unknown);
    }

    #[test]
    fn repetitions_that_vary_widen_the_interval() {
        let mut points = Vec::new();
        for (repetition, iops) in [(0, 90.0), (1, 110.0)] {
            for (level, factor) in [("1", 1.0), ("2", 1.2)] {
                points.push(PointResult { repetition, ..point(&[("a", level)], iops * factor) });
            }
        }
        let found = effects(&points, &factors(&["a=1,2"]), &[]);
        let level = &found[0].factors[0].levels[0];
        assert!((level.change_percent - 20.0).abs() < 1e-9, "{level:?}");
        assert_eq!(level.significance, Significance::Insignificant);
    }
}
