//! The appendix: complete data, and what it takes to do the same again.

use super::Of1;

/// Complete data.
#[derive(Debug)]
pub(crate) struct DataTexts {
    pub(crate) heading: &'static str,
    pub(crate) intro: &'static str,
    /// The series.
    pub(crate) all_points: Of1,
    pub(crate) reads_and_writes: Of1,
    pub(crate) classes: Of1,
    /// The unit of response times.
    /// A response class by name, and the unit of its response times.
    pub(crate) class: fn(&str, &str) -> String,
    pub(crate) outstanding: &'static str,
    pub(crate) set: &'static str,
    pub(crate) achieved: &'static str,
    pub(crate) grey: &'static str,
    /// Title of the column of lateness.
    pub(crate) late: &'static str,
    /// What that column says.
    pub(crate) lateness: &'static str,
    pub(crate) cpu: &'static str,
    pub(crate) targets_heading: &'static str,
    pub(crate) targets_peaks: &'static str,
    pub(crate) targets_all: &'static str,
    /// The series.
    pub(crate) targets_of: Of1,
}

/// What it takes to do the same again.
#[derive(Debug)]
pub(crate) struct ReproductionTexts {
    pub(crate) heading: &'static str,
    pub(crate) intro: &'static str,
    pub(crate) command: &'static str,
    pub(crate) label: &'static str,
    pub(crate) state: &'static str,
    pub(crate) complete: &'static str,
    pub(crate) interrupted: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) started: &'static str,
    pub(crate) finished: &'static str,
    pub(crate) seed: &'static str,
    pub(crate) plan_hash: &'static str,
    pub(crate) version: &'static str,
    pub(crate) format: &'static str,
    pub(crate) plan: &'static str,
}
