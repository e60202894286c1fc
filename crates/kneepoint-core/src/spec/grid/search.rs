//! The load levels of a series with nothing left open, and how they are used.

use serde::{Deserialize, Serialize};

use crate::words::load::{LoadLevel, LoadUnit};
use crate::words::units::Percent;

/// How the load levels of a series are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SearchPlan {
    /// Every level of the grid.
    Grid,
    /// As few as it takes to find where each rule is met, or where throughput stops rising.
    Knee(KneePlan),
    /// Every level, visited by turns with the same level of another run until their difference is
    /// decided. Neither run can go on alone.
    ByTurns,
}

/// A search for the knee.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KneePlan {
    /// What is looked for.
    pub goal: KneeGoal,
    /// The search for a rule ends when the throughputs on both sides of it differ by no more.
    pub tolerance: Percent,
    /// Visits loads for a short time each until the 95 % interval of every answer is within this
    /// share of it; `None` to measure every load once, as the timing of the plan says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Percent>,
}

/// What a search for the knee looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KneeGoal {
    /// Where each rule is met.
    Rules,
    /// That, and the highest throughput.
    RulesAndPeak,
    /// The load from which on throughput no longer rises; the rules are read off on the way there.
    Saturation,
}

/// Fixed load levels of one unit, rising.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadGrid {
    /// What the levels count.
    pub unit: LoadUnit,
    /// The levels, each above the one before it.
    pub levels: Vec<f64>,
}

impl LoadGrid {
    /// The levels with their unit.
    pub fn levels(&self) -> impl Iterator<Item = LoadLevel> + '_ {
        self.levels.iter().map(|value| LoadLevel { value: *value, unit: self.unit })
    }
}
