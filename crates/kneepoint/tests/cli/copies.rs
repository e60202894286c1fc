//! The file copy of a suite.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use kneepoint_testkit::{has_tools, skipped};
use serde_json::Value;

use crate::program::{Bench, signal};
use crate::result::{check_schema, is_close, number};

/// A suite of one point and a small file copy.
fn suite(copy: &str) -> String {
    format!(
        "name = \"small\"\ntitle = \"Small\"\nsize = \"4MiB\"\noutstanding = \"1\"\n\n\
         [[series]]\nprofile = \"random-read\"\n\n[file_copy]\n{copy}\n"
    )
}

const COPY: &str = "bytes = \"1MB\"\nfiles = 20\ndirectories = 4\nrepeat = 2";

const RUN: [&str; 8] =
    ["run", "./small.toml", "k.dat", "--buffered", "--time", "100ms", "--ramp", "0s"];

fn copies(result: &Value) -> &[Value] {
    result["copies"].as_array().map_or(&[], Vec::as_slice)
}

/// Every copy by what identifies it.
fn kinds(result: &Value) -> BTreeSet<String> {
    let kind =
        |copy: &Value| format!("{} {} {}", copy["method"], copy["cache"], copy["repetition"]);
    copies(result).iter().map(kind).collect()
}

#[test]
fn copies_are_made_kept_and_reported() {
    let bench = Bench::new();
    bench.write("small.toml", suite(COPY));
    let planned = bench.succeed(&["plan", "./small.toml", "k.dat", "--buffered"]).stdout;
    assert!(planned.contains("12 copies write 11.4 MiB in all"), "{planned}");
    assert_eq!(bench.names(), ["small.toml"], "a plan touches nothing");
    let said = bench.succeed(&[&RUN[..], &["--report", "r.md"]].concat());
    assert!(said.stderr.contains("preparing 20 files of the file copy"), "{}", said.stderr);
    assert!(said.stderr.contains("1 point and 12 copies of files kept"), "{}", said.stderr);
    assert!(said.stdout.contains("20 files in 4 directories, 977 KiB (1000000 bytes)"));
    let result = bench.json(&["export", "last"]);
    check_schema(&result);
    assert_eq!((copies(&result).len(), kinds(&result).len()), (12, 12));
    let summaries = result["analysis"]["copies"].as_array().unwrap();
    assert_eq!(summaries.len(), 6);
    for summary in summaries {
        assert_eq!((&summary["error"], &summary["copies"]), (&Value::Null, &Value::from(2)));
        let rates = &summary["rates"];
        let median = number(&rates["throughput_mib_s_median"]);
        assert!(is_close(number(&rates["throughput_mib_s"]["mean"]), median), "of two values");
    }
    assert!(bench.read("r.md").contains("copy_file_range"));
    let directory = bench.path("k.dat.file-copy");
    assert!(directory.join("source").is_dir() && !directory.join("copy").exists());
    let again = bench.succeed(&RUN).stderr;
    assert!(again.contains("[copy 12/12]"), "{again}");
    bench.write(
        "result.json",
        result.to_string().replace(result["run"]["id"].as_str().unwrap(), "x"),
    );
    bench.succeed(&["import", "result.json"]);
    assert_eq!(bench.json(&["export", "x"])["copies"], result["copies"]);
}

#[test]
fn a_directory_that_kneepoint_did_not_make_is_left_alone() {
    let bench = Bench::new();
    bench.write("small.toml", suite(COPY));
    fs::create_dir_all(bench.path("k.dat.file-copy/source")).unwrap();
    bench.write("k.dat.file-copy/source/letter", "dear");
    let said = bench.run(&RUN);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("k.dat.file-copy is not Kneepoint's"), "{}", said.stderr);
    assert!(said.stderr.contains("  why: ") && said.stderr.contains("  fix: "), "{}", said.stderr);
    assert_eq!(bench.names(), ["k.dat.file-copy", "small.toml"], "nothing was laid out");
    assert_eq!(bench.read("k.dat.file-copy/source/letter"), "dear");
}

#[test]
fn copies_are_resumed_where_they_were_interrupted() {
    let bench = Bench::new();
    bench.write("small.toml", suite(&COPY.replace("repeat = 2", "repeat = 12")));
    let child = bench.command(&RUN).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut seen = String::new();
    while !seen.contains("[copy 1/") {
        assert!(lines.read_line(&mut seen).unwrap() > 0, "it ended before its first copy: {seen}");
    }
    signal("INT", child.id());
    lines.read_to_string(&mut seen).unwrap();
    if child.wait().unwrap().success() {
        return skipped("all copies were made before the signal came");
    }
    let before = bench.json(&["export", "last"]);
    assert_eq!(before["run"]["state"], "interrupted");
    let kept = copies(&before).len();
    assert!((1..72).contains(&kept), "{kept}");
    assert!(!bench.path("k.dat.file-copy/copy").exists(), "the half copy is gone");
    assert!(bench.succeed(&["show"]).stdout.contains("not every point and every copy"));
    bench.succeed(&["resume"]);
    let after = bench.json(&["export", "last"]);
    assert_eq!(after["run"]["state"], "complete");
    assert_eq!(copies(&after)[..kept], *copies(&before), "what was kept is as it was");
    assert_eq!((copies(&after).len(), kinds(&after).len()), (72, 72));
}

#[test]
fn targets_without_files_say_why_nothing_is_copied() {
    let bench = Bench::new();
    bench.write("small.toml", suite(COPY));
    for (target, why) in [
        ("null:", "the null target has no files"),
        ("sim:analytic/md1", "copying by the functions of an operating system is not simulated"),
    ] {
        let said =
            bench.succeed(&["run", "./small.toml", target, "--time", "100ms", "--ramp", "0s"]);
        assert!(said.stderr.contains(&format!("note: the file copy was left out: {why}")));
        let result = bench.json(&["export", "last"]);
        check_schema(&result);
        assert!(result.get("copies").is_none() && result["plan"].get("file_copy").is_none());
        assert!(result["warnings"].to_string().contains(why), "{result}");
    }
}

#[test]
fn a_full_file_system_fails_the_copies_and_not_the_run() {
    if !has_tools(&["unshare", "mount"]) {
        return;
    }
    let bench = Bench::new();
    bench.write("small.toml", suite(&COPY.replace("1MB", "6MB")));
    fs::create_dir(bench.path("small")).unwrap();
    let script = "mount -t tmpfs -o size=12m none small || exit 77
                  \"$0\" run ./small.toml small/k.dat --buffered --time 100ms --ramp 0s; code=$?; ls -R small; exit $code";
    let mounted = ["unshare", "--mount", "sh", "-c", script];
    let said = bench.said(bench.command_through(&mounted, &[]).output().unwrap());
    if said.stderr.starts_with("unshare") || said.code == Some(77) {
        return skipped(format_args!("no file system can be mounted here: {}", said.stderr));
    }
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stdout.contains("No space left on device"), "{}", said.stdout);
    assert!(!said.stdout.contains("small/k.dat.file-copy/copy:"), "{}", said.stdout);
    let result = bench.json(&["export", "last"]);
    check_schema(&result);
    assert_eq!(result["run"]["state"], "complete");
    let failed = |summary: &Value| summary["error"].as_str().is_some();
    assert!(result["analysis"]["copies"].as_array().unwrap().iter().all(failed));
}

#[test]
fn a_corrupted_source_is_told_by_the_exit_code() {
    let bench = Bench::new();
    bench.write("small.toml", suite(COPY));
    bench.succeed(&RUN);
    let directory = bench.path("k.dat.file-copy/source/d00");
    let file = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let file = file.into_iter().find(|path| path.is_file()).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let said = bench.run(&RUN);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("is no true copy"), "{}", said.stderr);
}
