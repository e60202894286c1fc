//! The store's format and the steps that lead to it.
//!
//! A step, once released, is never edited: a store of any age is brought up to date by the steps
//! that it lacks, all in one transaction. Step n makes format n.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::StoreError;

/// Marks an SQLite file as a Kneepoint store: "Knee" in ASCII.
pub(crate) const APPLICATION_ID: u32 = 0x4B6E_6565;

/// The steps of this version of Kneepoint.
pub(crate) const STEPS: &[&str] =
    &[include_str!("schema/1.sql"), include_str!("schema/2.sql"), include_str!("schema/3.sql")];

/// The format of an opened store; zero for a file without content.
pub(crate) fn format(connection: &Connection) -> Result<usize, StoreError> {
    in_one_state(connection, judge)
}

/// Does `read` in one transaction, unless one is open: another process may be creating the store.
fn in_one_state<T>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if connection.is_autocommit() {
        return read(&*connection.unchecked_transaction()?);
    }
    read(connection)
}

fn judge(connection: &Connection) -> Result<usize, StoreError> {
    let application_id = pragma(connection, "application_id")?;
    let version = pragma(connection, "user_version")?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if (application_id, version, tables) == (0, 0, 0) {
        return Ok(0);
    }
    if application_id != i64::from(APPLICATION_ID) {
        return Err(StoreError::Foreign("it is an SQLite database of another program"));
    }
    usize::try_from(version)
        .ok()
        .filter(|version| *version > 0)
        .ok_or_else(|| StoreError::Damage(format!("its format is given as {version}")))
}

/// Brings an opened store to the format that `steps` lead to, creating it where it is empty.
pub(crate) fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), StoreError> {
    if is_current(connection, steps)? {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited for the lock.
    if !is_current(&transaction, steps)? {
        apply(&transaction, steps)?;
    }
    transaction.commit()?;
    Ok(())
}

/// True if nothing is to be done; a store from the future is refused.
pub(crate) fn is_current(connection: &Connection, steps: &[&str]) -> Result<bool, StoreError> {
    in_one_state(connection, |connection| judge_current(connection, steps))
}

fn judge_current(connection: &Connection, steps: &[&str]) -> Result<bool, StoreError> {
    let format = judge(connection)?;
    if format > steps.len() {
        return Err(StoreError::Newer { has: format, knows: steps.len() });
    }
    check_objects(connection, &steps[..format])?;
    Ok(format == steps.len())
}

/// A table, an index, a view or a trigger: kind, name, and the words that made it.
type Object = (String, String, String);

/// Refuses a store with anything in it that `steps` do not make. A view can take for ever to read,
/// a trigger can undo what is written.
fn check_objects(connection: &Connection, steps: &[&str]) -> Result<(), StoreError> {
    let model = Connection::open_in_memory()?;
    steps.iter().try_for_each(|step| model.execute_batch(step))?;
    let (own, found) = (objects(&model)?, objects(connection)?);
    if let Some((kind, name, _)) = found.iter().find(|object| !own.contains(object)) {
        let is_known =
            own.iter().any(|(own_kind, own_name, _)| own_kind == kind && own_name == name);
        let why = if is_known {
            "that is not as Kneepoint made it"
        } else {
            "that Kneepoint did not make"
        };
        return Err(StoreError::Strange(format!("it has the {kind} '{name}' {why}")));
    }
    match own.iter().find(|object| !found.contains(object)) {
        Some((kind, name, _)) => Err(StoreError::Damage(format!("it lacks the {kind} '{name}'"))),
        None => Ok(()),
    }
}

/// Everything that the schema names, but for the statistics that `ANALYZE` leaves.
fn objects(connection: &Connection) -> rusqlite::Result<Vec<Object>> {
    let mut query = connection.prepare(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_schema
         WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4')",
    )?;
    let rows =
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
    let plain = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    rows.map(|row| row.map(|(kind, name, sql)| (kind, name, plain(sql)))).collect()
}

/// Applies the steps that the store lacks.
fn apply(transaction: &Transaction<'_>, steps: &[&str]) -> Result<(), StoreError> {
    for step in &steps[format(transaction)?..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", steps.len() as u32)?;
    let mut orphans = transaction.prepare("PRAGMA foreign_key_check")?;
    if orphans.exists([])? {
        return Err(StoreError::Damage("it has points or copies that belong to no run".to_owned()));
    }
    Ok(())
}

/// A whole number that SQLite keeps in the file's header.
fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: &str = "ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT 'none'";

    fn store_of(steps: &[&str]) -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, steps).unwrap();
        connection
    }

    #[test]
    fn an_empty_file_gets_the_newest_format() {
        let connection = store_of(STEPS);
        assert_eq!(format(&connection).unwrap(), STEPS.len());
    }

    #[test]
    fn an_older_store_gets_the_steps_that_it_lacks() {
        let mut connection = store_of(STEPS);
        connection
            .execute_batch(
                "INSERT INTO runs VALUES (1, 'a', '', '', 'complete', NULL, '', '', '', '', '',
                 '', '', '', '', x'00')",
            )
            .unwrap();
        let longer: Vec<&str> = STEPS.iter().copied().chain([NEXT]).collect();
        migrate(&mut connection, &longer).unwrap();
        assert_eq!(format(&connection).unwrap(), STEPS.len() + 1);
        let note: String =
            connection.query_row("SELECT note FROM runs", [], |row| row.get(0)).unwrap();
        assert_eq!(note, "none");
    }

    #[test]
    fn a_newer_store_is_refused() {
        let mut connection = store_of(&[STEPS, &[NEXT]].concat());
        match migrate(&mut connection, STEPS) {
            Err(StoreError::Newer { has, knows }) => assert_eq!((has, knows), (has, has - 1)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_step_that_fails_leaves_the_store_as_it_was() {
        let mut connection = store_of(STEPS);
        let broken: Vec<&str> = STEPS.iter().copied().chain([NEXT, "DROP TABLE absent"]).collect();
        assert!(migrate(&mut connection, &broken).is_err());
        assert_eq!(format(&connection).unwrap(), STEPS.len());
        assert!(connection.prepare("SELECT note FROM runs").is_err());
    }
}
