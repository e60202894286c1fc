//! The sizing of systems.

use kneepoint_core::words::rule::Metric;

use super::{Of1, Of2, Of3};

/// The sizing of systems.
#[derive(Debug)]
pub(crate) struct SizingTexts {
    pub(crate) kind: &'static str,
    /// Throughput and rule.
    pub(crate) title: Of2,
    pub(crate) load: &'static str,
    pub(crate) sequential: &'static str,
    pub(crate) random: &'static str,
    /// Size of blocks, share of reads, order of access.
    pub(crate) load_of: Of3,
    pub(crate) asked_for: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) capacity: &'static str,
    pub(crate) simulated_by: &'static str,
    /// How many of how many.
    pub(crate) uncalibrated_title: Of2,
    pub(crate) uncalibrated: &'static str,
    pub(crate) abstract_title: &'static str,
    pub(crate) nothing: &'static str,
    pub(crate) fewest: &'static str,
    pub(crate) winner: fn(&Winner<'_>) -> String,
    pub(crate) outcome: fn(&Outcome<'_>) -> String,
    pub(crate) own_drive: &'static str,
    pub(crate) candidates: &'static str,
    pub(crate) candidates_remark: &'static str,
    pub(crate) as_targets: &'static str,
    pub(crate) strokes: &'static str,
    pub(crate) method: &'static str,
    pub(crate) method_text: &'static str,
    pub(crate) command: &'static str,
    /// Throughput, profile and rule.
    pub(crate) candidates_caption: Of3,
    pub(crate) heads: Heads,
    pub(crate) response: fn(Metric) -> String,
    pub(crate) uncalibrated_cell: &'static str,
    pub(crate) enclosures: &'static str,
    /// Names of servers, and how many more.
    pub(crate) and_more: Of2,
    /// A part of a system.
    pub(crate) part: fn(&str) -> &str,
    /// What stands before and behind the target in the caption of the strokes.
    pub(crate) strokes_caption: [&'static str; 2],
    pub(crate) growth_title: &'static str,
    pub(crate) growth_caption: &'static str,
    pub(crate) drives_axis: &'static str,
    pub(crate) sustained_axis: &'static str,
    /// Candidate, count and throughput.
    pub(crate) growth_point: Of3,
    pub(crate) growth_mark: Of1,
    pub(crate) stroke_title: &'static str,
    pub(crate) stroke_axis: &'static str,
    /// Stroke and throughput.
    pub(crate) stroke_point: Of2,
    /// Stroke and bytes.
    pub(crate) stroke_caption: Of2,
    pub(crate) asked_line: Of1,
    /// Profile and rule.
    pub(crate) source: Of2,
}

/// Titles of the columns and of their groups.
#[derive(Debug)]
pub(crate) struct Heads {
    pub(crate) number: &'static str,
    pub(crate) system: &'static str,
    pub(crate) drives: &'static str,
    pub(crate) count: &'static str,
    pub(crate) drive: &'static str,
    pub(crate) write_cache: &'static str,
    pub(crate) usable: &'static str,
    pub(crate) stroke: &'static str,
    pub(crate) at_load: &'static str,
    pub(crate) at_rule: &'static str,
    pub(crate) sustained: &'static str,
    pub(crate) headroom: &'static str,
    pub(crate) saturates: &'static str,
    pub(crate) model: &'static str,
    pub(crate) margin: &'static str,
    pub(crate) data: &'static str,
    pub(crate) multiplier: &'static str,
}

/// The first candidate.
#[derive(Debug)]
pub(crate) struct Winner<'a> {
    pub(crate) drives: &'a str,
    pub(crate) drive: &'a str,
    pub(crate) raid: &'a str,
    pub(crate) system: &'a str,
    pub(crate) write_cache: &'a str,
}

/// What the first candidate does.
#[derive(Debug)]
pub(crate) struct Outcome<'a> {
    pub(crate) metric: Metric,
    pub(crate) response: &'a str,
    pub(crate) sustained: &'a str,
    pub(crate) headroom: &'a str,
    pub(crate) limit: &'a str,
    pub(crate) margin: &'a str,
}
