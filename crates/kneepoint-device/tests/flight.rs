//! Workers and what they have in flight live on from one visit of a search to the next, and no longer.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::search::{NextPoint, Visit, VisitStart};
use kneepoint_core::measure::{Observer, Outcome, Point, Ready, Stop, Testbed, Unwatched};
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::plan::{Plan, StopRule, Timing, TypedLoads};
use kneepoint_core::result::AGAIN_FROM;
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::units::{Bytes, MIB, Nanos};
use kneepoint_device::testbed::DeviceTestbed;

/// Tests that count the workers of this process take turns.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The threads of this process that are workers.
fn workers() -> BTreeSet<String> {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().filter_map(Result::ok);
    let is_worker = |path: &Path| {
        std::fs::read_to_string(path.join("comm")).is_ok_and(|name| name.starts_with("worker-"))
    };
    let paths = tasks.map(|task| task.path()).filter(|path| is_worker(path));
    paths.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

/// A target on which one visit is measured after the other.
struct Bench {
    testbed: DeviceTestbed,
    plan: Plan,
    visits: u32,
}

impl Bench {
    fn new(target: &str, wishes: &Wishes) -> Self {
        let suite = Suite::of_profile(catalog::profile("random-read").unwrap());
        let loads = Loads::parse("1..64x2", LoadUnit::OutstandingIos).unwrap();
        let wishes = Wishes {
            size: Some(Bytes(4 * MIB)),
            loads: Some(wishes.loads.clone().unwrap_or(TypedLoads::Of(loads))),
            time: Some(Nanos::from_millis(100)),
            ramp: Some(Nanos::ZERO),
            ..wishes.clone()
        };
        let draft = Draft::new(&suite, &wishes).unwrap();
        let names = [target.to_owned()];
        let testbed = DeviceTestbed::look(&names, &draft.target_request(), Vec::new()).unwrap();
        let plan = draft.resolve(&testbed.site(&wishes)).unwrap();
        Self { testbed, plan, visits: 0 }
    }

    fn measure(
        &mut self,
        (load, visit): (LoadLevel, Option<Visit>),
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        self.visits += 1;
        let repetition = self.visits * AGAIN_FROM;
        let series = &self.plan.series[0];
        let next = NextPoint { series, load, repetition, visit };
        let Ready { plan, instrument } = self.testbed.prepare(&self.plan, &next, observer)?;
        let stop = StopRule::FixedTime { measure: Nanos::from_millis(100) };
        let ramp = Nanos::from_millis(20);
        let timing = Timing { ramp, stop, ..plan.timing.clone() };
        let plan = Plan { timing, ..plan.clone() };
        let before = DriftBefore::default();
        let series = &plan.series[0];
        let point = Point { plan: &plan, series, load, repetition, visit, before };
        instrument.run_point(&point, observer)
    }

    fn visit(&mut self, load: LoadLevel) -> Outcome {
        self.measure((load, Some(VISIT)), &mut Unwatched).unwrap()
    }
}

const VISIT: Visit = Visit {
    start: VisitStart::InFlight,
    ramp: Nanos::from_millis(20),
    ramp_from_rest: Nanos::from_millis(20),
    measure: Nanos::from_millis(100),
};

fn outstanding(value: u32) -> LoadLevel {
    LoadLevel::outstanding(value)
}

/// A worker that a busy machine stops at the end of a visit looks like a target that stalls, and ends:
/// then a visit is tried again.
const TRIES: usize = 200;

/// Workers that wait after a visit of `bench` at `load`.
fn waiting_after(bench: &mut Bench, load: LoadLevel) -> BTreeSet<String> {
    for _ in 0..TRIES {
        bench.visit(load);
        let waiting = workers();
        if !waiting.is_empty() {
            return waiting;
        }
    }
    panic!("no workers wait after a visit at {load}");
}

/// A visit of `bench` at `load` by the workers of a visit at the load `before`.
fn follow(bench: &mut Bench, before: LoadLevel, load: LoadLevel) -> Outcome {
    for _ in 0..TRIES {
        let waiting = waiting_after(bench, before);
        let outcome = bench.visit(load);
        if workers() == waiting {
            return outcome;
        }
    }
    panic!("the workers of a visit at {before} never measure one at {load}");
}

/// That visits of `bench` at neighbouring `loads` are measured by the same workers, which end when told.
fn check_live(bench: &mut Bench, loads: &[LoadLevel]) {
    for pair in loads.windows(2) {
        let outcome = follow(bench, pair[0], pair[1]);
        assert_eq!((outcome.lost, outcome.stuck, outcome.error_count()), (0, 0, 0));
        assert_eq!(outcome.measurement.measured(), Nanos::from_millis(100));
        assert!(outcome.measurement.total().operations > 0, "{pair:?}");
    }
    bench.testbed.rest(&mut Unwatched);
    assert_eq!(workers(), BTreeSet::new());
}

#[test]
fn visits_are_measured_by_the_same_workers_up_and_down() {
    let _turn = turn();
    let loads = [2, 4, 3, 8, 1, 2].map(outstanding);
    check_live(&mut Bench::new("null:", &Wishes::default()), &loads);
    let folder = tempfile::tempdir_in(".").unwrap();
    let path = folder.path().join("k.dat");
    let mut bench = Bench::new(path.to_str().unwrap(), &Wishes::default());
    if bench.plan.engine.engine == kneepoint_core::plan::Engine::Sync {
        kneepoint_testkit::skipped("there is no engine but sync");
        return;
    }
    check_live(&mut bench, &loads);
    bench.testbed.finish(&mut Unwatched).unwrap();
}

#[test]
fn several_workers_and_offered_rates_go_on_alike() {
    let _turn = turn();
    let two = Wishes { workers: Some(2), ..Wishes::default() };
    check_live(&mut Bench::new("null:", &two), &[4, 8, 2].map(outstanding));
    let rates = Loads::parse("100..3200x2", LoadUnit::OfferedIops).unwrap();
    let offered = Wishes { loads: Some(TypedLoads::Of(rates)), ..Wishes::default() };
    let at = |value| LoadLevel { value, unit: LoadUnit::OfferedIops };
    let mut bench = Bench::new("null:", &offered);
    check_live(&mut bench, &[at(400.0), at(1_600.0), at(1_400.0)]);
}

#[test]
fn whatever_is_no_next_visit_has_workers_of_its_own() {
    let _turn = turn();
    let mut bench = Bench::new("null:", &Wishes::default());
    let first = waiting_after(&mut bench, outstanding(2));
    let second = waiting_after(&mut bench, outstanding(16));
    assert!(first.is_disjoint(&second), "a load for which there is no room");
    bench.plan.series[0].name = "other".to_owned();
    let third = waiting_after(&mut bench, outstanding(16));
    assert!(second.is_disjoint(&third), "another series");
    bench.measure((outstanding(2), None), &mut Unwatched).unwrap();
    assert_eq!(workers(), BTreeSet::new(), "a point that stands alone");
}

#[test]
fn workers_that_wait_in_vain_end_by_themselves() {
    let _turn = turn();
    let mut bench = Bench::new("null:", &Wishes::default());
    let waiting = waiting_after(&mut bench, outstanding(2));
    let begun = Instant::now();
    while !workers().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "they go on");
        sleep(Duration::from_millis(20));
    }
    let outcome = bench.visit(outstanding(2));
    assert!(outcome.measurement.total().operations > 0);
    assert!(workers().is_disjoint(&waiting));
}

/// Asks to stop from the start.
struct Stopping;

impl Observer for Stopping {
    fn is_stop_asked(&self) -> bool {
        true
    }
}

#[test]
fn a_stop_between_visits_and_in_one_leaves_no_worker() {
    let _turn = turn();
    let mut bench = Bench::new("null:", &Wishes::default());
    bench.visit(outstanding(2));
    let stopped = bench.measure((outstanding(2), Some(VISIT)), &mut Stopping);
    assert_eq!(stopped.err(), Some(Stop::Asked));
    bench.testbed.release(&mut Stopping);
    assert_eq!(workers(), BTreeSet::new());
    // In a visit: the instrument is not asked before it begins.
    bench.visit(outstanding(2));
    let series = &bench.plan.series[0];
    let next = NextPoint { series, load: outstanding(2), repetition: 0, visit: Some(VISIT) };
    let ready = bench.testbed.prepare(&bench.plan, &next, &mut Unwatched).unwrap();
    let NextPoint { series, load, repetition, visit } = next;
    let before = DriftBefore::default();
    let point = Point { plan: ready.plan, series, load, repetition, visit, before };
    let stopped = ready.instrument.run_point(&point, &mut Stopping);
    assert_eq!(stopped.err(), Some(Stop::Asked));
    assert_eq!(workers(), BTreeSet::new());
}
