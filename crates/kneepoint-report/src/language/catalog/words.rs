//! Words that all chapters share.

use kneepoint_core::result::Verdict;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Metric;

use super::{Of1, Of2, OfCount};

/// Words that all chapters share.
#[derive(Debug)]
pub(crate) struct Words {
    /// Before the last item of a list.
    pub(crate) and: &'static str,
    pub(crate) none: &'static str,
    pub(crate) not_recorded: &'static str,
    /// So many points.
    pub(crate) points: OfCount,
    /// From one number to another.
    pub(crate) range: Of2,
    /// A load, number first.
    pub(crate) load: fn(f64, LoadUnit) -> String,
    /// The same as it stands behind a preposition.
    pub(crate) at_load: fn(f64, LoadUnit) -> String,
    /// The unit of a load behind several numbers.
    pub(crate) loads: fn(&str, LoadUnit) -> String,
    /// The unit of a load as the title of a column or an axis.
    /// A multiple of the number at a load: how many times, and the load.
    pub(crate) times_at: fn(&str, &str) -> String,
    pub(crate) load_title: fn(LoadUnit) -> &'static str,
    /// The same with each target's share: the unit again.
    pub(crate) each_target: Of1,
    /// The response time of a rule, short: the left side of a formula.
    pub(crate) metric: fn(Metric) -> String,
    /// The response time of a rule at the start of a sentence.
    pub(crate) response_of: fn(Metric) -> String,
    pub(crate) verdict: fn(Verdict) -> &'static str,
    pub(crate) verdict_meaning: fn(Verdict) -> &'static str,
    /// What a series or run is called that the program ships, where it has a name of this language.
    pub(crate) title: fn(&str) -> Option<&'static str>,
    pub(crate) series: &'static str,
    pub(crate) load_word: &'static str,
    pub(crate) target: &'static str,
    pub(crate) throughput: &'static str,
    pub(crate) response_time: &'static str,
    pub(crate) mean: &'static str,
    pub(crate) smallest: &'static str,
    pub(crate) largest: &'static str,
    pub(crate) errors: &'static str,
    pub(crate) verdict_word: &'static str,
    pub(crate) rule: &'static str,
}
