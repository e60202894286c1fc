//! The error of a mean from a model of the sequence, where batches mislead.
//!
//! Batch means take it for granted that what remains between long batches is chance. A target that
//! swings regularly, as a throttle that refills or a write cache that fills and drains, breaks that
//! both ways: batches that are shorter than a swing call the swing chance, and batches that fit it
//! by accident see no scatter at all. An autoregressive model has the swing as a swing.

use super::batch::mean;
use super::correlation::is_rounding;

/// The sequence is joined to at most this many groups: swings shorter than a group do not matter to
/// the mean.
const GROUPS_MAX: usize = 256;

/// With fewer groups there is nothing to fit.
const GROUPS_MIN: usize = 16;

/// Most coefficients.
const ORDER_MAX: usize = 20;

/// Groups for every coefficient, at the least.
const GROUPS_PER_COEFFICIENT: usize = 8;

/// A model that explains all but this share of the scatter has met a regular swing; further
/// coefficients would fit rounding.
const INNOVATION_MIN: f64 = 1e-6;

/// A sequence cannot be worth less than this many independent values, or it is no sequence whose mean
/// can be asked for; a model that says so was misled by its few values.
const INDEPENDENT_MIN: f64 = 8.0;

/// What a model says of the mean of a sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ModelError {
    /// Standard error of the mean: the root of the spectrum at frequency zero over the number of
    /// groups.
    pub(super) standard_error: f64,
    /// What a regular swing adds because the sequence begins and ends somewhere within it: standard
    /// deviation of the mean.
    pub(super) ends: f64,
}

impl ModelError {
    /// The error of the mean of `values`; `None` if there are too few, or they do not scatter.
    ///
    /// The coefficients are those of J. P. Burg ("Maximum entropy spectral analysis", 1967), their
    /// number that of the smallest corrected information criterion (C. M. Hurvich and C.-L. Tsai,
    /// "Regression and time series model selection in small samples", Biometrika 76, 1989). The
    /// spectrum at zero as the variance of a mean is P. Heidelberger and P. D. Welch, "A spectral
    /// method for confidence interval generation and run length control in simulations",
    /// Communications of the ACM 24, 1981.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let groups = groups(values);
        let count = groups.len() as f64;
        let scatter: f64 = groups.iter().map(|value| value * value).sum();
        if groups.len() < GROUPS_MIN || is_rounding(scatter, mean(values), count) {
            return None;
        }
        let spectrum = spectrum_at_zero(&groups).min(scatter / INDEPENDENT_MIN);
        let ends = libm::sqrt(2.0 * swing_variance(&groups, spectrum)) / count;
        Some(Self { standard_error: libm::sqrt(spectrum / count), ends })
    }
}

/// Deviations from the mean, joined to groups; what is left over is left out at the front.
fn groups(values: &[f64]) -> Vec<f64> {
    let size = values.len().div_ceil(GROUPS_MAX).max(1);
    let whole = &values[values.len() % size..];
    let centre = mean(whole);
    whole.chunks_exact(size).map(|group| mean(group) - centre).collect()
}

/// A model of some order, as far as it matters to the mean.
struct Fit {
    /// Scatter of what the model does not foresee, per group.
    innovation: f64,
    /// One plus the sum of the coefficients.
    gain: f64,
    /// The information criterion.
    criterion: f64,
}

/// The spectrum at frequency zero by the best model.
fn spectrum_at_zero(groups: &[f64]) -> f64 {
    let order_max = ORDER_MAX.min(groups.len() / GROUPS_PER_COEFFICIENT);
    let count = groups.len() as f64;
    let power = groups.iter().map(|value| value * value).sum::<f64>() / count;
    let (mut forward, mut backward) = (groups.to_vec(), groups.to_vec());
    let mut coefficients: Vec<f64> = Vec::new();
    let mut best = fit(power, &coefficients, count);
    let mut innovation = power;
    for order in 1..=order_max {
        let pairs = || forward[order..].iter().zip(&backward[order - 1..groups.len() - 1]);
        let products: f64 = pairs().map(|(ahead, behind)| ahead * behind).sum();
        let squares: f64 = pairs().map(|(ahead, behind)| ahead * ahead + behind * behind).sum();
        if squares <= 0.0 {
            break;
        }
        let reflection = -2.0 * products / squares;
        let previous = coefficients.clone();
        for (own, mirrored) in coefficients.iter_mut().zip(previous.iter().rev()) {
            *own += reflection * mirrored;
        }
        coefficients.push(reflection);
        for index in (order..groups.len()).rev() {
            let (ahead, behind) = (forward[index], backward[index - 1]);
            forward[index] = ahead + reflection * behind;
            backward[index] = behind + reflection * ahead;
        }
        innovation *= 1.0 - reflection * reflection;
        let next = fit(innovation, &coefficients, count);
        if next.criterion < best.criterion {
            best = next;
        }
        if innovation <= INNOVATION_MIN * power {
            break;
        }
    }
    best.innovation / (best.gain * best.gain)
}

fn fit(innovation: f64, coefficients: &[f64], count: f64) -> Fit {
    let free = coefficients.len() as f64 + 1.0;
    let penalty = 2.0 * free * count / (count - free - 1.0);
    Fit {
        innovation,
        gain: 1.0 + coefficients.iter().sum::<f64>(),
        criterion: count * libm::log(innovation.max(f64::MIN_POSITIVE)) + penalty,
    }
}

/// The variance of the regular part of the cumulative sums: what independent steps of the same
/// spectrum would add to it is taken away (a Brownian bridge around its mean has a twelfth of its
/// length).
fn swing_variance(groups: &[f64], spectrum: f64) -> f64 {
    let mut sum = 0.0;
    let sums: Vec<f64> = groups
        .iter()
        .map(|value| {
            sum += value;
            sum
        })
        .collect();
    let centre = mean(&sums);
    let variance =
        mean(&sums.iter().map(|sum| (sum - centre) * (sum - centre)).collect::<Vec<_>>());
    (variance - spectrum * groups.len() as f64 / 12.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 without a pattern.
    fn noise(index: u64) -> f64 {
        let mixed = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn independent_values_have_the_error_of_the_textbook() {
        let values: Vec<f64> = (0..4096).map(|index| 100.0 + noise(index)).collect();
        let error = ModelError::of(&values).unwrap();
        let expected = libm::sqrt(1.0 / 3.0 / 4096.0);
        assert!((error.standard_error / expected - 1.0).abs() < 0.3, "{error:?} {expected}");
    }

    #[test]
    fn memory_widens_the_error() {
        let mut level = 0.0;
        let values: Vec<f64> = (0..4096)
            .map(|index| {
                level = 0.9 * level + noise(index);
                level
            })
            .collect();
        // The sum over all lags: ten times the innovation.
        let expected = 10.0 * libm::sqrt(1.0 / 3.0 / 4096.0);
        let error = ModelError::of(&values).unwrap();
        assert!((error.standard_error / expected - 1.0).abs() < 0.4, "{error:?} {expected}");
    }

    #[test]
    fn a_regular_swing_adds_little_but_its_ends() {
        let swing = |index: u32| 100.0 + libm::sin(f64::from(index) * 0.37);
        let values: Vec<f64> = (0..256).map(swing).collect();
        let error = ModelError::of(&values).unwrap();
        // Cumulative sums of the swing have a standard deviation of 1 / 0.37 / sqrt(2).
        let expected = libm::sqrt(2.0) / 0.37 / libm::sqrt(2.0) / 256.0;
        assert!(error.standard_error < 0.2 * expected, "{error:?} {expected}");
        assert!((error.ends / expected - 1.0).abs() < 0.2, "{error:?} {expected}");
    }

    #[test]
    fn few_values_and_constant_ones_have_no_model() {
        assert_eq!(ModelError::of(&[1.0, 2.0, 3.0]), None);
        assert_eq!(ModelError::of(&[5.0; 100]), None);
    }
}
