//! What the factors of a run do, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Estimate, Significance};
use crate::spec::factor::Combination;

/// The effects of all factors on one number of one series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effects {
    /// Profile and block size.
    pub series: String,
    /// Which number.
    pub measure: EffectOn,
    /// One entry per factor with more than one level.
    pub factors: Vec<FactorEffect>,
    /// Pairs of factors that do not act independently, the clearest level of each; only those that
    /// are significant.
    pub interactions: Vec<Interaction>,
    /// The combination with the highest number.
    pub optimum: Optimum,
}

/// A number of a series that factors may change, in IO/s.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectOn {
    /// What is sustained at this rule.
    Sustained(String),
    /// The highest throughput, whatever the response time.
    Peak,
}

/// The effect of one factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorEffect {
    /// Its name.
    pub factor: String,
    /// The level that the others are compared with.
    pub base: String,
    /// The other levels.
    pub levels: Vec<LevelEffect>,
}

/// A level compared with the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelEffect {
    /// The level.
    pub level: String,
    /// Mean IO/s at the base, over the pairs.
    pub before: f64,
    /// Mean IO/s at the level, over the pairs.
    pub after: f64,
    /// Change in percent of the base.
    pub change_percent: f64,
    /// Half-width of the 95 % confidence interval of the change, in percentage points; `None`
    /// where it is not known.
    pub ci95_percent: Option<f64>,
    /// Pairs of combinations that were compared.
    pub pairs: usize,
    /// Whether the change can be told from none.
    pub significance: Significance,
}

/// A level whose effect depends on another factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interaction {
    /// The factor.
    pub factor: String,
    /// Its level, compared with the base.
    pub level: String,
    /// The other factor.
    pub other: String,
    /// The base of the other factor, and the change in percent there.
    pub at_base: (String, f64),
    /// Another level of it, and the change in percent there.
    pub at_level: (String, f64),
}

/// The best of all combinations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Optimum {
    /// Its levels.
    pub combination: Combination,
    /// Its IO/s.
    pub iops: Estimate,
    /// Other combinations whose number cannot be told from it.
    pub ties: Vec<Combination>,
    /// Whether the intervals are known that this rests on.
    pub significance: Significance,
}
