//! Numbers that others published of what is simulated, and what the simulation puts in their place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::point::ThroughputUnit;
use super::system_parts::SystemParts;
use crate::spec::factor::Combination;

/// The model of a simulated target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelOrigin {
    /// The name of the simulated system, without its settings.
    pub system: String,
    /// Its title for people.
    pub title: String,
    /// Where the facts come from: the report or the data sheets.
    pub source: String,
    /// What is known of its drives: `18.2 GB, FC`; left out by older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub drive: String,
    /// What one drive reads from its medium at its slowest, at the innermost zone, in MiB per second
    /// (2^20 bytes); left out if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_mib_s: Option<f64>,
    /// What the system is put together from; left out by older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<SystemParts>,
    /// How its parameters were fitted; `null` if they never were.
    #[serde(default)]
    pub fit: Option<ModelFit>,
}

/// How the parameters of a model were fitted to published numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelFit {
    /// Published numbers that they were fitted to; 0 if it is not known how many.
    pub cells: u32,
    /// Mean error on these numbers, in percent of each; `null` if it is not known.
    #[serde(default)]
    pub mean_error_percent: Option<f64>,
}

/// A number of a published table that a series of the run simulates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedNumber {
    /// The report and the table: `fastt900, Table 1`.
    pub source: String,
    /// The series.
    pub series: String,
    /// Levels of its factors; empty where nothing is varied.
    #[serde(default)]
    pub factors: Combination,
    /// Where on the curve it was read off.
    pub place: PublishedPlace,
    /// The number.
    pub value: f64,
    /// What it counts.
    pub unit: ThroughputUnit,
}

/// Where on a curve a published number was read off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublishedPlace {
    /// Where the curve meets this rule.
    Rule(String),
    /// The highest throughput up to this many outstanding I/Os for each target.
    Peak(u32),
    /// At this many outstanding I/Os for each target.
    Outstanding(u32),
}

/// A published number beside the simulated one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedComparison {
    /// What was published.
    pub published: PublishedNumber,
    /// What the run gives in its place, in the same unit.
    pub simulated: f64,
    /// Half the width of its 95 % confidence interval, in the same unit: what chance leaves open in
    /// the simulation, not how far the model is from the world; `null` if it is not known.
    #[serde(default)]
    pub ci95: Option<f64>,
    /// Simulated over published, less one, in percent.
    pub error_percent: f64,
}
