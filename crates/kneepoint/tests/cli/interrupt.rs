//! Ctrl-C.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::program::{Bench, signal};
use crate::result::{check_points, check_schema, points};

/// Reads the child's standard error up to the line that tells of the first point.
pub(crate) fn await_first_point(child: &mut Child) {
    let mut lines = BufReader::new(child.stderr.as_mut().unwrap());
    let mut seen = String::new();
    loop {
        let start = seen.len();
        let length = lines.read_line(&mut seen).unwrap();
        assert!(length > 0, "the run ended before its first point: {seen}");
        if seen[start..].starts_with("[1/") {
            return;
        }
    }
}

#[test]
fn what_was_measured_is_kept() {
    let bench = Bench::new();
    let arguments = [
        "run",
        "random-read",
        "null:",
        "--outstanding",
        "1..1000",
        "--time",
        "200ms",
        "--ramp",
        "0s",
    ];
    let child = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    await_first_point(&mut child);
    signal("INT", child.id());
    let mut rest = String::new();
    child.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{rest}");
    assert!(rest.contains("see `kneepoint show "), "{rest}");
    let result: Value = bench.json(&["export", "last"]);
    check_schema(&result);
    check_points(&result);
    assert_eq!(result["run"]["state"], "interrupted");
    assert!(points(&result).len() < 1000);
    let shown = bench.succeed(&["show"]).stdout;
    assert!(shown.contains("interrupted: not every point"), "{shown}");
}

/// A run of two points.
const RUN: [&str; 9] =
    ["run", "random-read", "null:", "--outstanding", "1,2", "--ramp", "0s", "--time", "1s"];

/// Whether this process ignores SIGHUP, number 1 in the mask (`SigIgn`, man 5 proc), as what it
/// starts then does.
pub(crate) fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() & 1 == 1
}

#[test]
fn a_hangup_and_its_kin_end_a_run_as_ctrl_c_does() {
    for name in ["HUP", "QUIT", "TERM"] {
        if name == "HUP" && hangup_is_ignored() {
            kneepoint_testkit::skipped("these tests run with SIGHUP ignored, as below nohup");
            continue;
        }
        let bench = Bench::new();
        let child = bench.command(&RUN).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        await_first_point(&mut child);
        signal(name, child.id());
        assert_eq!(child.wait().unwrap().code(), Some(1), "{name}");
        assert_eq!(bench.json(&["export", "last"])["run"]["state"], "interrupted", "{name}");
    }
}

#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let bench = Bench::new();
    let nohup = ["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""];
    let command = bench.command_through(&nohup, &RUN).stderr(Stdio::piped()).spawn();
    let mut child = command.unwrap();
    await_first_point(&mut child);
    signal("HUP", child.id());
    let mut rest = String::new();
    child.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
}
