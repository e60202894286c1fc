//! The test itself: how far the rounds of a window differ, and how they change.

use crate::plan::SteadyState;

/// How the values of a window of rounds lie around their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Determination {
    /// Mean of the values.
    pub mean: f64,
    /// Largest less smallest value, in percent of the mean.
    pub range_percent: f64,
    /// Change of the least-squares line from the first round of the window to the last, in percent
    /// of the mean; negative where it falls.
    pub slope_percent: f64,
}

impl Determination {
    /// The determination of a window; `None` where it has fewer than two values, or a mean that is
    /// not above zero.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        if values.len() < 2 || mean.is_nan() || mean <= 0.0 {
            return None;
        }
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let change = slope(values, mean) * (count - 1.0);
        Some(Self {
            mean,
            range_percent: 100.0 * (largest - smallest) / mean,
            slope_percent: 100.0 * change / mean,
        })
    }

    /// Whether both limits of `rule` are met.
    pub fn is_within(&self, rule: &SteadyState) -> bool {
        self.range_percent <= rule.range.get() && self.slope_percent.abs() <= rule.slope.get()
    }
}

/// Slope of the least-squares line through `values` at 0, 1, 2, ...
fn slope(values: &[f64], mean: f64) -> f64 {
    let middle = (values.len() as f64 - 1.0) / 2.0;
    let mut covariance = 0.0;
    let mut variance = 0.0;
    for (index, value) in values.iter().enumerate() {
        let at = index as f64 - middle;
        covariance += at * (value - mean);
        variance += at * at;
    }
    covariance / variance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::steady_state::rounds::tests::rule;

    /// Checks range and slope in percent, and whether the window is steady.
    #[track_caller]
    fn check(values: &[f64], (range, slope): (f64, f64), is_steady: bool) {
        let found = Determination::of(values).unwrap();
        assert!((found.range_percent - range).abs() < 1e-9, "{found:?}");
        assert!((found.slope_percent - slope).abs() < 1e-9, "{found:?}");
        assert_eq!(found.is_within(&rule()), is_steady, "{found:?}");
    }

    #[test]
    fn limits_belong_to_the_steady_side() {
        check(&[100.0; 5], (0.0, 0.0), true);
        // The range at its limit, and just beyond.
        check(&[100.0, 110.0, 100.0, 90.0, 100.0], (20.0, -8.0), true);
        check(&[100.0, 100.0, 90.0, 100.0, 110.0], (20.0, 8.0), true);
        check(&[100.0, 89.0, 111.0, 100.0, 100.0], (22.0, 4.4), false);
        // The slope at its limit, up and down, and just beyond.
        check(&[95.0, 97.5, 100.0, 102.5, 105.0], (10.0, 10.0), true);
        check(&[105.0, 102.5, 100.0, 97.5, 95.0], (10.0, -10.0), true);
        check(&[94.0, 97.0, 100.0, 103.0, 106.0], (12.0, 12.0), false);
        check(&[106.0, 103.0, 100.0, 97.0, 94.0], (12.0, -12.0), false);
    }

    #[test]
    fn nothing_is_determined_of_nothing() {
        for values in [&[][..], &[1.0], &[0.0; 5], &[f64::NAN; 5]] {
            assert_eq!(Determination::of(values), None, "{values:?}");
        }
    }
}
