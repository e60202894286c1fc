//! What is in flight stays there from one visit of a search to the next, and nowhere else.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod rig;

use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::point::point_result;
use kneepoint_core::measure::search::{Visit, VisitStart};
use kneepoint_core::measure::{Instrument, Outcome, Point, Unwatched};
use kneepoint_core::plan::{Plan, StopRule, Timing};
use kneepoint_core::result::AGAIN_FROM;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::SimInstrument;

const CACHED: &str = "sim:serveraid-m5025?drives=12&raid=raid5&write_cache=on";

/// A system on which one point is measured after the other.
struct Bench {
    plan: Plan,
    instrument: SimInstrument,
    /// How its next visits begin.
    start: VisitStart,
}

impl Bench {
    fn new(target: &str) -> Self {
        let plan = rig::plan(target, rig::load("database", "8 KiB", 1), 1);
        let instrument = SimInstrument::new(&plan).unwrap();
        Self { plan, instrument, start: VisitStart::InFlight }
    }

    /// Measures `load` for some tenths of a second without a ramp: as visit number `visit` of a search,
    /// or as a point that stands alone.
    fn measure(&mut self, load: LoadLevel, tenths: u64, visit: Option<u32>) -> Outcome {
        let measure = Nanos::from_millis(100 * tenths);
        let stop = StopRule::FixedTime { measure };
        let timing = Timing { ramp: Nanos::ZERO, stop, ..self.plan.timing.clone() };
        let plan = Plan { timing, ..self.plan.clone() };
        let repetition = visit.unwrap_or_default() * AGAIN_FROM;
        let ramp = Nanos::ZERO;
        let start = self.start;
        let visit = visit.map(|_| Visit { start, ramp, ramp_from_rest: ramp, measure });
        let before = DriftBefore::default();
        let point = Point { plan: &plan, series: &plan.series[0], load, repetition, visit, before };
        self.instrument.run_point(&point, &mut Unwatched).unwrap()
    }

    fn operations(&mut self, load: LoadLevel, tenths: u64, visit: Option<u32>) -> u64 {
        self.measure(load, tenths, visit).measurement.total().operations
    }
}

fn outstanding(value: u32) -> LoadLevel {
    LoadLevel::outstanding(value)
}

fn offered(value: f64) -> LoadLevel {
    LoadLevel { value, unit: LoadUnit::OfferedIops }
}

/// That visits of `load` one after the other count what one long run counts.
fn check_no_gap(target: &str, load: LoadLevel) {
    let whole = Bench::new(target).operations(load, 60, None);
    let mut bench = Bench::new(target);
    let visits: u64 = (0..10).map(|visit| bench.operations(load, 6, Some(visit))).sum();
    assert_eq!(visits, whole, "{target}");
    let alone: u64 = (0..10).map(|_| bench.operations(load, 6, None)).sum();
    assert_ne!(alone, whole, "{target}: points that stand alone begin with nothing in flight");
}

#[test]
fn visits_of_one_load_are_one_long_run() {
    check_no_gap("sim:analytic/fixed?service=70ms", outstanding(3));
    check_no_gap("sim:analytic/mm1?service=1ms", outstanding(4));
    check_no_gap("sim:drive/hdd-sas35-15k-600", outstanding(8));
}

#[test]
fn a_write_cache_does_not_empty_between_visits() {
    check_no_gap(CACHED, outstanding(48));
}

#[test]
fn the_number_in_flight_is_that_of_the_load_from_the_start_of_a_visit() {
    let mut bench = Bench::new("sim:analytic/fixed?service=70ms");
    for (visit, load) in [2, 5, 3, 3].into_iter().enumerate() {
        let outcome = bench.measure(outstanding(load), 7, Some(visit as u32));
        let achieved = outcome.measurement.outstanding_mean();
        // Response times count where they end: those in flight at the start weigh in, those at the
        // end do not.
        let expected = match visit {
            0 => 2.0 * 0.9,
            1 => 2.0 + 3.0 * 0.9,
            2 => 3.0 + 2.0 * 0.1,
            _ => 3.0,
        };
        assert!((achieved - expected).abs() < 1e-9, "{load}: {achieved}, not {expected}");
    }
}

#[test]
fn whatever_is_no_next_visit_starts_fresh() {
    let check = |target: &str, first: LoadLevel, next: &dyn Fn(&mut Bench) -> Outcome| {
        let mut bench = Bench::new(target);
        bench.measure(first, 6, Some(0));
        let after = next(&mut bench).measurement;
        assert_eq!(after, next(&mut Bench::new(target)).measurement, "{target}");
    };
    check(CACHED, outstanding(48), &|bench| bench.measure(outstanding(48), 6, None));
    let other_series = |bench: &mut Bench| {
        bench.plan.series[0].name = "other".to_owned();
        bench.measure(outstanding(48), 6, Some(1))
    };
    check(CACHED, outstanding(48), &other_series);
    let mm1 = "sim:analytic/mm1?service=1ms";
    check(mm1, outstanding(4), &|bench| bench.measure(outstanding(4), 6, None));
    let at_rest = |bench: &mut Bench| {
        bench.start = VisitStart::AtRest;
        bench.measure(offered(800.0), 6, Some(1))
    };
    check(mm1, offered(2_000.0), &at_rest);
    // A write cache is far from what a load that differs much would make of it.
    check(CACHED, outstanding(48), &|bench| bench.measure(outstanding(16), 6, Some(1)));
}

#[test]
fn a_rate_that_falls_finds_what_is_in_flight_unless_it_begins_at_rest() {
    let mm1 = "sim:analytic/mm1?service=1ms";
    let next = |bench: &mut Bench| bench.measure(offered(900.0), 6, Some(1)).measurement;
    let mut bench = Bench::new(mm1);
    bench.measure(offered(1_100.0), 10, Some(0));
    assert!(next(&mut bench).total().latency_max > next(&mut Bench::new(mm1)).total().latency_max);
}

#[test]
fn utilisation_is_that_of_the_visit() {
    let drives = |outcome: &Outcome| outcome.simulated.as_ref().unwrap().parts[0].mean_percent;
    let mut bench = Bench::new("sim:drive/hdd-sas35-15k-600?drives=1");
    let quiet = offered(20.0);
    bench.measure(offered(26.0), 20, Some(0));
    bench.measure(offered(150.0), 20, Some(1));
    let busy = drives(&bench.measure(offered(150.0), 20, Some(2)));
    let alone = drives(&Bench::new("sim:drive/hdd-sas35-15k-600").measure(quiet, 20, Some(0)));
    assert!(busy > 3.0 * alone, "{busy} % and {alone} %");
}

#[test]
fn a_stall_at_the_end_of_a_visit_is_waited_for() {
    let mut bench = Bench::new("sim:analytic/fixed?service=1ms&stall_at=500ms&stall=3s");
    let outcome = bench.measure(outstanding(4), 10, Some(0));
    let plan = bench.plan.clone();
    let start = VisitStart::InFlight;
    let none = Nanos::ZERO;
    let visit = Visit { start, ramp: none, ramp_from_rest: none, measure: none };
    let series = &plan.series[0];
    let point = Point {
        plan: &plan,
        series,
        load: outstanding(4),
        repetition: 0,
        visit: Some(visit),
        before: DriftBefore::default(),
    };
    let found = point_result(&point, &outcome);
    assert!(found.latency_ms.max > 2_900.0, "{:?}", found.latency_ms);
    assert_eq!(bench.operations(outstanding(4), 10, Some(1)), 4 * 999, "from rest");
}
