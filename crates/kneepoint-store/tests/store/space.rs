//! A disk that runs full.

use std::fs;

use kneepoint_store::{Store, StoreAccess};

use crate::{process, sample};

#[test]
fn a_full_disk_costs_the_point_that_did_not_fit() {
    let Some(directory) = process::stage() else {
        let directory = tempfile::tempdir().unwrap();
        let name = "space::a_full_disk_costs_the_point_that_did_not_fit";
        return process::mounted(
            name,
            directory.path(),
            "mount -t tmpfs -o size=600k tmpfs $STAGE",
        );
    };
    let (path, ballast) = (directory.join("k.db"), directory.join("ballast"));
    fs::write(&ballast, vec![1; 200_000]).unwrap();
    let mut store = Store::open(&path, StoreAccess::ReadWrite).unwrap();
    store.begin(&sample::run("a")).unwrap();
    let saved = (1..1000).take_while(|n| sample::save(&mut store, "a", *n).is_ok()).count() as u32;
    assert!((5..200).contains(&saved), "{saved}");
    let fault = sample::save(&mut store, "a", saved + 1).unwrap_err();
    assert_eq!(fault.why(), Some("the disk is full"));

    let intact = |store: &Store, count: u32| {
        let points = store.load("a").unwrap().points;
        assert_eq!(points, (1..=count).map(sample::point).collect::<Vec<_>>());
        assert_eq!(store.check().unwrap(), [""; 0]);
    };
    intact(&store, saved);
    drop(store);
    intact(&Store::open(&path, StoreAccess::ReadOnly).unwrap(), saved);
    let mut store = Store::open(&path, StoreAccess::ReadWrite).unwrap();
    intact(&store, saved);
    fs::remove_file(&ballast).unwrap();
    sample::save(&mut store, "a", saved + 1).unwrap();
    intact(&store, saved + 1);
}

#[test]
fn a_full_disk_takes_no_new_store() {
    let Some(directory) = process::stage() else {
        let directory = tempfile::tempdir().unwrap();
        let name = "space::a_full_disk_takes_no_new_store";
        return process::mounted(name, directory.path(), "mount -t tmpfs -o size=64k tmpfs $STAGE");
    };
    fs::write(directory.join("ballast"), vec![1; 65_536]).unwrap();
    let fault = Store::open(&directory.join("k.db"), StoreAccess::ReadWrite).unwrap_err();
    assert_eq!(fault.why(), Some("the disk is full"));
}
