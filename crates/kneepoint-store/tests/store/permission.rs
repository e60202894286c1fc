//! Places that may not be written.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;

use kneepoint_core::result::RunDocument;
use kneepoint_store::{Store, StoreAccess};
use kneepoint_testkit::skipped;

use crate::{process, sample};

/// A store with one run, closed.
fn prepare(path: &Path) -> RunDocument {
    let mut store = Store::open(path, StoreAccess::ReadWrite).unwrap();
    store.begin(&sample::run("a")).unwrap();
    sample::save(&mut store, "a", 1).unwrap();
    store.load("a").unwrap()
}

/// Opening to write says that the store cannot be written; opening to read works.
fn check_readable_only(path: &Path) {
    let fault = Store::open(path, StoreAccess::ReadWrite).unwrap_err();
    assert!(fault.why().unwrap().contains("read-only"), "{fault}");
    check_readable(path);
}

fn check_readable(path: &Path) {
    let store = Store::open(path, StoreAccess::ReadOnly).unwrap();
    assert_eq!(store.load("a").unwrap().points, [sample::point(1)]);
    assert_eq!(store.check().unwrap(), [""; 0]);
}

#[test]
fn a_read_only_medium_can_be_read() {
    let Some(directory) = process::stage() else {
        let directory = tempfile::tempdir().unwrap();
        prepare(&directory.path().join("k.db"));
        abandon(directory.path());
        let mount = "mount --bind $STAGE $STAGE && mount -o remount,bind,ro $STAGE";
        let name = "permission::a_read_only_medium_can_be_read";
        return process::mounted(name, directory.path(), mount);
    };
    check_readable_only(&directory.join("k.db"));
    let fault = Store::open(&directory.join("new.db"), StoreAccess::ReadWrite).unwrap_err();
    assert!(fault.fix_hint().unwrap().contains("writable"), "{fault}");
    // Reading past the log would miss what it holds.
    let fault = Store::open(&directory.join("left.db"), StoreAccess::ReadOnly).unwrap_err();
    assert!(fault.fix_hint().unwrap().contains("writable"), "{fault}");
}

/// Leaves a store with a log, as a crash does, but without its shared memory.
fn abandon(directory: &Path) {
    let path = directory.join("live.db");
    let store = Store::open(&path, StoreAccess::ReadWrite).unwrap();
    let mut other = Store::open(&path, StoreAccess::ReadWrite).unwrap();
    other.begin(&sample::run("a")).unwrap();
    fs::copy(&path, directory.join("left.db")).unwrap();
    fs::copy(directory.join("live.db-wal"), directory.join("left.db-wal")).unwrap();
    drop((store, other));
}

/// Modes hold for everyone but root, so that root has to have someone else look.
#[test]
fn file_modes_are_respected() {
    let Some(directory) = process::stage() else { return have_somebody_look() };
    check_readable_only(&directory.join("file").join("k.db"));
    check_readable(&directory.join("directory").join("k.db"));
    for name in ["k.db", "new.db"] {
        let path = directory.join("directory").join(name);
        let fault = Store::open(&path, StoreAccess::ReadWrite).unwrap_err();
        assert!(fault.fix_hint().unwrap().contains("writable"), "{fault}");
    }
    let secret = directory.join("secret.db");
    for access in [StoreAccess::ReadOnly, StoreAccess::ReadWrite] {
        let fault = Store::open(&secret, access).unwrap_err();
        assert!(fault.why().unwrap().contains("denied"), "{fault}");
    }
}

fn have_somebody_look() {
    const NOBODY: u32 = 65534;
    let directory = tempfile::tempdir().unwrap();
    let stage = directory.path();
    let mode = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    for (inner, inner_mode, file_mode) in [("file", 0o777, 0o444), ("directory", 0o555, 0o666)] {
        let inner = stage.join(inner);
        fs::create_dir(&inner).unwrap();
        prepare(&inner.join("k.db"));
        mode(&inner.join("k.db"), file_mode);
        mode(&inner, inner_mode);
    }
    prepare(&stage.join("secret.db"));
    mode(&stage.join("secret.db"), 0);
    mode(stage, 0o755);
    let mut look = process::other("permission::file_modes_are_respected", stage);
    if fs::metadata(stage).unwrap().uid() == 0 {
        look.uid(NOBODY).gid(NOBODY).current_dir("/");
    }
    match look.output() {
        Err(error) => skipped(format_args!("no one else can run this test ({error})")),
        Ok(output) => process::check(&output),
    }
    mode(&stage.join("directory"), 0o755);
}
