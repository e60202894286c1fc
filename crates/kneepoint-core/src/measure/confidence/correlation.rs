//! Whether neighbouring batch means depend on one another.

use super::batch::mean;

/// What von Neumann's ratio says of a sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Correlation {
    /// Estimate of the correlation of neighbours, -1 to 1; zero for a constant sequence.
    pub(super) neighbours: f64,
    /// The same in standard deviations under independence.
    pub(super) score: f64,
}

/// Compares the differences of neighbours with the scatter of all (J. von Neumann, "Distribution
/// of the ratio of the mean square successive difference to the variance", Annals of Mathematical
/// Statistics 12, 1941; for batch means G. S. Fishman, "Grouping observations in digital
/// simulation", Management Science 24, 1978).
///
/// One minus half the ratio has mean 0 and variance (n - 2) / (n^2 - 1) for n independent normal
/// values, and is close to the correlation of neighbours otherwise.
pub(super) fn correlation(values: &[f64]) -> Correlation {
    let count = values.len() as f64;
    let centre = mean(values);
    let scatter: f64 = values.iter().map(|value| (value - centre) * (value - centre)).sum();
    let steps = values.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0]));
    if values.len() < 3 || is_rounding(scatter, centre, count) {
        return Correlation { neighbours: 0.0, score: 0.0 };
    }
    let neighbours = 1.0 - steps.sum::<f64>() / (2.0 * scatter);
    Correlation {
        neighbours,
        score: neighbours * libm::sqrt((count * count - 1.0) / (count - 2.0)),
    }
}

/// Whether the sum of `count` squared deviations from `centre` comes from rounding alone: neither
/// scatter nor correlation should be read into it.
pub(super) fn is_rounding(scatter: f64, centre: f64, count: f64) -> bool {
    scatter <= count * (1e-12 * centre) * (1e-12 * centre)
}

/// By how much the variance of the mean of `values` exceeds that of independent ones, at least 1.
///
/// The sum over all lags of a sequence whose correlation falls off by the same factor at each lag
/// (autoregressive of first order), the form that batch means of a stationary process approach
/// (N. M. Steiger et al., "ASAP3: a batch means procedure for steady-state simulation analysis",
/// ACM TOMACS 15, 2005). A negative correlation is not made use of.
pub(super) fn variance_inflation(values: &[f64]) -> f64 {
    let estimate = correlation(values);
    if estimate.score == 0.0 {
        return 1.0;
    }
    let factor = (estimate.neighbours + 1.0 / values.len() as f64).clamp(0.0, FACTOR_MAX);
    (1.0 + factor) / (1.0 - factor)
}

/// Estimates of the correlation from some dozen batches are not trusted above this.
const FACTOR_MAX: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_sequence_is_correlated_and_an_alternating_one_the_other_way() {
        let rising: Vec<f64> = (0..32).map(f64::from).collect();
        let alternating: Vec<f64> = (0..32).map(|index| f64::from(index % 2)).collect();
        assert!(correlation(&rising).score > 5.0);
        assert!(variance_inflation(&rising) > 5.0);
        assert!(correlation(&alternating).score < -5.0);
        assert_eq!(variance_inflation(&alternating), 1.0);
    }

    #[test]
    fn a_constant_sequence_is_not_correlated() {
        let check = |value: f64| assert_eq!(correlation(&[value; 20]).score, 0.0);
        check(0.0);
        check(0.1);
        check(1e9 / 3.0);
    }
}
