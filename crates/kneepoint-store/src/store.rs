//! The store itself: opening it, the frame of every access, what keeps it from being written during
//! a run, and whether it is what was written.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::connection::{Allowance, StoreAccess, Terms};
use crate::error::{StoreError, is_damage};
use crate::file::FileIdentity;
use crate::point::{CopyRow, PointRow};
use crate::record::Record;
use crate::run::RunRow;
use crate::{connection, file, run, schema};

/// Runs and their points, in one file.
///
/// Several processes may have the same store open. What one of them has saved, the others see.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// The path, absolute.
    pub(crate) absolute: PathBuf,
    /// The file that was opened.
    pub(crate) file: Option<FileIdentity>,
    pub(crate) connection: Connection,
    pub(crate) allowance: Allowance,
}

impl Store {
    /// Opens the store at `path`. To write, a missing store is created and one of an older version
    /// of Kneepoint brought up to date. A file that is not a store is left as it is.
    ///
    /// # Errors
    /// When the file cannot be used, with the cause: not a store, from a newer version, damaged,
    /// not writable, locked, no directory to put it in, disk full.
    pub fn open(path: &Path, access: StoreAccess) -> Result<Self, Fault> {
        let fault = |trouble: StoreError| trouble.into_fault(path, "open");
        let absolute = std::path::absolute(path).map_err(|error| fault(error.into()))?;
        let terms = Terms::new(access);
        let connection = connection::open(&absolute, &terms).map_err(fault)?;
        let file = FileIdentity::of(&absolute).map_err(fault)?;
        let allowance = terms.allowance;
        Ok(Self { path: path.to_owned(), absolute, file, connection, allowance })
    }

    /// Where the store is, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does `work` on one unchanging state of the store; `what` is for the message if it fails.
    pub(crate) fn read<T>(
        &self,
        what: &str,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, Fault> {
        self.allowance.renew();
        let transaction = self.connection.unchecked_transaction().map_err(StoreError::from);
        transaction
            .and_then(|transaction| work(&transaction))
            .map_err(|trouble| trouble.into_fault(&self.path, what))
    }

    /// Does `work` entirely, or, if it fails, not at all. What it did is on stable storage when
    /// this returns.
    pub(crate) fn write<T>(
        &mut self,
        what: &str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, Fault> {
        self.allowance.renew();
        committed(&mut self.connection, work)
            .map_err(|trouble| trouble.into_fault(&self.path, what))
    }

    /// The obstacle to writing the store, as far as it can be told without writing.
    pub fn obstacle(&mut self) -> Option<Obstacle> {
        self.allowance.renew();
        let lost = |trouble: StoreError, store: &Self| {
            Some(Obstacle::Lost(trouble.into_fault(store.path(), "write to")))
        };
        match (self.file, FileIdentity::of(&self.absolute)) {
            (_, Ok(None)) => return Some(Obstacle::Gone),
            (Some(opened), Ok(Some(now))) if !opened.is(now) => {
                return lost(StoreError::Moved("another file has taken its place"), self);
            }
            (Some(opened), Ok(Some(now))) if now.length < opened.length => {
                // SQLite makes a file shorter only when someone asks it to.
                if let Err(trouble) = self.examine() {
                    return lost(trouble, self);
                }
            }
            (_, Err(trouble)) => return lost(trouble, self),
            _ => {}
        }
        self.file = FileIdentity::of(&self.absolute).ok().flatten();
        match self.try_lock() {
            Ok(()) => None,
            Err(StoreError::Sql(error)) if connection::is_busy(&error) => Some(Obstacle::Locked),
            Err(trouble) => lost(trouble, self),
        }
    }

    /// Begins a change and gives it up again.
    fn try_lock(&mut self) -> Result<(), StoreError> {
        self.connection.busy_timeout(PATIENCE)?;
        let begun = self.connection.execute_batch("BEGIN IMMEDIATE");
        let patience = Terms::new(StoreAccess::ReadWrite).patience;
        self.connection.busy_timeout(patience)?;
        begun?;
        let current = schema::is_current(&self.connection, schema::STEPS);
        self.connection.execute_batch("ROLLBACK")?;
        current.map(drop)
    }

    /// Looks through the file by way of another connection, which remembers nothing of it.
    fn examine(&self) -> Result<(), StoreError> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let mut other = Connection::open_with_flags(&self.absolute, flags)?;
        connection::distrust(&mut other, &self.allowance)?;
        let said: String = other.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        match said.as_str() {
            "ok" => Ok(()),
            _ => Err(StoreError::Damage(said)),
        }
    }

    /// Makes the store again, with everything in it, after its file was removed or moved: the
    /// system keeps the content of a file that is open.
    ///
    /// # Errors
    /// When a file has come to lie at the path, or none can be made there.
    pub fn recreate(&mut self) -> Result<(), Fault> {
        self.try_recreate().map_err(|trouble| trouble.into_fault(self.path(), "make again"))
    }

    fn try_recreate(&mut self) -> Result<(), StoreError> {
        // What is in the log enters the old file, so that a log that is left beside the new one has
        // nothing to add to it.
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        let made = file::make_beside(&self.absolute)?;
        let mut copy = Connection::open(&made)?;
        connection::copy_all(&self.connection, &mut copy)?;
        copy.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
        drop(copy);
        file::put_in_place(&made, &self.absolute)?;
        // The old connection goes first: it has locks under the names of the files beside.
        self.connection = Connection::open_in_memory()?;
        let terms = Terms::new(StoreAccess::ReadWrite);
        self.connection = connection::open(&self.absolute, &terms)?;
        self.allowance = terms.allowance;
        self.file = FileIdentity::of(&self.absolute)?;
        Ok(())
    }

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

/// Does `work` in a transaction that locks out other writers from its start, so that it never has
/// to begin again.
fn committed<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let outcome = work(&transaction)?;
    transaction.commit()?;
    Ok(outcome)
}

/// How long is waited for other processes before the store counts as locked.
const PATIENCE: Duration = Duration::from_millis(500);

/// Why a store cannot be written now: it was removed, replaced, damaged or locked since it was
/// opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// Another process keeps it locked: it can be written later.
    Locked,
    /// Nothing lies at its path any more; see [`Store::recreate`].
    Gone,
    /// It cannot be written again: another file lies at its path, a newer version of Kneepoint has
    /// changed it, or it is damaged.
    Lost(Fault),
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
    if run::time_key(&header.started_at).is_none() {
        return Err(StoreError::Damage(format!("run {} has no usable start", header.id)));
    }
    Ok(())
}
