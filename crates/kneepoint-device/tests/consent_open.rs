//! Judging and opening files, as any user.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use kneepoint_core::plan::Caching;
use kneepoint_device::consent::{
    Ground, Mode, Overwrite, Ownership, WriteConsent, inspection, judge, open,
};
use kneepoint_device::facts::{SysRoot, target};

fn place() -> (tempfile::TempDir, PathBuf) {
    // Direct I/O needs a file system on a device; the build directory lies on one.
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = dir.path().canonicalize().unwrap();
    (dir, path)
}

fn consent(path: &Path, ownership: Ownership, overwrites: &[Overwrite]) -> Option<WriteConsent> {
    let root = SysRoot::default();
    let facts = target(&root, path).unwrap();
    judge(&root, &facts, ownership, overwrites).into_consent().ok()
}

#[test]
fn a_missing_file_is_made_once_and_opened_again_by_the_same_consent() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, Ownership::Foreign, &[]).unwrap();
    assert_eq!(consent.ground(), Ground::NewFile);
    assert!(!path.exists(), "judging makes nothing");
    let opened = open(&path, Mode::ReadWrite(&consent), Caching::Buffered).unwrap();
    opened.file.write_all_at(b"first", 0).unwrap();
    consent.publish(&opened.file).unwrap();
    drop(opened);
    let again = open(&path, Mode::ReadWrite(&consent), Caching::Buffered).unwrap();
    let mut bytes = [0; 5];
    again.file.read_exact_at(&mut bytes, 0).unwrap();
    assert_eq!(&bytes, b"first");
}

#[test]
fn a_file_that_somebody_else_made_meanwhile_is_left_alone() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, Ownership::Foreign, &[]).unwrap();
    fs::write(&path, "precious").unwrap();
    let fault = match open(&path, Mode::ReadWrite(&consent), Caching::Buffered) {
        Ok(opened) => consent.publish(&opened.file).unwrap_err(),
        Err(fault) => fault,
    };
    assert!(fault.to_string().contains("just now"), "{fault}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn a_link_put_in_the_place_of_a_new_file_is_not_followed() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, Ownership::Foreign, &[]).unwrap();
    std::os::unix::fs::symlink(place.join("elsewhere"), &path).unwrap();
    let opened = open(&path, Mode::ReadWrite(&consent), Caching::Buffered);
    assert!(opened.and_then(|opened| consent.publish(&opened.file)).is_err());
    assert!(!place.join("elsewhere").exists());
}

#[test]
fn a_file_put_in_the_place_of_the_judged_one_is_not_opened() {
    let (_dir, place) = place();
    let path = place.join("own");
    fs::write(&path, "ours").unwrap();
    let consent = consent(&path, Ownership::Ours, &[]).unwrap();
    fs::write(place.join("theirs"), "precious").unwrap();
    fs::rename(place.join("theirs"), &path).unwrap();
    let fault = open(&path, Mode::ReadWrite(&consent), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("no longer"), "{fault}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn a_new_file_is_taken_back_and_what_took_its_name_stays() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, Ownership::Foreign, &[]).unwrap();
    let opened = open(&path, Mode::ReadWrite(&consent), Caching::Buffered).unwrap();
    consent.publish(&opened.file).unwrap();
    fs::write(place.join("diary"), "precious").unwrap();
    fs::rename(place.join("diary"), &path).unwrap();
    consent.take_back(&opened.file).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn an_empty_file_is_taken_only_as_long_as_it_is_empty() {
    let (_dir, place) = place();
    let path = place.join("empty");
    fs::write(&path, "").unwrap();
    let given = consent(&path, Ownership::Empty, &[]).unwrap();
    assert_eq!(given.ground(), Ground::EmptyFile);
    fs::write(&path, "precious").unwrap();
    let fault = open(&path, Mode::ReadWrite(&given), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("it was empty when it was judged"), "{fault}");
    fs::write(&path, "").unwrap();
    let given = consent(&path, Ownership::Empty, &[]).unwrap();
    let opened = open(&path, Mode::ReadWrite(&given), Caching::Buffered).unwrap();
    opened.file.write_all_at(b"ours", 0).unwrap();
    given.take_back(&opened.file).unwrap();
    drop(opened);
    open(&path, Mode::ReadWrite(&given), Caching::Buffered).unwrap();
}

#[test]
fn a_foreign_file_opens_for_writing_only_where_it_is_named() {
    let (_dir, place) = place();
    let path = place.join("a=b");
    fs::write(&path, "theirs").unwrap();
    assert!(consent(&path, Ownership::Foreign, &[]).is_none());
    let wrong = Overwrite::new(place.join("a")).unwrap();
    assert!(consent(&path, Ownership::Foreign, &[wrong]).is_none());
    let right = Overwrite::new(&path).unwrap();
    let consent = consent(&path, Ownership::Foreign, &[right]).unwrap();
    assert_eq!(consent.ground(), Ground::Named);
    open(&path, Mode::ReadWrite(&consent), Caching::Buffered).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs", "opening truncates nothing");
}

#[test]
fn a_second_run_cannot_open_the_same_file_for_writing() {
    let (_dir, place) = place();
    let path = place.join("own");
    fs::write(&path, "ours").unwrap();
    let (first, second) = (
        consent(&path, Ownership::Ours, &[]).unwrap(),
        consent(&path, Ownership::Ours, &[]).unwrap(),
    );
    let held = open(&path, Mode::ReadWrite(&first), Caching::Buffered).unwrap();
    let fault = open(&path, Mode::ReadWrite(&second), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("another run"), "{fault}");
    open(&path, Mode::ReadOnly, Caching::Buffered).unwrap();
    drop(held);
    open(&path, Mode::ReadWrite(&second), Caching::Buffered).unwrap();
}

#[test]
fn a_read_only_descriptor_cannot_write() {
    let (_dir, place) = place();
    let path = place.join("f");
    fs::write(&path, "content").unwrap();
    let opened = open(&path, Mode::ReadOnly, Caching::Buffered).unwrap();
    assert!(opened.file.write_at(b"x", 0).is_err());
    assert!(opened.warnings.is_empty());
}

#[test]
fn where_direct_io_is_not_taken_the_fault_says_so_and_no_file_is_left() {
    // Files of procfs take no direct I/O, but cannot be named as targets; opening them can be tried.
    let fault = open(Path::new("/proc/version"), Mode::ReadOnly, Caching::Direct).unwrap_err();
    assert!(fault.to_string().contains("O_DIRECT"), "{fault}");
    assert!(fault.fix_hint().unwrap().contains("--buffered"));
}

#[test]
fn direct_io_is_on_for_a_file_that_is_made_and_for_one_that_is_opened_again() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, Ownership::Foreign, &[]).unwrap();
    for _ in 0..2 {
        match open(&path, Mode::ReadWrite(&consent), Caching::Direct) {
            Ok(opened) => {
                let flags = rustix::fs::fcntl_getfl(&opened.file).unwrap();
                assert!(flags.contains(rustix::fs::OFlags::DIRECT));
                consent.publish(&opened.file).unwrap();
            }
            Err(fault) => {
                kneepoint_testbed::skipped(&fault);
                assert!(!path.exists(), "an empty file would count as foreign the next time");
                return;
            }
        }
    }
}

#[test]
fn an_inspection_tells_facts_the_answer_and_the_remedy() {
    let (_dir, place) = place();
    let path = place.join("theirs");
    fs::write(&path, [0; 8192]).unwrap();
    let root = SysRoot::default();
    let facts = target(&root, &path).unwrap();
    let text = inspection(&facts, &judge(&root, &facts, Ownership::Foreign, &[]));
    for part in
        ["kind                     file", "8KiB", "may be written           no", "--overwrite"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let text = inspection(&facts, &judge(&root, &facts, Ownership::Ours, &[]));
    assert!(text.contains("may be written           yes: Kneepoint made this file"), "{text}");
}
