//! A disk that is full before a run has ended: what was measured is kept, and the run goes on once
//! there is space.

use std::collections::BTreeMap;

use kneepoint_store::{Store, StoreAccess};
use kneepoint_testkit::{has_tools, skipped};
use serde_json::Value;

use crate::program::{Bench, Said};
use crate::result::{check_schema, points};

/// A run of 40 points, which take more than 256 KiB in the store until it is tidied up.
const RUN: [&str; 9] = [
    "run",
    "random-read",
    "sim:analytic/mm1",
    "--outstanding",
    "1..40",
    "--time",
    "2s",
    "--ramp",
    "0s",
];

/// The points of an exported run by load.
fn by_load(result: &Value) -> BTreeMap<u64, Value> {
    check_schema(result);
    let all = points(result).iter().cloned();
    all.map(|point| (point["load"]["value"].as_f64().unwrap() as u64, point)).collect()
}

/// Checks that a run that ended for want of space kept what it had measured, and that `after`, the
/// same run resumed, has all of it and the rest.
fn check_kept(said: &Said, before: &Value, after: &Value) {
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("error: cannot save a point in the store"), "{}", said.stderr);
    assert!(said.stderr.contains("  why: ") && said.stderr.contains("  fix: "), "{}", said.stderr);
    assert_ne!(before["run"]["state"], "complete");
    assert_eq!(after["run"]["state"], "complete");
    let (before, after) = (by_load(before), by_load(after));
    let told = said.stderr.lines().filter(|line| line.starts_with('[')).count();
    assert!((1..40).contains(&before.len()) && before.len() == told, "{}", said.stderr);
    assert_eq!(after.keys().copied().collect::<Vec<_>>(), (1..=40).collect::<Vec<_>>());
    for (load, point) in &before {
        assert_eq!(&after[load], point, "the point at {load} is as it was");
    }
}

/// Checks the integrity of a store.
fn check_store(bench: &Bench, name: &str) {
    let store = Store::open(&bench.path(name), StoreAccess::ReadOnly).unwrap();
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_store_that_cannot_grow_keeps_what_was_measured() {
    let bench = Bench::new();
    // A limit of 256 KiB in units of 512 bytes for every file; writing beyond it is an error.
    let limited = ["sh", "-c", "trap '' XFSZ; ulimit -f 512; exec \"$0\" \"$@\""];
    let said = bench.said(bench.command_through(&limited, &RUN).output().unwrap());
    check_store(&bench, "kneepoint.db");
    let before = bench.json(&["export", "last"]);
    bench.succeed(&["resume"]);
    check_kept(&said, &before, &bench.json(&["export", "last"]));
    check_store(&bench, "kneepoint.db");
}

#[test]
fn a_run_on_a_full_file_system_is_resumed_once_there_is_space() {
    if !has_tools(&["unshare", "mount"]) {
        return;
    }
    let bench = Bench::new();
    std::fs::create_dir(bench.path("small")).unwrap();
    let script = "mount -t tmpfs -o size=256k none small || exit 77
                  export KNEEPOINT_STORE=small/store.db
                  \"$0\" \"$@\"; code=$?
                  \"$0\" export last -o before.json &&
                  mount -o remount,size=16m small &&
                  \"$0\" resume >resumed.txt 2>&1 &&
                  \"$0\" export last -o after.json &&
                  cp small/store.db . || exit 78
                  exit $code";
    let mounted = ["unshare", "--mount", "sh", "-c", script];
    let said = bench.said(bench.command_through(&mounted, &RUN).output().unwrap());
    if said.stderr.starts_with("unshare") || said.code == Some(77) {
        return skipped(format_args!("no file system can be mounted here: {}", said.stderr));
    }
    let result = |name: &str| serde_json::from_str::<Value>(&bench.read(name)).unwrap();
    check_kept(&said, &result("before.json"), &result("after.json"));
    assert!(said.stderr.contains("why: the disk is full"), "{}", said.stderr);
    assert!(said.stderr.contains("fix: free some space and resume"), "{}", said.stderr);
    check_store(&bench, "store.db");
}
