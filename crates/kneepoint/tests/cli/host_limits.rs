//! Limits that a host sets for what a controller asks of it: each is held, told with its reason, and put on
//! record on the host.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::hosts::Lab;
use crate::program::Said;
use crate::result::points;

/// A fleet of one host with these limits.
fn limited(limits: &str) -> Option<Lab> {
    let mut lab = Lab::with(&["a"])?;
    lab.agent("a").kill().unwrap();
    lab.bench.write("allow.toml", format!("[limits]\n{limits}\n"));
    lab.start("a", &["--allow", "allow.toml"]);
    Some(lab)
}

fn run(lab: &Lab, more: &[&str]) -> Said {
    let target = format!("a:{}", lab.file("a"));
    lab.run(&[&["run", "random-write", &target, "--hosts", "a", "--ramp", "0s"], more].concat())
}

/// Checks that a run ended for this reason, which is on record on the host.
fn check_refused(lab: &Lab, said: &Said, why: &str) {
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("error: a: ") && said.stderr.contains(why), "{}", said.stderr);
    let refused = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        event["event"] == "refused" && event["fault"]["what"].as_str().unwrap().contains(why)
    };
    assert_eq!(lab.record("a").lines().filter(|line| refused(line)).count(), 1, "{why}");
}

#[test]
fn loads_beyond_the_limits_of_a_host_are_refused() {
    let Some(lab) = limited("outstanding = 2\nrate = 100") else { return };
    let fixed = ["--size", "4MiB", "--time", "100ms"];
    let said = run(&lab, &[&fixed[..], &["--outstanding", "2,3"]].concat());
    check_refused(&lab, &said, "3 outstanding I/Os: more than this host allows");
    let result: Value = lab.bench.json(&["export", "last"]);
    assert_eq!(points(&result).len(), 1, "what is within the limit was measured");
    let said = run(&lab, &[&fixed[..], &["--rate", "101"]].concat());
    check_refused(&lab, &said, "101 offered IO/s: more than this host allows");
}

#[test]
fn a_host_writes_no_more_than_its_limit() {
    let Some(lab) = limited("bytes_written = \"6MiB\"") else { return };
    let load = ["--outstanding", "1", "--time", "60s"];
    let said = run(&lab, &[&load[..], &["--size", "8MiB"]].concat());
    check_refused(&lab, &said, "test files of 8.0 MiB: more than this host allows");
    assert!(!std::path::Path::new(&lab.file("a")).exists(), "nothing was written");

    let begun = Instant::now();
    let said = run(&lab, &[&load[..], &["--size", "4MiB", "--block", "64KiB"]].concat());
    check_refused(&lab, &said, "written: more than this host allows");
    assert!(begun.elapsed() < Duration::from_secs(50), "the point ended at the limit");
    let result: Value = lab.bench.json(&["export", "last"]);
    assert_eq!(result["points"], serde_json::json!([]), "the point does not count");
    let last = lab.record("a").lines().last().map(str::to_owned).unwrap();
    let left: Value = serde_json::from_str(&last).unwrap();
    let written = left["bytes_written"].as_u64().unwrap();
    assert!((6 << 20..600 << 20).contains(&written), "{last}");
}

#[test]
fn a_host_serves_a_run_no_longer_than_its_limit() {
    let Some(lab) = limited("time = \"1s\"") else { return };
    let begun = Instant::now();
    let said = run(&lab, &["--size", "4MiB", "--outstanding", "1", "--time", "60s"]);
    check_refused(&lab, &said, "a run of over 1 s: more than this host allows");
    assert!(begun.elapsed() < Duration::from_secs(50), "the point ended at the limit");
}
