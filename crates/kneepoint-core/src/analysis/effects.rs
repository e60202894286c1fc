//! What the factors of a run do: main effects, interactions, and the best setting per series.
//!
//! A level is compared with the first level of its factor over pairs of combinations that differ
//! in nothing else, so the same numbers come out of a full design and of one at a time. Intervals
//! and tests are those of comparisons of runs; all levels of all factors are one family of tests
//! (Holm) for each number of a series, their interactions another. A number that rests on a point
//! that drifts or is disturbed has no interval here, and of a disturbed one nothing is claimed. A
//! combination that meets a rule at every load, or at none, takes part with the bound that is known of
//! it.

use std::collections::BTreeMap;

use super::comparison::{Ratio, adjusted};
use super::curve::Curve;
use super::estimate::{ALPHA, RelativeError, Value};
use super::mark::{Bound, Mark};
use super::summary::in_order;
use crate::result::series_key::SeriesKey;
use crate::result::{
    EffectOn, Effects, Estimate, FactorEffect, Interaction, LevelEffect, Optimum, OtherSide, Place,
    PointResult, Quantity, Significance, is_practical,
};
use crate::spec::factor::{Combination, Factor, Factors};
use crate::words::distinct::distinct;
use crate::words::rule::Rule;

/// The effects of `factors` on every series: what is sustained at each rule, where every
/// combination has such a number, and the peak.
pub fn effects(points: &[PointResult], factors: &Factors, rules: &[Rule]) -> Vec<Effects> {
    effects_by(points, factors, |_| rules)
}

/// The same with the rules of each series, by its name.
pub(super) fn effects_by<'r>(
    points: &[PointResult],
    factors: &Factors,
    rules_of: impl Fn(&str) -> &'r [Rule],
) -> Vec<Effects> {
    let mut all = Vec::new();
    if !factors.are_varied() {
        return all;
    }
    for of_name in in_order(points).chunk_by(|a, b| a.key.name == b.key.name) {
        let name = of_name[0].key.name;
        let rules = rules_of(name);
        let curves: Vec<(SeriesKey<'_>, Curve<'_>)> = of_name
            .iter()
            .map(|series| {
                let curve = Curve::of(series.points.iter().copied());
                (series.key, curve.under(rules))
            })
            .collect();
        for rule in rules {
            let cells = cells(&curves, |curve| curve.sustained(rule, Quantity::Iops));
            let measure = EffectOn::Sustained(rule.to_string());
            all.extend(cells.and_then(|cells| of_cells((name, measure), &cells, factors)));
        }
        let cells = cells(&curves, |curve| curve.read(Place::Peak, Quantity::Iops, None));
        all.extend(cells.and_then(|cells| of_cells((name, EffectOn::Peak), &cells, factors)));
    }
    all
}

/// A number with its error, or a bound of it.
#[derive(Debug, Clone, Copy)]
struct Cell {
    value: Value,
    bound: Bound,
    /// Whether it rests on a point that something else disturbed.
    is_disturbed: bool,
}

impl Cell {
    /// The number without its error if it rests on a point that drifts or is disturbed.
    fn of(mark: &Mark) -> Self {
        let spread = mark.value.spread.filter(|_| mark.reservations.is_empty());
        let value = Value { spread, ..mark.value };
        Self { value, bound: mark.bound, is_disturbed: mark.rests_on_disturbed() }
    }
}

/// The numbers of a series by their combinations.
type Cells<'a> = BTreeMap<&'a Combination, Cell>;

/// Those at `level` of the factor `name`.
fn at<'a>(cells: &Cells<'a>, name: &str, level: &str) -> Cells<'a> {
    let is_there =
        |combination: &Combination| combination.get(name).is_some_and(|known| known == level);
    let all = cells.iter().filter(|(combination, _)| is_there(combination));
    all.map(|(combination, cell)| (*combination, *cell)).collect()
}

/// The number of every combination; nothing where one has none.
fn cells<'a>(
    curves: &[(SeriesKey<'a>, Curve<'_>)],
    number: impl Fn(&Curve<'_>) -> Option<Mark>,
) -> Option<Cells<'a>> {
    let cell = |curve: &Curve<'_>| number(curve).as_ref().map(Cell::of);
    curves.iter().map(|(key, curve)| Some((key.factors, cell(curve)?))).collect()
}

fn of_cells(
    (series, measure): (&str, EffectOn),
    cells: &Cells<'_>,
    factors: &Factors,
) -> Option<Effects> {
    let changes: Vec<FactorChanges<'_>> =
        factors.factors.iter().filter_map(|factor| factor_changes(factor, cells)).collect();
    Some(Effects {
        series: series.to_owned(),
        measure,
        factors: factor_effects(&changes),
        interactions: interactions(factors, cells),
        optimum: optimum(cells)?,
    })
}

/// The levels of a factor with their changes.
struct FactorChanges<'a> {
    factor: &'a str,
    base: &'a str,
    levels: Vec<(&'a str, Change)>,
}

/// A level compared with the base, over pairs.
struct Change {
    before: Cell,
    after: Cell,
    ratio: Option<Ratio>,
    pairs: usize,
}

impl Change {
    fn bound(&self) -> Option<Bound> {
        Bound::of_change(self.before.bound, self.after.bound)
    }

    /// The ratio if it is known, and no bound.
    fn exact(&self) -> Option<Ratio> {
        self.ratio.filter(|_| self.bound() == Some(Bound::Exact))
    }

    fn is_disturbed(&self) -> bool {
        self.before.is_disturbed || self.after.is_disturbed
    }

    /// What its test says: nothing where that rests on a disturbed point.
    fn significance(&self, judged: Significance) -> Significance {
        if self.is_disturbed() { Significance::Disturbed } else { judged }
    }

    /// Probability of such a change by chance. A bound is evidence only on its own side.
    fn p_value(&self) -> Option<f64> {
        let ratio = self.ratio?;
        let is_evidence = match self.bound()? {
            Bound::Exact => true,
            Bound::AtLeast => ratio.log > 0.0,
            Bound::AtMost => ratio.log < 0.0,
        };
        if is_evidence { ratio.p_value() } else { None }
    }
}

fn factor_changes<'a>(factor: &'a Factor, cells: &Cells<'_>) -> Option<FactorChanges<'a>> {
    let [base, others @ ..] = factor.levels.as_slice() else { return None };
    let at_base = at(cells, &factor.name, base);
    let change = |level: &'a String| {
        let change = change((&factor.name, level), &at_base, cells)?;
        Some((level.as_str(), change))
    };
    let levels: Vec<(&str, Change)> = others.iter().filter_map(change).collect();
    let is_empty = levels.is_empty();
    (!is_empty).then_some(FactorChanges { factor: &factor.name, base, levels })
}

/// The changes with what all of them together let say of each.
fn factor_effects(changes: &[FactorChanges<'_>]) -> Vec<FactorEffect> {
    let all = changes.iter().flat_map(|factor| &factor.levels);
    let p_values: Vec<Option<f64>> = all.map(|(_, change)| change.p_value()).collect();
    let mut judged = judged(&p_values).into_iter();
    let mut effect = |(level, change): &(&str, Change)| LevelEffect {
        level: (*level).to_owned(),
        before: change.before.value.number,
        after: change.after.value.number,
        before_bound: change.before.bound,
        after_bound: change.after.bound,
        ci95: [change.before.value.ci95(), change.after.value.ci95()],
        change_percent: change.ratio.map_or(0.0, Ratio::percent),
        ci95_percent: change.ratio.and_then(half_width_percent),
        pairs: change.pairs,
        significance: change.significance(judged.next().unwrap_or(Significance::Unknown)),
    };
    let of_factor = |changes: &FactorChanges<'_>| FactorEffect {
        factor: changes.factor.to_owned(),
        base: changes.base.to_owned(),
        levels: changes.levels.iter().map(&mut effect).collect(),
    };
    changes.iter().map(of_factor).collect()
}

/// What tests of one family show, in the order given.
fn judged(p_values: &[Option<f64>]) -> Vec<Significance> {
    let known: Vec<f64> = p_values.iter().flatten().copied().collect();
    let mut adjusted = adjusted(&known).into_iter();
    let judge = |p_value: &Option<f64>| match p_value.and_then(|_| adjusted.next()) {
        None => Significance::Unknown,
        Some(adjusted) if adjusted <= ALPHA => Significance::Significant,
        Some(_) => Significance::NotSignificant,
    };
    p_values.iter().map(judge).collect()
}

/// Half of the 95 % confidence interval of a change, in percentage points.
fn half_width_percent(ratio: Ratio) -> Option<f64> {
    ratio.interval_percent().map(|[low, high]| (high - low) / 2.0)
}

/// The mean of several numbers; their errors are independent. Nothing if some are bounds from above
/// and some from below.
fn mean(cells: &[Cell]) -> Option<Cell> {
    let bounds = distinct(cells.iter().map(|cell| cell.bound).filter(|bound| !bound.is_exact()));
    let bound = match bounds.as_slice() {
        [] => Bound::Exact,
        [one] => *one,
        _ => return None,
    };
    let values: Vec<Value> = cells.iter().map(|cell| cell.value).collect();
    let is_disturbed = cells.iter().any(|cell| cell.is_disturbed);
    Some(Cell { value: Value::mean(&values), bound, is_disturbed })
}

/// How those `at_base` of a factor differ from their partners at a level of it, which differ in
/// nothing else; nothing without a pair. Pairs whose bounds leave the change open count only where
/// there are no others.
fn change((name, level): (&str, &str), at_base: &Cells<'_>, cells: &Cells<'_>) -> Option<Change> {
    let partner = |(combination, cell): (&&Combination, &Cell)| {
        let mut partner = (*combination).clone();
        partner.insert(name.to_owned(), level.to_owned());
        Some((*cell, *cells.get(&partner)?))
    };
    let mut pairs: Vec<(Cell, Cell)> = at_base.iter().filter_map(partner).collect();
    let is_telling =
        |(before, after): &(Cell, Cell)| Bound::of_change(before.bound, after.bound).is_some();
    if pairs.iter().any(is_telling) {
        pairs.retain(is_telling);
    }
    let (before, after): (Vec<Cell>, Vec<Cell>) = pairs.iter().copied().unzip();
    let (before, after) = (mean(&before)?, mean(&after)?);
    let ratio = Ratio::of(before.value, after.value);
    (!pairs.is_empty()).then_some(Change { before, after, ratio, pairs: pairs.len() })
}

/// For every pair of factors the level whose effect depends most clearly on the other.
fn interactions(factors: &Factors, cells: &Cells<'_>) -> Vec<Interaction> {
    let mut found: Vec<(usize, f64, Interaction)> = Vec::new();
    let pairs = factors.factors.iter().enumerate().flat_map(|(index, factor)| {
        factors.factors[index + 1..].iter().map(move |other| (factor, other))
    });
    for (pair, (factor, other)) in pairs.enumerate() {
        let tested = interactions_of(factor, other, cells).into_iter();
        found.extend(tested.map(|(p_value, interaction)| (pair, p_value, interaction)));
    }
    let p_values: Vec<f64> = found.iter().map(|(_, p_value, _)| *p_value).collect();
    let mut clearest: BTreeMap<usize, (f64, Interaction)> = BTreeMap::new();
    for ((pair, p_value, interaction), adjusted) in found.into_iter().zip(adjusted(&p_values)) {
        let is_clearer = clearest.get(&pair).is_none_or(|(known, _)| p_value < *known);
        if adjusted <= ALPHA && is_clearer {
            clearest.insert(pair, (p_value, interaction));
        }
    }
    clearest.into_values().map(|(_, interaction)| interaction).collect()
}

/// Whether the effect of each level of a factor depends on each level of the other: the probability
/// of such a difference by chance.
fn interactions_of(factor: &Factor, other: &Factor, cells: &Cells<'_>) -> Vec<(f64, Interaction)> {
    let [base, levels @ ..] = factor.levels.as_slice() else { return Vec::new() };
    let [other_base, other_levels @ ..] = other.levels.as_slice() else { return Vec::new() };
    let at_base = at(cells, &factor.name, base);
    let change_at = |level: &str, given: &str| {
        change((&factor.name, level), &at(&at_base, &other.name, given), cells)?.exact()
    };
    let tested = |level: &String, at: &String| {
        let (here, there) = (change_at(level, other_base)?, change_at(level, at)?);
        let difference = Ratio {
            log: there.log - here.log,
            spread: Some(RelativeError::combined(&[here.spread?, there.spread?])),
        };
        let interaction = Interaction {
            factor: factor.name.clone(),
            level: level.clone(),
            other: other.name.clone(),
            at_base: (other_base.clone(), here.percent()),
            at_level: (at.clone(), there.percent()),
            of_other: other_side([factor, other], [level, at], cells),
        };
        is_practical(difference.percent()).then_some((difference.p_value()?, interaction))
    };
    let all = levels.iter().flat_map(|level| other_levels.iter().map(move |at| (level, at)));
    all.filter_map(|(level, at)| tested(level, at)).collect()
}

/// What the `level` of the other factor does at the base and at the level of the factor.
fn other_side(
    [factor, other]: [&Factor; 2],
    [level, other_level]: [&String; 2],
    cells: &Cells<'_>,
) -> Option<OtherSide> {
    let base = factor.levels.first()?;
    let other_base = at(cells, &other.name, other.levels.first()?);
    let change_at = |given: &str| {
        let before = at(&other_base, &factor.name, given);
        Some(change((&other.name, other_level), &before, cells)?.exact()?.percent())
    };
    Some(OtherSide { base: base.clone(), at_base: change_at(base)?, at_level: change_at(level)? })
}

/// The best combination: of the numbers, and of the bounds from below, the highest. A bound from
/// above is no number that is reached.
fn optimum(cells: &Cells<'_>) -> Option<Optimum> {
    let reached = cells.iter().rev().filter(|(_, cell)| cell.bound != Bound::AtMost);
    // Of equals the first: max_by would give the last.
    let (best, cell) =
        reached.max_by(|(_, a), (_, b)| a.value.number.total_cmp(&b.value.number))?;
    let others = || cells.iter().filter(|(combination, _)| *combination != best);
    let change = |other: &Cell| Change {
        before: *other,
        after: *cell,
        ratio: Ratio::of(other.value, cell.value),
        pairs: 1,
    };
    let mut changes: Vec<(&&Combination, Change)> =
        others().map(|(combination, other)| (combination, change(other))).collect();
    // The highest number or bound first.
    let number = |change: &Change| change.before.value.number;
    changes.sort_by(|(_, a), (_, b)| number(b).total_cmp(&number(a)));
    let p_values: Vec<Option<f64>> = changes.iter().map(|(_, change)| change.p_value()).collect();
    let mut ties = Vec::new();
    let (mut is_unknown, mut is_indifferent) = (false, !changes.is_empty());
    for ((combination, change), found) in changes.iter().zip(judged(&p_values)) {
        let is_alike = change.exact().is_some_and(|ratio| !is_practical(ratio.percent()));
        let is_open = change.p_value().is_none() && change.exact().is_none();
        is_indifferent &= is_alike;
        is_unknown |= found == Significance::Unknown && !is_open;
        if is_alike || is_open || found == Significance::NotSignificant {
            ties.push(BTreeMap::clone(combination));
        }
    }
    Some(Optimum {
        combination: (*best).clone(),
        iops: Estimate { mean: cell.value.number, ci95: cell.value.ci95() },
        bound: cell.bound,
        significance: match (is_unknown, ties.is_empty()) {
            _ if changes.iter().any(|(_, change)| change.is_disturbed()) => Significance::Disturbed,
            (true, _) => Significance::Unknown,
            (false, true) => Significance::Significant,
            (false, false) => Significance::NotSignificant,
        },
        ties,
        is_indifferent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Latency, Throughput, Verdict};
    use crate::spec::factor::Design;
    use crate::words::load::LoadLevel;

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
        assert_eq!((effect.series.as_str(), &effect.measure), ("s", &EffectOn::Peak));
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
        let other = interaction.of_other.as_ref().unwrap();
        assert!(other.base == "1" && (other.at_base - 99.0).abs() < 0.01, "{other:?}");
        assert!((other.at_level - 0.5).abs() < 0.01, "{other:?}");
        assert_eq!(found[0].optimum.ties.len(), 2);
        assert_eq!(found[0].optimum.significance, Significance::NotSignificant);
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
        assert_eq!((level(0).pairs, level(0).significance), (1, Significance::NotSignificant));
        assert!((level(0).change_percent - 1.0).abs() < 1e-9);
        assert_eq!((level(1).pairs, level(1).significance), (1, Significance::Unknown));
        assert_eq!(found[0].interactions, []);
        assert_eq!(found[0].optimum.significance, Significance::Unknown);
    }

    /// A point at one load that takes `mean_ms` on average.
    fn timed(level: &str, load: u32, iops: f64) -> PointResult {
        let mean_ms = f64::from(load) / iops * 1e3;
        PointResult {
            load: LoadLevel::outstanding(load),
            latency_ms: Latency { mean: mean_ms, ci95: Some(0.02 * mean_ms), ..Latency::default() },
            ..point(&[("raid", level)], iops)
        }
    }

    #[test]
    fn a_combination_that_meets_the_rule_at_every_load_ranks_with_its_bound() {
        // RAID-0 never takes 20 ms, RAID-5 does: it was dropped once, and the best was another.
        let rates = [("raid0", 128, 9_831.0), ("raid5", 64, 3_605.0), ("raid5", 128, 3_800.0)];
        let points = rates.map(|(level, load, iops)| timed(level, load, iops));
        let rule = "mean<=20ms".parse().unwrap();
        let found = effects(&points, &factors(&["raid=raid5,raid0"]), &[rule]);
        let [effect, _] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(effect.measure, EffectOn::Sustained("mean<=20ms".to_owned()));
        assert_eq!(effect.optimum.combination["raid"], "raid0");
        assert_eq!((effect.optimum.iops.mean, effect.optimum.bound), (9_831.0, Bound::AtLeast));
        assert_eq!(effect.optimum.significance, Significance::Significant);
        let level = &effect.factors[0].levels[0];
        assert_eq!((level.before_bound, level.after_bound), (Bound::Exact, Bound::AtLeast));
        assert_eq!(level.change_bound(), Some(Bound::AtLeast));
        assert!(level.change_percent > 100.0, "{level:?}");
        assert_eq!(level.significance, Significance::Significant);
    }

    #[test]
    fn two_bounds_on_the_same_side_leave_the_change_open() {
        let points = [timed("raid0", 8, 9_831.0), timed("raid5", 8, 3_605.0)];
        let rule = "mean<=20ms".parse().unwrap();
        let found = effects(&points, &factors(&["raid=raid5,raid0"]), &[rule]);
        let level = &found[0].factors[0].levels[0];
        assert_eq!((level.change_bound(), level.significance), (None, Significance::Unknown));
        let best = &found[0].optimum;
        assert_eq!((best.ties.len(), best.significance), (1, Significance::NotSignificant));
        assert!(!best.is_indifferent);
    }

    #[test]
    fn of_settings_that_may_be_as_good_the_highest_comes_first() {
        let level = |at: &str, iops: f64| {
            let point = point(&[("a", at)], iops);
            PointResult { rate: Throughput { ci95: Some(20.0), ..point.rate }, ..point }
        };
        let points = [level("1", 97.0), level("2", 100.0), level("3", 95.0), level("4", 99.0)];
        let best = effects(&points, &factors(&["a=1,2,3,4"]), &[])[0].optimum.clone();
        assert_eq!(best.combination["a"], "2");
        let ties: Vec<&str> = best.ties.iter().map(|tie| tie["a"].as_str()).collect();
        assert_eq!(ties, ["4", "1", "3"]);
    }

    #[test]
    fn no_setting_is_the_best_by_less_than_matters() {
        let is_indifferent = |other: f64| {
            let points = [point(&[("a", "1")], 100.0), point(&[("a", "2")], other)].map(|point| {
                let rate = Throughput { ci95: Some(0.001), ..point.rate };
                PointResult { rate, ..point }
            });
            let best = effects(&points, &factors(&["a=1,2"]), &[])[0].optimum.clone();
            assert_eq!(best.is_indifferent, best.significance == Significance::NotSignificant);
            best.is_indifferent
        };
        assert_eq!([100.0, 96.0, 104.0].map(is_indifferent), [true; 3]);
        assert_eq!([94.0, 106.0].map(is_indifferent), [false; 2]);
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
        assert_eq!(level.significance, Significance::NotSignificant);
    }

    #[test]
    fn of_what_was_disturbed_nothing_is_claimed() {
        let significance = |verdict: Verdict| {
            let after = PointResult { verdict, ..point(&[("a", "2")], 25.0) };
            let found = effects(&[point(&[("a", "1")], 100.0), after], &factors(&["a=1,2"]), &[]);
            (found[0].factors[0].levels[0].significance, found[0].optimum.significance)
        };
        assert_eq!(
            significance(Verdict::Disturbed),
            (Significance::Disturbed, Significance::Disturbed)
        );
        assert_eq!(
            significance(Verdict::Steady),
            (Significance::Significant, Significance::Significant)
        );
        assert_eq!(significance(Verdict::Drifting), (Significance::Unknown, Significance::Unknown));
    }
}
