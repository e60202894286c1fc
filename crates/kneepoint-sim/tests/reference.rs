//! The measurer against systems whose answer queueing theory knows.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeMap;

use kneepoint_core::analysis::summarize_plan;
use kneepoint_core::load::record::histogram::bucket_top;
use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::point::point_result;
use kneepoint_core::measure::search::{NextPoint, next_point};
use kneepoint_core::measure::{Instrument, Outcome, Point, Unwatched};
use kneepoint_core::plan::{
    Arrivals, Caching, Engine, EnginePlan, OpenLoop, PLAN_SCHEMA, Plan, SeriesPlan, StopRule,
    TargetKind, TargetPlan, Timing,
};
use kneepoint_core::result::{PointResult, Summary, SustainedStatus, Verdict};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::{KneeGoal, KneePlan, LoadGrid, SearchPlan};
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::units::{Nanos, Percent};
use kneepoint_sim::SimInstrument;

/// A plan of one series of random 4 KiB reads on a simulated system, measured for `measure`.
fn plan(system: &str, measure: Nanos) -> Plan {
    let target = TargetPlan {
        target: format!("sim:analytic/{system}"),
        host: String::new(),
        kind: TargetKind::Sim,
        size_bytes: 1 << 30,
        alignment_bytes: 1,
    };
    let series = SeriesPlan {
        name: "random-read/4KiB".to_owned(),
        profile: catalog::profile("random-read").unwrap().resolve(None).unwrap(),
        factors: BTreeMap::new(),
        settings: BTreeMap::new(),
        loads: LoadGrid { unit: LoadUnit::OutstandingIos, levels: vec![1.0] },
        search: SearchPlan::Grid,
        together: None,
    };
    let json = serde_json::json!({
        "schema": PLAN_SCHEMA, "work": "random-read", "title": "Random read", "seed": 5,
        "targets": [target],
        "engine": EnginePlan {
            engine: Engine::Sim,
            caching: Caching::Direct,
            memory_pages: None,
            workers: 1,
        },
        "series": [series], "repetitions": 1, "rules": [],
        "open_loop": OpenLoop { arrivals: Arrivals::Exponential, in_flight_max: 4096 },
        "timing": Timing {
            ramp: Nanos::from_secs(1),
            interval: Nanos::from_millis(100),
            stop: StopRule::FixedTime { measure },
            drain_max: Nanos::from_secs(3600),
        },
        "errors_max": 0, "omissions": [],
    });
    serde_json::from_value(json).unwrap()
}

/// Measures one load of `plan`.
fn measure(plan: &Plan, load: LoadLevel) -> (PointResult, Outcome) {
    let point = Point {
        plan,
        series: &plan.series[0],
        load,
        repetition: 0,
        visit: None,
        before: DriftBefore::default(),
    };
    let outcome = SimInstrument::new(plan).unwrap().run_point(&point, &mut Unwatched).unwrap();
    (point_result(&point, &outcome), outcome)
}

/// Holds mean response time and IO/s against theory, to 1 %.
fn check(system: &str, load: LoadLevel, (iops, mean_ms): (f64, f64)) {
    let (result, outcome) = measure(&plan(system, Nanos::from_secs(3000)), load);
    let near = |value: f64, expected: f64| (value / expected - 1.0).abs() < 0.01;
    assert!(near(result.rate.mean, iops), "{system} at {load}: {} IO/s", result.rate.mean);
    let mean = result.latency_ms.mean;
    assert!(near(mean, mean_ms), "{system} at {load}: {mean} ms, {mean_ms} expected");
    assert_eq!(outcome.lost, 0);
}

#[test]
fn closed_systems_follow_theory() {
    let at = LoadLevel::outstanding;
    check("fixed?service=2ms", at(1), (500.0, 2.0));
    check("fixed?service=2ms", at(32), (16_000.0, 2.0));
    check("md1?service=1ms", at(1), (1000.0, 1.0));
    check("md1?service=1ms", at(8), (1000.0, 8.0));
    check("mm1?service=1ms", at(4), (1000.0, 4.0));
    check("mmc?service=4ms&servers=4", at(2), (500.0, 4.0));
    check("mmc?service=4ms&servers=4", at(16), (1000.0, 16.0));
}

#[test]
fn open_systems_follow_theory() {
    let at = LoadLevel::offered;
    // M/D/1 (Pollaczek and Khinchine): R = S + rho S / 2 (1 - rho).
    check("md1?service=1ms", at(500.0), (500.0, 1.5));
    check("md1?service=1ms", at(800.0), (800.0, 3.0));
    check("md1?service=1ms", at(900.0), (900.0, 5.5));
    // M/M/1: R = S / (1 - rho).
    check("mm1?service=1ms", at(500.0), (500.0, 2.0));
    check("mm1?service=1ms", at(800.0), (800.0, 5.0));
    // M/M/4 at rho = 0.5 and 0.8: Erlang's C is 0.17391 and 0.59643.
    check("mmc?service=1ms&servers=4", at(2000.0), (2000.0, 1.0 + 0.173_913 / 2.0));
    check("mmc?service=1ms&servers=4", at(3200.0), (3200.0, 1.0 + 0.596_43 / 0.8));
    check("fixed?service=3ms", at(700.0), (700.0, 3.0));
}

#[test]
fn a_queue_near_saturation_follows_theory_in_the_mean_of_several_seeds() {
    // At rho = 0.9 the mean over an hour of M/M/1 still has an error of 2 %.
    let means: Vec<f64> = (0..8)
        .map(|seed| {
            let plan = Plan { seed, ..plan("mm1?service=1ms", Nanos::from_secs(3000)) };
            measure(&plan, LoadLevel::offered(900.0)).0.latency_ms.mean
        })
        .collect();
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    assert!((mean / 10.0 - 1.0).abs() < 0.01, "{mean} ms of {means:?}");
}

#[test]
fn a_stall_is_seen_by_every_request_that_it_delays() {
    let mut plan = plan("fixed?service=100us&stall_at=4s&stall=1s", Nanos::from_secs(10));
    plan.timing.ramp = Nanos::ZERO;
    plan.open_loop.arrivals = Arrivals::Constant;
    for in_flight_max in [4096, 64] {
        // The same where the stalled target lets only some requests in.
        plan.open_loop.in_flight_max = in_flight_max;
        let (result, outcome) = measure(&plan, LoadLevel::offered(1000.0));
        let near = |value: f64, expected: f64| (value - expected).abs() < 5.0;
        assert!(near(result.latency_ms.p95.unwrap(), 500.0), "p95 {:?}", result.latency_ms.p95);
        assert!(near(result.latency_ms.p99.unwrap(), 900.0), "p99 {:?}", result.latency_ms.p99);
        assert!(near(result.latency_ms.max, 1000.0), "max {}", result.latency_ms.max);
        let histogram = outcome.measurement.histogram();
        let late = histogram.buckets().filter(|(bucket, _)| bucket_top(*bucket) > 1_000_000);
        let late: u64 = late.map(|(_, count)| count).sum();
        let share = 100.0 * late as f64 / result.operations as f64;
        assert!((share - 10.0).abs() < 0.2, "{share} % are late");
        assert!(!result.open_loop.unwrap().overloaded);
    }
}

#[test]
fn more_than_the_target_can_do_is_called_overloaded() {
    let plan = plan("md1?service=1ms", Nanos::from_secs(20));
    let (result, _) = measure(&plan, LoadLevel::offered(1500.0));
    let open = result.open_loop.unwrap();
    assert!(open.overloaded);
    assert!((open.delivered_rate - 1000.0).abs() < 5.0);
    assert!(
        result.warnings.iter().any(|warning| warning.text().starts_with("overloaded: 1500 IO/s"))
    );
}

/// Searches the knee of `system` at `rule`, and gives its summary.
fn knee(system: &str, rule: &str, loads: LoadGrid) -> Summary {
    let mut plan = plan(system, Nanos::from_secs(400));
    plan.rules = vec![rule.parse().unwrap()];
    plan.series[0].loads = loads;
    let tolerance = Percent::new(2.5).unwrap();
    plan.series[0].search =
        SearchPlan::Knee(KneePlan { goal: KneeGoal::Rules, tolerance, answer: None });
    let mut measured = Vec::new();
    while let Some(NextPoint { load, .. }) = next_point(&plan, &measured) {
        measured.push(measure(&plan, load).0);
    }
    assert!(measured.len() < 16, "{} probes", measured.len());
    summarize_plan(&measured, &plan).remove(0)
}

/// Ten doublings from `first`.
fn doubling(unit: LoadUnit, first: f64) -> LoadGrid {
    LoadGrid { unit, levels: (0..10).map(|n| first * f64::from(1u32 << n)).collect() }
}

#[test]
fn knees_lie_within_two_percent_of_theory() {
    let check = |system: &str, rule: &str, loads: LoadGrid, expected: f64| {
        let summary = knee(system, rule, loads);
        assert_eq!(summary.sustained.status, SustainedStatus::Met, "{system} {rule}");
        let iops = summary.sustained.rate.unwrap().mean;
        let off = (iops / expected - 1.0).abs();
        assert!(off < 0.02, "{system} {rule}: {iops}, {expected} expected");
    };
    let closed = || doubling(LoadUnit::OutstandingIos, 1.0);
    let open = || doubling(LoadUnit::OfferedIops, 50.0);
    check("mmc?service=5ms&servers=8", "mean<=20ms", closed(), 1600.0);
    check("md1?service=1ms", "mean<=7ms", closed(), 1000.0);
    // M/M/1: R = S / (1 - rho), so 5 ms at 800 and 2 ms at 500; M/D/1: 2 ms at 667.
    check("mm1?service=1ms", "mean<=5ms", open(), 800.0);
    check("mm1?service=1ms", "mean<=2ms", open(), 500.0);
    check("md1?service=1ms", "mean<=2ms", open(), 2000.0 / 3.0);
}

#[test]
fn one_plan_gives_the_same_numbers_every_time() {
    let plan = plan("mmc?service=5ms&servers=3", Nanos::from_secs(50));
    let first = measure(&plan, LoadLevel::outstanding(7));
    let second = measure(&plan, LoadLevel::outstanding(7));
    assert_eq!(first.0, second.0);
    assert_eq!(first.1.measurement, second.1.measurement);
}

/// The target stands still from 3 s of the measured 4 s on, for 20 s. In flight at the end are all
/// I/Os of the queue, each with a response time of 20 s that the drain reveals.
#[test]
fn a_stall_that_spans_the_end_is_in_the_mean_the_maximum_and_the_verdict() {
    let mut plan = plan("fixed?service=1ms&stall_at=3s&stall=20s", Nanos::from_secs(4));
    plan.timing.ramp = Nanos::ZERO;
    let (result, _) = measure(&plan, LoadLevel::outstanding(4));
    assert_eq!(result.verdict, Verdict::Disturbed, "{:?}", result.warnings);
    let said = "an I/O that was in flight at the end of the 4.0 s that were measured took 20.0 s";
    assert!(
        result.warnings.iter().any(|warning| warning.text().contains(said)),
        "{:?}",
        result.warnings
    );
    assert!((result.latency_ms.max - 20_000.0).abs() < 2.0, "max {}", result.latency_ms.max);
    let truth = (3000.0 * 4.0 + 4.0 * 20_000.0) / (3000.0 * 4.0 + 4.0);
    assert!((result.latency_ms.mean / truth - 1.0).abs() < 0.01, "mean {}", result.latency_ms.mean);
    assert!(
        (result.rate.mean / 3000.0 - 1.0).abs() < 0.01,
        "only what came back in the time counts"
    );
    assert!(
        (result.storage.unwrap().achieved_outstanding - 4.0).abs() < 0.01,
        "{}",
        result.storage.unwrap().achieved_outstanding
    );
}

/// The same with a stall that the drain does not wait for.
#[test]
fn a_stall_without_an_end_is_told_as_a_lower_bound() {
    let mut plan = plan("fixed?service=1ms&stall_at=3s&stall=1000s", Nanos::from_secs(4));
    plan.timing.ramp = Nanos::ZERO;
    plan.timing.drain_max = Nanos::from_secs(30);
    let (result, _) = measure(&plan, LoadLevel::outstanding(4));
    assert_eq!(result.verdict, Verdict::Failed);
    let least = 1e3 * (1.0 + plan.timing.drain_max.as_secs_f64());
    assert!(result.latency_ms.max >= least - 2.0, "max {}", result.latency_ms.max);
    let said =
        result.warnings.iter().any(|warning| warning.text().starts_with("stalled for at least"));
    assert!(said, "{:?}", result.warnings);
}

/// In a normal point the in-flight I/Os at the end are a tiny edge, which must not bias the mean:
/// with few I/Os in many points, a bias of one response time per point would show.
#[test]
fn what_is_in_flight_at_a_normal_end_biases_no_mean() {
    let means: Vec<f64> = (0..200)
        .map(|seed| {
            let mut plan = plan("mm1?service=10ms", Nanos::from_secs(3));
            plan.seed = seed;
            let (result, outcome) = measure(&plan, LoadLevel::outstanding(8));
            assert_eq!(outcome.measurement.unfinished.within_ns_sum, 0);
            result.latency_ms.mean
        })
        .collect();
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    assert!((mean / 80.0 - 1.0).abs() < 0.015, "{mean} ms");
}
