//! Judging and opening files, as any user.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use kneepoint_core::plan::Caching;
use kneepoint_core::words::units::Bytes;
use kneepoint_device::consent::{Basis, Mode, Overwrite, WriteConsent, inspection, judge, open};
use kneepoint_device::facts::{SysRoot, target};
use kneepoint_device::layout::{FillProgress, Mark, fill, read_mark, write_mark};

fn place() -> (tempfile::TempDir, PathBuf) {
    // Direct I/O needs a file system on a device; the build directory lies on one.
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = dir.path().canonicalize().unwrap();
    (dir, path)
}

const MARK: Mark = Mark { size: Bytes(8 << 20), complete: true };

/// Writes the content and the mark of a test file.
fn lay_out(file: &fs::File) {
    fill(file, Bytes(0), MARK.size, &FillProgress::default()).unwrap();
    write_mark(file, MARK).unwrap();
}

/// A test file of Kneepoint.
fn own_file(path: &Path) -> fs::File {
    let file = fs::File::options().create_new(true).read(true).write(true).open(path).unwrap();
    lay_out(&file);
    file
}

/// The consent for a target; its judgement is kept until the process ends.
fn consent(path: &Path, overwrites: &[Overwrite]) -> Option<&'static WriteConsent> {
    let root = SysRoot::default();
    let facts = target(&root, path).unwrap();
    Box::leak(Box::new(judge(&root, &facts, overwrites))).consent().ok()
}

#[test]
fn a_missing_file_is_made_once_and_opened_again_by_the_same_consent() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, &[]).unwrap();
    assert_eq!(consent.ground(), Basis::NewFile);
    assert!(!path.exists(), "judging makes nothing");
    let opened = open(&path, Mode::ReadWrite(consent), Caching::Buffered).unwrap();
    lay_out(&opened.file);
    consent.publish(&opened.file).unwrap();
    drop(opened);
    let again = open(&path, Mode::ReadWrite(consent), Caching::Buffered).unwrap();
    assert_eq!(read_mark(&again.file).unwrap(), Some(MARK));
    again.file.write_all_at(b"precious", 4096).unwrap();
    drop(again);
    let fault = open(&path, Mode::ReadWrite(consent), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("something else wrote to it"), "{fault}");
}

#[test]
fn a_file_that_somebody_else_made_meanwhile_is_left_alone() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, &[]).unwrap();
    fs::write(&path, "precious").unwrap();
    let fault = match open(&path, Mode::ReadWrite(consent), Caching::Buffered) {
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
    let consent = consent(&path, &[]).unwrap();
    std::os::unix::fs::symlink(place.join("elsewhere"), &path).unwrap();
    let opened = open(&path, Mode::ReadWrite(consent), Caching::Buffered);
    assert!(opened.and_then(|opened| consent.publish(&opened.file)).is_err());
    assert!(!place.join("elsewhere").exists());
}

#[test]
fn a_file_put_in_the_place_of_the_judged_one_is_not_opened() {
    let (_dir, place) = place();
    let path = place.join("own");
    own_file(&path);
    let consent = consent(&path, &[]).unwrap();
    fs::write(place.join("theirs"), "precious").unwrap();
    fs::rename(place.join("theirs"), &path).unwrap();
    let fault = open(&path, Mode::ReadWrite(consent), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("no longer"), "{fault}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn a_new_file_is_taken_back_and_what_took_its_name_stays() {
    let (_dir, place) = place();
    let path = place.join("new");
    let consent = consent(&path, &[]).unwrap();
    let opened = open(&path, Mode::ReadWrite(consent), Caching::Buffered).unwrap();
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
    let given = consent(&path, &[]).unwrap();
    assert_eq!(given.ground(), Basis::EmptyFile);
    fs::write(&path, "precious").unwrap();
    let fault = open(&path, Mode::ReadWrite(given), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("it was empty when it was judged"), "{fault}");
    fs::write(&path, "").unwrap();
    let given = consent(&path, &[]).unwrap();
    let opened = open(&path, Mode::ReadWrite(given), Caching::Buffered).unwrap();
    lay_out(&opened.file);
    given.take_back(&opened.file).unwrap();
    drop(opened);
    open(&path, Mode::ReadWrite(given), Caching::Buffered).unwrap();
}

#[test]
fn a_foreign_file_opens_for_writing_only_where_it_is_named() {
    let (_dir, place) = place();
    let path = place.join("a=b");
    fs::write(&path, "theirs").unwrap();
    assert!(consent(&path, &[]).is_none());
    let wrong = Overwrite::new(place.join("a")).unwrap();
    assert!(consent(&path, &[wrong]).is_none());
    let right = Overwrite::new(&path).unwrap();
    let consent = consent(&path, &[right]).unwrap();
    assert_eq!(consent.ground(), Basis::Named);
    open(&path, Mode::ReadWrite(consent), Caching::Buffered).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs", "opening truncates nothing");
}

#[test]
fn a_second_run_cannot_open_the_same_file_for_writing() {
    let (_dir, place) = place();
    let path = place.join("own");
    own_file(&path);
    let (first, second) = (consent(&path, &[]).unwrap(), consent(&path, &[]).unwrap());
    let held = open(&path, Mode::ReadWrite(first), Caching::Buffered).unwrap();
    let fault = open(&path, Mode::ReadWrite(second), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("another run"), "{fault}");
    open(&path, Mode::ReadOnly, Caching::Buffered).unwrap();
    drop(held);
    open(&path, Mode::ReadWrite(second), Caching::Buffered).unwrap();
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
    let consent = consent(&path, &[]).unwrap();
    for _ in 0..2 {
        match open(&path, Mode::ReadWrite(consent), Caching::Direct) {
            Ok(opened) => {
                let flags = rustix::fs::fcntl_getfl(&opened.file).unwrap();
                assert!(flags.contains(rustix::fs::OFlags::DIRECT));
                consent.publish(&opened.file).unwrap();
            }
            Err(fault) => {
                kneepoint_testkit::skipped(&fault);
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
    let text = inspection(&facts, &judge(&root, &facts, &[]));
    for part in
        ["kind                     file", "8KiB", "may be written           no", "--overwrite"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let path = place.join("own");
    own_file(&path);
    let facts = target(&root, &path).unwrap();
    let text = inspection(&facts, &judge(&root, &facts, &[]));
    assert!(text.contains("may be written           yes: Kneepoint made this file"), "{text}");
}

/// Every way in which a test file can be put to another use, and a word of the refusal.
#[test]
fn a_test_file_that_was_put_to_another_use_is_refused() {
    type Use = fn(&fs::File);
    let uses: [(&str, &str, Use); 6] = [
        ("a payload", "did not write", |file| file.write_all_at(&[7; 300_000], 0).unwrap()),
        ("a payload in the middle", "did not write", |file| {
            file.write_all_at(&[7; 1 << 20], 3 << 20).unwrap();
        }),
        ("a sector at the end", "did not write", |file| {
            file.write_all_at(&[7; 512], MARK.size.0 - 512).unwrap();
        }),
        ("mkswap", "swap space", |file| file.write_all_at(b"SWAPSPACE2", 4086).unwrap()),
        ("a boot record", "boot record", |file| {
            let mut sector = [0; 512];
            sector[510..].copy_from_slice(&[0x55, 0xaa]);
            file.write_all_at(&sector, 0).unwrap();
        }),
        ("a file system", "ext4", |file| {
            let mut block = [0; 1024];
            block[56..58].copy_from_slice(&[0x53, 0xef]);
            file.write_all_at(&block, 1024).unwrap();
        }),
    ];
    for (name, word, put) in uses {
        let (_dir, place) = place();
        let path = place.join("own");
        let file = own_file(&path);
        assert_eq!(consent(&path, &[]).unwrap().ground(), Basis::OwnFile, "{name}");
        let before = consent(&path, &[]).unwrap();
        put(&file);
        let root = SysRoot::default();
        let facts = target(&root, &path).unwrap();
        let judgement = judge(&root, &facts, &[]);
        assert_eq!(judgement.mark(), None, "{name}");
        let fault = judgement.consent().unwrap_err();
        assert!(fault.to_string().contains(word), "{name}: {fault}");
        assert!(fault.fix_hint().unwrap().contains("--overwrite"), "{name}: {fault}");
        let late = open(&path, Mode::ReadWrite(before), Caching::Buffered).unwrap_err();
        assert!(late.to_string().contains("will not be written"), "{name}: {late}");
        assert!(consent(&path, &[Overwrite::new(&path).unwrap()]).is_some(), "{name}");
    }
}

#[test]
fn a_copy_of_a_test_file_and_a_mark_put_behind_other_data_are_refused() {
    let (_dir, place) = place();
    own_file(&place.join("own"));
    let bytes = fs::read(place.join("own")).unwrap();
    let mark = &bytes[MARK.size.0 as usize..];
    let mut other = vec![7; MARK.size.0 as usize];
    other.extend_from_slice(mark);
    for content in [bytes.clone(), other] {
        let path = place.join("copy");
        fs::write(&path, content).unwrap();
        let root = SysRoot::default();
        let facts = target(&root, &path).unwrap();
        let fault = judge(&root, &facts, &[]).consent().unwrap_err();
        assert!(fault.to_string().contains("another file"), "{fault}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn other_content_in_the_same_file_after_the_judgement_is_not_written_over() {
    let (_dir, place) = place();
    let path = place.join("f");
    for (size, named) in [(MARK.size.0 as usize, false), (5000, true)] {
        let overwrites = [Overwrite::new(&path).unwrap()];
        if named {
            fs::write(&path, vec![1; size]).unwrap();
        } else {
            own_file(&path);
        }
        let consent = consent(&path, if named { &overwrites } else { &[] }).unwrap();
        fs::write(&path, "precious").unwrap();
        let fault = open(&path, Mode::ReadWrite(consent), Caching::Buffered).unwrap_err();
        assert!(fault.to_string().contains("judged"), "{fault}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_never_waited_for() {
    let (_dir, place) = place();
    let path = place.join("own");
    own_file(&path);
    let root = SysRoot::default();
    let facts = target(&root, &path).unwrap();
    let consent = consent(&path, &[]).unwrap();
    fs::remove_file(&path).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert!(judge(&root, &facts, &[]).consent().is_err());
    assert!(open(&path, Mode::ReadWrite(consent), Caching::Buffered).is_err());
    assert!(open(&path, Mode::ReadOnly, Caching::Buffered).is_err());
}

#[test]
fn an_opened_target_waits_for_its_io() {
    let (_dir, place) = place();
    let path = place.join("own");
    own_file(&path);
    let consent = consent(&path, &[]).unwrap();
    for mode in [Mode::ReadOnly, Mode::ReadWrite(consent)] {
        let opened = open(&path, mode, Caching::Buffered).unwrap();
        let flags = rustix::fs::fcntl_getfl(&opened.file).unwrap();
        assert!(!flags.contains(rustix::fs::OFlags::NONBLOCK));
    }
}
