//! The line through the batch means: whether what is measured rises or falls.

use super::batch::{Batches, mean};
use super::student::two_sided_quantile;

/// One-sided 95 % bounds are taken at this two-sided tail probability.
const BOUND_TAIL: f64 = 0.10;

/// A change as large as the observed one would come about by chance with at most this probability
/// where a trend is said to be there.
const FOUND_TAIL: f64 = 0.01;

/// How much a sequence changes from its start to its end, by least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change over the whole sequence, as a fraction of its mean; negative where it falls.
    pub change: f64,
    /// Standard error of the change, from the scatter around the line.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub freedom: u32,
}

impl Trend {
    /// The trend of a sequence in `batches`; no change where its mean is zero.
    pub fn of(batches: &Batches) -> Self {
        let means = &batches.means;
        let (count, centre) = (means.len() as f64, mean(means));
        let place = |index: usize| index as f64 - (count - 1.0) / 2.0;
        let spread = count * (count * count - 1.0) / 12.0;
        let indexed = means.iter().enumerate();
        let slope =
            indexed.clone().map(|(index, value)| place(index) * value).sum::<f64>() / spread;
        let line = |index: usize| centre + slope * place(index);
        let rest: Vec<f64> = indexed.map(|(index, value)| value - line(index)).collect();
        let scatter: f64 = rest.iter().map(|value| value * value).sum();
        let inflation = Batches::inflation(&rest);
        let slope_error = libm::sqrt(scatter / (count - 2.0) * inflation / spread);
        let relative = if centre == 0.0 { 0.0 } else { count / centre.abs() };
        Self {
            change: slope * relative,
            standard_error: slope_error * relative,
            freedom: batches.freedom(inflation) - 1,
        }
    }

    /// Whether the change is less than `limit` (a fraction) in either direction, with 95 %
    /// confidence: the observed change and the uncertainty about it together stay below.
    ///
    /// A test for the absence of a trend must put the burden of proof this way round: that no
    /// trend was found proves nothing where the scatter is large.
    pub fn is_surely_below(&self, limit: f64) -> bool {
        self.change.abs() + self.margin() <= limit
    }

    /// Whether the change exceeds `limit` with 95 % confidence.
    pub fn is_surely_above(&self, limit: f64) -> bool {
        self.change.abs() - self.margin() > limit
    }

    /// Whether there is a trend, beyond chance (1 %) and of more than `limit`.
    pub fn is_found_above(&self, limit: f64) -> bool {
        let chance = two_sided_quantile(FOUND_TAIL, self.freedom) * self.standard_error;
        self.change.abs() > limit.max(chance)
    }

    fn margin(&self) -> f64 {
        two_sided_quantile(BOUND_TAIL, self.freedom) * self.standard_error
    }
}
