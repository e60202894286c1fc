//! Stored runs: export, import, show, delete.

use std::fs;

use crate::program::Bench;
use crate::redaction::redact;
use crate::result::{check_points, check_schema, points};

/// A bench with one short run in its store, called `first`.
fn bench_with_a_run() -> Bench {
    let bench = Bench::new();
    bench.succeed(&[
        "run",
        "database",
        "sim:analytic/mm1",
        "--outstanding",
        "1,2",
        "--time",
        "2s",
        "--label",
        "first",
    ]);
    bench
}

#[test]
fn what_is_exported_follows_the_schema() {
    let bench = bench_with_a_run();
    let result = bench.json(&["export", "first"]);
    check_schema(&result);
    check_points(&result);
    bench.succeed(&["export", "first", "-o", "run.json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&bench.read("run.json")).unwrap(), result);
    assert_eq!(bench.json(&["show", "first", "--json"]), result);
}

#[test]
fn a_broken_result_does_not_follow_the_schema() {
    let bench = bench_with_a_run();
    let mut result = bench.json(&["export", "first"]);
    result["points"][0]["verdict"] = "splendid".into();
    assert!(std::panic::catch_unwind(|| check_schema(&result)).is_err());
}

#[test]
fn an_imported_run_is_the_run() {
    let bench = bench_with_a_run();
    bench.succeed(&["export", "first", "-o", "run.json"]);
    bench.succeed(&["import", "run.json", "--store", "other.db"]);
    let show = |store: &str| bench.succeed(&["show", "first", "--store", store]).stdout;
    assert_eq!(show("other.db"), show("kneepoint.db"));
    bench.succeed(&["export", "last", "--store", "other.db", "-o", "again.json"]);
    assert_eq!(bench.read("again.json"), bench.read("run.json"));
    let twice = bench.run(&["import", "run.json", "--store", "other.db"]);
    assert_eq!(twice.code, Some(2), "{}", twice.stderr);
}

#[test]
fn a_point_of_a_fixed_time_is_fixed() {
    let result = bench_with_a_run().json(&["export", "first"]);
    let verdicts: Vec<&serde_json::Value> =
        points(&result).iter().map(|point| &point["verdict"]).collect();
    assert_eq!(verdicts, ["fixed", "fixed"]);
}

#[test]
fn a_result_that_says_invalid_is_read_as_disturbed() {
    let bench = bench_with_a_run();
    let mut result = bench.json(&["export", "first"]);
    result["points"][0]["verdict"] = "invalid".into();
    bench.write("old.json", result.to_string());
    bench.succeed(&["import", "old.json", "--store", "old.db"]);
    let read = bench.json(&["export", "last", "--store", "old.db"]);
    assert_eq!(points(&read)[0]["verdict"], "disturbed");
    assert!(bench.succeed(&["show", "last", "--store", "old.db"]).stdout.contains("disturbed"));
}

#[test]
fn a_csv_has_a_row_per_point_and_columns_of_the_same_number() {
    let bench = bench_with_a_run();
    bench.succeed(&["export", "first", "-o", "points.csv"]);
    let csv = bench.read("points.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let result = bench.json(&["export", "first"]);
    let column = rows[0].iter().position(|name| *name == "rate").unwrap();
    for (row, point) in rows[1..].iter().zip(points(&result)) {
        assert_eq!(row[column].parse::<f64>().unwrap(), point["rate"]["mean"].as_f64().unwrap());
    }
}

#[test]
fn a_deleted_run_is_gone() {
    let bench = bench_with_a_run();
    let said = bench.succeed(&["delete", "first"]);
    assert!(
        redact(&said.stderr).starts_with("deleted run YYYYMMDD-hhmmss-XXXX (database, 2 points)")
    );
    assert_eq!(bench.run(&["show", "first"]).code, Some(2));
}

#[test]
fn the_environment_names_the_store() {
    let bench = bench_with_a_run();
    fs::rename(bench.path("kneepoint.db"), bench.path("named.db")).unwrap();
    let output = bench.command(&["show"]).env("KNEEPOINT_STORE", "named.db").output().unwrap();
    assert_eq!(bench.said(output).code, Some(0));
}
