//! The difference of two quantities that are measured by turns, looked at while it is measured.
//!
//! Each pair of measurements gives the logarithm of their quotient; what changes slowly is the same
//! on both sides of a pair and cancels. The mean of the logarithms has a confidence interval by
//! Student's t. Looking again and again would find a difference sooner or later where there is none, so
//! the pairs are looked at a few times only, and the intervals of all looks hold together with 95 %
//! confidence (Bonferroni's inequality), whether disturbed pairs count or not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::student::two_sided_quantile;
use crate::words::units::Percent;

/// Numbers of pairs with which a difference is looked at, each a third more than the one before.
const LOOKS: [usize; 9] = [5, 7, 9, 12, 16, 21, 28, 37, 49];

/// Most pairs that are measured.
pub const PAIRS_MAX: usize = LOOKS[LOOKS.len() - 1];

/// All looks together find a difference with this probability where there is none.
const ALPHA: f64 = 0.05;

/// Sequences of pairs that may be looked at: those that nothing disturbed, and all. From one look to the
/// next it may be the other one that counts.
const SEQUENCES: usize = 2;

/// What one look at one sequence may use up of it.
const ALPHA_OF_LOOK: f64 = ALPHA / (SEQUENCES * LOOKS.len()) as f64;

/// What a difference was found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairDecision {
    /// Nothing yet.
    Open,
    /// The second is larger, beyond chance.
    Larger,
    /// The second is smaller, beyond chance.
    Smaller,
    /// Whatever it is, it lies within the band of no practical difference.
    Same,
}

/// How many times the first quantity the second is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairedRatio {
    /// The geometric mean of the quotients.
    pub ratio: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Pairs that it rests on.
    pub pairs: usize,
    /// What follows.
    pub decision: PairDecision,
}

impl PairedRatio {
    /// The ratio of `pairs` (first, second), all above zero, in the order measured: from as many of
    /// them as are looked at. A difference of up to `band` does not matter. `None` before the first
    /// look.
    pub fn of(pairs: &[(f64, f64)], band: Percent) -> Option<Self> {
        let count = LOOKS.iter().copied().rfind(|look| *look <= pairs.len())?;
        let logs: Vec<f64> =
            pairs[..count].iter().map(|(first, second)| libm::log(second / first)).collect();
        let n = count as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let squares: f64 = logs.iter().map(|log| (log - mean) * (log - mean)).sum();
        let quantile = two_sided_quantile(ALPHA_OF_LOOK, count as u32 - 1);
        let half_width = quantile * libm::sqrt(squares / (n - 1.0) / n);
        let [low, high] = [mean - half_width, mean + half_width];
        // As far up as down: twice as fast is as far from even as half as fast.
        let band = libm::log1p(band.fraction());
        let decision = if low > -band && high < band {
            PairDecision::Same
        } else if low > 0.0 {
            PairDecision::Larger
        } else if high < 0.0 {
            PairDecision::Smaller
        } else {
            PairDecision::Open
        };
        let ratio = libm::exp(mean);
        Some(Self { ratio, low: libm::exp(low), high: libm::exp(high), pairs: count, decision })
    }

    /// Whether more pairs would tell nothing that is asked for.
    pub fn is_decided(&self) -> bool {
        self.decision != PairDecision::Open
    }
}

#[cfg(test)]
mod tests {
    use rand_core::Rng as _;

    use super::*;
    use crate::words::seed;

    fn band() -> Percent {
        Percent::new(5.0).expect("5 % is a share")
    }

    /// Decisions on `count` sequences of pairs whose quotients scatter by `scatter` about `ratio`.
    fn decisions(count: u64, ratio: f64, scatter: f64) -> Vec<PairedRatio> {
        let decide = |number| {
            let mut rng = seed::rng(seed::derive(7, "pairs", number));
            let mut uniform = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            let mut pairs = Vec::new();
            loop {
                let normal = libm::sqrt(-2.0 * libm::log(uniform()))
                    * libm::cos(std::f64::consts::TAU * uniform());
                pairs.push((100.0, 100.0 * ratio * libm::exp(scatter * normal)));
                let found = PairedRatio::of(&pairs, band());
                if let Some(found) = found
                    && (found.is_decided() || pairs.len() >= PAIRS_MAX)
                {
                    return found;
                }
            }
        };
        (0..count).map(decide).collect()
    }

    fn share(found: &[PairedRatio], decision: PairDecision) -> f64 {
        found.iter().filter(|found| found.decision == decision).count() as f64 / found.len() as f64
    }

    #[test]
    fn nothing_is_said_of_four_pairs() {
        assert_eq!(PairedRatio::of(&[(1.0, 2.0); 4], band()), None);
        assert!(PairedRatio::of(&[(1.0, 2.0); 5], band()).is_some());
    }

    /// 5 pairs whose logarithms have a standard error of 0.00707; the quantile of Student's t for 5 % shared
    /// out over 9 looks at 2 sequences is 6.570 with 4 degrees of freedom.
    #[test]
    fn each_look_at_each_sequence_has_its_part_of_the_probability() {
        let logs = [-0.02, -0.01, 0.0, 0.01, 0.02];
        let found = PairedRatio::of(&logs.map(|log| (1.0, libm::exp(log))), band()).unwrap();
        for end in [-libm::log(found.low), libm::log(found.high)] {
            assert!((end / 0.046_455 - 1.0).abs() < 0.005, "{end}");
        }
    }

    #[test]
    fn equals_are_told_apart_in_less_than_5_of_100() {
        for scatter in [0.01, 0.05, 0.2] {
            let found = decisions(2_000, 1.0, scatter);
            let apart = share(&found, PairDecision::Larger) + share(&found, PairDecision::Smaller);
            assert!(apart < 0.05, "{scatter}: {apart}");
        }
    }

    #[test]
    fn intervals_hold_wherever_it_ends() {
        for (ratio, scatter) in [(1.0, 0.05), (1.1, 0.05), (1.1, 0.2), (0.5, 0.3)] {
            let found = decisions(2_000, ratio, scatter);
            let held = found.iter().filter(|found| found.low <= ratio && ratio <= found.high);
            assert!(held.count() >= 1_900, "{ratio} {scatter}");
        }
    }

    #[test]
    fn what_differs_is_found_and_what_hardly_does_is_the_same() {
        let apart = decisions(500, 1.2, 0.05);
        assert!(share(&apart, PairDecision::Larger) > 0.99);
        assert_eq!(share(&apart, PairDecision::Smaller) + share(&apart, PairDecision::Same), 0.0);
        assert!(share(&decisions(500, 0.8, 0.05), PairDecision::Smaller) > 0.99);
        assert!(share(&decisions(500, 1.01, 0.03), PairDecision::Same) > 0.8);
        // Beyond the band nothing is the same.
        assert!(share(&decisions(500, 1.06, 0.05), PairDecision::Same) < 0.05);
    }
}
