//! The same number with the same interval, wherever it is printed.

use serde_json::Value;

use crate::program::Bench;
use crate::result::number;

/// A number of a comparison of a run with itself: its value and its half-width.
fn compared(comparison: &Value, measure: &str) -> (f64, f64) {
    let figures = comparison["series"][0]["figures"].as_array().unwrap();
    let figure = figures.iter().find(|figure| figure["measure"] == measure).unwrap();
    (number(&figure["readings"][0]["value"]), number(&figure["readings"][0]["ci95"]))
}

#[test]
fn tables_comparison_report_and_json_agree() {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/mm1?service=1ms", "--outstanding", "1,2,4,8"];
    let rest = ["--rule", "mean<=5ms", "--time", "10s", "--json", "run.json"];
    let tables = bench.succeed(&[&run[..], &rest].concat()).stdout;
    let result: Value = serde_json::from_str(&bench.read("run.json")).unwrap();
    let summary = &result["analysis"]["summaries"][0];
    assert_eq!(bench.json(&["show", "last", "--json"])["analysis"], result["analysis"]);
    assert_eq!(bench.json(&["export", "last"])["analysis"], result["analysis"]);
    let comparison = bench.json(&["compare", "last", "last", "--json", "-"]);
    for (place, measure) in [("sustained", "sustained.iops"), ("peak", "peak.iops")] {
        let rate = &summary[place]["rate"];
        let expected = (number(&rate["mean"]), number(&rate["ci95"]));
        assert_eq!(compared(&comparison, measure), expected, "{measure}");
    }
    let sustained = format!("{} IO/s", grouped(number(&summary["sustained"]["rate"]["mean"])));
    assert!(tables.contains(&sustained), "{sustained}: {tables}");
    bench.succeed(&["report", "last", "-o", "report.md"]);
    let report = bench.read("report.md").replace('\u{a0}', " ");
    assert!(report.contains(&sustained), "{sustained}");
}

#[test]
fn percentiles_of_repetitions_are_those_of_all_operations() {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/mm1?service=1ms", "--outstanding", "4,8"];
    let rest = ["--rule", "p99<=12ms", "--time", "2s", "--repeat", "3", "--json", "run.json"];
    let said = bench.succeed(&[&run[..], &rest].concat());
    assert!(!said.stderr.contains("rescue"), "{}", said.stderr);
    assert_eq!(bench.names().iter().filter(|name| name.contains("rescue")).count(), 0);
    let result: Value = serde_json::from_str(&bench.read("run.json")).unwrap();
    let found = &result["analysis"]["summaries"][0]["sustained"];
    assert_eq!(found["status"], "met");
    // An import with the response times gives the same, one without them no more than that.
    bench.succeed(&["export", "last", "--histograms", "-o", "full.json"]);
    bench.succeed(&["import", "full.json", "--store", "full.db"]);
    let full = bench.json(&["export", "last", "--store", "full.db"]);
    assert_eq!(full["analysis"], result["analysis"]);
    bench.succeed(&["import", "run.json", "--store", "plain.db"]);
    let plain = bench.json(&["export", "last", "--store", "plain.db"]);
    let plain = &plain["analysis"]["summaries"][0]["sustained"];
    assert!(number(&plain["load"]) <= number(&found["load"]), "{plain} {found}");
}

/// Four digits, as rates are printed: `1,010`.
fn grouped(rate: f64) -> String {
    let whole = rate.round() as u64;
    if whole < 1000 { whole.to_string() } else { format!("{},{:03}", whole / 1000, whole % 1000) }
}
