//! Runs in virtual time: the same everywhere, and known beforehand.

use serde_json::Value;

use crate::program::Bench;
use crate::result::{number, points};
use crate::snapshot::check;

/// A run of 2 s of virtual time per point.
const RUN: [&str; 8] = [
    "run",
    "database",
    "sim:analytic/md1?service=1ms",
    "--outstanding",
    "1,4",
    "--time",
    "2s",
    "--json",
];

#[test]
fn a_run_from_plan_to_deletion() {
    check(
        "run-sim",
        &[
            "run database sim:analytic/mmc?service=5ms&servers=8 --outstanding 1..32x2 --time 2s --ramp 1s --label queue",
            "show queue",
            "runs",
            "export queue -o points.csv",
            "delete queue",
            "runs",
        ],
    );
}

#[test]
fn a_suite_on_two_targets() {
    check(
        "run-sim-suite",
        &[
            "run storagebench sim:analytic/md1 sim:analytic/md1?service=2ms --outstanding 1,16 --time 2s --ramp 0s",
        ],
    );
}

#[test]
fn a_queue_with_constant_service_time_is_measured_exactly() {
    let bench = Bench::new();
    let result = bench.json(&[&RUN[..], &["-"]].concat());
    for point in points(&result) {
        let load = number(&point["load"]["value"]);
        assert!((number(&point["rate"]["mean"]) - 1000.0).abs() < 1.0, "{point}");
        assert!((number(&point["latency_ms"]["mean"]) - load).abs() < 0.01 * load, "{point}");
        assert!(
            (number(&point["storage"]["achieved_outstanding"]) - load).abs() < 0.01 * load,
            "{point}"
        );
    }
}

#[test]
fn percentiles_of_hours_are_true() {
    let bench = Bench::new();
    // Ten times what the target takes: response times grow evenly to 18 h, and are not stopped.
    let overload = ["--rate", "100", "--time", "20h", "--ramp", "0s", "--json", "-"];
    let target = "sim:analytic/md1?service=100ms";
    let said = bench.run(&[&["run", "random-read", target][..], &overload].concat());
    let result: Value = serde_json::from_str(&said.stdout).unwrap();
    let latency = &points(&result)[0]["latency_ms"];
    let longest = number(&latency["max"]);
    assert!((longest / 3_600_000.0 - 18.0).abs() < 0.1, "{latency}");
    for (name, share) in [("p50", 0.5), ("mean", 0.5), ("p90", 0.9), ("p99", 0.99)] {
        let value = number(&latency[name]);
        assert!((value / longest - share).abs() < 0.002, "{name}: {latency}");
    }
}

#[test]
fn equal_seeds_give_equal_points() {
    let measured = |seed: &str| {
        let bench = Bench::new();
        let target = "sim:analytic/mm1?service=1ms";
        let mut result = bench.json(&[
            "run",
            "database",
            target,
            "--outstanding",
            "4",
            "--time",
            "2s",
            "--json",
            "-",
            "--seed",
            seed,
        ]);
        result["points"][0]["started_at"] = Value::Null;
        result["points"].take()
    };
    assert_eq!(measured("7"), measured("7"));
    assert_ne!(measured("7"), measured("8"));
}

/// The same plan and seed give the same bytes on every machine: points and summaries of a small run,
/// as they are written, by the hash of FNV-1a. It changes only with the model, the method, the
/// shipped system or the format; then it is to be written again, and the change is to be told.
#[test]
fn points_and_summaries_are_the_same_bytes_everywhere() {
    let mut result = Bench::new().json(&[
        "run",
        "oltp",
        "sim:fastt900?drives=20&write_cache=on",
        "--block",
        "8KiB",
        "--outstanding",
        "4,24",
        "--rule",
        "mean<=10ms",
        "--time",
        "2s",
        "--ramp",
        "500ms",
        "--seed",
        "7",
        "--json",
        "-",
    ]);
    for point in result["points"].as_array_mut().unwrap() {
        // What the machine was doing meanwhile.
        for fact in ["started_at", "cpu_percent", "warnings"] {
            point.as_object_mut().unwrap().remove(fact);
        }
    }
    let text = format!("{}{}", result["points"], result["analysis"]["summaries"]);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(format!("{hash:016x}"), "3f4bdd24ac3c9302", "{text}");
}

#[test]
fn a_report_is_written_at_the_end_and_again() {
    let bench = Bench::new();
    let run = &RUN[..RUN.len() - 1];
    bench.succeed(&[run, &["--report", "report.html"]].concat());
    let report = bench.read("report.html");
    assert!(report.starts_with("<!DOCTYPE html>") && report.contains("database/8KiB"));
    bench.succeed(&["report", "last", "-o", "again.html"]);
    assert_eq!(bench.read("again.html"), report);
}

#[test]
fn a_report_speaks_the_language_and_has_the_format_that_was_asked_for() {
    let bench = Bench::new();
    bench.succeed(&RUN[..RUN.len() - 1]);
    bench.succeed(&["report", "last", "--language", "de", "-o", "german.html"]);
    assert!(bench.read("german.html").contains("<html lang=\"de\">"));
    bench.succeed(&["report", "last", "--language", "english", "-o", "text.md"]);
    let text = bench.read("text.md");
    let figures: Vec<&str> =
        text.split("](<").skip(1).filter_map(|rest| rest.split('>').next()).collect();
    assert!(text.starts_with("# ") && !figures.is_empty());
    for figure in figures {
        assert!(bench.read(figure).starts_with("<svg xmlns="), "{figure}");
    }
}

#[test]
fn a_report_gives_its_figures_as_drawings_and_as_data() {
    let bench = Bench::new();
    bench.succeed(&RUN[..RUN.len() - 1]);
    bench.succeed(&["report", "last", "-o", "report.html", "--figures", "figures"]);
    let names: Vec<String> = std::fs::read_dir(bench.path("figures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let (drawings, data): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.ends_with(".svg"));
    assert!(drawings.len() > 1 && drawings.len() == data.len(), "{names:?}");
    for name in drawings {
        assert!(bench.read(&format!("figures/{name}")).starts_with("<svg xmlns="), "{name}");
        let csv = bench.read(&format!("figures/{}", name.replace(".svg", ".csv")));
        assert!(name.starts_with("figure-0") && csv.starts_with("kind,"), "{name}: {csv}");
    }
}

#[test]
fn lateness_is_shown_where_it_matters() {
    let shown = |load: &str| {
        let bench = Bench::new();
        let run = ["run", "random-read", "sim:analytic/md1?service=1ms", "--time", "1s"];
        let words: Vec<&str> = run.into_iter().chain(load.split(' ')).collect();
        bench.succeed(&words).stdout
    };
    let explained = "late: how long after they were due I/Os were submitted, on average; part of \
                     the response time\n";
    // A server of 1 ms falls behind, and there is no room for what is due while 1,024 wait.
    let late = shown("--rate 500,20000");
    assert!(late.contains("   late   ") && late.contains(explained), "{late}");
    for load in ["--rate 200,500", "--outstanding 1,64"] {
        let punctual = shown(load);
        assert!(!punctual.contains(" late") && !punctual.contains("late:"), "{punctual}");
    }
}

#[test]
fn the_class_that_gave_the_rules_is_in_the_report() {
    let report = |target: &str, more: &[&str]| {
        let bench = Bench::new();
        // Of a single load no rule is told.
        let run = ["run", "random-read", target, "--outstanding", "1,2", "--time", "100ms"];
        let report = ["--ramp", "0ms", "--language", "de", "--report", "report.md"];
        bench.run(&[&run[..], &report, more].concat());
        bench.read("report.md")
    };
    for (target, class) in [
        ("null:", "Flash (null: braucht gar keine Zeit)"),
        ("sim:analytic/md1", "rotierend (eine Warteschlange, beurteilt wie eine Platte)"),
        ("sim:drive/hdd-sas25-15k-146", "rotierend (simulierte Platten)"),
        ("sim:drive/ssd-sata25-64", "Flash (simuliertes Flash)"),
    ] {
        let text = report(target, &[]);
        for before in ["**Klasse:** ", "entscheidet die Klasse des Ziels: "] {
            assert!(text.contains(&format!("{before}{class}")), "{text}");
        }
    }
    let named = report("sim:analytic/md1", &["--rule", "mean<=5ms"]);
    assert!(named.contains("**Klasse:** ") && !named.contains("entscheidet die Klasse"), "{named}");
}
