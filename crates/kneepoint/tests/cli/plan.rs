//! `kneepoint plan`.

use crate::program::Bench;
use crate::snapshot::{check, check_in};

#[test]
fn a_plan_on_targets_without_io() {
    check("plan-null", &["plan storagebench null: --time 10s --ramp 1s"]);
    check(
        "plan-sim",
        &[
            "plan database sim:analytic/mm1?service=5ms --outstanding 1..8x2 --rule p99<=50ms --time 2s",
        ],
    );
}

#[test]
fn preconditioning_has_its_cost_in_the_plan() {
    check(
        "plan-precondition",
        &[
            "plan random-write null: --outstanding 1,8 --steady-state 60s --precondition",
            "plan random-read null: --precondition",
            "plan random-write sim:analytic/md1 --precondition",
            "plan random-write null: --steady-state 10ms",
            "plan random-write null: --steady-state 1s --time 1s",
        ],
    );
}

#[test]
fn a_plan_touches_nothing() {
    let bench = Bench::new();
    bench.succeed(&["plan", "storagebench", "./new.dat", "--size", "64MiB", "--buffered"]);
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn a_plan_in_json_says_everything() {
    let bench = Bench::new();
    let plan = bench.json(&["plan", "database", "null:", "--outstanding", "1,4", "--json"]);
    assert_eq!(plan["schema"], "kneepoint.plan/1");
    assert_eq!(plan["seed"], 1);
    assert_eq!(plan["series"][0]["name"], "database/8KiB");
    assert_eq!(plan["series"][0]["profile"]["lines"][0]["block_bytes"], 8192);
    assert_eq!(plan["targets"][0]["kind"], "null");
}

#[test]
fn a_profile_of_ones_own() {
    let bench = Bench::new();
    bench.write("own.toml", include_str!("own.toml"));
    check_in(&bench, "plan-own-profile", &["plan ./own.toml null: --block 4KiB,64KiB --time 1s"]);
}
