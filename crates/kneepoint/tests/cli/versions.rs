//! Results of earlier versions.

use crate::program::Bench;
use crate::result::{check_schema, number, points};

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
    assert!(shown.contains("1,010 IO/s") && shown.contains("3.88 ms"), "{shown}");
    bench.succeed(&["compare", "last", "last"]);
    bench.succeed(&["report", "last", "-o", "report.html"]);
}

#[test]
fn what_is_neither_version_is_refused() {
    let bench = Bench::new();
    bench.write("new.json", RUN_1.replace("kneepoint.run/1", "kneepoint.run/3"));
    let said = bench.run(&["import", "new.json"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("reads kneepoint.run/2 and kneepoint.run/1"), "{}", said.stderr);
}
