//! The outcome of rounds over all series: the test for steady state, and the numbers of its window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::warning::UnsteadyRounds;
use super::{PointResult, Warning};
use crate::spec::suite::TrackedQuantity;

/// Rounds over all series until steady state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundsAnalysis {
    /// Rounds that have all of the tracked series.
    pub rounds: u32,
    /// Rounds at the most.
    pub rounds_max: u32,
    /// Whether all tracked series are steady over the last window.
    pub attained: bool,
    /// The rounds that the test covers, from 0; empty if there were too few.
    pub window: Vec<u32>,
    /// What of the series is tracked.
    pub quantity: TrackedQuantity,
    /// Largest range that the test allows, in percent of the mean.
    pub range_percent_max: f64,
    /// Largest change of the line that it allows, in percent of the mean.
    pub slope_percent_max: f64,
    /// The test of each tracked series; empty if there were too few rounds.
    pub tracked: Vec<TrackedSeries>,
    /// Each series over the rounds of the window, or over all rounds if there is none.
    pub cells: Vec<RoundCell>,
}

/// The test of one series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedSeries {
    /// Its name.
    pub series: String,
    /// Mean of the window: operations per second, or milliseconds of response time.
    pub mean: f64,
    /// Largest less smallest value, in percent of the mean.
    pub range_percent: f64,
    /// Change of the least-squares line from the first round of the window to the last, in percent of the
    /// mean; negative if it falls.
    pub slope_percent: f64,
    /// Whether both limits are met.
    pub is_steady: bool,
}

/// A series over the rounds that count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundCell {
    /// Its name.
    pub series: String,
    /// Operations per second, mean of the rounds.
    pub rate: f64,
    /// MiB per second; `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// Mean response time of all operations, in milliseconds.
    pub latency_mean_ms: f64,
    /// Longest response time, in milliseconds.
    pub latency_max_ms: f64,
}

impl RoundsAnalysis {
    /// Whether the numbers of the run rest on `point`: it is of a round of the window, or there is no window.
    pub fn counts(&self, point: &PointResult) -> bool {
        self.window.is_empty() || self.window.contains(&point.repetition_of_plan())
    }

    /// That the rounds are not steady; `None` if they are.
    pub fn warning(&self) -> Option<Warning> {
        let unsteady = self.tracked.iter().filter(|one| !one.is_steady);
        let series = unsteady.map(|one| one.series.clone()).collect();
        let rounds = u64::from(self.rounds);
        let found = UnsteadyRounds { rounds, series };
        (!self.attained).then_some(Warning::RoundsNotSteady(found))
    }
}
