//! `validate`, `calibrate` and `size`: commands on simulated systems alone.

use kneepoint_sim::System;
use serde_json::Value;

use crate::program::Bench;
use crate::result::{check_document, number};
use crate::snapshot::{check, check_in};

/// Published numbers of two drives and of an array, and rows that nothing can stand for.
const CELLS: &str = "\
id,source,table,subsystem,drives,drive_type,raid,os_tool,cache,workload,access,read_pct,block_kib,outstanding_ios,criterion,iops,mbps,note
one,own,Drives,single disk,1,HDD SATA 3.5in 7200 rpm 2 TB,jbod,,disk_cache_on,database,random,67,8,4,at_qd,258,,
two,own,Drives,single disk,1,HDD SATA 3.5in 7200 rpm 2 TB,jbod,,disk_cache_on,database,random,67,8,1,at_outstanding,189,,
rate,own,Drives,single disk,1,HDD SAS 2.5in 15000 rpm 146 GB,jbod,,disk_cache_on,restore,sequential,0,64,1,at_qd,,195,
array,own,Arrays,FAStT900,20,,RAID-5,windows-iometer,all_off,oltp,random,67,64,,avg_rt_20ms,1660,,
odd,own,Arrays,a box of cards,20,,RAID-5,,all_off,oltp,random,67,64,,avg_rt_20ms,1660,,
empty,own,Arrays,FAStT900,20,,RAID-5,,all_off,oltp,random,67,64,,avg_rt_20ms,,,
";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("cells.csv", CELLS);
    bench
}

fn validated(bench: &Bench, more: &[&str]) -> Value {
    bench.json(&[&["validate", "cells.csv", "--json", "-"], more].concat())
}

#[test]
fn help_of_the_commands_on_simulated_systems() {
    check("help-simulation", &["validate --help", "calibrate --help", "size --help"]);
}

#[test]
fn every_row_is_predicted_or_has_a_reason() {
    let document = validated(&bench(), &[]);
    assert_eq!(document["schema"], "kneepoint.validate/1");
    check_document(&document, "validate");
    let cells = document["cells"].as_array().unwrap();
    let ids: Vec<&str> = cells.iter().map(|cell| cell["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["one", "two", "rate", "array", "odd", "empty"]);
    for cell in &cells[..4] {
        assert_eq!(cell["reason"], Value::Null, "{cell}");
        let (predicted, published) =
            (number(&cell["predicted_iops"]), number(&cell["published_iops"]));
        assert!((0.4..2.5).contains(&(predicted / published)), "{cell}");
        let error = 100.0 * (predicted / published - 1.0);
        assert!((number(&cell["error_percent"]) - error).abs() < 0.2, "{cell}");
    }
    assert_eq!(number(&cells[2]["published_iops"]), 195.0 * 16.0);
    for (cell, reason) in cells[4..].iter().zip(["a box of cards", "no published number"]) {
        assert_eq!(cell["predicted_iops"], Value::Null);
        assert!(cell["reason"].as_str().unwrap().contains(reason), "{cell}");
    }
    assert_eq!(
        (&document["total"]["cells"], document["tables"].as_array().unwrap().len()),
        (&4.into(), 2)
    );
    assert_eq!(document["total"]["not_simulated"], 2);
}

#[test]
fn the_result_does_not_depend_on_the_threads() {
    let bench = bench();
    let one = bench.succeed(&["validate", "cells.csv", "--threads", "1"]);
    let three = bench.succeed(&["validate", "cells.csv", "--threads", "3"]);
    assert_eq!(one.stdout, three.stdout);
    assert!(one.stdout.contains("odd: not simulated: no simulated system stands for"));
}

#[test]
fn anomalies_are_declared_and_totals_are_given_with_them_and_without() {
    let bench = bench();
    let declared = "[[anomaly]]\ncells = [\"one\", \"stranger\"]\nreason = \"a misprint\"\n";
    bench.write("anomalies.toml", declared);
    let document = validated(&bench, &["--anomalies", "anomalies.toml"]);
    check_document(&document, "validate");
    assert_eq!(document["cells"][0]["anomaly"], "a misprint");
    assert_eq!(document["total"]["cells"], 4);
    assert_eq!(document["total_without_anomalies"]["cells"], 3);
    let said = bench.succeed(&["validate", "cells.csv", "--anomalies", "anomalies.toml"]);
    assert!(said.stderr.contains("no cell is called 'stranger'"), "{}", said.stderr);
    assert!(said.stdout.contains("total without anomalies"), "{}", said.stdout);
}

/// The shipped values come out of the documented command; here for the drive that takes least.
#[test]
fn a_shipped_drive_comes_out_of_its_calibration() {
    let bench = bench();
    let shipped = System::shipped("drive/hdd-eco-sata25-5k4-160").unwrap();
    bench.write("shipped.toml", shipped.to_toml());
    let cells = concat!(env!("CARGO_MANIFEST_DIR"), "/../../systems/data/calibration.csv");
    let words = ["calibrate", "shipped.toml", "--cells", cells, "-o", "fitted.toml"];
    bench.succeed(&words);
    let fitted = System::parse(&bench.read("fitted.toml"), "fitted.toml").unwrap();
    assert!(
        shipped.parameters.declared().iter().any(|own| own.start.is_some_and(|at| at != own.value))
    );
    for (own, again) in shipped.parameters.declared().iter().zip(fitted.parameters.declared()) {
        // Logarithms and exponentials may differ in the last bit from machine to machine.
        let distance = (own.value - again.value).abs();
        assert!(distance <= 0.01 * (own.max - own.min), "{}: {again:?}", own.name);
        assert_eq!((own.name, own.start, own.source), (again.name, again.start, again.source));
    }
}

#[test]
fn a_calibration_finds_the_values_that_made_the_numbers() {
    let bench = bench();
    let shipped = System::shipped("drive/hdd-sata35-7k2-500").unwrap();
    let cells = CELLS.replace("2 TB", "500 GB");
    bench.write("cells.csv", &cells);
    let seek = |system: &System| {
        let parameters = system.parameters.declared();
        parameters.iter().find(|own| own.name == "disk.seek_average").unwrap().value
    };
    // The published numbers are what the shipped values give; the file has another seek time.
    let document = validated(&bench, &[]);
    let predicted = |index: usize| number(&document["cells"][index]["predicted_iops"]);
    let cells = cells.replace(",258,", &format!(",{:.2},", predicted(0)));
    bench.write("cells.csv", cells.replace(",189,", &format!(",{:.2},", predicted(1))));
    let other = shipped.with_parameters(&[("disk.seek_average", seek(&shipped) * 0.8)]).unwrap();
    bench.write("other.toml", other.to_toml());
    bench.succeed(&[
        "calibrate",
        "other.toml",
        "--cells",
        "cells.csv",
        "-o",
        "fitted.toml",
        "--free",
        "disk.seek_average",
        "--steps",
        "8",
    ]);
    let text = bench.read("fitted.toml");
    let fitted = System::parse(&text, "fitted.toml").unwrap();
    assert!((seek(&fitted) / seek(&shipped) - 1.0).abs() < 0.05, "{}", seek(&fitted));
    let validation = fitted.validation.unwrap();
    assert_eq!((validation.fitted_cells, validation.held_out.as_str()), (2, "nothing"));
    assert!(validation.mean_error_percent < 1.5 && text.contains("# Residuals"));
}

#[test]
fn a_system_is_fitted_to_a_stored_run() {
    let bench = Bench::new();
    let target = "sim:drive/hdd-sata35-7k2-2000";
    bench.succeed(&["run", "random-read", target, "--outstanding", "1,8", "--time", "20s"]);
    let said = bench.succeed(&[
        "calibrate",
        "drive/hdd-sata35-7k2-2000",
        "--run",
        "last",
        "-o",
        "fitted.toml",
        "--free",
        "disk.seek_average",
        "--steps",
        "4",
    ]);
    assert!(said.stderr.contains("to 2 measurements"), "{}", said.stderr);
    assert!(said.stdout.contains("random-read/4KiB@8"), "{}", said.stdout);
}

#[test]
fn candidates_can_be_run() {
    let bench = Bench::new();
    let said = bench.succeed(&[
        "size",
        "--profile",
        "database",
        "--iops",
        "900",
        "--rule",
        "mean<=30ms",
        "--capacity",
        "1TB",
        "--drives",
        "hdd-sas25-15k-146,hdd-sas25-10k-600",
        "--raid",
        "raid10",
        "--write-cache",
        "off",
        "--strokes",
        "10%,90%",
    ]);
    let targets: Vec<&str> = said
        .stdout
        .lines()
        .filter_map(|line| line.split_once("  sim:"))
        .map(|(_, rest)| rest)
        .collect();
    assert_eq!(targets.len(), 2, "{}", said.stdout);
    for target in targets {
        bench.succeed(&["plan", "database", &format!("sim:{target}")]);
    }
    assert!(said.stdout.contains("multiplier"), "{}", said.stdout);
}

#[test]
fn candidates_are_a_page() {
    let bench = Bench::new();
    let size = "size --profile random-read --block 4KiB --iops 400 --rule mean<=30ms --drives \
                hdd-sas25-15k-146 --raid raid10 --write-cache off --max-drives 8 -o";
    let words: Vec<&str> = size.split_whitespace().collect();
    let said = bench.succeed(&[&words[..], &["size.html"]].concat());
    assert!(!said.stdout.contains("at other strokes"), "{}", said.stdout);
    let html = bench.read("size.html");
    let title = "400\u{a0}IO/s within 30\u{a0}ms";
    for text in [title, "saturates first", "asked for: 400", "multiplier"] {
        assert!(html.contains(text), "{text}");
    }
    assert!(!html.contains("NaN"));
    bench.succeed(&[&words[..], &["size.md", "--threads", "1"]].concat());
    assert!(bench.read("size.md").contains("Candidates"));
    let refused = bench.run(&[&words[..], &["size.txt"]].concat());
    assert!(refused.code == Some(2) && refused.stderr.contains("names no known format"));
}

#[test]
fn what_nothing_sustains_is_a_failed_check() {
    let said = Bench::new().run(&[
        "size",
        "--profile",
        "database",
        "--iops",
        "100000",
        "--rule",
        "mean<=1ms",
        "--drives",
        "hdd-sata35-7k2-500",
        "--max-drives",
        "12",
        "--write-cache",
        "off",
    ]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stdout.contains("nothing of what was tried sustains this load"));
}

#[test]
fn mistakes_are_explained() {
    let bench = bench();
    bench.write("broken.csv", "subsystem,drives,workload,criterion,iops\na,b\n");
    bench.write("columns.csv", "subsystem,drives,work,criterion,iops\n");
    check_in(
        &bench,
        "fault-simulation",
        &[
            "validate nothing.csv",
            "validate broken.csv",
            "validate columns.csv",
            "calibrate fastt900 -o out.toml",
            "calibrate nothing --cells cells.csv -o out.toml",
            "calibrate serveraid-m5025 --cells cells.csv -o out.toml",
            "calibrate fastt900 --cells cells.csv --free disk.speed -o out.toml",
            "size --profile database --iops 0 --rule mean<=20ms",
            "size --profile storagebench --iops 10 --rule mean<=20ms",
            "size --profile database --iops 10 --rule mean<=20ms --server TX1",
            "size --profile database --iops 10 --rule mean<=20ms --drives nothing",
        ],
    );
}
