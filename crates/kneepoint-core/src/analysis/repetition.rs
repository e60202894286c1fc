//! The same load measured several times: the mean, and how it varies.

use std::collections::{BTreeMap, BTreeSet};

use super::mark::is_doubtful;
use crate::load::record::histogram::Histogram;
use crate::measure::point::percentiles;
use crate::measure::rounds::median;
use crate::result::{
    ClassResult, Latency, PercentileIntervals, PointHistograms, PointResult, Throughput,
    ThroughputUnit, Variation, Verdict,
};
use crate::words::rule::Metric;

/// The repetitions of one load as one point, and their variation; a single one stays as it is.
///
/// Rates are averaged over the repetitions (of copies of programs their median counts), response times over all
/// operations; percentiles are read
/// from the merged histograms. A confidence interval of the merged point has the mean half-width
/// divided by the root of their number. One doubtful repetition makes the merged point doubtful.
pub(super) fn merge_repetitions(points: &[&PointResult]) -> (PointResult, Option<Variation>) {
    let [first, rest @ ..] = points else { return (PointResult::default(), None) };
    if rest.is_empty() {
        return ((*first).clone(), None);
    }
    let histograms = merged_histograms(points);
    let latencies: Vec<(u64, &Latency)> =
        points.iter().map(|point| (point.operations, &point.latency_ms)).collect();
    let all = histograms.as_ref().map(|classes| {
        let counted = classes.iter().filter(|(name, _)| first.counts_class(name));
        together(counted.map(|(_, histogram)| histogram))
    });
    let mut verdicts = points.iter().map(|point| point.verdict);
    let merged = PointResult {
        operations: points.iter().map(|point| point.operations).sum(),
        rate: mean_throughput(points.iter().map(|point| point.rate), first.rate),
        volume: first
            .volume
            .map(|volume| mean_throughput(points.iter().filter_map(|point| point.volume), volume)),
        latency_ms: merged_latency(&latencies, all.as_ref()),
        classes: merged_classes(points, histograms.as_ref()),
        disturbed_percent: disturbed_percent(points),
        verdict: verdicts.find(|verdict| is_doubtful(*verdict)).unwrap_or(first.verdict),
        histograms: None,
        trends: None,
        ..(*first).clone()
    };
    let variation = variation(points, merged.rate.mean);
    (merged, Some(variation))
}

/// The mean of throughputs in the unit of `like`, each of the same weight; of ratios the median, as published
/// measurements of processors have it.
fn mean_throughput(all: impl Iterator<Item = Throughput>, like: Throughput) -> Throughput {
    let all: Vec<Throughput> = all.collect();
    let count = all.len().max(1) as f64;
    let mut means: Vec<f64> = all.iter().map(|one| one.mean).collect();
    Throughput {
        mean: match like.unit {
            ThroughputUnit::Ratio => median(&mut means),
            _ => means.iter().sum::<f64>() / count,
        },
        ci95: mean_width(all.iter().map(|one| one.ci95)),
        ..like
    }
}

/// The half-width of the mean of independent numbers with these half-widths; `None` unless all are
/// known.
fn mean_width(widths: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let widths: Vec<f64> = widths.collect::<Option<_>>()?;
    let count = widths.len().max(1) as f64;
    Some(widths.iter().sum::<f64>() / count / count.sqrt())
}

/// The response times of all operations. Without `histogram` the largest of each percentile: that of
/// all operations together is no larger.
fn merged_latency(parts: &[(u64, &Latency)], histogram: Option<&Histogram>) -> Latency {
    let operations: f64 = parts.iter().map(|(operations, _)| *operations as f64).sum();
    let largest = |metric| {
        let known: Option<Vec<f64>> = parts.iter().map(|(_, part)| part.of(metric)).collect();
        known.map(|known| known.into_iter().fold(0.0, f64::max))
    };
    let mins: Option<Vec<f64>> = parts.iter().map(|(_, part)| part.min).collect();
    let sum: f64 = parts.iter().map(|(count, part)| *count as f64 * part.mean).sum();
    let merged = Latency {
        mean: if operations > 0.0 { sum / operations } else { 0.0 },
        ci95: mean_width(parts.iter().map(|(_, part)| part.ci95)),
        min: mins.map(|mins| mins.into_iter().fold(f64::INFINITY, f64::min)),
        p50: largest(Metric::P50),
        p90: largest(Metric::P90),
        p95: largest(Metric::P95),
        p99: largest(Metric::P99),
        p99_9: largest(Metric::P999),
        p99_99: largest(Metric::P9999),
        max: parts.iter().map(|(_, part)| part.max).fold(0.0, f64::max),
        percentiles_ci95: None,
    };
    let merged = histogram.map_or(merged, |histogram| percentiles(merged, histogram));
    let percentiles_ci95 = PercentileIntervals::of(|metric| {
        let width = mean_width(parts.iter().map(|(_, part)| part.ci95_of(metric)))?;
        let middle = merged.of(metric)?;
        Some([(middle - width).max(0.0), middle + width])
    });
    Latency { percentiles_ci95, ..merged }
}

/// The classes of all repetitions.
fn merged_classes(
    points: &[&PointResult],
    histograms: Option<&BTreeMap<String, Histogram>>,
) -> BTreeMap<String, ClassResult> {
    let names: BTreeSet<&String> = points.iter().flat_map(|point| point.classes.keys()).collect();
    let merged = |name: &String| {
        let parts: Vec<&ClassResult> =
            points.iter().filter_map(|point| point.class(name)).collect();
        let latencies: Vec<(u64, &Latency)> =
            parts.iter().map(|part| (part.operations, &part.latency_ms)).collect();
        let mean = |number: &dyn Fn(&ClassResult) -> Option<f64>| {
            let numbers: Option<Vec<f64>> = parts.iter().map(|part| number(part)).collect();
            numbers.map(|numbers| numbers.iter().sum::<f64>() / points.len() as f64)
        };
        ClassResult {
            operations: parts.iter().map(|part| part.operations).sum(),
            rate: mean(&|part| Some(part.rate)).unwrap_or(0.0),
            volume: mean(&|part| part.volume),
            latency_ms: merged_latency(&latencies, histograms.and_then(|all| all.get(name))),
        }
    };
    names.into_iter().map(|name| (name.clone(), merged(name))).collect()
}

/// The response times of all repetitions by class; `None` unless every repetition has them.
fn merged_histograms(points: &[&PointResult]) -> Option<BTreeMap<String, Histogram>> {
    let mut merged: BTreeMap<String, Histogram> = BTreeMap::new();
    for point in points {
        let PointHistograms(classes) = point.histograms.as_ref()?;
        for (name, pairs) in classes {
            let histogram = Histogram::from_us_counts(pairs).ok()?;
            merged.entry(name.clone()).or_default().merge(&histogram);
        }
    }
    Some(merged)
}

fn together<'a>(histograms: impl Iterator<Item = &'a Histogram>) -> Histogram {
    let mut all = Histogram::default();
    histograms.for_each(|histogram| all.merge(histogram));
    all
}

/// The largest share of the disturbed repetitions; `None` unless all of theirs are known.
fn disturbed_percent(points: &[&PointResult]) -> Option<f64> {
    let disturbed = points.iter().filter(|point| point.verdict == Verdict::Disturbed);
    let shares: Option<Vec<f64>> = disturbed.map(|point| point.disturbed_percent).collect();
    shares?.into_iter().reduce(f64::max)
}

fn variation(points: &[&PointResult], mean: f64) -> Variation {
    let squares: f64 =
        points.iter().map(|point| (point.rate.mean - mean) * (point.rate.mean - mean)).sum();
    let deviation = (squares / (points.len() - 1) as f64).sqrt();
    let percent = |value: f64| if mean > 0.0 { 100.0 * value / mean } else { 0.0 };
    Variation {
        repetitions: points.len() as u32,
        between_percent: percent(deviation),
        within_percent: mean_known(points, |point| point.rate.ci95).map(percent),
    }
}

/// The mean of a number that every point knows.
fn mean_known(points: &[&PointResult], value: impl Fn(&PointResult) -> Option<f64>) -> Option<f64> {
    let known: Option<Vec<f64>> = points.iter().map(|point| value(point)).collect();
    known.map(|values| values.iter().sum::<f64>() / points.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::READ;
    use crate::words::units::Nanos;

    /// A repetition whose operations took these times in milliseconds.
    fn repetition(times_ms: &[u64]) -> PointResult {
        let mut histogram = Histogram::default();
        times_ms.iter().for_each(|ms| histogram.record(Nanos::from_millis(*ms), 1));
        let mean = times_ms.iter().sum::<u64>() as f64 / times_ms.len() as f64;
        let ends = |ms: Option<&u64>| ms.map_or(0.0, |ms| *ms as f64);
        let (min, max) = (ends(times_ms.iter().min()), ends(times_ms.iter().max()));
        let latency =
            percentiles(Latency { mean, min: Some(min), max, ..Latency::default() }, &histogram);
        let operations = times_ms.len() as u64;
        let class = ClassResult { operations, rate: 1.0, volume: None, latency_ms: latency };
        PointResult {
            operations,
            latency_ms: latency,
            classes: BTreeMap::from([(READ.to_owned(), class)]),
            histograms: Some(PointHistograms(BTreeMap::from([(
                READ.to_owned(),
                histogram.us_counts(),
            )]))),
            verdict: Verdict::Steady,
            ..PointResult::default()
        }
    }

    /// One repetition of 100 times has a slow tenth, the other, of 900, none: a hundredth of all is
    /// slow, while the mean of both 95th percentiles is neither.
    #[test]
    fn percentiles_are_those_of_all_operations() {
        let slow: Vec<u64> = (0..100).map(|index| if index < 10 { 500 } else { 2 }).collect();
        let (slow, fast) = (repetition(&slow), repetition(&[1; 900]));
        let (merged, _) = merge_repetitions(&[&slow, &fast]);
        for latency in [merged.latency_ms, merged.class(READ).unwrap().latency_ms] {
            assert!((latency.p50.unwrap() - 1.0).abs() < 0.01, "{latency:?}");
            assert!((latency.p95.unwrap() - 2.0).abs() < 0.01, "{latency:?}");
            assert!((latency.p99_9.unwrap() - 500.0).abs() < 1.0, "{latency:?}");
            assert!((latency.mean - (10.0 * 500.0 + 90.0 * 2.0 + 900.0) / 1000.0).abs() < 1e-9);
        }
        assert_eq!((merged.operations, merged.histograms), (1000, None));
    }

    #[test]
    fn without_histograms_percentiles_are_upper_bounds() {
        let strip = |times: &[u64]| PointResult { histograms: None, ..repetition(times) };
        let (one, other) = (strip(&[1, 1, 9]), strip(&[2, 2, 2]));
        let (merged, _) = merge_repetitions(&[&one, &other]);
        assert_eq!(merged.latency_ms.p50, other.latency_ms.p50);
        assert_eq!(merged.latency_ms.p99, one.latency_ms.p99);
    }
}
