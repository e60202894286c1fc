//! Rounds until steady state, and preconditioning.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use serde_json::Value;

use crate::interrupt::await_first_point;
use crate::loop_bench::{self, Loop};
use crate::program::{Bench, signal};
use crate::result::{check_points, check_schema, number, points};

const SUITE: &str = "name = \"flash\"\ntitle = \"Flash\"\nsteady_state = \"1s\"\n\
                     outstanding = \"1\"\n[[series]]\nprofile = \"random-write\"\n";

/// Checks that a point has rounds and that its measured time is that of the last five.
fn check_rounds(point: &Value) {
    let found = &point["steady_state"];
    let rounds = found["rounds"].as_array().unwrap();
    assert!((5..=25).contains(&rounds.len()), "{found}");
    let round_s = number(&found["round_s"]);
    assert!((number(&point["measured_s"]) - 5.0 * round_s).abs() < 1e-9, "{point}");
    let before = (rounds.len() - 5) as f64 * round_s;
    assert!((number(&point["ramp_s"]) - before).abs() < 1e-9, "{point}");
    let window = &found["window"];
    let is_within =
        number(&window["range_percent"]) <= 20.0 && number(&window["slope_percent"]).abs() <= 10.0;
    assert_eq!(found["attained"], is_within);
    assert!(is_within || rounds.len() == 25, "{found}");
}

#[test]
fn a_simulated_system_is_steady_after_the_first_window() {
    let bench = Bench::new();
    bench.write("flash.toml", SUITE);
    let target = "sim:analytic/md1?service=1ms";
    let result = bench.json(&["run", "./flash.toml", target, "--json", "-"]);
    check_schema(&result);
    check_points(&result);
    let point = &points(&result)[0];
    check_rounds(point);
    assert_eq!(point["steady_state"]["rounds"].as_array().unwrap().len(), 5);
    assert_eq!(point["verdict"], "steady");
    // What the command line says about the time comes before the suite.
    let timed = bench.json(&["run", "./flash.toml", target, "--time", "1s", "--json", "-"]);
    assert_eq!(points(&timed)[0]["steady_state"], Value::Null);
}

#[test]
fn rounds_that_never_agree_end_at_the_limit_with_a_warning() {
    // Every round of 100 ms waits for a service of 150 ms: it has one I/O or none.
    let bench = Bench::new();
    let result = bench.json(&[
        "run",
        "random-read",
        "sim:analytic/fixed?service=150ms",
        "--steady-state",
        "100ms",
        "--outstanding",
        "1",
        "--json",
        "-",
    ]);
    let point = &points(&result)[0];
    check_rounds(point);
    assert_eq!(point["verdict"], "time_limit");
    let warnings = point["warnings"].to_string();
    assert!(
        warnings.contains("steady state not attained: after 25 rounds the range"),
        "{warnings}"
    );
}

#[test]
fn a_file_is_preconditioned_before_its_first_point() {
    let bench = Bench::new();
    let said = bench.succeed(&[
        "run",
        "random-write",
        "file.dat",
        "--size",
        "16MiB",
        "--buffered",
        "--precondition",
        "--steady-state",
        "100ms",
        "--outstanding",
        "2",
        "--json",
        "-",
    ]);
    let first = said.stderr.find("precondition-sequential/128KiB").unwrap();
    let then = said.stderr.find("precondition-random/4KiB").unwrap();
    assert!(first < then && then < said.stderr.find("[1/1]").unwrap(), "{}", said.stderr);
    let result: Value = serde_json::from_str(&said.stdout).unwrap();
    check_schema(&result);
    assert_eq!(points(&result).len(), 1);
    check_rounds(&points(&result)[0]);
    let note = result["environment"]["hosts"][0]["engine"]["preconditioned"].as_str().unwrap();
    assert!(note.contains("sequential writes of 128KiB"), "{note}");
    assert!(note.contains("random writes of 4KiB"), "{note}");
    assert_eq!(result["plan"]["precondition"]["sequential"]["passes"], 2);
}

#[test]
fn an_interrupted_preconditioning_leaves_no_run() {
    let bench = Bench::new();
    let arguments = ["run", "random-write", "null:", "--precondition", "--steady-state", "60s"];
    let child = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut seen = String::new();
    while !seen.contains("precondition-random") {
        assert!(lines.read_line(&mut seen).unwrap() > 0, "{seen}");
    }
    signal("INT", child.id());
    lines.read_to_string(&mut seen).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{seen}");
    assert!(seen.contains("preconditioning was interrupted"), "{seen}");
    assert!(seen.contains("nothing was kept"), "{seen}");
}

/// The points of a run on a preconditioned file.
const PRECONDITIONED: [&str; 14] = [
    "run",
    "random-write",
    "file.dat",
    "--size",
    "16MiB",
    "--buffered",
    "--precondition",
    "--outstanding",
    "1..4",
    "--time",
    "300ms",
    "--ramp",
    "0s",
    "--quick",
];

#[test]
fn a_run_that_is_resumed_does_not_precondition_again() {
    let bench = Bench::new();
    let mut command = bench.command(&PRECONDITIONED);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_first_point(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = bench.json(&["export", "last"]);
    let said = bench.succeed(&["resume"]);
    assert!(!said.stderr.contains("precondition-"), "{}", said.stderr);
    let after = bench.json(&["export", "last"]);
    check_schema(&after);
    assert_eq!(after["run"]["state"], "complete");
    assert_eq!(points(&after).len(), 4);
    let kept = points(&before).len();
    assert!(kept >= 1);
    assert_eq!(points(&after)[..kept], points(&before)[..]);
    let note = &after["environment"]["hosts"][0]["engine"]["preconditioned"];
    assert!(note.as_str().is_some_and(|note| note.contains("random writes of 4KiB")), "{note}");
}

#[test]
fn a_block_device_is_preconditioned_with_direct_io() {
    let Some(place) = loop_bench::Bench::new(&[]) else { return };
    let image = place.image("flash", 16);
    let device = Loop::attach(&image, &[]);
    let bench = Bench::new();
    let arguments = ["run", "random-write", device.name(), "--outstanding", "2", "--precondition"];
    let options = ["--steady-state", "100ms", "--overwrite", device.name(), "--json", "-"];
    let said = bench.succeed(&[&arguments[..], &options].concat());
    let result: Value = serde_json::from_str(&said.stdout).unwrap();
    check_schema(&result);
    check_points(&result);
    check_rounds(&points(&result)[0]);
    let environment = &result["environment"];
    assert_eq!(environment["targets"][0]["kind"], "block");
    assert_eq!(environment["hosts"][0]["engine"]["caching"], "direct");
    let note = environment["hosts"][0]["engine"]["preconditioned"].as_str().unwrap();
    assert!(note.contains("sequential writes of 128KiB"), "{note}");
    // Every block of the device was written.
    drop(device);
    let content = std::fs::read(&image).unwrap();
    assert!(content.chunks(4096).all(|block| block.iter().any(|byte| *byte != 0)));
}
