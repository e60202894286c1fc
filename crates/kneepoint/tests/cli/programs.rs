//! Copies of programs of the user's own, from a file: they are scripts here, and a real one where it is there.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use kneepoint_testkit::has_tools;
use serde_json::Value;

use crate::program::{Bench, Said};
use crate::result::{check_schema, number, points};

/// SHA-256 of `done` and a line break.
const DONE: &str = "d117fa006ba9208500b2930ce69cbde436c647afa917cb7396a9bc9111a46dd2";

/// A program that computes for some milliseconds, prints `done`, and leaves a file in its folder.
const COUNT: &str = "#!/bin/sh
[ -z \"$(ls)\" ] || exit 9
i=0
while [ $i -lt 20000 ]; do i=$((i+1)); done
echo $i > \"$1/left\"
echo done
";

/// The suite of one member with these lines.
fn suite(lines: &str) -> String {
    format!(
        "name = \"own\"\ntitle = \"Own\"\ncopies = \"1,2\"\n[[series]]\nprofile = \"count\"\n\
         [[member]]\nname = \"count\"\ntitle = \"Counting\"\nclass = \"integer\"\n\
         reference = \"the old server\"\nreference_seconds = 0.05\n{lines}\n"
    )
}

/// A bench with the program `count.sh` and the suite.
fn bench(lines: &str) -> Bench {
    let bench = Bench::new();
    script(&bench, "count.sh", COUNT);
    script(&bench, "same.sh", "#!/bin/sh\n[ \"$(cat \"$1\")\" = \"$(cat \"$2\")\" ]\n");
    bench.write("own.toml", suite(lines));
    bench
}

fn script(bench: &Bench, name: &str, text: &str) {
    bench.write(name, text);
    fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the suite with its folders in one of the bench.
fn run(bench: &Bench, more: &[&str]) -> Said {
    let arguments = ["run", "own.toml", "cpu:", "--max-foreign-cpu=100%", "--accuracy=50%"];
    let mut command = bench.command(&[&arguments[..], more].concat());
    let folder = bench.path("folders");
    fs::create_dir_all(&folder).unwrap();
    let said = bench.said(command.env("TMPDIR", &folder).output().unwrap());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "all folders are removed");
    said
}

fn refused(lines: &str, expected: &[&str]) {
    let bench = bench(lines);
    let said = run(&bench, &[]);
    assert_eq!(said.code, Some(2), "{said:?}");
    for text in expected {
        assert!(said.stderr.contains(text), "{text}: {}", said.stderr);
    }
}

#[test]
fn programs_of_ones_own_are_run_judged_and_reported() {
    let bench = bench(
        "build = [\"sh\", \"-c\", \"echo done > {build}/right\"]\n\
         run = [\"./count.sh\", \"{folder}\"]\n\
         verify = [\"./same.sh\", \"{output}\", \"{build}/right\"]\nversion = [\"echo\", \"count 1.0\"]",
    );
    let said = run(&bench, &["--label=one", "--json=one.json"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("1 programs of your own, 2 copies: "), "{}", said.stdout);
    assert!(said.stdout.contains(" times the old server\n"), "{}", said.stdout);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    let settings = &result["environment"]["targets"][0]["settings"];
    assert_eq!(settings["count command"], "./count.sh {folder}");
    assert_eq!(settings["count version"], "count 1.0");
    assert_eq!(settings["count reference"], "0.05 s on the old server");
    assert_eq!(settings["count program SHA-256"].as_str().unwrap().len(), 64);
    assert_eq!(settings["base program SHA-256"], Value::Null, "no others are needed");
    for point in points(&result) {
        assert_eq!(point["rate"]["unit"], "ratio");
        let rounds = number(&point["operations"]) / number(&point["load"]["value"]);
        assert!((3.0..=12.0).contains(&rounds), "{rounds}");
    }
    let scores = result["analysis"]["processor"]["scores"].as_array().unwrap();
    assert_eq!(scores.len(), 4, "all and integer, 1 and 2 copies");
    assert_eq!(
        (&scores[0]["flags"], &scores[0]["reference"]),
        (&Value::Null, &"the old server".into())
    );
    bench.succeed(&["report", "one", "-o", "report.md"]);
    let report = bench.read("report.md");
    assert!(report.contains("ratios to the old server"), "{report}");
    for of_own in ["base flags", "known for it", "reference machine"] {
        assert!(!report.contains(of_own), "{of_own}: {report}");
    }
    let plan = bench.succeed(&["plan", "own.toml", "cpu:"]).stdout;
    assert!(plan.contains("verify   [\"./same.sh\", \"{output}\", \"{build}/right\"]"), "{plan}");
}

#[test]
fn what_is_wrong_with_a_program_is_said() {
    let run = "run = [\"./count.sh\", \"{folder}\"]\n";
    refused(
        &format!("{run}expect = \"{}\"", "0".repeat(64)),
        &["the member 'count' has computed something wrong", "must be 0000", DONE],
    );
    refused(
        &format!("{run}verify = [\"sh\", \"-c\", \"echo no >&2; exit 1\"]"),
        &["the member 'count' has computed something wrong", "exit status: 1 no"],
    );
    refused(
        &format!("run = [\"sh\", \"-c\", \"echo oh >&2; exit 3\"]\nexpect = \"{DONE}\""),
        &["copy 1 of the member 'count' has failed", "exit status: 3: oh"],
    );
    refused(
        &format!("run = [\"no-such-program\"]\nexpect = \"{DONE}\""),
        &["the member 'count' needs the program 'no-such-program'"],
    );
    refused(
        &format!("run = [\"{{build}}/none\"]\nexpect = \"{DONE}\""),
        &["the member 'count' needs the program", "/none'"],
    );
    refused(
        &format!("{run}build = [\"sh\", \"-c\", \"echo why >&2; exit 4\"]\nexpect = \"{DONE}\""),
        &["the member 'count' cannot be built", "exit status: 4: why"],
    );
    let silent = "run = [\"sh\", \"-c\", \"i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done\"]\n";
    refused(&format!("{silent}expect = \"{DONE}\""), &["it has printed nothing"]);
}

#[test]
fn programs_of_the_store_are_not_run() {
    let lines = format!("run = [\"./count.sh\", \"{{folder}}\"]\nexpect = \"{DONE}\"");
    let bench = bench(&lines);
    assert_eq!(run(&bench, &[]).code, Some(0));
    let mut result = bench.json(&["export", "last"]);
    let id = "20260101-000000-aaaaaa";
    result["run"]["id"] = id.into();
    result["run"]["state"] = "interrupted".into();
    let kept = points(&result)[0].clone();
    result["points"] = Value::Array(vec![kept]);
    bench.write("foreign.json", result.to_string());
    bench.succeed(&["import", "foreign.json"]);
    let refused = |more: &[&str], expected: &str| {
        let said = bench.run(&[&["resume", id][..], more].concat());
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    };
    refused(&[], "commands are never taken from the store");
    bench.write("other.toml", suite(&lines.replace("count.sh", "other.sh")));
    refused(&["--commands", "other.toml"], "has other commands or values for the member 'count'");
    bench.succeed(&["resume", id, "--commands", "own.toml"]);
    assert_eq!(points(&bench.json(&["export", id])).len(), 2);
}

#[test]
fn a_real_program_compresses() {
    if !has_tools(&["xz", "seq", "cmp"]) {
        return;
    }
    let bench = bench(
        "build = [\"sh\", \"-c\", \"seq 1 20000 > {build}/in\"]\nrun = [\"xz\", \"-0\", \"-c\", \"{build}/in\"]\n\
         verify = [\"sh\", \"-c\", \"xz -dc < {output} | cmp - {build}/in\"]\nversion = [\"xz\", \"--version\"]",
    );
    let said = run(&bench, &["--json=one.json"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    let version = &result["environment"]["targets"][0]["settings"]["count version"];
    assert!(version.as_str().unwrap().starts_with("xz "), "{version}");
}
