//! Copies of member programs on the processors, through every command. The programs are scripts here.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::busy::Busy;
use crate::program::{Bench, Said};
use crate::result::{check_schema, number, points};

/// Two members with both sets of flags.
pub(crate) const SUITE: &str = r#"name = "two"
title = "Two members"
copies = "1,2"
[[profile]]
name = "chess-base"
title = "Chess, base flags"
member = "chess"
flags = "base"
scale = "test"
[[profile]]
name = "chess-peak"
title = "Chess, peak flags"
member = "chess"
flags = "peak"
scale = "test"
[[series]]
profile = "chess-base"
[[series]]
profile = "chess-peak"
"#;

/// A program whose copies take `seconds` and say `digest`.
fn script(flags: &str, seconds: &str, digest: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        r#"#!/bin/sh
if [ "$1" = about ]; then
    echo '{{"version": "{version}", "profile": "{flags}", "compiler": "sh", "target_cpu": "any",
        "flags": {{"opt_level": "2", "lto": null, "codegen_units": null, "rustflags": "", "cflags": ""}}}}'
    exit
fi
expected=$6
echo '{{"ready": true}}'
read -r line
if [ -n "$AFFINITY" ]; then grep Cpus_allowed_list /proc/$$/status >> "$AFFINITY"; fi
if [ -n "$CALLS" ]; then
    echo {flags} >> "$CALLS"
    if [ "$(wc -l < "$CALLS")" -eq 8 ]; then exit 3; fi
fi
sleep {seconds}
echo "{{\"digest\": \"{digest}\", \"user_s\": 9, \"system_s\": 0}}"
"#
    )
}

/// Names the folder of the member programs.
pub(crate) const MEMBERS_FOLDER: &str = "KNEEPOINT_MEMBERS";

/// Lays both programs into the folder of `bench`; their copies say `digest`.
pub(crate) fn member_programs(bench: &Bench, digest: &str) {
    for (flags, seconds) in [("base", "0.06"), ("peak", "0.02")] {
        let name = format!("kneepoint-members-{flags}");
        bench.write(&name, script(flags, seconds, digest));
        fs::set_permissions(bench.path(&name), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// The programs, and a suite of two members.
fn programs(bench: &Bench, digest: &str) {
    member_programs(bench, digest);
    bench.write("two.toml", SUITE);
}

fn run(bench: &Bench, more: &[&str]) -> Said {
    let arguments = [&["run", "two.toml", "cpu:", "--max-foreign-cpu=100%"][..], more].concat();
    let mut command = bench.command(&arguments);
    let folder = bench.path(".");
    bench.said(command.env(MEMBERS_FOLDER, folder).output().unwrap())
}

#[test]
fn copies_are_run_stored_shown_and_reported() {
    let bench = Bench::new();
    programs(&bench, "$expected");
    let said = run(&bench, &["--label=one", "--json=one.json", "--accuracy=50%"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("1 members with base flags, 2 copies: "), "{}", said.stdout);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    let target = &result["environment"]["targets"][0];
    assert_eq!(target["kind"], "processor");
    assert_eq!(target["settings"]["peak flags"], "opt-level=2");
    for point in points(&result) {
        assert_eq!(
            (&point["load"]["unit"], &point["rate"]["unit"]),
            (&"copies".into(), &"ratio".into())
        );
        let rounds = number(&point["operations"]) / number(&point["load"]["value"]);
        assert!((rounds - 1.0).abs() < 1e-9, "one round of all copies: {rounds}");
        assert_eq!(point["verdict"], "fixed");
        assert_eq!((&point["volume"], &point["storage"]), (&Value::Null, &Value::Null));
    }
    // Whatever the order of the first pass.
    let summaries = result["analysis"]["summaries"].as_array().unwrap();
    let series: Vec<&Value> = summaries.iter().map(|summary| &summary["series"]).collect();
    assert_eq!(series, ["chess-base", "chess-peak"]);
    let processor = &result["analysis"]["processor"];
    assert_eq!(processor["scores"].as_array().unwrap().len(), 8, "all and integer, 1 and 2 copies");
    for gain in processor["gains"].as_array().unwrap() {
        assert!(number(&gain["percent"]["mean"]) > 0.0, "{gain}");
    }
    for (file, language) in [("report.md", "en"), ("bericht.md", "de")] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
    }
    let report = bench.read("report.md");
    assert!(report.contains("geometric means of the ratios to the reference machine"), "{report}");
    for of_storage in ["IO/s", "I/O", "MiB/s", "storage", "Storage", "block size"] {
        assert!(!report.contains(of_storage), "{of_storage}: {report}");
    }
    let shown = bench.succeed(&["show", "one"]).stdout;
    bench.succeed(&["delete", "one"]);
    bench.succeed(&["import", "one.json"]);
    assert_eq!(bench.succeed(&["show", "one"]).stdout, shown);
}

/// A pass after the other; one that a program ended goes on where it stopped.
#[test]
fn passes_go_on_where_they_were_interrupted() {
    let bench = Bench::new();
    programs(&bench, "$expected");
    let arguments = ["run", "two.toml", "cpu:", "--max-foreign-cpu=100%", "--accuracy=50%"];
    let mut command = bench.command(&[&arguments[..], &["--label=one"]].concat());
    command.env(MEMBERS_FOLDER, bench.path(".")).env("CALLS", bench.path("calls"));
    let said = bench.said(command.output().unwrap());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    let mut command = bench.command(&["resume", "one", "--json=one.json"]);
    let said = bench.said(command.env(MEMBERS_FOLDER, bench.path(".")).output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    let passes: Vec<u64> =
        points(&result).iter().map(|point| point["repetition"].as_u64().unwrap()).collect();
    assert!(passes.is_sorted() && passes.len() >= 12, "{passes:?}");
    for pass in 0..*passes.last().unwrap() {
        let count = passes.iter().filter(|other| **other == pass).count();
        assert_eq!(count, 4, "two programs with one copy and with two, each once: {passes:?}");
    }
    let plan =
        bench.command(&["plan", "two.toml", "cpu:"]).env(MEMBERS_FOLDER, bench.path(".")).output();
    let plan = bench.said(plan.unwrap()).stdout;
    assert!(plan.contains("one round of all copies in each of 3 to 12 passes"), "{plan}");
    assert!(plan.contains("if all 12 passes are needed)"), "{plan}");
    let plan = bench
        .command(&["plan", "two.toml", "cpu:", "--repeat=5"])
        .env(MEMBERS_FOLDER, bench.path("."))
        .output();
    let plan = bench.said(plan.unwrap()).stdout;
    assert!(plan.contains("in each of 5 passes over all of them\n"), "{plan}");
}

#[test]
fn the_shipped_suite_measures_every_member_with_both_sets_of_flags() {
    let bench = Bench::new();
    programs(&bench, "$expected");
    let mut command = bench.command(&["plan", "processor", "cpu:", "--copies=1,2"]);
    let said = bench.said(command.env(MEMBERS_FOLDER, bench.path(".")).output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let rows = said.stdout.lines().filter(|line| line.contains("1, 2 copies")).count();
    assert_eq!(rows, 32, "{}", said.stdout);
}

#[test]
fn a_copy_that_computes_something_else_is_refused() {
    let bench = Bench::new();
    programs(&bench, "0123");
    let said = run(&bench, &[]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("'chess' has computed something wrong"), "{}", said.stderr);
    assert!(said.stderr.contains("its output is 0123, and must be"), "{}", said.stderr);
}

#[test]
fn other_programs_disturb_copies_and_copies_are_no_other_programs() {
    let bench = Bench::new();
    programs(&bench, "$expected");
    for flags in ["base", "peak"] {
        let name = format!("kneepoint-members-{flags}");
        bench.write(&name, script(flags, "0.2", "$expected"));
    }
    let busy = Busy::keep();
    let run = ["run", "two.toml", "cpu:", "--copies=1", "--accuracy=50%", "--max-foreign-cpu=2%"];
    let mut command = bench.command(&[&run[..], &["--json=one.json"]].concat());
    let said = bench.said(command.env("KNEEPOINT_MEMBERS", bench.path(".")).output().unwrap());
    drop(busy);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    for point in points(&result) {
        assert_eq!(point["verdict"], "disturbed");
        let warnings = point["warnings"].to_string();
        assert!(warnings.contains("more than the 2 % of --max-foreign-cpu"), "{warnings}");
        assert!(number(&point["cpu_percent"]) > 0.0, "the copies have used some: {point}");
        assert!(point["started_at"].as_str().unwrap().ends_with('Z'), "{point}");
    }
}

#[test]
fn a_copy_that_dies_ends_the_run() {
    let bench = Bench::new();
    programs(&bench, "$expected");
    let text = script("base", "0", "").replace("sleep 0\n", "exit 3\n");
    bench.write("kneepoint-members-base", text);
    let said = run(&bench, &[]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains(" of the member 'chess' has died"), "{}", said.stderr);
}

#[test]
fn what_copies_cannot_do_is_refused() {
    let bench = Bench::new();
    let missing = run(&bench, &[]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    programs(&bench, "$expected");
    let refused = |more: &[&str], expected: &str| {
        let said = run(&bench, more);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    };
    refused(&["--time=1s"], "copies of programs cannot be measured for a time");
    refused(&["--workers=2"], "each copy is its own process");
    refused(&["--warehouses=2"], "cannot be loaded by warehouses");
    let other = bench.run(&["run", "database", "cpu:"]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    bench.write("kneepoint-members-base", script("peak", "0", ""));
    refused(&[], "it was compiled with the profile 'peak'");
}

#[test]
fn the_number_of_processors_is_a_factor() {
    let bench = Bench::new();
    programs(&bench, "$expected");
    let list = bench.path("affinity");
    let measure = |more: &[&str]| {
        let arguments = ["run", "two.toml", "cpu:", "--max-foreign-cpu=100%", "--json=two.json"];
        let mut command = bench.command(&[&arguments[..], more].concat());
        command.env(MEMBERS_FOLDER, bench.path(".")).env("AFFINITY", &list);
        let said = bench.said(command.output().unwrap());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
    };
    measure(&["--factor=cpus=1", "--copies=2", "--report=two.html"]);
    let places = fs::read_to_string(&list).unwrap();
    let mut places: Vec<&str> = places.lines().collect();
    assert!(places.len() >= 12 && places[0].ends_with(char::is_numeric), "{places:?}");
    places.dedup();
    assert_eq!(places.len(), 1, "both copies are on one processor");
    let html = bench.read("two.html");
    assert!(html.contains("Processors 1"), "the table of scores says at which setting");
    bench.refuse(&["plan", "two.toml", "cpu:", "--factor=cpus=0"], "whole numbers from 1 to");
    bench.refuse(
        &["plan", "two.toml", "cpu:", "--factor=raid=raid5"],
        "is cpus, cgroup.cpu_quota and frequency",
    );
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        kneepoint_testkit::skipped("there is one processor");
        return;
    }
    measure(&["--factor=cpus=1,2", "--copies=2"]);
    let run: Value = serde_json::from_str(&bench.read("two.json")).unwrap();
    check_schema(&run);
    let processor = &run["analysis"]["processor"];
    let settings = |score: &Value| score["factors"]["cpus"].as_str().unwrap().to_owned();
    let scores: Vec<String> =
        processor["scores"].as_array().unwrap().iter().map(settings).collect();
    assert!(scores.contains(&"1".to_owned()) && scores.contains(&"2".to_owned()), "{scores:?}");
    let step = &processor["steps"][0];
    assert_eq!((&step["from"], &step["to"]), (&"1".into(), &"2".into()), "{step}");
    assert!((number(&step["setting_percent"]) - 100.0).abs() < 1e-9);
}
