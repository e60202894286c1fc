//! What the numbers of a run, or of several, amount to, as data: sentences are made of it elsewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Measure, ThroughputUnit};
use crate::words::load::LoadUnit;

/// Something that the numbers show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// Throughput no longer rises.
    Saturation(Plateau),
    /// Two series of a run differ.
    Contrast(Contrast),
    /// A run differs from the reference.
    Change(Change),
}

/// From some load on, more load gives no more throughput.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plateau {
    /// The series.
    pub series: String,
    /// What its loads count.
    pub unit: LoadUnit,
    /// The load of the saturation knee: throughput rises by at most 5 % beyond it.
    pub from_load: f64,
    /// The highest load that was measured.
    pub to_load: f64,
    /// The largest rise beyond `from_load` that the data leave possible, in percent.
    pub rise_percent_max: f64,
    /// What the rate counts.
    pub rate_unit: ThroughputUnit,
    /// Operations per second on the plateau, mean of its points.
    pub rate: f64,
    /// MiB per second on the plateau; `None` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// What a simulated system is short of there; `None` for real ones.
    pub bottleneck: Option<Bottleneck>,
}

/// The part of a simulated system that limits it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bottleneck {
    /// The kind of part: `drives`, `controllers`, `links to drives`, ...
    pub part: String,
    /// How many there are.
    pub count: u32,
    /// Utilisation of the busiest at the highest load, in percent.
    pub busy_percent: f64,
}

/// Two series of one run at their peaks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contrast {
    /// In what the two differ.
    pub between: Between,
    /// The series whose throughput is higher.
    pub faster: String,
    /// The other one.
    pub slower: String,
    /// What was compared: `peak.iops` or `peak.throughput`.
    pub measure: Measure,
    /// Throughput of the faster as a multiple of the slower.
    pub ratio: f64,
    /// Its 95 % confidence interval.
    pub interval: [f64; 2],
}

/// In what two series differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Between {
    /// One is sequential, the other random.
    Order {
        /// Whether the sequential one is faster.
        faster: Order,
    },
    /// One reads, the other writes.
    Direction {
        /// Which is faster.
        faster: Direction,
    },
    /// The same profile with other blocks.
    BlockSize {
        /// Block of the faster series, in bytes.
        faster_bytes: u64,
        /// Block of the slower series, in bytes.
        slower_bytes: u64,
    },
}

/// Where I/Os go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// One after the other.
    Sequential,
    /// Anywhere.
    Random,
}

/// Which way data moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From the target.
    Read,
    /// To the target.
    Write,
}

/// A significant difference between a run and the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The series.
    pub series: String,
    /// What differs.
    pub measure: Measure,
    /// The rule, as typed, for a sustained throughput.
    pub rule: Option<String>,
    /// Number of the run, counted from 0; the reference is 0.
    pub run: usize,
    /// The change in percent.
    pub percent: f64,
    /// Its 95 % confidence interval.
    pub interval_percent: [f64; 2],
    /// The one setting in which the two runs differ, with its values, where it is one.
    pub factor: Option<NamedFactor>,
}

/// A setting and its value in both runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedFactor {
    /// Its name.
    pub name: String,
    /// Its value in the reference.
    pub from: String,
    /// Its value in the other run.
    pub to: String,
}
