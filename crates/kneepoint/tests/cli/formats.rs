//! Results of other tools: runs written in their formats, and what they measured taken in as runs.

use std::fs;
use std::process::Command;

use kneepoint_testkit::skipped;
use serde_json::{Value, json};

use crate::program::{Bench, Said};

/// A run of two loads on a simulated queue.
fn bench() -> Bench {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/mm1", "--outstanding", "1,4", "--time", "2s"];
    done(&bench, &[&run[..], &["--label", "own"]].concat());
    bench
}

/// A command that has to be done.
#[track_caller]
fn done(bench: &Bench, words: &[&str]) -> Said {
    let said = bench.run(words);
    assert_eq!(said.code, Some(0), "{words:?}\n{}", said.stderr);
    said
}

/// A command that is refused, with these parts in what it says.
#[track_caller]
fn refused(bench: &Bench, words: &[&str], parts: &[&str]) {
    let said = bench.run(words);
    assert_eq!(said.code, Some(2), "{words:?}\n{}", said.stdout);
    for part in parts {
        assert!(said.stderr.contains(part), "{words:?}: {part}\n{}", said.stderr);
    }
}

/// A result of fio: a job of 8 KiB with 67 % reads at a depth, with this mean completion time.
fn fio(depth: &str, mean_us: u64) -> String {
    let times = |ns: u64| {
        json!({"min": ns / 10, "max": ns * 9, "mean": ns, "stddev": ns, "N": 1000,
               "percentile": {"50.000000": ns, "90.000000": 2 * ns, "99.000000": 5 * ns}})
    };
    let section = |ios: u64| {
        json!({"io_bytes": ios * 8192, "bw": ios * 8 / 10, "iops": ios as f64 / 10.0, "runtime": 10_000,
               "total_ios": ios, "clat_ns": times(mean_us * 1000)})
    };
    let options = json!({"rw": "randrw", "rwmixread": "67", "bs": "8k", "iodepth": depth,
                         "ioengine": "libaio", "filename": "/dev/sdz"});
    let job = json!({"jobname": format!("depth-{depth}"), "groupid": 0, "error": 0, "elapsed": 10,
                     "usr_cpu": 1.0, "sys_cpu": 2.0, "job options": options, "read": section(6700),
                     "write": section(3300), "trim": section(0)});
    format!(
        "a warning before\n{:#}\n",
        json!({"fio version": "fio-3.33", "timestamp": 1_600_000_000, "jobs": [job]})
    )
}

#[test]
fn what_is_exported_can_be_imported() {
    let bench = bench();
    let own = bench.json(&["export", "own"]);
    for name in ["run.fio.json", "run.iometer.csv", "run.vdbench.html"] {
        done(&bench, &["export", "own", "-o", name]);
        done(&bench, &["import", name, "--label", name]);
        let again = bench.json(&["export", name]);
        let pairs =
            own["points"].as_array().unwrap().iter().zip(again["points"].as_array().unwrap());
        assert_eq!(pairs.len(), 2, "{name}");
        for (one, other) in pairs {
            assert_eq!(
                (&one["series"], &one["load"]),
                (&other["series"], &other["load"]),
                "{name}"
            );
            for pointer in ["/rate/mean", "/latency_ms/mean", "/latency_ms/max"] {
                let [one, other] =
                    [one, other].map(|point| point.pointer(pointer).unwrap().as_f64().unwrap());
                assert!((one / other - 1.0).abs() < 1e-3, "{name} {pointer}: {one} {other}");
            }
        }
        assert_eq!(again["environment"]["imported"]["tool"], "Kneepoint");
        // What we wrote, we may replace.
        done(&bench, &["export", "own", "-o", name]);
    }
    done(&bench, &["export", "own", "-o", "run.hlog"]);
    let log = bench.read("run.hlog");
    assert!(log.starts_with("#[Logged with Kneepoint "), "{log}");
    assert!(log.contains("\nTag=database/8KiB@4/read,"), "{log}");
    done(&bench, &["export", "own", "-o", "run.hlog"]);
    bench.write("mine.hlog", "#[Histogram log format version 1.3]\n");
    refused(&bench, &["export", "own", "-o", "mine.hlog"], &["mine.hlog is not replaced"]);
}

#[test]
fn an_imported_run_says_so_everywhere_and_another_does_not() {
    let bench = bench();
    bench.write("old.json", fio("4", 500));
    let said = done(&bench, &["import", "old.json", "--label", "old"]);
    assert!(said.stderr.contains("with 1 point, measured by fio 3.33"), "{}", said.stderr);
    assert!(said.stderr.contains("completion latencies (clat)"), "{}", said.stderr);
    let shown = done(&bench, &["show", "old"]).stdout;
    assert!(shown.contains("old on /dev/sdz"), "{shown}");
    assert!(
        shown.contains("imported: measured by fio 3.33, read from old.json (fio JSON)"),
        "{shown}"
    );
    let own = done(&bench, &["show", "own"]).stdout;
    assert!(!own.contains("imported"), "{own}");
    for (language, words) in [
        ("en", ["Imported", "fio 3.33 measured this run. It was read from old.json (fio JSON)"]),
        (
            "de",
            [
                "Importiert",
                "Diesen Lauf hat fio 3.33 gemessen. Er wurde aus old.json (fio JSON) gelesen",
            ],
        ),
    ] {
        let report = |run: &str, file: &str| {
            done(&bench, &["report", run, "-o", file, "--language", language]);
            bench.read(file)
        };
        let (old, own) = (report("old", "old.md"), report("own", "own.md"));
        for text in words {
            assert!(old.contains(text), "{text}\n{old}");
            assert!(!own.contains(text), "{text}\n{own}");
        }
        for text in ["Seed", "Startwert", "NaN", "The run was made with", "Der Lauf entstand mit"] {
            assert!(!old.contains(text), "{text}\n{old}");
        }
    }
    // What fio does not say of reads and writes together is not made up.
    let old = bench.json(&["export", "old"]);
    let point = &old["points"][0];
    assert_eq!(point["latency_ms"]["p99"], Value::Null);
    assert_eq!(point["classes"]["read"]["latency_ms"]["p99"], json!(2.5));
    assert_eq!(point["rate"]["ci95"], Value::Null);
    assert_eq!(point["intervals"], json!([]));
    assert_eq!(old["environment"]["hosts"], json!([]));
    // As JSON it goes into another store.
    bench.write("again.json", old.to_string());
    done(&bench, &["import", "again.json", "--store", "other.db"]);
    let rows = done(&bench, &["export", "old", "--format", "csv"]).stdout;
    assert!(!rows.contains("NaN") && rows.contains("/dev/sdz"), "{rows}");
}

#[test]
fn old_measurements_are_compared_with_new_ones() {
    let bench = bench();
    bench.write("d1.json", fio("1", 300));
    bench.write("d4.json", fio("4", 900));
    done(&bench, &["import", "d1.json", "d4.json", "--label", "old", "--rule", "mean<=0.5ms"]);
    let old = bench.json(&["export", "old"]);
    assert_eq!(old["points"].as_array().unwrap().len(), 2);
    assert_eq!(old["environment"]["imported"]["file"], "d1.json, d4.json");
    assert_eq!(old["analysis"]["summaries"][0]["rule"], "mean<=500us");
    bench.write("n1.json", fio("1", 320));
    bench.write("n4.json", fio("4", 910));
    done(&bench, &["import", "n1.json", "n4.json", "--label", "new", "--rule", "mean<=0.5ms"]);
    assert!(done(&bench, &["compare", "old", "new"]).stdout.contains("randrw-67/8KiB"));
    // Series have the names of what was measured: others are not compared.
    refused(&bench, &["compare", "old", "own"], &["no series in common"]);
    done(&bench, &["report", "old", "new", "-o", "both.md"]);
    assert!(!bench.read("both.md").contains("NaN"));
    bench.write("other.csv", "'Test Type,Test Description\n0,\n'Version\n1.1.0\n");
    refused(&bench, &["import", "other.csv"], &["other.csv", "no row of type ALL"]);
    refused(&bench, &["import", "d1.json", "missing.json"], &["missing.json"]);
}

#[test]
fn options_that_do_not_fit_a_format_are_refused() {
    let bench = bench();
    let export = |words: &[&str], parts: &[&str]| {
        refused(&bench, &[&["export", "own"], words].concat(), parts);
    };
    export(&["-o", "run.xls"], &["names no known format", ".fio.json"]);
    export(
        &["-o", "run.fio.json", "--intervals"],
        &["--intervals has no meaning for the format fio"],
    );
    export(
        &["-o", "run.hlog", "--histograms"],
        &["--histograms has no meaning for the format hlog"],
    );
    export(&["--each-point"], &["into a folder"]);
    export(&["--each-point", "-o", "x", "--format", "hlog"], &["in the format of fio"]);
    done(&bench, &["export", "own", "-o", "x.json", "--format", "fio"]);
    assert!(bench.read("x.json").contains("\"fio version\": \"kneepoint-"));
}

/// The tool that draws results of fio: the version that is known here is installed by `.ci/run`.
#[test]
fn fio_plot_draws_the_curve_of_a_run() {
    let bench = bench();
    done(&bench, &["export", "own", "--each-point", "-o", "plots"]);
    let files = ["randrw-1-1.json", "randrw-4-1.json"];
    for file in files {
        assert!(bench.path("plots/database_8KiB").join(file).exists(), "{file}");
    }
    let Some(fio_plot) = kneepoint_testkit::find_tool("fio-plot") else {
        skipped("not on the PATH: fio-plot");
        return;
    };
    let words =
        ["-i", "plots/database_8KiB", "-T", "knee", "-r", "randrw", "-f", "read", "-d", "1", "4"];
    for (kind, file) in
        [(&["-l", "-n", "1"][..], "bars.png"), (&["-H", "-n", "1", "-d", "4"], "times.png")]
    {
        let drawn = Command::new(&fio_plot)
            .args(words)
            .args(kind)
            .args(["-o", file])
            .env("MPLCONFIGDIR", bench.path("matplotlib"))
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&drawn.stdout).into_owned()
            + &String::from_utf8_lossy(&drawn.stderr);
        assert!(drawn.status.success(), "{said}");
        let picture =
            fs::read(bench.path(file)).unwrap_or_else(|error| panic!("{file}: {error}\n{said}"));
        assert!(picture.starts_with(b"\x89PNG"), "{file}");
    }
}
