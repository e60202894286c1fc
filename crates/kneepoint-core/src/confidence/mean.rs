//! A mean with its confidence interval.

use super::batch::{Batches, mean};
use super::correlation::is_rounding;
use super::student::two_sided_quantile;

/// Confidence intervals miss the true mean with this probability.
const MISS: f64 = 0.05;

/// The mean of a sequence, and how far it can be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanEstimate {
    /// Mean of all values.
    pub mean: f64,
    /// Standard error of the mean.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub freedom: u32,
    /// Half-width of the 95 % confidence interval.
    pub half_width: f64,
}

impl MeanEstimate {
    /// The mean of `values`, which are in `batches`.
    pub fn of(values: &[f64], batches: &Batches) -> Self {
        let count = batches.count() as f64;
        let centre = mean(&batches.means);
        let squares = batches.means.iter().map(|value| (value - centre) * (value - centre));
        let scatter = match squares.sum::<f64>() {
            rounding if is_rounding(rounding, centre, count) => 0.0,
            scatter => scatter,
        };
        let inflation = Batches::inflation(&batches.means);
        let standard_error = libm::sqrt(scatter * inflation / (count * (count - 1.0)));
        let freedom = batches.freedom(inflation);
        let half_width = two_sided_quantile(MISS, freedom) * standard_error;
        Self { mean: mean(values), standard_error, freedom, half_width }
    }

    /// Whether the interval is at most `accuracy` (a fraction) of the mean to either side.
    pub fn is_within(&self, accuracy: f64) -> bool {
        self.half_width <= accuracy * self.mean.abs()
    }
}
