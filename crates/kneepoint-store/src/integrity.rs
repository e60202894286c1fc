//! Whether the store is what was written.

use kneepoint_core::words::fault::Fault;
use rusqlite::Connection;

use crate::copy_row::CopyRow;
use crate::error::{StoreError, is_damage};
use crate::point::PointRow;
use crate::record::Record;
use crate::run::{self, RunRow};
use crate::store::Store;
use crate::timestamp;

impl Store {
    /// Examines the whole store: SQLite's structure, then every run and point against its digest
    /// and its meaning. Returns what is wrong, a sentence each; nothing for a sound store.
    ///
    /// # Errors
    /// When the store cannot be read for another reason than damage.
    pub fn check(&self) -> Result<Vec<String>, Fault> {
        self.read("check", |connection| {
            let mut findings = Vec::new();
            for examine in [structure, references, runs, points, copies] {
                if let Err(trouble) = examine(connection, &mut findings) {
                    findings.push(damage(trouble)?);
                }
            }
            Ok(findings)
        })
    }
}

/// The description of damage; other trouble is passed on.
fn damage(trouble: StoreError) -> Result<String, StoreError> {
    match trouble {
        StoreError::Damage(text) => Ok(text),
        StoreError::Sql(error) if is_damage(&error) => Ok(error.to_string()),
        other => Err(other),
    }
}

fn structure(connection: &Connection, findings: &mut Vec<String>) -> Result<(), StoreError> {
    let mut query = connection.prepare("PRAGMA integrity_check(20)")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let finding: String = row.get(0)?;
        if finding != "ok" {
            findings.push(finding);
        }
    }
    Ok(())
}

fn references(connection: &Connection, findings: &mut Vec<String>) -> Result<(), StoreError> {
    let mut query = connection.prepare("PRAGMA foreign_key_check")?;
    if query.exists([])? {
        findings.push("there are points or copies that belong to no run".to_owned());
    }
    Ok(())
}

/// Every row of a table against its digest and its meaning.
fn rows<R: Record>(
    (connection, findings): (&Connection, &mut Vec<String>),
    examine: impl Fn(&R) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut query = connection.prepare(&format!("SELECT * FROM {}", R::TABLE))?;
    for row in query.query_map([], R::read)? {
        let (row, written) = row?;
        if let Err(trouble) = row.verified(&written).and_then(|row| examine(&row)) {
            findings.push(damage(trouble)?);
        }
    }
    Ok(())
}

fn runs(connection: &Connection, findings: &mut Vec<String>) -> Result<(), StoreError> {
    rows((connection, findings), examine_run)
}

fn points(connection: &Connection, findings: &mut Vec<String>) -> Result<(), StoreError> {
    rows((connection, findings), |point: &PointRow| point.stored().map(drop))
}

fn copies(connection: &Connection, findings: &mut Vec<String>) -> Result<(), StoreError> {
    rows((connection, findings), |copy: &CopyRow| copy.stored().map(drop))
}

fn examine_run(run: &RunRow) -> Result<(), StoreError> {
    let header = run.header()?;
    run::owner(run.owner.as_deref())?;
    run.plan()?;
    run.environment()?;
    run.warnings()?;
    if timestamp::key(&header.started_at).is_none() {
        return Err(StoreError::Damage(format!("run {} has no usable start", header.id)));
    }
    Ok(())
}
