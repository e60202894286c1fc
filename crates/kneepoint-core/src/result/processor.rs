//! What the processor suite found: scores of all members of a class together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Estimate;
use crate::spec::factor::Combination;
use crate::spec::profile::{FlagSet, MemberClass};

/// The processor suite as a whole.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorAnalysis {
    /// For each number of copies at which every member of a class was measured.
    pub scores: Vec<ProcessorScore>,
    /// By how much peak flags are faster, for each class and number of copies that has both scores.
    pub gains: Vec<PeakGain>,
    /// What more of the processors does, if their number or their clock is varied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ProcessorStep>,
}

/// The geometric mean of the members of a class: how many times as fast as one copy on the reference machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorScore {
    /// The settings that are varied, at their levels.
    #[serde(default, skip_serializing_if = "Combination::is_empty")]
    pub factors: Combination,
    /// The class; `null` for all members.
    pub class: Option<MemberClass>,
    /// The flags; `null` for programs of the user's own.
    pub flags: Option<FlagSet>,
    /// The reference machine of programs of the user's own, as the user calls it; nothing for Kneepoint's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Copies that worked at the same time; one is the speed, more are a rate.
    pub copies: u32,
    /// The members.
    pub members: u32,
    /// Geometric mean of their throughputs in ratios, with the 95 % confidence interval from theirs.
    pub ratio: Estimate,
    /// True if every copy had little work, as in a first impression: the numbers are not those of the whole
    /// suite.
    pub is_short: bool,
}

/// Peak flags against base flags.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeakGain {
    /// The settings that are varied, at their levels.
    #[serde(default, skip_serializing_if = "Combination::is_empty")]
    pub factors: Combination,
    /// The class; `null` for all members.
    pub class: Option<MemberClass>,
    /// Copies that worked at the same time.
    pub copies: u32,
    /// By how much the score with peak flags is higher, in percent.
    pub percent: Estimate,
}

/// A score at a level of the factor `cpus`, `cgroup.cpu_quota` or `frequency` against that at the level before, with
/// all else alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorStep {
    /// The factor.
    pub factor: String,
    /// The lower level.
    pub from: String,
    /// The next higher level that was measured.
    pub to: String,
    /// The other settings that are varied, at their levels.
    #[serde(default, skip_serializing_if = "Combination::is_empty")]
    pub others: Combination,
    /// The class; `null` for all members.
    pub class: Option<MemberClass>,
    /// The flags; `null` for programs of the user's own.
    pub flags: Option<FlagSet>,
    /// The reference machine of programs of the user's own; nothing for Kneepoint's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Copies that worked at the same time.
    pub copies: u32,
    /// By how much the setting is higher, in percent.
    pub setting_percent: f64,
    /// By how much the score is higher, in percent.
    pub score_percent: Estimate,
}
