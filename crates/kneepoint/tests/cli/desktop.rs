//! Users at the screens of real desktop sessions, where their programs are installed.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Bench, signal};
use crate::result::{check_schema, number, points};

/// The programs of the sessions that `vnc:temp` starts.
const PROGRAMS: [&str; 3] = ["Xvnc", "openbox", "mousepad"];

/// A folder for sessions, with a short name: sockets are in it.
fn short_folder() -> TempDir {
    TempDir::with_prefix_in("kp", "/tmp").unwrap()
}

/// Whether a control group can be bounded here: as root, with its files writable.
fn can_bound() -> bool {
    rustix::process::getuid().is_root()
        && ["/sys/fs/cgroup/cpu/cpu.shares", "/sys/fs/cgroup/cgroup.subtree_control"]
            .iter()
            .any(|file| fs::OpenOptions::new().write(true).open(file).is_ok())
}

/// Waits until nothing is in `folder`.
#[track_caller]
fn await_empty(folder: &Path) {
    let begun = Instant::now();
    while fs::read_dir(folder).unwrap().count() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", folder.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_target_that_is_no_server_of_screens_is_refused() {
    let bench = Bench::new();
    bench.refuse(&["run", "medium-230", "null:", "--users=1"], "the script of users at screens");
    let io = ["run", "database", "vnc://127.0.0.1:1", "--outstanding=1"];
    bench.refuse(&io, "it serves users at screens");
    let unreached = ["run", "medium-230", "vnc://127.0.0.1:1", "--users=1", "--rule=mean<=1s"];
    bench.refuse(&unreached, "user 1 cannot reach the screen at 127.0.0.1:1");
    let said = bench.succeed(&["inspect", "vnc://127.0.0.1:5901"]);
    assert!(said.stdout.contains("screens at 127.0.0.1, from port 5901 on"), "{}", said.stdout);
    let said = bench.succeed(&["plan", "medium-230", "vnc://127.0.0.1:5901", "--users=1..6"]);
    assert!(said.stdout.contains("keystroke.mean<=2x@5"), "{}", said.stdout);
}

#[test]
fn users_type_in_sessions_of_the_run_which_are_gone_afterwards() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let (bench, folder) = (Bench::new(), short_folder());
    let target = format!("vnc:temp?dir={}", folder.path().display());
    let run =
        ["run", "medium-230", &target, "--users=1,2", "--time=4s", "--rule=keystroke.mean<=1s"];
    let said = bench.succeed(&[&run[..], &["--json=one.json", "--label=one"]].concat());
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    assert_eq!(result["environment"]["targets"][0]["kind"], "desktop", "{}", said.stderr);
    for point in points(&result) {
        let strokes = &point["classes"]["keystroke"];
        assert!(number(&strokes["operations"]) > 5.0, "{point}");
        assert!(number(&strokes["latency_ms"]["mean"]) > 0.0, "{point}");
    }
    await_empty(folder.path());
    for (file, language, said) in [
        ("a.md", "en", "the screens of a desktop server"),
        ("b.md", "de", "die Bildschirme eines Desktop-Servers"),
    ] {
        bench.succeed(&["report", "one", "-o", file, "--language", language]);
        assert!(bench.read(file).contains(said), "{}", bench.read(file));
    }
}

#[test]
fn sessions_of_a_run_that_is_killed_are_gone_too() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    let (bench, folder) = (Bench::new(), short_folder());
    let target = format!("vnc:temp?dir={}", folder.path().display());
    let run = ["run", "medium-230", &target, "--users=1,2", "--time=60s", "--rule=mean<=1s"];
    let mut process = bench.command(&run).spawn().unwrap();
    let begun = Instant::now();
    let is_there = || {
        let entries = fs::read_dir(folder.path()).unwrap().flatten();
        entries.into_iter().any(|entry| entry.path().join("1/ready").exists())
    };
    while !is_there() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    signal("KILL", process.id());
    process.wait().unwrap();
    await_empty(folder.path());
}

#[test]
fn a_bound_that_the_machine_does_not_permit_is_said() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    if can_bound() {
        kneepoint_testkit::skipped("control groups are permitted here");
        return;
    }
    let bench = Bench::new();
    let run = ["run", "medium-230", "vnc:temp?cpu=0.2", "--users=1", "--rule=mean<=1s"];
    bench.refuse(&run, "control group");
}

/// The knee of a fifth of a processor. What it is depends on the machine, so it is only bounded, and the
/// machine must be left alone meanwhile.
#[test]
fn the_users_of_a_fifth_of_a_processor_have_a_knee() {
    if !kneepoint_testkit::has_tools(&PROGRAMS) {
        return;
    }
    if !can_bound() {
        kneepoint_testkit::skipped("control groups are not permitted here");
        return;
    }
    let (bench, folder) = (Bench::new(), short_folder());
    let target = format!("vnc:temp?application=mousepad&cpu=0.2&dir={}", folder.path().display());
    let users = "--users=1,5,10,16,22,28,34";
    let run = ["run", "medium-230", &target, users, "--time=6s", "--json=one.json"];
    bench.succeed(&run);
    let result: Value = serde_json::from_str(&bench.read("one.json")).unwrap();
    check_schema(&result);
    let sustained = &result["analysis"]["summaries"][0]["sustained"];
    assert_eq!(sustained["status"], "met", "{sustained}");
    await_empty(folder.path());
}
