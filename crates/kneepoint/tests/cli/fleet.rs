//! Runs on several hosts: here, agents in the same process.

use std::process::Stdio;

use serde_json::Value;

use crate::interrupt::await_first_point;
use crate::program::{Bench, signal};
use crate::result::{check_points, check_schema, is_close, number, points};

/// Checks that the parts of `kind`, `hosts` or `targets`, add up to the whole of every point.
fn check_parts(result: &Value, kind: &str, count: usize) {
    for point in points(result) {
        let parts = point[kind].as_array().unwrap();
        assert_eq!(parts.len(), count, "{point}");
        let sum: f64 = parts.iter().map(|part| number(&part["rate"])).sum();
        assert!(is_close(sum, number(&point["rate"]["mean"])), "{point}");
    }
}

#[test]
fn files_on_two_hosts_are_measured_together() {
    let bench = Bench::new();
    let arguments = ["run", "database", "a.dat", "local2:b.dat", "--hosts", "local:2", "--size"];
    let more = ["4MiB", "--outstanding", "1,4", "--time", "300ms", "--ramp", "100ms"];
    let said = bench.succeed(&[&arguments[..], &more].concat());
    assert!(said.stderr.contains("local1: writing"), "{}", said.stderr);
    let result: Value = bench.json(&["export", "last"]);
    check_schema(&result);
    check_points(&result);
    check_parts(&result, "hosts", 2);
    check_parts(&result, "targets", 2);
    let targets = result["environment"]["targets"].as_array().unwrap();
    let names: Vec<&str> =
        targets.iter().map(|target| target["target"].as_str().unwrap()).collect();
    assert_eq!(names, ["local1:a.dat", "local2:b.dat"]);
    assert_eq!(targets[1]["host"], "local2");
    let hosts = result["environment"]["hosts"].as_array().unwrap();
    assert_eq!(hosts.len(), 2);
    assert!(number(&hosts[1]["clock"]["bound_us"]) < 1e6, "{}", hosts[1]["clock"]);
    assert_eq!(bench.names()[..2], ["a.dat", "b.dat"]);
}

#[test]
fn an_interrupted_run_goes_on_with_its_hosts() {
    let bench = Bench::new();
    let arguments = ["run", "random-read", "local1:null:", "local2:null:", "--hosts", "local:2"];
    let more = ["--outstanding", "1,2,3", "--ramp", "0s", "--time", "600ms"];
    let arguments = [&arguments[..], &more].concat();
    let child = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    await_first_point(&mut child);
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(bench.json(&["export", "last"])["run"]["state"], "interrupted");
    bench.succeed(&["resume"]);
    let result: Value = bench.json(&["export", "last"]);
    assert_eq!(result["run"]["state"], "complete");
    assert_eq!(points(&result).len(), 3);
    check_parts(&result, "hosts", 2);
}

#[test]
fn what_a_host_refuses_is_said_with_its_name() {
    let bench = Bench::new();
    bench.write("other.txt", "not ours");
    let said = bench.run(&[
        "run",
        "database",
        "a.dat",
        "local2:other.txt",
        "--hosts",
        "local:2",
        "--size",
        "4MiB",
    ]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("local2: "), "{}", said.stderr);
    assert_eq!(bench.read("other.txt"), "not ours");
}

#[test]
fn hosts_without_targets_and_varied_settings_are_refused() {
    let bench = Bench::new();
    let said = bench.run(&["plan", "database", "a.dat", "--hosts", "local:2"]);
    assert!(said.stderr.contains("local1 has no target") || said.stderr.contains("local2 has no"));
    let factors = ["--factor", "scheduler=none,mq-deadline"];
    let arguments = ["plan", "random-read", "a.dat", "b.dat", "--hosts", "local:2"];
    let said = bench.run(&[&arguments[..], &factors].concat());
    assert!(said.stderr.contains("cannot be varied"), "{}", said.stderr);
    let said = bench.run(&["plan", "database", "a.dat", "--hosts", "no where"]);
    assert!(said.stderr.contains("names no hosts"), "{}", said.stderr);
}

#[test]
fn a_plan_says_what_is_written_on_each_host() {
    let bench = Bench::new();
    let arguments = ["plan", "database", "a.dat", "b.dat", "--hosts", "local:2", "--size", "4MiB"];
    let said = bench.succeed(&arguments);
    assert!(said.stdout.contains("local2:b.dat"), "{}", said.stdout);
    assert!(said.stdout.contains("written: 8.0 MiB of test files"), "{}", said.stdout);
    assert!(bench.names().is_empty());
}
