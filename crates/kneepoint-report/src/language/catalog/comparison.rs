//! Several runs side by side.

/// Words of a comparison.
#[derive(Debug)]
pub(crate) struct ComparisonTexts {
    /// What kind of document it is.
    pub(crate) kind: &'static str,
    /// The title: the runs, then the reference.
    pub(crate) title: fn(&str, &str) -> String,
    /// The first run among the facts.
    pub(crate) reference: &'static str,
    /// Any other run among the facts.
    pub(crate) run: &'static str,
    /// A run's work and its targets, behind its name.
    pub(crate) on: fn(&str, &str) -> String,
    /// Heading: what differs.
    pub(crate) factors: &'static str,
    /// Caption of its table.
    pub(crate) factors_caption: &'static str,
    /// Head of its first column.
    pub(crate) factor: &'static str,
    /// Nothing differs.
    pub(crate) no_factor: &'static str,
    /// Heading of the tables.
    pub(crate) heading: &'static str,
    /// Heading of the chapter on the method.
    pub(crate) method: &'static str,
    /// The method, a paragraph each.
    pub(crate) method_texts: fn(u32, u32) -> Vec<String>,
    /// Caption of the table of a series.
    pub(crate) figures_caption: fn(&str) -> String,
    /// Caption of the table of loads.
    pub(crate) points_caption: fn(&str) -> String,
    /// Caption of the curves.
    pub(crate) curves_caption: fn(&str) -> String,
    /// Title of the bars, given what they show.
    pub(crate) bars_title: fn(&str) -> String,
    /// Small print of the bars, given the reference.
    pub(crate) bars_note: fn(&str) -> String,
    /// Where there are hollow bars.
    pub(crate) bars_hollow: &'static str,
    /// Head: what is compared.
    pub(crate) number: &'static str,
    /// Head: the change.
    pub(crate) change: &'static str,
    /// Head: whether it is significant.
    pub(crate) significant: &'static str,
    /// It is.
    pub(crate) yes: &'static str,
    /// It is not; from so much on it would have been.
    pub(crate) no: fn(&str) -> String,
    /// It rests on a disturbed point.
    pub(crate) disturbed: &'static str,
    /// There is no interval, or only a bound.
    pub(crate) unknown: &'static str,
    /// Sustained throughput at a rule.
    pub(crate) sustained: fn(&str) -> String,
    /// Peak throughput.
    pub(crate) peak: &'static str,
    /// Throughput.
    pub(crate) throughput: &'static str,
    /// Mean response time.
    pub(crate) mean: &'static str,
    /// A percentile of the response time.
    pub(crate) percentile: fn(&str) -> String,
    /// A number at a load: what, the load.
    pub(crate) at_load: fn(&str, &str) -> String,
    /// A number as the mean over equal loads.
    pub(crate) over_loads: fn(&str, u32) -> String,
    /// An axis: quantity and unit.
    pub(crate) axis: fn(&str, &str) -> String,
    /// An interval.
    pub(crate) interval: fn(&str, &str) -> String,
    /// No more than.
    pub(crate) at_most: fn(&str) -> String,
    /// No less than.
    pub(crate) at_least: fn(&str) -> String,
    /// Title of the note: the profiles differ.
    pub(crate) profiles_differ: &'static str,
    /// Series that a run lacks: the series, the runs.
    pub(crate) unpaired: fn(&str, &str) -> String,
    /// A number rests on a doubtful point: run, load, verdict as in the result format.
    pub(crate) reservation: fn(&str, &str, &str) -> String,
}
