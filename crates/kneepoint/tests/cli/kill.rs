//! kill -9 at random moments: nothing that was measured is lost, every resume completes.
//!
//! `KNEEPOINT_KILLS=200 cargo test -p kneepoint --test cli kill` is the long study.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use kneepoint_store::{Store, StoreAccess};
use serde_json::Value;

use crate::program::Bench;

/// Kills of a test run where no one asks for more.
const KILLS: usize = 8;

/// Points of the run that is killed again and again.
const RUN: [&str; 12] = [
    "run",
    "database",
    "target",
    "--size",
    "16MiB",
    "--outstanding",
    "1..6",
    "--time",
    "100ms",
    "--ramp",
    "0s",
    "--buffered",
];

/// The points of the newest run by load, as they stand in the store.
fn kept(bench: &Bench) -> BTreeMap<u64, Value> {
    let said = bench.run(&["export", "last"]);
    let result: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
    let points = result["points"].as_array().cloned().unwrap_or_default();
    points
        .into_iter()
        .map(|point| (point["load"]["value"].as_f64().unwrap() as u64, point))
        .collect()
}

/// Starts the program, kills it after `pause` and tells whether it had ended before.
fn start_and_kill(bench: &Bench, arguments: &[&str], pause: Duration) -> bool {
    let mut child =
        bench.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(pause);
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    if let Some(status) = ended {
        assert!(status.success(), "{arguments:?} ended with {status}");
    }
    ended.is_some()
}

/// Whether the newest run is complete.
fn is_complete(bench: &Bench) -> bool {
    let said = bench.run(&["runs"]);
    said.stdout.lines().nth(2).is_some_and(|line| line.ends_with("complete"))
}

#[test]
fn nothing_measured_is_lost_and_every_run_is_resumed() {
    let bench = Bench::new();
    bench.succeed(&RUN);
    let kills = std::env::var("KNEEPOINT_KILLS").ok().and_then(|text| text.parse().ok());
    let kills: usize = kills.unwrap_or(KILLS);
    let mut moment = 12_345u64;
    let [mut killed, mut resumed, mut points_kept] = [0usize; 3];
    while killed < kills {
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let pause = Duration::from_millis(20 + (moment >> 33) % 640);
        // A run without a single point is resumed like any other.
        let is_new = is_complete(&bench);
        let before = if is_new { BTreeMap::new() } else { kept(&bench) };
        let arguments: &[&str] = if is_new { &RUN } else { &["resume"] };
        // A run that had ended by itself does not count.
        killed += usize::from(!start_and_kill(&bench, arguments, pause));
        resumed += usize::from(!is_new);
        points_kept += before.len();
        let after = kept(&bench);
        for (load, point) in &before {
            assert_eq!(after.get(load), Some(point), "the point at {load} is as it was");
        }
        check_store(&bench);
    }
    if !is_complete(&bench) {
        bench.succeed(&["resume"]);
    }
    check_all_complete(&bench);
    println!(
        "{killed} processes killed, {resumed} resumptions, {points_kept} points compared after kills"
    );
}

/// Checks the integrity of the store.
fn check_store(bench: &Bench) {
    let store = Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadOnly).unwrap();
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
}

/// Checks that every run, however often it was killed, ended complete, with each point once.
fn check_all_complete(bench: &Bench) {
    let said = bench.succeed(&["runs"]);
    for line in said.stdout.lines().skip(2) {
        assert!(line.ends_with("complete"), "{line}");
        let id = line.split(' ').next().unwrap();
        let result = bench.json(&["export", id]);
        let points = result["points"].as_array().unwrap();
        let loads: Vec<_> = points.iter().map(|point| point["load"]["value"].as_f64()).collect();
        assert_eq!(loads, (1..=6).map(|load| Some(f64::from(load))).collect::<Vec<_>>(), "{id}");
    }
}
