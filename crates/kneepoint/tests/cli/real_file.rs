//! Real I/O on temporary files.

use std::fs;
use std::process::Stdio;

use kneepoint_testkit::skipped;
use serde_json::Value;

use crate::interrupt::await_first_point;
use crate::program::{Bench, Said};
use crate::result::{check_points, check_schema, number, points};

/// A short run on a small file.
const SHORT: [&str; 8] =
    ["--size", "16MiB", "--time", "200ms", "--ramp", "0s", "--outstanding", "1,4"];

/// Runs with direct I/O, or, where the file system or the machine has none, through the page
/// cache; nothing where the engine does not exist here.
fn measure(bench: &Bench, arguments: &[&str]) -> Option<Value> {
    let arguments = [arguments, &SHORT, &["--json", "-"]].concat();
    let mut said = bench.run(&arguments);
    if is_without_direct_io(&said) {
        println!("direct I/O is refused here, measured through the page cache: {}", said.stderr);
        said = bench.run(&[&arguments[..], &["--buffered"]].concat());
    }
    if said.code == Some(2) && said.stderr.contains("cannot be used") {
        skipped(&said.stderr);
        return None;
    }
    assert_eq!(said.code, Some(0), "{arguments:?}\n{}", said.stderr);
    Some(serde_json::from_str(&said.stdout).unwrap())
}

fn is_without_direct_io(said: &Said) -> bool {
    said.code == Some(2) && said.stderr.contains("direct I/O") && said.stderr.contains("--buffered")
}

#[test]
fn every_engine_measures_what_holds_everywhere() {
    for engine in ["auto", "io_uring", "libaio", "sync"] {
        let bench = Bench::new();
        let arguments = ["run", "database", "file.dat", "--engine", engine];
        let Some(result) = measure(&bench, &arguments) else { continue };
        check_schema(&result);
        check_points(&result);
        assert_eq!(points(&result).len(), 2);
        if engine != "auto" {
            assert_eq!(result["environment"]["hosts"][0]["engine"]["engine"], engine);
        }
        assert_eq!(result["environment"]["targets"][0]["kind"], "file");
    }
}

#[test]
fn a_suite_reads_and_writes_at_random_and_in_sequence() {
    let bench = Bench::new();
    let result = measure(&bench, &["run", "storagebench", "file.dat"]).unwrap();
    check_points(&result);
    assert_eq!(points(&result).len(), 10);
    assert_eq!(result["analysis"]["summaries"].as_array().unwrap().len(), 10);
}

#[test]
fn several_targets_are_loaded_at_once() {
    let bench = Bench::new();
    let arguments = ["run", "database", "a.dat", "b.dat", "--workers", "2"];
    let result = measure(&bench, &arguments).unwrap();
    check_points(&result);
    for point in points(&result) {
        let targets = point["targets"].as_array().unwrap();
        assert_eq!(targets.len(), 2);
        assert!(targets.iter().all(|target| number(&target["rate"]) > 0.0), "{point}");
    }
}

#[test]
fn a_test_file_is_used_again() {
    let bench = Bench::new();
    measure(&bench, &["run", "random-read", "file.dat"]).unwrap();
    let written = fs::metadata(bench.path("file.dat")).unwrap();
    assert_eq!(written.len(), (16 << 20) + 4096);
    let plan = bench.succeed(&["plan", "database", "file.dat", "--buffered"]).stdout;
    assert!(plan.contains("0 bytes") && plan.contains("Kneepoint made this file"), "{plan}");
    measure(&bench, &["run", "random-read", "file.dat"]).unwrap();
    let now = fs::metadata(bench.path("file.dat")).unwrap();
    assert_eq!(now.modified().unwrap(), written.modified().unwrap());
}

#[test]
fn a_read_only_run_leaves_a_foreign_file_as_it_is() {
    let bench = Bench::new();
    let content: Vec<u8> = (0..16u32 << 20).map(|index| (index >> 7) as u8).collect();
    bench.write("foreign.dat", &content);
    measure(&bench, &["run", "random-read", "foreign.dat"]).unwrap();
    for profile in ["database", "restore", "random-write"] {
        let said = bench.run(&["run", profile, "foreign.dat", "--buffered"]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("Kneepoint did not make it"), "{}", said.stderr);
    }
    assert!(fs::read(bench.path("foreign.dat")).unwrap() == content, "not a byte has changed");
}

/// Warnings of all points that begin with `name`.
fn warnings(result: &Value, name: &str) -> Vec<String> {
    let warnings = points(result).iter().flat_map(|point| point["warnings"].as_array().unwrap());
    let texts = warnings.map(|warning| warning["text"].as_str().unwrap().to_owned());
    texts.filter(|text| text.starts_with(&format!("{name}: "))).collect()
}

#[test]
fn a_target_that_answers_with_zeros_is_told() {
    let bench = Bench::new();
    fs::File::create(bench.path("sparse.dat")).unwrap().set_len(16 << 20).unwrap();
    bench.write("zeros.dat", vec![0; 16 << 20]);
    for file in ["sparse.dat", "zeros.dat"] {
        let result = measure(&bench, &["run", "random-read", file]).unwrap();
        // One I/O in flight has one buffer: its last read alone says nothing.
        let told = warnings(&result, "zeros read");
        assert_eq!(told.len(), 1, "{file}: {result}");
        assert!(told[0].contains("4 of the last 4 reads brought zeros alone"), "{told:?}");
        let shown = bench.succeed(&["show"]).stdout;
        assert!(shown.contains("warning: random-read/4KiB, 4 outstanding I/Os: zeros read: "));
    }
}

#[test]
fn what_has_content_is_not_said_to_answer_with_zeros() {
    let bench = Bench::new();
    bench.write("foreign.dat", vec![7; 16 << 20]);
    for arguments in [
        ["run", "random-read", "foreign.dat"],
        ["run", "random-read", "own.dat"],
        ["run", "database", "own.dat"],
    ] {
        let result = measure(&bench, &arguments).unwrap();
        assert_eq!(warnings(&result, "zeros read"), [""; 0], "{arguments:?}");
    }
}

#[test]
fn a_named_file_may_be_overwritten() {
    let bench = Bench::new();
    bench.write("foreign.dat", vec![7; 16 << 20]);
    let arguments = ["run", "restore", "foreign.dat", "--overwrite", "foreign.dat"];
    check_points(&measure(&bench, &arguments).unwrap());
    assert!(fs::read(bench.path("foreign.dat")).unwrap() != vec![7; 16 << 20]);
}

#[test]
fn errors_of_the_target_are_counted_and_named() {
    let bench = Bench::new();
    bench.write("file.dat", vec![7; 16 << 20]);
    let arguments = [
        "run",
        "random-read",
        "file.dat",
        "--buffered",
        "--outstanding",
        "4,8,16",
        "--time",
        "500ms",
        "--ramp",
        "0s",
        "--json",
        "result.json",
    ];
    let child = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    await_first_point(&mut child);
    fs::File::options().write(true).open(bench.path("file.dat")).unwrap().set_len(0).unwrap();
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("result.json")).unwrap();
    check_schema(&result);
    assert_eq!(result["run"]["state"], "failed");
    let failed = points(&result).last().unwrap();
    assert_eq!(failed["verdict"], "failed");
    assert!(number(&failed["errors"]) > 10.0, "{failed}");
    let sample = failed["error_samples"][0].as_str().unwrap();
    assert!(
        sample.contains("read") && sample.contains("offset") && sample.contains("0 bytes"),
        "{sample}"
    );
    assert!(said.stderr.contains("the run ends"), "{}", said.stderr);
}

#[test]
fn an_offered_rate_is_delivered_on_time_or_late() {
    // Whatever the machine does meanwhile: what is due is issued once, and nothing else.
    for arrivals in ["constant", "exponential"] {
        let bench = Bench::new();
        let arguments = ["--size", "16MiB", "--rate", "100,2000", "--arrivals", arrivals];
        let words = [&["run", "random-read", "file.dat", "--buffered"], &arguments[..]].concat();
        let timing = ["--time", "1s", "--ramp", "0s", "--json", "-"];
        let result = bench.json(&[&words[..], &timing].concat());
        check_points(&result);
        for (point, rate) in points(&result).iter().zip([100.0, 2000.0]) {
            let delivered = number(&point["open_loop"]["delivered_rate"]);
            let chance = 6.0 * f64::sqrt(rate);
            assert!((rate / 2.0..=rate + chance).contains(&delivered), "{arrivals}: {point}");
        }
    }
}

#[test]
fn buffers_lie_in_small_pages_unless_huge_ones_are_asked_for() {
    let bench = Bench::new();
    let run = ["run", "random-read", "file.dat", "--size=16MiB", "--time=300ms", "--ramp=0s"];
    let rest = ["--outstanding=2", "--buffered", "--json", "-"];
    let pages = |result: &Value| {
        let engine = &result["environment"]["hosts"][0]["engine"];
        assert_eq!(engine["memory_pages"], result["plan"]["engine"]["memory_pages"]);
        engine["memory_pages"].as_str().unwrap().to_owned()
    };
    let small = bench.json(&[&run[..], &rest].concat());
    assert_eq!(pages(&small), "small");
    let shown = bench.succeed(&["show", "last"]).stdout;
    assert!(!shown.contains("huge pages"), "{shown}");
    let said = bench.run(&[&run[..], &rest, &["--huge-pages"]].concat());
    if said.code == Some(2) && said.stderr.contains("MiB in huge pages") {
        kneepoint_testkit::skipped(&said.stderr);
    } else {
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert_eq!(pages(&serde_json::from_str(&said.stdout).unwrap()), "huge");
        let shown = bench.succeed(&["show", "last"]).stdout;
        assert!(shown.contains("buffered I/O, buffers in huge pages"), "{shown}");
    }
    let nothing = bench.run(&["plan", "random-read", "null:", "--huge-pages"]);
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.stderr.contains("huge pages are for the buffers"), "{}", nothing.stderr);
}
