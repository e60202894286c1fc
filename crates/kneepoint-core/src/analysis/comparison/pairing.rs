//! The same series in several runs.

use std::collections::BTreeMap;

use super::common_numbers;
use super::document::{FactorDifference, FactorKind, UnpairedSeries};
use super::profile::{self, PlannedProfiles};
use crate::analysis::curve::Curve;
use crate::analysis::estimate::RelativeError;
use crate::result::Quantity;
use crate::result::RunDocument;
use crate::result::series_key::{SeriesKey, SeriesPoints, by_series};
use crate::words::distinct::distinct;
use crate::words::load::LoadUnit;

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
    /// How the profiles differ from that of the reference, a sentence each.
    pub(super) profile_differences: Vec<String>,
    /// Whether each run shares its random numbers with the reference.
    pub(super) common_numbers: Vec<bool>,
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
        let spread = common_numbers::paired_spread(one, other, quantity)?;
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
        let series = by_series(&document.points);
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

/// Pairs the series of `documents`, of which the first is the reference.
pub(super) fn pair<'a>(documents: &[&'a RunDocument]) -> Pairing<'a> {
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
            series.push(paired(wanted.key, &members));
        }
    }
    unpaired.extend(left_over(others, &used));
    Pairing { series, unpaired }
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

fn paired<'a>(reference: SeriesKey<'a>, members: &[Option<Member<'_, 'a>>]) -> PairedSeries<'a> {
    let present: Vec<profile::Member<'_>> = members
        .iter()
        .flatten()
        .map(|(run, series)| profile::Member {
            document: run.document,
            planned: run.profiles.of_series(series.key.name),
            points: &series.points,
        })
        .collect();
    let keys = profile::keys(&present);
    let mut profile_differences: Vec<String> =
        keys.iter().flat_map(|key| profile::differences(&keys[0], key)).collect();
    profile_differences.dedup();
    let curve = |(_, series): Member<'_, 'a>| Curve::of(series.points.iter().copied());
    let curves: Vec<Option<Curve<'a>>> = members.iter().map(|member| member.map(curve)).collect();
    PairedSeries {
        name: reference.name,
        factors: reference.factors,
        levels: common_levels(&curves),
        curves,
        profile_differences,
        common_numbers: common_numbers(members),
        planned: planned(members),
    }
}

/// Whether each run shares its random numbers with the reference.
fn common_numbers(members: &[Option<Member<'_, '_>>]) -> Vec<bool> {
    let reference = members.first().copied().flatten();
    let are_shared = |member: &Option<Member<'_, '_>>| match (reference, member) {
        (Some((reference, _)), Some((run, _))) => {
            common_numbers::are_shared(reference.document, run.document)
        }
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
