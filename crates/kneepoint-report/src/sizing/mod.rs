//! Which systems sustain a load: candidates, what they do with other numbers of drives, and with
//! their data on other parts of the drives.

mod chart;
mod page;
mod table;

use kneepoint_core::words::rule::Metric;
pub use page::page;

use crate::language::Language;
use crate::language::texts;

/// What is busiest, in the words of the language: the number stands last.
fn limit(limit: &str, language: Language) -> String {
    let parts = limit.strip_suffix(" %").and_then(|limit| limit.rsplit_once(' '));
    parts.map_or_else(
        || limit.to_owned(),
        |(part, busy)| {
            format!(
                "{} {}",
                texts::sizing::part(language, part),
                language.written(&format!("{busy}%"))
            )
        },
    )
}

/// What was asked for, and what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    /// The load and the condition.
    pub demand: Demand,
    /// What sustains it, in the order in which it is to be shown.
    pub candidates: Vec<Candidate>,
    /// Throughput over drives of some of the candidates.
    pub growth: Vec<Growth>,
    /// The first candidate at other strokes; may be empty.
    pub strokes: Vec<Stroke>,
    /// The command as it was typed.
    pub command: String,
    /// The program's version.
    pub version: String,
}

/// What a system is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The load profile.
    pub profile: String,
    /// Mean size of its blocks.
    pub block_bytes: f64,
    /// Share of reads, percent.
    pub read_percent: f64,
    /// Order of access.
    pub order: Order,
    /// I/Os per second.
    pub iops: f64,
    /// MiB/s, the same by the mean block size.
    pub mib_s: f64,
    /// The condition as typed: `mean<=20ms`.
    pub rule: String,
    /// The response time that the condition is on.
    pub metric: Metric,
    /// Bytes that have to fit, where that was asked.
    pub capacity_bytes: Option<u64>,
}

/// The order in which a load touches its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// One after the other.
    Sequential,
    /// Any.
    Random,
}

/// A system that sustains the load.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What `kneepoint run` takes.
    pub target: String,
    /// The system whose controllers and links are used.
    pub system: String,
    /// Drives of all arrays.
    pub drives: u32,
    /// Name of the drive.
    pub drive: String,
    /// RAID level.
    pub raid: String,
    /// Setting of the write cache.
    pub write_cache: String,
    /// Bytes that can be stored.
    pub usable_bytes: u64,
    /// Share of each drive that holds the data, percent.
    pub stroke_percent: f64,
    /// The condition's response time at the load that was asked for, ms.
    pub response_ms: f64,
    /// I/Os per second that it sustains at the condition.
    pub sustained_iops: f64,
    /// That above what was asked for, percent.
    pub headroom_percent: f64,
    /// Added to the load before it was tried: the model's error, percent.
    pub margin_percent: f64,
    /// Whether the model of it was fitted to measurements.
    pub calibration: Calibration,
    /// The part that is busiest where it ends, and how busy that is in percent: `drives 97 %`.
    pub limit: String,
    /// The first servers with room for the drives; where there are none, enclosures are needed.
    pub servers: Vec<String>,
    /// How many more there are.
    pub more_servers: usize,
}

/// Whether a model was fitted to measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibration {
    /// It was.
    Calibrated,
    /// Its parameters come from data sheets and similar parts.
    Uncalibrated,
}

/// What a candidate sustains with other numbers of drives.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Index of the candidate.
    pub candidate: usize,
    /// Drives and I/Os per second, rising.
    pub points: Vec<(u32, f64)>,
}

/// What a system sustains with its data on so much of each drive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Share of each drive's capacity, percent.
    pub percent: f64,
    /// Bytes of data.
    pub data_bytes: u64,
    /// I/Os per second at the condition.
    pub sustained_iops: f64,
    /// That as a share of the first row's.
    pub multiplier: f64,
}
