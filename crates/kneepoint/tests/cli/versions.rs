//! Results of earlier versions.

use serde_json::json;

use crate::program::Bench;
use crate::redaction::redact;
use crate::result::{check_schema, number, points};
use crate::snapshot::check_text;

/// A run of `kneepoint.run/1`: an M/M/1 queue at 4 and 1 outstanding I/Os, twice.
const RUN_1: &str = include_str!("../../../kneepoint-store/tests/fixtures/format-2.json");

#[test]
fn a_run_of_version_1_is_imported_shown_compared_and_reported() {
    let bench = Bench::new();
    bench.write("old.json", RUN_1);
    bench.succeed(&["import", "old.json"]);
    let result = bench.json(&["export", "last"]);
    check_schema(&result);
    let point = &points(&result)[0];
    assert_eq!(point["load"]["unit"], "outstanding_ios");
    assert_eq!((number(&point["load"]["value"]), number(&point["repetition"])), (4.0, 0.0));
    assert!((number(&point["rate"]["mean"]) - 1033.0).abs() < 1.0, "{point}");
    assert_eq!(result["environment"]["hosts"][0]["host"], "lab");
    assert_eq!(result["environment"]["targets"][0]["host"], "lab");
    let shown = bench.succeed(&["show", "last"]).stdout;
    assert!(shown.contains("962 IO/s") && shown.contains("3.88 ms"), "{shown}");
    bench.succeed(&["compare", "last", "last"]);
    bench.succeed(&["report", "last", "-o", "report.html"]);
}

/// The whole document of a run on a simulated system, but for the machine and the time.
#[test]
fn the_format_is_as_it_is_checked_in() {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/mmc?service=5ms&servers=4", "--json", "-"];
    let rest = ["--outstanding", "2,4,8", "--time", "2s", "--rule", "mean<=8ms", "--seed", "7"];
    let mut result = bench.json(&[&run[..], &rest].concat());
    check_schema(&result);
    let host = &mut result["environment"]["hosts"][0];
    for key in ["host", "kernel"] {
        host[key] = json!("");
    }
    for key in ["facts", "cpu"] {
        host[key] = json!({});
    }
    host["memory_bytes"] = json!(0);
    result["environment"]["targets"][0]["host"] = json!("");
    for point in result["points"].as_array_mut().unwrap() {
        point["cpu_percent"] = json!(0.0);
    }
    let text = serde_json::to_string_pretty(&result).unwrap() + "\n";
    check_text("run-2.json", redact(&text));
}

#[test]
fn what_is_neither_version_is_refused() {
    let bench = Bench::new();
    bench.write("new.json", RUN_1.replace("kneepoint.run/1", "kneepoint.run/3"));
    let said = bench.run(&["import", "new.json"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("reads kneepoint.run/2 and kneepoint.run/1"), "{}", said.stderr);
}
