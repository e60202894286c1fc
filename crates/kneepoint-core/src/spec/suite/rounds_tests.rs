//! Rounds of a suite: what they resolve to, and what their faults say.

use super::*;
use crate::spec::catalog;

const TEXT: &str = r#"name = "steady"
title = "Steady"
outstanding = "32"

[precondition]
block = "128KiB"

[rounds]
time = "60s"
tracked = ["random-write/4KiB"]

[[series]]
profile = "random-write"
"#;

/// Replaces `from` by `to` in [`TEXT`] and expects this fault, its fix on its own line.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(TEXT.contains(from), "{from}");
    let fault = Suite::parse(&TEXT.replacen(from, to, 1), "my.toml").unwrap_err();
    let fix = fault.fix_hint().unwrap_or_default();
    assert_eq!(format!("{fault}\n{fix}"), expected);
}

#[test]
fn what_is_left_out_of_rounds_is_the_test_of_the_specification() {
    let suite = Suite::parse(TEXT, "my.toml").unwrap();
    let rounds = suite.rounds.unwrap();
    assert_eq!((rounds.window, rounds.every, rounds.max), (5, 1, 25));
    assert_eq!((rounds.excursion.get(), rounds.slope.get()), (20.0, 10.0));
    assert_eq!(rounds.quantity, TrackedQuantity::Rate);
    let written = SuitePrecondition { block: Bytes(128 << 10), passes: 2 };
    assert_eq!(suite.precondition, Some(written));
}

#[test]
fn faults_of_rounds_name_the_line() {
    check("\"60s\"", "\"2h\"", "my.toml:9:8: time: 7200s for each series\nuse 100ms to 1h");
    check(
        "random-write/4KiB",
        "random-write/8KiB",
        "my.toml:10:12: tracked: no series is called 'random-write/8KiB'\nname one of random-write/4KiB",
    );
    check(
        "[\"random-write/4KiB\"]",
        "[]",
        "my.toml:9:8: [rounds] tracks no series\nwrite tracked = [\"NAME\"] with the series that must be \
         steady",
    );
    check(
        "time = \"60s\"\n",
        "time = \"60s\"\nwindow = 1\n",
        "my.toml:10:10: window: 1\nuse 2 to 100",
    );
    check(
        "time = \"60s\"\n",
        "time = \"60s\"\nevery = 30\n",
        "my.toml:9:8: 25 rounds are too few for the test: 5 samples, 30 rounds apart, take 121\nwrite max = \
         121 or more",
    );
    check(
        "time = \"60s\"\n",
        "time = \"60s\"\nquantity = \"p99\"\n",
        "my.toml:10:12: quantity: there is no 'p99'\nuse rate or mean",
    );
    check(
        "outstanding = \"32\"\n",
        "repeat = 3\n",
        "my.toml:1:8: the suite has [rounds] beside 'steady_state' or 'repeat'\nleave those out: a round \
         measures every series once",
    );
    let factor = |levels: &str| {
        format!("[[factor]]\nname = \"write_cache\"\nlevels = [{levels}]\n\n[[series]]\n")
    };
    check(
        "[[series]]\n",
        &factor("\"off\", \"on\""),
        "my.toml:1:8: the suite has [rounds] and varies settings\nleave each setting one level, and make a suite \
         for each: each begins with its own preconditioning",
    );
    let fixed = TEXT.replacen("[[series]]\n", &factor("\"off\""), 1);
    assert_eq!(Suite::parse(&fixed, "my.toml").unwrap().factors.factors.len(), 1);
    let without = TEXT.split("[rounds]").next().unwrap().to_owned()
        + "[[series]]\nprofile = \"random-write\"\n";
    let fault = Suite::parse(&without, "my.toml").unwrap_err();
    assert_eq!(fault.to_string(), "my.toml:1:8: the suite has a [precondition] without [rounds]");
}

#[test]
fn every_shipped_suite_of_rounds_has_one_load_for_each_series() {
    for shipped in catalog::SUITES {
        let suite = catalog::suite(shipped.name).unwrap();
        if suite.rounds.is_none() {
            continue;
        }
        let series = suite.resolve(&crate::plan::Overrides::none()).unwrap();
        assert!(series.iter().all(|one| one.loads.levels.len() == 1), "{}", shipped.name);
    }
}
