//! The same load measured several times: the mean, and how it varies.

use super::mark::is_doubtful;
use crate::result::{Estimate, Latency, PointResult, Variation, Verdict};

/// The repetitions of one load as one point, and their variation; a single one stays as it is.
///
/// Rates, response times and percentiles are averaged over the repetitions; a confidence interval
/// of the merged point has the mean half-width divided by the root of their number. One doubtful
/// repetition makes the merged point doubtful.
pub(super) fn merge_repetitions(points: &[&PointResult]) -> (PointResult, Option<Variation>) {
    let [first, rest @ ..] = points else { return (PointResult::default(), None) };
    if rest.is_empty() {
        return ((*first).clone(), None);
    }
    let mean = |value: &dyn Fn(&PointResult) -> f64| {
        points.iter().map(|point| value(point)).sum::<f64>() / points.len() as f64
    };
    let root = (points.len() as f64).sqrt();
    let estimate = |get: &dyn Fn(&PointResult) -> Estimate| Estimate {
        mean: mean(&|point| get(point).mean),
        ci95: mean_known(points, |point| get(point).ci95).map(|width| width / root),
    };
    let latency = Latency {
        mean: mean(&|point| point.latency_ms.mean),
        ci95: mean_known(points, |point| point.latency_ms.ci95).map(|width| width / root),
        min: mean(&|point| point.latency_ms.min),
        p50: mean(&|point| point.latency_ms.p50),
        p90: mean(&|point| point.latency_ms.p90),
        p95: mean(&|point| point.latency_ms.p95),
        p99: mean(&|point| point.latency_ms.p99),
        p99_9: mean(&|point| point.latency_ms.p99_9),
        p99_99: mean(&|point| point.latency_ms.p99_99),
        max: points.iter().map(|point| point.latency_ms.max).fold(0.0, f64::max),
    };
    let mut verdicts = points.iter().map(|point| point.verdict);
    let merged = PointResult {
        iops: estimate(&|point| point.iops),
        throughput_mib_s: estimate(&|point| point.throughput_mib_s),
        latency_ms: latency,
        disturbed_percent: disturbed_percent(points),
        verdict: verdicts.find(|verdict| is_doubtful(*verdict)).unwrap_or(first.verdict),
        ..(*first).clone()
    };
    let variation = variation(points, merged.iops.mean);
    (merged, Some(variation))
}

/// The largest share of the disturbed repetitions; `None` unless all of theirs are known.
fn disturbed_percent(points: &[&PointResult]) -> Option<f64> {
    let disturbed = points.iter().filter(|point| point.verdict == Verdict::Disturbed);
    let shares: Option<Vec<f64>> = disturbed.map(|point| point.disturbed_percent).collect();
    shares?.into_iter().reduce(f64::max)
}

fn variation(points: &[&PointResult], mean: f64) -> Variation {
    let squares: f64 =
        points.iter().map(|point| (point.iops.mean - mean) * (point.iops.mean - mean)).sum();
    let deviation = (squares / (points.len() - 1) as f64).sqrt();
    let percent = |value: f64| if mean > 0.0 { 100.0 * value / mean } else { 0.0 };
    Variation {
        repetitions: points.len() as u32,
        between_percent: percent(deviation),
        within_percent: mean_known(points, |point| point.iops.ci95).map(percent),
    }
}

/// The mean of a number that every point knows.
fn mean_known(points: &[&PointResult], value: impl Fn(&PointResult) -> Option<f64>) -> Option<f64> {
    let known: Option<Vec<f64>> = points.iter().map(|point| value(point)).collect();
    known.map(|values| values.iter().sum::<f64>() / points.len() as f64)
}
