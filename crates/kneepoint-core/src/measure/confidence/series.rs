//! What completed per interval, as columns of numbers.

use crate::load::record::tally::Tally;

/// One of the three means that a point is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// I/Os per interval.
    Operations,
    /// Bytes per interval.
    Bytes,
    /// Response time per I/O, in nanoseconds.
    Latency,
}

/// Sums per interval, from the point's start on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    operations: Vec<f64>,
    bytes: Vec<f64>,
    latency_ns: Vec<f64>,
}

impl Series {
    /// Adds the next interval.
    pub fn push(&mut self, interval: &Tally) {
        self.operations.push(interval.operations as f64);
        self.bytes.push(interval.bytes as f64);
        self.latency_ns.push(interval.latency_ns_sum as f64);
    }

    /// Number of intervals.
    pub const fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there is no interval yet.
    pub const fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The intervals from number `start` on; none where there are fewer.
    pub fn from(&self, start: usize) -> Window<'_> {
        let start = start.min(self.len());
        Window {
            operations: &self.operations[start..],
            bytes: &self.bytes[start..],
            latency_ns: &self.latency_ns[start..],
        }
    }
}

/// A part of a series, up to its end.
#[derive(Debug, Clone, Copy)]
pub struct Window<'a> {
    operations: &'a [f64],
    bytes: &'a [f64],
    latency_ns: &'a [f64],
}

impl Window<'_> {
    /// Number of intervals.
    pub const fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there is no interval.
    pub const fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// I/Os of all intervals.
    pub fn operations(&self) -> f64 {
        self.operations.iter().sum()
    }

    /// Response times of all I/Os, in nanoseconds.
    pub fn latency_ns(&self) -> f64 {
        self.latency_ns.iter().sum()
    }

    /// The intervals from number `start` of this window on.
    pub fn from(&self, start: usize) -> Self {
        Self {
            operations: &self.operations[start..],
            bytes: &self.bytes[start..],
            latency_ns: &self.latency_ns[start..],
        }
    }

    /// One value per interval whose mean over the window is the estimate of `quantity`.
    ///
    /// For the response time, with R the sum of response times over the number of I/Os, that is
    /// R + (sum_i - R count_i) / mean count: the linearised ratio estimator (delta method; W. G.
    /// Cochran, "Sampling Techniques", 1977, chapter 6). Intervals in which nothing completed
    /// need no special care, and busy ones weigh more than idle ones.
    pub fn values(&self, quantity: Quantity) -> Vec<f64> {
        match quantity {
            Quantity::Operations => self.operations.to_vec(),
            Quantity::Bytes => self.bytes.to_vec(),
            Quantity::Latency => self.latency_values(),
        }
    }

    fn latency_values(&self) -> Vec<f64> {
        let operations = self.operations();
        if operations == 0.0 {
            return vec![0.0; self.len()];
        }
        let ratio = self.latency_ns() / operations;
        let count_mean = operations / self.len() as f64;
        let intervals = self.latency_ns.iter().zip(self.operations);
        intervals.map(|(sum, count)| ratio + (sum - ratio * count) / count_mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::confidence::MeanEstimate;
    use crate::measure::confidence::batch::{Batches, mean};
    use crate::words::units::Nanos;

    /// A series of intervals of this many I/Os of this many nanoseconds each.
    fn series_of(intervals: impl IntoIterator<Item = (u64, u64)>) -> Series {
        let mut series = Series::default();
        for (operations, nanos) in intervals {
            let mut tally = Tally::EMPTY;
            (0..operations).for_each(|_| tally.add(512, Nanos(nanos), Nanos::ZERO));
            series.push(&tally);
        }
        series
    }

    #[test]
    fn the_mean_response_time_weighs_ios_not_intervals() {
        let series = series_of([(1, 10), (0, 0), (3, 50)]);
        let values = series.from(0).values(Quantity::Latency);
        assert!((mean(&values) - 40.0).abs() < 1e-9);
        assert_eq!(mean(&series.from(0).values(Quantity::Operations)), 4.0 / 3.0);
        assert_eq!(series.from(2).operations(), 3.0);
        assert!(series.from(9).is_empty());
    }

    #[test]
    fn nothing_completed_has_no_response_time() {
        let series = series_of([(0, 0); 40]);
        assert_eq!(series.from(0).values(Quantity::Latency), [0.0; 40]);
    }

    /// I/Os of equal response time, however unevenly they come, leave no doubt about its mean.
    #[test]
    fn uneven_counts_do_not_widen_the_interval_of_the_response_time() {
        let series = series_of((0..200).map(|index| (index * index % 7, 1000)));
        let half_width = |quantity| {
            let values = series.from(0).values(quantity);
            MeanEstimate::of(&values, &Batches::choose(&values).unwrap()).half_width
        };
        assert_eq!(half_width(Quantity::Latency), 0.0);
        assert!(half_width(Quantity::Operations) > 0.0);
    }
}
