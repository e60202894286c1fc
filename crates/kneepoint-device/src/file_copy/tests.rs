//! Real copies of small file sets.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use kneepoint_core::measure::{Observer, Stop, Unwatched};
use kneepoint_core::plan::FileSet;
use kneepoint_core::spec::file_copy::{CopyCache, CopyMethod, FileSetPlan};
use kneepoint_core::words::units::Nanos;
use tempfile::TempDir;

use super::copy_dir::{CopyDirMark, MARK_NAME};
use super::*;
use crate::own_dir::DirMark;

const SET: FileSetPlan = FileSetPlan { bytes: 3_000_001, files: 40, directories: 9 };
const SEED: u64 = 5;

/// A directory of the working directory, which is on a file system that can do direct I/O where
/// any is.
fn place() -> (TempDir, std::path::PathBuf) {
    let place = tempfile::tempdir_in(".").unwrap();
    let path = ground_of(&place.path().join("k.dat"));
    (place, path)
}

/// Asks to stop when it is asked for the given time.
struct Countdown(Cell<u32>);

impl Observer for Countdown {
    fn is_stop_asked(&self) -> bool {
        self.0.set(self.0.get() - 1);
        self.0.get() == 0
    }
}

/// A ground with the set laid out.
fn laid_out(path: &Path) -> CopyDir {
    let mut ground = CopyDir::claim(path).unwrap();
    assert_eq!(ground.lay_out((SET, SEED), &|_| (), &Unwatched), Ok(()));
    ground
}

fn order(set: &FileSet, method: CopyMethod, cache: CopyCache) -> CopyOrder<'_> {
    CopyOrder { set, method, cache, checks_contents: true }
}

#[test]
fn every_method_copies_every_byte_and_leaves_nothing_behind() {
    let (_place, path) = place();
    assert!(!look(&path).unwrap());
    assert_eq!(source_work(&path, SET, SEED), SourceWork::Write);
    let ground = laid_out(&path);
    assert!(look(&path).unwrap());
    assert_eq!(source_work(&path, SET, SEED), SourceWork::Reuse);
    assert_eq!(source_work(&path, SET, SEED + 1), SourceWork::Write);
    let set = FileSet::new(&SET, SEED);
    for (method, cache) in
        CopyMethod::ALL.into_iter().flat_map(|method| CopyCache::ALL.map(|cache| (method, cache)))
    {
        let copied = ground.copy(&order(&set, method, cache), &Unwatched).unwrap();
        assert!(copied.elapsed > Nanos::ZERO);
        println!("{} {}: {:?}", method.name(), cache.name(), copied.warnings);
        assert!(!path.join("copy").exists());
    }
    ground.remove().unwrap();
    assert!(!look(&path).unwrap());
}

#[test]
fn a_set_is_laid_out_once_and_anew_where_it_is_another_or_not_whole() {
    let (_place, path) = place();
    let written = Cell::new(0);
    let lay_out = |seed| {
        written.set(0);
        let mut ground = CopyDir::claim(&path).unwrap();
        let wrote = |bytes| written.set(written.get() + bytes);
        ground.lay_out((SET, seed), &wrote, &Unwatched).unwrap();
        written.get()
    };
    assert_eq!(lay_out(SEED), SET.bytes);
    assert_eq!(lay_out(SEED), 0);
    assert_eq!(lay_out(SEED + 1), SET.bytes);
    let set = FileSet::new(&SET, SEED + 1);
    fs::write(path.join("source").join(&set.files[3].path), "short").unwrap();
    fs::create_dir(path.join("copy")).unwrap();
    assert_eq!(lay_out(SEED + 1), SET.bytes);
    assert!(!path.join("copy").exists(), "what a killed run left is removed");
}

#[test]
fn what_kneepoint_did_not_make_is_left_as_it_is() {
    let (place, path) = place();
    let refused = || {
        let fault = CopyDir::claim(&path).unwrap_err();
        assert!(fault.what().contains("is not Kneepoint's"), "{fault}");
        assert!(fault.fix_hint().is_some());
        assert_eq!(look(&path).unwrap_err(), fault);
    };
    fs::create_dir(&path).unwrap();
    refused();
    fs::create_dir(path.join("source")).unwrap();
    fs::write(path.join("source/letter"), "dear").unwrap();
    fs::write(path.join(MARK_NAME), "KNEEPOINT FILE COPY 1\nby hand\n").unwrap();
    refused();
    assert_eq!(fs::read_to_string(path.join("source/letter")).unwrap(), "dear");
    fs::remove_dir_all(&path).unwrap();
    fs::write(&path, "a file").unwrap();
    refused();
    fs::remove_file(&path).unwrap();
    // A link to a directory that is ours, from where it is not.
    let other = place.path().join("other.file-copy");
    drop(laid_out(&other));
    symlink(&other, &path).unwrap();
    refused();
}

#[test]
fn what_others_put_into_our_directory_stays() {
    let (_place, path) = place();
    let ground = laid_out(&path);
    fs::write(path.join("letter"), "dear").unwrap();
    assert!(ground.remove().unwrap_err().what().starts_with("removing"));
    assert_eq!(fs::read_to_string(path.join("letter")).unwrap(), "dear");
    assert!(!path.join("source").exists());
}

#[test]
fn two_runs_do_not_share_a_directory() {
    let (_place, path) = place();
    let ground = laid_out(&path);
    assert!(CopyDir::claim(&path).unwrap_err().what().ends_with("is in use"));
    drop(ground);
    CopyDir::claim(&path).unwrap();
}

#[test]
fn a_copy_that_is_stopped_is_removed() {
    let (_place, path) = place();
    let ground = laid_out(&path);
    let set = FileSet::new(&SET, SEED);
    let order = order(&set, CopyMethod::Sendfile, CopyCache::Cached);
    // In the middle of reading the source, of copying, and of comparing.
    for calls in [5, 60, 100] {
        let countdown = Countdown(Cell::new(calls));
        assert_eq!(ground.copy(&order, &countdown), Err(Stop::Asked), "{calls}");
        assert!(!path.join("copy").exists());
    }
    let mut ground = ground;
    let ended = ground.lay_out((SET, SEED + 1), &|_| (), &Countdown(Cell::new(1)));
    assert_eq!(ended, Err(Stop::Asked));
    assert!(!ground.mark().unwrap().unwrap().complete);
}

#[test]
fn a_source_that_was_changed_is_noticed() {
    let (_place, path) = place();
    let ground = laid_out(&path);
    let set = FileSet::new(&SET, SEED);
    let file = path.join("source").join(&set.files[7].path);
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let order = order(&set, CopyMethod::ReadWrite, CopyCache::Cached);
    let fault = ground.copy(&order, &Unwatched).unwrap_err().into_fault().unwrap();
    assert!(fault.what().ends_with("is no true copy"), "{fault}");
    fs::remove_file(&file).unwrap();
    let fault = ground.copy(&order, &Unwatched).unwrap_err().into_fault().unwrap();
    assert!(fault.to_string().contains("No such file"), "{fault}");
    assert!(!path.join("copy").exists());
}

#[test]
fn a_changed_mark_is_no_mark() {
    let text = CopyDirMark { set: SET, seed: SEED, complete: true }.to_text();
    assert!(CopyDirMark::from_text(&text).is_some());
    for (from, to) in [("3000001", "3000002"), ("seed=5", "seed=6"), ("complete", "filling")] {
        assert_eq!(CopyDirMark::from_text(&text.replace(from, to)), None);
    }
    assert_eq!(CopyDirMark::from_text(&format!("{text}x")), None);
}

#[test]
fn a_directory_that_took_the_place_of_ours_is_not_touched() {
    let (place, path) = place();
    let ground = laid_out(&path);
    let victim = place.path().join("victim");
    fs::create_dir_all(victim.join("copy/d00")).unwrap();
    fs::write(victim.join("copy/d00/f00.dat"), "precious").unwrap();
    fs::rename(&path, place.path().join("moved")).unwrap();
    symlink(&victim, &path).unwrap();
    let set = FileSet::new(&SET, SEED);
    ground.copy(&order(&set, CopyMethod::Sendfile, CopyCache::Cached), &Unwatched).unwrap();
    ground.remove().unwrap();
    assert_eq!(fs::read(victim.join("copy/d00/f00.dat")).unwrap(), b"precious");
    assert!(path.symlink_metadata().unwrap().is_symlink(), "the link stays");
    assert_eq!(fs::read_dir(place.path().join("moved")).unwrap().count(), 0);
}

#[test]
fn links_in_the_tree_are_not_followed() {
    let (place, path) = place();
    let ground = laid_out(&path);
    let victim = place.path().join("victim");
    fs::create_dir(&victim).unwrap();
    let set = FileSet::new(&SET, SEED);
    let name = set.files[0].path.rsplit_once('/').unwrap().1;
    fs::write(victim.join(name), "precious").unwrap();
    let directory = path.join("source").join(&set.directories[0]);
    fs::rename(&directory, place.path().join("aside")).unwrap();
    symlink(&victim, &directory).unwrap();
    let fault = ground
        .copy(&order(&set, CopyMethod::Sendfile, CopyCache::Cached), &Unwatched)
        .unwrap_err()
        .into_fault()
        .unwrap();
    assert!(fault.fix_hint().unwrap().contains("remove the link"), "{fault}");
    ground.remove().unwrap_err();
    assert_eq!(fs::read(victim.join(name)).unwrap(), b"precious");
}

/// A folder that is shown at another place until the value goes out of scope.
struct Shown(std::path::PathBuf);

impl Shown {
    /// Says why where this cannot be done.
    fn at(folder: &Path, place: &Path) -> Option<Self> {
        if !kneepoint_testkit::has_tools(&["mount", "umount"]) {
            return None;
        }
        let mut mount = std::process::Command::new("mount");
        let done = mount.arg("--bind").args([folder, place]).output().unwrap();
        if !done.status.success() {
            kneepoint_testkit::skipped("this machine lets us make no mounts");
            return None;
        }
        Some(Self(place.to_owned()))
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn what_is_mounted_in_the_tree_is_not_touched() {
    let (place, path) = place();
    let ground = laid_out(&path);
    let set = FileSet::new(&SET, SEED);
    let victim = place.path().join("victim");
    let (directory, name) = set.files[0].path.rsplit_once('/').unwrap();
    let tree = path.join("source").join(directory);
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join(name), "precious").unwrap();
    // A mount of the same file system: devices do not tell it.
    let Some(_shown) = Shown::at(&victim, &tree) else { return };
    ground.copy(&order(&set, CopyMethod::Sendfile, CopyCache::Cached), &Unwatched).unwrap_err();
    ground.remove().unwrap_err();
    assert_eq!(fs::read(victim.join(name)).unwrap(), b"precious");
}

#[test]
fn only_names_of_the_set_are_removed() {
    let (_place, path) = place();
    let mut ground = laid_out(&path);
    let letter = path.join("source").join(&FileSet::new(&SET, SEED).directories[2]).join("letter");
    fs::write(&letter, "dear").unwrap();
    let fault =
        ground.lay_out((SET, SEED + 1), &|_| (), &Unwatched).unwrap_err().into_fault().unwrap();
    assert!(fault.to_string().contains("'letter' in it is not Kneepoint's"), "{fault}");
    assert_eq!(fs::read_to_string(&letter).unwrap(), "dear");
    fs::remove_file(&letter).unwrap();
    assert_eq!(ground.lay_out((SET, SEED + 1), &|_| (), &Unwatched), Ok(()));
}

#[test]
fn a_directory_of_others_or_open_to_others_is_refused() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let (_place, path) = place();
    drop(laid_out(&path));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o775)).unwrap();
    let fault = CopyDir::claim(&path).unwrap_err();
    assert!(fault.to_string().contains("others than its owner may write to it"), "{fault}");
    assert_eq!(look(&path).unwrap_err(), fault);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    drop(CopyDir::claim(&path).unwrap());
    if chown(&path, Some(65534), None).is_err() {
        return kneepoint_testkit::skipped("only root gives directories away");
    }
    let fault = CopyDir::claim(&path).unwrap_err();
    assert!(fault.to_string().contains("it belongs to another user"), "{fault}");
}
