//! A mean with its confidence interval.

use super::autoregression::ModelError;
use super::batch::{Batches, mean};
use super::correlation::is_rounding;
use super::student::two_sided_quantile;

/// Confidence intervals miss the true mean with this probability.
const ALPHA: f64 = 0.05;

/// The mean of a sequence, and how far it can be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanEstimate {
    /// Mean of all values.
    pub mean: f64,
    /// Standard error of the mean.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub dof: u32,
    /// Half-width of the 95 % confidence interval.
    pub half_width: f64,
}

impl MeanEstimate {
    /// The mean of `values`, which are in `batches`.
    ///
    /// The error is that of the batch means. A model of the sequence replaces it if it is larger,
    /// because batches that are in step with a swing do not see it, and if it is less than half as
    /// large, because batches shorter than a swing take it for chance: then as far as the swing is
    /// regular, only the places in it at which the sequence begins and ends count.
    pub fn of(values: &[f64], batches: &Batches) -> Self {
        let plain = Self::of_batches(values, batches);
        let Some(model) = ModelError::of(values) else { return plain };
        let error = if model.standard_error > plain.standard_error {
            model.standard_error
        } else if model.standard_error < plain.standard_error / 2.0 {
            model.standard_error.max(model.ends).min(plain.standard_error)
        } else {
            plain.standard_error
        };
        let half_width = two_sided_quantile(ALPHA, plain.dof) * error;
        Self { standard_error: error, half_width, ..plain }
    }

    /// The mean of `values` by their `batches` alone.
    pub(super) fn of_batches(values: &[f64], batches: &Batches) -> Self {
        let count = batches.count() as f64;
        let centre = mean(&batches.means);
        let squares = batches.means.iter().map(|value| (value - centre) * (value - centre));
        let scatter = match squares.sum::<f64>() {
            rounding if is_rounding(rounding, centre, count) => 0.0,
            scatter => scatter,
        };
        let inflation = Batches::inflation(&batches.means);
        let standard_error = libm::sqrt(scatter * inflation / (count * (count - 1.0)));
        let dof = batches.dof(inflation);
        let half_width = two_sided_quantile(ALPHA, dof) * standard_error;
        Self { mean: mean(values), standard_error, dof, half_width }
    }

    /// The mean of a quantity that is a constant over this one, with the same relative error.
    #[must_use]
    pub(super) fn reciprocal(self, mean: f64) -> Self {
        let factor = if self.mean == 0.0 { 0.0 } else { mean / self.mean };
        Self {
            mean,
            standard_error: self.standard_error * factor,
            half_width: self.half_width * factor,
            ..self
        }
    }

    /// Whether the interval is at most `accuracy` (a fraction) of the mean to either side.
    pub fn is_within(&self, accuracy: f64) -> bool {
        self.half_width <= accuracy * self.mean.abs()
    }
}
