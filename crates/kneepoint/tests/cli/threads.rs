//! A user who may have no more processes: threads cannot be started, and that is said.

use std::os::unix::fs::{PermissionsExt, chown};

use kneepoint_testkit::{has_tools, skipped};

use crate::program::{Bench, Said};

/// A user that runs nothing else. Limits do not hold for root.
const NOBODY: u32 = 64_007;

/// Words before the program that let its user have this many threads.
fn limited(threads: u32) -> Vec<String> {
    let limit = format!("ulimit -u {threads} && exec \"$0\" \"$@\"");
    let shell = ["bash", "-c", &limit].map(str::to_owned);
    let user = ["setpriv", "--clear-groups"].map(str::to_owned);
    let ids = [format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")];
    user.into_iter().chain(ids).chain(shell).collect()
}

/// A bench of that user; nothing if the test cannot be made here.
fn bench() -> Option<Bench> {
    if !has_tools(&["setpriv", "bash"]) {
        return None;
    }
    let bench = Bench::new();
    let folder = bench.path("");
    if chown(&folder, Some(NOBODY), Some(NOBODY)).is_err() {
        skipped("only root can run as a user that has no other processes");
        return None;
    }
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).unwrap();
    let said = run(&bench, 100, &["--version"]);
    if said.code != Some(0) {
        skipped(format_args!("another user cannot start the program: {}", said.stderr));
        return None;
    }
    Some(bench)
}

fn run(bench: &Bench, threads: u32, arguments: &[&str]) -> Said {
    let before = limited(threads);
    let words: Vec<&str> = before.iter().map(String::as_str).collect();
    bench.said(bench.command_through(&words, arguments).output().unwrap())
}

#[test]
fn without_threads_a_command_ends_with_what_to_do_or_does_without() {
    let Some(bench) = bench() else { return };
    let check = |threads: u32, arguments: &[&str]| {
        let said = run(&bench, threads, arguments);
        let what = format!("{threads} threads, {arguments:?}: {said:?}");
        assert!(!said.stderr.contains("panicked"), "{what}");
        match said.code {
            Some(0) => {}
            Some(2) => {
                assert!(said.stderr.contains("no thread can be started"), "{what}");
                assert!(said.stderr.contains("ulimit -u"), "{what}");
            }
            _ => panic!("{what}"),
        }
        if said.stderr.contains("cannot write the test file") {
            assert!(!bench.names().iter().any(|name| name.starts_with("new-")), "{what}");
        }
        said.code == Some(0)
    };
    let enough = (1..=12).filter(|threads| {
        let target = format!("new-{threads}");
        let _ = std::fs::remove_file(bench.path(&format!("new-{}", threads - 1)));
        let timing = ["--time", "100ms", "--ramp", "0s", "--outstanding", "1"];
        let work = ["run", "random-read", &target, "--size", "8MiB", "--buffered"];
        check(*threads, &[&work[..], &timing].concat())
    });
    let enough: Vec<u32> = enough.collect();
    assert!(!enough.is_empty() && !enough.contains(&1), "{enough:?}");
    let demand = ["size", "--profile", "random-read", "--iops", "10", "--rule", "mean<=50ms"];
    let systems = ["--systems", "rx100s4-sata", "--max-drives", "2", "--threads", "4"];
    assert!(check(1, &[&demand[..], &systems].concat()));
}
