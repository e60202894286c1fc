//! Factors as typed, their combinations and their order.

use super::*;
use crate::measure::search::next_point;
use crate::plan::tests::plan_of;
use crate::plan::{Overrides, Plan, PlanBlock, blocks};
use crate::result::PointResult;
use crate::spec::suite::Suite;

const TEXT: &str = r#"name = "mine"
title = "Mine"
repeat = 2
[[factor]]
name = "scheduler"
levels = ["none", "mq-deadline"]
settle = "1s"
[[factor]]
name = "read_ahead"
levels = [0, 128, 4096]
[[series]]
profile = "random-read"
outstanding = "1,2"
"#;

const OWN: &str = r#"
[[factor]]
name = "mode"
levels = ["a", "b"]
set = ["sh", "-c", "echo {level} > f"]
check = ["cat", "f"]
restore = ["rm", "f"]
"#;

fn suite(text: &str) -> Suite {
    Suite::parse(text, "mine.toml").unwrap_or_else(|fault| panic!("{fault}"))
}

fn texts(combinations: &[Combination]) -> Vec<String> {
    combinations.iter().map(combination_text).collect()
}

/// A plan of the suite's series at all combinations.
fn plan(design: Design, order: CombinationOrder, repetitions: u32) -> Plan {
    let suite = suite(TEXT);
    let factors = Factors { design, order, ..suite.factors.clone() };
    let series = suite.resolve(&Overrides::none()).unwrap();
    let series = factors.expand(&series).unwrap();
    Plan { series, factors: Some(factors), repetitions, ..plan_of("null:", 1) }
}

/// The levels of the blocks, with their repetitions.
fn run_order(plan: &Plan) -> Vec<String> {
    let text = |block: PlanBlock| {
        let levels: Vec<&str> = block.combination.values().map(String::as_str).collect();
        format!("{}:{}", levels.join("+"), block.repetition)
    };
    blocks(plan).into_iter().map(text).collect()
}

#[test]
fn a_suite_says_what_it_varies() {
    let suite = suite(TEXT);
    assert_eq!(suite.repeat, Some(2));
    assert_eq!(
        (suite.factors.design, suite.factors.order),
        (Design::Full, CombinationOrder::Random)
    );
    let [scheduler, read_ahead] = suite.factors.factors.as_slice() else { panic!() };
    assert_eq!(scheduler.settle, Nanos::from_secs(1));
    assert_eq!(read_ahead.levels, ["0", "128", "4096"]);
    assert_eq!(suite.summary().unwrap(), "1 series at 6 settings, 24 points");
}

#[test]
fn commands_of_ones_own_are_kept_word_for_word() {
    let suite = suite(&format!("{TEXT}{OWN}"));
    let commands = suite.factors.factors[2].commands.as_ref().unwrap();
    assert_eq!(commands.set_for("b", "/t"), ["sh", "-c", "echo b > f"]);
    assert_eq!(commands.expected("b", "/t"), "b");
    assert_eq!(commands.restore_for("/t"), ["rm", "f"]);
    assert!(!commands.is_per_target());
}

#[test]
fn a_full_design_has_every_combination_and_the_other_every_change() {
    let factors = suite(TEXT).factors;
    assert_eq!(
        texts(&factors.combinations().unwrap()),
        [
            "read_ahead=0, scheduler=none",
            "read_ahead=128, scheduler=none",
            "read_ahead=4096, scheduler=none",
            "read_ahead=0, scheduler=mq-deadline",
            "read_ahead=128, scheduler=mq-deadline",
            "read_ahead=4096, scheduler=mq-deadline",
        ]
    );
    let factors = Factors { design: Design::OneAtATime, ..factors };
    assert_eq!(
        texts(&factors.combinations().unwrap()),
        [
            "read_ahead=0, scheduler=none",
            "read_ahead=0, scheduler=mq-deadline",
            "read_ahead=128, scheduler=none",
            "read_ahead=4096, scheduler=none",
        ]
    );
    assert_eq!(texts(&Factors::default().combinations().unwrap()), [""]);
}

/// The golden orders: they follow from the seed alone and never change.
#[test]
fn the_order_follows_from_the_seed() {
    let check = |order, repetitions, expected: &[&str]| {
        assert_eq!(run_order(&plan(Design::OneAtATime, order, repetitions)), expected);
    };
    let written = ["0+none:0", "0+mq-deadline:0", "128+none:0", "4096+none:0"];
    check(CombinationOrder::AsWritten, 1, &written);
    let full = plan(Design::Full, CombinationOrder::Blocked, 2);
    let order = run_order(&full);
    assert_eq!(order.len(), 12);
    let repetitions: Vec<char> = order.iter().filter_map(|text| text.chars().last()).collect();
    assert_eq!(repetitions.iter().collect::<String>(), "000000111111");
    assert_ne!(
        order[..6].to_vec(),
        order[6..].iter().map(|t| t.replace(":1", ":0")).collect::<Vec<_>>()
    );
    assert_eq!(order, run_order(&full.clone()));
    assert_ne!(order, run_order(&Plan { seed: 2, ..full.clone() }));
    let mut all = run_order(&plan(Design::Full, CombinationOrder::Random, 2));
    let mut sorted = order.clone();
    all.sort();
    sorted.sort();
    assert_eq!(all, sorted);
}

#[test]
fn a_run_goes_block_by_block_and_ends_with_every_point_once() {
    for (order, repetitions) in [
        (CombinationOrder::Random, 3),
        (CombinationOrder::Blocked, 1),
        (CombinationOrder::AsWritten, 2),
    ] {
        let plan = plan(Design::Full, order, repetitions);
        let expected = run_order(&plan);
        let mut measured: Vec<PointResult> = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        while let Some(next) = next_point(&plan, &measured) {
            let levels: Vec<&str> = next.series.factors.values().map(String::as_str).collect();
            let block = format!("{}:{}", levels.join("+"), next.repetition);
            if seen.last() != Some(&block) {
                seen.push(block);
            }
            measured.push(PointResult {
                series: next.series.name.clone(),
                factors: next.series.factors.clone(),
                load: next.load,
                repetition: next.repetition,
                ..PointResult::default()
            });
        }
        assert_eq!(seen, expected);
        assert_eq!(measured.len(), plan.point_count());
    }
}

#[test]
fn factors_are_in_the_hash_of_the_plan() {
    let one = plan(Design::Full, CombinationOrder::Random, 1);
    assert_ne!(one.hash(), plan(Design::Full, CombinationOrder::Blocked, 1).hash());
    let json = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), one);
    assert!(!serde_json::to_string(&plan_of("null:", 1)).unwrap().contains("\"factors\":null"));
}

/// Replaces `from` by `to` and expects this fault and its fix.
#[track_caller]
fn check_fault(from: &str, to: &str, expected: &str) {
    let text = format!("{TEXT}{OWN}");
    assert!(text.contains(from), "{from}");
    let fault = Suite::parse(&text.replacen(from, to, 1), "my.toml").unwrap_err();
    assert_eq!(format!("{fault}\n{}", fault.fix_hint().unwrap_or_default()), expected);
}

#[test]
fn faults_name_the_place() {
    check_fault(
        "[\"none\", \"mq-deadline\"]",
        "[\"none\", \"none\"]",
        "my.toml:6:19: levels: the level 'none' is there twice\nname it once; `repeat` measures \
         everything several times",
    );
    check_fault(
        "[0, 128, 4096]",
        "[]",
        "my.toml:9:8: name: the factor 'read_ahead' has no levels\nwrite levels = [\"a\", \"b\"]",
    );
    check_fault(
        "\"scheduler\"",
        "\"my scheduler\"",
        "my.toml:5:8: name: 'my scheduler' cannot be the name of a factor\nuse letters, digits, \
         '.', '_' and '-'",
    );
    check_fault(
        "\"read_ahead\"",
        "\"scheduler\"",
        "my.toml:9:8: name: two factors are called 'scheduler'\nput their levels into one, or \
         rename one",
    );
    check_fault(
        "restore = [\"rm\", \"f\"]\n",
        "",
        "my.toml:16:8: 'restore' is missing: a setting of one's own has to be set, checked and \
         restored\nwrite set, check and restore as lists: a program and its arguments",
    );
    check_fault(
        "[\"rm\", \"f\"]",
        "[\"rm\", \"{level}\"]",
        "my.toml:16:8: restore: it has no {level}: it brings back what was there before the run, \
         whatever was set last\nwrite the former value into the command, or let set keep it \
         somewhere",
    );
    check_fault(
        "repeat = 2",
        "design = \"half\"",
        "my.toml:3:10: design: there is no design 'half'\nuse full or one-at-a-time",
    );
    check_fault("repeat = 2", "repeat = 0", "my.toml:3:10: repeat: 0 repetitions\nuse 1 to 1000");
    check_fault(
        "settle",
        "setle",
        "my.toml:7:1: unknown key 'setle'\ndid you mean 'settle' or 'set'?",
    );
}

#[test]
fn a_factor_on_the_command_line_is_a_name_with_levels() {
    let factor: Factor = "scheduler=none,bfq".parse().unwrap();
    assert_eq!((factor.name.as_str(), factor.levels.len()), ("scheduler", 2));
    for wrong in ["scheduler", "=a", "a=", "a=b,,c", "a=b,b", "a b=c"] {
        assert!(wrong.parse::<Factor>().is_err(), "{wrong}");
    }
    let mut factors = suite(TEXT).factors;
    factors.add(factor).unwrap();
    assert_eq!(factors.factors[0].levels, ["none", "bfq"]);
    assert_eq!(factors.factors.len(), 2);
}

#[test]
fn too_many_combinations_are_refused() {
    let levels: Vec<String> = (0..40).map(|level| format!("l{level}")).collect();
    let mut factors = Factors::default();
    for name in ["a", "b"] {
        factors.add(format!("{name}={}", levels.join(",")).parse().unwrap()).unwrap();
    }
    let fault = factors.combinations().unwrap_err();
    assert_eq!(fault.what(), "the factors have 1600 combinations");
    factors.design = Design::OneAtATime;
    assert_eq!(factors.combinations().unwrap().len(), 79);
}

#[test]
fn placeholders_are_filled_once() {
    let check = |text: &str, expected: &str| {
        assert_eq!(fill(text, &places("a{target}b", "/t")), expected, "{text}");
    };
    check("{level}", "a{target}b");
    check("x{target}y{level}", "x/tya{target}b");
    check("${HOME}{{level}}", "${HOME}{a{target}b}");
    check("{", "{");
    check("", "");
}
