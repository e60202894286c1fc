//! A measured number with its error, and what becomes of errors in calculations.

use crate::measure::confidence::two_sided_quantile;
use crate::measure::search::Estimated;
use crate::result::Estimate;

/// Intervals of points are made for this probability of missing the truth.
pub(super) const ALPHA: f64 = 0.05;

/// Degrees of freedom that the interval of a point is taken to have: those of the fewest batches
/// that a point can have. Points do not tell theirs; with more, this errs on the safe side.
const POINT_FREEDOM: f64 = (crate::measure::confidence::BATCHES_MIN - 1) as f64;

/// Relative standard error that even an exact-looking measurement has: one I/O more or less at the
/// ends of the measured time, the clock, rounding. Differences below about 0.15 % are thus never
/// called significant.
const RESOLUTION: f64 = 0.000_5;

/// A standard error as a share of its number, and its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RelativeError {
    pub(super) relative: f64,
    pub(super) dof: f64,
}

impl RelativeError {
    /// The spread of `parts` that add up in quadrature, with the degrees of freedom of Welch and
    /// Satterthwaite.
    pub(super) fn combined(parts: &[Self]) -> Self {
        let squares: Vec<f64> = parts.iter().map(|part| part.relative * part.relative).collect();
        let variance: f64 = squares.iter().sum();
        let weights: f64 =
            squares.iter().zip(parts).map(|(square, part)| square * square / part.dof).sum();
        let dof = if weights > 0.0 { variance * variance / weights } else { POINT_FREEDOM };
        Self { relative: libm::sqrt(variance), dof }
    }

    /// The quantile of Student's distribution that is exceeded in size with probability `tail`.
    pub(super) fn quantile(self, tail: f64) -> f64 {
        two_sided_quantile(tail, whole(self.dof))
    }
}

/// Degrees of freedom as a whole number: rounded down, at least 1.
pub(super) fn whole(dof: f64) -> u32 {
    dof.clamp(1.0, 100_000.0) as u32
}

/// A number with its spread, where that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Value {
    pub(super) number: f64,
    pub(super) spread: Option<RelativeError>,
}

impl Value {
    /// What a point says about one of its means, `count` points of the same kind averaged.
    pub(super) fn measured(estimate: Estimate, count: usize) -> Self {
        let spread = estimate.ci95.filter(|_| estimate.mean > 0.0).map(|half_width| {
            let quantile = two_sided_quantile(ALPHA, whole(POINT_FREEDOM));
            let relative = half_width / quantile / estimate.mean;
            RelativeError { relative, dof: POINT_FREEDOM * count as f64 }.no_finer_than_clocks()
        });
        Self { number: estimate.mean, spread }
    }

    /// What several visits say about a number.
    pub(super) fn estimated(found: Estimated) -> Self {
        let spread = found.error.filter(|_| found.mean > 0.0).map(|error| {
            let relative = error / found.mean;
            RelativeError { relative, dof: found.dof }.no_finer_than_clocks()
        });
        Self { number: found.mean, spread }
    }

    /// The mean of several numbers, whose errors are independent.
    pub(super) fn mean(values: &[Self]) -> Self {
        let sum: f64 = values.iter().map(|value| value.number).sum();
        let share = |value: &Self| {
            let spread = value.spread?;
            Some(RelativeError { relative: spread.relative * value.number / sum, ..spread })
        };
        let shares: Option<Vec<RelativeError>> = values.iter().map(share).collect();
        let spread = shares.filter(|_| sum > 0.0).map(|shares| RelativeError::combined(&shares));
        Self { number: sum / values.len().max(1) as f64, spread }
    }

    /// The same number with at least the spread that repetitions of it show.
    pub(super) fn widened_by(self, between: Option<RelativeError>) -> Self {
        let between = between.map(RelativeError::no_finer_than_clocks);
        let spread = match (self.spread, between) {
            (Some(within), Some(between)) if between.relative > within.relative => Some(between),
            (within, between) => within.or(between),
        };
        Self { spread, ..self }
    }

    /// A higher number that something else says of the same, without an interval. Within the interval of this
    /// one it gets an interval that contains it; beyond, nothing is known of how far it is off.
    pub(super) fn raised_to(self, number: f64) -> Self {
        let (Some(spread), Some(width)) = (self.spread, self.ci95()) else {
            return Self { number, spread: None };
        };
        let shift = number - self.number;
        let relative = (width + shift) / number / spread.quantile(ALPHA);
        let spread = RelativeError { relative, ..spread };
        Self { number, spread: (0.0..=width).contains(&shift).then_some(spread) }
    }

    /// Half-width of the 95 % confidence interval.
    pub(super) fn ci95(self) -> Option<f64> {
        self.spread.map(|spread| spread.quantile(ALPHA) * spread.relative * self.number)
    }

    /// The absolute standard error.
    pub(super) fn error(self) -> Option<f64> {
        self.spread.map(|spread| spread.relative * self.number.abs())
    }
}

impl RelativeError {
    pub(super) fn no_finer_than_clocks(self) -> Self {
        let relative = libm::sqrt(self.relative * self.relative + RESOLUTION * RESOLUTION);
        Self { relative, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_point_is_kept() {
        let value = Value::measured(Estimate { mean: 200.0, ci95: Some(10.0) }, 1);
        assert!((value.ci95().unwrap() - 10.0).abs() < 0.01, "{value:?}");
    }

    #[test]
    fn equal_parts_add_up_in_quadrature_and_keep_their_freedom() {
        let part = RelativeError { relative: 0.03, dof: 15.0 };
        let both = RelativeError::combined(&[part, part]);
        assert!((both.relative - 0.03 * libm::sqrt(2.0)).abs() < 1e-12);
        assert!((both.dof - 30.0).abs() < 1e-9);
        let one = RelativeError::combined(&[part, RelativeError { relative: 0.0, dof: 15.0 }]);
        assert!((one.dof - 15.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_exact() {
        let value = Value::measured(Estimate { mean: 1000.0, ci95: Some(0.0) }, 1);
        assert!(value.spread.unwrap().relative >= RESOLUTION);
        assert_eq!(Value::measured(Estimate { mean: 1.0, ci95: None }, 1).spread, None);
    }
}
