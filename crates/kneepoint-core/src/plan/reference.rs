//! A reference that another run has measured: the response times that rules refer to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TargetKind;
use crate::spec::factor::Combination;
use crate::spec::profile::SeriesProfile;
use crate::words::class::ClassName;
use crate::words::load::LoadUnit;
use crate::words::rule::Rule;

/// The reference of a run, measured in another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Where it was measured.
    pub origin: ReferenceOrigin,
    /// The rules as they were asked for, in the order of those of the plan, which have times as their limits.
    pub rules: Vec<Rule>,
    /// Response times at the loads that the rules refer to.
    pub values: Vec<ReferenceValue>,
}

/// The run that has measured a reference.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceOrigin {
    /// Its id.
    pub run: String,
    /// The user's name for it; may be empty.
    pub label: String,
    /// When it began.
    pub started_at: String,
    /// What it measured.
    pub target: String,
}

/// Response times of a class at a load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceValue {
    /// The load, in the unit of the series.
    pub load: f64,
    /// The class; `None` for all operations together.
    pub class: Option<ClassName>,
    /// How many there were.
    pub operations: u64,
    /// Milliseconds by the names of metrics: `mean`, `p95`.
    pub ms: BTreeMap<String, f64>,
}

impl Reference {
    /// The response time that a rule refers to, in milliseconds; `None` if it was not measured there.
    pub fn value_ms(&self, rule: &Rule) -> Option<f64> {
        value_ms(&self.values, rule)
    }

    /// The same rule with a time as its limit; `None` if its reference was not measured.
    pub fn limit_of(&self, rule: &Rule) -> Option<Rule> {
        limit_of(&self.values, rule)
    }
}

/// A stored run as far as it can be a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceRun {
    /// Which it is.
    pub origin: ReferenceOrigin,
    /// What it measured.
    pub kind: Option<TargetKind>,
    /// Its series.
    pub series: Vec<ReferenceSeries>,
}

/// A series of a stored run.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceSeries {
    /// What was done.
    pub profile: SeriesProfile,
    /// The settings that were varied.
    pub factors: Combination,
    /// What its loads count.
    pub unit: LoadUnit,
    /// Response times at all loads that were measured well.
    pub values: Vec<ReferenceValue>,
    /// Loads at which all that was measured was disturbed, or drifted.
    pub doubtful: Vec<f64>,
}

/// Response times are kept to the microsecond: what a reference says is printed, and typed again.
const PER_MS: f64 = 1e3;

/// The response time that a rule refers to.
pub(super) fn value_ms(values: &[ReferenceValue], rule: &Rule) -> Option<f64> {
    let load = rule.reference_load()?;
    let is_it = |value: &&ReferenceValue| value.load == load && value.class == rule.class;
    let ms = values.iter().find(is_it)?.ms.get(rule.metric.name())?;
    Some((ms * PER_MS).round() / PER_MS)
}

/// The rule with a time as its limit.
pub(super) fn limit_of(values: &[ReferenceValue], rule: &Rule) -> Option<Rule> {
    match rule.reference_load() {
        None => Some(*rule),
        Some(_) => rule.against(value_ms(values, rule)?),
    }
}
