//! Whether the store is what was written.

use kneepoint_core::words::fault::Fault;
use rusqlite::Connection;

use crate::copy_row::CopyRow;
use crate::point_row::PointRow;
use crate::run_row::{self, RunRow};
use crate::store::Store;
use crate::timestamp;
use crate::trouble::{Trouble, is_damage};

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
fn damage(trouble: Trouble) -> Result<String, Trouble> {
    match trouble {
        Trouble::Damage(text) => Ok(text),
        Trouble::Sql(error) if is_damage(&error) => Ok(error.to_string()),
        other => Err(other),
    }
}

fn structure(connection: &Connection, findings: &mut Vec<String>) -> Result<(), Trouble> {
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

fn references(connection: &Connection, findings: &mut Vec<String>) -> Result<(), Trouble> {
    let mut query = connection.prepare("PRAGMA foreign_key_check")?;
    if query.exists([])? {
        findings.push("there are points or copies that belong to no run".to_owned());
    }
    Ok(())
}

fn runs(connection: &Connection, findings: &mut Vec<String>) -> Result<(), Trouble> {
    let mut query = connection.prepare("SELECT * FROM runs")?;
    for row in query.query_map([], RunRow::read)? {
        let (_, run, written) = row?;
        if let Err(trouble) = run.verified(&written).and_then(|run| examine_run(&run)) {
            findings.push(damage(trouble)?);
        }
    }
    Ok(())
}

fn examine_run(run: &RunRow) -> Result<(), Trouble> {
    let header = run.header()?;
    run_row::owner(run.owner.as_deref())?;
    run.plan()?;
    run.environment()?;
    run.warnings()?;
    if timestamp::key(&header.started_at).is_none() {
        return Err(Trouble::Damage(format!("run {} has no usable start", header.id)));
    }
    Ok(())
}

fn points(connection: &Connection, findings: &mut Vec<String>) -> Result<(), Trouble> {
    let mut query = connection.prepare("SELECT * FROM points")?;
    for row in query.query_map([], PointRow::read)? {
        let (point, written) = row?;
        if let Err(trouble) = point.verified(&written).and_then(|point| point.stored()) {
            findings.push(damage(trouble)?);
        }
    }
    Ok(())
}

fn copies(connection: &Connection, findings: &mut Vec<String>) -> Result<(), Trouble> {
    let mut query = connection.prepare("SELECT * FROM copies")?;
    for row in query.query_map([], CopyRow::read)? {
        let (copy, written) = row?;
        if let Err(trouble) = copy.stored(&written) {
            findings.push(damage(trouble)?);
        }
    }
    Ok(())
}
