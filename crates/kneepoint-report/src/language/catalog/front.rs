//! The title, what must be known first, and the abstract.

use super::{Of1, Of2, OfCount};
use crate::page::Text;

/// The title and what must be known first.
#[derive(Debug)]
pub(crate) struct FrontTexts {
    pub(crate) kind: &'static str,
    pub(crate) work: &'static str,
    pub(crate) targets: &'static str,
    pub(crate) date: &'static str,
    pub(crate) run: &'static str,
    pub(crate) measured_by: &'static str,
    /// Behind the names of some targets: so many more.
    pub(crate) more: OfCount,
    pub(crate) nothing_measured: &'static str,
    pub(crate) interrupted: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) ended_before_a_point: &'static str,
    pub(crate) interrupted_before_a_point: &'static str,
    pub(crate) failed_before_a_point: &'static str,
    /// What was measured of what was planned.
    pub(crate) interrupted_after: Of1,
    pub(crate) failed_after: Of1,
    pub(crate) simulated: &'static str,
    pub(crate) simulated_text: &'static str,
    pub(crate) null: &'static str,
    pub(crate) null_text: &'static str,
}

/// The abstract.
#[derive(Debug)]
pub(crate) struct AbstractTexts {
    pub(crate) heading: &'static str,
    /// The work.
    pub(crate) run_of: fn(&str) -> Text,
    /// The target, and what it is.
    pub(crate) against_one: fn(&str, &str) -> Text,
    /// How many targets, and their names.
    pub(crate) against_many: fn(usize, Text) -> Text,
    pub(crate) nothing_measured: &'static str,
    pub(crate) one_point: &'static str,
    /// Points, series, and how long it took.
    pub(crate) measured: fn(usize, usize, &str) -> String,
    /// How long the points took.
    pub(crate) duration: Of1,
    pub(crate) virtual_duration: Of1,
    pub(crate) interrupted_after: Of1,
    pub(crate) failed_after: Of1,
    /// Points that were measured, of those that were planned.
    pub(crate) progress: fn(usize, Option<usize>) -> String,
    /// Rule and load of a sustained throughput.
    pub(crate) sustained: Of2,
    /// Rule of a sustained throughput whose load is not known.
    pub(crate) sustained_somewhere: Of1,
    /// Rules, and how they are missed.
    pub(crate) missed: Of2,
    pub(crate) peak: &'static str,
    /// Load and response time of a peak.
    pub(crate) at_peak: Of2,
    /// Where the results of so many series are.
    pub(crate) many_series: fn(usize, &str) -> Text,
    /// Points with a reservation, of all points.
    pub(crate) suspect: fn(usize, usize) -> String,
    pub(crate) errors: fn(u64) -> String,
    pub(crate) warnings: OfCount,
    /// The three before, and where more is said.
    pub(crate) trust: fn([&str; 3], &str) -> Text,
    /// What targets are, with their sizes.
    pub(crate) file: Of2,
    pub(crate) block_device: Of1,
    pub(crate) simulated_system: Of1,
    pub(crate) null_target: &'static str,
}
