//! Random comparisons and sizings, whose reports may claim nothing that their tables do not have.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

#[allow(dead_code, unused_imports, reason = "some of it is for pages that are checked in")]
mod derived;

mod random;

use std::cell::Cell;

use derived::Sheet;
use kneepoint_core::analysis::comparison::{CompareOptions, compare};
use kneepoint_core::result::RunDocument;
use kneepoint_core::result::sizing::{Candidate, Demand, GrowthPoint, Sizing, StrokeRow};
use kneepoint_core::words::units::Bytes;
use kneepoint_report::page::Page;
use kneepoint_report::{Language, comparison_page, sizing};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use random::{CASES, RULES, course, points};
use serde_json::json;
use synthetic::{STANDARD, document};

/// Two or three runs of the same series.
fn runs() -> impl Strategy<Value = Vec<RunDocument>> {
    let series = (0..STANDARD.len()).map(course).collect::<Vec<_>>();
    let all = proptest::collection::vec(series, 2..=3);
    (all, 1..=STANDARD.len(), 0..RULES.len()).prop_map(|(runs, count, rules)| {
        let run = |(index, series): (usize, Vec<_>)| {
            let points = series.iter().take(count).flat_map(points).collect();
            let mut run = document(points, RULES[rules]);
            run.run.label = ["old", "new", "other"][index].to_owned();
            run.run.id.clone_from(&run.run.label);
            run
        };
        runs.into_iter().enumerate().map(run).collect()
    })
}

/// A candidate: its drives, how much more than what is asked it sustains, its margin, how busy it is, and the
/// response time.
type Size = (u32, f64, f64, u32, f64);

/// Throughputs at strokes against that at the smallest, and of numbers of drives against each other.
type Courses = (Vec<f64>, Vec<f64>);

fn candidate(iops: f64, (drives, headroom, margin, busy, response): Size) -> Candidate {
    Candidate {
        target: format!("sim:array?drives={drives}&stroke=100%"),
        system: "array".to_owned(),
        drives,
        arrays: 1,
        drive: None,
        raid: "raid10".to_owned(),
        write_cache: "on".to_owned(),
        usable: Bytes(1 << 40),
        stroke_percent: 100.0,
        response_ms: response,
        sustained_iops: iops * (1.0 + headroom / 100.0),
        headroom_percent: headroom,
        margin_percent: margin,
        is_calibrated: drives % 3 > 0,
        limit: format!("drives {busy} %"),
        servers: Vec::new(),
        more_servers: 0,
    }
}

fn sizing_of(iops: f64, mut sizes: Vec<Size>, (strokes, growth): Courses) -> Sizing {
    sizes.sort_by(|a, b| (a.0, b.1).partial_cmp(&(b.0, a.1)).expect("numbers"));
    let profile = json!({
        "name": "oltp", "title": "Online transaction processing",
        "lines": [{"block_bytes": 8_192, "read": 67.0, "random": 100.0, "share": 100.0, "delay": 0,
                   "burst": 1, "align_bytes": 8_192}],
        "range": {"start": 0.0, "end": 100.0}, "distribution": "uniform",
        "data": {"compressible": 0.0, "duplicate": 0.0}
    });
    let demand = Demand {
        profile: serde_json::from_value(profile).expect("a profile"),
        iops,
        rule: "mean<=20ms".parse().expect("a rule"),
        capacity: None,
        stroke_percent: None,
        margin_percent: None,
    };
    let drives = sizes.first().map_or(1, |size| size.0);
    let point = |(index, times): (usize, &f64)| GrowthPoint {
        drives: drives * (index as u32 + 1),
        sustained_iops: iops * times * (index + 1) as f64,
    };
    let growth: Vec<GrowthPoint> = growth.iter().enumerate().map(point).collect();
    let shares = [8.0, 30.0, 45.0, 100.0];
    let stroke = |(percent, multiplier): (&f64, &f64)| StrokeRow {
        stroke_percent: *percent,
        data: Bytes(1 << 37),
        sustained_iops: 2.0 * iops * multiplier,
        multiplier: *multiplier,
    };
    let multipliers: Vec<f64> = [1.0].into_iter().chain(strokes).collect();
    let strokes = shares.iter().zip(&multipliers).map(stroke).collect();
    let found = sizes.len();
    let candidates = sizes.into_iter().map(|size| candidate(iops, size)).collect();
    let (command, version) = ("kneepoint size".to_owned(), "0.1.0".to_owned());
    Sizing { demand, candidates, found, growth: vec![growth], strokes, command, version }
}

fn sizings() -> impl Strategy<Value = Sizing> {
    let size = (4..200_u32, 0.0..60.0_f64, 0.0..15.0_f64, 50..=100_u32, 0.3..19.9_f64);
    let sizes = proptest::collection::vec(size, 1..6);
    let strokes = proptest::collection::vec(0.2..1.0_f64, 3);
    let growth = proptest::collection::vec(0.5..1.1_f64, 2..5);
    (200.0..40_000.0_f64, sizes, (strokes, growth))
        .prop_map(|(iops, sizes, courses)| sizing_of(iops, sizes, courses))
}

/// How many percentages and multiples a page claims, all of which follow from its tables, in both languages.
fn check([english, german]: [Page; 2]) -> Result<usize, TestCaseError> {
    let [english, german] = [english, german].map(|page| Sheet::of_page(&page));
    let claims = derived::claims(&english);
    prop_assert!(claims.wrong.is_empty(), "{:#?} {:#?}", claims.wrong, english.grids);
    let (cells, wrong) = derived::wrong_cells(&english);
    prop_assert!(wrong.is_empty(), "{wrong:#?}");
    let (times, wrong) = derived::told_times(&english);
    prop_assert!(wrong.is_empty(), "{wrong:#?}");
    prop_assert_eq!(derived::differences(&english, &german), Vec::<String>::new());
    Ok(claims.count + cells + times)
}

const LANGUAGES: [Language; 2] = [Language::English, Language::German];

/// Runs a test on values that are always the same, and tells how many claims were checked.
#[track_caller]
fn checked<V: std::fmt::Debug>(
    values: &impl Strategy<Value = V>,
    pages: impl Fn(&V) -> [Page; 2],
) -> usize {
    let config = Config { failure_persistence: None, ..Config::with_cases(CASES) };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let claimed = Cell::new(0);
    let result = TestRunner::new_with_rng(config, rng).run(values, |value| {
        claimed.set(claimed.get() + check(pages(&value))?);
        Ok(())
    });
    result.expect("claims");
    claimed.get()
}

#[test]
fn no_comparison_claims_what_its_tables_do_not_have() {
    let pages = |runs: &Vec<RunDocument>| {
        let runs: Vec<&RunDocument> = runs.iter().collect();
        let comparison = compare(&runs, &CompareOptions::default()).expect("a comparison");
        LANGUAGES.map(|language| comparison_page(&runs, &comparison, language))
    };
    let claimed = checked(&runs(), pages);
    assert!(claimed > 1_000, "{claimed} percentages and multiples");
}

#[test]
fn no_sizing_claims_what_its_tables_do_not_have() {
    let claimed =
        checked(&sizings(), |sizing| LANGUAGES.map(|language| sizing::page(sizing, language)));
    assert!(claimed > 150, "{claimed} percentages and multiples");
}
