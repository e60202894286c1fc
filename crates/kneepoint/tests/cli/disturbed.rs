//! `resume --disturbed`: only disturbed points are measured again, and none is lost without a word.

use kneepoint_core::result::RunDocument;
use kneepoint_store::{Access, Store};
use serde_json::json;

use crate::program::Bench;

const RUN: &str = "20260101-000000-0dd1";

/// A store with a complete run whose second point of three is disturbed.
fn bench_with_a_disturbed_point() -> Bench {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/md1", "--outstanding", "1,2,4", "--time", "1s"];
    bench.succeed(&[&run[..], &["--label", "sound"]].concat());
    let mut result = bench.json(&["export", "sound"]);
    result["run"]["id"] = json!(RUN);
    result["run"]["label"] = json!("busy");
    let point = &mut result["points"][1];
    point["verdict"] = json!("disturbed");
    point["disturbed_percent"] = json!(27.0);
    point["iops"]["mean"] = json!(57.0);
    let document: RunDocument = serde_json::from_value(result).unwrap();
    let mut store = Store::open(&bench.path("kneepoint.db"), Access::ReadWrite).unwrap();
    store.import(&document).unwrap();
    bench
}

#[test]
fn just_the_disturbed_point_is_measured_again() {
    let bench = bench_with_a_disturbed_point();
    let before = bench.json(&["export", RUN]);
    let sound = bench.json(&["export", "sound"]);
    bench.succeed(&["resume", RUN, "--disturbed"]);
    let after = bench.json(&["export", RUN]);
    assert_eq!(after["run"]["state"], "complete");
    assert_eq!(after["points"].as_array().unwrap().len(), 3);
    for kept in [0, 2] {
        assert_eq!(after["points"][kept].to_string(), before["points"][kept].to_string());
    }
    assert_eq!(after["points"][1]["verdict"], sound["points"][1]["verdict"]);
    assert_eq!(after["points"][1]["outstanding"], 2);
    assert_ne!(after["points"][1]["iops"]["mean"], 57.0);
    let warnings = after["warnings"].to_string();
    let said = "was measured again: 57.0 IO/s, disturbed 27 %, before";
    assert!(warnings.contains(said), "{warnings}");
}

#[test]
fn a_run_without_disturbed_points_is_refused() {
    let bench = bench_with_a_disturbed_point();
    let before = bench.json(&["export", "sound"]);
    let said = bench.run(&["resume", "sound", "--disturbed"]);
    assert!(said.stderr.contains("none of its points is disturbed"), "{}", said.stderr);
    assert_eq!(bench.json(&["export", "sound"]), before);
}
