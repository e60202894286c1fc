//! What the numbers of a run, or of several, amount to: findings with their evidence.
//!
//! A finding is data; sentences are made of it elsewhere. Each rests on a test that holds with
//! 95 % confidence for all findings of its kind together, and on no point that something disturbed.

mod between;
mod saturation;
mod series;
#[cfg(test)]
mod tests;

pub use between::between_runs;

use crate::result::{Finding, PointResult};

/// What the points of one run show: saturation of every series, then contrasts between series.
pub fn of_points(points: &[PointResult]) -> Vec<Finding> {
    let series = series::all(points);
    let saturations = series.iter().filter_map(saturation::of).map(Finding::Saturation);
    let mut findings: Vec<Finding> = saturations.collect();
    findings.extend(series::contrasts(&series).into_iter().map(Finding::Contrast));
    findings
}
