//! Files that are not stores are named as such and left as they are.

use std::fs;
use std::path::Path;

use kneepoint_store::{Store, StoreAccess};

const BOTH: [StoreAccess; 2] = [StoreAccess::ReadWrite, StoreAccess::ReadOnly];

/// Opening `path` in any way says `part` and changes nothing in its directory.
fn check(path: &Path, part: &str) {
    let before = listing(path);
    for access in BOTH {
        let fault = Store::open(path, access).unwrap_err();
        assert!(fault.to_string().contains(part), "{fault}");
        assert!(fault.fix_hint().is_some());
        assert_eq!(listing(path), before);
    }
}

/// Names and contents of everything beside `path`.
fn listing(path: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let Ok(entries) = fs::read_dir(path.parent().unwrap()) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).ok()))
        .collect();
    files.sort();
    files
}

#[test]
fn text_is_not_a_store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.txt");
    fs::write(&path, "SQL is nice").unwrap();
    check(&path, "it is not an SQLite database");
}

#[test]
fn a_database_of_another_program_is_not_a_store() {
    for setup in [
        "CREATE TABLE runs (id); INSERT INTO runs VALUES (1)",
        "PRAGMA application_id = 7; PRAGMA user_version = 1; CREATE TABLE runs (id)",
        "PRAGMA user_version = 1",
        "PRAGMA journal_mode = WAL; CREATE TABLE points (id)",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("other.db");
        rusqlite::Connection::open(&path).unwrap().execute_batch(setup).unwrap();
        check(&path, "it is an SQLite database of another program");
    }
}

#[test]
fn a_directory_is_not_a_store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("inner");
    fs::create_dir(&path).unwrap();
    check(&path, "it is a directory");
}

#[test]
fn a_device_is_not_a_store() {
    for access in BOTH {
        let fault = Store::open(Path::new("/dev/null"), access).unwrap_err();
        assert_eq!(fault.why(), Some("it is not a regular file"));
    }
}

#[test]
fn a_missing_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("none").join("k.db");
    check(&path, &format!("there is no directory {}", path.parent().unwrap().display()));
}

#[test]
fn a_reader_creates_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("k.db");
    let fault = Store::open(&path, StoreAccess::ReadOnly).unwrap_err();
    assert_eq!(fault.why(), Some("there is no such file"));
    assert!(listing(&path).is_empty());
}

#[test]
fn an_empty_file_becomes_a_store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("k.db");
    fs::write(&path, "").unwrap();
    Store::open(&path, StoreAccess::ReadWrite).unwrap();
    assert!(Store::open(&path, StoreAccess::ReadOnly).unwrap().runs().unwrap().is_empty());
}

#[test]
fn names_that_sqlite_takes_for_something_else_are_files() {
    let directory = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:k.db?mode=memory", "50% of #1?.db"] {
        let path = directory.path().join(name);
        Store::open(&path, StoreAccess::ReadWrite).unwrap();
        assert!(path.is_file(), "{name}");
    }
}

#[test]
fn a_newer_store_is_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("k.db");
    drop(Store::open(&path, StoreAccess::ReadWrite).unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA user_version = 1000").unwrap();
    drop(connection);
    check(&path, "it comes from a newer Kneepoint: it has format 1000, this version needs");
}

#[test]
fn a_store_with_anything_of_others_in_it_is_not_used() {
    for (setup, part) in [
        ("CREATE VIEW later AS SELECT 1", "it has the view 'later' that Kneepoint did not make"),
        (
            "CREATE TRIGGER boom AFTER INSERT ON points BEGIN DELETE FROM runs; END",
            "it has the trigger 'boom'",
        ),
        ("CREATE TABLE notes (text)", "it has the table 'notes'"),
        ("CREATE INDEX quick ON runs (label)", "it has the index 'quick'"),
        (
            "ALTER TABLE runs ADD COLUMN extra TEXT",
            "it has the table 'runs' that is not as Kneepoint made it",
        ),
        (
            // Reading it takes for ever.
            "DROP TABLE points; DROP TABLE copies; DROP TABLE runs;
             CREATE VIEW runs AS WITH RECURSIVE n (number) AS
             (SELECT 1 UNION ALL SELECT number + 1 FROM n) SELECT number FROM n",
            "it has the view 'runs'",
        ),
        ("DROP TABLE copies", "it lacks the table 'copies'"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("k.db");
        drop(Store::open(&path, StoreAccess::ReadWrite).unwrap());
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch("PRAGMA journal_mode = DELETE").unwrap_or_default();
        other.execute_batch(setup).unwrap();
        drop(other);
        check(&path, part);
    }
}

#[test]
fn statistics_of_sqlite_do_no_harm() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("k.db");
    drop(Store::open(&path, StoreAccess::ReadWrite).unwrap());
    rusqlite::Connection::open(&path).unwrap().execute_batch("ANALYZE; VACUUM").unwrap();
    assert!(BOTH.iter().all(|access| Store::open(&path, *access).is_ok()));
}

#[test]
fn files_of_others_beside_a_store_are_not_lost() {
    for ending in ["-wal", "-shm", "-journal"] {
        for content in ["precious", ""] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("p.db");
            fs::write(directory.path().join(format!("p.db{ending}")), content).unwrap();
            let before = listing(&path);
            let fault = Store::open(&path, StoreAccess::ReadWrite).unwrap_err();
            assert!(fault.to_string().contains("would take for its own and remove"), "{fault}");
            assert_eq!(listing(&path), before);
        }
        // The same beside a store that is there already.
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("p.db");
        drop(Store::open(&path, StoreAccess::ReadWrite).unwrap());
        fs::write(directory.path().join(format!("p.db{ending}")), "precious").unwrap();
        let before = listing(&path);
        let fault = Store::open(&path, StoreAccess::ReadWrite).unwrap_err();
        assert!(fault.to_string().contains("is no file of SQLite"), "{fault}");
        assert_eq!(listing(&path), before);
    }
}
