//! Two or more runs side by side: what differs, by how much, and whether that could be chance.
//!
//! The first run is the reference. Series are paired by name; what was measured must be the same,
//! what it was measured *on* is what the comparison is about, and is found and named. Every
//! difference is a ratio with a confidence interval. Claims are made for the comparison as a
//! whole: with 95 % confidence none of them is false where the runs are equal.
//!
//! The method, with sources, is in `docs/comparison.md`.

mod difference;
mod figure;
mod gate;
mod overall;
mod pairing;
mod ratio;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use super::mark::{Bound, Reading, Reservation};
pub use gate::{Check, Condition, Gate, GateOutcome, Side, UndecidedBecause};
pub(super) use ratio::{Ratio, adjusted};

use crate::plan::TargetKind;
use crate::result::{Measure, RunDocument, RunState, Significance, Warning};
use crate::words::distinct::distinct;
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use pairing::{PairedSeries, Pairing};

#[cfg(test)]
pub(in crate::analysis) mod tests;

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
    let drafts: Vec<_> = series.iter().map(figure::of_series).collect();
    let ratios = overall::ratios(&drafts, documents.len());
    let (figures, figure_tests) = figure::finish(drafts);
    let overall = overall::of_series(&ratios, &figures);
    let (points, point_tests) = figure::finish(series.iter().map(figure::of_loads).collect());
    let gate = (!options.conditions.is_empty())
        .then(|| gate::judge(&series, &options.conditions))
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
        overall,
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
        is_simulated: document.environment.targets.iter().any(|at| at.kind == TargetKind::Sim),
        uncalibrated: uncalibrated(document),
    }
}

/// The simulated systems of a run that were never fitted to measurements.
fn uncalibrated(document: &RunDocument) -> Vec<String> {
    let of_points = document.points.iter().flat_map(|point| &point.warnings);
    let systems = of_points.filter_map(|warning| match warning.bare() {
        Warning::Uncalibrated { system } => Some(system.clone()),
        _ => None,
    });
    distinct(systems)
}

/// Planned factors first, then what plans, environments and names tell.
fn factors(documents: &[&RunDocument], series: &[PairedSeries<'_>]) -> Vec<FactorDifference> {
    let planned = series.iter().flat_map(|series| &series.planned);
    let mut factors: Vec<FactorDifference> = distinct(planned).into_iter().cloned().collect();
    factors.extend(difference::factor_differences(documents));
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

/// The version of the format.
pub const COMPARE_SCHEMA: &str = "kneepoint.compare/1";

/// Two or more runs side by side; the first is the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// `kneepoint.compare/1`.
    pub schema: String,
    /// The runs, in the order in which they were named. Lists with an entry per run keep it.
    pub runs: Vec<ComparedRun>,
    /// What differs between the runs apart from what was measured.
    pub factors: Vec<FactorDifference>,
    /// Every series that at least two of the runs have, the reference among them.
    pub series: Vec<SeriesComparison>,
    /// All series together, for every number that at least two of them have; empty for fewer.
    #[serde(default)]
    pub overall: Vec<Overall>,
    /// Series that could not be paired.
    pub unpaired: Vec<UnpairedSeries>,
    /// How many tests were made.
    pub tests: TestFamilies,
    /// The conditions that were checked, and how they ended; `null` where there were none.
    pub gate: Option<Gate>,
}

impl Comparison {
    /// Every difference of a run from the reference, numbers that are the other side of another one
    /// left out.
    pub fn differences(&self, run: usize) -> impl Iterator<Item = &Difference> {
        self.series.iter().flat_map(move |series| series.differences(run))
    }

    /// Whether of a run nothing can be told: every difference rests on points that something disturbed.
    pub fn is_disturbed(&self, run: usize) -> bool {
        let of_run =
            || self.series.iter().filter(|series| series.differences(run).next().is_some());
        of_run().next().is_some() && of_run().all(|series| series.is_disturbed(run))
    }
}

/// A run of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedRun {
    /// Unique name of the run.
    pub id: String,
    /// The user's own name for it; may be empty.
    pub label: String,
    /// Name of the suite or profile.
    pub work: String,
    /// The targets as the user named them.
    pub targets: Vec<String>,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// How the run ended.
    pub state: RunState,
    /// SHA-256 of its plan.
    pub plan_hash: String,
    /// Whether its numbers come from a model.
    #[serde(default)]
    pub is_simulated: bool,
    /// The models among its targets that were never fitted to measurements.
    #[serde(default)]
    pub uncalibrated: Vec<String>,
}

impl ComparedRun {
    /// What people call the run: its label, or its id.
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.id } else { &self.label }
    }
}

/// Something that is not the same in all runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct FactorDifference {
    /// What it belongs to.
    pub kind: FactorKind,
    /// Its name: `write_cache`, `engine`, `kernel`, `target`.
    pub name: String,
    /// Its value in every run; `null` where a run says nothing of it.
    pub values: Vec<Option<String>>,
}

/// What a factor belongs to, the most telling first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FactorKind {
    /// A factor that the plan varies on purpose.
    Planned,
    /// The target: which one, its parameters and settings.
    Target,
    /// How I/O is issued.
    Engine,
    /// How it is measured: times, repetitions, preconditioning.
    Measurement,
    /// The machine.
    Machine,
    /// Kneepoint itself.
    Program,
}

/// One series in all runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesComparison {
    /// The series.
    pub series: String,
    /// The factors that the plan gave it, where all runs agree on them.
    pub factors: BTreeMap<String, String>,
    /// What its load levels count.
    pub load_unit: LoadUnit,
    /// How the load profiles differ, a sentence each; empty unless that was allowed.
    pub profile_differences: Vec<String>,
    /// Sustained throughput at every rule, peak, and the averages over equal loads.
    pub figures: Vec<ComparedFigure>,
    /// The same at every load that all runs have.
    pub points: Vec<ComparedFigure>,
}

impl SeriesComparison {
    fn differences(&self, run: usize) -> impl Iterator<Item = &Difference> {
        let figures = self.figures.iter().chain(&self.points);
        let own = figures.filter(|figure| figure.tested_by.is_none());
        own.filter_map(move |figure| figure.differences.get(run)?.as_ref())
    }

    /// Whether of a run nothing can be told here: every difference rests on points that something
    /// disturbed.
    pub fn is_disturbed(&self, run: usize) -> bool {
        let is_disturbed = |found: &Difference| found.significance == Significance::Disturbed;
        self.differences(run).next().is_some() && self.differences(run).all(is_disturbed)
    }
}

/// One number in all runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedFigure {
    /// What is compared.
    pub measure: Measure,
    /// The rule, as typed, for a sustained throughput.
    pub rule: Option<String>,
    /// The load, for a number at one load.
    pub load: Option<f64>,
    /// Loads that an average is over; `null` for everything else.
    pub load_count: Option<u32>,
    /// The number of which this one is the other side, so that both are one test: at a fixed number of
    /// outstanding I/Os the mean response time is that number over the rate. Left out for numbers that
    /// are tested by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested_by: Option<Measure>,
    /// The number in every run: I/Os per second, MiB per second or milliseconds; `null` where a
    /// run has none. An average over loads is their geometric mean.
    pub readings: Vec<Option<Reading>>,
    /// How it differs from the reference in every run; `null` for the reference, and where there
    /// is nothing to compare.
    pub differences: Vec<Option<Difference>>,
}

/// How a number differs from that of the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The change in percent of the reference.
    pub percent: f64,
    /// The 95 % confidence interval of the change, for this number alone; `null` where it is not
    /// known.
    pub interval_percent: Option<[f64; 2]>,
    /// Whether the change is known or only bounded.
    pub bound: Bound,
    /// Probability of such a difference between equal runs; `null` where it is not known.
    pub p_value: Option<f64>,
    /// The same with all tests of its family taken into account (Holm's procedure).
    pub adjusted_p_value: Option<f64>,
    /// What the test says.
    pub significance: Significance,
    /// The smallest change in percent that comparisons like this one would find in 80 of 100
    /// cases; `null` where it is not known.
    pub detectable_percent: Option<f64>,
}

/// One number of all series together: the geometric mean of their ratios to the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overall {
    /// The rule, as typed, of the sustained throughput; `null` for the peak.
    pub rule: Option<String>,
    /// How each run does against the reference; `null` for the reference itself, and where fewer
    /// than two series tell.
    pub differences: Vec<Option<OverallDifference>>,
}

/// How a run does over all series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverallDifference {
    /// The geometric mean of the changes, in percent.
    pub percent: f64,
    /// Its 95 % confidence interval for these series; `null` where it is not known.
    pub interval_percent: Option<[f64; 2]>,
    /// Series that the mean is over: those whose change is known, not only bounded.
    pub series: u32,
    /// Series with significantly more than the reference, by 5 % or more.
    pub wins: u32,
    /// Series without a significant difference of 5 % or more.
    pub ties: u32,
    /// Series with significantly less than the reference, by 5 % or more.
    pub losses: u32,
    /// Series of which nothing can be claimed.
    pub undecided: u32,
}

/// A series that not all runs have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnpairedSeries {
    /// The series.
    pub series: String,
    /// The factors that the plan gave it.
    pub factors: BTreeMap<String, String>,
    /// Numbers of the runs that lack it, counted from 0.
    pub missing_in: Vec<u32>,
}

/// How many tests were made, each family with half of the 5 % of false claims that are allowed for
/// the whole comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TestFamilies {
    /// Tests of figures of whole series.
    pub figures: u32,
    /// Tests of single loads.
    pub points: u32,
}
