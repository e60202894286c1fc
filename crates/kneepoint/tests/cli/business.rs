//! Business operations in memory, through every command.

use serde_json::Value;

use crate::program::Bench;
use crate::result::{check_schema, number, points};

const RUN: [&str; 6] =
    ["run", "business-operations", "memory:", "--time=200ms", "--ramp=20ms", "--peak-warehouses=1"];

#[test]
fn business_operations_are_run_stored_shown_and_reported() {
    let bench = Bench::new();
    let run = [&RUN[..], &["--warehouses=1..3", "--label=one", "--json=one.json"]].concat();
    let said = bench.succeed(&run);
    assert!(said.stderr.contains("business-operations, 2 warehouses: "), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    assert_eq!(result["environment"]["targets"][0]["kind"], "database");
    for point in points(&result) {
        assert_eq!(
            (&point["load"]["unit"], &point["load"]["per"]),
            (&"warehouses".into(), &"run".into())
        );
        assert_eq!((&point["volume"], &point["storage"]), (&Value::Null, &Value::Null));
        let classes = point["classes"].as_object().unwrap();
        assert_eq!(classes.len(), 6);
        let sum: f64 = classes.values().map(|class| number(&class["operations"])).sum();
        assert_eq!(sum, number(&point["operations"]));
        assert!(number(&classes["delivery"]["latency_ms"]["mean"]) > 0.0);
        assert!(point["started_at"].as_str().unwrap().ends_with('Z'), "{point}");
    }
    let score = &result["analysis"]["summaries"][0]["score"];
    assert_eq!((number(&score["from"]), number(&score["to"])), (1.0, 2.0));
    let rates: Vec<f64> =
        points(&result).iter().map(|point| number(&point["rate"]["mean"])).collect();
    let mean = f64::midpoint(rates[0], rates[1]);
    assert!((number(&score["rate"]["mean"]) / mean - 1.0).abs() < 1e-9, "{score} {rates:?}");
    let shown = bench.succeed(&["show", "one"]).stdout;
    assert!(shown.contains("business-operations scores "), "{shown}");
    assert!(!shown.contains("IO/s") && !shown.contains("MiB/s"), "{shown}");
    for (file, language) in [("report.md", "en"), ("bericht.md", "de")] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
    }
    let report = bench.read("report.md");
    assert!(report.contains("the mean throughput with 1 to 2 warehouses"), "{report}");
    let rows = report.lines().filter(|line| line.contains("| order-status |")).count();
    assert_eq!(rows, 3, "a row of each response class for each load: {report}");
    for of_storage in ["IO/s", "I/O", "MiB/s", "storage", "Storage", "block size"] {
        assert!(!report.contains(of_storage), "{of_storage}: {report}");
    }
    assert!(bench.read("bericht.md").contains("den mittleren Durchsatz mit 1 bis 2 Lagerhäusern"));
    bench.succeed(&["delete", "one"]);
    bench.succeed(&["import", "one.json"]);
    assert_eq!(bench.succeed(&["show", "one"]).stdout, shown);
}

#[test]
fn a_score_takes_every_number_of_warehouses() {
    let bench = Bench::new();
    let run = [&RUN[..], &["--warehouses=1,3", "--json=one.json"]].concat();
    let said = bench.succeed(&run);
    assert!(!said.stdout.contains("scores"), "{}", said.stdout);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    assert_eq!(result["analysis"]["summaries"][0]["score"], Value::Null);
    bench.succeed(&["report", "last", "-o", "report.md"]);
    assert!(bench.read("report.md").contains("business-operations has no score"));
}

#[test]
fn each_class_of_transactions_can_have_its_rule() {
    let bench = Bench::new();
    let rules = ["--rule=payment.p99<=10s", "--rule=stock-level.mean<=100ns"];
    let run = [&RUN[..], &["--warehouses=1,2", "--json=one.json"], &rules[..]].concat();
    bench.succeed(&run);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    let summaries = result["analysis"]["summaries"].as_array().unwrap();
    let judged: Vec<[&Value; 2]> =
        summaries.iter().map(|one| [&one["rule"], &one["sustained"]["status"]]).collect();
    let text = |text: &str| Value::from(text);
    let expected = [
        [text("payment.p99<=10s"), text("all_meet")],
        [text("stock-level.mean<=100ns"), text("none_meets")],
    ];
    assert_eq!(judged, expected.each_ref().map(|pair| pair.each_ref()));
    let unknown = [&RUN[..], &["--warehouses=1", "--rule=refund.mean<=1ms"]].concat();
    bench.refuse(&unknown, "no profile of this work has responses of that class");
}

#[test]
fn warehouses_rise_to_twice_the_expected_peak() {
    let bench = Bench::new();
    let plan = |more: &[&str]| {
        let asked = [&["plan", "business-operations", "memory:"][..], more].concat();
        bench.succeed(&asked).stdout
    };
    assert!(plan(&["--peak-warehouses=5"]).contains("1, 2, 3, 4, 5, 6, 7, 8, 9, 10 warehouses"));
    assert!(plan(&["--peak-warehouses=2"]).contains("1, 2, 3, 4, 5, 6, 7, 8 warehouses"));
    assert!(plan(&["--peak-warehouses=2", "--quick"]).contains("1, 2, 3, 4 warehouses"));
}

#[test]
fn work_and_target_must_fit() {
    let bench = Bench::new();
    bench.refuse(&["run", "business-operations", "null:"], "it takes I/O");
    bench.refuse(&["run", "business-operations", "sim:analytic/desktop"], "it serves users");
    bench.refuse(&["run", "database", "memory:"], "it does business operations");
    bench.refuse(&["run", "business-operations", "memory:", "--users=1"], "warehouses do business");
    bench.refuse(&["run", "business-operations", "memory:", "--block=4KiB"], "in blocks");
    bench.refuse(
        &["run", "business-operations", "memory:", "memory:"],
        "cannot be measured together",
    );
    bench
        .refuse(&["run", "business-operations", "memory:", "null:"], "cannot be measured together");
    bench.refuse(&["run", "business-operations", "memory:", "--workers=2"], "its own thread");
    bench.refuse(&["run", "database", "null:", "--peak-warehouses=2"], "there are no warehouses");
    bench.refuse(&["run", "business-operations", "memory:", "--warehouses=1.5"], "whole number");
}
