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
fn settings_of_some_series_are_in_the_plan_or_said_to_be_left_out() {
    let bench = Bench::new();
    let suite = "name = \"own\"\ntitle = \"Own\"\noutstanding = \"1\"\n\n[[series]]\nprofile = \
                 \"stream-write\"\nsettings = { write_cache = \"on\" }\n\n[[series]]\nprofile = \
                 \"random-read\"\n";
    bench.write("own-settings.toml", suite);
    let plan = |target: &str| {
        let said = bench.succeed(&["plan", "own-settings.toml", target]);
        said.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let own = "settings of stream-write alone: write_cache=on";
    let note = "the suite's own settings for stream-write were left out (write_cache=on)";
    let simulated = plan("sim:serveraid-m5025?drives=12");
    assert!(simulated.contains(own) && !simulated.contains("left out"), "{simulated}");
    let named = plan("sim:serveraid-m5025?drives=12&write_cache=off");
    assert!(named.contains(note) && !named.contains(own), "{named}");
    assert!(plan("null:").contains(&format!("{note}: null: keeps its settings")));
}

#[test]
fn points_that_end_when_they_are_steady_have_an_expected_and_a_longest_time() {
    let target = "null: --ramp 2s --outstanding 1..8x2";
    let searched = "sim:analytic/mm1?service=5ms --outstanding auto --rule p99<=50ms";
    check(
        "plan-time",
        &[&format!("plan random-read {target}"), &format!("plan random-read {searched}")],
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

/// A profile of two lines; the second one writes in sequence.
const MIX: &str = "name = \"mix\"\ntitle = \"A mix\"\n\
                   [[line]]\nshare = 80\nsize = \"8KiB\"\nread = 67\nrandom = 100\n\
                   [[line]]\nshare = 20\nsize = \"64KiB\"\nread = 0\nrandom = 0\n";

#[test]
fn a_sequential_line_beside_random_ones_is_said_not_to_be_sequential() {
    let bench = Bench::new();
    bench.write("mix.toml", MIX);
    bench.write("sound.toml", MIX.replace("random = 100", "random = 0"));
    let note = "note: not sequential: line 2 (64KiB writes) of mix is sequential alone, but not in this \
                mix: its I/Os go on where the last I/O of any line ended, and 80% of all I/Os go to \
                random positions; measure it as a profile without random lines\n";
    let target = "sim:analytic/md1";
    let timing = ["--outstanding", "1", "--time", "1s"];
    let plan = |file: &str| bench.succeed(&["plan", file, target]).stdout;
    let run = |file: &str| bench.succeed(&[&["run", file, target][..], &timing].concat());
    assert!(plan("./mix.toml").ends_with(note), "{}", plan("./mix.toml"));
    assert!(!plan("./sound.toml").contains("not sequential"));
    let said = run("./mix.toml");
    assert!(said.stderr.starts_with(note), "{}", said.stderr);
    assert!(said.stdout.contains(&note.replace("note: ", "warning: ")), "{}", said.stdout);
    let said = run("./sound.toml");
    assert!(!(said.stderr + &said.stdout).contains("not sequential"));
}

#[test]
fn searches_on_what_can_be_disturbed_may_take_more_points() {
    let bench = Bench::new();
    let is_told = |target: &str, loads: &str| {
        let plan = bench.succeed(&["plan", "random-read", target, "--outstanding", loads]).stdout;
        assert!(plan.contains(" if each takes its longest)"), "{plan}");
        plan.contains("; a point that something disturbs is measured again, at most twice")
    };
    assert!(is_told("null:", "rising"));
    assert!(!is_told("null:", "auto"), "a search visits loads more than once anyway");
    assert!(!is_told("null:", "1,2,4"), "a grid measures each point once");
    assert!(!is_told("sim:analytic/mm1", "rising"), "nothing disturbs virtual time");
}
