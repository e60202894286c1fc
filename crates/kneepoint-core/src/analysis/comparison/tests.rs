//! Comparisons of made-up runs whose answer is plain.

use super::*;
use crate::analysis::{findings, summarize};
use crate::plan::{Plan, tests::plan_of};
use crate::result::{
    Environment, Estimate, HostEnvironment, Latency, PointResult, RunAnalysis, RunHeader, RunState,
    Significance, StorageResult, TargetEnvironment, Throughput, Verdict,
};
use crate::words::load::LoadLevel;

/// A point of series `s` with relative half-widths of `accuracy`.
pub(in crate::analysis) fn point(outstanding: u32, iops: f64, accuracy: f64) -> PointResult {
    let mean_ms = 1e3 * f64::from(outstanding) / iops;
    let within = |mean: f64| Estimate { mean, ci95: Some(mean * accuracy) };
    PointResult {
        series: "test/4KiB".into(),
        profile: "test".into(),
        storage: Some(StorageResult {
            block_bytes: 4096,
            random_percent: 100.0,
            ..StorageResult::default()
        }),
        rate: Throughput::iops(within(iops)),
        volume: Some(Throughput::mib_s(within(iops / 256.0))),
        latency_ms: Latency {
            mean: mean_ms,
            ci95: Some(mean_ms * accuracy),
            p99: Some(2.0 * mean_ms),
            ..Latency::default()
        },
        load: LoadLevel::outstanding(outstanding),
        verdict: Verdict::Steady,
        ..PointResult::default()
    }
}

/// A run of `points` on `target`.
pub(in crate::analysis) fn run(target: &str, points: Vec<PointResult>) -> RunDocument {
    let plan: Plan = plan_of(target, 1);
    let header = RunHeader {
        id: target.to_owned(),
        label: String::new(),
        work: "test".into(),
        state: RunState::Complete,
        started_at: String::new(),
        finished_at: String::new(),
        plan_hash: plan.hash(),
        seed: 1,
        version: "1".into(),
        command: String::new(),
    };
    let environment = Environment {
        targets: vec![TargetEnvironment {
            target: target.into(),
            host: String::new(),
            kind: crate::plan::TargetKind::Sim,
            size_bytes: 1,
            file_system: String::new(),
            device: std::collections::BTreeMap::new(),
            settings: std::collections::BTreeMap::new(),
            class: None,
            model: None,
        }],
        hosts: vec![HostEnvironment::default()],
        published: Vec::new(),
        imported: None,
    };
    RunDocument {
        schema: crate::result::RUN_SCHEMA.to_owned(),
        run: header,
        environment,
        plan: serde_json::to_value(&plan).unwrap(),
        copies: Vec::new(),
        analysis: RunAnalysis {
            summaries: summarize(&points, &plan.rules),
            ..RunAnalysis::default()
        },
        points,
        warnings: Vec::new(),
    }
}

/// Points at 1, 4 and 16 outstanding I/Os of a system that does 1,000 IO/s times `factor`; 20 ms
/// are crossed between the last two.
fn points(factor: f64, accuracy: f64) -> Vec<PointResult> {
    let rate = [(1, 200.0), (4, 600.0), (16, 700.0)];
    rate.iter().map(|(load, iops)| point(*load, iops * factor, accuracy)).collect()
}

fn compared(left: &RunDocument, right: &RunDocument, conditions: &[&str]) -> Comparison {
    let conditions = conditions.iter().map(|text| text.parse().unwrap()).collect();
    compare(&[left, right], &CompareOptions { conditions, ..CompareOptions::default() }).unwrap()
}

fn figure<'a>(comparison: &'a Comparison, name: &str) -> &'a ComparedFigure {
    let figures = &comparison.series[0].figures;
    figures.iter().find(|figure| figure.measure.name() == name).unwrap()
}

fn difference<'a>(comparison: &'a Comparison, name: &str) -> &'a Difference {
    figure(comparison, name).differences[1].as_ref().unwrap()
}

#[test]
fn a_clear_difference_is_found_in_every_figure() {
    let comparison = compared(&run("a", points(1.0, 0.02)), &run("b", points(1.3, 0.02)), &[]);
    for name in ["peak.iops", "iops"] {
        let difference = difference(&comparison, name);
        assert!((difference.percent - 30.0).abs() < 1e-9, "{difference:?}");
        assert_eq!(difference.significance, Significance::Significant);
        let [low, high] = difference.interval_percent.unwrap();
        assert!(low > 25.0 && high < 35.0, "{low} {high}");
    }
    let slower = difference(&comparison, "latency.mean");
    assert!((slower.percent + 100.0 * 0.3 / 1.3).abs() < 1e-9);
    let sustained = difference(&comparison, "sustained.iops");
    assert_eq!(sustained.significance, Significance::Significant);
    // Three figures of a rate, one of a response time; the percentile has no interval.
    assert_eq!(comparison.tests, TestFamilies { figures: 3, points: 3 });
    assert_eq!(difference(&comparison, "latency.p99").significance, Significance::Unknown);
}

#[test]
fn equal_runs_do_not_differ_and_a_run_can_be_compared_with_itself() {
    let left = run("a", points(1.0, 0.02));
    let comparison = compared(&left, &left, &[]);
    let figures =
        comparison.series.iter().flat_map(|series| series.figures.iter().chain(&series.points));
    for difference in figures.flat_map(|figure| &figure.differences).flatten() {
        assert_ne!(difference.significance, Significance::Significant);
        assert_eq!(difference.percent, 0.0);
    }
    assert_eq!(comparison.factors, []);
}

#[test]
fn a_sustained_throughput_that_is_only_bounded_says_so() {
    let broken: Vec<PointResult> = [1, 4].map(|load| point(load, 30.0, 0.02)).into();
    let comparison =
        compared(&run("a", points(1.0, 0.02)), &run("b", broken), &["sustained.iops -5%"]);
    let sustained = difference(&comparison, "sustained.iops");
    assert_eq!(sustained.bound, Bound::AtMost);
    assert_eq!(sustained.significance, Significance::Significant);
    assert_eq!(comparison.gate.unwrap().outcome, GateOutcome::Failed);
}

#[test]
fn nothing_is_claimed_of_disturbed_points() {
    let mut disturbed = points(1.3, 0.02);
    disturbed.iter_mut().for_each(|point| point.verdict = Verdict::Disturbed);
    let comparison = compared(&run("a", points(1.0, 0.02)), &run("b", disturbed), &["iops > +5%"]);
    let found = figure(&comparison, "iops");
    assert_eq!(found.differences[1].as_ref().unwrap().significance, Significance::Disturbed);
    assert_eq!(found.readings[1].as_ref().unwrap().reservations.len(), 3);
    let check = &comparison.gate.unwrap().checks[0];
    assert_eq!(check.outcome, GateOutcome::Undecided);
    assert_eq!(check.because, Some(UndecidedBecause::Disturbed));
}

#[test]
fn an_effect_is_judged_if_it_is_larger_than_what_disturbed_can_explain() {
    let significance = |factor: f64, percent: f64| {
        let mut disturbed = points(factor, 0.02);
        for point in &mut disturbed {
            point.verdict = Verdict::Disturbed;
            point.disturbed_percent = Some(percent);
        }
        let (left, right) = (run("a", points(1.0, 0.02)), run("b", disturbed));
        let comparison = compared(&left, &right, &["peak.iops < -5%"]);
        let outcome = comparison.gate.as_ref().unwrap().outcome;
        (difference(&comparison, "peak.iops").significance, outcome)
    };
    assert_eq!(significance(0.08, 13.0), (Significance::Significant, GateOutcome::Failed));
    assert_eq!(significance(0.9, 13.0), (Significance::Disturbed, GateOutcome::Undecided));
    assert_eq!(significance(0.5, 90.0), (Significance::Disturbed, GateOutcome::Undecided));
    assert_eq!(significance(1.5, 13.0), (Significance::Significant, GateOutcome::Passed));
}

#[test]
fn a_gate_has_three_outcomes() {
    let left = run("a", points(1.0, 0.02));
    let check = |factor: f64, accuracy: f64, condition: &str, expected: GateOutcome| {
        let right = run("b", points(factor, accuracy));
        let gate = compared(&left, &right, &[condition]).gate.unwrap();
        assert_eq!(gate.outcome, expected, "{:?}", gate.checks);
    };
    check(0.8, 0.02, "peak.iops < -5%", GateOutcome::Failed);
    check(0.99, 0.02, "peak.iops < -5%", GateOutcome::Passed);
    check(0.95, 0.02, "peak.iops < -5%", GateOutcome::Undecided);
    check(0.9, 0.2, "peak.iops < -5%", GateOutcome::Undecided);
    check(0.8, 0.02, "latency.mean > +10%", GateOutcome::Failed);
    check(0.8, 0.02, "*/4KiB: latency.mean > +50%", GateOutcome::Passed);
    check(0.8, 0.02, "latency.p99 > +10%", GateOutcome::Undecided);
}

#[test]
fn a_run_without_a_usable_point_fails_the_gate() {
    let mut failed = points(1.0, 0.02);
    failed.iter_mut().for_each(|point| point.verdict = Verdict::Failed);
    let comparison = compared(&run("a", points(1.0, 0.02)), &run("b", failed), &["iops -5%"]);
    let check = &comparison.gate.unwrap().checks[0];
    assert_eq!(check.outcome, GateOutcome::Failed);
    assert_eq!(check.because, Some(UndecidedBecause::AllFailed));
}

#[test]
fn repetitions_that_scatter_widen_the_interval_and_give_percentiles_one() {
    let scattered = |factor: f64| {
        let mut all = Vec::new();
        for (repetition, shift) in [(0, 0.9), (1, 1.0), (2, 1.1)] {
            for point in points(factor * shift, 0.001) {
                all.push(PointResult { repetition, ..point });
            }
        }
        all
    };
    let comparison = compared(&run("a", scattered(1.0)), &run("b", scattered(1.05)), &[]);
    let peak = difference(&comparison, "peak.iops");
    assert_eq!(peak.significance, Significance::NotSignificant);
    assert!(peak.detectable_percent.unwrap() > 5.0);
    assert!(difference(&comparison, "latency.p99").interval_percent.is_some());
}

/// With a look at every other point for each, this takes minutes.
#[test]
fn many_points_are_compared_in_a_time_that_grows_with_their_number() {
    let check = |points: Vec<PointResult>, series: usize, loads: usize| {
        let run = run("a", points);
        let comparison = compared(&run, &run, &["iops < -5%"]);
        assert_eq!(comparison.series.len(), series);
        assert_eq!(comparison.series[0].points.len(), 3 * loads);
        assert!(comparison.gate.unwrap().undecided_conditions().len() < 2);
        assert!(findings::of_points(&run.points).len() <= series);
    };
    // Without intervals, which take their time as well.
    let point = |load| {
        let mut point = point(load, 700.0, 0.02);
        (point.rate.ci95, point.volume, point.latency_ms.ci95) = (None, None, None);
        point
    };
    let loads = |verdict| (1..=4_000).map(move |load| PointResult { verdict, ..point(load) });
    check(loads(Verdict::Steady).collect(), 1, 4_000);
    check(loads(Verdict::Disturbed).collect(), 1, 4_000);
    let repeated =
        |repetition| loads(Verdict::Steady).map(move |point| PointResult { repetition, ..point });
    check(repeated(0).chain(repeated(1)).collect(), 1, 4_000);
    let series = |index| PointResult { series: format!("s{index}"), ..point(4) };
    check((0..20_000).map(series).collect(), 20_000, 1);
}

#[test]
fn what_differs_is_named() {
    let left = run("sim:x?write_cache=off", points(1.0, 0.02));
    let mut right = run("sim:x?write_cache=on", points(1.0, 0.02));
    right.environment.hosts[0].kernel = "6.1".into();
    let comparison = compared(&left, &right, &[]);
    let named: Vec<(&str, Option<&str>, Option<&str>)> = comparison
        .factors
        .iter()
        .map(|factor| {
            (factor.name.as_str(), factor.values[0].as_deref(), factor.values[1].as_deref())
        })
        .collect();
    assert_eq!(named, [("write_cache", Some("off"), Some("on")), ("kernel", None, Some("6.1"))]);
}

/// What a suite sets for some of its series alone is no load, but a difference all the same.
#[test]
fn settings_of_series_are_named_as_differences() {
    let with = |level: Option<&str>| {
        let mut points = points(1.0, 0.02);
        let own = level.map(|level| ("write_cache".to_owned(), level.to_owned()));
        points.iter_mut().for_each(|point| point.settings.extend(own.clone()));
        run("sim:x", points)
    };
    let named = |left: Option<&str>, right: Option<&str>| {
        let comparison = compared(&with(left), &with(right), &[]);
        let of = |factor: FactorDifference| (factor.name, factor.values);
        comparison.factors.into_iter().map(of).collect::<Vec<_>>()
    };
    let name = format!("{}.write_cache", points(1.0, 0.02)[0].profile);
    assert_eq!(named(None, Some("on")), [(name, vec![None, Some("on".to_owned())])]);
    assert_eq!(named(Some("on"), Some("on")), []);
}

#[test]
fn different_profiles_are_refused_unless_that_is_meant() {
    let left = run("a", points(1.0, 0.02));
    let mut right = run("b", points(1.0, 0.02));
    right.plan["series"][0]["profile"]["lines"][0]["read"] = 70.0.into();
    let fault = compare(&[&left, &right], &CompareOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("test/4KiB: lines.1.read: 100"), "{fault}");
    let options = CompareOptions { profiles: Profiles::Different, ..CompareOptions::default() };
    let comparison = compare(&[&left, &right], &options).unwrap();
    assert_eq!(comparison.series[0].profile_differences.len(), 1);
}

#[test]
fn writes_that_are_flushed_are_not_compared_with_others() {
    let left = run("a", points(1.0, 0.02));
    let mut right = run("b", points(1.0, 0.02));
    right.plan["series"][0]["profile"]["durability"] =
        serde_json::json!({"flush": {"call": "fdatasync", "every": 1}});
    let fault = compare(&[&left, &right], &CompareOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("durability.flush.every: nothing -> 1"), "{fault}");
    assert!(compare(&[&right, &right], &CompareOptions::default()).is_ok());
}

#[test]
fn runs_without_a_common_series_are_refused() {
    let left = run("a", points(1.0, 0.02));
    let mut other = points(1.0, 0.02);
    other.iter_mut().for_each(|point| point.series = "other".into());
    let fault = compare(&[&left, &run("b", other)], &CompareOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("no series in common"), "{fault}");
    assert!(compare(&[&left], &CompareOptions::default()).is_err());
}

#[test]
fn a_factor_of_whole_runs_pairs_the_series_and_is_named() {
    let with = |level: &str| {
        let mut points = points(1.0, 0.02);
        points.iter_mut().for_each(|point| {
            point.factors.insert("raid".into(), level.into());
        });
        points
    };
    let comparison = compared(&run("a", with("0")), &run("a", with("5")), &[]);
    assert_eq!(comparison.factors[0].name, "raid");
    assert_eq!(comparison.factors[0].kind, FactorKind::Planned);
    // Both levels in both runs: each is paired with itself.
    let both = || [with("0"), with("5")].concat();
    let comparison = compared(&run("a", both()), &run("a", both()), &[]);
    assert_eq!(comparison.series.len(), 2);
    assert_eq!(comparison.factors, []);
}

/// At equal load of a closed loop throughput and mean response time are one test: both are
/// significant or neither, and the family counts them once.
#[test]
fn rate_and_mean_response_time_at_equal_load_are_one_test() {
    let comparison = compared(&run("a", points(1.0, 0.02)), &run("b", points(0.9, 0.02)), &[]);
    let adjusted = |measure: &str| difference(&comparison, measure).adjusted_p_value.unwrap();
    assert_eq!(adjusted("iops"), adjusted("latency.mean"));
    // Sustained, peak and rate of the one series; the 99th percentile has no interval.
    assert_eq!(comparison.tests.figures, 3);
    assert_eq!(comparison.tests.points, 3);
}

/// With pauses the response time does not follow from the rate, and a profile with others is another one.
#[test]
fn response_times_beside_pauses_are_a_test_of_their_own() {
    let with = |target: &str, think: u64, factor: f64| {
        let mut document = run(target, points(factor, 0.02));
        let profile = &mut document.plan["series"][0]["profile"];
        profile["think"] = serde_json::json!(think);
        document
    };
    let left = with("a", 5_000_000, 1.0);
    let comparison = compared(&left, &with("b", 5_000_000, 0.9), &[]);
    assert_eq!(comparison.tests.figures, 4);
    let other = with("b", 6_000_000, 1.0);
    let fault = compare(&[&left, &other], &CompareOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("think: 5000000 -> 6000000"), "{fault}");
}

/// Points of several series, the rates of each times its factor.
fn several(factors: &[f64], accuracy: f64) -> Vec<PointResult> {
    let of = |(index, factor): (usize, &f64)| {
        let named =
            move |point: PointResult| PointResult { series: format!("s{index}/4KiB"), ..point };
        points(*factor, accuracy).into_iter().map(named)
    };
    factors.iter().enumerate().flat_map(of).collect()
}

fn peak_of_all(comparison: &Comparison) -> &Overall {
    comparison.overall.iter().find(|overall| overall.rule.is_none()).unwrap()
}

#[test]
fn all_series_together_are_the_geometric_mean_of_their_ratios() {
    let reference = run("a", several(&[1.0; 4], 0.01));
    let other = run("b", several(&[2.0, 0.5, 1.0, 1.02], 0.01));
    let comparison = compared(&reference, &other, &[]);
    let overall = peak_of_all(&comparison);
    let found = overall.differences[1].as_ref().unwrap();
    let mean = libm::pow(2.0 * 0.5 * 1.0 * 1.02, 0.25);
    assert!((found.percent - 100.0 * (mean - 1.0)).abs() < 1e-9, "{found:?}");
    let [low, high] = found.interval_percent.unwrap();
    assert!(low < found.percent && found.percent < high && high - low < 3.0, "{found:?}");
    assert_eq!((found.series, found.wins, found.ties, found.losses), (4, 1, 2, 1), "{found:?}");
    assert_eq!((overall.differences[0].as_ref(), found.bounded()), (None, 0));
    let without_one = OverallDifference { series: 3, ..found.clone() };
    assert_eq!(without_one.bounded(), 1);
}

#[test]
fn the_mean_does_not_depend_on_which_run_is_the_reference() {
    let (left, right) =
        (run("a", several(&[1.0, 1.0, 1.0], 0.01)), run("b", several(&[1.2, 0.7, 1.5], 0.01)));
    let percent =
        |comparison: &Comparison| peak_of_all(comparison).differences[1].as_ref().unwrap().percent;
    let there = 1.0 + percent(&compared(&left, &right, &[])) / 100.0;
    let back = 1.0 + percent(&compared(&right, &left, &[])) / 100.0;
    assert!((there * back - 1.0).abs() < 1e-9, "{there} {back}");
}

#[test]
fn one_series_has_no_mean_over_series() {
    let comparison = compared(&run("a", points(1.0, 0.02)), &run("b", points(1.3, 0.02)), &[]);
    assert_eq!(comparison.overall, Vec::new());
}

#[test]
fn a_large_difference_that_may_be_chance_is_no_win() {
    let reference = run("a", several(&[1.0, 1.0], 0.4));
    let comparison = compared(&reference, &run("b", several(&[1.1, 1.1], 0.4)), &[]);
    let found = peak_of_all(&comparison).differences[1].clone().unwrap();
    assert_eq!((found.wins, found.ties, found.losses), (0, 2, 0), "{found:?}");
}

#[test]
fn a_mean_is_no_better_known_than_what_was_disturbed() {
    let found = |percent: Option<f64>| {
        let mut disturbed = several(&[0.25, 0.25], 0.01);
        for point in &mut disturbed {
            point.verdict = Verdict::Disturbed;
            point.disturbed_percent = percent;
        }
        let reference = run("a", several(&[1.0, 1.0], 0.01));
        let comparison = compared(&reference, &run("b", disturbed), &[]);
        let mean = peak_of_all(&comparison).differences[1].clone().unwrap();
        (comparison.is_disturbed(1), mean)
    };
    let (is_disturbed, mean) = found(None);
    assert!(is_disturbed && (mean.percent + 75.0).abs() < 1e-9, "{mean:?}");
    assert_eq!((mean.interval_percent, mean.undecided), (None, 2));
    // A disturbance by 20 % at the most does not explain a quarter.
    let (is_disturbed, mean) = found(Some(20.0));
    let [low, high] = mean.interval_percent.unwrap();
    assert!(!is_disturbed && low < -79.9 && high > -69.0 && high < -60.0, "{mean:?}");
    assert_eq!(mean.losses, 2);
}
