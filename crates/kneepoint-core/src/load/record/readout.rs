//! Percentiles of neighbouring intervals together.

use crate::load::record::bucket::{BUCKETS, bucket_of, bucket_top};
use crate::load::record::histogram::rank;
use crate::load::record::interval::IntervalRecord;
use crate::load::record::tally::Tally;
use crate::words::units::Nanos;

/// Median and 99th percentile of a set of response times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantiles {
    /// Median.
    pub p50: Nanos,
    /// 99th percentile.
    pub p99: Nanos,
}

/// Adds up counts of intervals, again and again in the same place: a point of an hour has thousands
/// of slices, and each of them uses few of the buckets.
#[derive(Debug)]
pub struct Readout {
    counts: Vec<u64>,
}

impl Default for Readout {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS] }
    }
}

impl Readout {
    /// The quantiles of what `records` counted in `directions`, whose sum is `tally`; `None` where
    /// nothing completed. They never leave the range of the exact response times.
    pub fn quantiles(
        &mut self,
        records: &[IntervalRecord],
        classes: &[usize],
        tally: &Tally,
    ) -> Option<Quantiles> {
        if tally.operations == 0 {
            return None;
        }
        let histograms = classes
            .iter()
            .flat_map(|class| records.iter().map(|record| &record.histograms[*class]));
        for (bucket, count) in histograms.flatten() {
            self.counts[usize::from(*bucket)] += u64::from(*count);
        }
        let used = bucket_of(tally.latency_min.0)..bucket_of(tally.latency_max.0) + 1;
        let at = |percent| {
            let wanted = rank(percent, tally.operations);
            let mut seen = 0;
            let mut buckets = used.clone();
            let found = buckets.find(|bucket| {
                seen += self.counts[*bucket];
                seen >= wanted
            });
            let top = found.map_or(tally.latency_max, |bucket| Nanos(bucket_top(bucket)));
            top.clamp(tally.latency_min, tally.latency_max)
        };
        let quantiles = Quantiles { p50: at(50.0), p99: at(99.0) };
        self.counts[used].fill(0);
        Some(quantiles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::backend::Direction;
    use crate::load::record::histogram::Histogram;
    use crate::load::record::recorder::{Completed, Recorder};

    /// An interval of reads and writes with the given response times.
    fn interval(
        recorder: &mut Recorder,
        nanos: impl Iterator<Item = (Direction, u64)>,
    ) -> IntervalRecord {
        for (direction, nanos) in nanos {
            let latency = Nanos(nanos);
            recorder.complete(Completed {
                target: 0,
                class: direction.index(),
                bytes: 4096,
                latency,
                lag: Nanos::ZERO,
            });
        }
        recorder.close()
    }

    #[test]
    fn quantiles_are_those_of_the_merged_histogram() {
        let mut recorder = Recorder::new(0..1, 2);
        let reads = (1..=1000).map(|number| (Direction::Read, number * 1_000));
        let writes = (1..=100).map(|number| (Direction::Write, number * 50_000));
        let records = [
            interval(&mut recorder, reads),
            interval(&mut recorder, writes),
            interval(&mut recorder, std::iter::empty()),
        ];
        let mut readout = Readout::default();
        // Twice: nothing is left over from the first time.
        for directions in [&[0, 1][..], &[0], &[1], &[0, 1]] {
            let (mut histogram, mut tally) = (Histogram::default(), Tally::EMPTY);
            for (record, direction) in
                records.iter().flat_map(|record| directions.iter().map(move |d| (record, *d)))
            {
                record.add_histogram(direction, &mut histogram);
                tally.merge(&record.classes[direction]);
            }
            let clamped = |percent| {
                let value = histogram.percentile(percent).unwrap();
                value.clamp(tally.latency_min, tally.latency_max)
            };
            let expected = Quantiles { p50: clamped(50.0), p99: clamped(99.0) };
            assert_eq!(readout.quantiles(&records, directions, &tally), Some(expected));
        }
        assert_eq!(readout.quantiles(&records[2..], &[0, 1], &Tally::EMPTY), None);
    }
}
