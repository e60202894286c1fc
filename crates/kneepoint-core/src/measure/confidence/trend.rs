//! The line through the batch means: whether what is measured rises or falls.

use super::batch::{Batches, mean};
use super::student::two_sided_quantile;

/// One-sided bounds hold with 95 % confidence, and a little more because a point is looked at
/// several times: both tails together.
const BOUND_TAIL: f64 = 0.08;

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
    pub dof: u32,
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
            dof: batches.dof(inflation) - 1,
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
        let chance = two_sided_quantile(FOUND_TAIL, self.dof) * self.standard_error;
        self.change.abs() > limit.max(chance)
    }

    fn margin(&self) -> f64 {
        two_sided_quantile(BOUND_TAIL, self.dof) * self.standard_error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 256 values around 100 that rise by `change` in all, with a scatter of `scatter`.
    fn trend_of(change: f64, scatter: f64) -> Trend {
        let value = |index: u32| {
            let noise = f64::from(index.wrapping_mul(2_654_435_761) >> 16) / 32_768.0 - 1.0;
            100.0 + change * (f64::from(index) / 256.0 - 0.5) + scatter * noise
        };
        let values: Vec<f64> = (0..256).map(value).collect();
        Trend::of(&Batches::choose(&values).unwrap())
    }

    #[test]
    fn a_clear_trend_is_measured_and_found() {
        let trend = trend_of(10.0, 1.0);
        assert!((trend.change - 0.1).abs() < 0.01, "{trend:?}");
        assert!(trend.is_found_above(0.05) && trend.is_surely_above(0.05));
        assert!(!trend.is_surely_below(0.1));
        assert!(trend.is_surely_below(0.15));
    }

    #[test]
    fn scatter_proves_neither_a_trend_nor_its_absence() {
        let trend = trend_of(0.0, 60.0);
        assert!(!trend.is_found_above(0.05));
        assert!(!trend.is_surely_below(0.1), "{trend:?}");
        assert!(trend_of(0.0, 1.0).is_surely_below(0.1));
    }

    #[test]
    fn what_never_changes_has_no_trend() {
        let trend = trend_of(0.0, 0.0);
        assert_eq!(trend.change, 0.0);
        assert!(trend.is_surely_below(0.01));
    }
}
