//! Searches by visits, from the first one to the tables and back from a file.

use serde_json::Value;

use crate::program::Bench;
use crate::result::{check_schema, number, points};

/// 8 servers of 5 ms: 20 ms are reached at 32 outstanding I/Os and 1,600 IO/s.
const SYSTEM: &str = "sim:analytic/mmc?service=5ms&servers=8";

#[test]
fn an_answer_is_shown_while_it_becomes_narrow_and_after_it() {
    let bench = Bench::new();
    let search = ["knee", "database", SYSTEM, "--rule=mean<=20ms", "--json=knee.json"];
    let said = bench.succeed(&search);
    let so_far: Vec<&str> =
        said.stderr.lines().filter(|line| line.contains("within 20 ms: 1,")).collect();
    assert!(so_far.len() > 3 && so_far.iter().all(|line| line.contains(" +-")), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("knee.json")).unwrap();
    check_schema(&result);
    let summary = &result["analysis"]["summaries"][0];
    let rate = &summary["sustained"]["rate"];
    assert!((number(&rate["mean"]) / 1600.0 - 1.0).abs() < 0.08, "{rate}");
    assert!(number(&rate["ci95"]) < 0.06 * 1600.0, "{rate}");
    let why = "the interval of the answer is as narrow as asked for";
    assert_eq!(summary["search"]["stopped_because"], why);
    let measured: f64 = points(&result).iter().map(|point| number(&point["measured_s"])).sum();
    assert!(measured < 30.0, "{measured} s");
}

#[test]
fn the_visits_of_a_load_are_one_row_and_come_in_again() {
    let bench = Bench::new();
    let search = ["knee", "database", SYSTEM, "--rule=mean<=20ms", "--json=knee.json"];
    bench.succeed(&search);
    let shown = bench.succeed(&["show", "last"]).stdout;
    let rows = shown.lines().filter(|line| line.ends_with("  fixed")).count();
    let result: Value = serde_json::from_str(&bench.read("knee.json")).unwrap();
    let mut loads: Vec<u64> =
        points(&result).iter().map(|point| number(&point["load"]["value"]) as u64).collect();
    let visits = loads.len();
    loads.sort_unstable();
    loads.dedup();
    assert_eq!(rows, loads.len(), "{shown}");
    assert!(loads.len() < visits);
    bench.succeed(&["import", "knee.json", "--store=other.db"]);
    let again = bench.succeed(&["show", "last", "--store=other.db"]).stdout;
    let answer = |text: &str| -> Option<String> {
        text.lines().find(|line| line.contains("stopped because")).map(str::to_owned)
    };
    assert_eq!(answer(&again), answer(&shown));
    assert!(answer(&shown).is_some(), "{shown}");
}

#[test]
fn a_rule_that_nothing_can_be_judged_by_ended_for_no_other_reason() {
    let bench = Bench::new();
    let said =
        |work: &str| bench.succeed(&["knee", work, SYSTEM, "--rule=write.mean<=20ms"]).stdout;
    let why = "stopped because no operation says anything about the rule";
    assert!(said("random-read").contains(why));
    let judged = said("database");
    assert!(judged.contains("stopped because") && !judged.contains(why), "{judged}");
}

#[test]
fn fixed_times_and_grids_have_no_visits() {
    let bench = Bench::new();
    for (command, option) in [("knee", "--time=1s"), ("run", "--outstanding=1,8,64")] {
        let said = bench.succeed(&[command, "database", SYSTEM, "--rule=mean<=20ms", option]);
        assert!(!said.stderr.contains(" +-"), "{}", said.stderr);
        assert!(!said.stdout.contains("as narrow as asked for"), "{}", said.stdout);
    }
}

#[test]
fn a_search_stands_beside_earlier_ones_of_its_plan() {
    let bench = Bench::new();
    let knee = |seed: &str| {
        let search = ["knee", "database", SYSTEM, "--rule=mean<=20ms", "--seed", seed];
        bench.succeed(&search).stdout
    };
    let beside = " searches of this plan that answered it, since ";
    assert!(!knee("1").contains(beside));
    // A simulated system gives the same again.
    assert!(!knee("1").contains(beside));
    let third = knee("2");
    assert!(third.contains(beside) && third.contains("they agree within"), "{third}");
    assert!(bench.succeed(&["show", "last"]).stdout.contains(beside));
    // Another rule is another plan.
    let other = ["knee", "database", SYSTEM, "--rule=mean<=19ms", "--seed=3"];
    assert!(!bench.succeed(&other).stdout.contains(beside));
}
