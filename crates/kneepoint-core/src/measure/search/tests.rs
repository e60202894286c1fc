//! Searches on systems whose knee is known.

use super::*;
use crate::plan::Plan;
use crate::plan::tests::plan_of;
use crate::result::{Estimate, Latency, OpenLoopResult, Throughput, Verdict};
use crate::spec::grid::{KneeGoal, KneePlan, LoadGrid};
use crate::words::load::LoadUnit;
use crate::words::units::Percent;

/// A plan of one series with the levels 1, 2, 4 ... `last` and a search for the knee.
fn knee_plan(last: u32, goal: KneeGoal, rules: &[&str]) -> Plan {
    let mut plan = plan_of("null:", 1);
    plan.rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    let levels =
        (0..32).map(|power| f64::from(1u32 << power)).take_while(|n| *n <= f64::from(last));
    plan.series[0].loads = LoadGrid { unit: LoadUnit::OutstandingIos, levels: levels.collect() };
    plan.series[0].search =
        SearchPlan::Knee(KneePlan { goal, tolerance: Percent::new(2.5).unwrap(), answer: None });
    plan
}

fn point(load: LoadLevel, iops: f64, mean_ms: f64) -> PointResult {
    PointResult {
        series: "test/4KiB".into(),
        load,
        rate: Throughput::iops(Estimate { mean: iops, ci95: None }),
        latency_ms: Latency { mean: mean_ms, ..Latency::default() },
        verdict: Verdict::Steady,
        ..PointResult::default()
    }
}

/// Runs the search against `system` (IO/s and milliseconds at a load); the loads in order.
fn probes(plan: &Plan, system: impl Fn(f64) -> (f64, f64)) -> Vec<f64> {
    let mut measured: Vec<PointResult> = Vec::new();
    while let Some(next) = next_point(plan, &measured) {
        let (iops, mean_ms) = system(next.load.value);
        measured.push(PointResult {
            repetition: next.repetition,
            series: next.series.name.clone(),
            ..point(next.load, iops, mean_ms)
        });
        assert!(measured.len() < 100, "the search ends");
    }
    measured.iter().map(|point| point.load.value).collect()
}

/// A closed system of `servers` servers with 5 ms of service.
fn closed(servers: f64) -> impl Fn(f64) -> (f64, f64) {
    move |load: f64| (load.min(servers) * 200.0, 5.0 * (load / servers).max(1.0))
}

#[test]
fn the_load_doubles_until_the_rule_breaks_and_the_bracket_narrows() {
    // 8 servers of 5 ms: 20 ms are reached at 32 outstanding, and throughput is flat from 8 on.
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=20ms"]);
    assert_eq!(probes(&plan, closed(8.0)), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
    // 6 ms lie between 8 and 16 outstanding, where throughput is flat already.
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=6ms"]);
    assert_eq!(probes(&plan, closed(8.0)), [1.0, 2.0, 4.0, 8.0, 16.0]);
}

#[test]
fn a_rising_curve_is_narrowed_down_to_neighbours() {
    // Response time and throughput both rise with the root of the load: 10 ms at 100.
    let rising = |load: f64| (100.0 * load.sqrt(), load.sqrt());
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=10.02ms"]);
    let loads = probes(&plan, rising);
    let (coarse, fine) = loads.split_at(8);
    assert_eq!(coarse, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]);
    assert!(fine.len() <= 4, "{fine:?}");
    assert!(fine.iter().all(|load| (90.0..128.0).contains(load)), "{fine:?}");
}

#[test]
fn explicit_ends_need_no_further_probe() {
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=4ms"]);
    assert_eq!(probes(&plan, closed(8.0)), [1.0], "the smallest load breaks the rule");
    let plan = knee_plan(8, KneeGoal::Rules, &["mean<=4s"]);
    assert_eq!(probes(&plan, closed(8.0)), [1.0, 2.0, 4.0, 8.0], "the largest load meets it");
}

#[test]
fn several_rules_share_their_probes() {
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=6ms", "mean<=20ms", "mean<=35ms"]);
    assert_eq!(probes(&plan, closed(8.0)), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
}

#[test]
fn the_peak_search_goes_on_until_throughput_is_flat() {
    let plan = knee_plan(1024, KneeGoal::RulesAndPeak, &["mean<=5.5ms"]);
    // The rule is broken at 128, where throughput has still doubled: one more is needed.
    assert_eq!(probes(&plan, closed(100.0)).last(), Some(&102.0));
    let loads = probes(&plan, closed(100.0));
    assert!(loads.contains(&256.0), "{loads:?}");
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=5.5ms"]);
    assert!(!probes(&plan, closed(100.0)).contains(&256.0));
}

#[test]
fn the_load_rises_until_throughput_does_not() {
    // 8 servers: nothing is gained beyond 8, and two levels must say so.
    let plan = knee_plan(512, KneeGoal::Saturation, &["mean<=6ms"]);
    assert_eq!(probes(&plan, closed(8.0)), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
    let one_came_out_low = |load: f64| {
        let (iops, ms) = closed(64.0)(load);
        (if load == 4.0 { iops / 2.0 } else { iops }, ms)
    };
    assert_eq!(probes(&plan, one_came_out_low).last(), Some(&256.0));
    assert_eq!(probes(&plan, |load| (load, 1.0)).last(), Some(&512.0), "it still rises");
}

/// The same system, measured within `width` (a share of the mean); every load in `disturbed` is
/// disturbed as often as it says.
fn noisy_probes(plan: &Plan, width: f64, disturbed: &[(f64, usize)]) -> Vec<PointResult> {
    let mut measured: Vec<PointResult> = Vec::new();
    while let Some(next) = next_point(plan, &measured) {
        let load = next.load.value;
        let (iops, ms) = (100.0 * load.sqrt(), load.sqrt());
        let times = measured.iter().filter(|point| point.load == next.load).count();
        let limit = disturbed.iter().find(|(at, _)| *at == load).map_or(0, |(_, times)| *times);
        let is_disturbed = times < limit;
        let found = point(next.load, iops, if is_disturbed { 100.0 * ms } else { ms });
        measured.push(PointResult {
            repetition: next.repetition,
            rate: Throughput::iops(Estimate { mean: iops, ci95: Some(width * iops) }),
            latency_ms: Latency { ci95: Some(width * ms), ..found.latency_ms },
            verdict: if is_disturbed { Verdict::Disturbed } else { Verdict::Steady },
            ..found
        });
        assert!(measured.len() < 100, "the search ends");
    }
    measured
}

fn loads(points: &[PointResult]) -> Vec<f64> {
    points.iter().map(|point| point.load.value).collect()
}

fn outcome(plan: &Plan, points: &[PointResult]) -> SearchOutcome {
    let points: Vec<&PointResult> = points.iter().collect();
    search_outcome(plan, &plan.series[0], &plan.rules[0], (&points, &points)).unwrap()
}

#[test]
fn a_bracket_whose_sides_cannot_be_told_apart_is_not_narrowed() {
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=10.02ms"]);
    let sharp = noisy_probes(&plan, 0.001, &[]);
    assert!(loads(&sharp).iter().any(|load| (95.0..105.0).contains(load)), "{:?}", loads(&sharp));
    assert_eq!(outcome(&plan, &sharp).end, SearchEnd::Close);
    // Known within 15 %: 64 and 128 can be told apart, but nothing in between from both.
    let blurred = noisy_probes(&plan, 0.15, &[]);
    assert!(blurred.len() <= 9, "{:?}", loads(&blurred));
    assert_eq!(outcome(&plan, &blurred).end, SearchEnd::Noise);
}

#[test]
fn a_disturbed_probe_is_measured_again_before_it_ends_anything() {
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=10.02ms"]);
    // The first load breaks the rule only because it is disturbed.
    let once = noisy_probes(&plan, 0.001, &[(1.0, 1)]);
    let undisturbed = noisy_probes(&plan, 0.001, &[]);
    assert_eq!(loads(&once)[..3], [1.0, 1.0, 2.0]);
    assert_eq!(loads(&once)[1..], loads(&undisturbed), "the search goes on as if nothing was");
    assert_eq!(once[1].repetition, 1000, "each point has its own number");
    assert_eq!(outcome(&plan, &once).disturbed, Vec::<f64>::new());
}

#[test]
fn a_load_that_stays_disturbed_is_left_out() {
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=10.02ms"]);
    for always in [1.0, 32.0] {
        let found = noisy_probes(&plan, 0.001, &[(always, 99)]);
        let times = loads(&found).iter().filter(|load| **load == always).count();
        assert_eq!(times, 1 + knee::AGAIN_MAX);
        let outcome = outcome(&plan, &found);
        assert_eq!((outcome.end, outcome.disturbed), (SearchEnd::Close, Vec::new()));
        assert!(loads(&found).contains(&128.0), "{:?}", loads(&found));
    }
}

#[test]
fn where_everything_stays_disturbed_the_search_ends_and_names_what_it_rests_on() {
    let plan = knee_plan(1024, KneeGoal::Rules, &["mean<=10.02ms"]);
    let every: Vec<(f64, usize)> = (0..11).map(|power| (f64::from(1_u32 << power), 99)).collect();
    let found = noisy_probes(&plan, 0.001, &every);
    assert_eq!(loads(&found), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let outcome = outcome(&plan, &found);
    assert_eq!((outcome.end, outcome.disturbed), (SearchEnd::BelowFirst, vec![1.0]));
}

#[test]
fn a_disturbed_peak_is_measured_again() {
    let plan = knee_plan(512, KneeGoal::Saturation, &["mean<=6ms"]);
    let mut measured: Vec<PointResult> = Vec::new();
    while let Some(next) = next_point(&plan, &measured) {
        let is_first = !measured.iter().any(|point| point.load == next.load);
        let is_disturbed = is_first && [2.0, 4.0].contains(&next.load.value);
        let (iops, ms) = closed(64.0)(next.load.value);
        let found = point(next.load, if is_disturbed { iops / 10.0 } else { iops }, ms);
        let verdict = if is_disturbed { Verdict::Disturbed } else { Verdict::Steady };
        measured.push(PointResult { verdict, ..found });
    }
    assert_eq!(loads(&measured)[..5], [1.0, 2.0, 4.0, 2.0, 8.0]);
    assert_eq!(loads(&measured).last(), Some(&256.0));
}

#[test]
fn a_search_with_disturbed_points_continues_where_it_stopped() {
    let plan = knee_plan(1024, KneeGoal::RulesAndPeak, &["mean<=10.02ms"]);
    let whole = noisy_probes(&plan, 0.001, &[(1.0, 1), (32.0, 99), (128.0, 2)]);
    for stopped in 0..whole.len() {
        let next = next_point(&plan, &whole[..stopped]).unwrap();
        assert_eq!(next.load, whole[stopped].load);
    }
}

#[test]
fn an_overloaded_point_breaks_every_rule() {
    let rule: Rule = "mean<=1s".parse().unwrap();
    let open = OpenLoopResult {
        offered_rate: 100.0,
        delivered_rate: 50.0,
        overloaded: true,
        lag_mean_ms: 0.0,
        lag_max_ms: 0.0,
        service_mean_ms: 1.0,
    };
    let fine = point(LoadLevel::offered(40.0), 40.0, 1.0);
    let over = PointResult { open_loop: Some(open), ..point(LoadLevel::offered(100.0), 50.0, 9.0) };
    let points = settled::settled(&[&fine, &over]);
    let bracket = knee::bracket(&points, &rule).unwrap();
    assert_eq!(bracket.breaks.point.load, LoadLevel::offered(100.0));
}

#[test]
fn repetitions_are_interleaved_in_an_order_of_the_seed() {
    let mut plan = plan_of("null:", 1);
    plan.repetitions = 3;
    plan.series[0].loads.levels = (1..=20).map(f64::from).collect();
    let run = |plan: &Plan| probes(plan, |load| (load, 1.0));
    let loads = run(&plan);
    assert_eq!(loads.len(), 60);
    for repetition in loads.chunks(20) {
        let mut sorted = repetition.to_vec();
        assert_ne!(repetition, &plan.series[0].loads.levels[..], "shuffled");
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted, plan.series[0].loads.levels, "each repetition is whole");
    }
    assert_ne!(loads[..20], loads[20..40]);
    assert_eq!(run(&plan), loads, "the order is the seed's");
    plan.seed = 2;
    assert_ne!(run(&plan), loads);
}

#[test]
fn a_run_continues_where_it_stopped() {
    let plan = knee_plan(1024, KneeGoal::RulesAndPeak, &["mean<=6ms", "mean<=20ms"]);
    let system = closed(8.0);
    let whole = probes(&plan, &system);
    for stopped in 0..whole.len() {
        let measured: Vec<PointResult> = whole[..stopped]
            .iter()
            .map(|load| {
                let (iops, ms) = system(*load);
                point(LoadLevel { value: *load, unit: LoadUnit::OutstandingIos }, iops, ms)
            })
            .collect();
        let next = next_point(&plan, &measured).unwrap();
        assert_eq!(next.load.value, whole[stopped]);
    }
}
