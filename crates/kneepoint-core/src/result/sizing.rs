//! What a sizing found: the systems that sustain a load, with other numbers of drives and with the
//! data on other parts of the drives.

use crate::spec::profile::ResolvedProfile;
use crate::words::rule::Rule;
use crate::words::units::Bytes;

/// A demand and the systems that were found for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    /// The load and the condition.
    pub demand: Demand,
    /// Systems that sustain it, in the order in which they are shown: those with the fewest drives.
    pub candidates: Vec<Candidate>,
    /// How many systems were found, those that are not shown included.
    pub found: usize,
    /// The first candidates with other numbers of drives, in their order; rising.
    pub growth: Vec<Vec<GrowthPoint>>,
    /// The first candidate at other strokes; may be empty.
    pub strokes: Vec<StrokeRow>,
    /// The command as it was typed.
    pub command: String,
    /// The program's version.
    pub version: String,
}

/// A load that a system has to sustain.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The load.
    pub profile: ResolvedProfile,
    /// How much of it, I/Os per second.
    pub iops: f64,
    /// The condition that its response time has to meet.
    pub rule: Rule,
    /// Bytes that have to fit, usable; nothing is asked where `None`.
    pub capacity: Option<Bytes>,
    /// Share of each drive that holds the data, in percent; follows from the capacity where `None`.
    pub stroke_percent: Option<f64>,
    /// Added to the load before it is tried, in percent; the model's own error where `None`.
    pub margin_percent: Option<f64>,
}

/// A system that sustains the load.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The target, as `kneepoint run` takes it.
    pub target: String,
    /// The system whose controllers and links are used.
    pub system: String,
    /// Drives of all arrays.
    pub drives: u32,
    /// Arrays that they make; where they are several, each is a whole one.
    pub arrays: u32,
    /// Name of the drive; `None` for the system's own.
    pub drive: Option<String>,
    /// RAID level.
    pub raid: String,
    /// Setting of the write cache.
    pub write_cache: String,
    /// Bytes that can be stored on all drives.
    pub usable: Bytes,
    /// Share of each drive's capacity that holds the data, percent.
    pub stroke_percent: f64,
    /// The condition's response time at the load that is asked for, ms.
    pub response_ms: f64,
    /// I/Os per second that it sustains at the condition.
    pub sustained_iops: f64,
    /// That above what is asked for, percent.
    pub headroom_percent: f64,
    /// Added to the load before it was tried: the model's error, percent.
    pub margin_percent: f64,
    /// True if the model was fitted to measurements; its parameters come from data sheets and
    /// similar parts otherwise.
    pub is_calibrated: bool,
    /// The part that is busiest where it ends, and how busy that is in percent: `drives 97 %`.
    pub limit: String,
    /// The smallest servers with room for the drives; where there are none, enclosures are needed.
    pub servers: Vec<String>,
    /// How many more there are.
    pub more_servers: usize,
}

/// The throughput that a system sustains with a number of drives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthPoint {
    /// Drives of all arrays.
    pub drives: u32,
    /// I/Os per second that they sustain at the condition.
    pub sustained_iops: f64,
}

/// A system at one stroke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrokeRow {
    /// Share of each drive's capacity that holds the data, percent.
    pub stroke_percent: f64,
    /// Bytes of data.
    pub data: Bytes,
    /// I/Os per second that it sustains at the condition.
    pub sustained_iops: f64,
    /// The same as a share of that at the first stroke of the table.
    pub multiplier: f64,
}
