//! `compare`, and reports over several runs.

use std::fs;

use serde_json::Value;

use crate::program::Bench;
use crate::snapshot::check_in;

/// A bench with three runs on a queue: `first`, `again` with another seed, `slow` by 10 %.
fn bench() -> Bench {
    let bench = Bench::new();
    let run = |label: &str, seed: &str, service: &str| {
        let target = format!("sim:analytic/mm1?service={service}");
        bench.succeed(&[
            "run",
            "database",
            &target,
            "--outstanding",
            "1,4,16,64",
            "--rule",
            "mean<=20ms",
            "--label",
            label,
            "--seed",
            seed,
        ]);
    };
    run("first", "1", "1ms");
    run("again", "2", "1ms");
    run("slow", "3", "1100us");
    bench
}

/// Holds a comparison against the schema that is checked in.
fn check_schema(comparison: &Value) {
    let path = format!(
        "{}/../../docs/reference/kneepoint.compare.schema.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(comparison)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn runs_stand_side_by_side() {
    let bench = bench();
    check_in(
        &bench,
        "compare",
        &[
            "compare first slow",
            "compare first again slow --points --fail-if iops-5% --fail-if sustained.iops<-20%",
            "compare first slow --fail-if latency.p99+10%",
            "compare first slow --fail-if latency.p99+10% --fail-if-undecided",
        ],
    );
}

/// A short run of the profile database, called `label`.
fn short_run(bench: &Bench, target: &str, label: &str) {
    let load = ["--outstanding", "1", "--time", "200ms", "--ramp", "0s"];
    bench.succeed(&[&["run", "database", target, "--label", label], &load[..]].concat());
}

/// What the text and the report say of runs that are, or are not, simulated.
#[test]
fn what_is_simulated_is_called_so() {
    let bench = Bench::new();
    short_run(&bench, "null:", "nothing");
    short_run(&bench, "null:", "nothing-again");
    short_run(&bench, "sim:analytic/mm1", "theory");
    short_run(&bench, "sim:drive/fastt-10k-36", "model");
    let compared = |runs: [&str; 2]| {
        let printed = bench.succeed(&["compare", runs[0], runs[1]]).stdout;
        let report = bench.path("comparison.html");
        let path = report.to_str().unwrap();
        bench.succeed(&["report", runs[0], runs[1], "--output", path, "--force"]);
        (printed, fs::read_to_string(&report).unwrap())
    };
    let (printed, page) = compared(["nothing", "nothing-again"]);
    assert!(!printed.contains("simulated") && !page.contains("imulated"), "{printed}");

    let (printed, page) = compared(["nothing", "theory"]);
    assert!(printed.contains("B is simulated: ") && !printed.contains("Never fitted"), "{printed}");
    assert!(page.contains("The numbers of theory come from a model in virtual time; those of the"));
    assert!(!page.contains("Never fitted"));

    let (printed, page) = compared(["theory", "model"]);
    assert!(printed.contains("A, B are simulated: "), "{printed}");
    assert!(page.contains("All numbers come from models in virtual time."));
    for text in [&printed, &page] {
        assert!(text.contains("Never fitted to measurements: drive/fastt-10k-36."), "{text}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let bench = bench();
    bench.succeed(&[
        "run",
        "streaming",
        "sim:analytic/mm1",
        "--outstanding",
        "1",
        "--time",
        "1s",
        "--label",
        "other",
    ]);
    check_in(
        &bench,
        "fault-compare",
        &[
            "compare first",
            "compare first other",
            "compare first stranger",
            "compare first slow --fail-if speed-5%",
            "compare first slow --fail-if log*:iops-5%",
            "compare first slow --junit gate.xml",
        ],
    );
}

#[test]
fn a_comparison_follows_its_schema() {
    let bench = bench();
    let words = ["compare", "first", "slow", "--fail-if", "iops -5%", "--json"];
    let said = bench.run(&[&words[..], &["-"]].concat());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let printed: Value = serde_json::from_str(&said.stdout).unwrap();
    check_schema(&printed);
    assert_eq!(printed["gate"]["outcome"], "failed");
    assert_eq!(printed["factors"][0]["name"], "service");
    bench.run(&[&words[..], &["compared.json"]].concat());
    assert_eq!(serde_json::from_str::<Value>(&bench.read("compared.json")).unwrap(), printed);
}

#[test]
fn the_gate_writes_junit() {
    let bench = bench();
    let words = [
        "compare",
        "first",
        "slow",
        "--fail-if",
        "iops < -5%",
        "--fail-if",
        "latency.p99 +10%",
        "--fail-if",
        "*/8KiB: peak.iops < -50%",
        "--junit",
        "gate.xml",
    ];
    let said = bench.run(&words);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    // A number without an interval can be told nowhere: nothing guards it.
    assert!(bench.read("gate.xml").contains("tests=\"3\" failures=\"2\" skipped=\"0\""));
    let said = bench.run(&[&words[..], &["--allow-undecided"]].concat());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let xml = bench.read("gate.xml");
    assert!(xml.contains("tests=\"3\" failures=\"1\" skipped=\"1\""), "{xml}");
    assert!(xml.contains("name=\"database/8KiB, iops &lt; -5%\"><failure message="), "{xml}");
    assert!(xml.contains("<testsuite name=\"slow against first\""), "{xml}");
}

#[test]
fn a_gate_that_could_decide_nothing_is_not_green() {
    let bench = bench();
    let words = ["compare", "first", "again", "--fail-if", "latency.max +10%"];
    let said = bench.run(&words);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stdout.contains("undecided: 'latency.max > +10%'"), "{}", said.stdout);
    bench.succeed(&[&words[..], &["--allow-undecided", "--junit", "gate.xml"]].concat());
    assert!(bench.read("gate.xml").contains("failures=\"0\" skipped=\"1\""));
}

#[test]
fn several_runs_make_one_report() {
    let bench = bench();
    bench.succeed(&["report", "first", "slow", "-o", "both.html"]);
    let html = bench.read("both.html");
    assert!(html.contains("slow against first") && html.contains("<svg"), "no comparison");
    bench.succeed(&["report", "first", "slow", "--language", "de", "-o", "both.md"]);
    let markdown = bench.read("both.md");
    assert!(markdown.contains("Was sich unterscheidet"), "{markdown}");
    bench.succeed(&["report", "first", "slow", "-o", "again.html"]);
    assert_eq!(bench.read("again.html"), html);
}

/// What the text says below the tables of a comparison with a run that is four times as slow, some of
/// whose points were disturbed.
#[test]
fn of_disturbed_points_nothing_is_told() {
    let bench = Bench::new();
    let run = |label: &str, service: &str| {
        let target = format!("sim:analytic/md1?service={service}");
        let load = ["--outstanding", "1,2,4", "--time", "2s", "--label", label];
        bench.succeed(&[&["run", "database", &target][..], &load].concat());
    };
    run("fast", "1ms");
    run("slow", "4ms");
    let told = |name: &str, disturbed: usize| {
        let mut result = bench.json(&["export", "slow"]);
        result["run"]["id"] = format!("20260101-000000-0de{disturbed}").into();
        result["run"]["label"] = name.into();
        for point in result["points"].as_array_mut().unwrap().iter_mut().take(disturbed) {
            point["verdict"] = "disturbed".into();
        }
        bench.write("changed.json", result.to_string());
        bench.succeed(&["import", "changed.json"]);
        bench.succeed(&["compare", "fast", name]).stdout
    };
    let (chance, lost) = ("is chance", "Whether the runs differ cannot be told: ");
    let all = told("all", 3);
    assert!(
        all.contains("None of ") && all.contains(" tested differences is significant"),
        "{all}"
    );
    assert!(all.contains(lost) && !all.contains(chance), "{all}");
    let some = told("some", 1);
    assert!(!some.contains(lost) && some.contains(chance), "{some}");
    assert!(some.contains("cannot be told: something else disturbed "), "{some}");
    let none = told("none", 0);
    assert!(!none.contains("disturbed") && none.contains(chance), "{none}");
}
