//! Key figures, and the results of each series.

use super::{Of1, Of2, OfCount};
use crate::page::Text;

/// The chapter of key figures.
#[derive(Debug)]
pub(crate) struct KeyFigureTexts {
    pub(crate) heading: &'static str,
    pub(crate) none: &'static str,
    pub(crate) no_rule: &'static str,
    pub(crate) remark: fn() -> Text,
    pub(crate) caption: &'static str,
    pub(crate) sustained_at: &'static str,
    pub(crate) saturation: &'static str,
    pub(crate) peak: &'static str,
    pub(crate) mean_response: &'static str,
}

/// Where a series stands at a rule and at its peak.
#[derive(Debug)]
pub(crate) struct StandingTexts {
    /// The response time at the highest load, if that still meets the rule.
    pub(crate) still: Of1,
    /// Throughput still rises at the highest load.
    pub(crate) rising: &'static str,
    /// A load.
    pub(crate) at: Of1,
    /// A response time, and at which load.
    pub(crate) response_at: Of2,
    pub(crate) unknown: &'static str,
    /// Load and verdict of a point with a reservation.
    pub(crate) doubt: Of2,
    /// Throughput that falls beyond the peak: by how much, and at which load; follows the load of the
    /// peak.
    pub(crate) collapse: Of2,
}

/// What a load profile does.
#[derive(Debug)]
pub(crate) struct ProfileTexts {
    pub(crate) heading: &'static str,
    pub(crate) intro: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) profile: &'static str,
    pub(crate) loads: &'static str,
    pub(crate) block_size: &'static str,
    pub(crate) share: &'static str,
    pub(crate) read: &'static str,
    pub(crate) random: &'static str,
    pub(crate) points: &'static str,
    pub(crate) mix: Of1,
    /// Size of the blocks in a few words.
    pub(crate) blocks_short: Of1,
    pub(crate) blocks: Of1,
    pub(crate) blocks_on_average: Of1,
    pub(crate) writes_only: &'static str,
    pub(crate) reads_only: &'static str,
    pub(crate) reads_short: Of1,
    pub(crate) reads: Of1,
    pub(crate) sequential_short: &'static str,
    pub(crate) random_short: &'static str,
    pub(crate) partly_random_short: Of1,
    pub(crate) sequential: &'static str,
    pub(crate) all_random: &'static str,
    pub(crate) partly_random: Of1,
    /// The lowest load, and the highest with its unit.
    pub(crate) from_to: Of2,
    /// The only load.
    pub(crate) at: Of1,
    pub(crate) each_target: &'static str,
    /// Factors and their values.
    pub(crate) factors: Of1,
    /// From where to where on the target.
    pub(crate) part: Of2,
    pub(crate) not_measured: &'static str,
}

/// The results of a series.
#[derive(Debug)]
pub(crate) struct SeriesTexts {
    pub(crate) heading: &'static str,
    pub(crate) nothing_measured: &'static str,
    /// The series.
    pub(crate) caption: Of1,
    /// Where every number of the series is: words and id.
    pub(crate) more: fn(&str) -> Text,
    /// How often each load was measured.
    pub(crate) repeated: OfCount,
    /// Spread between repetitions, of how many.
    pub(crate) variation: fn(&str, usize) -> String,
    /// The series whose knee was searched.
    pub(crate) knee: Of1,
    pub(crate) at_the_rule: &'static str,
    pub(crate) bracket: &'static str,
    pub(crate) stopped_because: &'static str,
    /// Why a search ended, where this language has words for it.
    pub(crate) reason: fn(&str) -> Option<&'static str>,
    /// The loads as they were probed.
    pub(crate) probes: Of1,
}
