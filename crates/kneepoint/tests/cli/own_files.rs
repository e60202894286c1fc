//! Test files are used again without a question, whatever runs wrote to them, until someone else
//! writes to them.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;

use crate::program::Bench;

/// The rest of a short run on a small file.
const SHORT: [&str; 7] = ["--size", "8MiB", "--time", "200ms", "--ramp", "0s", "--quick"];

/// Data that can be compressed and repeats, written at random and in blocks of several sizes.
const ODD: &str = r#"
name = "odd"
title = "Odd data"

[data]
compressible = 60
duplicate = 30

[[line]]
share = 50
size = "4KiB"
read = 0
random = 100

[[line]]
share = 50
size = "12KiB"
read = 0
random = 100
"#;

/// Runs with direct I/O, or, where there is none, through the page cache.
fn run(bench: &Bench, arguments: &[&str]) {
    let arguments = [&["run"], arguments, &["file.dat", "--outstanding", "4"], &SHORT].concat();
    let mut said = bench.run(&arguments);
    if said.code == Some(2) && said.stderr.contains("--buffered") {
        said = bench.run(&[&arguments[..], &["--buffered"]].concat());
    }
    assert_eq!(said.code, Some(0), "{arguments:?}\n{}", said.stderr);
}

fn check_is_own(bench: &Bench, after: &[&str]) {
    let shown = bench.succeed(&["inspect", "file.dat"]).stdout;
    assert!(shown.contains("yes: Kneepoint made this file"), "{after:?}\n{shown}");
}

#[test]
fn a_test_file_stays_ours_whatever_runs_write_to_it() {
    let bench = Bench::new();
    bench.write("odd.toml", ODD);
    let runs: [&[&str]; 12] = [
        &["database"],
        &["random-write", "--buffered"],
        &["random-write", "--block", "512"],
        &["random-write", "--block", "4KiB", "--engine", "sync"],
        &["random-write", "--block", "64KiB", "--engine", "libaio"],
        &["random-write", "--block", "1MiB"],
        &["restore"],
        &["streaming"],
        &["file-copy"],
        &["./odd.toml"],
        &["./odd.toml", "--buffered"],
        &["random-write", "--precondition"],
    ];
    for arguments in runs {
        run(&bench, arguments);
        check_is_own(&bench, arguments);
    }
}

#[test]
fn a_test_file_that_somebody_wrote_to_is_refused_until_it_is_named() {
    let bench = Bench::new();
    run(&bench, &["database"]);
    let path = bench.path("file.dat");
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all_at(&[7; 10_000], 4096).unwrap();
    let before = fs::read(&path).unwrap();
    let arguments = ["run", "database", "file.dat", "--outstanding", "1", "--buffered"];
    let said = bench.run(&[&arguments[..], &SHORT].concat());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("data that Kneepoint did not write"), "{}", said.stderr);
    assert!(said.stderr.contains("--overwrite"), "{}", said.stderr);
    assert!(fs::read(&path).unwrap() == before, "something was written");
    run(&bench, &["database", "--overwrite", "file.dat"]);
    check_is_own(&bench, &["--overwrite"]);
    run(&bench, &["database"]);
}

#[test]
fn a_copy_of_a_test_file_is_a_file_like_any_other() {
    let bench = Bench::new();
    run(&bench, &["database"]);
    fs::rename(bench.path("file.dat"), bench.path("moved.dat")).unwrap();
    fs::copy(bench.path("moved.dat"), bench.path("file.dat")).unwrap();
    let shown = bench.succeed(&["inspect", "file.dat"]).stdout;
    assert!(shown.contains("written for another file"), "{shown}");
    let shown = bench.succeed(&["inspect", "moved.dat"]).stdout;
    assert!(shown.contains("yes: Kneepoint made this file"), "a new name is no copy\n{shown}");
}
