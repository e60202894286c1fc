//! Findings of made-up runs.

use super::*;
use crate::analysis::comparison::{CompareOptions, compare, tests::point, tests::run};
use crate::analysis::merged_points;
use crate::load::backend::Direction;
use crate::result::simulated::{PartUtilisation, Simulated};
use crate::result::{
    Between, Change, Plateau, PointResult, RunDocument, SaturationStatus, StorageResult,
    Throughput, Verdict,
};
use crate::spec::suite::SERIES_MAX;

/// Points of a series that reach 700 IO/s with 16 outstanding I/Os.
fn plateau(accuracy: f64) -> Vec<PointResult> {
    let rates = [(1, 200.0), (4, 600.0), (16, 700.0), (32, 702.0), (64, 701.0)];
    rates.iter().map(|(load, iops)| point(*load, *iops, accuracy)).collect()
}

fn saturation(points: Vec<PointResult>) -> Option<Plateau> {
    of_points(&points).into_iter().find_map(|finding| match finding {
        Finding::Saturation(found) => Some(found),
        _ => None,
    })
}

#[test]
fn a_plateau_begins_where_nothing_is_gained_any_more() {
    let found = saturation(plateau(0.02)).unwrap();
    assert_eq!((found.from_load, found.to_load), (16.0, 64.0));
    assert!((found.rate - 701.0).abs() < 1e-9);
    assert!(found.rise_percent_max > 0.0 && found.rise_percent_max <= 5.0);
    assert_eq!(found.bottleneck, None);
}

#[test]
fn a_plateau_that_is_not_shown_is_not_found() {
    assert_eq!(saturation(plateau(0.1)), None);
    let mut disturbed = plateau(0.02);
    disturbed[4].verdict = Verdict::Disturbed;
    assert_eq!(saturation(disturbed), None);
    let rising = (0..6).map(|step| point(1 << step, 100.0 * f64::from(step + 1), 0.01)).collect();
    assert_eq!(saturation(rising), None);
}

#[test]
fn a_plateau_begins_at_the_knee_of_the_summary() {
    let check = |rates: [f64; 5], found: Option<f64>| {
        let rates = [1, 2, 4, 8, 16].into_iter().zip(rates);
        let points: Vec<PointResult> = rates.map(|(load, iops)| point(load, iops, 0.01)).collect();
        let rules = ["mean<=20ms".parse().unwrap()];
        let knee = crate::analysis::summarize(&points, &rules)[0].saturation.unwrap();
        let from = saturation(points).map(|plateau| plateau.from_load);
        assert_eq!(from, found);
        let reached = (knee.status == SaturationStatus::Reached).then_some(knee.load);
        assert!(from.is_none() || from == reached, "{knee:?}");
    };
    check([100.0, 200.0, 300.0, 301.0, 299.0], Some(4.0));
    // Each load gives a little more: the table says that throughput still rises.
    check([100.0, 290.0, 293.0, 296.5, 300.0], None);
    // Throughput collapses beyond the knee, and stays nowhere.
    check([100.0, 200.0, 300.0, 250.0, 100.0], None);
}

/// The findings on a series that reaches these rates with 1, 2, 4, ... outstanding I/Os, each known
/// within 1 %.
fn at_rates(rates: &[f64]) -> Vec<Finding> {
    let point = |(index, iops): (usize, &f64)| point(1 << index, *iops, 0.01);
    of_points(&rates.iter().enumerate().map(point).collect::<Vec<_>>())
}

#[test]
fn throughput_that_falls_beyond_its_peak_is_a_collapse_and_no_plateau() {
    // Told as "stays at about 14,720" once, the mean of the last three.
    let found = at_rates(&[4_000.0, 9_000.0, 16_270.0, 16_060.0, 11_820.0]);
    let [Finding::Collapse(step)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((step.from_load, step.to_load), (4.0, 16.0));
    assert_eq!((step.from, step.to), (16_270.0, 11_820.0));
    assert!((step.percent + 27.35).abs() < 0.01, "{step:?}");
    assert!(step.interval_percent[0] < step.percent && step.percent < step.interval_percent[1]);
    // A fall that is small, or not shown, is none.
    let is_collapse = |finding: &Finding| matches!(finding, Finding::Collapse(_));
    assert!(!at_rates(&[100.0, 200.0, 300.0, 298.0, 288.0]).iter().any(is_collapse));
    let wide: Vec<_> =
        [(1, 100.0), (2, 300.0), (4, 270.0)].map(|(at, io)| point(at, io, 0.1)).into();
    assert!(!of_points(&wide).iter().any(is_collapse));
}

#[test]
fn throughput_that_still_rises_at_the_highest_load_is_a_gain() {
    let found = at_rates(&[100.0, 190.0, 350.0, 600.0]);
    let [Finding::Gain(step)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((step.from_load, step.to_load), (4.0, 8.0));
    assert!((step.percent - 71.4).abs() < 0.1, "{step:?}");
    // It rises with the rate that is offered, which says nothing of where it ends.
    let offered: Vec<_> = [(1, 100.0), (2, 200.0), (4, 400.0)]
        .map(|(load, iops)| {
            let mut point = point(load, iops, 0.01);
            point.load.unit = crate::words::load::LoadUnit::OfferedIops;
            point
        })
        .into();
    assert_eq!(of_points(&offered), []);
    // It rises by too little to matter.
    assert_eq!(at_rates(&[100.0, 190.0, 290.0, 301.0]), []);
    let is_gain = |finding: &Finding| matches!(finding, Finding::Gain(_));
    assert!(!at_rates(&[100.0, 200.0, 300.0, 301.0, 299.0]).iter().any(is_gain));
    // The intervals of the last two loads overlap.
    let wide: Vec<_> = [(1, 100.0), (2, 190.0), (4, 350.0), (8, 420.0)]
        .map(|(load, iops)| point(load, iops, 0.2))
        .into();
    assert!(!of_points(&wide).iter().any(is_gain));
}

/// The finding, the table and the curve have the same number of a load that was visited for a short time
/// and then for a longer one.
#[test]
fn a_load_that_was_visited_has_one_throughput() {
    let visit = |number: u32, load: u32, iops: f64, measured_s: f64| PointResult {
        repetition: 1_000 * number,
        measured_s,
        ..point(load, iops, 0.02)
    };
    let points = [
        visit(0, 8, 590.0, 0.2),
        visit(0, 16, 800.0, 0.8),
        visit(1, 8, 600.0, 0.8),
        visit(1, 16, 800.0, 0.8),
        visit(2, 8, 600.0, 0.8),
    ];
    let found = of_points(&points).into_iter().find_map(|finding| match finding {
        Finding::Gain(found) => Some(found),
        _ => None,
    });
    let found = found.expect("throughput rises");
    let merged = merged_points(&points.each_ref());
    let [low, high] = merged.as_slice() else { panic!("two loads: {merged:?}") };
    // 590 IO/s for 0.2 s and 600 IO/s for 1.6 s.
    assert!((low.rate.mean - 1_078.0 / 1.8).abs() < 1e-9, "{low:?}");
    assert_eq!([found.from, found.to], [low.rate.mean, high.rate.mean]);
}

#[test]
fn the_busiest_part_of_a_simulated_system_is_named() {
    let mut points = plateau(0.02);
    let part = |name: &str, highest_percent| PartUtilisation {
        name: name.to_owned(),
        count: 2,
        mean_percent: highest_percent,
        highest_percent,
    };
    let parts = vec![part("drives", 60.0), part("controllers", 99.0)];
    points[4].simulated = Some(Simulated { parts, ..Simulated::default() });
    let bottleneck = saturation(points).unwrap().bottleneck.unwrap();
    assert_eq!(bottleneck.part, "controllers");
}

/// The point with a profile that reads in `read_percent` of its I/Os.
fn reading(read_percent: f64, point: PointResult) -> PointResult {
    let storage = point.storage.map(|storage| StorageResult { read_percent, ..storage });
    PointResult { storage, ..point }
}

#[test]
fn reads_against_writes_are_a_contrast() {
    let series = |name: &str, read_percent: f64, iops: f64| PointResult {
        series: name.into(),
        profile: name.into(),
        ..reading(read_percent, point(4, iops, 0.02))
    };
    let contrasts = |read: f64, write: f64| -> Vec<Finding> {
        of_points(&[series("reads", 100.0, read), series("writes", 0.0, write)])
    };
    let found = contrasts(300.0, 100.0);
    let [Finding::Contrast(contrast)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(contrast.between, Between::Direction { faster: Direction::Read });
    assert!((contrast.ratio - 3.0).abs() < 1e-9);
    assert!(contrast.interval[0] > 2.8 && contrast.interval[1] < 3.2);
    assert_eq!(contrasts(100.0, 101.0), []);
}

/// Reads and writes that wait until they are durable differ in more than their direction.
#[test]
fn durable_writes_against_reads_are_no_contrast() {
    let series = |name: &str, read_percent: f64, iops: f64| PointResult {
        series: name.into(),
        profile: name.into(),
        ..reading(read_percent, point(4, iops, 0.02))
    };
    let mut points = [series("reads", 100.0, 300.0), series("writes", 0.0, 100.0)];
    assert_eq!(of_points(&points).len(), 1);
    let storage = points[1].storage.as_mut().unwrap();
    storage.durability.sync = Some(crate::spec::profile::WriteSync::Dsync);
    assert_eq!(of_points(&points), []);
}

/// Reads that the controller reads ahead and writes into its cache differ in more than their direction.
#[test]
fn series_with_settings_of_their_own_are_no_contrast() {
    let series = |name: &str, read_percent: f64, iops: f64| PointResult {
        series: name.into(),
        profile: name.into(),
        ..reading(read_percent, point(4, iops, 0.02))
    };
    let mut points = [series("reads", 100.0, 300.0), series("writes", 0.0, 100.0)];
    points[0].settings.insert("read_ahead".to_owned(), "on".to_owned());
    assert_eq!(of_points(&points), []);
    points[1].settings.insert("read_ahead".to_owned(), "on".to_owned());
    assert_eq!(of_points(&points).len(), 1);
}

/// Reads with 41 outstanding I/Os and writes with a single one differ in more than their direction.
#[test]
fn peaks_of_other_loads_are_no_contrast() {
    let series = |name: &str, read_percent: f64, rates: &[(u32, f64)]| -> Vec<PointResult> {
        let point = |(load, iops): &(u32, f64)| PointResult {
            series: name.into(),
            profile: name.into(),
            ..reading(read_percent, point(*load, *iops, 0.01))
        };
        rates.iter().map(point).collect()
    };
    let contrasts = |writes: &[(u32, f64)]| {
        let mut points = series("reads", 100.0, &[(1, 100.0), (41, 900.0), (81, 900.0)]);
        points.extend(series("writes", 0.0, writes));
        let found = of_points(&points).into_iter();
        found.filter(|finding| matches!(finding, Finding::Contrast(_))).count()
    };
    assert_eq!(contrasts(&[(1, 100.0), (41, 450.0), (81, 450.0)]), 1);
    assert_eq!(contrasts(&[(1, 450.0)]), 0);
    // Still rising at a lower load: what its peak is, no one knows.
    assert_eq!(contrasts(&[(1, 100.0), (2, 450.0)]), 0);
    // A search that ended elsewhere because throughput had stopped rising.
    assert_eq!(contrasts(&[(1, 100.0), (8, 450.0), (16, 450.0)]), 1);
}

#[test]
fn a_difference_that_is_too_small_to_matter_is_no_finding() {
    let series = |name: &str, read_percent: f64, iops: f64| PointResult {
        series: name.into(),
        profile: name.into(),
        ..reading(read_percent, point(4, iops, 0.002))
    };
    let contrasts =
        |writes: f64| of_points(&[series("r", 100.0, 100.0), series("w", 0.0, writes)]).len();
    assert_eq!([96.0, 104.0, 106.0, 94.0].map(contrasts), [0, 0, 1, 1]);
    let changes = |percent: f64| {
        let points = |iops: f64| vec![point(4, iops, 0.002)];
        let (left, right) = (run("null:", points(100.0)), run("null:", points(100.0 + percent)));
        let comparison = compare(&[&left, &right], &CompareOptions::default()).unwrap();
        between_runs(&comparison).len()
    };
    assert_eq!([-4.0, 4.0].map(changes), [0, 0]);
    assert!([-6.0, 6.0].map(changes).iter().all(|found| *found > 0));
}

#[test]
fn more_series_than_a_suite_can_have_are_not_held_against_one_another() {
    let contrasts = |count: usize| {
        let point = |index: usize| PointResult {
            series: format!("s{index}"),
            profile: if index == 0 { "reads" } else { "writes" }.into(),
            ..match index {
                0 => reading(100.0, point(4, 300.0, 0.02)),
                _ => reading(0.0, point(4, 100.0, 0.02)),
            }
        };
        of_points(&(0..count).map(point).collect::<Vec<_>>()).len()
    };
    assert_eq!(contrasts(SERIES_MAX), 1);
    assert_eq!(contrasts(SERIES_MAX + 1), 0);
}

#[test]
fn a_change_names_the_only_setting_that_differs() {
    let left = run("sim:x?write_cache=off", plateau(0.02));
    let faster = plateau(0.02).into_iter().map(|point| PointResult {
        rate: Throughput { mean: 2.0 * point.rate.mean, ..point.rate },
        ..point
    });
    let mut right = run("sim:x?write_cache=on", faster.collect());
    let changes = |right: &RunDocument| -> Vec<Change> {
        let comparison = compare(&[&left, right], &CompareOptions::default()).unwrap();
        let findings = between_runs(&comparison).into_iter();
        findings
            .map(|finding| match finding {
                Finding::Change(change) => change,
                other => panic!("{other:?}"),
            })
            .collect()
    };
    let found = changes(&right);
    assert!(!found.is_empty());
    let factor = found[0].factor.as_ref().unwrap();
    assert_eq!((factor.name.as_str(), factor.from.as_str()), ("write_cache", "off"));
    right.environment.hosts[0].kernel = "6.1".into();
    assert_eq!(changes(&right)[0].factor, None);
    assert_eq!(changes(&left), []);
}
