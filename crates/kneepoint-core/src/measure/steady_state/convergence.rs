//! The rounds of a point that has ended, and how they stand in the result.

use super::determination::Determination;
use crate::load::record::tally::Tally;
use crate::measure::confidence::Stability;
use crate::result::warning::Spread;
use crate::result::{RoundResult, SteadyStateResult, SteadyWindow, Warning};
use crate::words::units::{Bytes, Nanos};

/// The rounds of a point, and whether its last ones were steady.
#[derive(Debug, Clone, PartialEq)]
pub struct Convergence {
    /// When the first round began, after the point's start.
    pub start: Nanos,
    /// Length of a round.
    pub round: Nanos,
    /// Rounds that the test looks at.
    pub window: usize,
    /// Reads and writes of every round that ended.
    pub rounds: Vec<Tally>,
    /// The test over the last window; `None` where there were too few rounds, or no I/O.
    pub determination: Option<Determination>,
    /// Whether the last window is within the limits.
    pub is_attained: bool,
}

impl Convergence {
    /// The verdict: a point of rounds is judged by them alone.
    pub const fn stability(&self) -> Stability {
        if self.is_attained { Stability::Steady } else { Stability::TimeLimit }
    }
}

/// The convergence as it is in the result.
pub(crate) fn convergence_result(convergence: &Convergence) -> SteadyStateResult {
    let first_round = convergence.rounds.len().saturating_sub(convergence.window);
    let window = convergence.determination.map(|found| SteadyWindow {
        first_round: first_round as u32,
        rate_mean: found.mean,
        range_percent: found.range_percent,
        slope_percent: found.slope_percent,
    });
    let rounds = convergence.rounds.iter().enumerate();
    SteadyStateResult {
        attained: convergence.is_attained,
        round_s: convergence.round.as_secs_f64(),
        rounds: rounds.map(|(index, round)| round_result(convergence, index, round)).collect(),
        window,
    }
}

fn round_result(convergence: &Convergence, index: usize, round: &Tally) -> RoundResult {
    let seconds = convergence.round.as_secs_f64();
    RoundResult {
        start_s: convergence.start.as_secs_f64() + seconds * index as f64,
        rate: round.operations as f64 / seconds,
        volume: Some(Bytes(round.bytes).as_mib_f64() / seconds),
        latency_mean_ms: round.latency_ns_mean() / 1e6,
    }
}

/// What is to be said of rounds that never became steady.
pub(crate) fn convergence_warning(result: &SteadyStateResult) -> Option<Warning> {
    let rounds = result.rounds.len() as u64;
    let window = result.window.map(|window| window.spread());
    (!result.attained).then_some(Warning::SteadyStateNotAttained { rounds, window })
}

impl SteadyWindow {
    /// How its rounds differ.
    pub(crate) const fn spread(&self) -> Spread {
        Spread { range_percent: self.range_percent, slope_percent: self.slope_percent }
    }
}
