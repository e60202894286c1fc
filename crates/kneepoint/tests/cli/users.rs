//! A load that is no I/O: users, through every command.

use serde_json::Value;

use crate::program::Bench;
use crate::result::{check_schema, number, points};

const RUN: [&str; 5] =
    ["run", "office", "sim:analytic/desktop", "--time=60s", "--rule=keystroke.mean<=2x@5"];

#[test]
fn users_are_run_stored_shown_compared_and_reported() {
    let bench = Bench::new();
    let run = [&RUN[..], &["--users=1,5,20,40", "--label=one", "--json=one.json"]].concat();
    let said = bench.succeed(&run);
    assert!(said.stderr.contains("office, 20 users: "), "{}", said.stderr);
    assert!(said.stderr.contains(" op/s  ") && !said.stderr.contains("IO/s"), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    for point in points(&result) {
        assert_eq!(
            (&point["load"]["unit"], &point["load"]["per"]),
            (&"users".into(), &"run".into())
        );
        assert_eq!((&point["volume"], &point["storage"]), (&Value::Null, &Value::Null));
        assert!(number(&point["classes"]["open"]["latency_ms"]["mean"]) > 199.9);
    }
    let sustained = &result["analysis"]["summaries"][0]["sustained"];
    assert_eq!(sustained["status"], "met");
    let counts = result["analysis"]["users"].as_array().unwrap();
    assert_eq!(counts[0]["rule"], "keystroke.mean<=2x@5");
    assert_eq!((&counts[0]["is_asked"], &counts[0]["status"]), (&true.into(), &"met".into()));
    assert!(counts.len() >= 5 && counts[1..].iter().all(|count| count["is_asked"] == false));
    assert!(said.stdout.contains("All rules are read off the same points"), "{}", said.stdout);
    let other = ["run", "office", "sim:analytic/desktop?processors=2", "--time=60s", "--label=two"];
    bench.succeed(&[&other[..], &["--load=1,5,20,40"]].concat());
    let shown = bench.succeed(&["show", "one"]).stdout;
    assert!(shown.contains("At keystroke: mean <= 2 times") && shown.contains("op/s"), "{shown}");
    assert!(!shown.contains("IO/s") && !shown.contains("MiB/s"), "{shown}");
    let compared = bench.succeed(&["compare", "one", "two"]).stdout;
    assert!(compared.contains("op/s") && !compared.contains("IO/s"), "{compared}");
    let wide = bench.succeed(&["compare", "one", "two", "--points"]).stdout;
    assert!(wide.contains("at 40 users") && !wide.contains("IO/s"), "{wide}");
    for (file, language) in [("users.md", "en"), ("benutzer.md", "de")] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
    }
    let report = bench.read("users.md");
    assert!(report.contains("users who work at the same time"), "{report}");
    assert!(bench.read("benutzer.md").contains("Leistungsbericht Server"));
    assert!(report.contains("Users at the server") && report.contains("asked for"), "{report}");
    assert!(bench.read("benutzer.md").contains("Benutzer am Server"));
    for of_storage in ["IO/s", "I/O", "MiB/s", "storage", "Storage"] {
        assert!(!report.contains(of_storage), "{of_storage}: {report}");
    }
    assert!(bench.read("benutzer.md").contains("Vorgänge von office"));
    bench.succeed(&["export", "one", "-o", "one.csv"]);
    assert!(bench.read("one.csv").contains("keystroke"), "{}", bench.read("one.csv"));
    bench.succeed(&["delete", "one"]);
    bench.succeed(&["import", "one.json"]);
    assert_eq!(bench.succeed(&["show", "one"]).stdout, shown);
}

#[test]
fn the_reference_of_a_stored_run_is_used_again() {
    let bench = Bench::new();
    bench.succeed(&[&RUN[..], &["--users=5,20", "--label=quiet"]].concat());
    let again = ["--users=10,20,40", "--reference=quiet"];
    let plan = [&["plan"], &RUN[1..], &again].concat();
    let said = bench.succeed(&plan).stdout;
    assert!(
        said.contains("reference: that of run ") && said.contains("10, 20, 40 users"),
        "{said}"
    );
    assert!(said.contains(", for keystroke.mean<=2x@5\n"), "{said}");
    let run = [&RUN[..], &again, &["--label=one", "--json=one.json"]].concat();
    let said = bench.succeed(&run).stdout;
    let line = "its reference, ";
    assert!(said.contains(line) && said.contains("was not measured here but in run"), "{said}");
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    assert_eq!(points(&result).len(), 3, "five users are not measured");
    let reference = &result["plan"]["reference"];
    assert_eq!(reference["origin"]["label"], "quiet");
    let mut values = reference["values"].as_array().unwrap().iter();
    let of_strokes = values.find(|value| value["class"] == "keystroke").unwrap();
    let mean = number(&of_strokes["ms"]["mean"]);
    let count = &result["analysis"]["users"][0];
    assert_eq!(
        (&count["rule"], &count["is_asked"]),
        (&"keystroke.mean<=2x@5".into(), &true.into())
    );
    assert!((number(&count["limit_ms"]) - 2.0 * mean).abs() < 0.002, "{count} {mean}");
    assert_eq!(count["status"], "met");
    for (file, language, told) in [
        ("a.md", "en", "was not measured in this run but in run quiet ("),
        ("b.md", "de", "wurde nicht in diesem Lauf gemessen, sondern im Lauf quiet ("),
    ] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
        assert!(bench.read(file).contains(told), "{}", bench.read(file));
    }
    bench.succeed(&["delete", "one"]);
    bench.succeed(&["import", "one.json"]);
    assert!(bench.succeed(&["show", "one"]).stdout.contains(line));
}

#[test]
fn a_reference_that_the_stored_run_lacks_is_refused() {
    let bench = Bench::new();
    bench.succeed(&[&RUN[..], &["--users=5,20", "--label=quiet"]].concat());
    let refuse = |more: &[&str], why: &str| {
        let run = ["run", "office", "sim:analytic/desktop", "--time=60s", "--users=10,20"];
        bench.refuse(&[&run[..], more].concat(), why);
    };
    let rule = "--rule=keystroke.mean<=2x@5";
    refuse(&[rule, "--reference=none"], "none");
    refuse(
        &["--rule=keystroke.mean<=50ms", "--reference=quiet"],
        "there is no use for the reference",
    );
    refuse(&["--rule=keystroke.mean<=2x@6", "--reference=quiet"], "it did not measure at load 6");
    let other = ["run", "database", "null:", "--outstanding=1,2", "--rule=mean<=2x@5"];
    let said = "has no reference for 'database'";
    bench.refuse(&[&other[..], &["--reference=quiet"]].concat(), said);
}

#[test]
fn what_users_cannot_have_is_not_imported() {
    let bench = Bench::new();
    bench.succeed(&[&RUN[..], &["--users=5,20", "--json=one.json"]].concat());
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    let check = |pointer: &str, value: Value, why: &str| {
        let mut changed = result.clone();
        changed["run"]["id"] = "another".into();
        *changed.pointer_mut(pointer).unwrap() = value;
        bench.write("changed.json", changed.to_string());
        let said = bench.run(&["import", "changed.json"]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(why), "{}", said.stderr);
    };
    let storage = serde_json::json!({
        "block_bytes": 4096, "read_percent": 100.0, "random_percent": 0.0,
        "achieved_outstanding": number(&result["points"][0]["rate"]["mean"])
            * number(&result["points"][0]["latency_ms"]["mean"]) / 1e3,
    });
    check("/points/0/storage", storage, "storage is there");
    let p50 = "/points/0/latency_ms/percentiles_ci95/p50";
    check(p50, serde_json::json!([0.0, 0.1]), "percentiles_ci95.p50 is 0.1");
    check(p50, serde_json::json!([900.0, 1000.0]), "percentiles_ci95.p50 is 900");
}

#[test]
fn work_and_target_must_fit() {
    let bench = Bench::new();
    bench.refuse(&["run", "office", "null:"], "it takes I/O");
    bench.refuse(&["run", "database", "sim:analytic/desktop"], "it serves users");
    bench.refuse(&["run", "office", "sim:analytic/desktop", "--outstanding=1"], "users work");
    bench.refuse(&["run", "database", "null:", "--users=1"], "it does I/O");
    bench.refuse(&["run", "office", "sim:analytic/desktop", "--block=4KiB"], "in blocks");
    let two = ["run", "office", "sim:analytic/desktop", "sim:analytic/desktop?processors=2"];
    bench.refuse(&two, "users work on one target");
    bench.refuse(&["run", "office", "sim:analytic/desktop", "--users=1.5"], "whole number");
    bench.refuse(&["size", "--profile=office", "--iops=100", "--rule=mean<=20ms"], "does no I/O");
}
