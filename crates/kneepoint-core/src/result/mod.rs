//! The result format `kneepoint.run/2`: what `--json` and `export` write and `import` reads.
//!
//! A result is self-describing: it holds the plan, the environment, every point and the summaries.
//! Numbers are in the C locale; a number that is not known is `null`, never a guess.

mod beside;
mod finding;
mod host;
mod imported;
mod judged;
mod point;
mod processor;
mod published;
mod rounds;
pub mod series_key;
pub mod simulated;
pub mod sizing;
mod summary;
mod system_parts;
mod upgrade;
mod user_count;
pub mod warning;

use std::collections::BTreeMap;

pub use beside::BesideResult;
pub use finding::{
    Between, Bottleneck, Bound, Change, Contrast, EffectOn, Effects, FactorEffect, Finding,
    Interaction, LevelEffect, Measure, NamedFactor, Optimum, Order, OtherSide, PRACTICAL_PERCENT,
    Place, Plateau, Quantity, Significance, Step, is_practical,
};
pub use host::{ClockDrift, ClockOffset, HostResult, HostStartResult, lags_behind, median_host};
pub use imported::{ImportNote, Imported};
pub use point::*;
pub use processor::{PeakGain, ProcessorAnalysis, ProcessorScore, ProcessorStep};
pub use published::{ModelFit, ModelOrigin, PublishedComparison, PublishedNumber, PublishedPlace};
pub use rounds::{RoundCell, RoundsAnalysis, TrackedSeries};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use summary::{CopyRates, CopyResult, CopySummary, *};
pub use system_parts::{Links, SystemParts};
pub use upgrade::{
    RUN_SCHEMA_1, upgrade_copy, upgrade_environment, upgrade_point, upgrade_run, upgrade_warnings,
};
pub use user_count::UserCount;
pub use warning::{Severity, Warning};

use crate::plan::TargetKind;
use crate::words::load::LoadUnit;
use crate::words::storage_class::TargetClass;

/// The version of the result format.
pub const RUN_SCHEMA: &str = "kneepoint.run/2";

/// What points and copies mean.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RunAnalysis {
    /// Sustained and peak throughput of every series at every rule.
    pub summaries: Vec<Summary>,
    /// What the factors do; empty if nothing was varied.
    #[serde(default)]
    pub effects: Vec<Effects>,
    /// What the numbers amount to.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// Results that can hardly be true; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implausible: Vec<Warning>,
    /// The copies by target, method and cache; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopySummary>,
    /// Published numbers beside the simulated ones; left out if none is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<PublishedComparison>,
    /// The member programs together; left out of other work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<ProcessorAnalysis>,
    /// Rounds over all series until steady state; left out if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<RoundsAnalysis>,
    /// Numbers of users under every rule; left out of other work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<UserCount>,
}

/// One execution of a suite or profile against targets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunDocument {
    /// `kneepoint.run/2`.
    pub schema: String,
    /// What ran, when, and how it ended.
    pub run: RunHeader,
    /// What it ran on.
    pub environment: Environment,
    /// The plan as resolved before the run (format `kneepoint.plan/1`).
    pub plan: serde_json::Value,
    /// Every measured point, in the order measured.
    pub points: Vec<PointResult>,
    /// Every copy of files, in the order made; left out where none was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopyResult>,
    /// What follows from points, copies and plan.
    #[serde(default)]
    pub analysis: RunAnalysis,
    /// What limits the trust in the whole run.
    pub warnings: Vec<Warning>,
}

impl RunDocument {
    /// Leaves out the response times in full, which make a document many times larger.
    pub fn leave_out_histograms(&mut self) {
        self.points.iter_mut().for_each(|point| point.histograms = None);
    }
}

/// What ran, when, and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunHeader {
    /// Unique name of the run.
    pub id: String,
    /// The user's own name for it; may be empty.
    pub label: String,
    /// Name of the suite or profile.
    pub work: String,
    /// How the run ended.
    pub state: RunState,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC; empty while the run goes on.
    pub finished_at: String,
    /// SHA-256 of the plan; empty for an imported run, which has none.
    pub plan_hash: String,
    /// The plan's seed.
    pub seed: u64,
    /// Version of Kneepoint that measured, or that imported the run.
    pub version: String,
    /// The command as it was typed.
    pub command: String,
}

crate::named! {
    /// How a run ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum RunState {
        /// Every point of the plan was measured.
        Complete = "complete",
        /// Stopped before the end; what was measured is kept. A run that is still going, too.
        Interrupted = "interrupted",
        /// Ended by errors.
        Failed = "failed",
    }
}

/// The machines that measured, and the targets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    /// The machines that the load came from; one, unless a fleet measured.
    pub hosts: Vec<HostEnvironment>,
    /// One entry per target, in the plan's order.
    pub targets: Vec<TargetEnvironment>,
    /// Published numbers of what the series simulate; left out if none is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<PublishedNumber>,
    /// What another tool measured; left out of runs that Kneepoint measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
}

impl Environment {
    /// The machine that the load came from; the first of several.
    pub fn first_host(&self) -> Option<&HostEnvironment> {
        self.hosts.first()
    }
}

impl RunDocument {
    /// The points that the scores of the run are made of: those of each number of warehouses or of copies
    /// that a score takes.
    pub fn points_of_scores(&self) -> impl Iterator<Item = &PointResult> {
        let business = self.analysis.summaries.iter().filter_map(|summary| {
            let score = summary.score?;
            Some((summary, f64::from(score.from)..=f64::from(score.to)))
        });
        let business: Vec<_> = business.collect();
        let scores = self.analysis.processor.iter().flat_map(|processor| &processor.scores);
        let copies: Vec<f64> = scores.map(|score| f64::from(score.copies)).collect();
        self.points.iter().filter(move |point| {
            let load = point.load.value;
            let is_of_copies = point.load.unit == LoadUnit::Copies && copies.contains(&load);
            let mut of_business = business.iter();
            is_of_copies
                || of_business.any(|(summary, loads)| {
                    summary.series == point.series
                        && summary.factors == point.factors
                        && loads.contains(&load)
                })
        })
    }
}

/// A machine that measured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct HostEnvironment {
    /// Its name.
    pub host: String,
    /// Its facts: operating system, vendor and product, virtualisation.
    pub facts: BTreeMap<String, String>,
    /// Kernel release and version.
    pub kernel: String,
    /// Processor facts: model, logical CPUs, governor, clock source.
    pub cpu: BTreeMap<String, String>,
    /// Memory of the machine in bytes.
    pub memory_bytes: u64,
    /// Engine facts: which interface, what of it the kernel granted.
    pub engine: BTreeMap<String, String>,
    /// Its clock against that of the controller; `null` if it is the controller's own.
    pub clock: Option<ClockOffset>,
}

/// What is known of one target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetEnvironment {
    /// As the user named it.
    pub target: String,
    /// The host that drives it.
    #[serde(default)]
    pub host: String,
    /// What it is.
    pub kind: TargetKind,
    /// Size in bytes that I/O may touch.
    pub size_bytes: u64,
    /// File system type, source and mount options; empty for a device.
    pub file_system: String,
    /// Facts of the device below: name, model, serial, firmware, capacity, members.
    pub device: BTreeMap<String, String>,
    /// Settings that can be changed: scheduler, read-ahead, write cache, queue limits.
    pub settings: BTreeMap<String, String>,
    /// The class of storage that it was taken for, and why; left out by older versions. Where no one
    /// names rules they follow from the classes of all targets (`target_class` in the plan).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<TargetClass>,
    /// The model of a simulated target; left out of others, of reference systems, and by older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelOrigin>,
}
