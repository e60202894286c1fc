//! Storage that gives back something else than it was given.

use std::fs;
use std::path::{Path, PathBuf};

use kneepoint_core::result::{RunDocument, RunState};
use kneepoint_core::words::fault::Fault;
use kneepoint_store::{Store, StoreAccess};

use crate::sample;

/// A sound store, and what it holds.
struct Original {
    directory: tempfile::TempDir,
    bytes: Vec<u8>,
    document: RunDocument,
}

fn original() -> Original {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("k.db");
    let mut store = Store::open(&path, StoreAccess::ReadWrite).unwrap();
    store.begin(&sample::run("a")).unwrap();
    for outstanding in 1..=20 {
        sample::save(&mut store, "a", outstanding).unwrap();
    }
    store.finish("a", &sample::ending(RunState::Complete)).unwrap();
    let document = store.load("a").unwrap();
    drop(store);
    Original { bytes: fs::read(&path).unwrap(), directory, document }
}

impl Original {
    /// A copy with other bytes.
    fn copy(&self, bytes: &[u8]) -> PathBuf {
        let path = self.directory.path().join("copy.db");
        for name in ["copy.db-wal", "copy.db-shm"] {
            fs::remove_file(self.directory.path().join(name)).ok();
        }
        fs::write(&path, bytes).unwrap();
        path
    }

    /// A damaged copy gives back what was saved, or says that it does not.
    fn check(&self, bytes: &[u8], access: StoreAccess, what: &str) -> Outcome {
        let path = self.copy(bytes);
        match examine(&path, access) {
            Err(fault) => {
                assert!(!fault.to_string().is_empty());
                Outcome::Refused
            }
            Ok((Ok(document), findings)) if document == self.document => match findings.len() {
                0 => Outcome::Unharmed,
                _ => Outcome::Noticed,
            },
            Ok((loaded, findings)) => {
                assert!(!findings.is_empty(), "{what}: unnoticed damage, {loaded:?}");
                let points = loaded.map_or(Vec::new(), |document| document.points);
                assert!(points.iter().all(|point| self.document.points.contains(point)), "{what}");
                Outcome::Noticed
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Refused,
    Noticed,
    Unharmed,
}

type Examination = (Result<RunDocument, Fault>, Vec<String>);

fn examine(path: &Path, access: StoreAccess) -> Result<Examination, Fault> {
    let store = Store::open(path, access)?;
    let findings = store.check()?;
    store.runs().and_then(|_| store.find(&"a".parse().unwrap())).ok();
    Ok((store.load("a"), findings))
}

/// Numbers that look random and are the same every time.
fn scatter(seed: u64) -> impl Iterator<Item = u64> {
    let step = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    std::iter::successors(Some(seed), step).skip(1).map(|state| state >> 24)
}

#[test]
fn a_store_that_was_cut_short_is_not_trusted() {
    let original = original();
    let length = original.bytes.len();
    for end in
        [1, 15, 16, 60, 99, 100, 512, 4096, 5000, 8192, length / 2, length - 4096, length - 1]
    {
        for access in [StoreAccess::ReadOnly, StoreAccess::ReadWrite] {
            let outcome = original.check(&original.bytes[..end], access, &format!("cut at {end}"));
            assert_ne!(outcome, Outcome::Unharmed, "cut at {end}");
        }
    }
}

#[test]
fn random_bytes_do_not_pass_for_results() {
    let original = original();
    let mut noticed = 0;
    for seed in 0..300 {
        let mut bytes = original.bytes.clone();
        let mut numbers = scatter(seed);
        let start = (numbers.next().unwrap() as usize) % bytes.len();
        let count = [1, 8, 100, 4096][(seed % 4) as usize];
        for byte in bytes[start..].iter_mut().take(count) {
            *byte = numbers.next().unwrap() as u8;
        }
        let access = if seed % 2 == 0 { StoreAccess::ReadOnly } else { StoreAccess::ReadWrite };
        let outcome = original.check(&bytes, access, &format!("{count} bytes at {start}"));
        noticed += usize::from(outcome != Outcome::Unharmed);
    }
    // Some hit unused space, or write what was there; most do not.
    assert!(noticed > 200, "{noticed}");
}

#[test]
fn every_page_counts() {
    let original = original();
    for start in (0..original.bytes.len()).step_by(4096) {
        let mut bytes = original.bytes.clone();
        bytes[start..start + 4096].fill(0);
        let outcome = original.check(&bytes, StoreAccess::ReadWrite, &format!("zeros at {start}"));
        assert_ne!(outcome, Outcome::Unharmed, "zeros at {start}");
    }
}

#[test]
fn a_digit_that_changed_is_noticed() {
    let original = original();
    let needle = b"\"block_bytes\":8192";
    // SQLite leaves old bytes in unused places; every one is changed, so that the real ones are.
    let mut bytes = original.bytes.clone();
    for at in 0..bytes.len() - needle.len() {
        if bytes[at..].starts_with(needle) {
            bytes[at + needle.len() - 1] = b'3';
        }
    }
    let store = Store::open(&original.copy(&bytes), StoreAccess::ReadOnly).unwrap();
    let fault = store.load("a").unwrap_err();
    assert!(fault.what().ends_with("copy.db is damaged"), "{fault}");
    assert!(fault.why().unwrap().contains("is not what was written"), "{fault}");
    assert_eq!(store.check().unwrap().len(), 20);
}

#[test]
fn a_damaged_run_can_be_deleted() {
    let original = original();
    let path = original.copy(&original.bytes);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("UPDATE runs SET seed = '5'").unwrap();
    drop(connection);
    let mut store = Store::open(&path, StoreAccess::ReadWrite).unwrap();
    assert!(store.load("a").unwrap_err().what().contains("is damaged"));
    assert_eq!(store.check().unwrap(), ["the entry of run a is not what was written"]);
    store.delete("a").unwrap();
    assert_eq!(store.check().unwrap(), [""; 0]);
}
