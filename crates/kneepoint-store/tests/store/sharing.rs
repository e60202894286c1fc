//! Several processes and one store.

use std::path::Path;

use kneepoint_store::{Store, StoreAccess};

use crate::{process, sample};

const POINTS: u32 = 60;

/// The other process: measures its own run.
#[test]
fn measurer() {
    let Some(directory) = process::stage() else { return };
    let mut store = Store::open(&directory.join("k.db"), StoreAccess::ReadWrite).unwrap();
    let id = format!("run-{}", std::process::id());
    store.begin(&sample::run(&id)).unwrap();
    for outstanding in 1..=POINTS {
        sample::save(&mut store, &id, outstanding).unwrap();
    }
}

/// The other process: opens the store and no more.
#[test]
fn opener() {
    let Some(directory) = process::stage() else { return };
    Store::open(&directory.join("k.db"), StoreAccess::ReadWrite).unwrap();
}

fn all_at_once(count: usize, name: &str, directory: &Path) {
    let start = |_| process::start(process::other(name, directory));
    let children: Vec<_> = (0..count).map(start).collect();
    children.into_iter().for_each(process::succeed);
}

#[test]
fn two_processes_measure_into_one_store() {
    let directory = tempfile::tempdir().unwrap();
    all_at_once(2, "sharing::measurer", directory.path());
    let store = Store::open(&directory.path().join("k.db"), StoreAccess::ReadOnly).unwrap();
    let points: Vec<u64> = store.runs().unwrap().iter().map(|run| run.points).collect();
    assert_eq!(points, [u64::from(POINTS); 2]);
    assert_eq!(store.check().unwrap(), [""; 0]);
}

#[test]
fn a_store_is_created_once() {
    // Many times, because what is looked for takes bad luck: a look at a half-made store.
    for _ in 0..40 {
        let directory = tempfile::tempdir().unwrap();
        all_at_once(6, "sharing::opener", directory.path());
        let store = Store::open(&directory.path().join("k.db"), StoreAccess::ReadWrite).unwrap();
        assert_eq!(store.check().unwrap(), [""; 0]);
    }
}

#[test]
fn a_reader_sees_points_as_they_are_saved() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("k.db");
    let mut writer = Store::open(&path, StoreAccess::ReadWrite).unwrap();
    writer.begin(&sample::run("a")).unwrap();
    let mut reader = Store::open(&path, StoreAccess::ReadOnly).unwrap();
    for outstanding in 1..=3 {
        sample::save(&mut writer, "a", outstanding).unwrap();
        assert_eq!(reader.load("a").unwrap().points.len() as u32, outstanding);
    }
    let fault = reader.delete("a").unwrap_err();
    assert!(fault.why().unwrap().contains("read-only"), "{fault}");
}
