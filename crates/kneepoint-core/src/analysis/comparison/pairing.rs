//! The same series in several runs.

use std::collections::BTreeMap;

use super::curve::Curve;
use super::document::{FactorDifference, FactorKind, UnpairedSeries};
use super::profile;
use crate::load::LoadUnit;
use crate::result::{PointResult, RunDocument};

type Factors = BTreeMap<String, String>;

/// A series that the reference and at least one other run have.
#[derive(Debug)]
pub(super) struct PairedSeries<'a> {
    pub(super) name: &'a str,
    /// The factors of the reference.
    pub(super) factors: &'a Factors,
    /// The curve in every run; `None` where a run lacks the series.
    pub(super) curves: Vec<Option<Curve<'a>>>,
    /// How the profiles differ from that of the reference, a sentence each.
    pub(super) profile_differences: Vec<String>,
    /// Factors that the plans set and in which the runs differ.
    pub(super) planned: Vec<FactorDifference>,
}

impl PairedSeries<'_> {
    /// The loads that all runs with usable points have, rising.
    pub(super) fn levels(&self) -> Vec<f64> {
        let mut measured =
            self.curves.iter().flatten().map(Curve::levels).filter(|levels| !levels.is_empty());
        let first = measured.next().unwrap_or_default();
        measured.fold(first, |common, levels| {
            common.into_iter().filter(|level| levels.contains(level)).collect()
        })
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

/// One series of one run.
#[derive(Debug)]
struct Series<'a> {
    name: &'a str,
    factors: &'a Factors,
    points: Vec<&'a PointResult>,
}

/// The series of a run, by name and factors, in the order of their first appearance.
fn series_of(document: &RunDocument) -> Vec<Series<'_>> {
    let mut all: Vec<Series<'_>> = Vec::new();
    for point in &document.points {
        let same = |series: &&mut Series<'_>| {
            series.name == point.series && *series.factors == point.factors
        };
        match all.iter_mut().find(same) {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                name: &point.series,
                factors: &point.factors,
                points: vec![point],
            }),
        }
    }
    all
}

/// The series of `all` that is `wanted`: of the same name and factors, or of the same name where
/// only one has it in either run, so that a factor can differ between whole runs.
fn find(all: &[Series<'_>], wanted: &Series<'_>, is_only: bool) -> Option<usize> {
    let named: Vec<usize> =
        (0..all.len()).filter(|index| all[*index].name == wanted.name).collect();
    let exact = named.iter().find(|index| all[**index].factors == wanted.factors);
    exact.copied().or(match named.as_slice() {
        [only] if is_only => Some(*only),
        _ => None,
    })
}

/// Pairs the series of `documents`, of which the first is the reference.
pub(super) fn pair<'a>(documents: &[&'a RunDocument]) -> Pairing<'a> {
    let all: Vec<Vec<Series<'a>>> = documents.iter().map(|document| series_of(document)).collect();
    let Some((reference, others)) = all.split_first() else {
        return Pairing { series: Vec::new(), unpaired: Vec::new() };
    };
    let mut used: Vec<Vec<bool>> = others.iter().map(|all| vec![false; all.len()]).collect();
    let (mut series, mut unpaired) = (Vec::new(), Vec::new());
    for wanted in reference {
        let is_only = reference.iter().filter(|other| other.name == wanted.name).count() == 1;
        let mut members = vec![Some(wanted)];
        for (all, used) in others.iter().zip(&mut used) {
            let found = find(all, wanted, is_only);
            found.into_iter().for_each(|index| used[index] = true);
            members.push(found.map(|index| &all[index]));
        }
        unpaired.extend(missing(wanted, &members));
        if members.iter().flatten().count() > 1 {
            series.push(paired(documents, &members, wanted));
        }
    }
    unpaired.extend(left_over(others, &used));
    Pairing { series, unpaired }
}

/// The series as unpaired, where a run lacks it.
fn missing(series: &Series<'_>, members: &[Option<&Series<'_>>]) -> Option<UnpairedSeries> {
    let missing_in: Vec<u32> =
        (0..).zip(members).filter(|(_, member)| member.is_none()).map(|(run, _)| run).collect();
    (!missing_in.is_empty()).then(|| UnpairedSeries {
        series: series.name.to_owned(),
        factors: series.factors.clone(),
        missing_in,
    })
}

/// Series that the reference lacks.
fn left_over(others: &[Vec<Series<'_>>], used: &[Vec<bool>]) -> Vec<UnpairedSeries> {
    let mut unpaired: Vec<UnpairedSeries> = Vec::new();
    for (all, used) in others.iter().zip(used) {
        for (series, _) in all.iter().zip(used).filter(|(_, used)| !**used) {
            let known = unpaired
                .iter()
                .any(|known| known.series == series.name && known.factors == *series.factors);
            if !known {
                unpaired.push(UnpairedSeries {
                    series: series.name.to_owned(),
                    factors: series.factors.clone(),
                    missing_in: vec![0],
                });
            }
        }
    }
    unpaired
}

fn paired<'a>(
    documents: &[&'a RunDocument],
    members: &[Option<&Series<'a>>],
    reference: &Series<'a>,
) -> PairedSeries<'a> {
    let present: Vec<profile::Member<'_>> = documents
        .iter()
        .zip(members)
        .filter_map(|(document, member)| {
            member.map(|series| (*document, series.name, series.points.as_slice()))
        })
        .collect();
    let keys = profile::keys(&present);
    let mut profile_differences: Vec<String> =
        keys.iter().flat_map(|key| profile::differences(&keys[0], key)).collect();
    profile_differences.dedup();
    PairedSeries {
        name: reference.name,
        factors: reference.factors,
        curves: members
            .iter()
            .map(|member| member.map(|series| Curve::of(series.points.iter().copied())))
            .collect(),
        profile_differences,
        planned: planned(members),
    }
}

/// The planned factors in which the runs differ.
fn planned(members: &[Option<&Series<'_>>]) -> Vec<FactorDifference> {
    let mut names: Vec<&String> =
        members.iter().flatten().flat_map(|series| series.factors.keys()).collect();
    names.sort();
    names.dedup();
    let values = |name: &String| -> Vec<Option<String>> {
        members
            .iter()
            .map(|series| series.and_then(|series| series.factors.get(name)).cloned())
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
