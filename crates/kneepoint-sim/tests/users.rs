//! Users on a simulated server, against the answer of queueing theory.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_core::analysis::summarize_plan;
use kneepoint_core::measure::{Memory, Run, Testbed, Unwatched};
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::plan::{Plan, TypedLoads};
use kneepoint_core::result::{PointResult, SustainedStatus, ThroughputUnit};
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::spec::profile::UserWork;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::SimTestbed;

/// Measures `users` of the profile `office` on a server, each load for `time`.
fn measured(processors: u32, users: &str, time: Nanos) -> (Plan, Vec<PointResult>) {
    let target = format!("sim:analytic/desktop?processors={processors}");
    let mut testbed = SimTestbed::new(&[target]).unwrap();
    let wishes = Wishes {
        loads: Some(TypedLoads::Of(Loads::parse(users, LoadUnit::Users).unwrap())),
        time: Some(time),
        ..Wishes::default()
    };
    let suite = catalog::work("office").unwrap();
    let draft = Draft::new(&suite, &wishes).unwrap();
    let plan = draft.resolve(&testbed.site(&wishes)).unwrap();
    let mut memory = Memory::default();
    Run::new(&plan).measure(&mut testbed, &mut memory, &mut Unwatched).unwrap();
    (plan, memory.points)
}

/// Operations per second and mean response time in milliseconds of `users` whose work shares
/// `processors`.
///
/// With n users waiting for responses and all others pausing, the probability of n is in proportion to
/// Z^(N-n) / (N-n)! times D^n over the product of min(i, c) for i up to n: N users, a mean pause of Z, a
/// mean processor time of D, and c processors.
fn theory(work: &UserWork, processors: u32, users: u32) -> (f64, f64) {
    let (pause, demand) = (work.think.0 as f64 / 1e9, work.demand_ns_mean() / 1e9);
    // Each from the one before, so that nothing grows beyond bounds.
    let (mut weight, mut sum, mut waiting) = (1.0, 1.0, 0.0);
    for n in 1..=users {
        let rate = f64::from(n.min(processors));
        weight *= demand * f64::from(users - n + 1) / (pause * rate);
        sum += weight;
        waiting += f64::from(n) * weight;
    }
    let waiting = waiting / sum;
    let per_s = (f64::from(users) - waiting) / pause;
    (per_s, 1e3 * waiting / per_s)
}

/// Holds what is measured against theory, within 1 % and 3 %.
fn check(processors: u32, users: u32) {
    let time = Nanos::from_secs(40_000);
    let (plan, points) = measured(processors, &users.to_string(), time);
    let work = plan.series[0].profile.users().unwrap();
    let (per_s, mean_ms) = theory(work, processors, users);
    let point = points.iter().find(|point| point.load.value == f64::from(users)).unwrap();
    let at = format!("{users} users on {processors}");
    let near = |value: f64, expected: f64, within: f64| (value / expected - 1.0).abs() < within;
    assert!(near(point.rate.mean, per_s, 0.01), "{at}: {} op/s, not {per_s}", point.rate.mean);
    let mean = point.latency_ms.mean;
    assert!(near(mean, mean_ms, 0.03), "{at}: {mean} ms, not {mean_ms}");
    // Processors that are shared equally slow every class down alike.
    let class = |name: &str| point.class(name).unwrap().latency_ms.mean;
    let slower = class("keystroke") / 4.0;
    assert!(near(class("open") / 200.0, slower, 0.05), "{at}: {slower}");
}

#[test]
fn users_follow_theory() {
    check(1, 1);
    check(1, 10);
    check(1, 35);
    check(2, 40);
    check(4, 200);
}

#[test]
fn users_move_no_bytes_and_have_the_classes_of_their_profile() {
    let (plan, points) = measured(1, "1,20", Nanos::from_secs(600));
    let loads: Vec<f64> = points.iter().map(|point| point.load.value).collect();
    assert_eq!(loads, [1.0, 5.0, 20.0], "the reference of the rule is measured");
    for point in &points {
        assert_eq!(point.rate.unit, ThroughputUnit::OperationsPerS);
        assert_eq!((point.volume, point.storage), (None, None));
        assert_eq!(point.classes.keys().collect::<Vec<_>>(), ["keystroke", "open"]);
        let operations: u64 = point.classes.values().map(|class| class.operations).sum();
        assert_eq!(operations, point.operations);
    }
    assert_eq!(measured(1, "1,20", Nanos::from_secs(600)).1, points, "the seed decides all of it");
    assert_eq!(summarize_plan(&points, &plan).len(), 1);
}

#[test]
fn the_most_users_are_found() {
    let (plan, points) = measured(1, "auto", Nanos::from_secs(2_000));
    let summary = summarize_plan(&points, &plan).remove(0);
    assert_eq!(
        (summary.rule.as_str(), summary.sustained.status),
        ("mean<=2x@5", SustainedStatus::Met)
    );
    // Where theory crosses twice the mean of five users.
    let work = plan.series[0].profile.users().unwrap();
    let limit = 2.0 * theory(work, 1, 5).1;
    let most = (5..200).take_while(|users| theory(work, 1, *users).1 <= limit).last().unwrap();
    let found = summary.sustained.load.unwrap();
    assert!((found / f64::from(most) - 1.0).abs() < 0.15, "{found}, not about {most}");
}
