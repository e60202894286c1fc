//! Confidence intervals of percentiles, from order statistics.
//!
//! The true percentile lies between two of the response times that were measured: those whose ranks
//! are as far from that of the percentile as the share of operations beyond it can be off. For
//! independent response times that share is binomial (e.g. W. J. Conover, "Practical Nonparametric
//! Statistics", 1999, section 3.2); response times of neighbours are not, so its error comes from the
//! intervals of the point, by the same batch means as that of every other mean.

use super::batch::Batches;
use super::mean::MeanEstimate;
use crate::load::record::bucket::bucket_of;
use crate::load::record::histogram::Histogram;
use crate::load::record::interval::IntervalRecord;
use crate::words::units::Nanos;

/// Operations that must lie beyond a percentile for its interval to be known: with fewer, the share of
/// them is far from normally distributed.
const BEYOND_MIN: f64 = 20.0;

/// The 95 % confidence interval of a percentile of the response times of `classes` in `records`, which
/// `histogram` has all of; `None` if too few operations lie beyond it, or in too few intervals.
pub fn percentile_interval(
    percent: f64,
    (records, classes): (&[IntervalRecord], &[usize]),
    histogram: &Histogram,
) -> Option<[Nanos; 2]> {
    let share = percent / 100.0;
    let operations = histogram.total() as f64;
    if operations * share.min(1.0 - share) < BEYOND_MIN {
        return None;
    }
    let middle = bucket_of(histogram.percentile(percent)?.0);
    let values = shares_beyond(middle, (records, classes));
    let error = MeanEstimate::of(&values, &Batches::choose(&values)?).half_width;
    let ends = [share - error, share + error];
    if ends[0] <= 0.0 || ends[1] >= 1.0 {
        return None;
    }
    let [low, high] = ends.map(|share| histogram.percentile(100.0 * share));
    Some([low?, high?])
}

/// The share of operations beyond `middle`, interval by interval: each as far from the mean of all as
/// its operations move it.
fn shares_beyond(middle: usize, (records, classes): (&[IntervalRecord], &[usize])) -> Vec<f64> {
    let counts: Vec<(f64, f64)> = records
        .iter()
        .map(|record| {
            let of_classes = classes.iter().filter_map(|class| record.histograms.get(*class));
            let (mut beyond, mut all) = (0.0, 0.0);
            for (bucket, count) in of_classes.flatten() {
                all += f64::from(*count);
                if usize::from(*bucket) > middle {
                    beyond += f64::from(*count);
                }
            }
            (beyond, all)
        })
        .collect();
    let sum = |part: fn(&(f64, f64)) -> f64| counts.iter().map(part).sum::<f64>();
    let (beyond, all) = (sum(|(beyond, _)| *beyond), sum(|(_, all)| *all));
    let (share, mean) = (beyond / all, all / counts.len() as f64);
    counts.iter().map(|(beyond, all)| share + (beyond - share * all) / mean).collect()
}
