//! Rounds over all series of a plan until those that are tracked are steady.

use serde::{Deserialize, Serialize};

use super::SteadyState;
use crate::spec::suite::TrackedQuantity;

/// When the repetitions of a plan end: each of them is a round, in which every series is measured once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundPlan {
    /// Names of the series that must be steady.
    pub tracked: Vec<String>,
    /// What of them.
    pub quantity: TrackedQuantity,
    /// Rounds from one sample of the test to the next.
    pub every: u32,
    /// The test: its window counts samples, and a round of it is the measurement of one series.
    pub steady_state: SteadyState,
}

impl RoundPlan {
    /// Rounds before the first test.
    pub const fn least(&self) -> u32 {
        (self.steady_state.window - 1) * self.every + 1
    }

    /// The rounds that the test covers after `rounds` of them, from 0 and rising; `None` if they are too few.
    pub fn window_after(&self, rounds: u32) -> Option<Vec<u32>> {
        let first = rounds.checked_sub(self.least())?;
        Some((0..self.steady_state.window).map(|sample| first + sample * self.every).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::steady_state::tests::rule;

    #[test]
    fn a_window_has_samples_at_their_distance() {
        let plan = |every| RoundPlan {
            tracked: vec!["test/4KiB".to_owned()],
            quantity: TrackedQuantity::Rate,
            every,
            steady_state: rule(),
        };
        assert_eq!(plan(1).window_after(4), None);
        assert_eq!(plan(1).window_after(7).unwrap(), [2, 3, 4, 5, 6]);
        assert_eq!(plan(30).least(), 121);
        assert_eq!(plan(30).window_after(122).unwrap(), [1, 31, 61, 91, 121]);
    }
}
