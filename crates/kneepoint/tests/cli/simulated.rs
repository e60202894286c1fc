//! Runs in virtual time: the same everywhere, and known beforehand.

use serde_json::Value;

use crate::program::Bench;
use crate::result::{number, points};
use crate::snapshot::check;

/// A run of 2 s of virtual time per point.
const RUN: [&str; 8] = [
    "run",
    "database",
    "sim:analytic/md1?service=1ms",
    "--outstanding",
    "1,4",
    "--time",
    "2s",
    "--json",
];

#[test]
fn a_run_from_plan_to_deletion() {
    check(
        "run-sim",
        &[
            "run database sim:analytic/mmc?service=5ms&servers=8 --outstanding 1..32x2 --time 2s --ramp 1s --label queue",
            "show queue",
            "runs",
            "export queue -o points.csv",
            "delete queue",
            "runs",
        ],
    );
}

#[test]
fn a_suite_on_two_targets() {
    check(
        "run-sim-suite",
        &[
            "run storagebench sim:analytic/md1 sim:analytic/md1?service=2ms --outstanding 1,16 --time 2s --ramp 0s",
        ],
    );
}

#[test]
fn a_queue_with_constant_service_time_is_measured_exactly() {
    let bench = Bench::new();
    let result = bench.json(&[&RUN[..], &["-"]].concat());
    for point in points(&result) {
        let load = number(&point["outstanding"]);
        assert!((number(&point["iops"]["mean"]) - 1000.0).abs() < 1.0, "{point}");
        assert!((number(&point["latency_ms"]["mean"]) - load).abs() < 0.01 * load, "{point}");
        assert!((number(&point["achieved_outstanding"]) - load).abs() < 0.01 * load, "{point}");
    }
}

#[test]
fn equal_seeds_give_equal_points() {
    let measured = |seed: &str| {
        let bench = Bench::new();
        let target = "sim:analytic/mm1?service=1ms";
        let mut result = bench.json(&[
            "run",
            "database",
            target,
            "--outstanding",
            "4",
            "--time",
            "2s",
            "--json",
            "-",
            "--seed",
            seed,
        ]);
        result["points"][0]["started_at"] = Value::Null;
        result["points"].take()
    };
    assert_eq!(measured("7"), measured("7"));
    assert_ne!(measured("7"), measured("8"));
}

#[test]
fn a_report_is_written_at_the_end_and_again() {
    let bench = Bench::new();
    let run = &RUN[..RUN.len() - 1];
    bench.succeed(&[run, &["--report", "report.html"]].concat());
    let report = bench.read("report.html");
    assert!(report.starts_with("<!DOCTYPE html>") && report.contains("database/8KiB"));
    bench.succeed(&["report", "last", "-o", "again.html"]);
    assert_eq!(bench.read("again.html"), report);
}

#[test]
fn a_report_speaks_the_language_and_has_the_format_that_was_asked_for() {
    let bench = Bench::new();
    bench.succeed(&RUN[..RUN.len() - 1]);
    bench.succeed(&["report", "last", "--language", "de", "-o", "german.html"]);
    assert!(bench.read("german.html").contains("<html lang=\"de\">"));
    bench.succeed(&["report", "last", "--language", "english", "-o", "text.md"]);
    let text = bench.read("text.md");
    let figures: Vec<&str> =
        text.split("](<").skip(1).filter_map(|rest| rest.split('>').next()).collect();
    assert!(text.starts_with("# ") && !figures.is_empty());
    for figure in figures {
        assert!(bench.read(figure).starts_with("<svg xmlns="), "{figure}");
    }
}
