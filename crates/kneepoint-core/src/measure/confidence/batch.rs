//! Intervals joined to batches whose means can be taken for independent.

use super::correlation::{correlation, variance_inflation};

/// Fewest batches, as long as there are intervals for them; with fewer, quantiles of Student's t
/// distribution are large and the estimate of the correlation is worth little.
pub const BATCHES_MIN: usize = 16;

/// Most batches: more would make the interval no narrower (B. Schmeiser, "Batch size effects in
/// the analysis of simulation output", Operations Research 30, 1982).
const BATCHES_MAX: usize = 64;

/// The test of independence is made with at least this many batches; with fewer it sees nothing.
const TESTED_BATCHES_MIN: usize = 2 * BATCHES_MIN;

/// Independent means are joined by this many again: the test overlooks weak correlation, and what
/// it can overlook among short batches is gone among long ones (A. M. Law and J. S. Carson, "A
/// sequential procedure for determining the length of a steady-state simulation", Operations
/// Research 27, 1979, test 400 batches and use 40).
const SAFETY: usize = 4;

/// Correlation above this score counts as found: the upper 10 % of the normal distribution.
const SCORE_MAX: f64 = 1.2816;

/// Whether the test of independence was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Independence {
    /// Batches of at most the size in use passed the test.
    Passed,
    /// No batch size that leaves enough batches passes; the correlation is corrected for, but the
    /// measurement is short against the time over which the system remembers.
    Open,
}

/// A sequence in batches of equal size.
#[derive(Debug, Clone, PartialEq)]
pub struct Batches {
    /// Mean of each batch, oldest first.
    pub means: Vec<f64>,
    /// Values in each batch.
    pub size: usize,
    /// Whether neighbours were found to be independent.
    pub independence: Independence,
}

impl Batches {
    /// Batches of `values`, of a size chosen by the correlation of their means; `None` for fewer
    /// values than [`BATCHES_MIN`].
    pub fn choose(values: &[f64]) -> Option<Self> {
        let size_max = values.len() / BATCHES_MIN;
        if size_max == 0 {
            return None;
        }
        let (wanted, independence) = match independent_size(values) {
            Some(size) => (size * SAFETY, Independence::Passed),
            None => (size_max, Independence::Open),
        };
        let size = wanted.max(values.len() / BATCHES_MAX).min(size_max);
        Some(Self { means: batch_means(values, size), size, independence })
    }

    /// Number of batches.
    pub const fn count(&self) -> usize {
        self.means.len()
    }

    /// Degrees of freedom that are left of `count` batches after the variance was raised by
    /// `inflation`; at least 2.
    pub(super) fn dof(&self, inflation: f64) -> u32 {
        ((self.count() as f64 / inflation) as u32).saturating_sub(1).max(2)
    }

    /// By how much correlation among `values`, one per batch, raises the variance of their mean.
    pub(super) fn inflation(values: &[f64]) -> f64 {
        variance_inflation(values)
    }
}

/// The smallest tried size at which neighbouring batch means pass for independent.
fn independent_size(values: &[f64]) -> Option<usize> {
    let mut size = 1;
    while values.len() / size >= TESTED_BATCHES_MIN {
        if correlation(&batch_means(values, size)).score < SCORE_MAX {
            return Some(size);
        }
        size = (size * 3).div_ceil(2).max(size + 1);
    }
    None
}

/// Means of as many whole batches as there are; what is left over is left out at the front, where
/// a rest of the warm-up would be.
fn batch_means(values: &[f64], size: usize) -> Vec<f64> {
    values[values.len() % size..].chunks_exact(size).map(mean).collect()
}

/// Arithmetic mean; zero for nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        count => values.iter().sum::<f64>() / count as f64,
    }
}
