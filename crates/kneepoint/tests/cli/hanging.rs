//! Targets that stand still or hang, and a generator that is stopped, seen from outside.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Stdio};
use std::thread::sleep;
use std::time::Duration;

use kneepoint_testkit::{Trouble, TroubledFile};
use serde_json::Value;

use crate::program::{Bench, signal};
use crate::result::{number, points};

/// A run that has been started, and what it says.
struct Running {
    child: Child,
    lines: BufReader<ChildStderr>,
    seen: String,
}

impl Running {
    fn start(bench: &Bench, arguments: &[&str]) -> Self {
        let mut command = bench.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap());
        Self { child, lines, seen: String::new() }
    }

    /// Reads on until a line contains `words`.
    #[track_caller]
    fn await_words(&mut self, words: &str) {
        loop {
            let start = self.seen.len();
            let length = self.lines.read_line(&mut self.seen).unwrap();
            assert!(length > 0, "the run ended before '{words}': {}", self.seen);
            if self.seen[start..].contains(words) {
                return;
            }
        }
    }

    /// Exit code, and everything that was said.
    fn end(mut self) -> (Option<i32>, String) {
        self.lines.read_to_string(&mut self.seen).unwrap();
        (self.child.wait().unwrap().code(), std::mem::take(&mut self.seen))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed leaves no process behind; one that hangs ends with its target.
        let _ = self.child.kill();
    }
}

fn warnings(point: &Value) -> String {
    point["warnings"].to_string()
}

#[test]
fn a_stall_that_spans_the_end_is_told_and_counted() {
    let bench = Bench::new();
    let Some(file) = TroubledFile::mount(&bench.path("stalling"), 16 << 20) else { return };
    for engine in ["io_uring", "sync"] {
        file.set(Trouble::None);
        let timing = ["--time", "1s", "--ramp", "0s", "--outstanding", "2,4"];
        let arguments = ["run", "random-read", "stalling", "--block", "4KiB", "--engine", engine];
        let mut run = Running::start(&bench, &[&arguments[..], &timing].concat());
        // The second point has just started, or is about to.
        run.await_words("[1/2]");
        sleep(Duration::from_millis(300));
        file.set(Trouble::Hang);
        sleep(Duration::from_secs(3));
        file.set(Trouble::None);
        let (code, said) = run.end();
        assert_eq!(code, Some(0), "{said}");
        let result = bench.json(&["export", "last"]);
        let point = &points(&result)[1];
        assert_eq!(point["verdict"], "disturbed", "{engine}: {point}");
        assert!(
            warnings(point).contains("stalled: an I/O that was in flight at the end"),
            "{point}"
        );
        assert!(number(&point["latency_ms"]["max"]) > 1900.0, "{point}");
    }
}

#[test]
fn a_generator_that_was_stopped_says_so() {
    let bench = Bench::new();
    let timing = ["--time", "4s", "--ramp", "0s", "--outstanding", "1,2"];
    let mut run = Running::start(&bench, &[&["run", "random-read", "null:"][..], &timing].concat());
    run.await_words("[1/2]");
    // On a busy machine the second point begins some time after the first was told.
    sleep(Duration::from_secs(1));
    signal("STOP", run.child.id());
    sleep(Duration::from_millis(1500));
    signal("CONT", run.child.id());
    let (code, said) = run.end();
    assert_eq!(code, Some(0), "{said}");
    let result = bench.json(&["export", "last"]);
    let point = &points(&result)[1];
    assert_eq!(point["verdict"], "disturbed", "{point}");
    assert!(warnings(point).contains("stopped: the load generator did not run for 1."), "{point}");
    assert!(!warnings(point).contains("below the target stood still"), "{point}");
}

#[test]
fn a_target_that_hangs_is_told_of_and_interrupting_keeps_what_was_measured() {
    let bench = Bench::new();
    let Some(file) = TroubledFile::mount(&bench.path("hanging"), 16 << 20) else { return };
    let timing = ["--time", "500ms", "--ramp", "0s", "--outstanding", "1,2,3"];
    let arguments = ["run", "random-read", "hanging", "--block", "4KiB", "--engine", "sync"];
    let mut run = Running::start(&bench, &[&arguments[..], &timing].concat());
    run.await_words("[1/3]");
    file.set(Trouble::Hang);
    run.await_words("no I/O has completed for 10 s; Ctrl-C ends the run");
    signal("INT", run.child.id());
    run.await_words("stopping; what was measured is kept");
    run.await_words("the target hangs: what waits for it is left behind");
    run.await_words("kept as run");
    // The kernel does not let go of a process whose request the server has read.
    file.set(Trouble::None);
    let (code, said) = run.end();
    assert_eq!(code, Some(1), "{said}");
    let result = bench.json(&["export", "last"]);
    assert_eq!(result["run"]["state"], "interrupted");
    assert!(!points(&result).is_empty());
}

/// A search whose visits follow one another in flight.
const SEARCH: [&str; 8] = [
    "knee",
    "random-read",
    "troubled",
    "--block=4KiB",
    "--engine=io_uring",
    "--rule=mean<=1ms",
    "--max-errors=0",
    "--accuracy=1%",
];

#[test]
fn a_target_that_hangs_from_one_visit_to_the_next_is_told_of_and_visits_are_kept() {
    let bench = Bench::new();
    let Some(file) = TroubledFile::mount(&bench.path("troubled"), 16 << 20) else { return };
    let mut run = Running::start(&bench, &SEARCH);
    run.await_words("[9/");
    file.set(Trouble::Hang);
    run.await_words("no I/O has completed for 10 s; Ctrl-C ends the run");
    signal("INT", run.child.id());
    run.await_words("stopping; what was measured is kept");
    run.await_words("kept as run");
    file.set(Trouble::None);
    let (code, said) = run.end();
    assert_eq!(code, Some(1), "{said}");
    let result = bench.json(&["export", "last"]);
    assert_eq!(result["run"]["state"], "interrupted");
    assert!(points(&result).len() >= 9, "{said}");
}

#[test]
fn an_error_between_visits_or_in_one_ends_a_search() {
    let bench = Bench::new();
    let Some(file) = TroubledFile::mount(&bench.path("troubled"), 16 << 20) else { return };
    let mut run = Running::start(&bench, &SEARCH);
    run.await_words("[9/");
    file.set(Trouble::Error(0));
    let (code, said) = run.end();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("at offset 0: Input/output error"), "{said}");
    let result = bench.json(&["export", "last"]);
    let last = points(&result).last().unwrap();
    assert_eq!((&last["verdict"], points(&result).len() >= 10), (&"failed".into(), true), "{said}");
}

#[test]
fn a_search_is_interrupted_between_visits_as_well() {
    let bench = Bench::new();
    let Some(_file) = TroubledFile::mount(&bench.path("troubled"), 16 << 20) else { return };
    for visits in ["[3/", "[8/"] {
        let mut run = Running::start(&bench, &SEARCH);
        run.await_words(visits);
        signal("INT", run.child.id());
        let (code, said) = run.end();
        assert_eq!(code, Some(1), "{said}");
        assert!(!said.contains("the target hangs"), "{said}");
        assert_eq!(bench.json(&["export", "last"])["run"]["state"], "interrupted");
    }
}

#[test]
fn a_target_that_hangs_when_it_is_looked_at_is_told_of() {
    let bench = Bench::new();
    let Some(file) = TroubledFile::mount(&bench.path("hanging"), 16 << 20) else { return };
    bench.write("quick.dat", "quick");
    file.set(Trouble::HangLooks);
    let looking = "looking at the targets: nothing has moved for 10 s";
    let work = ["random-read", "hanging", "--time", "1s", "--outstanding", "1"];
    let start = |words: &[&str]| Running::start(&bench, words);
    let mut run = start(&[&["run"], &work[..]].concat());
    let mut others =
        [start(&[&["plan"], &work[..]].concat()), start(&["inspect", "quick.dat", "hanging"])];
    run.await_words(looking);
    assert!(run.seen.contains("Ctrl-C ends the run, twice ends at once"), "{}", run.seen);
    for other in &mut others {
        other.await_words(looking);
        assert!(other.seen.contains("Ctrl-C ends the program"), "{}", other.seen);
    }
    signal("INT", run.child.id());
    run.await_words("interrupted while looking at the targets");
    // The kernel does not let go of a process whose request the server has read.
    file.set(Trouble::None);
    let (code, said) = run.end();
    assert_eq!(code, Some(1), "{said}");
    assert!(!bench.path("kneepoint.db").exists());
    for other in others {
        let (code, said) = other.end();
        assert_eq!((code, said.matches(looking).count()), (Some(0), 1), "{said}");
    }
}

#[test]
fn a_test_file_whose_writes_hang_is_told_of() {
    let bench = Bench::new();
    let Some(file) = TroubledFile::mount(&bench.path("hanging"), 16 << 20) else { return };
    file.set(Trouble::HangWrites);
    let words = ["run", "random-write", "hanging", "--overwrite", "hanging", "--size", "8MiB"];
    let timing = ["--time", "1s", "--outstanding", "1"];
    let mut run = Running::start(&bench, &[&words[..], &timing].concat());
    run.await_words("hanging: nothing has moved for 10 s");
    assert!(!run.seen.contains("looking at the targets"), "{}", run.seen);
    signal("INT", run.child.id());
    run.await_words("interrupted while writing");
    file.set(Trouble::None);
    let (code, said) = run.end();
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn errors_and_short_reads_are_told_with_their_offset() {
    let bench = Bench::new();
    let Some(file) = TroubledFile::mount(&bench.path("failing"), 16 << 20) else { return };
    let check = |trouble, words: &str| {
        file.set(trouble);
        for engine in ["io_uring", "libaio", "sync"] {
            let timing = ["--time", "500ms", "--ramp", "0s", "--outstanding", "1"];
            let arguments =
                ["run", "stream-read", "failing", "--block", "64KiB", "--max-errors", "0"];
            let said = bench.run(&[&arguments[..], &timing, &["--engine", engine]].concat());
            assert_eq!(said.code, Some(1), "{engine}: {}", said.stderr);
            assert!(said.stderr.contains(words), "{engine}: {}", said.stderr);
        }
    };
    check(Trouble::Error(1 << 20), "at offset 1048576: Input/output error");
    check(Trouble::Short, "at offset 0: only 32768 bytes were transferred");
}
