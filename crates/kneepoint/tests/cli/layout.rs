//! Test files that cannot be written.

use kneepoint_testbed::{has_tools, skipped};

use crate::program::Bench;

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
