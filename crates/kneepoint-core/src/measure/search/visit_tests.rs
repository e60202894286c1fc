//! The fit through visits, and the search that makes them, on systems without chance or with little.

use std::collections::BTreeMap;

use super::answer::{Answer, is_visited};
use super::*;
use crate::plan::tests::plan_of;
use crate::result::{
    AGAIN_FROM, Estimate, Latency, OpenLoopResult, PointResult, Throughput, Verdict,
};
use crate::spec::grid::{KneePlan, LoadGrid};
use crate::words::load::LoadUnit;
use crate::words::seed;
use crate::words::units::{Nanos, Percent};

/// A closed system of 8 servers of 5 ms, whose rate swings by `swing` of itself from visit to visit.
fn closed(swing: f64) -> impl Fn(f64, usize) -> (f64, f64) {
    move |load, number| {
        let sign = if seed::derive(1, "swing", number as u64) & 1 == 0 { 1.0 } else { -1.0 };
        let rate = load.min(8.0) * 200.0 * (1.0 + sign * swing);
        (rate, 1000.0 * load / rate)
    }
}

fn visit(load: f64, (rate, mean): (f64, f64), repetition: u32) -> PointResult {
    PointResult {
        series: "test/4KiB".into(),
        load: LoadLevel { value: load, unit: LoadUnit::OutstandingIos },
        rate: Throughput::iops(Estimate { mean: rate, ci95: None }),
        latency_ms: Latency { mean, ..Latency::default() },
        measured_s: 1.0,
        verdict: Verdict::Fixed,
        repetition,
        ..PointResult::default()
    }
}

fn plan(goal: KneeGoal, rules: &[&str]) -> Plan {
    let mut plan = plan_of("null:", 1);
    plan.rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    let levels = (0..10).map(|power| f64::from(1_u32 << power)).collect();
    plan.series[0].loads = LoadGrid { unit: LoadUnit::OutstandingIos, levels };
    let percent = |percent| Percent::new(percent).unwrap();
    let knee = KneePlan { goal, tolerance: percent(2.5), answer: Some(percent(5.0)) };
    plan.series[0].search = SearchPlan::Knee(knee);
    taking(plan, 30)
}

/// Searches on `system`, which is told the load and the number of the visit.
fn search(plan: &Plan, system: impl Fn(f64, usize) -> (f64, f64)) -> Vec<PointResult> {
    let mut visits: Vec<PointResult> = Vec::new();
    while let Some(next) = next_point(plan, &visits) {
        assert!(next.visit.is_some(), "{next:?}");
        let load = next.load.value;
        visits.push(visit(load, system(load, visits.len()), next.repetition));
        assert!(visits.len() < 400, "the search ends");
    }
    visits
}

fn loads(visits: &[PointResult]) -> Vec<f64> {
    visits.iter().map(|visit| visit.load.value).collect()
}

fn end(plan: &Plan, visits: &[PointResult]) -> SearchEnd {
    let visits: Vec<&PointResult> = visits.iter().collect();
    let outcome = search_outcome(plan, &plan.series[0], &plan.rules[0], (&visits, &visits));
    outcome.unwrap().end
}

fn answer<'a>(visits: &[&'a PointResult], rule: &str) -> Answer<'a> {
    Answer::of(visits, &rule.parse().unwrap()).unwrap()
}

#[test]
fn the_load_doubles_and_then_the_answer_is_visited_from_both_sides() {
    let plan = plan(KneeGoal::Rules, &["mean<=19ms"]);
    let visits = search(&plan, closed(0.01));
    let all = loads(&visits);
    let (up, around) = all.split_at(6);
    assert_eq!(up, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
    assert!(around.iter().all(|load| (27.0..34.0).contains(load)), "{around:?}");
    assert!(visits.len() <= 24, "{} visits", visits.len());
    let is_same = |three: &[f64]| three[0] == three[1] && three[1] == three[2];
    assert!(!around.windows(3).any(is_same), "{around:?}");
    assert_eq!(end(&plan, &visits), SearchEnd::Known);
    let visits: Vec<&PointResult> = visits.iter().collect();
    let rate = answer(&visits, "mean<=19ms").at(&visits, |visit| Some(visit.rate.mean)).unwrap();
    assert!((rate.mean / 1600.0 - 1.0).abs() < 0.01, "{rate:?}");
    assert!(rate.relative_width() < 0.05 && rate.relative_width() > 0.0, "{rate:?}");
}

#[test]
fn few_outstanding_ios_are_told_apart_one_by_one() {
    let plan = plan(KneeGoal::Rules, &["mean<=5.5ms"]);
    let visits = search(&plan, closed(0.01));
    let around = &loads(&visits)[5..];
    assert!(around.iter().all(|load| (8.0..=12.0).contains(load)), "{around:?}");
    let visits: Vec<&PointResult> = visits.iter().collect();
    let Answer::Crossing(fit) = answer(&visits, "mean<=5.5ms") else { panic!("no crossing") };
    assert!((8.5..9.2).contains(&fit.load), "{}", fit.load);
}

/// The interval of the answer is made of the scatter between visits.
#[test]
fn what_changes_between_visits_takes_more_of_them() {
    let plan = plan(KneeGoal::Rules, &["mean<=20ms"]);
    let (calm, wild) = (search(&plan, closed(0.01)).len(), search(&plan, closed(0.15)).len());
    assert!(wild > calm, "{wild} visits against {calm}");
}

#[test]
fn a_rule_that_every_load_meets_or_none_is_a_bound() {
    let plan_of_rule = |rule: &str| plan(KneeGoal::Rules, &[rule]);
    let all = search(&plan_of_rule("mean<=10s"), closed(0.01));
    assert_eq!(end(&plan_of_rule("mean<=10s"), &all), SearchEnd::BeyondLast);
    let none = search(&plan_of_rule("mean<=1ms"), closed(0.01));
    assert_eq!(end(&plan_of_rule("mean<=1ms"), &none), SearchEnd::BelowFirst);
    assert!(loads(&none).iter().all(|load| *load == 1.0), "{:?}", loads(&none));
}

/// Beyond 8 outstanding I/Os throughput falls, and the rule is broken far behind that.
#[test]
fn throughput_that_collapses_before_the_limit_is_sustained_at_its_height() {
    let collapsing = |load: f64, number: usize| {
        let (rate, _) = closed(0.01)(load, number);
        let rate = rate / (1.0 + 0.05 * (load - 8.0).max(0.0));
        (rate, 1000.0 * load / rate)
    };
    let plan = plan(KneeGoal::Rules, &["mean<=20ms"]);
    let visits = search(&plan, collapsing);
    // What changes meanwhile meets the height and the crossing alike.
    let around = &loads(&visits)[6..];
    let is_again = |pair: &[f64]| pair[0] == pair[1] && pair[0] == 8.0;
    assert!(around.contains(&8.0) && !around.windows(2).any(is_again), "{around:?}");
    let visits: Vec<&PointResult> = visits.iter().collect();
    assert!(matches!(answer(&visits, "mean<=20ms"), Answer::At(load) if load == 8.0));
}

#[test]
fn one_visit_that_came_out_high_is_no_collapse() {
    let plan = plan(KneeGoal::Rules, &["mean<=20ms"]);
    let once_high = |load: f64, number: usize| {
        let (rate, _) = closed(0.01)(load, number);
        let rate = if number == 4 { rate * 1.2 } else { rate };
        (rate, 1000.0 * load / rate)
    };
    let visits = search(&plan, once_high);
    let again = loads(&visits)[5..].iter().filter(|load| **load == 16.0).count();
    assert!(again > 0, "the load that seems to be faster is visited again");
    let visits: Vec<&PointResult> = visits.iter().collect();
    assert!(matches!(answer(&visits, "mean<=20ms"), Answer::Crossing(_)));
}

#[test]
fn several_rules_and_the_peak_share_visits() {
    let one = plan(KneeGoal::Rules, &["mean<=20ms"]);
    let three = plan(KneeGoal::RulesAndPeak, &["mean<=20ms", "mean<=19ms"]);
    let (one, three) = (search(&one, closed(0.01)).len(), search(&three, closed(0.01)).len());
    assert!(three < one + 12, "{three} visits against {one}");
}

#[test]
fn a_search_goes_on_where_it_stopped() {
    let plan = plan(KneeGoal::RulesAndPeak, &["mean<=20ms"]);
    let whole = search(&plan, closed(0.05));
    for stopped in 0..whole.len() {
        let next = next_point(&plan, &whole[..stopped]).unwrap();
        assert_eq!(next.load, whole[stopped].load);
    }
}

#[test]
fn disturbed_visits_count_only_if_most_are() {
    let number = |count: u32, verdict| {
        (0..count).map(move |index| PointResult {
            verdict,
            ..visit(8.0, (1600.0, 5.0), index * AGAIN_FROM)
        })
    };
    let few: Vec<PointResult> =
        number(3, Verdict::Fixed).chain(number(2, Verdict::Disturbed)).collect();
    let most: Vec<PointResult> =
        number(2, Verdict::Fixed).chain(number(3, Verdict::Disturbed)).collect();
    let counts = |points: &[PointResult]| counted(&points.iter().collect::<Vec<_>>()).len();
    assert_eq!((counts(&few), counts(&most)), (3, 5));
    assert!(is_visited(&few.iter().collect::<Vec<_>>()));
    // However disturbed: no search of another kind measures a load so often.
    let all: Vec<PointResult> = number(4, Verdict::Disturbed).collect();
    assert!(is_visited(&all.iter().collect::<Vec<_>>()));
    assert!(!is_visited(&all[..3].iter().collect::<Vec<_>>()), "measured again, at most twice");
    let one_again = [visit(8.0, (1.0, 1.0), 0), visit(16.0, (1.0, 1.0), 0)];
    assert!(!is_visited(&one_again.iter().collect::<Vec<_>>()));
}

#[test]
fn a_search_that_is_disturbed_most_of_the_time_ends_early_and_says_so() {
    let plan = plan(KneeGoal::Rules, &["mean<=20ms"]);
    let search = |disturbed: usize| {
        let mut visits: Vec<PointResult> = Vec::new();
        while let Some(next) = next_point(&plan, &visits) {
            let (load, count) = (next.load.value, visits.len());
            let verdict = if count % 10 < disturbed { Verdict::Disturbed } else { Verdict::Fixed };
            let wild = closed(0.4)(load, count);
            visits.push(PointResult { verdict, ..visit(load, wild, next.repetition) });
        }
        visits
    };
    let (few, most) = (search(2), search(8));
    assert_eq!(end(&plan, &most), SearchEnd::Disturbed);
    assert_ne!(end(&plan, &few), SearchEnd::Disturbed);
    assert!(most.len() <= 30, "{} visits: no longer than a quarter of the most", most.len());
}

#[test]
fn a_search_settles_for_a_wide_interval_once_its_time_is_over() {
    let visits = |swing: f64, seconds: u64| {
        let plan = taking(plan(KneeGoal::Rules, &["mean<=20ms"]), seconds);
        let visits = search(&plan, closed(swing));
        assert_eq!(end(&plan, &visits), SearchEnd::TimeUp);
        visits.len()
    };
    // Each visit takes a second, and the answer has an interval long before.
    assert!((20..25).contains(&visits(0.25, 30)), "{}", visits(0.25, 30));
    assert!((39..45).contains(&visits(0.25, 60)), "{}", visits(0.25, 60));
    // One that is too wide to be settled for goes on, unless it would take too long to be narrower.
    let (wide, wild) = (visits(0.4, 30), visits(0.8, 30));
    assert!(wild < wide && (20..25).contains(&wild) && wide <= 41, "{wild} and {wide}");
    // One whose interval is narrow enough does not use up its time.
    let plan = plan(KneeGoal::Rules, &["mean<=20ms"]);
    assert_eq!(end(&plan, &search(&plan, closed(0.01))), SearchEnd::Known);
}

#[test]
fn a_rule_that_is_hard_to_tell_leaves_the_others_their_time() {
    // Rates swing where the first rule is reached, at 32, and not at 96, where the second one is.
    let swing = |load: f64| if load < 60.0 { 0.2 } else { 0.01 };
    let uneven = |load: f64, number: usize| closed(swing(load))(load, number);
    let plan = plan(KneeGoal::RulesAndPeak, &["mean<=20ms", "mean<=60ms"]);
    let visits = search(&plan, uneven);
    assert_eq!(end(&plan, &visits), SearchEnd::TimeUp);
    let loads = loads(&visits);
    let second = loads.iter().position(|load| (70.0..120.0).contains(load)).unwrap();
    // A visit takes a second. Each of three answers has 9.2 s, but twelve visits at least, after the eight
    // on the way up; one of these may be near the answer.
    assert!((19..25).contains(&second), "{loads:?}");
    assert!(loads.len() <= 50, "{loads:?}");
}

#[test]
fn a_search_for_the_peak_alone_is_on_its_way_up_however_long_that_takes() {
    let visits = search(&taking(plan(KneeGoal::RulesAndPeak, &[]), 5), closed(0.0));
    assert!([16.0, 32.0].iter().all(|load| loads(&visits).contains(load)), "{:?}", loads(&visits));
}

/// The plan with points of at most that long.
fn taking(mut plan: Plan, seconds: u64) -> Plan {
    plan.timing.stop = crate::plan::StopRule::FixedTime { measure: Nanos::from_secs(seconds) };
    plan
}

#[test]
fn the_peak_is_the_lowest_load_that_is_about_as_fast_as_the_fastest() {
    let plan = plan(KneeGoal::RulesAndPeak, &[]);
    // From 8 on by so much slower than what follows.
    let again = |slower: f64| {
        let system = |load: f64, _| {
            let rate = load.min(8.0) * 200.0 * if load <= 8.0 { 1.0 - slower } else { 1.0 };
            (rate, 1000.0 * load / rate)
        };
        let visits = search(&plan, system);
        let mut counts = BTreeMap::new();
        visits.iter().for_each(|visit| *counts.entry(visit.load.value as u32).or_insert(0) += 1);
        counts.into_iter().filter(|(_, count)| *count > 1).collect::<Vec<(u32, u32)>>()
    };
    assert_eq!(again(0.015), [(8, 5)]);
    assert_eq!(again(0.03), [(16, 5)]);
}

#[test]
fn the_peak_takes_at_most_20_visits_however_it_swings() {
    let plan = taking(plan(KneeGoal::RulesAndPeak, &[]), 60);
    let swinging = |load: f64, number| {
        let (rate, _) = closed(if load == 8.0 { 0.5 } else { 0.0 })(load, number);
        // Elsewhere it is slower by far.
        let rate = if load == 8.0 { 3.0 * rate } else { rate };
        (rate, 1000.0 * load / rate)
    };
    let visits = search(&plan, swinging);
    assert_eq!(loads(&visits).iter().filter(|load| **load == 8.0).count(), 20);
}

/// A visit of a queue with one server of 1 ms and a rate offered to it: beyond 1,000 per second it is
/// overloaded, and its response time is `slow_ms`.
fn offered(load: f64, slow_ms: f64, repetition: u32) -> PointResult {
    let overloaded = load >= 1000.0;
    let mean = if overloaded { slow_ms } else { 1000.0 / (1000.0 - load) };
    PointResult {
        load: LoadLevel { value: load, unit: LoadUnit::OfferedIops },
        open_loop: Some(OpenLoopResult {
            offered_rate: load,
            delivered_rate: load.min(1000.0),
            overloaded,
            lag_mean_ms: 0.0,
            lag_max_ms: 0.0,
            service_mean_ms: mean,
        }),
        ..visit(load, (load.min(1000.0), mean), repetition)
    }
}

fn plan_of_rates(rules: &[&str]) -> Plan {
    let mut plan = plan(KneeGoal::Rules, rules);
    let levels = (0..10).map(|power| 100.0 * f64::from(1_u32 << power)).collect();
    plan.series[0].loads = LoadGrid { unit: LoadUnit::OfferedIops, levels };
    plan
}

/// Visits up to the first that breaks the rule, and what comes next.
fn next_of_rates(plan: &Plan, loads: &[f64], slow_ms: f64) -> (f64, Visit) {
    let visits: Vec<PointResult> = loads.iter().map(|load| offered(*load, slow_ms, 0)).collect();
    let next = next_point(plan, &visits).unwrap();
    (next.load.value, next.visit.unwrap())
}

#[test]
fn the_queue_of_a_rate_that_was_too_high_is_not_taken_along() {
    let plan = plan_of_rates(&["mean<=7ms"]);
    let (_, next) = next_of_rates(&plan, &[100.0, 200.0, 400.0, 800.0], 0.0);
    assert_eq!(next.start, VisitStart::InFlight, "as long as the target keeps up");
    let all = [100.0, 200.0, 400.0, 800.0, 1600.0];
    assert_eq!(next_of_rates(&plan, &all, 160.0).1.start, VisitStart::AtRest);
    // As long a queue as the rule allows is gone by the end of the ramp.
    assert_eq!(next_of_rates(&plan, &all, 7.0).1.start, VisitStart::InFlight);
    let closed = [visit(8.0, (1600.0, 5.0), 0), visit(16.0, (20.0, 1000.0), 0)];
    let plan = super::visit_tests::plan(KneeGoal::Rules, &["mean<=7ms"]);
    let next = next_point(&plan, &closed).unwrap();
    assert_eq!(
        next.visit.unwrap().start,
        VisitStart::InFlight,
        "a closed loop has no more than its load"
    );
}

#[test]
fn an_overloaded_visit_says_what_the_target_can_do() {
    // -1/r from 800 to 1000 delivered, not to 1600 offered: 857 is the middle between both sides.
    let plan = plan_of_rates(&["mean<=7ms"]);
    let (load, _) = next_of_rates(&plan, &[100.0, 200.0, 400.0, 800.0, 1600.0], 160.0);
    assert!((800.0..=857.2 * 1.07).contains(&load), "{load}");
}

#[test]
fn what_is_slower_than_any_answer_is_not_visited_for_longer() {
    let length = |rules: &[&str], slow_ms| {
        let plan = plan_of_rates(rules);
        let load = LoadLevel { value: 1600.0, unit: LoadUnit::OfferedIops };
        let asked = Asked {
            timing: &plan.timing,
            rules: &plan.rules,
            target_count: 1.0,
            shortest: Visit::shortest(&plan.series[0]),
        };
        let seen = Seen { load: 1600.0, rate: 1000.0, response_s: slow_ms / 1e3 };
        asked.visit(load, Some(seen)).measure
    };
    assert_eq!(length(&["mean<=7ms"], 10.0), Nanos::from_secs(2));
    assert_eq!(length(&["mean<=7ms"], 20.0), length(&["mean<=7ms"], 14.0));
    assert!(length(&[], 20.0) > length(&["mean<=7ms"], 20.0), "without a rule any may be");
    assert_eq!(length(&["p95<=7ms"], 5.0), Nanos::from_secs(3), "a percentile takes longer");
    assert_eq!(length(&["mean<=7ms"], 5.0), Nanos::from_secs(1));
}
