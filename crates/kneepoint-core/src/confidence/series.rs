//! What completed per interval, as columns of numbers.

use crate::record::tally::Tally;

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
        let ratio = self.latency_ns.iter().sum::<f64>() / operations;
        let count_mean = operations / self.len() as f64;
        let intervals = self.latency_ns.iter().zip(self.operations);
        intervals.map(|(sum, count)| ratio + (sum - ratio * count) / count_mean).collect()
    }
}
