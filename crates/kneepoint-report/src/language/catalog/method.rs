//! How it was measured, and boxes that explain how to read it.

use kneepoint_core::words::storage_class::StorageClass;

use super::{Of1, Of2};

/// How it was measured. Terms come with what they mean.
#[derive(Debug)]
pub(crate) struct MethodTexts {
    pub(crate) heading: &'static str,
    /// The version.
    pub(crate) tool: Of1,
    pub(crate) outstanding: (&'static str, &'static str),
    pub(crate) offered: (&'static str, &'static str),
    pub(crate) throughput: (&'static str, &'static str),
    pub(crate) response: (&'static str, &'static str),
    pub(crate) percentiles: (&'static str, &'static str),
    pub(crate) sustained: &'static str,
    /// What the rules of the run are.
    pub(crate) sustained_text: Of1,
    pub(crate) no_rule: &'static str,
    pub(crate) one_rule: Of1,
    pub(crate) several_rules: Of1,
    /// Title of the paragraph on rules that nobody named.
    pub(crate) class: &'static str,
    /// Stands before the class that decides.
    pub(crate) class_decides: &'static str,
    /// Why a class has its rules.
    pub(crate) class_rules: fn(StorageClass) -> &'static str,
    pub(crate) peak: (&'static str, &'static str),
    pub(crate) timing: &'static str,
    /// What is known of the times.
    pub(crate) timing_text: Of1,
    /// Warm-up and measured time.
    pub(crate) times: Of2,
    pub(crate) confidence: (&'static str, &'static str),
    pub(crate) cpu: (&'static str, &'static str),
}

/// Boxes: a title, and how to read the results.
#[derive(Debug)]
pub(crate) struct BoxTexts {
    pub(crate) sustained: (&'static str, &'static str),
    pub(crate) mean_limit: (&'static str, &'static str),
    pub(crate) confidence: (&'static str, &'static str),
    pub(crate) judge: (&'static str, &'static str),
}
