//! `resume --disturbed`: only disturbed points are measured again, and none is lost without a word.

use kneepoint_core::result::RunDocument;
use kneepoint_store::{Store, StoreAccess};
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
    point["rate"]["mean"] = json!(57.0);
    let document: RunDocument = serde_json::from_value(result).unwrap();
    let mut store = Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadWrite).unwrap();
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
    assert_eq!(after["points"][1]["load"]["value"], 2.0);
    assert_ne!(after["points"][1]["rate"]["mean"], 57.0);
    let warnings = after["warnings"].to_string();
    let said = "was measured again: 57.0 IO/s, disturbed 27 %, before";
    assert!(warnings.contains(said), "{warnings}");
}

#[test]
fn a_complete_run_names_its_disturbed_points() {
    let bench = bench_with_a_disturbed_point();
    let complete = |run: &str| format!("run {run} is complete: there is nothing to resume");
    let told = bench.succeed(&["resume", RUN]).stderr;
    let again = format!(
        "; something disturbed 1 point of it, which `kneepoint resume {RUN} --disturbed` measures \
         again\n"
    );
    assert_eq!(told, complete(RUN) + &again);
    // Neither a run without such a point nor one whose point was measured again has any left.
    let sound = bench.json(&["export", "sound"])["run"]["id"].as_str().unwrap().to_owned();
    assert_eq!(bench.succeed(&["resume", "sound"]).stderr, complete(&sound) + "\n");
    bench.succeed(&["resume", RUN, "--disturbed"]);
    assert_eq!(bench.succeed(&["resume", RUN]).stderr, complete(RUN) + "\n");
}

/// The lines of `show` that tell of numbers resting on doubtful points.
fn doubts(bench: &Bench, run: &str) -> Vec<String> {
    let shown = bench.succeed(&["show", run]).stdout;
    shown.lines().filter(|line| line.contains(" rest")).map(str::to_owned).collect()
}

#[test]
fn numbers_that_rest_on_disturbed_points_are_told_of_in_one_line() {
    let bench = bench_with_a_disturbed_point();
    assert_eq!(doubts(&bench, "sound"), [""; 0]);
    let mut all = bench.json(&["export", "sound"]);
    all["run"]["id"] = json!("20260101-000000-0dd2");
    for point in all["points"].as_array_mut().unwrap() {
        point["verdict"] = json!("disturbed");
    }
    bench.write("all.json", all.to_string());
    bench.succeed(&["import", "all.json"]);
    let told = doubts(&bench, "20260101-000000-0dd2");
    let expected = "numbers above rest on points that are disturbed; `kneepoint resume --disturbed` \
                    measures disturbed points again";
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with(expected), "{told:?}");
}

#[test]
fn a_drifting_point_is_not_to_be_measured_again() {
    let bench = bench_with_a_disturbed_point();
    let mut drifting = bench.json(&["export", "sound"]);
    drifting["run"]["id"] = json!("20260101-000000-0dd3");
    for point in drifting["points"].as_array_mut().unwrap() {
        point["verdict"] = json!("drifting");
    }
    bench.write("drifting.json", drifting.to_string());
    bench.succeed(&["import", "drifting.json"]);
    let told = doubts(&bench, "20260101-000000-0dd3");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with("rest on points that are drifting"), "{told:?}");
}

#[test]
fn a_run_without_disturbed_points_is_refused() {
    let bench = bench_with_a_disturbed_point();
    let before = bench.json(&["export", "sound"]);
    let said = bench.run(&["resume", "sound", "--disturbed"]);
    assert!(said.stderr.contains("none of its points is disturbed"), "{}", said.stderr);
    assert_eq!(bench.json(&["export", "sound"]), before);
}
