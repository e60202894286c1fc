//! Copies of one kind as numbers with their errors.

use crate::measure::confidence::two_sided_quantile;
use crate::result::{CopyRates, CopyResult, CopySummary, Estimate, Warning};
use crate::words::units::Bytes;

/// Confidence intervals miss the true mean with this probability.
const ALPHA: f64 = 0.05;

/// The copies of a run by kind: target by target as first made, then by cache and method.
pub fn summarize_copies(copies: &[CopyResult]) -> Vec<CopySummary> {
    let place = |target: &str| copies.iter().position(|copy| copy.target == target);
    let kind = |copy: &&CopyResult| (place(&copy.target), copy.cache, copy.method);
    let mut sorted: Vec<&CopyResult> = copies.iter().collect();
    sorted.sort_by_cached_key(kind);
    sorted.chunk_by(|a, b| kind(a) == kind(b)).map(summary).collect()
}

/// Copies of one kind, at least one.
fn summary(copies: &[&CopyResult]) -> CopySummary {
    let first = copies[0];
    let complete: Vec<(f64, &CopyResult)> = copies
        .iter()
        .filter_map(|copy| copy.elapsed_s.filter(|elapsed| *elapsed > 0.0).map(|s| (s, *copy)))
        .collect();
    let mut warnings: Vec<Warning> = Vec::new();
    for warning in copies.iter().flat_map(|copy| &copy.warnings) {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    CopySummary {
        target: first.target.clone(),
        method: first.method,
        cache: first.cache,
        copies: complete.len() as u32,
        rates: (!complete.is_empty()).then(|| rates(&complete)),
        error: copies.iter().find_map(|copy| copy.error.clone()),
        warnings,
    }
}

fn rates(complete: &[(f64, &CopyResult)]) -> CopyRates {
    let values = |rate: &dyn Fn(f64, &CopyResult) -> f64| -> Vec<f64> {
        complete.iter().map(|(elapsed, copy)| rate(*elapsed, copy)).collect()
    };
    let mut throughputs = values(&|elapsed, copy| Bytes(copy.bytes).as_mib_f64() / elapsed);
    CopyRates {
        elapsed_s: estimate(&values(&|elapsed, _| elapsed)),
        throughput_mib_s: estimate(&throughputs),
        throughput_mib_s_median: median(&mut throughputs),
        files_per_s: estimate(&values(&|elapsed, copy| f64::from(copy.files) / elapsed)),
    }
}

/// The mean of independent values with its confidence interval; one value has none.
fn estimate(values: &[f64]) -> Estimate {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let dof = values.len().saturating_sub(1) as u32;
    let ci95 = (dof > 0).then(|| {
        let error = libm::sqrt(squares / (f64::from(dof) * count));
        two_sided_quantile(ALPHA, dof) * error
    });
    Estimate { mean, ci95 }
}

/// The middle value, or the mean of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let upper = values.len() / 2;
    match values.len() % 2 {
        0 => values[upper - 1].midpoint(values[upper]),
        _ => values[upper],
    }
}
