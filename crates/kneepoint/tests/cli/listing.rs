//! `kneepoint runs` and `kneepoint label`.

use serde_json::Value;

use crate::program::Bench;

/// A bench with two runs: `database` called `first`, and `oltp` on two targets without a label.
fn bench_with_runs() -> Bench {
    let bench = Bench::new();
    let timing = ["--outstanding", "1", "--time", "1s"];
    let first = ["run", "database", "sim:analytic/md1", "--label", "first"];
    bench.succeed(&[&first[..], &timing].concat());
    let second = ["run", "oltp", "sim:analytic/mm1", "sim:analytic/md1", "--block", "8KiB"];
    bench.succeed(&[&second[..], &timing].concat());
    bench
}

fn works(list: &Value) -> Vec<&str> {
    list["runs"].as_array().unwrap().iter().map(|run| run["work"].as_str().unwrap()).collect()
}

#[test]
fn runs_are_listed_with_target_host_and_duration() {
    let bench = bench_with_runs();
    let list = bench.json(&["runs", "--json"]);
    assert_eq!(list["schema"], "kneepoint.runs/1");
    assert_eq!(works(&list), ["oltp", "database"]);
    let (second, first) = (&list["runs"][0], &list["runs"][1]);
    assert_eq!(second["targets"], serde_json::json!(["sim:analytic/mm1", "sim:analytic/md1"]));
    assert_eq!(first["label"], "first");
    assert_eq!(first["state"], "complete");
    assert_eq!(first["points"], 1);
    assert!(first["duration_s"].as_f64().unwrap() >= 0.0);
    let host = bench.json(&["export", "first"])["environment"]["hosts"][0]["host"].clone();
    assert_eq!(first["host"], host);
    let table = bench.succeed(&["runs", "--wide"]).stdout;
    for text in
        ["Target", "Host", "Duration", "sim:analytic/mm1 and 1 more", host.as_str().unwrap()]
    {
        assert!(table.contains(text), "{text}: {table}");
    }
}

#[test]
fn runs_can_be_chosen() {
    let bench = bench_with_runs();
    let chosen = |options: &[&str]| {
        let list = bench.json(&[&["runs", "--json"], options].concat());
        works(&list).join(" ")
    };
    assert_eq!(chosen(&["--work", "OLTP"]), "oltp");
    assert_eq!(chosen(&["--target", "mm1"]), "oltp");
    assert_eq!(chosen(&["--target", "md1"]), "oltp database");
    assert_eq!(chosen(&["--label", "irs"]), "database");
    assert_eq!(chosen(&["--state", "complete"]), "oltp database");
    assert_eq!(chosen(&["--state", "failed"]), "");
    assert_eq!(chosen(&["--since", "1h"]), "oltp database");
    assert_eq!(chosen(&["--since", "2020-01-01"]), "oltp database");
    assert_eq!(chosen(&["--since", "9000-01-01"]), "");
    let none = bench.succeed(&["runs", "--state", "failed"]);
    assert_eq!(none.stderr, "no run is like that; `kneepoint runs` lists all\n");
}

#[test]
fn a_label_can_be_changed_and_taken_away() {
    let bench = bench_with_runs();
    let said = bench.succeed(&["label", "first", "before the update"]);
    assert!(
        said.stderr.contains("is labelled \"before the update\" (it was \"first\")"),
        "{said:?}"
    );
    assert_eq!(bench.json(&["export", "before the update"])["run"]["work"], "database");
    assert_eq!(bench.run(&["show", "first"]).code, Some(2));
    bench.succeed(&["label", "before the update", ""]);
    assert_eq!(bench.run(&["show", "before the update"]).code, Some(2));
    // It does not become the last run, and nothing else of it changes.
    assert_eq!(bench.json(&["export", "last"])["run"]["work"], "oltp");
    assert_eq!(bench.run(&["label", "last", "last"]).code, Some(2));
}
