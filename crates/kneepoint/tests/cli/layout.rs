//! Test files: made, given up, and those that cannot be written.

use std::os::unix::fs::MetadataExt;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_testkit::{has_tools, skipped};

use crate::program::{Bench, signal};

/// The words of a run that lays out a file of 16 MiB.
const RUN: [&str; 9] = [
    "run",
    "database",
    "file.dat",
    "--size",
    "16MiB",
    "--buffered",
    "--outstanding",
    "1",
    "--quick",
];

#[test]
fn a_file_that_cannot_grow_is_removed_again() {
    let bench = Bench::new();
    // A limit of 8 MiB in units of 512 bytes; the signal that comes with it is ignored, so that
    // writing beyond it is an error.
    let limited = ["sh", "-c", "trap '' XFSZ; ulimit -f 16384; exec \"$0\" \"$@\""];
    let said = bench.said(bench.command_through(&limited, &RUN).output().unwrap());
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("error: cannot write the test file"), "{}", said.stderr);
    assert!(said.stderr.contains("  why: ") && said.stderr.contains("  fix: "), "{}", said.stderr);
    assert!(!bench.path("file.dat").exists());
}

#[test]
fn a_full_file_system_is_found_before_anything_is_written() {
    if !has_tools(&["unshare", "mount"]) {
        return;
    }
    let bench = Bench::new();
    std::fs::create_dir(bench.path("small")).unwrap();
    let script = "mount -t tmpfs -o size=8m none small && cd small && \
                  { \"$0\" \"$@\"; code=$?; ls file.dat 2>/dev/null; exit $code; }";
    let mounted = ["unshare", "--mount", "sh", "-c", script];
    let said = bench.said(bench.command_through(&mounted, &RUN).output().unwrap());
    if said.stderr.contains("unshare") || said.stderr.contains("mount:") {
        return skipped(format_args!("no file system can be mounted here: {}", said.stderr));
    }
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("there is no room for the test file"), "{}", said.stderr);
    assert_eq!(said.stdout, "", "there is no file");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_leaves_nothing() {
    let bench = Bench::new();
    let limited = ["sh", "-c", "ulimit -f 16384; exec \"$0\" \"$@\""];
    let said = bench.said(bench.command_through(&limited, &RUN).output().unwrap());
    assert_eq!(said.code, Some(2), "a signal must not end it: {}", said.stderr);
    assert!(said.stderr.contains("ulimit -f"), "{}", said.stderr);
    assert!(!bench.path("file.dat").exists());
}

/// Starts a run that lays out 1 GiB, and waits until the file has its name.
fn laying_out(bench: &Bench) -> std::process::Child {
    let mut words = RUN;
    words[4] = "1GiB";
    let child = bench.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let begun = Instant::now();
    while !bench.path("file.dat").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before there was a file");
        assert!(begun.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn what_takes_the_name_of_an_unfinished_file_is_not_removed() {
    let bench = Bench::new();
    bench.write("diary", "precious");
    let child = laying_out(&bench);
    std::fs::rename(bench.path("diary"), bench.path("file.dat")).unwrap();
    signal("INT", child.id());
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert_eq!(bench.read("file.dat"), "precious");
}

#[test]
fn an_unfinished_file_is_removed_on_ctrl_c() {
    let bench = Bench::new();
    let child = laying_out(&bench);
    signal("INT", child.id());
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert_eq!(bench.names(), ["kneepoint.db"], "{}", said.stderr);
}

#[test]
fn an_empty_file_of_ones_own_is_taken_for_one_to_be_made() {
    let bench = Bench::new();
    bench.write("file.dat", "");
    let inode = std::fs::metadata(bench.path("file.dat")).unwrap().ino();
    let run = [&RUN[..], &["--time", "100ms", "--ramp", "0s"]].concat();
    bench.succeed(&run);
    let meta = std::fs::metadata(bench.path("file.dat")).unwrap();
    assert_eq!((meta.ino(), meta.len()), (inode, (16 << 20) + 4096));
    // A file of one byte has content, and one of another user is theirs.
    bench.write("file.dat", "x");
    let said = bench.run(&run);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert_eq!(bench.read("file.dat"), "x");
    bench.write("file.dat", "");
    if std::os::unix::fs::chown(bench.path("file.dat"), Some(65534), None).is_err() {
        return skipped("only root gives files away");
    }
    let said = bench.run(&run);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert_eq!(bench.read("file.dat"), "");
}
