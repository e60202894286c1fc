//! Stores of every format that was ever released. Each fixture is the text of a real store
//! (`sqlite3 STORE .dump`, and the two numbers of the header), never edited afterwards.

use kneepoint_core::result::{PointHistograms, READ, RUN_SCHEMA, RunDocument, upgrade_run};
use kneepoint_store::{Store, StoreAccess};
use rusqlite::Connection;

const FORMAT_1: &str = include_str!("../fixtures/format-1.sql");
const FORMAT_1_RUN: &str = include_str!("../fixtures/format-1.json");
const FORMAT_2: &str = include_str!("../fixtures/format-2.sql");
const FORMAT_2_RUN: &str = include_str!("../fixtures/format-2.json");

/// The tables as the file describes them, without differences of layout.
fn tables(connection: &Connection) -> Vec<String> {
    let mut query = connection
        .prepare("SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name")
        .unwrap();
    let rows = query.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(|sql| sql.unwrap().split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// A store of an old format gives back its run and ends up like a new one; to be read it is not
/// changed.
fn check(store_text: &str, run_json: &str, run_count: usize) -> RunDocument {
    let directory = tempfile::tempdir().unwrap();
    let (old, new) = (directory.path().join("old.db"), directory.path().join("new.db"));
    Connection::open(&old).unwrap().execute_batch(store_text).unwrap();
    let run: serde_json::Value = serde_json::from_str(run_json).unwrap();
    let expected: RunDocument = serde_json::from_value(upgrade_run(run)).unwrap();
    let before = std::fs::read(&old).unwrap();
    let read = Store::open(&old, StoreAccess::ReadOnly).unwrap().load(&expected.run.id).unwrap();
    assert_eq!(std::fs::read(&old).unwrap(), before);
    let store = Store::open(&old, StoreAccess::ReadWrite).unwrap();
    let mut plain = store.load(&expected.run.id).unwrap();
    assert_eq!(plain, read);
    plain.leave_out_histograms();
    assert_eq!(plain, expected);
    assert!(store.histograms(&expected.run.id, 1).unwrap().0.contains_key(READ));
    assert_eq!(store.runs().unwrap().len(), run_count);
    assert_eq!(store.check().unwrap(), [""; 0]);
    drop(store);
    drop(Store::open(&new, StoreAccess::ReadWrite).unwrap());
    assert_eq!(tables(&Connection::open(&old).unwrap()), tables(&Connection::open(&new).unwrap()));
    read
}

#[test]
fn format_1_is_still_read() {
    check(FORMAT_1, FORMAT_1_RUN, 2);
}

#[test]
fn format_2_is_still_read_with_the_response_times_of_repeated_loads() {
    let run = check(FORMAT_2, FORMAT_2_RUN, 1);
    assert_eq!((run.schema.as_str(), run.points.len()), (RUN_SCHEMA, 4));
    for point in &run.points {
        let PointHistograms(classes) = point.histograms.as_ref().unwrap();
        for (name, pairs) in classes {
            let count: u64 = pairs.iter().map(|(_, count)| count).sum();
            assert_eq!(count, point.class(name).unwrap().operations);
        }
        assert!(point.class(READ).is_some() && point.storage.is_some());
    }
}
