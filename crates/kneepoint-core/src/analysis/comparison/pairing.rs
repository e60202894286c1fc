//! The same series in several runs.

use std::collections::BTreeMap;

use super::difference::{self, PlannedProfiles};
use super::{FactorDifference, FactorKind, UnpairedSeries};
use crate::analysis::curve::Curve;
use crate::analysis::estimate::RelativeError;
use crate::measure::confidence::{Batches, MeanEstimate};
use crate::plan::TargetKind;
use crate::result::series_key::{SeriesKey, SeriesPoints, by_series};
use crate::result::{IntervalResult, PointResult, Quantity, RunDocument};
use crate::words::distinct::distinct;
use crate::words::load::LoadUnit;
use crate::words::rule::{Metric, Rule};

type Factors = BTreeMap<String, String>;

/// A series that the reference and at least one other run have.
#[derive(Debug)]
pub(super) struct PairedSeries<'a> {
    pub(super) name: &'a str,
    /// The factors of the reference.
    pub(super) factors: &'a Factors,
    /// The curve in every run; `None` where a run lacks the series.
    pub(super) curves: Vec<Option<Curve<'a>>>,
    /// The loads that all runs with usable points have, rising.
    pub(super) levels: Vec<f64>,
    /// The rules that it is judged by in any run.
    pub(super) rules: Vec<Rule>,
    /// How the profiles differ from that of the reference, a sentence each.
    pub(super) profile_differences: Vec<String>,
    /// Whether the profile pauses in any run.
    pub(super) pauses: bool,
    /// Whether each run shares its random numbers with the reference.
    common_numbers: Vec<bool>,
    /// Factors that the plans set and in which the runs differ.
    pub(super) planned: Vec<FactorDifference>,
}

impl PairedSeries<'_> {
    /// The error of the ratio of `quantity` between the reference and run number `run` at `level`, if
    /// the two share their random numbers there.
    pub(super) fn paired_spread(
        &self,
        run: usize,
        level: f64,
        quantity: Quantity,
    ) -> Option<RelativeError> {
        if !self.common_numbers.get(run).is_some_and(|are_shared| *are_shared) {
            return None;
        }
        let [one, other] = [self.curves.first()?, self.curves.get(run)?];
        let (one, other) = (one.as_ref()?.only(level)?, other.as_ref()?.only(level)?);
        let spread = paired_spread(one, other, quantity)?;
        Some(spread.no_finer_than_clocks())
    }

    /// What the loads count.
    pub(super) fn unit(&self) -> LoadUnit {
        let mut units = self.curves.iter().flatten().filter_map(Curve::unit);
        units.next().unwrap_or(LoadUnit::OutstandingIos)
    }
}

/// The series of all runs, paired and not.
#[derive(Debug)]
pub(super) struct Pairing<'a> {
    pub(super) series: Vec<PairedSeries<'a>>,
    pub(super) unpaired: Vec<UnpairedSeries>,
}

/// The series of one run, found by key or by name.
#[derive(Debug)]
struct Run<'a> {
    document: &'a RunDocument,
    profiles: PlannedProfiles<'a>,
    series: Vec<SeriesPoints<'a>>,
    by_key: BTreeMap<SeriesKey<'a>, usize>,
    by_name: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Run<'a> {
    fn of(document: &'a RunDocument) -> Self {
        let mut series = by_series(&document.points);
        if let Some(rounds) = &document.analysis.rounds {
            series.iter_mut().for_each(|series| series.points.retain(|point| rounds.counts(point)));
            series.retain(|series| !series.points.is_empty());
        }
        let keys = series.iter().enumerate().map(|(index, series)| (series.key, index));
        let by_key: BTreeMap<SeriesKey<'_>, usize> = keys.collect();
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, series) in series.iter().enumerate() {
            by_name.entry(series.key.name).or_default().push(index);
        }
        Self { document, profiles: PlannedProfiles::of(document), series, by_key, by_name }
    }

    /// The one series called `name`; nothing where there are several.
    fn only(&self, name: &str) -> Option<usize> {
        match self.by_name.get(name)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The series that is `wanted` of `reference`: of the same name and factors, or of the same
    /// name where only one has it in either run, so that a factor can differ between whole runs.
    fn find(&self, wanted: SeriesKey<'_>, reference: &Self) -> Option<usize> {
        let exact = self.by_key.get(&wanted).copied();
        exact.or_else(|| reference.only(wanted.name).and_then(|_| self.only(wanted.name)))
    }
}

/// A series of one run, with the run.
type Member<'m, 'a> = (&'m Run<'a>, &'m SeriesPoints<'a>);

/// Pairs the series of `documents`, of which the first is the reference; the curves of each are read at its rules.
pub(super) fn pair<'a>(documents: &[&'a RunDocument]) -> Pairing<'a> {
    let rules = rules(documents);
    let runs: Vec<Run<'a>> = documents.iter().map(|document| Run::of(document)).collect();
    let Some((reference, others)) = runs.split_first() else {
        return Pairing { series: Vec::new(), unpaired: Vec::new() };
    };
    let mut used: Vec<Vec<bool>> = others.iter().map(|run| vec![false; run.series.len()]).collect();
    let (mut series, mut unpaired) = (Vec::new(), Vec::new());
    for wanted in &reference.series {
        let mut members: Vec<Option<Member<'_, 'a>>> = vec![Some((reference, wanted))];
        for (run, used) in others.iter().zip(&mut used) {
            let found = run.find(wanted.key, reference);
            found.into_iter().for_each(|index| used[index] = true);
            members.push(found.map(|index| (run, &run.series[index])));
        }
        unpaired.extend(missing(wanted.key, &members));
        if members.iter().flatten().count() > 1 {
            let own = rules.get(wanted.key.name).cloned().unwrap_or_default();
            series.push(paired(wanted.key, &members, own));
        }
    }
    unpaired.extend(left_over(others, &used));
    Pairing { series, unpaired }
}

/// The rules of each series in all runs, in the order of their first appearance. A rule that only one
/// run has is read off the others' points as well.
fn rules<'a>(documents: &[&'a RunDocument]) -> BTreeMap<&'a str, Vec<Rule>> {
    let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for summary in documents.iter().flat_map(|document| &document.analysis.summaries) {
        texts.entry(&summary.series).or_default().push(&summary.rule);
    }
    let parsed = |texts: Vec<&str>| {
        distinct(distinct(texts).into_iter().filter_map(|text| text.parse().ok()))
    };
    texts.into_iter().map(|(series, texts)| (series, parsed(texts))).collect()
}

/// The series as unpaired, where a run lacks it.
fn missing(series: SeriesKey<'_>, members: &[Option<Member<'_, '_>>]) -> Option<UnpairedSeries> {
    let missing_in: Vec<u32> =
        (0..).zip(members).filter(|(_, member)| member.is_none()).map(|(run, _)| run).collect();
    (!missing_in.is_empty()).then(|| unpaired(series, missing_in))
}

/// Series that the reference lacks.
fn left_over(others: &[Run<'_>], used: &[Vec<bool>]) -> Vec<UnpairedSeries> {
    let left = others.iter().zip(used).flat_map(|(run, used)| {
        let left = run.series.iter().zip(used).filter(|(_, used)| !**used);
        left.map(|(series, _)| series.key)
    });
    distinct(left).into_iter().map(|series| unpaired(series, vec![0])).collect()
}

fn unpaired(series: SeriesKey<'_>, missing_in: Vec<u32>) -> UnpairedSeries {
    UnpairedSeries { series: series.name.to_owned(), factors: series.factors.clone(), missing_in }
}

fn paired<'a>(
    reference: SeriesKey<'a>,
    members: &[Option<Member<'_, 'a>>],
    rules: Vec<Rule>,
) -> PairedSeries<'a> {
    let present: Vec<difference::Member<'_>> = members
        .iter()
        .flatten()
        .map(|(run, series)| difference::Member {
            document: run.document,
            planned: run.profiles.of_series(series.key.name),
            points: &series.points,
        })
        .collect();
    let keys = difference::keys(&present);
    let mut profile_differences: Vec<String> =
        keys.iter().flat_map(|key| difference::profile_differences(&keys[0], key)).collect();
    profile_differences.dedup();
    let curve =
        |(_, series): Member<'_, 'a>| Curve::of(series.points.iter().copied()).under(&rules);
    let curves: Vec<Option<Curve<'a>>> = members.iter().map(|member| member.map(curve)).collect();
    PairedSeries {
        name: reference.name,
        factors: reference.factors,
        levels: common_levels(&curves),
        curves,
        rules,
        profile_differences,
        pauses: keys.iter().any(difference::pauses),
        common_numbers: common_numbers(members),
        planned: planned(members),
    }
}

/// Whether each run shares its random numbers with the reference.
fn common_numbers(members: &[Option<Member<'_, '_>>]) -> Vec<bool> {
    let reference = members.first().copied().flatten();
    let are_shared = |member: &Option<Member<'_, '_>>| match (reference, member) {
        (Some((reference, _)), Some((run, _))) => are_shared(reference.document, run.document),
        _ => false,
    };
    members.iter().map(are_shared).collect()
}

/// The loads that all curves with usable points have, rising.
fn common_levels(curves: &[Option<Curve<'_>>]) -> Vec<f64> {
    let mut usable = curves.iter().flatten().filter(|curve| !curve.is_empty());
    let mut levels = usable.next().map(Curve::levels).unwrap_or_default();
    for curve in usable {
        levels.retain(|level| curve.point(*level).is_some());
    }
    levels
}

/// The planned factors in which the runs differ.
fn planned(members: &[Option<Member<'_, '_>>]) -> Vec<FactorDifference> {
    let factors: Vec<Option<&Factors>> =
        members.iter().map(|member| member.map(|(_, series)| series.key.factors)).collect();
    let mut names: Vec<&String> =
        factors.iter().flatten().flat_map(|factors| factors.keys()).collect();
    names.sort();
    names.dedup();
    let values = |name: &String| -> Vec<Option<String>> {
        factors
            .iter()
            .map(|factors| factors.and_then(|factors| factors.get(name)).cloned())
            .collect()
    };
    names
        .into_iter()
        .map(|name| FactorDifference {
            kind: FactorKind::Planned,
            name: name.clone(),
            values: values(name),
        })
        .filter(|factor| {
            let present = factor.values.iter().zip(members).filter(|(_, member)| member.is_some());
            present.into_iter().any(|(value, _)| *value != factor.values[0])
        })
        .collect()
}

/// Share of the intervals of both points that must have their pair: the rest is not in the error.
const PAIRED_MIN: f64 = 0.95;

/// Whether two runs draw the same random numbers.
fn are_shared(one: &RunDocument, other: &RunDocument) -> bool {
    let is_simulated = |document: &RunDocument| {
        let targets = &document.environment.targets;
        !targets.is_empty() && targets.iter().all(|target| target.kind == TargetKind::Sim)
    };
    let same_seed =
        one.plan.get("seed").is_some() && one.plan.get("seed") == other.plan.get("seed");
    same_seed && is_simulated(one) && is_simulated(other)
}

/// The standard error of the logarithm of the ratio of a number of two points that share their random
/// numbers; `None` for numbers that intervals do not add up to, and for points whose intervals are not
/// the same.
///
/// Two simulated runs of one seed draw the same I/Os at the same virtual times, so what is by chance
/// high in the one is high in the other, and most of it cancels in the difference (common random
/// numbers; e.g. A. M. Law, "Simulation Modeling and Analysis", 2015, section 11.2). The error of the
/// ratio comes from the differences of the two, interval by interval, with the batch means of every
/// other mean.
pub(super) fn paired_spread(
    one: &PointResult,
    other: &PointResult,
    quantity: Quantity,
) -> Option<RelativeError> {
    if one.repetition != other.repetition {
        return None;
    }
    let pairs = pairs(one, other);
    let most = one.intervals.len().max(other.intervals.len()) as f64;
    if (pairs.len() as f64) < PAIRED_MIN * most {
        return None;
    }
    let (left, right): (Vec<&IntervalResult>, Vec<&IntervalResult>) = pairs.into_iter().unzip();
    let (left, right) = (relative(&left, quantity)?, relative(&right, quantity)?);
    let differences: Vec<f64> = right.iter().zip(&left).map(|(right, left)| right - left).collect();
    let mean = MeanEstimate::of(&differences, &Batches::choose(&differences)?);
    Some(RelativeError { relative: mean.standard_error, dof: f64::from(mean.dof) })
}

/// The intervals of both points that cover the same virtual time.
fn pairs<'a>(
    one: &'a PointResult,
    other: &'a PointResult,
) -> Vec<(&'a IntervalResult, &'a IntervalResult)> {
    let place = |point: &PointResult, interval: &IntervalResult| {
        let end = point.ramp_s + interval.start_s + interval.length_s;
        ((end * 1e6).round() as u64, (interval.length_s * 1e6).round() as u64)
    };
    let mut others = other.intervals.iter().peekable();
    let mut pairs = Vec::new();
    for interval in &one.intervals {
        let wanted = place(one, interval);
        while others.next_if(|candidate| place(other, candidate).0 < wanted.0).is_some() {}
        if let Some(pair) = others.next_if(|candidate| place(other, candidate) == wanted) {
            pairs.push((interval, pair));
        }
    }
    pairs
}

/// By how much each interval moves the number, as a share of it.
fn relative(intervals: &[&IntervalResult], quantity: Quantity) -> Option<Vec<f64>> {
    let count = intervals.len() as f64;
    let rates: Vec<f64> = intervals.iter().map(|interval| interval.rate).collect();
    let rate_mean = rates.iter().sum::<f64>() / count;
    let shares = |values: Vec<f64>| {
        let mean = values.iter().sum::<f64>() / count;
        (mean > 0.0).then(|| values.iter().map(|value| value / mean).collect())
    };
    match quantity {
        Quantity::Iops => shares(rates),
        Quantity::Throughput => {
            shares(intervals.iter().map(|interval| interval.volume).collect::<Option<_>>()?)
        }
        Quantity::Latency(Metric::Mean) => {
            let time = |interval: &&&IntervalResult| interval.latency_mean_ms * interval.rate;
            let mean = intervals.iter().map(|interval| time(&interval)).sum::<f64>() / count;
            let latency = mean / rate_mean;
            let moved = intervals.iter().map(|interval| {
                (interval.latency_mean_ms - latency) * interval.rate / (latency * rate_mean)
            });
            (mean > 0.0).then(|| moved.collect())
        }
        Quantity::Latency(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point of 40 intervals of a second whose rates go up and down by `noise`, times `factor`.
    fn point(ramp_s: f64, factor: f64, noise: impl Fn(u32) -> f64) -> PointResult {
        let interval = |number: u32| IntervalResult {
            start_s: f64::from(number),
            length_s: 1.0,
            rate: factor * (100.0 + noise(number)),
            latency_mean_ms: 1e3 / (factor * (100.0 + noise(number))),
            ..IntervalResult::default()
        };
        PointResult { ramp_s, intervals: (0..40).map(interval).collect(), ..PointResult::default() }
    }

    /// Noise without correlation: bits of a product.
    fn noise(number: u32) -> f64 {
        f64::from((number.wrapping_mul(2_654_435_761) >> 16) % 41) - 20.0
    }

    #[test]
    fn what_both_share_cancels() {
        let (one, other) = (point(1.0, 1.0, noise), point(1.0, 1.1, noise));
        for quantity in [Quantity::Iops, Quantity::Latency(Metric::Mean)] {
            let spread = paired_spread(&one, &other, quantity).unwrap();
            assert!(spread.relative < 1e-9, "{quantity:?}: {spread:?}");
        }
        let own = |number: u32| noise(number + 1000);
        let apart = paired_spread(&one, &point(1.0, 1.1, own), Quantity::Iops).unwrap();
        assert!(apart.relative > 0.005, "{apart:?}");
        assert_eq!(paired_spread(&one, &other, Quantity::Throughput), None, "there are no bytes");
        assert_eq!(paired_spread(&one, &other, Quantity::Latency(Metric::P99)), None);
    }

    #[test]
    fn other_times_are_no_pairs() {
        let one = point(1.0, 1.0, noise);
        assert_eq!(paired_spread(&one, &point(1.5, 1.1, noise), Quantity::Iops), None);
        let mut short = point(1.0, 1.1, noise);
        short.intervals.truncate(30);
        assert_eq!(paired_spread(&one, &short, Quantity::Iops), None);
        let again = PointResult { repetition: 1, ..point(1.0, 1.1, noise) };
        assert_eq!(paired_spread(&one, &again, Quantity::Iops), None);
    }
}
