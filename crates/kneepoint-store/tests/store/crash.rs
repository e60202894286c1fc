//! A process that is killed while it saves.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use kneepoint_core::result::RunState;
use kneepoint_store::{Access, Store};

use crate::{process, sample};

/// The process to be killed: saves points without end and reports each one that is saved.
#[test]
fn saver() {
    let Some(directory) = process::stage() else { return };
    let mut store = Store::open(&directory.join("k.db"), Access::ReadWrite).unwrap();
    store.begin(&sample::run("a")).unwrap();
    let mut out = std::io::stdout();
    for outstanding in 1.. {
        sample::save(&mut store, "a", outstanding).unwrap();
        writeln!(out, "\nsaved {outstanding}").unwrap();
    }
}

/// Kills the saver some time after it has reported `count` points.
fn check(count: u32, pause: Duration) {
    let directory = tempfile::tempdir().unwrap();
    let mut child = process::start(process::other("crash::saver", directory.path()));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let saved = |line: String| line.strip_prefix("saved ").and_then(|n| n.parse::<u32>().ok());
    let mut reported = 0;
    while reported < count {
        reported = saved(lines.next().unwrap().unwrap()).unwrap_or(reported);
    }
    std::thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap();
    let reported = lines.map_while(Result::ok).filter_map(saved).last().unwrap_or(reported);

    let mut store = Store::open(&directory.path().join("k.db"), Access::ReadWrite).unwrap();
    assert_eq!(store.check().unwrap(), [""; 0]);
    let document = store.load("a").unwrap();
    let found = document.points.len() as u32;
    assert!(found == reported || found == reported + 1, "{found} of {reported}");
    assert!((1..).zip(&document.points).all(|(n, point)| *point == sample::point(n)));
    assert_eq!(document.run.state, RunState::Interrupted);
    let owner = store.runs().unwrap()[0].owner.clone();
    assert_eq!(owner, Some(sample::owner(7)));
    store.resume("a", owner.as_ref(), &sample::owner(8)).unwrap();
    sample::save(&mut store, "a", found + 1).unwrap();
}

#[test]
fn what_was_reported_as_saved_is_there() {
    for (count, pause_us) in [(1, 0), (2, 500), (10, 1_300), (40, 2_900), (100, 700)] {
        check(count, Duration::from_micros(pause_us));
    }
}
