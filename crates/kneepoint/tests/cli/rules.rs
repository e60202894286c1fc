//! Rules on response classes, and against a reference.

use serde_json::Value;

use crate::program::Bench;
use crate::result::{check_schema, number, points};

const RUN: [&str; 6] =
    ["run", "database", "sim:analytic/md1?service=1ms", "--json", "-", "--time=5s"];

/// The summary at `rule` of a run of an M/D/1 queue, in which N outstanding I/Os take N ms.
fn summary(bench: &Bench, rule: &str, rest: &[&str]) -> (Value, Value) {
    let result = bench.json(&[&RUN[..], &["--rule", rule], rest].concat());
    check_schema(&result);
    let summary = result["analysis"]["summaries"][0].clone();
    assert_eq!(summary["rule"], rule);
    (summary["sustained"].clone(), result)
}

#[test]
fn a_rule_looks_at_one_class() {
    let bench = Bench::new();
    let (found, _) = summary(&bench, "write.mean<=3ms", &["--outstanding", "1,2,4,8"]);
    assert_eq!(found["status"], "met");
    assert!((number(&found["load"]) - 3.0).abs() < 0.1, "{found}");
    let reads = ["--outstanding", "1,2"];
    let only = ["run", "random-read", "sim:analytic/md1", "--json", "-", "--time=1s"];
    let rule = ["--rule", "write.mean<=3ms"];
    let result = bench.json(&[&only[..], &rule, &reads].concat());
    assert_eq!(result["analysis"]["summaries"][0]["sustained"]["status"], "unknown");
}

#[test]
fn a_reference_is_measured_and_multiplied() {
    let bench = Bench::new();
    let (found, result) = summary(&bench, "mean<=2.5x@2", &["--outstanding", "1,4,8"]);
    let loads: Vec<f64> =
        points(&result).iter().map(|point| number(&point["load"]["value"])).collect();
    assert_eq!(loads, [1.0, 2.0, 4.0, 8.0]);
    assert_eq!(found["status"], "met");
    assert!((number(&found["load"]) - 5.0).abs() < 0.01, "{found}");
    let (found, _) = summary(&bench, "mean<=3x@2", &["--outstanding", "auto"]);
    assert!((number(&found["load"]) - 6.0).abs() < 0.1, "{found}");
    let shown = bench.succeed(&["show", "last"]).stdout;
    assert!(shown.contains("At mean <= 3 times that at load 2"), "{shown}");
    bench.succeed(&["compare", "last", "last"]);
    bench.succeed(&["report", "last", "-o", "report.md"]);
    assert!(bench.read("report.md").contains("3 times that at load 2"));
}

#[test]
fn a_reference_needs_a_closed_loop_and_sizing_a_time() {
    let bench = Bench::new();
    let rule = ["--rule", "mean<=2x@2"];
    let said = bench.run(&[&RUN[..], &rule, &["--rate", "10,20"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("the loads here are offered rates"), "{}", said.stderr);
    let size = ["size", "--profile", "database", "--iops", "100"];
    let said = bench.run(&[&size[..], &rule].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("no rule to size by"), "{}", said.stderr);
}
