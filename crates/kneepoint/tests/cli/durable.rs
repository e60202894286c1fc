//! Writes that are made durable: what is planned, measured, printed, kept and refused.

use serde_json::{Value, json};

use crate::program::Bench;
use crate::result::{check_points, check_schema, number, points};
use crate::snapshot::check;

/// A log on a queue that writes in 1 ms and flushes in 3 ms.
const LOG: [&str; 8] = [
    "run",
    "log-durable",
    "sim:analytic/fixed?service=1ms&flush=3ms",
    "--outstanding",
    "1,4",
    "--time=5s",
    "--rule",
    "flush.p99<=10ms",
];

#[test]
fn flushes_are_planned_and_shown() {
    check(
        "durable",
        &[
            "plan log-durable sim:analytic/fixed?flush=3ms --outstanding 1,4",
            "run log-durable sim:analytic/fixed?flush=3ms --outstanding 1,4 --time 5s --rule flush.p99<=10ms",
            "plan log-durable sim:analytic/fixed",
        ],
    );
}

#[test]
fn flushes_are_a_class_that_rules_and_exports_know() {
    let bench = Bench::new();
    let result = bench.json(&[&LOG[..], &["--label", "log", "--json", "-"]].concat());
    check_schema(&result);
    check_points(&result);
    let [_, four] = points(&result) else { panic!("two points: {result}") };
    let near = |value: f64, expected: f64| (value / expected - 1.0).abs() < 0.01;
    let (rate, flush) = (number(&four["rate"]["mean"]), &four["classes"]["flush"]);
    assert!(near(rate, 1000.0) && near(number(&flush["rate"]), 1000.0), "{four}");
    assert_eq!(number(&flush["latency_ms"]["mean"]), 3.0);
    assert_eq!((number(&four["latency_ms"]["mean"]), &flush["volume"]), (1.0, &json!(null)));
    assert!(near(number(&four["storage"]["achieved_outstanding"]), 4.0), "{four}");
    assert_eq!(four["warnings"], json!([]));
    // Both loads meet the rule, whose class is that of the flushes.
    let sustained = &result["analysis"]["summaries"][0]["sustained"];
    assert_eq!(sustained["status"], "all_meet", "{sustained}");
    let tight = ["--rule", "flush.p99<=1ms", "--json", "-"];
    let result = bench.json(&[&LOG[..6], &tight].concat());
    assert_eq!(result["analysis"]["summaries"][0]["sustained"]["status"], "none_meets");
    // What is exported can be what was measured, and comes in again.
    bench.succeed(&["export", "log", "-o", "log.json", "--histograms"]);
    bench.succeed(&["import", "log.json", "--store", "other.db"]);
    bench.succeed(&["export", "log", "-o", "log.csv"]);
    assert!(bench.read("log.csv").lines().next().unwrap().contains("flush_latency_p99_ms"));
    bench.succeed(&["export", "log", "-o", "log.hlog"]);
    assert!(bench.read("log.hlog").contains("log-durable/4KiB@4/flush"));
    bench.succeed(&["compare", "log", "log"]);
}

#[test]
fn what_cannot_have_been_measured_is_not_imported() {
    let bench = Bench::new();
    bench.succeed(&[&LOG[..], &["--label", "log"]].concat());
    let mut document = bench.json(&["export", "log"]);
    // As if flushes had been counted among the I/Os.
    let flushes = document["points"][0]["classes"]["flush"]["operations"].as_u64().unwrap();
    let operations = document["points"][0]["operations"].as_u64().unwrap();
    document["points"][0]["operations"] = json!(operations + flushes);
    bench.write("forged.json", document.to_string());
    let said = bench.run(&["import", "forged.json", "--store", "other.db"]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    // Or as if they took no part of the load.
    document["points"][0]["operations"] = json!(operations);
    document["points"][0]["storage"]["achieved_outstanding"] = json!(0.25);
    bench.write("forged.json", document.to_string());
    let said = bench.run(&["import", "forged.json", "--store", "other.db"]);
    assert!(said.stderr.contains("storage.achieved_outstanding"), "{}", said.stderr);
}

#[test]
fn reports_say_how_writes_are_made_durable() {
    let bench = Bench::new();
    bench.succeed(&[&LOG[..], &["--label", "log"]].concat());
    bench.succeed(&["report", "log", "-o", "report.md"]);
    let report = bench.read("report.md");
    assert!(report.contains("Each write is followed by a flush (fdatasync)"), "{report}");
    assert!(report.contains("| flush |"), "{report}");
    bench.succeed(&["report", "log", "-o", "bericht.md", "--language", "de"]);
    assert!(bench.read("bericht.md").contains("Auf jedes Schreiben folgt ein Flush (fdatasync)"));
}

#[test]
fn flushes_are_searched_for_a_rule() {
    let bench = Bench::new();
    // The response time of a flush does not depend on the load; that of a write does.
    let search = ["--outstanding", "auto", "--rule", "mean<=8ms", "--json", "-", "--quick"];
    let target = ["knee", "log-durable", "sim:analytic/md1?service=1ms&flush=3ms"];
    let result = bench.json(&[&target[..], &search[2..]].concat());
    let found = &result["analysis"]["summaries"][0]["sustained"];
    assert_eq!(found["status"], "met", "{found}");
    // N in flight, of which the rate times 3 ms flush: N - 3 wait 1 ms each.
    assert!((number(&found["load"]) - 11.0).abs() < 0.6, "{found}");
}

#[test]
fn a_log_is_flushed_on_a_file() {
    for engine in ["io_uring", "libaio", "sync"] {
        let bench = Bench::new();
        let words = ["run", "log-durable", "log.dat", "--size", "16MiB", "--time", "300ms"];
        let rest =
            ["--ramp", "0s", "--outstanding", "1,4", "--buffered", "--json", "-", "--engine"];
        let said = bench.run(&[&words[..], &rest, &[engine]].concat());
        if said.code == Some(2) && said.stderr.contains("cannot be used") {
            kneepoint_testkit::skipped(&said.stderr);
            continue;
        }
        assert_eq!(said.code, Some(0), "{engine}: {}", said.stderr);
        let result = serde_json::from_str(&said.stdout).unwrap();
        check_schema(&result);
        for point in points(&result) {
            let flushes = number(&point["classes"]["flush"]["operations"]);
            let writes = number(&point["operations"]);
            assert!(flushes > 0.0 && (writes - flushes).abs() <= 8.0, "{engine}: {point}");
            assert_eq!(point["errors"], 0);
        }
    }
}

/// A profile with a flush of the page cache by `call`, after each write.
fn of_page_cache(call: &str) -> String {
    format!(
        "name = \"spread\"\ntitle = \"Spread\"\n\n[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 0\nrandom = 0\n\n\
         [durability]\nflush = \"{call}\"\n"
    )
}

#[test]
fn flushes_of_the_page_cache_are_made_where_writes_pass_it_and_nothing_is_called_durable() {
    let bench = Bench::new();
    bench.write("spread.toml", of_page_cache("sync_file_range_write"));
    let run = ["run", "./spread.toml", "spread.dat", "--size", "16MiB", "--time", "300ms"];
    let rest = ["--ramp", "0s", "--outstanding", "2", "--json", "spread.json"];
    let refused = |more: &[&str]| {
        let said = bench.run(&[&run[..], &rest, more].concat());
        assert_eq!(said.code, Some(2), "{}", said.stdout);
        said.stderr
    };
    assert!(refused(&[]).contains("use --buffered on a file"));
    let said = refused(&["--buffered", "--engine", "libaio"]);
    assert!(said.contains("libaio does not know sync_file_range_write"), "{said}");
    let sim = ["run", "./spread.toml", "sim:analytic/fixed?flush=3ms", "--buffered"];
    let said = bench.run(&sim);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    let planned = ["plan", "./spread.toml", "spread.dat", "--size", "16MiB", "--buffered"];
    let plan = bench.succeed(&[&planned[..], &["--engine", "sync"]].concat()).stdout;
    assert!(plan.contains("page cache: spread/4KiB, sync_file_range_write after each"), "{plan}");
    assert!(!plan.contains("durable:"), "{plan}");
    bench.succeed(&[&run[..], &rest, &["--buffered", "--engine", "sync"]].concat());
    let result: Value = serde_json::from_str(&bench.read("spread.json")).unwrap();
    check_schema(&result);
    let point = &points(&result)[0];
    let flushes = number(&point["classes"]["flush"]["operations"]);
    assert!(flushes > 0.0 && (number(&point["operations"]) - flushes).abs() <= 4.0, "{point}");
    assert_eq!(point["errors"], 0);
    bench.succeed(&["report", "last", "-o", "report.md"]);
    assert!(bench.read("report.md").contains("It only begins to write what the page cache holds"));
}

#[test]
fn a_fleet_flushes_on_every_host() {
    let bench = Bench::new();
    let target = |host: u32| format!("local{host}:sim:analytic/fixed?service=1ms&flush=3ms");
    let (one, two) = (target(1), target(2));
    let words = ["run", "log-durable", &one, &two, "--hosts", "local:2", "--outstanding", "2"];
    let result = bench.json(&[&words[..], &["--time=3s", "--json", "-"]].concat());
    check_schema(&result);
    check_points(&result);
    let point = &points(&result)[0];
    // Two on each of two hosts, in turns of 4 ms.
    let near = |value: f64| (value / 1000.0 - 1.0).abs() < 0.01;
    assert!(near(number(&point["rate"]["mean"])), "{point}");
    assert!(near(number(&point["classes"]["flush"]["rate"])), "{point}");
    assert_eq!(number(&point["classes"]["flush"]["latency_ms"]["mean"]), 3.0);
}
