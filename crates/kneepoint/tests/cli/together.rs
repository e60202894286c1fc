//! Series at the same moment: what is planned, measured on files, permitted, kept and refused.

use serde_json::{Value, json};

use crate::program::Bench;
use crate::result::{check_points, check_schema, number, points};

/// Random reads at two loads beside a sequence of writes.
const SUITE: &str = r#"
name = "night"
title = "Reads beside writes"
size = "8MiB"

[[together]]
name = "pair"

[[together.member]]
profile = "random-read"
outstanding = "1,4"

[[together.member]]
profile = "restore"
outstanding = 2
target = TARGET
"#;

/// A folder with the suite; the writes go to the target of this number.
fn bench(target: u32) -> Bench {
    let bench = Bench::new();
    bench.write("night.toml", SUITE.replace("TARGET", &target.to_string()));
    bench
}

/// The rest of a short run.
const SHORT: [&str; 6] = ["--time", "300ms", "--ramp", "100ms", "--json", "-"];

/// Names, loads and I/Os of the points, which must be of the same time.
fn told(result: &Value) -> Vec<(String, f64, u64)> {
    points(result)
        .iter()
        .map(|point| {
            let series = point["series"].as_str().unwrap().to_owned();
            (series, number(&point["load"]["value"]), point["operations"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn groups_are_planned_and_refused() {
    let bench = Bench::new();
    let planned = bench.succeed(&["plan", "interference", "null:"]).stdout;
    let told = "at the same moment (with-backup):\n  database/8KiB with 1, 4, 16 outstanding I/Os on \
                null:\n  backup/64KiB with 1 outstanding I/O on null:\n";
    assert!(planned.contains(told), "{planned}");
    assert!(planned.contains("with-restore@16/restore/64KiB"), "{planned}");
    let alone = bench.succeed(&["plan", "database", "null:"]).stdout;
    assert!(!alone.contains("at the same moment"), "{alone}");
    let target = "sim:analytic/mm1";
    let refuse = |words: &[&str], why: &str| bench.refuse(words, why);
    refuse(
        &["plan", "interference", target, "--outstanding", "1"],
        "'with-backup' has its own loads and block sizes",
    );
    refuse(
        &["knee", "interference", target, "--rule", "mean<=5ms"],
        "the load of with-backup/database/8KiB is not searched for",
    );
    refuse(
        &["plan", "interference", target, "--rule", "mean<=2x@1"],
        "the rule mean<=2x@1 has no reference in with-backup/database/8KiB",
    );
}

#[test]
fn every_engine_measures_both_on_a_real_file() {
    for engine in ["io_uring", "libaio", "sync"] {
        let bench = bench(1);
        let run = ["run", "night.toml", "file.dat", "--buffered", "--engine", engine];
        let said = bench.run(&[&run[..], &SHORT].concat());
        if said.stderr.contains("not permitted") || said.stderr.contains("not available") {
            kneepoint_testkit::skipped(format_args!("{engine}: {}", said.stderr));
            continue;
        }
        assert_eq!(said.code, Some(0), "{engine}: {}", said.stderr);
        let result: Value = serde_json::from_str(&said.stdout).unwrap();
        check_schema(&result);
        check_points(&result);
        let told = told(&result);
        let names: Vec<(&str, f64)> = told.iter().map(|(name, load, _)| (&**name, *load)).collect();
        let expected = [
            ("pair/random-read/4KiB", 1.0),
            ("pair@1/restore/64KiB", 2.0),
            ("pair/random-read/4KiB", 4.0),
            ("pair@4/restore/64KiB", 2.0),
        ];
        assert_eq!(names, expected, "{engine}");
        assert!(told.iter().all(|(.., operations)| *operations > 0), "{engine}: {told:?}");
        let [reads, writes, ..] = points(&result) else { panic!("{result}") };
        assert_eq!(reads["beside"][0]["series"], "pair@1/restore/64KiB");
        assert_eq!(writes["beside"][0]["series"], "pair/random-read/4KiB");
        assert_eq!(reads["classes"].as_object().unwrap().len(), 1, "{reads}");
        assert_eq!(writes["classes"].as_object().unwrap().len(), 1, "{writes}");
        assert_eq!(reads["measured_s"], writes["measured_s"]);
        let kinds = |point: &Value| -> Vec<String> {
            let warnings = point["warnings"].as_array().unwrap().iter();
            warnings.map(|warning| warning["kind"].as_str().unwrap().to_owned()).collect()
        };
        let is_foreign = |kind: &String| kind == "other_device_load";
        assert!(
            !points(&result).iter().any(|point| kinds(point).iter().any(is_foreign)),
            "{result}"
        );
    }
}

#[test]
fn data_that_members_write_is_verified() {
    let bench = bench(1);
    let run = ["run", "night.toml", "file.dat", "--buffered", "--verify"];
    let said = bench.run(&[&run[..], &SHORT].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    bench.succeed(&["verify", "file.dat"]);
}

#[test]
fn a_member_that_writes_needs_permission_for_a_file_of_others() {
    let bench = bench(2);
    let content = vec![7_u8; 1 << 20];
    bench.write("mine.dat", &content);
    let run = ["run", "night.toml", "file.dat", "mine.dat", "--buffered"];
    bench.refuse(&[&run[..], &SHORT].concat(), "mine.dat");
    assert_eq!(std::fs::read(bench.path("mine.dat")).unwrap(), content, "not a byte is changed");
    let allowed = ["--overwrite", "mine.dat"];
    let result = bench.json(&[&run[..], &SHORT, &allowed].concat());
    let writes = &points(&result)[1];
    assert_eq!(writes["targets"].as_array().unwrap().len(), 1, "{writes}");
    assert!(writes["targets"][0]["target"].as_str().unwrap().ends_with("mine.dat"), "{writes}");
    assert_eq!(points(&result)[0]["targets"].as_array().unwrap().len(), 2);
}

#[test]
fn groups_are_exported_imported_and_reported() {
    let bench = bench(1);
    let run =
        ["run", "night.toml", "sim:analytic/md1?service=1ms", "--time=5s", "--label", "night"];
    let result = bench.json(&[&run[..], &["--json", "-"]].concat());
    let near = |value: f64, expected: f64| (value / expected - 1.0).abs() < 0.01;
    let rates: Vec<f64> =
        points(&result).iter().map(|point| number(&point["rate"]["mean"])).collect();
    for (rate, expected) in
        rates.iter().zip([1000.0 / 3.0, 2000.0 / 3.0, 2000.0 / 3.0, 1000.0 / 3.0])
    {
        assert!(near(*rate, expected), "{rates:?}");
    }
    assert_eq!(
        points(&result)[1]["beside"],
        json!([{
            "series": "pair/random-read/4KiB",
            "load": {"value": 1.0, "unit": "outstanding_ios", "per": "target"},
        }])
    );
    bench.succeed(&["export", "night", "-o", "night.json"]);
    bench.succeed(&["import", "night.json", "--store", "other.db"]);
    bench.succeed(&["report", "night", "-o", "night.md"]);
    let report = bench.read("night.md");
    let told = "It was measured at the same moment as restore/64KiB (2 outstanding I/Os).";
    assert!(report.replace('\u{a0}', " ").contains(told), "{report}");
    bench.refuse(&["convert", "night.toml", "-o", "night.fio"], "the [[together]] 'pair'");
}

/// The series of each member with the rules that it was read at, each once.
fn judged(result: &Value) -> Vec<(String, String)> {
    let summaries = result["analysis"]["summaries"].as_array().unwrap().iter();
    let told = |summary: &Value, key: &str| summary[key].as_str().unwrap().to_owned();
    summaries.map(|summary| (told(summary, "series"), told(summary, "rule"))).collect()
}

#[test]
fn each_member_is_judged_by_its_own_rules() {
    let bench = bench(1);
    let own = SUITE.replace("target = TARGET", "rules = [\"p99<=100ms\", \"write.mean<=1us\"]");
    bench.write("own.toml", own.replace("size =", "rules = [\"mean<=2ms\"]\nsize ="));
    let target = "sim:analytic/md1?service=1ms";
    let planned = bench.succeed(&["plan", "own.toml", target]).stdout;
    let told = format!(
        "  restore/64KiB with 2 outstanding I/Os on {target}, judged by p99<=100ms and write.mean<=1us\n"
    );
    assert!(planned.contains(&told), "{planned}");
    assert!(planned.contains(&format!("outstanding I/Os on {target}\n")), "{planned}");
    let run = ["run", "own.toml", target, "--time=5s"];
    let result = bench.json(&[&run[..], &["--label", "own", "--json", "-"]].concat());
    check_schema(&result);
    let pairs =
        |rules: [(&str, &str); 5]| rules.map(|(one, other)| (one.to_owned(), other.to_owned()));
    let expected = pairs([
        ("pair/random-read/4KiB", "mean<=2ms"),
        ("pair@1/restore/64KiB", "p99<=100ms"),
        ("pair@1/restore/64KiB", "write.mean<=1us"),
        ("pair@4/restore/64KiB", "p99<=100ms"),
        ("pair@4/restore/64KiB", "write.mean<=1us"),
    ]);
    assert_eq!(judged(&result), expected);
    let statuses: Vec<&str> = result["analysis"]["summaries"].as_array().unwrap()[1..]
        .iter()
        .map(|summary| summary["sustained"]["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["all_meet", "none_meets", "all_meet", "none_meets"]);
    // On the terminal each rule has a column, in which other series have nothing.
    let shown = bench.succeed(&["show", "own"]).stdout;
    let line = |name: &str| shown.lines().find(|line| line.starts_with(name)).unwrap_or(&shown);
    assert!(line("pair@1/restore").contains(">="), "{shown}");
    assert!(line("pair@1/restore").contains('<'), "{shown}");
    for (file, told) in [
        (
            "own.md",
            [
                "judged by rules of its own: p99 ≤ 100 ms and write: mean ≤ 1 µs",
                "first rule of each series",
            ],
        ),
        ("own.de.md", ["gelten eigene Regeln: ", "bei der ersten Regel jeder Messreihe"]),
    ] {
        let language = if file.contains(".de.") { "de" } else { "en" };
        bench.succeed(&["report", "own", "-o", file, "--language", language]);
        let report = bench.read(file).replace('\u{a0}', " ");
        told.iter().for_each(|told| assert!(report.contains(told), "{told}: {report}"));
    }
    // Comparisons and checks read each series at its own rules alone.
    let again = bench.json(&[&run[..], &["--label", "again", "--json", "-"]].concat());
    assert_eq!(judged(&again), expected);
    let compared = bench.json(&["compare", "own", "again", "--json", "-"]);
    let series = compared["series"].as_array().unwrap();
    let figures = series.iter().flat_map(|series| {
        let rules = series["figures"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|figure| figure["rule"].as_str());
        rules.map(|rule| (series["series"].as_str().unwrap().to_owned(), rule.to_owned()))
    });
    assert_eq!(figures.collect::<Vec<_>>(), expected);
    // What the command line asks for holds for all.
    let all = bench.json(&[&run[..], &["--rule", "max<=1s", "--json", "-"]].concat());
    assert!(judged(&all).iter().all(|(_, rule)| rule == "max<=1s"), "{:?}", judged(&all));
}
