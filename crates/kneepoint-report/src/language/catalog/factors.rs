//! Settings that were varied on purpose.

use kneepoint_core::spec::factor::{Design, Order};

/// What was varied, and what it did.
#[derive(Debug)]
pub(crate) struct FactorTexts {
    pub(crate) heading: &'static str,
    pub(crate) introduction: fn(&FactorPlan) -> String,
    pub(crate) nothing: &'static str,
    pub(crate) matrix: &'static str,
    pub(crate) setting: &'static str,
    pub(crate) levels: &'static str,
    pub(crate) changed_by: &'static str,
    pub(crate) peak: &'static str,
    pub(crate) optima: &'static str,
    pub(crate) judged_by: &'static str,
    pub(crate) best: &'static str,
    pub(crate) ties: &'static str,
    pub(crate) no_tie: &'static str,
    pub(crate) confidence_unknown: &'static str,
    pub(crate) effects: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
    pub(crate) change: &'static str,
    pub(crate) significant: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
    pub(crate) unknown: &'static str,
    /// Title of the bars of a setting: its name, what it is judged by.
    pub(crate) bars: fn(&str, &str) -> String,
    /// Small print of the bars, given the level that others are compared with.
    pub(crate) bars_note: fn(&str) -> String,
    /// Where there are error bars.
    pub(crate) bars_margins: &'static str,
    /// Where there are hollow bars.
    pub(crate) bars_hollow: &'static str,
    pub(crate) reading: &'static str,
    pub(crate) interaction: fn(&InteractionWords) -> String,
}

/// How the settings were varied.
#[derive(Debug)]
pub(crate) struct FactorPlan {
    /// Settings.
    pub(crate) count: usize,
    /// Their combinations.
    pub(crate) combinations: usize,
    /// Which of them.
    pub(crate) design: Design,
    /// In which order.
    pub(crate) order: Order,
    /// How often each was measured.
    pub(crate) repetitions: u32,
}

/// What one setting does depends on another.
#[derive(Debug)]
pub(crate) struct InteractionWords {
    /// Series and measure.
    pub(crate) subject: String,
    /// The setting and its level.
    pub(crate) setting: String,
    /// The other setting.
    pub(crate) other: String,
    /// A change, and at which level of the other.
    pub(crate) changes: [(String, String); 2],
}
