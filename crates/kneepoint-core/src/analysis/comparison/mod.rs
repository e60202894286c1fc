//! Two or more runs side by side: what differs, by how much, and whether that could be chance.
//!
//! The first run is the reference. Series are paired by name; what was measured must be the same,
//! what it was measured *on* is what the comparison is about, and is found and named. Every
//! difference is a ratio with a confidence interval. Claims are made for the comparison as a
//! whole: with 95 % confidence none of them is false where the runs are equal.
//!
//! The method, with sources, is in `docs/comparison.md`.

mod common_numbers;
mod document;
mod factor;
mod family;
mod figure;
mod gate;
mod pairing;
mod profile;
mod ratio;
#[cfg(test)]
pub(in crate::analysis) mod tests;

pub use super::mark::{Bound, Reading, Reservation};
pub use document::{
    COMPARE_SCHEMA, ComparedFigure, ComparedRun, Comparison, Difference, FactorDifference,
    FactorKind, SeriesComparison, TestFamilies, UnpairedSeries,
};
pub use gate::{Check, Condition, Gate, GateOutcome, Side, UndecidedBecause};

use crate::result::RunDocument;
use crate::words::distinct::distinct;
use crate::words::fault::Fault;
use crate::words::rule::Rule;
pub(super) use family::adjusted;
use pairing::{PairedSeries, Pairing};
pub(super) use ratio::Ratio;

/// Whether runs of different load profiles may be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profiles {
    /// Refuse where the profiles of a series differ.
    #[default]
    Same,
    /// Compare all the same, and say how they differ.
    Different,
}

/// How runs are compared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompareOptions {
    /// Whether load profiles may differ.
    pub profiles: Profiles,
    /// Conditions under which the comparison fails.
    pub conditions: Vec<Condition>,
}

/// Compares `documents`; the first is the reference.
///
/// # Errors
/// When there are fewer than two, when they have no series in common, when a series' load profiles
/// differ and that was not allowed, or when a condition names no series.
pub fn compare(documents: &[&RunDocument], options: &CompareOptions) -> Result<Comparison, Fault> {
    if documents.len() < 2 {
        return Err(Fault::new("there is nothing to compare")
            .because("only one run was named")
            .fix("name two or more runs; the first is the reference"));
    }
    let Pairing { series, unpaired } = pairing::pair(documents);
    if series.is_empty() {
        return Err(nothing_in_common(documents));
    }
    if options.profiles == Profiles::Same {
        check_profiles(&series)?;
    }
    let rules = rules(documents);
    let (figures, figure_tests) =
        figure::finish(series.iter().map(|series| figure::of_series(series, &rules)).collect());
    let (points, point_tests) = figure::finish(series.iter().map(figure::of_loads).collect());
    let gate = (!options.conditions.is_empty())
        .then(|| gate::judge(&series, &rules, &options.conditions, documents))
        .transpose()?;
    let compared = series.iter().zip(figures).zip(points);
    Ok(Comparison {
        schema: COMPARE_SCHEMA.to_owned(),
        runs: documents.iter().map(|document| run(document)).collect(),
        factors: factors(documents, &series),
        series: compared
            .map(|((series, figures), points)| SeriesComparison {
                series: series.name.to_owned(),
                factors: series.factors.clone(),
                load_unit: series.unit(),
                profile_differences: series.profile_differences.clone(),
                figures,
                points,
            })
            .collect(),
        unpaired,
        tests: TestFamilies { figures: figure_tests, points: point_tests },
        gate,
    })
}

fn run(document: &RunDocument) -> ComparedRun {
    let run = &document.run;
    ComparedRun {
        id: run.id.clone(),
        label: run.label.clone(),
        work: run.work.clone(),
        targets: document.environment.targets.iter().map(|target| target.target.clone()).collect(),
        started_at: run.started_at.clone(),
        state: run.state,
        plan_hash: run.plan_hash.clone(),
    }
}

/// The rules of all runs, in the order of their first appearance. A rule that only one run has is
/// read off the others' points as well.
fn rules(documents: &[&RunDocument]) -> Vec<Rule> {
    let summaries = documents.iter().flat_map(|document| &document.analysis.summaries);
    let texts = distinct(summaries.map(|summary| summary.rule.as_str()));
    distinct(texts.into_iter().filter_map(|text| text.parse().ok()))
}

/// Planned factors first, then what plans, environments and names tell.
fn factors(documents: &[&RunDocument], series: &[PairedSeries<'_>]) -> Vec<FactorDifference> {
    let planned = series.iter().flat_map(|series| &series.planned);
    let mut factors: Vec<FactorDifference> = distinct(planned).into_iter().cloned().collect();
    factors.extend(factor::differences(documents));
    factors
}

fn nothing_in_common(documents: &[&RunDocument]) -> Fault {
    let runs = documents.iter().map(|document| {
        let mut names: Vec<&str> =
            document.points.iter().map(|point| point.series.as_str()).collect();
        names.dedup();
        let names = if names.is_empty() { "no point".to_owned() } else { names.join(", ") };
        format!("{} measured {names}", run(document).name())
    });
    Fault::new("the runs have no series in common")
        .because(runs.collect::<Vec<_>>().join("; "))
        .fix("compare runs of the same suite or profile")
}

fn check_profiles(series: &[PairedSeries<'_>]) -> Result<(), Fault> {
    let different: Vec<String> = series
        .iter()
        .filter(|series| !series.profile_differences.is_empty())
        .map(|series| format!("{}: {}", series.name, series.profile_differences.join(", ")))
        .collect();
    if different.is_empty() {
        return Ok(());
    }
    Err(Fault::new("the runs measured different load profiles")
        .because(different.join("; "))
        .fix("--different-profiles compares them all the same, and says so"))
}
