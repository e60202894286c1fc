//! I/Os that pause: how many are done, what is said of them, and where they are refused.

use serde_json::Value;

use crate::program::Bench;
use crate::result::{check_points, check_schema, number, points};

/// A profile with these keys at its top, and of its line.
fn profile(top: &str, line: &str) -> String {
    format!(
        "name = \"pausing\"\ntitle = \"Pausing\"\n{top}\n[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 100\n\
         random = 100\n{line}\n"
    )
}

const RUN: [&str; 6] =
    ["run", "./pausing.toml", "sim:analytic/fixed?service=5ms", "--time=5s", "--json", "run.json"];

/// The rates of a profile at these loads, in the order of the loads.
fn rates(bench: &Bench, loads: &str) -> Vec<f64> {
    let said = bench.succeed(&[&RUN[..], &["--outstanding", loads]].concat());
    assert!(!said.stdout.contains("queue not full"), "{}", said.stdout);
    let result: Value = serde_json::from_str(&bench.read("run.json")).unwrap();
    check_schema(&result);
    check_points(&result);
    points(&result).iter().map(|point| number(&point["rate"]["mean"])).collect()
}

#[test]
fn think_time_adds_to_the_response_time_of_each_outstanding_io() {
    let bench = Bench::new();
    bench.write("pausing.toml", profile("think = \"15ms\"", ""));
    // Each is in flight for 5 ms of 20 ms.
    let found = rates(&bench, "1,4");
    assert!((found[0] - 50.0).abs() < 1.0 && (found[1] - 200.0).abs() < 4.0, "{found:?}");
    bench.succeed(&["report", "last", "-o", "report.md"]);
    let report = bench.read("report.md").replace('\u{a0}', " ");
    assert!(report.contains("Once an I/O has completed, 15 ms pass"), "{report}");
    assert!(report.contains("unless the load profile pauses"), "{report}");
    assert!(!report.contains("When the last I/O of a burst"), "{report}");
}

#[test]
fn every_engine_keeps_think_time_on_a_file() {
    for engine in ["io_uring", "libaio", "sync"] {
        let bench = Bench::new();
        bench.write("pausing.toml", profile("think = \"50ms\"", ""));
        let run = ["run", "./pausing.toml", "k.dat", "--size=16MiB", "--time=1s", "--ramp=100ms"];
        let rest = ["--outstanding=2", "--buffered", "--json", "-", "--engine", engine];
        let said = bench.run(&[&run[..], &rest].concat());
        if said.code == Some(2) && said.stderr.contains("cannot be used") {
            kneepoint_testkit::skipped(&said.stderr);
            continue;
        }
        assert_eq!(said.code, Some(0), "{engine}: {}", said.stderr);
        let result: Value = serde_json::from_str(&said.stdout).unwrap();
        let rate = number(&points(&result)[0]["rate"]["mean"]);
        // Two in turns of 50 ms and more; a point may begin and end within a turn.
        assert!(rate > 0.0 && rate <= 44.0, "{engine}: {rate}");
    }
}

#[test]
fn the_pause_of_a_burst_runs_from_its_last_io() {
    let bench = Bench::new();
    bench.write("pausing.toml", profile("", "burst = 2\ndelay = \"10ms\""));
    let found = rates(&bench, "4");
    assert!((found[0] - 200.0).abs() < 4.0, "{found:?}");
    bench.succeed(&["report", "last", "-o", "report.md"]);
    let report = bench.read("report.md").replace('\u{a0}', " ");
    assert!(report.contains("(10 ms after each 2)"), "{report}");
}

#[test]
fn a_rate_knows_no_pauses() {
    let bench = Bench::new();
    for text in [profile("think = \"15ms\"", ""), profile("", "burst = 2\ndelay = \"10ms\"")] {
        bench.write("pausing.toml", text);
        let said = bench.run(&[&RUN[..], &["--rate", "100"]].concat());
        assert_eq!(said.code, Some(2), "{}", said.stdout);
        assert!(
            said.stderr.contains("pausing/4KiB cannot pause at an offered rate"),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn a_gap_needs_room_for_another_block() {
    let bench = Bench::new();
    let text = profile("", "gap = \"64MiB\"").replace("random = 100", "random = 0");
    bench.write("pausing.toml", text);
    let plan = |size: &str| bench.run(&["plan", "./pausing.toml", "k.dat", "--size", size]);
    let said = plan("32MiB");
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    assert!(said.stderr.contains("behind a gap of 64MiB no other block fits"), "{}", said.stderr);
    assert_eq!(plan("128MiB").code, Some(0));
}
