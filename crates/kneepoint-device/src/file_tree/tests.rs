//! Real operations on small files.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use kneepoint_core::load::files::{FileCalls, FilePlace};
use kneepoint_core::measure::FileGround;
use kneepoint_core::spec::profile::{FileSync, FileTree, Preallocation};
use tempfile::TempDir;

use super::tree_dir::TreeMark;
use super::*;
use crate::own_dir::DirMark;

fn place() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir_in(".").unwrap();
    let path = place.path().join("files");
    (place, path)
}

fn tree(sync: FileSync) -> FileTree {
    FileTree {
        count: 10,
        directories: 3,
        bytes_min: 0,
        bytes_max: 300_000,
        append_bytes: 0,
        preallocation: Preallocation::None,
        sync,
        operations: Vec::new(),
    }
}

/// A directory that is ready for a point, with its calls.
fn ready(path: &Path) -> (TreeDir, Box<dyn FileCalls>) {
    let mut ground = TreeDir::look(path).unwrap();
    ground.claim().unwrap();
    ground.lay_out(&tree(FileSync::None)).unwrap();
    let calls = ground.calls(&tree(FileSync::None), 1).unwrap();
    (ground, calls)
}

const FILE: FilePlace = FilePlace { directory: 1, number: 7 };

#[test]
fn every_operation_does_what_it_says_and_nothing_is_left() {
    let (_place, path) = place();
    for sync in FileSync::ALL {
        let (mut ground, _) = ready(&path);
        let mut calls = ground.calls(&tree(sync), 1).unwrap();
        let at = |name: &str| path.join("directory-00001").join(name);
        calls.create(FILE, 300_000).unwrap();
        assert_eq!(fs::metadata(at("file-0000000000000007")).unwrap().len(), 300_000);
        calls.append(FILE, 4_000).unwrap();
        calls.read(FILE).unwrap();
        calls.stat(FILE).unwrap();
        calls.list(1).unwrap();
        calls.rename(FILE, 8).unwrap();
        assert_eq!(fs::metadata(at("file-0000000000000008")).unwrap().len(), 304_000);
        assert!(calls.stat(FILE).is_err());
        calls.delete(FilePlace { number: 8, ..FILE }).unwrap();
        assert_eq!(fs::read_dir(path.join("directory-00001")).unwrap().count(), 0);
        calls.create(FILE, 1).unwrap();
        ground.settle().unwrap();
        ground.remove().unwrap();
        assert!(!path.exists());
    }
}

#[test]
fn blocks_are_reserved_if_the_file_system_can() {
    let (_place, path) = place();
    let (mut ground, _) = ready(&path);
    let tree = FileTree { preallocation: Preallocation::Fallocate, ..tree(FileSync::None) };
    let mut calls = ground.calls(&tree, 1).unwrap();
    match calls.create(FILE, 5_000).and_then(|()| calls.append(FILE, 5_000)) {
        Ok(()) => {
            let file = path.join("directory-00001/file-0000000000000007");
            assert_eq!(fs::metadata(file).unwrap().len(), 10_000);
        }
        Err(fault) => assert!(fault.fix_hint().unwrap().contains("preallocation"), "{fault}"),
    }
    ground.remove().unwrap();
}

#[test]
fn failures_name_the_operation_and_the_file() {
    let (_place, path) = place();
    let (mut ground, mut calls) = ready(&path);
    calls.create(FILE, 0).unwrap();
    let fault = calls.create(FILE, 0).unwrap_err().to_string();
    assert!(fault.starts_with("create of ") && fault.contains("file-0000000000000007"), "{fault}");
    let gone = calls.read(FilePlace { number: 9, ..FILE }).unwrap_err();
    assert!(gone.to_string().contains("No such file"), "{gone}");
    assert!(gone.fix_hint().unwrap().contains("let no one else"));
    fs::remove_dir_all(&path).unwrap();
    let gone = calls.create(FilePlace { number: 9, ..FILE }, 0).unwrap_err();
    assert!(gone.to_string().contains("No such file"), "{gone}");
    assert!(ground.remove().is_ok(), "nothing is left to remove");
}

#[test]
fn what_kneepoint_did_not_make_is_refused_and_stays() {
    let (place, path) = place();
    let check = |why: &str| {
        let fault = TreeDir::look(&path).unwrap_err();
        assert!(fault.to_string().contains(why), "{fault}");
    };
    fs::create_dir(&path).unwrap();
    fs::write(path.join("letter"), "precious").unwrap();
    check("is not Kneepoint's");
    assert_eq!(fs::read(path.join("letter")).unwrap(), b"precious");
    fs::remove_dir_all(&path).unwrap();
    fs::write(&path, "precious").unwrap();
    check("it is not a directory");
    fs::remove_file(&path).unwrap();
    let elsewhere = place.path().join("elsewhere");
    let (mut ground, _) = ready(&elsewhere);
    symlink(&elsewhere, &path).unwrap();
    check("it is not a directory");
    let slashed = PathBuf::from(format!("{}/", path.display()));
    let through = TreeDir::look(&slashed).and_then(|mut ground| ground.claim());
    assert!(through.is_err(), "a slash does not lead through a link");
    fs::remove_file(&path).unwrap();
    ground.remove().unwrap();
    assert!(TreeDir::look(&place.path().join("no/where")).is_err());
    assert!(TreeDir::look(Path::new("/proc/kneepoint")).is_err());
}

#[test]
fn others_may_not_write_into_it_and_two_runs_not_use_it() {
    let (_place, path) = place();
    let (mut ground, _) = ready(&path);
    let fault = TreeDir::look(&path).unwrap().claim().unwrap_err();
    assert!(fault.to_string().contains("is in use"), "{fault}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
    let fault = TreeDir::look(&path).unwrap_err();
    assert!(fault.to_string().contains("others than its owner may write to it"), "{fault}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    ground.remove().unwrap();
}

#[test]
fn what_an_ended_run_left_is_removed_and_what_others_put_there_stays() {
    let (_place, path) = place();
    let (ground, mut calls) = ready(&path);
    calls.create(FILE, 10).unwrap();
    // As if the process had been killed.
    drop((ground, calls));
    assert!(path.join("directory-00001/file-0000000000000007").exists());
    let (mut ground, mut calls) = ready(&path);
    assert!(!path.join("directory-00001/file-0000000000000007").exists());
    calls.create(FILE, 10).unwrap();
    let letter = path.join("directory-00001/letter");
    fs::write(&letter, "precious").unwrap();
    let outside = path.with_file_name("outside");
    fs::write(&outside, "precious").unwrap();
    symlink(&outside, path.join("directory-00002/file-00000000000000aa")).unwrap();
    let fault = ground.remove().unwrap_err();
    assert!(fault.to_string().contains("'letter' in it is not Kneepoint's"), "{fault}");
    assert_eq!(fs::read(&letter).unwrap(), b"precious");
    fs::remove_file(&letter).unwrap();
    ground.remove().unwrap();
    assert!(!path.exists());
    assert_eq!(fs::read(&outside).unwrap(), b"precious", "a link is removed, not followed");
}

#[test]
fn a_changed_mark_is_no_mark_and_names_have_one_form() {
    let mark = TreeMark { directories: 20 };
    assert_eq!(TreeMark::from_text(&mark.to_text()), Some(mark));
    assert_eq!(TreeMark::from_text(&mark.to_text().replace("20", "21")), None);
    assert_eq!(TreeMark::from_text(""), None);
    assert!(is_file_name(OsStr::new(&file_name(0xabc))));
    for name in ["file-abc", "file-0000000000000ABC", "letter", "file-00000000000000aa.txt"] {
        assert!(!is_file_name(OsStr::new(name)), "{name}");
    }
}
