//! Whatever becomes of the store while a run goes on, nothing that was measured is lost.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kneepoint_store::{Store, StoreAccess};
use kneepoint_testkit::{has_tools, skipped};

use crate::program::{Bench, Said};
use crate::result::points;

/// A run of eight points.
const RUN: [&str; 9] =
    ["run", "random-read", "null:", "--outstanding", "1..8", "--time", "300ms", "--ramp", "0s"];

/// How long a run may take to come somewhere.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(bench: &Bench, words: &[&str]) -> Child {
    let mut command = bench.command(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the newest run of the store has points.
fn wait_for_points(bench: &Bench) {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        sleep(Duration::from_millis(30));
        if !bench.path("kneepoint.db").exists() {
            continue;
        }
        let runs =
            Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadOnly).and_then(|s| s.runs());
        if runs.is_ok_and(|runs| runs.first().is_some_and(|run| run.points > 0)) {
            return;
        }
    }
    panic!("no point was kept");
}

/// Starts a run, changes something once it has points, and tells what it said.
fn changed_by(bench: &Bench, change: impl FnOnce()) -> Said {
    let child = start(bench, &RUN);
    wait_for_points(bench);
    change();
    bench.said(child.wait_with_output().unwrap())
}

/// The tables of all eight points were printed.
fn check_tables(said: &Said) {
    let rows = said.stdout.lines().filter(|line| line.starts_with("random-read/"));
    assert!(rows.count() >= 9, "{}\n{}", said.stdout, said.stderr);
}

/// All eight points are in the rescue file, which can be imported.
fn check_rescued(bench: &Bench, said: &Said) {
    check_tables(said);
    let names = bench.names();
    let file = names.iter().find(|name| name.ends_with("-rescue.json")).expect("a rescue file");
    assert!(said.stderr.contains(file), "{}", said.stderr);
    let imported = bench.succeed(&["import", file, "--store", "rescued.db"]);
    assert!(imported.stderr.contains("with 8 points"), "{}", imported.stderr);
    // The response times in full are there, too, and every I/O is in them.
    let result = bench.json(&["export", "last", "--histograms", "--store", "rescued.db"]);
    for point in points(&result) {
        let pairs = point["histograms"]["read"].as_array().expect("response times");
        let counted: u64 = pairs.iter().map(|pair| pair[1].as_u64().unwrap()).sum();
        assert_eq!(point["operations"], counted, "{point}");
    }
}

#[test]
fn a_store_that_is_removed_or_moved_is_made_again() {
    let remove = |bench: &Bench| fs::remove_file(bench.path("kneepoint.db")).unwrap();
    let remove_all = |bench: &Bench| {
        for name in ["kneepoint.db", "kneepoint.db-wal", "kneepoint.db-shm"] {
            let _ = fs::remove_file(bench.path(name));
        }
    };
    let rename = |bench: &Bench| {
        fs::rename(bench.path("kneepoint.db"), bench.path("moved.db")).unwrap();
    };
    let changes: [&dyn Fn(&Bench); 3] = [&remove, &remove_all, &rename];
    for change in changes {
        let bench = Bench::new();
        bench.succeed(&[
            "run",
            "database",
            "sim:analytic/mm1",
            "--outstanding",
            "1",
            "--label",
            "old",
        ]);
        let said = changed_by(&bench, || change(&bench));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        check_tables(&said);
        assert!(said.stderr.contains("was removed or moved during the run"), "{}", said.stderr);
        let store = Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadOnly).unwrap();
        assert_eq!(store.check().unwrap(), [""; 0]);
        let points: Vec<u64> = store.runs().unwrap().iter().map(|run| run.points).collect();
        assert_eq!(points, [8, 1], "the runs from before are there, too");
    }
}

#[test]
fn a_file_that_takes_the_place_of_the_store_is_never_touched() {
    let bench = Bench::new();
    bench.write("precious", "diary");
    let said = changed_by(&bench, || {
        fs::rename(bench.path("precious"), bench.path("kneepoint.db")).unwrap();
    });
    assert_eq!(bench.read("kneepoint.db"), "diary");
    assert!(said.stderr.contains("another file has taken its place"), "{}", said.stderr);
    check_rescued(&bench, &said);
}

#[test]
fn a_store_that_is_emptied_or_made_newer_is_lost_and_the_run_is_not() {
    let empty = |bench: &Bench| {
        fs::File::options()
            .write(true)
            .open(bench.path("kneepoint.db"))
            .unwrap()
            .set_len(0)
            .unwrap();
    };
    let bench = Bench::new();
    let said = changed_by(&bench, || empty(&bench));
    check_rescued(&bench, &said);
    let bench = Bench::new();
    let said = changed_by(&bench, || {
        let path = bench.path("kneepoint.db");
        let newer = rusqlite::Connection::open(path).unwrap();
        newer.busy_timeout(PATIENCE).unwrap();
        newer.execute_batch("PRAGMA user_version = 99").unwrap();
    });
    assert!(said.stderr.contains("it comes from a newer Kneepoint"), "{}", said.stderr);
    check_rescued(&bench, &said);
}

#[test]
fn a_lock_is_waited_for() {
    let bench = Bench::new();
    let said = changed_by(&bench, || {
        let backup = rusqlite::Connection::open(bench.path("kneepoint.db")).unwrap();
        backup.busy_timeout(PATIENCE).unwrap();
        backup.execute_batch("BEGIN IMMEDIATE").unwrap();
        sleep(Duration::from_secs(3));
        backup.execute_batch("COMMIT").unwrap();
    });
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains("waiting: another process keeps the store"), "{}", said.stderr);
    check_tables(&said);
    let store = Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadOnly).unwrap();
    assert_eq!(store.runs().unwrap()[0].points, 8);
}

#[test]
fn a_run_that_is_being_measured_is_not_deleted() {
    let bench = Bench::new();
    let said = changed_by(&bench, || {
        let said = bench.run(&["delete", "last"]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("another process is measuring it now"), "{}", said.stderr);
    });
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    bench.succeed(&["delete", "last"]);
}

#[test]
fn a_run_of_another_container_is_not_taken_over() {
    if !has_tools(&["unshare", "true"]) {
        return;
    }
    let bench = Bench::new();
    let inside = ["unshare", "--pid", "--fork", "--mount-proc"];
    let probe = std::process::Command::new(inside[0]).args(&inside[1..]).arg("true").status();
    if !probe.is_ok_and(|status| status.success()) {
        return skipped("no namespace of processes can be made here");
    }
    let said = changed_by(&bench, || {
        for words in [["resume", "last"], ["delete", "last"]] {
            let output = bench.command_through(&inside, &words).output().unwrap();
            let said = bench.said(output);
            assert_eq!(said.code, Some(2), "{}", said.stderr);
            assert!(said.stderr.contains("in another container of this host"), "{}", said.stderr);
            assert!(said.stderr.contains("--abandoned"), "{}", said.stderr);
        }
    });
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    check_tables(&said);
}
