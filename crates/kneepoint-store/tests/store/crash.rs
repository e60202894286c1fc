//! A process that is killed while it saves.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use kneepoint_core::result::{PointResult, RunState};
use kneepoint_store::{Histograms, NewPoint, Store, StoreAccess};
use tempfile::TempDir;

use crate::{process, sample};

/// The process to be killed: saves points without end and reports each one that is saved.
#[test]
fn saver() {
    let Some(directory) = process::stage() else { return };
    let mut store = Store::open(&directory.join("k.db"), StoreAccess::ReadWrite).unwrap();
    store.begin(&sample::run("a")).unwrap();
    let mut out = std::io::stdout();
    for outstanding in 1.. {
        sample::save(&mut store, "a", outstanding).unwrap();
        writeln!(out, "\nsaved {outstanding}").unwrap();
    }
}

/// Starts a process that reports each number behind a word, and kills it some time after it has
/// reported `count`: its directory, and the last number that it reported.
fn killed(name: &str, word: &str, (count, pause): (u32, Duration)) -> (TempDir, u32) {
    let directory = tempfile::tempdir().unwrap();
    let mut child = process::start(process::other(name, directory.path()));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let number = |line: String| line.strip_prefix(word).and_then(|n| n.parse::<u32>().ok());
    let mut reported = 0;
    while reported < count {
        reported = number(lines.next().unwrap().unwrap()).unwrap_or(reported);
    }
    std::thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap();
    let reported = lines.map_while(Result::ok).filter_map(number).last().unwrap_or(reported);
    (directory, reported)
}

/// Kills the saver some time after it has reported `count` points.
fn check(count: u32, pause: Duration) {
    let (directory, reported) = killed("crash::saver", "saved ", (count, pause));
    let mut store = Store::open(&directory.path().join("k.db"), StoreAccess::ReadWrite).unwrap();
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

/// The point at a place as it was measured in a generation, and its response times.
fn measured_again(place: u32, generation: u32) -> (PointResult, Histograms) {
    let warnings = vec![sample::note(&format!("generation {generation}"))];
    let point = PointResult { warnings, ..sample::point(place + 1) };
    (point, sample::histograms(place + generation))
}

/// Points of the run that is measured again.
const POINTS: u32 = 4;

/// The process to be killed: opens a run that has ended again and again, and replaces each of its
/// points.
#[test]
fn replacer() {
    let Some(directory) = process::stage() else { return };
    let mut store = Store::open(&directory.join("k.db"), StoreAccess::ReadWrite).unwrap();
    store.begin(&sample::run("a")).unwrap();
    let mut out = std::io::stdout();
    let mut replaced = 0_u32;
    for generation in 0.. {
        for place in 0..POINTS {
            let (result, histograms) = &measured_again(place, generation);
            let point = NewPoint { ordinal: place, repetition: 0, result, histograms };
            match generation {
                0 => store.save_point("a", &point).unwrap(),
                _ => {
                    let warning = sample::note(&format!("again {replaced}"));
                    store.replace_point("a", &point, &warning).unwrap();
                }
            }
            writeln!(out, "\nreplaced {replaced}").unwrap();
            replaced += 1;
        }
        store.finish("a", &sample::ending(RunState::Complete)).unwrap();
        store.reopen("a", None, &sample::owner(7)).unwrap();
    }
}

/// Kills the replacer some time after it has reported `count` points.
fn check_replaced(count: u32, pause: Duration) {
    let (directory, reported) = killed("crash::replacer", "replaced ", (count, pause));
    let mut store = Store::open(&directory.path().join("k.db"), StoreAccess::ReadWrite).unwrap();
    assert_eq!(store.check().unwrap(), [""; 0]);
    let document = store.load("a").unwrap();
    // What was reported last is there, and perhaps the one behind it; every other point is as before.
    let found = [reported, reported + 1].into_iter().find(|last| {
        let as_of = |place: u32| measured_again(place, (last - place) / POINTS);
        let is_so = |(place, point): (u32, &PointResult)| {
            let (expected, histograms) = as_of(place);
            *point == expected && store.histograms("a", place).unwrap() == histograms
        };
        (0..).zip(&document.points).all(is_so)
    });
    let last = found.expect("every point is whole, and as new as it was reported");
    assert_eq!(document.points.len() as u32, POINTS);
    let again = document.warnings.iter().filter(|warning| warning.text().starts_with("again "));
    assert_eq!(again.count() as u32, last + 1 - POINTS, "one warning for each that was replaced");

    // It can be opened and measured once more, whether it had its end or not.
    let owner = store.runs().unwrap()[0].owner.clone();
    let is_over = owner.is_none();
    assert_eq!(document.run.state == RunState::Complete, is_over);
    store.reopen("a", owner.as_ref(), &sample::owner(8)).unwrap();
    let (result, histograms) = &measured_again(1, 1_000_000);
    let point = NewPoint { ordinal: 1, repetition: 0, result, histograms };
    store.replace_point("a", &point, &sample::note("once more")).unwrap();
    assert_eq!(store.load("a").unwrap().points[1], *result);
}

#[test]
fn a_point_that_is_replaced_is_the_old_one_or_the_new_one() {
    for (count, pause_us) in [(4, 0), (5, 300), (7, 1_100), (8, 700), (41, 2_300), (100, 500)] {
        check_replaced(count, Duration::from_micros(pause_us));
    }
}
