//! Findings as sentences.

use kneepoint_core::result::{Direction, Order};
use kneepoint_core::words::load::LoadUnit;

/// What findings say; numbers come as text.
#[derive(Debug)]
pub(crate) struct FindingTexts {
    /// Heading of the chapter.
    pub(crate) heading: &'static str,
    /// How far the findings of a run can be trusted.
    pub(crate) confidence: &'static str,
    /// A load in words.
    pub(crate) load: fn(&str, LoadUnit) -> String,
    /// Throughput no longer rises; follows the name of the series and a colon.
    pub(crate) saturation: fn(&SaturationWords<'_>) -> String,
    /// What limits a simulated system: kind of part, its count, how busy.
    pub(crate) bottleneck: fn(&str, u32, &str) -> String,
    /// Sequential against random access.
    pub(crate) order: fn(Order, &ContrastWords<'_>) -> String,
    /// Reads against writes.
    pub(crate) direction: fn(Direction, &ContrastWords<'_>) -> String,
    /// Blocks of one size against another.
    pub(crate) block_size: fn(&str, &str, &ContrastWords<'_>) -> String,
    /// A run against the reference; follows the name of the series and a colon.
    pub(crate) change: fn(&ChangeWords<'_>) -> String,
    /// The one setting that differs: name, value in the reference, value in the run.
    pub(crate) factor: fn(&str, &str, &str) -> String,
    /// No finding between runs.
    pub(crate) none_between: &'static str,
}

/// A plateau.
#[derive(Debug)]
pub(crate) struct SaturationWords<'a> {
    /// The load from which on nothing is gained.
    pub(crate) from: &'a str,
    /// The highest load.
    pub(crate) to: &'a str,
    /// Throughput there, with its unit.
    pub(crate) plateau: &'a str,
    /// What the data leave possible of a rise.
    pub(crate) rise: &'a str,
}

/// Two series.
#[derive(Debug)]
pub(crate) struct ContrastWords<'a> {
    /// How many times as fast.
    pub(crate) ratio: &'a str,
    /// Ends of the interval.
    pub(crate) interval: [&'a str; 2],
    /// Unit of what was compared.
    pub(crate) unit: &'a str,
}

/// A run against another.
#[derive(Debug)]
pub(crate) struct ChangeWords<'a> {
    /// The run.
    pub(crate) run: &'a str,
    /// The reference.
    pub(crate) reference: &'a str,
    /// What was compared.
    pub(crate) what: ChangedWhat<'a>,
    /// By how much.
    pub(crate) amount: Amount<'a>,
    /// Ends of the interval, in the terms of the amount.
    pub(crate) interval: [&'a str; 2],
}

/// What differs between runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ChangedWhat<'a> {
    /// Sustained throughput at a rule.
    Sustained(&'a str),
    /// The peak.
    Peak,
    /// Throughput at equal load.
    Rate,
    /// Response time at equal load.
    ResponseTime,
}

/// By how much.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Amount<'a> {
    /// So much more.
    More(&'a str),
    /// So much less.
    Less(&'a str),
    /// So many times as much.
    Times(&'a str),
}
