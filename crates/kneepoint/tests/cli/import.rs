//! `import` believes nothing: what Kneepoint wrote comes in, what it cannot have measured does not.

use std::fs;

use kneepoint_store::{Store, StoreAccess};
use serde_json::{Value, json};

use crate::program::Bench;

/// A run of two points on a simulated queue.
fn bench() -> Bench {
    let bench = Bench::new();
    run(&bench, "first", &["database", "sim:analytic/mm1", "--outstanding", "1,4", "--time", "2s"]);
    bench
}

fn run(bench: &Bench, label: &str, words: &[&str]) {
    let said = bench.run(&[&["run"], words, &["--label", label]].concat());
    assert!(matches!(said.code, Some(0 | 1)), "{words:?}\n{}", said.stderr);
}

/// The document of `label` with the values at the pointers exchanged.
fn forged(document: &Value, changes: &[(&str, Value)]) -> String {
    let mut document = document.clone();
    for (pointer, value) in changes {
        match document.pointer_mut(pointer) {
            Some(place) => *place = value.clone(),
            None => {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                document.pointer_mut(parent).unwrap()[key] = value.clone();
            }
        }
    }
    document.to_string()
}

/// Importing the forged document is refused, and the message has every one of `parts`.
fn check(bench: &Bench, changes: &[(&str, Value)], parts: &[&str]) {
    let document = bench.json(&["export", "first"]);
    bench.write("forged.json", forged(&document, changes));
    let said = bench.run(&["import", "forged.json", "--store", "other.db"]);
    assert_eq!(said.code, Some(2), "{changes:?} is taken in");
    for part in parts {
        assert!(said.stderr.contains(part), "{changes:?}: {}", said.stderr);
    }
    assert!(!bench.path("other.db").exists());
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    let bench = bench();
    let check = |pointer: &str, value: Value, parts: &[&str]| {
        let pointer = format!("/points/0{pointer}");
        check(
            &bench,
            &[(&pointer, value)],
            &[&["point 1 (database/8KiB, 1 outstanding"], parts].concat(),
        );
    };
    check("/rate/mean", json!(-1), &["rate.mean is -1", "expected 0 to"]);
    check("/rate/mean", json!(1e9), &["rate.mean is 1000000000", "operations over measured_s"]);
    check("/rate/ci95", json!(-0.5), &["rate.ci95 is -0.5", "at least 0"]);
    check("/latency_ms/p99", json!(-5), &["latency_ms.p99 is -5"]);
    check("/latency_ms/p50", json!(1e6), &["latency_ms.p90 is", "the value of latency_ms.p50"]);
    check("/latency_ms/mean", json!(1e6), &["achieved_outstanding is", "Little's law"]);
    check("/classes/read/latency_ms/max", json!(0), &["classes.read.latency_ms.max is 0"]);
    check("/measured_s", json!(0), &["measured_s is 0", "more than 0"]);
    check("/measured_s", json!(-1), &["measured_s is -1"]);
    check("/storage/read_percent", json!(1e9), &["read_percent is 1000000000", "expected"]);
    check(
        "/storage/random_percent",
        json!(50),
        &["random_percent is 50", "100, as the profile says"],
    );
    check("/operations", json!(7), &["operations over measured_s"]);
    check("/classes/write/operations", json!(1), &["classes.write.rate is"]);
    check("/volume/mean", json!(9), &["volume.mean is 9"]);
    check(
        "/storage/block_bytes",
        json!(4096),
        &["block_bytes is 4096", "8192, as the profile says"],
    );
    check(
        "/storage/achieved_outstanding",
        json!(9),
        &["achieved_outstanding is 9", "Little's law"],
    );
    check("/started_at", json!("yesterday"), &["started_at is 'yesterday'", "RFC 3339"]);
    check("/intervals/0/latency_max_ms", json!(-1), &["intervals.latency_max_ms is -1"]);
    check("/targets/0/rate", json!(5), &["all targets together"]);
    check("/targets/0/target", json!("/dev/sda"), &["targets.target is '/dev/sda'"]);
    check("/repetition", json!(3), &["repetition is 3", "below 1"]);
}

#[test]
fn a_load_that_cannot_be_is_refused() {
    let bench = bench();
    let load = |value: Value| [("/points/0/load/value", value)];
    check(&bench, &load(json!(0)), &["0 outstanding I/Os): load.value is 0"]);
    check(&bench, &load(json!(1.5)), &["load.value is 1.5", "a whole number"]);
}

#[test]
fn an_error_of_a_trend_is_not_negative() {
    let trend = json!({"percent_per_s": 0.0, "standard_error": -1.0, "dof": 5});
    let trends = |name: &str, other: &str| json!({name: trend, other: null});
    for (name, other) in [("rate", "latency_ms"), ("latency_ms", "rate")] {
        let said = format!("trends.{name}.standard_error is -1");
        check(&bench(), &[("/points/0/trends", trends(name, other))], &[&said]);
    }
}

#[test]
fn a_document_that_does_not_belong_together_is_refused() {
    let bench = bench();
    let check =
        |pointer: &str, value: Value, parts: &[&str]| check(&bench, &[(pointer, value)], parts);
    check("/run/plan_hash", json!("0"), &["plan_hash is 0", "the digest of the plan"]);
    check("/plan", json!(null), &["plan.schema is ''", "kneepoint.plan/"]);
    check("/plan", json!({}), &["plan.schema is ''"]);
    check("/plan/rules", json!(["mean<=banana"]), &["plan is", "expected a whole plan"]);
    check("/plan/seed", json!(2), &["plan_hash is"]);
    check("/run/seed", json!(2), &["seed is 2", "1, the seed of the plan"]);
    check("/run/started_at", json!("2026-13-01T00:00:00Z"), &["started_at is"]);
    check("/run/finished_at", json!("2001-01-01T00:00:00Z"), &["a time after the start"]);
    check("/points/0/series", json!("other/8KiB"), &["series is 'other/8KiB'", "database/8KiB"]);
    check("/points/0/colour", json!("red"), &["unknown key 'points[0].colour'"]);
    check("/colour", json!("red"), &["unknown key 'colour'"]);
}

#[test]
fn every_kind_of_run_comes_in_again() {
    let bench = Bench::new();
    let short = ["--time", "100ms", "--ramp", "0s"];
    let file = ["--size", "4MiB", "--buffered", "--outstanding", "1,2"];
    let of_file = |words: &[&'static str]| [words, &file[..], &short[..]].concat();
    bench.write(
        "copies.toml",
        "name = \"copies\"\ntitle = \"t\"\n[[series]]\nprofile = \"random-read\"\n\
         [file_copy]\nbytes = \"1MiB\"\nfiles = 8\ndirectories = 2\nrepeat = 1\n",
    );
    let sim = "sim:analytic/mm1";
    let runs: Vec<Vec<&str>> = vec![
        [&["random-read", "null:", "--outstanding", "1,64"], &short[..]].concat(),
        [&["iometer-file-server", "null:", "--outstanding", "4"], &short[..]].concat(),
        of_file(&["database", "a.dat"]),
        of_file(&["iometer-file-server", "a.dat"]),
        of_file(&["restore", "a.dat", "b.dat"]),
        of_file(&["./copies.toml", "a.dat"]),
        [&["database", "a.dat", "--rate", "200", "--size", "4MiB", "--buffered"], &short[..]]
            .concat(),
        vec!["database", sim, "--rate", "100,5000", "--time", "2s"],
        vec!["database", sim, "--outstanding", "1,8", "--repeat", "2", "--time", "2s"],
        vec!["database", sim, "--outstanding", "auto", "--rule", "mean<=20ms", "--quick"],
        vec!["database", sim, "--outstanding", "1,8", "--quick"],
        vec!["database", sim, "--outstanding", "4", "--steady-state", "2s"],
        vec![
            "database",
            "sim:fastt900?drives=20",
            "--factor",
            "raid=raid5,raid10",
            "--quick",
            "--outstanding",
            "4",
        ],
        vec!["iometer-default", "sim:drive/fastt-10k-36", "--quick", "--outstanding", "1,4"],
        vec!["storagebench", "sim:serveraid-m5025", "--quick", "--outstanding", "2"],
    ];
    for (index, words) in runs.iter().enumerate() {
        let label = format!("kind{index}");
        run(&bench, &label, words);
        bench.succeed(&["export", &label, "-o", "run.json"]);
        bench.succeed(&["import", "run.json", "--store", "other.db"]);
        bench.succeed(&["export", &label, "--store", "other.db", "-o", "again.json"]);
        assert_eq!(bench.read("again.json"), bench.read("run.json"), "{words:?}");
    }
    // All at once, from the store.
    bench.succeed(&["import", "kneepoint.db", "--store", "third.db"]);
}

#[test]
fn a_store_is_merged_into_another() {
    let bench = bench();
    run(
        &bench,
        "second",
        &["database", "sim:analytic/mm1", "--outstanding", "2", "--store", "b.db"],
    );
    bench.succeed(&["export", "first", "-o", "first.json"]);
    let said = bench.succeed(&["import", "kneepoint.db", "--store", "b.db"]);
    assert!(said.stderr.contains("imported run") && said.stderr.contains("with 2 points"));
    let runs = bench.succeed(&["runs", "--store", "b.db"]).stdout;
    assert!(runs.contains("first") && runs.contains("second"), "{runs}");
    bench.succeed(&["export", "first", "--store", "b.db", "-o", "merged.json"]);
    assert_eq!(bench.read("merged.json"), bench.read("first.json"));
    let histograms = |name: &str| {
        let store = Store::open(&bench.path(name), StoreAccess::ReadOnly).unwrap();
        let run = store.find(&"first".parse().unwrap()).unwrap();
        store.histograms(&run.id, 1).unwrap()
    };
    assert!(histograms("b.db").0.contains_key("read"));
    assert_eq!(histograms("b.db"), histograms("kneepoint.db"));
    // What is there already is said and left as it is.
    let again = bench.succeed(&["import", "kneepoint.db", "--store", "b.db"]);
    assert!(again.stderr.contains("skipped run"), "{}", again.stderr);
    assert!(again.stderr.contains("0 imported, 1 skipped, 0 refused"), "{}", again.stderr);
    let own = bench.run(&["import", "b.db", "--store", "b.db"]);
    assert_eq!(own.code, Some(2));
    assert!(own.stderr.contains("are the same file"), "{}", own.stderr);
    assert_eq!(fs::read(bench.path("b.db")).unwrap().get(..6), Some(&b"SQLite"[..]));
}
