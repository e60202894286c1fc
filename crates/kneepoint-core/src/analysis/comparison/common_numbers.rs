//! Simulated runs that share their random numbers, compared as pairs.
//!
//! Two simulated runs of one seed draw the same I/Os at the same virtual times, so what is by chance
//! high in the one is high in the other, and most of it cancels in the difference (common random
//! numbers; e.g. A. M. Law, "Simulation Modeling and Analysis", 2015, section 11.2). The error of the
//! ratio comes from the differences of the two, interval by interval, with the batch means of every other
//! mean.

use crate::analysis::estimate::RelativeError;
use crate::measure::confidence::{Batches, MeanEstimate};
use crate::plan::TargetKind;
use crate::result::{IntervalResult, PointResult, Quantity, RunDocument};
use crate::words::rule::Metric;

/// Share of the intervals of both points that must have their pair: the rest is not in the error.
const PAIRED_MIN: f64 = 0.95;

/// Whether two runs draw the same random numbers.
pub(super) fn are_shared(one: &RunDocument, other: &RunDocument) -> bool {
    let is_simulated = |document: &RunDocument| {
        let targets = &document.environment.targets;
        !targets.is_empty() && targets.iter().all(|target| target.kind == TargetKind::Sim)
    };
    let same_seed =
        one.plan.get("seed").is_some() && one.plan.get("seed") == other.plan.get("seed");
    same_seed && is_simulated(one) && is_simulated(other)
}

/// The standard error of the logarithm of the ratio of a number of two points that share their random
/// numbers; `None` for numbers that intervals do not add up to, and for points whose intervals are not
/// the same.
pub(super) fn paired_spread(
    one: &PointResult,
    other: &PointResult,
    quantity: Quantity,
) -> Option<RelativeError> {
    if one.repetition != other.repetition {
        return None;
    }
    let pairs = pairs(one, other);
    let most = one.intervals.len().max(other.intervals.len()) as f64;
    if (pairs.len() as f64) < PAIRED_MIN * most {
        return None;
    }
    let (left, right): (Vec<&IntervalResult>, Vec<&IntervalResult>) = pairs.into_iter().unzip();
    let (left, right) = (relative(&left, quantity)?, relative(&right, quantity)?);
    let differences: Vec<f64> = right.iter().zip(&left).map(|(right, left)| right - left).collect();
    let mean = MeanEstimate::of(&differences, &Batches::choose(&differences)?);
    Some(RelativeError { relative: mean.standard_error, dof: f64::from(mean.dof) })
}

/// The intervals of both points that cover the same virtual time.
fn pairs<'a>(
    one: &'a PointResult,
    other: &'a PointResult,
) -> Vec<(&'a IntervalResult, &'a IntervalResult)> {
    let place = |point: &PointResult, interval: &IntervalResult| {
        let end = point.ramp_s + interval.start_s + interval.length_s;
        ((end * 1e6).round() as u64, (interval.length_s * 1e6).round() as u64)
    };
    let mut others = other.intervals.iter().peekable();
    let mut pairs = Vec::new();
    for interval in &one.intervals {
        let wanted = place(one, interval);
        while others.next_if(|candidate| place(other, candidate).0 < wanted.0).is_some() {}
        if let Some(pair) = others.next_if(|candidate| place(other, candidate) == wanted) {
            pairs.push((interval, pair));
        }
    }
    pairs
}

/// By how much each interval moves the number, as a share of it.
fn relative(intervals: &[&IntervalResult], quantity: Quantity) -> Option<Vec<f64>> {
    let count = intervals.len() as f64;
    let rates: Vec<f64> = intervals.iter().map(|interval| interval.rate).collect();
    let rate_mean = rates.iter().sum::<f64>() / count;
    let shares = |values: Vec<f64>| {
        let mean = values.iter().sum::<f64>() / count;
        (mean > 0.0).then(|| values.iter().map(|value| value / mean).collect())
    };
    match quantity {
        Quantity::Iops => shares(rates),
        Quantity::Throughput => {
            shares(intervals.iter().map(|interval| interval.volume).collect::<Option<_>>()?)
        }
        Quantity::Latency(Metric::Mean) => {
            let time = |interval: &&&IntervalResult| interval.latency_mean_ms * interval.rate;
            let mean = intervals.iter().map(|interval| time(&interval)).sum::<f64>() / count;
            let latency = mean / rate_mean;
            let moved = intervals.iter().map(|interval| {
                (interval.latency_mean_ms - latency) * interval.rate / (latency * rate_mean)
            });
            (mean > 0.0).then(|| moved.collect())
        }
        Quantity::Latency(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point of 40 intervals of a second whose rates go up and down by `noise`, times `factor`.
    fn point(ramp_s: f64, factor: f64, noise: impl Fn(u32) -> f64) -> PointResult {
        let interval = |number: u32| IntervalResult {
            start_s: f64::from(number),
            length_s: 1.0,
            rate: factor * (100.0 + noise(number)),
            latency_mean_ms: 1e3 / (factor * (100.0 + noise(number))),
            ..IntervalResult::default()
        };
        PointResult { ramp_s, intervals: (0..40).map(interval).collect(), ..PointResult::default() }
    }

    /// Noise without correlation: bits of a product.
    fn noise(number: u32) -> f64 {
        f64::from((number.wrapping_mul(2_654_435_761) >> 16) % 41) - 20.0
    }

    #[test]
    fn what_both_share_cancels() {
        let (one, other) = (point(1.0, 1.0, noise), point(1.0, 1.1, noise));
        for quantity in [Quantity::Iops, Quantity::Latency(Metric::Mean)] {
            let spread = paired_spread(&one, &other, quantity).unwrap();
            assert!(spread.relative < 1e-9, "{quantity:?}: {spread:?}");
        }
        let own = |number: u32| noise(number + 1000);
        let apart = paired_spread(&one, &point(1.0, 1.1, own), Quantity::Iops).unwrap();
        assert!(apart.relative > 0.005, "{apart:?}");
        assert_eq!(paired_spread(&one, &other, Quantity::Throughput), None, "there are no bytes");
        assert_eq!(paired_spread(&one, &other, Quantity::Latency(Metric::P99)), None);
    }

    #[test]
    fn other_times_are_no_pairs() {
        let one = point(1.0, 1.0, noise);
        assert_eq!(paired_spread(&one, &point(1.5, 1.1, noise), Quantity::Iops), None);
        let mut short = point(1.0, 1.1, noise);
        short.intervals.truncate(30);
        assert_eq!(paired_spread(&one, &short, Quantity::Iops), None);
        let again = PointResult { repetition: 1, ..point(1.0, 1.1, noise) };
        assert_eq!(paired_spread(&one, &again, Quantity::Iops), None);
    }
}
