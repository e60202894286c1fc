//! Stores of every format that was ever released. Each fixture is the text of a real store
//! (`sqlite3 STORE .dump`, and the two numbers of the header), never edited afterwards.

use kneepoint_core::result::RunDocument;
use kneepoint_store::{Access, Store};
use rusqlite::Connection;

const FORMAT_1: &str = include_str!("../fixtures/format-1.sql");
const FORMAT_1_RUN: &str = include_str!("../fixtures/format-1.json");

/// The tables as the file describes them, without differences of layout.
fn tables(connection: &Connection) -> Vec<String> {
    let mut query = connection
        .prepare("SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name")
        .unwrap();
    let rows = query.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(|sql| sql.unwrap().split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// A store of an old format gives back its run and ends up like a new one.
fn check(store_text: &str, run_json: &str) {
    let directory = tempfile::tempdir().unwrap();
    let (old, new) = (directory.path().join("old.db"), directory.path().join("new.db"));
    Connection::open(&old).unwrap().execute_batch(store_text).unwrap();
    let expected: RunDocument = serde_json::from_str(run_json).unwrap();
    let store = Store::open(&old, Access::ReadWrite).unwrap();
    assert_eq!(store.load(&expected.run.id).unwrap(), expected);
    assert!(store.histograms(&expected.run.id, 1).unwrap().read.is_some());
    assert_eq!(store.runs().unwrap().len(), 2);
    assert_eq!(store.check().unwrap(), [""; 0]);
    drop(store);
    drop(Store::open(&new, Access::ReadWrite).unwrap());
    assert_eq!(tables(&Connection::open(&old).unwrap()), tables(&Connection::open(&new).unwrap()));
}

#[test]
fn format_1_is_still_read() {
    check(FORMAT_1, FORMAT_1_RUN);
}
