//! Pacing: when a lane may issue its next I/O.

use rand_core::Rng as _;

use crate::load::stream::StreamPlan;
use crate::plan::Arrivals;
use crate::words::seed::{self, Rng};
use crate::words::units::Nanos;

/// The pace of one lane.
#[derive(Debug, Clone)]
pub(super) enum Pace {
    /// Closed loop: at once, or after the delay that ends a burst.
    Closed {
        /// Earliest time of the next I/O.
        due: Nanos,
    },
    /// Open loop: at the next arrival, however late the loop gets to it.
    Open(ArrivalProcess),
}

impl Pace {
    /// The pace of `plan`, from `epoch` on.
    pub(super) fn new(plan: &StreamPlan, epoch: Nanos) -> Self {
        match plan.arrivals {
            None => Self::Closed { due: epoch },
            Some(arrivals) => {
                let rng = seed::rng(seed::derive(plan.seed, "arrivals", 0));
                let gap_ns_mean = 1e9 / arrivals.rate_per_s;
                let next_ns = epoch.0 as f64;
                let spacing = arrivals.spacing;
                let mut process = ArrivalProcess { rng, spacing, gap_ns_mean, next_ns };
                process.advance();
                Self::Open(process)
            }
        }
    }

    /// Earliest time of the next I/O; in an open loop, the time of the oldest arrival that was
    /// not issued yet.
    #[inline]
    pub(super) fn due(&self) -> Nanos {
        match self {
            Self::Closed { due } => *due,
            Self::Open(process) => Nanos(process.next_ns as u64),
        }
    }

    /// Moves on after an I/O was issued at `now`; `delay` is the pause that its burst ends with.
    ///
    /// Returns the time that the I/O's response time runs from: its arrival in an open loop;
    /// `None` in a closed one, where it runs from the submission.
    #[inline]
    pub(super) fn issued(&mut self, now: Nanos, delay: Nanos) -> Option<Nanos> {
        match self {
            Self::Closed { due } => {
                if delay > Nanos::ZERO {
                    *due = now + delay;
                }
                None
            }
            Self::Open(process) => {
                let intended = Nanos(process.next_ns as u64);
                process.advance();
                Some(intended)
            }
        }
    }
}

/// The arrivals of an open loop. The backlog needs no memory: it is every arrival between
/// `next_ns` and now.
#[derive(Debug, Clone)]
pub(super) struct ArrivalProcess {
    rng: Rng,
    spacing: Arrivals,
    gap_ns_mean: f64,
    /// The next arrival on the backend's clock; a fraction of a nanosecond is kept so that rates
    /// hold over hours (2^53 ns are 104 days).
    next_ns: f64,
}

impl ArrivalProcess {
    #[inline]
    fn advance(&mut self) {
        let gap = match self.spacing {
            Arrivals::Constant => 1.0,
            Arrivals::Exponential => {
                let unit = ((self.rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
                -libm::log(unit)
            }
        };
        self.next_ns += gap * self.gap_ns_mean;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::stream::ArrivalPlan;

    /// The gaps between the first `count` arrivals, in means.
    fn gaps(spacing: Arrivals, count: usize) -> Vec<f64> {
        let plan = StreamPlan {
            number: 0,
            target: 0,
            size_bytes: 1 << 20,
            share: 0,
            share_count: 1,
            slots: 1,
            arrivals: Some(ArrivalPlan { rate_per_s: 20_000.0, spacing }),
            seed: 5,
        };
        let mut pace = Pace::new(&plan, Nanos::from_secs(1));
        let times: Vec<u64> = (0..=count)
            .map(|_| pace.issued(Nanos::ZERO, Nanos::ZERO).expect("an open loop").0)
            .collect();
        times.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 50_000.0).collect()
    }

    #[test]
    fn constant_arrivals_are_evenly_spaced() {
        assert!(gaps(Arrivals::Constant, 1000).iter().all(|gap| (gap - 1.0).abs() < 1e-4));
    }

    #[test]
    fn exponential_arrivals_pass_a_chi_square_test() {
        // 20 cells of equal probability: the bounds are quantiles of the exponential
        // distribution. The 99.9 % quantile of chi-square with 19 degrees of freedom is 43.8.
        let gaps = gaps(Arrivals::Exponential, 100_000);
        let mut cells = [0u32; 20];
        for gap in &gaps {
            cells[((1.0 - libm::exp(-gap)) * 20.0).min(19.0) as usize] += 1;
        }
        let expected = gaps.len() as f64 / 20.0;
        let off = |cell: &u32| f64::from(*cell) - expected;
        let statistic: f64 = cells.iter().map(|cell| off(cell) * off(cell) / expected).sum();
        assert!(statistic < 43.8, "{statistic}");
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
    }
}
