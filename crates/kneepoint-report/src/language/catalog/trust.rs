//! What limits the trust in the results, and what follows from them.

use super::{Of1, Of2, Of3};
use crate::page::Text;

/// What limits the trust in the results.
#[derive(Debug)]
pub(crate) struct TrustTexts {
    pub(crate) heading: &'static str,
    pub(crate) verdicts: &'static str,
    pub(crate) points: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) reservations: &'static str,
    /// Series, rule, doubt.
    pub(crate) reservation: Of3,
    /// Series, doubt.
    pub(crate) peak_reservation: Of2,
    /// How many key figures have one.
    pub(crate) many_reservations: Of1,
    pub(crate) run_warnings: &'static str,
    pub(crate) point_warnings: &'static str,
    pub(crate) point_warnings_caption: &'static str,
    pub(crate) warning: &'static str,
    pub(crate) io_errors: &'static str,
    pub(crate) io_errors_caption: &'static str,
    pub(crate) first_errors: &'static str,
    pub(crate) omissions: &'static str,
}

/// A series: its name and the id of its section.
pub(crate) type SeriesRef<'a> = (&'a str, &'a str);

/// A throughput as it is written, and the series that has it.
pub(crate) type RatedSeries<'a> = (&'a str, SeriesRef<'a>);

/// What follows from the results.
#[derive(Debug)]
pub(crate) struct ConclusionTexts {
    pub(crate) heading: &'static str,
    pub(crate) nothing: &'static str,
    /// Rule, throughput, series.
    pub(crate) one: fn(&str, &str, SeriesRef<'_>) -> Text,
    /// Rule, the lowest throughput with its series, the highest with its series.
    pub(crate) between: fn(&str, RatedSeries<'_>, RatedSeries<'_>) -> Text,
    /// How many series, and the rule that their highest load still meets.
    pub(crate) beyond_last: fn(usize, &str) -> String,
    /// How many series, and the rule that their lowest load breaks.
    pub(crate) below_first: fn(usize, &str) -> String,
    /// Series; throughput more than sustained, rule; response time.
    pub(crate) beyond_the_rule: fn(SeriesRef<'_>, [&str; 3]) -> Text,
    /// Points to be measured again.
    pub(crate) again: fn(usize, &str) -> Text,
    pub(crate) nothing_doubtful: Of1,
}
