//! Exact sums of what completed.

use crate::words::units::Nanos;

/// Counts and sums over completed I/Os; a mean comes from here, never from a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// I/Os completed without error.
    pub operations: u64,
    /// Bytes they moved.
    pub bytes: u64,
    /// Sum of their response times in nanoseconds.
    pub latency_ns_sum: u128,
    /// Smallest response time; `Nanos::MAX` where nothing completed.
    pub latency_min: Nanos,
    /// Largest response time.
    pub latency_max: Nanos,
    /// Sum of the times by which they were submitted late, in nanoseconds; open loop only.
    pub lag_ns_sum: u128,
    /// Largest such time.
    pub lag_max: Nanos,
}

impl Tally {
    /// Nothing completed.
    pub const EMPTY: Self = Self {
        operations: 0,
        bytes: 0,
        latency_ns_sum: 0,
        latency_min: Nanos::MAX,
        latency_max: Nanos::ZERO,
        lag_ns_sum: 0,
        lag_max: Nanos::ZERO,
    };

    /// Adds one completed I/O.
    #[inline]
    pub fn add(&mut self, bytes: u32, latency: Nanos, lag: Nanos) {
        self.operations += 1;
        self.bytes += u64::from(bytes);
        self.latency_ns_sum += u128::from(latency.0);
        self.latency_min = self.latency_min.min(latency);
        self.latency_max = self.latency_max.max(latency);
        self.lag_ns_sum += u128::from(lag.0);
        self.lag_max = self.lag_max.max(lag);
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.operations += other.operations;
        self.bytes += other.bytes;
        self.latency_ns_sum += other.latency_ns_sum;
        self.latency_min = self.latency_min.min(other.latency_min);
        self.latency_max = self.latency_max.max(other.latency_max);
        self.lag_ns_sum += other.lag_ns_sum;
        self.lag_max = self.lag_max.max(other.lag_max);
    }

    /// Mean time in nanoseconds by which I/Os were submitted late, zero where nothing completed.
    pub fn lag_ns_mean(&self) -> f64 {
        match self.operations {
            0 => 0.0,
            operations => self.lag_ns_sum as f64 / operations as f64,
        }
    }

    /// The sum of `tallies`.
    pub fn of_all<'a>(tallies: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::EMPTY;
        tallies.into_iter().for_each(|tally| sum.merge(tally));
        sum
    }

    /// Mean response time in nanoseconds, zero where nothing completed.
    pub fn latency_ns_mean(&self) -> f64 {
        match self.operations {
            0 => 0.0,
            operations => self.latency_ns_sum as f64 / operations as f64,
        }
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::EMPTY
    }
}
