//! Copies of programs of the user's own, from a file: they are scripts here, and a real one where it is there.

use std::collections::BTreeSet;
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
    // Of two copies either may be the first to fail.
    let said = run(&bench, &["--copies=1"]);
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
    assert!(said.stdout.contains(" times the old server (+-"), "{}", said.stdout);
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
        // A disturbed round is measured again, once.
        let rounds = number(&point["operations"]) / number(&point["load"]["value"]);
        assert!((1.0..=2.0).contains(&rounds), "{rounds}");
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
    for of_own in ["base flags", "known for it", "reference machine", "licensed tree"] {
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
    let count = points(&bench.json(&["export", id])).len();
    assert!(
        count >= 6 && count.is_multiple_of(2),
        "two loads in each of three passes or more: {count}"
    );
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

/// A tree as its owner would have it: `shrc` finds `runcpu`, which wants a build before a run, computes for some
/// milliseconds for each copy, and writes a result file. It takes 0.1 s for each two copies by its own account.
fn tree(bench: &Bench, valid: &str) {
    for folder in ["tree/bin", "tree/config"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    bench.write("tree/shrc", "SPEC=$(pwd)\nPATH=$SPEC/bin:$PATH\nexport SPEC PATH\n");
    bench.write("tree/config/mine.cfg", "");
    let text = "#!/bin/sh
copies=1
for word; do
  case $word in
    --config=*) [ -f \"$SPEC/config/${word#*=}\" ] || exit 3 ;;
    --output_root=*) root=${word#*=} ;;
    --action=*) action=${word#*=} ;;
    --copies=*) copies=${word#*=} ;;
    --tune=*) tune=${word#*=} ;;
    --noreportable|--iterations=1|--size=ref|--output_format=raw) ;;
    -*) echo \"unknown option $word\" >&2; exit 4 ;;
    *) benchmark=$word ;;
  esac
done
if [ \"$action\" = build ]; then mkdir -p \"$root/exe\"; exit; fi
[ -d \"$root/exe\" ] || exit 5
i=0
while [ $i -lt 20000 ]; do i=$((i+1)); done
mkdir -p \"$root/result\"
number=$(ls \"$root/result\" | wc -l)
name=$(echo \"$benchmark\" | tr . _)
line=spec.cpu2017.results.$name.$tune.000
{
  echo \"$line.benchmark: $benchmark\"
  echo \"$line.copies: $copies\"
  echo \"$line.reference: 3\"
  echo \"$line.reported_time: 0.$(( (copies + 1) / 2 ))\"
  echo \"$line.valid: VALID\"
} > \"$root/result/CPU2017.$number.intrate.rsf\"
";
    script(bench, "tree/bin/runcpu", &text.replace("VALID", valid));
}

/// The suite of a benchmark of the tree with `copies`.
fn suite_of_tree(bench: &Bench, reference: &str) -> String {
    let tree = bench.path("tree").display().to_string();
    format!(
        "name = \"own\"\ntitle = \"Own\"\ncopies = \"1,2,4\"\n[[series]]\nprofile = \"mcf\"\n\
         [[member]]\nname = \"mcf\"\ntitle = \"505.mcf_r, base\"\nclass = \"integer\"\n\
         reference = \"the machine of the tree\"\nreference_seconds = {reference}\n[member.runcpu]\n\
         tree = \"{tree}\"\nconfig = \"mine.cfg\"\nbenchmark = \"505.mcf_r\"\ntune = \"base\"\n"
    )
}

#[test]
fn a_licensed_tree_is_run_by_its_own_harness_and_left_as_it_is() {
    let bench = Bench::new();
    tree(&bench, "S");
    bench.write("own.toml", suite_of_tree(&bench, "3"));
    let plan = bench.succeed(&["plan", "own.toml", "cpu:"]).stdout;
    assert!(plan.contains("--copies={copies}") && plan.contains("--output_root={build}"), "{plan}");
    let said = run(&bench, &["--label=one", "--json=one.json"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    // By the account of the harness one copy and two take 0.1 s, four take 0.2 s, and the reference is 3 s.
    let rates: BTreeSet<(u64, u64)> = points(&result)
        .iter()
        .map(|point| [&point["load"]["value"], &point["rate"]["mean"]])
        .map(|numbers| numbers.map(|value| number(value).round() as u64).into())
        .collect();
    assert_eq!(rates, BTreeSet::from([(1, 30), (2, 60), (4, 60)]), "the same in every pass");
    let settings = &result["environment"]["targets"][0]["settings"];
    assert!(settings["mcf program"].as_str().unwrap().ends_with("tree/bin/runcpu"), "{settings}");
    let mut left: Vec<_> =
        fs::read_dir(bench.path("tree")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["bin", "config", "shrc"], "nothing is written to the tree");
    for (language, text) in [
        ("en", "these numbers are none of its metrics"),
        ("de", "Diese Zahlen sind keine seiner Metriken"),
    ] {
        let language = format!("--language={language}");
        bench.succeed(&["report", "one", &language, "-o", "report.md", "--force"]);
        assert!(bench.read("report.md").contains(text), "{}", bench.read("report.md"));
    }
}

#[test]
fn what_a_licensed_tree_has_not_verified_does_not_count() {
    for (valid, reference, expected) in [
        ("VE", "3", "runcpu says 'VE' of 505.mcf_r"),
        ("S", "4", "the tree's reference time of 505.mcf_r is 3 s, and reference_seconds is 4"),
    ] {
        let bench = Bench::new();
        tree(&bench, valid);
        bench.write("own.toml", suite_of_tree(&bench, reference));
        let said = run(&bench, &[]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    let bench = Bench::new();
    bench.write("own.toml", suite_of_tree(&bench, "3"));
    bench.refuse(&["plan", "own.toml", "cpu:"], "it is no part of Kneepoint");
}
