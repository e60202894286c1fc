//! Numbers over the intervals of a point: mean, standard deviation and extremes.

/// Values that were sampled over time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Levels {
    /// How many.
    pub(super) count: u64,
    /// Their mean; 0 of none, as the others.
    pub(super) mean: f64,
    /// Their standard deviation, that of a sample.
    pub(super) deviation: f64,
    /// The smallest.
    pub(super) min: f64,
    /// The largest.
    pub(super) max: f64,
}

impl Levels {
    /// Those of `values`.
    pub(super) fn of(values: &[f64]) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = if values.len() > 1 { libm::sqrt(squares / (count - 1.0)) } else { 0.0 };
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(0.0, f64::max);
        Self { count: values.len() as u64, mean, deviation, min, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_nothing_are_zero() {
        assert_eq!(Levels::of(&[]), Levels::default());
        let one = Levels::of(&[4.0]);
        assert_eq!((one.count, one.mean, one.deviation, one.min, one.max), (1, 4.0, 0.0, 4.0, 4.0));
        let two = Levels::of(&[1.0, 3.0]);
        assert_eq!((two.mean, two.min, two.max), (2.0, 1.0, 3.0));
        assert!((two.deviation - libm::sqrt(2.0)).abs() < 1e-12);
    }
}
