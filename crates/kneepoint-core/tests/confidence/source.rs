//! Series whose true mean is known, interval by interval.

use kneepoint_core::load::record::interval::Tally;
use kneepoint_core::load::record::interval::{IntervalRecord, Shape};
use kneepoint_core::measure::confidence::Occupancy;
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;
use rand_core::Rng as _;

/// Length of an interval in seconds.
pub(crate) const INTERVAL_S: f64 = 0.02;

/// What completed in the intervals of a point, one after the other.
pub(crate) trait Source {
    /// The I/Os in flight.
    fn occupancy(&self) -> Occupancy {
        Occupancy::Varying
    }

    /// I/Os that completed in the next interval, and the sum of their response times in
    /// nanoseconds.
    fn interval(&mut self) -> (u64, u128);
}

/// The next interval of `source` as the recorder would hand it out.
pub(crate) fn record(source: &mut dyn Source, index: u64) -> IntervalRecord {
    let (operations, latency_ns_sum) = source.interval();
    let mut record = IntervalRecord::empty(index, Shape::io(1));
    let bytes = operations * 4096;
    record.classes[0] = Tally { operations, bytes, latency_ns_sum, ..Tally::EMPTY };
    record
}

/// Random numbers for one seed.
pub(crate) struct Draws(Rng);

impl Draws {
    /// The draws of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed::rng(seed::derive(seed, "test", 0)))
    }

    pub(crate) fn unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -libm::log(self.unit()) * mean
    }

    /// Normally distributed, by the method of Box and Muller (1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

/// The M/M/1 queue by Lindley's recursion, each I/O in the interval in which it completes.
pub(crate) struct Queue {
    draws: Draws,
    service_s: f64,
    arrivals_apart_s: f64,
    arrival_s: f64,
    free_s: f64,
    end_s: f64,
}

impl Queue {
    /// A queue that is empty at the start, with this mean service time and utilisation.
    pub(crate) fn new(seed: u64, service_s: f64, utilisation: f64) -> Self {
        let arrivals_apart_s = service_s / utilisation;
        let mut draws = Draws::new(seed);
        let arrival_s = draws.exponential(arrivals_apart_s);
        let free_s = arrival_s + draws.exponential(service_s);
        Self { draws, service_s, arrivals_apart_s, arrival_s, free_s, end_s: 0.0 }
    }
}

impl Source for Queue {
    fn interval(&mut self) -> (u64, u128) {
        self.end_s += INTERVAL_S;
        let (mut operations, mut latency_s) = (0, 0.0);
        while self.free_s < self.end_s {
            operations += 1;
            latency_s += self.free_s - self.arrival_s;
            self.arrival_s += self.draws.exponential(self.arrivals_apart_s);
            self.free_s = self.free_s.max(self.arrival_s) + self.draws.exponential(self.service_s);
        }
        (operations, (latency_s * 1e9) as u128)
    }
}

/// A level that scatters, remembers its scatter, and drifts; every I/O takes as long as one
/// outstanding I/O would at that rate.
pub(crate) struct Level {
    draws: Draws,
    /// Mean number of I/Os per interval at the start.
    level: f64,
    /// Scatter of one interval as a fraction of the level.
    scatter: f64,
    /// Correlation of neighbouring intervals (autoregressive of first order).
    memory: f64,
    /// Growth per second, as a fraction of the level at the start.
    drift_per_s: f64,
    /// Intervals at the start that run at half the level.
    slow_start: u64,
    deviation: f64,
    index: u64,
}

impl Level {
    /// 1,000 I/Os per interval with this scatter and memory.
    pub(crate) fn new(seed: u64, scatter: f64, memory: f64) -> Self {
        let mut draws = Draws::new(seed);
        let deviation = scatter * draws.normal();
        let (level, drift_per_s, slow_start) = (1000.0, 0.0, 0);
        Self { draws, level, scatter, memory, drift_per_s, slow_start, deviation, index: 0 }
    }

    /// The same, growing.
    pub(crate) fn drifting(self, drift_per_s: f64) -> Self {
        Self { drift_per_s, ..self }
    }

    /// The same, at half the level for some intervals at first.
    pub(crate) fn starting_slowly(self, slow_start: u64) -> Self {
        Self { slow_start, ..self }
    }
}

impl Source for Level {
    fn occupancy(&self) -> Occupancy {
        Occupancy::Constant { outstanding: 1.0, ns_per_interval: INTERVAL_S * 1e9 }
    }

    fn interval(&mut self) -> (u64, u128) {
        let seconds = (self.index as f64 + 0.5) * INTERVAL_S;
        let start = if self.index < self.slow_start { 0.5 } else { 1.0 };
        let level = self.level * (start + self.drift_per_s * seconds + self.deviation);
        let fresh = self.scatter * libm::sqrt(1.0 - self.memory * self.memory);
        self.deviation = self.memory * self.deviation + fresh * self.draws.normal();
        self.index += 1;
        (level.round().max(0.0) as u64, Nanos::from_secs_f64(INTERVAL_S).0.into())
    }
}
