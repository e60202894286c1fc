//! Response-time histograms: mergeable, three significant digits, no clipping.
//!
//! The layout is that of HdrHistogram with a lowest value of 1 ns and 3 significant digits: below
//! 2,048 ns every nanosecond has a bucket, above that every octave has 1,024 buckets, so a bucket
//! is never wider than 0.1 % of its values. Every value of 64 bits has its bucket: none is clipped.

use super::interval::{IntervalRecord, Tally};
use crate::words::fault::Fault;
use crate::words::units::Nanos;

/// First byte of an encoded histogram: the version of the encoding.
const ENCODING: u8 = 1;

/// How many values fell into each bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], total: 0 }
    }
}

impl Histogram {
    /// Values counted.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Counts `count` values of `latency`.
    pub fn record(&mut self, latency: Nanos, count: u64) {
        self.add_bucket(bucket_of(latency.0), count);
    }

    /// Adds `count` values to a bucket.
    ///
    /// # Panics
    /// When the bucket does not exist.
    pub fn add_bucket(&mut self, bucket: usize, count: u64) {
        self.counts[bucket] += count;
        self.total += count;
    }

    /// Adds all values of `other`.
    pub fn merge(&mut self, other: &Self) {
        other.buckets().for_each(|(bucket, count)| self.add_bucket(bucket, count));
    }

    /// Buckets that are not empty, with their counts, in rising order.
    pub fn buckets(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.counts.iter().copied().enumerate().filter(|(_, count)| *count > 0)
    }

    /// The smallest response time that at least `percent` % of the values do not exceed, to
    /// three significant digits (the top of its bucket); `None` where nothing was counted.
    pub fn percentile(&self, percent: f64) -> Option<Nanos> {
        let wanted = rank(percent, self.total);
        let mut seen = 0;
        self.buckets().find_map(|(bucket, count)| {
            seen += count;
            (seen >= wanted).then(|| Nanos(bucket_top(bucket)))
        })
    }

    /// Pairs of response time in microseconds (the top of a bucket) and count, rising.
    pub fn us_counts(&self) -> Vec<(f64, u64)> {
        self.buckets().map(|(bucket, count)| (us_top(bucket), count)).collect()
    }

    /// Reads what [`Self::us_counts`] gave.
    ///
    /// # Errors
    /// When a response time is not finite or below zero, or the counts exceed 64 bits.
    pub fn from_us_counts(pairs: &[(f64, u64)]) -> Result<Self, Fault> {
        let mut histogram = Self::default();
        for (us, count) in pairs {
            if !us.is_finite() || *us < 0.0 {
                return Err(Fault::new(format!("a histogram has the response time {us} us")));
            }
            if histogram.total.checked_add(*count).is_none() {
                return Err(Fault::new("a histogram counts more I/Os than there can be"));
            }
            histogram.add_bucket(bucket_of_us(*us), *count);
        }
        Ok(histogram)
    }

    /// A compact form for storage: version byte, then pairs of LEB128 numbers (distance from the
    /// last bucket that was not empty, count).
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![ENCODING];
        let mut last = 0;
        for (bucket, count) in self.buckets() {
            push_leb128(&mut bytes, (bucket - last) as u64);
            push_leb128(&mut bytes, count);
            last = bucket;
        }
        bytes
    }

    /// Reads what [`Self::encode`] wrote.
    ///
    /// # Errors
    /// When the bytes are not an encoded histogram.
    pub fn decode(bytes: &[u8]) -> Result<Self, Fault> {
        let damaged = || Fault::new("a stored histogram is damaged");
        let (version, mut rest) = bytes.split_first().ok_or_else(damaged)?;
        if *version != ENCODING {
            return Err(Fault::new(format!(
                "a stored histogram has the unknown version {version}"
            )));
        }
        let mut histogram = Self::default();
        let mut bucket = 0usize;
        while !rest.is_empty() {
            let distance = take_leb128(&mut rest).ok_or_else(damaged)?;
            let count = take_leb128(&mut rest).ok_or_else(damaged)?;
            bucket = usize::try_from(distance)
                .ok()
                .and_then(|distance| bucket.checked_add(distance))
                .filter(|bucket| *bucket < BUCKETS)
                .ok_or_else(damaged)?;
            histogram.total.checked_add(count).ok_or_else(damaged)?;
            histogram.add_bucket(bucket, count);
        }
        Ok(histogram)
    }
}

/// The bucket of a response time in microseconds.
fn bucket_of_us(us: f64) -> usize {
    let bucket = bucket_of((us * 1e3).round() as u64);
    // The top of a bucket beyond 2^53 ns is rounded up to the next one.
    match bucket.checked_sub(1) {
        Some(below) if us <= us_top(below) => below,
        _ => bucket,
    }
}

/// The top of a bucket in microseconds.
fn us_top(bucket: usize) -> f64 {
    bucket_top(bucket) as f64 / 1e3
}

/// How many of `total` values make up `percent` %, at least one. A product that exceeds a whole
/// number by a rounding error only is that number.
pub(super) fn rank(percent: f64, total: u64) -> u64 {
    let exact = percent * total as f64 / 100.0;
    ((exact * (1.0 - 1e-12)).ceil() as u64).clamp(1, total.max(1))
}

/// Appends a number, seven bits a byte, lowest first.
fn push_leb128(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Takes a number off the front; `None` where the bytes end early or it exceeds 64 bits.
fn take_leb128(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Buckets per octave.
const PER_OCTAVE: u32 = 1024;
/// log2 of [`PER_OCTAVE`].
const OCTAVE_BITS: u32 = 10;

/// Number of buckets; their numbers fit into 16 bits.
pub const BUCKETS: usize = ((u64::BITS - OCTAVE_BITS + 1) * PER_OCTAVE) as usize;
const _: () = assert!(BUCKETS <= 1 << u16::BITS);

/// The bucket of a response time in nanoseconds.
#[inline]
pub fn bucket_of(nanos: u64) -> usize {
    let octave = 63 - OCTAVE_BITS - (nanos | (2 * u64::from(PER_OCTAVE) - 1)).leading_zeros();
    (octave * PER_OCTAVE) as usize + (nanos >> octave) as usize
}

/// The largest response time in nanoseconds that falls into a bucket.
pub fn bucket_top(bucket: usize) -> u64 {
    let per_octave = PER_OCTAVE as usize;
    if bucket < 2 * per_octave {
        return bucket as u64;
    }
    let octave = bucket / per_octave - 1;
    let mantissa = (bucket - octave * per_octave) as u64;
    (mantissa << octave) | ((1 << octave) - 1)
}

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
    use proptest::prelude::*;

    use super::*;
    use crate::load::backend::Direction;
    use crate::load::record::recorder::{Completed, Recorder};

    fn histogram_of(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for value in values {
            histogram.record(Nanos(*value), 1);
        }
        histogram
    }

    #[test]
    fn an_empty_histogram_has_no_percentiles() {
        assert_eq!(Histogram::default().percentile(50.0), None);
    }

    #[test]
    fn percentiles_are_ranks() {
        let histogram = histogram_of(&(1..=1000).collect::<Vec<_>>());
        let check = |percent, nanos| assert_eq!(histogram.percentile(percent), Some(Nanos(nanos)));
        check(50.0, 500);
        check(99.0, 990);
        check(99.9, 999);
        check(100.0, 1000);
        check(0.001, 1);
    }

    #[test]
    fn hours_and_years_are_told_apart() {
        let hour = 3_600_000_000_000;
        let histogram = histogram_of(&[hour, 2 * hour, 24 * hour, 24 * 365 * hour, u64::MAX]);
        for (percent, nanos) in [(20.0, hour), (40.0, 2 * hour), (80.0, 24 * 365 * hour)] {
            let found = histogram.percentile(percent).unwrap().0;
            assert!((nanos..=nanos + nanos / 1000).contains(&found), "{percent} {found}");
        }
        assert_eq!(histogram.percentile(100.0), Some(Nanos::MAX));
        for bucket in 0..BUCKETS {
            assert_eq!(bucket_of_us(us_top(bucket)), bucket);
        }
    }

    #[test]
    fn a_histogram_that_was_stored_with_fewer_buckets_is_read() {
        // 1 ns, and the bucket that once was the last one.
        let histogram = Histogram::decode(&[1, 1, 1, 0xfe, 0x87, 2, 3]).unwrap();
        assert_eq!(histogram.percentile(100.0), Some(Nanos((1 << 42) - 1)));
        assert_eq!(histogram.total(), 4);
    }

    fn latencies() -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(prop_oneof![0..5_000u64, 0..1u64 << 42, any::<u64>()], 0..200)
    }

    proptest! {
        #[test]
        fn merging_is_recording_together(left in latencies(), right in latencies()) {
            let mut merged = histogram_of(&left);
            merged.merge(&histogram_of(&right));
            let together: Vec<u64> = left.iter().chain(&right).copied().collect();
            prop_assert_eq!(&merged, &histogram_of(&together));
            let mut other_way = histogram_of(&right);
            other_way.merge(&histogram_of(&left));
            prop_assert_eq!(merged, other_way);
        }

        #[test]
        fn encoding_loses_nothing(values in latencies()) {
            let histogram = histogram_of(&values);
            prop_assert_eq!(&Histogram::decode(&histogram.encode()).unwrap(), &histogram);
            prop_assert_eq!(Histogram::from_us_counts(&histogram.us_counts()).unwrap(), histogram);
        }

        #[test]
        fn decoding_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Histogram::decode(&bytes);
        }

        #[test]
        fn percentiles_agree_with_the_reference_implementation(
            values in prop::collection::vec(1..1u64 << 41, 1..300),
            percent in prop::sample::select(vec![50.0, 90.0, 99.0, 99.9, 99.99, 100.0]),
        ) {
            let mut reference = hdrhistogram::Histogram::<u64>::new_with_bounds(1, 1 << 42, 3).unwrap();
            for value in &values {
                reference.record(*value).unwrap();
            }
            let ours = histogram_of(&values).percentile(percent).unwrap().0;
            prop_assert_eq!(reference.lowest_equivalent(ours), reference.lowest_equivalent(reference.value_at_quantile(percent / 100.0)));
        }
    }

    #[test]
    fn bucket_tops_bound_their_values_within_a_tenth_of_a_percent() {
        let next = |value: &u64| value.checked_add(1 + value / 777);
        for value in std::iter::successors(Some(1), next).chain([u64::MAX]) {
            let top = bucket_top(bucket_of(value));
            assert!(top >= value, "{value}");
            assert!((top - value) as f64 <= value as f64 / 1000.0, "{value} {top}");
            assert_eq!(bucket_of(top), bucket_of(value));
        }
    }

    #[test]
    fn buckets_are_contiguous() {
        for bucket in 1..BUCKETS {
            assert_eq!(bucket_of(bucket_top(bucket - 1) + 1), bucket);
            assert_eq!(bucket_of(bucket_top(bucket)), bucket);
        }
        assert_eq!((bucket_of(u64::MAX), bucket_top(BUCKETS - 1)), (BUCKETS - 1, u64::MAX));
        assert_eq!(bucket_of(0), 0);
    }

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
