//! The result format `kneepoint.compare/1`: what `compare --json` writes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gate::Gate;
use crate::analysis::mark::{Bound, Reading};
use crate::result::{Measure, RunState, Significance};
use crate::words::load::LoadUnit;

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
    /// Series that could not be paired.
    pub unpaired: Vec<UnpairedSeries>,
    /// How many tests were made.
    pub tests: TestFamilies,
    /// The conditions that were checked, and how they ended; `null` where there were none.
    pub gate: Option<Gate>,
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
