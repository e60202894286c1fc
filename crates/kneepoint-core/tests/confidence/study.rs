//! A thousand points of one kind, and how often their intervals held the truth.

use kneepoint_core::load::drive::Flow;
use kneepoint_core::measure::confidence::{
    Assessment, DriftBefore, MeanEstimate, Slope, SlopesBefore, Stability,
};
use kneepoint_core::measure::measurement::{Collector, Measurement};
use kneepoint_core::plan::{StopRule, Timing};
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::units::{Nanos, Percent};

use crate::source::{INTERVAL_S, Source, record};

/// Independent points of a study.
pub(crate) const SEEDS: u64 = 1_000;

/// The stop rule without options on the command line.
pub(crate) fn default_rule() -> StopRule {
    StopRule::Confidence {
        accuracy: Percent::new(5.0).unwrap(),
        drift: Percent::new(10.0).unwrap(),
        measure_min: Nanos::from_secs(2),
        measure_max: Nanos::from_secs(30),
    }
}

/// One point of `source`, ended by `stop`.
pub(crate) fn measure(source: &mut dyn Source, stop: StopRule) -> Measurement {
    measure_after(source, stop, DriftBefore::default())
}

/// Points of a series, one after the other, each of which knows the slopes of those before it.
pub(crate) fn measure_series<S: Source>(sources: impl Iterator<Item = S>) -> Vec<Measurement> {
    let mut points: Vec<Measurement> = Vec::new();
    for mut source in sources {
        let slopes = |number: fn(&Assessment) -> Option<Slope>| {
            let known = |point: &Measurement| point.per_second(number(&point.assessment));
            SlopesBefore::of(points.iter().rev().filter_map(known))
        };
        let before = DriftBefore {
            operations: slopes(|assessment| assessment.operations_slope),
            latency: slopes(|assessment| assessment.latency_slope),
        };
        points.push(measure_after(&mut source, default_rule(), before));
    }
    points
}

/// One point of `source`, ended by `stop`, after points that changed so.
fn measure_after(source: &mut dyn Source, stop: StopRule, before: DriftBefore) -> Measurement {
    let timing = Timing {
        ramp: Nanos::from_millis(500),
        interval: Nanos::from_secs_f64(INTERVAL_S),
        stop,
        drain_max: Nanos::from_secs(1),
    };
    let mut collector =
        Collector::new(&timing, source.occupancy(), 1, &[ClassName::READ, ClassName::WRITE])
            .after(before)
            .ending_early();
    let mut index = 0;
    while collector.push(record(source, index)) == Flow::Continue {
        index += 1;
    }
    collector.finish()
}

/// What the points of a study had in common.
#[derive(Debug, Default)]
pub(crate) struct Study {
    points: u64,
    steady: u64,
    drifting: u64,
    /// Points that ended since their accuracy was out of reach.
    ended_early: u64,
    /// Points whose interval held the true IO/s.
    operations_held: u64,
    /// Points whose interval held the true response time.
    latency_held: u64,
    operations_sum: f64,
    latency_sum: f64,
    seconds_sum: f64,
    /// Relative half-widths of IO/s.
    width_sum: f64,
}

impl Study {
    /// Measures a point of each of [`SEEDS`] sources whose true means are `truth`: I/Os per
    /// interval, and response time in nanoseconds.
    pub(crate) fn of<S: Source>(truth: (f64, f64), source: impl Fn(u64) -> S) -> Self {
        let mut study = Self::default();
        for seed in 0..SEEDS {
            study.add(&measure(&mut source(seed), default_rule()), truth);
        }
        study
    }

    fn add(&mut self, measurement: &Measurement, (operations, latency_ns): (f64, f64)) {
        let assessment = &measurement.assessment;
        let held = |estimate: Option<MeanEstimate>, truth: f64| {
            estimate.is_some_and(|found| (found.mean - truth).abs() <= found.half_width)
        };
        self.points += 1;
        self.steady += u64::from(assessment.stability == Stability::Steady);
        self.drifting += u64::from(assessment.stability == Stability::Drifting);
        self.ended_early += u64::from(measurement.has_given_up);
        self.operations_held += u64::from(held(assessment.operations, operations));
        self.latency_held += u64::from(held(assessment.latency_ns, latency_ns));
        self.operations_sum += assessment.operations.map_or(0.0, |found| found.mean) / operations;
        self.latency_sum += assessment.latency_ns.map_or(0.0, |found| found.mean) / latency_ns;
        self.width_sum += assessment.operations.map_or(0.0, |found| found.half_width / found.mean);
        self.seconds_sum += measurement.measured().as_secs_f64();
    }

    fn percent(&self, part: u64) -> f64 {
        100.0 * part as f64 / self.points as f64
    }

    /// Prints a row of the table in the method's documentation and checks it: intervals hold the
    /// truth in a share of points within `held` (percent), means are within 1 % over all points.
    pub(crate) fn check(&self, name: &str, held: std::ops::RangeInclusive<f64>) {
        let points = self.points as f64;
        let (operations, latency) = (self.operations_sum / points, self.latency_sum / points);
        let held_by = [self.operations_held, self.latency_held].map(|part| self.percent(part));
        println!(
            "| {name} | {:.1} % | {:.1} % | {:+.2} % | {:+.2} % | {:.0} % | {:.1} % | {:.1} s |",
            held_by[0],
            held_by[1],
            100.0 * (operations - 1.0),
            100.0 * (latency - 1.0),
            self.percent(self.steady),
            self.percent(self.drifting),
            self.seconds_sum / points,
        );
        for share in held_by {
            assert!(held.contains(&share), "{name}: {share} % of the intervals hold the truth");
        }
        for mean in [operations, latency] {
            assert!((mean - 1.0).abs() < 0.01, "{name}: the means are off by a factor of {mean}");
        }
        assert!(self.percent(self.drifting) < 3.0, "{name}: called drifting too often");
    }

    /// Prints a row of the table and checks that intervals hold the truth in a share of points within
    /// `held`, both of them in the same points: throughput and response time are one measurement.
    pub(crate) fn check_coverage(&self, name: &str, held: std::ops::RangeInclusive<f64>) {
        let points = self.points as f64;
        let held_by = [self.operations_held, self.latency_held].map(|part| self.percent(part));
        println!(
            "| {name} | {:.1} % | {:.1} % | width {:.2} % | {:.0} % steady | {:.1} % drifting | {:.1} s |",
            held_by[0],
            held_by[1],
            100.0 * self.width_sum / points,
            self.percent(self.steady),
            self.percent(self.drifting),
            self.seconds_sum / points,
        );
        for share in held_by {
            assert!(held.contains(&share), "{name}: {share} % of the intervals hold the truth");
        }
    }

    /// Share of points that were called steady, in percent.
    pub(crate) fn steady_percent(&self) -> f64 {
        self.percent(self.steady)
    }

    /// Share of points that ended since their accuracy was out of reach, in percent.
    pub(crate) fn ended_early_percent(&self) -> f64 {
        self.percent(self.ended_early)
    }

    /// Mean measured time in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.seconds_sum / self.points as f64
    }
}
