//! The confidence rule on the analytic reference systems, through the load loop that drives real
//! devices: `cargo test -p kneepoint-sim --test confidence -- --nocapture` prints the rows of the
//! table in the method's documentation, with `--include-ignored` all of them.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::ops::{Range, RangeInclusive};
use std::thread;

use kneepoint_core::load::drive::{WorkerTask, drive};
use kneepoint_core::load::stream::{ArrivalPlan, Seat, Stream, StreamPlan, WorkerPlan};
use kneepoint_core::measure::confidence::{
    Assessment, MeanEstimate, Occupancy, Stability, percentile_interval,
};
use kneepoint_core::measure::measurement::{Collector, Measurement};
use kneepoint_core::plan::{Arrivals, StopRule, Timing};
use kneepoint_core::spec::profile::{
    AddressRange, DataPattern, Distribution, Durability, ResolvedLine, ResolvedProfile,
};
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::{Nanos, Percent};
use kneepoint_sim::analytic::{AnalyticBackend, AnalyticSystem};

/// Independent points of every case.
const SEEDS: u64 = 1_000;

/// Share of the 95 % intervals that must hold the truth, in percent.
const HELD: RangeInclusive<f64> = 93.0..=97.5;

const SERVICE: Nanos = Nanos::from_millis(1);

/// A load on a system, and what queueing theory says of it.
struct Case {
    name: &'static str,
    system: AnalyticSystem,
    load: Load,
    /// True throughput in I/Os per second.
    iops: f64,
    /// True mean response time in milliseconds.
    latency_ms: f64,
    /// Share of intervals that must hold the truth, in percent.
    held: RangeInclusive<f64>,
}

#[derive(Clone, Copy)]
enum Load {
    /// This many I/Os always outstanding.
    Closed(u32),
    /// This many I/Os per second, exponentially distributed times apart.
    Open(f64),
}

fn random_reads() -> ResolvedProfile {
    ResolvedProfile {
        name: "test".to_owned(),
        title: "Test".to_owned(),
        lines: vec![ResolvedLine {
            share: Percent::FULL,
            block_bytes: 4096,
            read: Percent::FULL,
            write: Default::default(),
            random: Percent::FULL,
            burst: 1,
            delay: Nanos::ZERO,
            align_bytes: 4096,
            gap_bytes: 0,
        }],
        range: AddressRange::WHOLE,
        distribution: Distribution::Uniform,
        data: DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO },
        durability: Durability::default(),
        think: Nanos::ZERO,
        trace: None,
    }
}

fn worker(load: Load, seed: u64) -> WorkerPlan {
    let (slots, arrivals) = match load {
        Load::Closed(outstanding) => (outstanding, None),
        Load::Open(rate_per_s) => {
            (4096, Some(ArrivalPlan { rate_per_s, spacing: Arrivals::Exponential }))
        }
    };
    WorkerPlan::of(vec![StreamPlan {
        number: 0,
        target: 0,
        size_bytes: 1 << 30,
        share: 0,
        share_count: 1,
        slots,
        arrivals,
        seed: seed::derive(seed, "stream", 0),
        seat: Seat::alone(0),
    }])
}

/// One point with the stop rule that applies without options on the command line.
fn measure(system: AnalyticSystem, load: Load, seed: u64) -> Measurement {
    let timing = Timing {
        ramp: Nanos::from_millis(500),
        interval: Nanos::from_millis(20),
        stop: StopRule::Confidence {
            accuracy: Percent::new(5.0).unwrap(),
            drift: Percent::new(10.0).unwrap(),
            measure_min: Nanos::from_secs(2),
            measure_max: Nanos::from_secs(30),
        },
        drain_max: Nanos::from_secs(30),
    };
    let worker = worker(load, seed);
    let streams =
        worker.streams.iter().map(|stream| Stream::new(&random_reads(), stream).unwrap()).collect();
    let duty = WorkerTask { worker: &worker, timing: &timing, errors_max: 0, epoch: Nanos::ZERO };
    let mut collector =
        Collector::new(&timing, occupancy(load, &timing), 1, &[ClassName::READ, ClassName::WRITE]);
    let mut backend = AnalyticBackend::new((&[system], 0), seed::derive(seed, "sim", 0));
    drive(&mut backend, &duty, streams, &mut collector);
    collector.finish()
}

/// What is in flight over an interval.
fn occupancy(load: Load, timing: &Timing) -> Occupancy {
    match load {
        Load::Open(_) => Occupancy::Varying,
        Load::Closed(outstanding) => Occupancy::Constant {
            outstanding: f64::from(outstanding),
            ns_per_interval: f64::from(outstanding) * timing.interval.0 as f64,
        },
    }
}

/// Counts over the points of a case.
#[derive(Default)]
struct Counts {
    steady: u64,
    drifting: u64,
    held: [u64; 2],
    mean_sums: [f64; 2],
    seconds: f64,
    /// By how much the relative half-widths of IO/s and response time differ at the most, as a share
    /// of the larger.
    apart: f64,
}

/// By how much the relative half-widths of IO/s and response time differ.
fn apart(assessment: &Assessment) -> f64 {
    let relative = |found: Option<MeanEstimate>| found.map(|found| found.half_width / found.mean);
    match (relative(assessment.operations), relative(assessment.latency_ns)) {
        (Some(rate), Some(time)) if rate.max(time) > 0.0 => (rate - time).abs() / rate.max(time),
        _ => 0.0,
    }
}

impl Counts {
    fn add(&mut self, measurement: &Measurement, truth: [f64; 2]) {
        let assessment = &measurement.assessment;
        self.steady += u64::from(assessment.stability == Stability::Steady);
        self.drifting += u64::from(assessment.stability == Stability::Drifting);
        self.seconds += measurement.measured().as_secs_f64();
        self.apart = self.apart.max(apart(assessment));
        for (index, found) in [assessment.operations, assessment.latency_ns].iter().enumerate() {
            let MeanEstimate { mean, half_width, .. } = found.unwrap();
            self.held[index] += u64::from((mean - truth[index]).abs() <= half_width);
            self.mean_sums[index] += mean / truth[index];
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let both = |index: usize| self.held[index] + other.held[index];
        let sums = |index: usize| self.mean_sums[index] + other.mean_sums[index];
        Self {
            steady: self.steady + other.steady,
            drifting: self.drifting + other.drifting,
            held: [both(0), both(1)],
            mean_sums: [sums(0), sums(1)],
            seconds: self.seconds + other.seconds,
            apart: self.apart.max(other.apart),
        }
    }
}

/// Measures all points of a case, half of them on its own thread.
fn count(case: &Case, truth: [f64; 2]) -> Counts {
    let (system, load) = (case.system, case.load);
    let part = |seeds: Range<u64>| {
        let mut counts = Counts::default();
        seeds.for_each(|seed| counts.add(&measure(system, load, seed), truth));
        counts
    };
    thread::scope(|scope| {
        let first = scope.spawn(|| part(0..SEEDS / 2));
        let second = part(SEEDS / 2..SEEDS);
        first.join().unwrap().plus(&second)
    })
}

/// Measures all points of a case, prints its row and checks it.
fn check(case: &Case) {
    let truth = [case.iops * 0.02, case.latency_ms * 1e6];
    let counts = count(case, truth);
    let percent = |part: u64| 100.0 * part as f64 / SEEDS as f64;
    let means = counts.mean_sums.map(|sum| sum / SEEDS as f64);
    println!(
        "| {} | {:.1} % | {:.1} % | {:+.2} % | {:+.2} % | {:.0} % | {:.1} % | {:.1} s |",
        case.name,
        percent(counts.held[0]),
        percent(counts.held[1]),
        100.0 * (means[0] - 1.0),
        100.0 * (means[1] - 1.0),
        percent(counts.steady),
        percent(counts.drifting),
        counts.seconds / SEEDS as f64,
    );
    for (held, mean) in counts.held.into_iter().zip(means) {
        assert!(case.held.contains(&percent(held)), "{}: {} % held", case.name, percent(held));
        assert!((mean - 1.0).abs() < 0.01, "{}: off by a factor of {mean}", case.name);
    }
    assert!(percent(counts.drifting) < 3.0, "{}: called drifting too often", case.name);
    // In a closed loop X R = N, so both have the same relative error; in an open one they have not.
    let is_one = counts.apart < 1e-9;
    let is_closed = matches!(case.load, Load::Closed(_));
    assert_eq!(is_one, is_closed, "{}: {} apart", case.name, counts.apart);
}

fn closed(name: &'static str, system: AnalyticSystem, outstanding: u32) -> Case {
    let service_s = system.service_mean.as_secs_f64();
    let busy = system.servers.unwrap_or(outstanding).min(outstanding);
    let iops = f64::from(busy) / service_s;
    let latency_ms = 1e3 * f64::from(outstanding) / iops;
    Case { name, system, load: Load::Closed(outstanding), iops, latency_ms, held: HELD }
}

/// An open M/M/1: R = S / (1 - utilisation).
fn open_mm1(name: &'static str, utilisation: f64) -> Case {
    let service_s = SERVICE.as_secs_f64();
    let iops = utilisation / service_s;
    let latency_ms = 1e3 * service_s / (1.0 - utilisation);
    let load = Load::Open(iops);
    Case { name, system: AnalyticSystem::mm1(SERVICE), load, iops, latency_ms, held: HELD }
}

/// An open M/D/1: R = S + utilisation S / (2 (1 - utilisation)), by Pollaczek and Khinchine.
fn open_md1(name: &'static str, utilisation: f64) -> Case {
    let service_s = SERVICE.as_secs_f64();
    let waiting_s = utilisation * service_s / (2.0 * (1.0 - utilisation));
    let system = AnalyticSystem::md1(SERVICE);
    Case { system, latency_ms: 1e3 * (service_s + waiting_s), ..open_mm1(name, utilisation) }
}

#[test]
#[ignore = "a further row of the table"]
fn closed_mm1_one_outstanding() {
    check(&closed("M/M/1 closed, 1 outstanding", AnalyticSystem::mm1(SERVICE), 1));
}

#[test]
#[ignore = "a further row of the table"]
fn closed_mm1_two_outstanding() {
    check(&closed("M/M/1 closed, 2 outstanding", AnalyticSystem::mm1(SERVICE), 2));
}

#[test]
fn closed_mm1_four_outstanding() {
    check(&closed("M/M/1 closed, 4 outstanding", AnalyticSystem::mm1(SERVICE), 4));
}

#[test]
fn closed_mm1_many_outstanding() {
    check(&closed("M/M/1 closed, 32 outstanding", AnalyticSystem::mm1(SERVICE), 32));
}

#[test]
#[ignore = "a further row of the table"]
fn closed_slow_mm1() {
    check(&closed(
        "M/M/1 closed, 4 outstanding, 5 ms",
        AnalyticSystem::mm1(Nanos::from_millis(5)),
        4,
    ));
}

#[test]
#[ignore = "a further row of the table"]
fn closed_mmc_below_and_above_its_servers() {
    check(&closed("M/M/4 closed, 2 outstanding", AnalyticSystem::mmc(SERVICE, 4), 2));
    check(&closed("M/M/4 closed, 16 outstanding", AnalyticSystem::mmc(SERVICE, 4), 16));
}

#[test]
fn open_mm1_at_50_percent() {
    check(&open_mm1("M/M/1 open, utilisation 0.5", 0.5));
}

#[test]
fn open_mm1_at_80_percent() {
    check(&open_mm1("M/M/1 open, utilisation 0.8", 0.8));
}

#[test]
fn open_mm1_at_90_percent() {
    check(&Case { held: 90.0..=97.5, ..open_mm1("M/M/1 open, utilisation 0.9", 0.9) });
}

#[test]
#[ignore = "a further row of the table"]
fn open_md1_at_50_percent() {
    check(&open_md1("M/D/1 open, utilisation 0.5", 0.5));
}

#[test]
#[ignore = "a further row of the table"]
fn open_md1_at_80_percent() {
    check(&open_md1("M/D/1 open, utilisation 0.8", 0.8));
}

#[test]
#[ignore = "a further row of the table"]
fn open_md1_at_90_percent() {
    check(&Case { held: 90.0..=97.5, ..open_md1("M/D/1 open, utilisation 0.9", 0.9) });
}

/// Where nothing is random the answer is exact and the shortest time is enough.
#[test]
fn deterministic_systems_are_exact() {
    for (system, outstanding) in [
        (AnalyticSystem::fixed(SERVICE), 1),
        (AnalyticSystem::fixed(SERVICE), 32),
        (AnalyticSystem::md1(SERVICE), 1),
        (AnalyticSystem::md1(SERVICE), 8),
    ] {
        let case = closed("", system, outstanding);
        let found = measure(case.system, case.load, 1);
        let (operations, latency) =
            (found.assessment.operations.unwrap(), found.assessment.latency_ns.unwrap());
        assert_eq!(found.assessment.stability, Stability::Steady);
        assert_eq!(found.measured(), Nanos::from_secs(2));
        assert_eq!((operations.mean, operations.half_width), (case.iops * 0.02, 0.0));
        assert_eq!((latency.mean, latency.half_width), (case.latency_ms * 1e6, 0.0));
    }
}

/// Little's law ties IO/s and response time together: with N always outstanding both are known
/// equally well.
#[test]
fn littles_law_holds_for_means_and_intervals() {
    for outstanding in [1, 4, 16] {
        let found = measure(AnalyticSystem::mm1(SERVICE), Load::Closed(outstanding), 1);
        let (operations, latency) =
            (found.assessment.operations.unwrap(), found.assessment.latency_ns.unwrap());
        let achieved = operations.mean / 0.02 * latency.mean / 1e9;
        assert!((achieved / f64::from(outstanding) - 1.0).abs() < 0.01, "achieved {achieved}");
        let relative = [operations, latency].map(|found| found.half_width / found.mean);
        assert!((relative[0] / relative[1] - 1.0).abs() < 0.25, "{relative:?}");
    }
}

/// A queue that takes longer to fill than the shortest measurement lasts.
#[test]
fn a_ramp_longer_than_asked_for_is_cut() {
    let service = Nanos::from_millis(2);
    let found = measure(AnalyticSystem::md1(service), Load::Closed(512), 1);
    assert!(found.ramp() >= Nanos::from_millis(1000), "ramp of {}", found.ramp());
    let latency = found.assessment.latency_ns.unwrap();
    assert_eq!(found.assessment.stability, Stability::Steady);
    assert!((latency.mean / 1.024e9 - 1.0).abs() < 0.01, "{} ns", latency.mean);
}

/// Two I/Os in three seconds: no interval, no verdict of steadiness, but a mean.
#[test]
fn a_target_that_hardly_answers_is_measured_to_the_end() {
    let found = measure(AnalyticSystem::fixed(Nanos(1_300_000_000)), Load::Closed(1), 1);
    assert_eq!(found.assessment.stability, Stability::TimeLimit);
    assert!(found.assessment.latency_ns.is_none());
    // The ramp is as long as the one request takes to come around.
    assert_eq!(found.ramp(), Nanos::from_millis(1_340));
    assert_eq!(found.ramp() + found.measured(), Nanos::from_millis(30_500));
    assert_eq!(found.total().latency_ns_mean(), 1.3e9);
}

#[test]
fn intervals_of_percentiles_hold_the_truth() {
    // Response times of an open M/M/1 queue are exponentially distributed: mean 2 ms at half of its
    // capacity (e.g. Kleinrock, "Queueing Systems", volume 1, 1975, section 5.12).
    let truth_ms = |percent: f64| -2.0 * libm::log(1.0 - percent / 100.0);
    let case = open_mm1("open M/M/1, 50 %", 0.5);
    let seeds = 300;
    let measured: Vec<Measurement> =
        (0..seeds).map(|seed| measure(case.system, case.load, 7_000 + seed)).collect();
    for percent in [50.0, 90.0, 95.0, 99.0] {
        let intervals = measured.iter().filter_map(|measurement| {
            percentile_interval(
                percent,
                (&measurement.intervals, &[0, 1]),
                &measurement.histogram(),
            )
        });
        let intervals: Vec<[f64; 2]> =
            intervals.map(|ends| ends.map(Nanos::as_millis_f64)).collect();
        let truth = truth_ms(percent);
        let held = intervals.iter().filter(|[low, high]| (*low..=*high).contains(&truth)).count();
        let share = 100.0 * held as f64 / intervals.len() as f64;
        println!("| p{percent} | {} | {share:.1} % |", intervals.len());
        assert!(intervals.len() > 200, "p{percent}: {} intervals", intervals.len());
        assert!((90.0..=98.5).contains(&share), "p{percent}: {share} % of {}", intervals.len());
    }
}
