//! How far predictions are from what was published.

/// Predictions that differ by at most this from the published number are close, in percent.
pub const CLOSE_PERCENT: f64 = 10.0;

/// Errors of a set of cells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score {
    /// Cells that were predicted.
    pub cells: usize,
    /// Mean of the absolute errors, percent.
    pub mean_abs_error_percent: f64,
    /// Their median, percent.
    pub median_abs_error_percent: f64,
    /// Share of cells with an absolute error of at most [`CLOSE_PERCENT`], percent.
    pub within_10_percent: f64,
    /// The largest absolute error, percent.
    pub max_abs_error_percent: f64,
}

impl Score {
    /// The score of signed errors in percent; all zero where there are none.
    pub fn of(errors_percent: impl IntoIterator<Item = f64>) -> Self {
        let mut sizes: Vec<f64> = errors_percent.into_iter().map(f64::abs).collect();
        sizes.sort_by(f64::total_cmp);
        let count = sizes.len();
        let Some(max) = sizes.last().copied() else { return Self::default() };
        let close = sizes.iter().filter(|size| **size <= CLOSE_PERCENT).count();
        Self {
            cells: count,
            mean_abs_error_percent: sizes.iter().sum::<f64>() / count as f64,
            median_abs_error_percent: (sizes[(count - 1) / 2] + sizes[count / 2]) / 2.0,
            within_10_percent: 100.0 * close as f64 / count as f64,
            max_abs_error_percent: max,
        }
    }
}

/// The error of a prediction in percent of the published number; positive where it is too high.
pub fn error_percent(predicted: f64, published: f64) -> f64 {
    100.0 * (predicted / published - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_few_errors() {
        let score = Score::of([-4.0, 2.0, 20.0, -10.0]);
        assert_eq!(score.cells, 4);
        assert_eq!(score.mean_abs_error_percent, 9.0);
        assert_eq!(score.median_abs_error_percent, 7.0);
        assert_eq!(score.within_10_percent, 75.0);
        assert_eq!(score.max_abs_error_percent, 20.0);
        assert_eq!(Score::of([3.0]).median_abs_error_percent, 3.0);
        assert_eq!(Score::of([]), Score::default());
        assert_eq!(error_percent(110.0, 100.0).round(), 10.0);
    }
}
