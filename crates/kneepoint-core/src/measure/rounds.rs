//! A point of rounds: in each, all copies of a program begin together and do their work once.
//!
//! What counts is the median of the rounds, as published measurements of processors have it: how long the
//! last copy took decides how long a round took. The error is that of the mean of the rounds, by Student's t
//! distribution.

use crate::load::record::interval::{IntervalRecord, Shape};
use crate::load::record::recorder::{Completed, Recorder};
use crate::measure::confidence::{Assessment, MeanEstimate, Stability, two_sided_quantile};
use crate::measure::measurement::Measurement;
use crate::words::class::ClassName;
use crate::words::units::Nanos;

/// The error of the intervals.
const TAIL: f64 = 0.05;

/// All copies once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// How long each copy took; at least one.
    pub copies: Vec<Nanos>,
}

impl Round {
    /// How long the last copy took.
    pub fn elapsed(&self) -> Nanos {
        self.copies.iter().copied().max().unwrap_or(Nanos::ZERO)
    }

    /// How long a copy took on average, in nanoseconds.
    fn mean_ns(&self) -> f64 {
        let sum: f64 = self.copies.iter().map(|copy| copy.0 as f64).sum();
        sum / self.copies.len().max(1) as f64
    }
}

/// The mean of independent `values` with its 95 % confidence interval, by Student's t distribution; `None` for fewer
/// than two.
pub(crate) fn mean_of_independent(values: &[f64]) -> Option<MeanEstimate> {
    let count = values.len();
    if count < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count as f64;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let dof = (count - 1) as u32;
    let standard_error = libm::sqrt(squares / f64::from(dof) / count as f64);
    let half_width = two_sided_quantile(TAIL, dof) * standard_error;
    Some(MeanEstimate { mean, standard_error, dof, half_width })
}

/// The same as shares of the mean.
fn relative_error(values: &[f64]) -> Option<MeanEstimate> {
    let MeanEstimate { mean, standard_error, dof, half_width } = mean_of_independent(values)?;
    let [standard_error, half_width] = [standard_error, half_width].map(|error| error / mean);
    Some(MeanEstimate { mean: 1.0, standard_error, dof, half_width })
}

/// The error of the rate of `rounds`, as a share of it; `None` for fewer than two.
pub fn accuracy(rounds: &[Round]) -> Option<f64> {
    let elapsed: Vec<f64> = rounds.iter().map(|round| round.elapsed().0 as f64).collect();
    relative_error(&elapsed).map(|error| error.half_width)
}

/// The median, or the mean of the two in the middle.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[count / 2],
        count => (values[count / 2 - 1] + values[count / 2]) / 2.0,
    }
}

impl Measurement {
    /// What `rounds` of operations of the class `name` give: an interval for each round, as long as the median
    /// of them. They are steady if their error is within `accuracy`, a share of the mean.
    pub fn of_rounds(rounds: &[Round], name: ClassName, accuracy_wanted: f64) -> Self {
        let mut elapsed: Vec<f64> = rounds.iter().map(|round| round.elapsed().0 as f64).collect();
        let means: Vec<f64> = rounds.iter().map(Round::mean_ns).collect();
        let copies = rounds.first().map_or(0, |run| run.copies.len()) as f64;
        let scaled = |error: MeanEstimate, by: f64| MeanEstimate {
            mean: by,
            standard_error: by * error.standard_error,
            half_width: by * error.half_width,
            ..error
        };
        let operations = relative_error(&elapsed).map(|error| scaled(error, copies));
        let mean_ns = means.iter().sum::<f64>() / means.len().max(1) as f64;
        let latency = relative_error(&means).map(|error| scaled(error, mean_ns));
        let is_steady = accuracy(rounds).is_some_and(|error| error <= accuracy_wanted);
        let assessment = Assessment {
            ramp_count: 0,
            operations,
            bytes: None,
            latency_ns: latency,
            operations_slope: None,
            latency_slope: None,
            stability: if is_steady { Stability::Steady } else { Stability::TimeLimit },
            is_out_of_reach: false,
        };
        let interval = Nanos(median(&mut elapsed).round() as u64);
        let mut recorder = Recorder::new(0..1, 1);
        let record = |round: &Round| -> IntervalRecord {
            for latency in &round.copies {
                let (latency, lag) = (*latency, Nanos::ZERO);
                recorder.complete(Completed { target: 0, class: 0, bytes: 0, latency, lag });
            }
            recorder.close()
        };
        let records = rounds.iter().map(record).collect();
        let shape = Shape { targets: 1, classes: 1, uncounted: 0 };
        Self::merge((interval, Nanos::ZERO), assessment, records, (shape, &[name]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(seconds: &[f64]) -> Round {
        Round { copies: seconds.iter().map(|seconds| Nanos::from_secs_f64(*seconds)).collect() }
    }

    fn of(rounds: &[Round]) -> Measurement {
        Measurement::of_rounds(rounds, ClassName::READ, 0.05)
    }

    #[test]
    fn the_median_round_counts() {
        let found = of(&[round(&[2.0, 1.0]), round(&[2.1, 2.0]), round(&[9.0, 2.0])]);
        // Two copies in 2.1 s each time.
        let rate = found.total().operations as f64 / found.measured().as_secs_f64();
        assert!((rate - 2.0 / 2.1).abs() < 1e-9, "{rate}");
        assert_eq!(found.total().operations, 6);
        assert_eq!(found.total().latency_max, Nanos::from_secs(9));
        assert_eq!(found.intervals.len(), 3);
    }

    #[test]
    fn the_interval_is_that_of_the_rounds() {
        let rounds = [round(&[1.0]), round(&[1.1]), round(&[0.9])];
        // 0.1 / sqrt(3), times 4.303 of two degrees of freedom.
        let expected = 4.302_65 * 0.1 / 3.0_f64.sqrt();
        assert!((accuracy(&rounds).unwrap() - expected).abs() < 1e-4);
        let found = of(&rounds);
        assert!((found.iops_ci95().unwrap() - expected).abs() < 1e-4);
        assert!((found.latency_ms_ci95().unwrap() - 1e3 * expected).abs() < 0.1);
        assert_eq!(found.assessment.stability, Stability::TimeLimit, "25 % is not within 5 %");
        let close = [round(&[1.0]), round(&[1.001]), round(&[0.999])];
        assert_eq!(of(&close).assessment.stability, Stability::Steady);
    }

    #[test]
    fn one_round_has_no_interval() {
        assert_eq!(accuracy(&[round(&[1.0])]), None);
        let found = of(&[round(&[1.0])]);
        assert_eq!(found.iops_ci95(), None);
        assert_eq!(found.assessment.stability, Stability::TimeLimit);
    }
}
