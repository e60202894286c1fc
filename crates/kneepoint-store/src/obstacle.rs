//! What keeps a store from being written during a run: it was removed, replaced, damaged or locked
//! since it was opened.

use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode};

use crate::connection::{self, Access, Terms};
use crate::error::StoreError;
use crate::file::{self, Identity};
use crate::schema;
use crate::store::Store;

/// How long is waited for other processes before the store counts as locked.
const PATIENCE: Duration = Duration::from_millis(500);

/// Pages that are copied at once.
const PAGES_AT_ONCE: std::ffi::c_int = 4096;

/// Why a store cannot be written now.
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

impl Store {
    /// What keeps the store from being written, as far as that can be told without writing.
    pub fn obstacle(&mut self) -> Option<Obstacle> {
        self.allowance.renew();
        let lost = |trouble: StoreError, store: &Self| {
            Some(Obstacle::Lost(trouble.into_fault(store.path(), "write to")))
        };
        match (self.file, Identity::of(&self.absolute)) {
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
        self.file = Identity::of(&self.absolute).ok().flatten();
        match self.try_lock() {
            Ok(()) => None,
            Err(StoreError::Sql(error)) if is_busy(&error) => Some(Obstacle::Locked),
            Err(trouble) => lost(trouble, self),
        }
    }

    /// Begins a change and gives it up again.
    fn try_lock(&mut self) -> Result<(), StoreError> {
        self.connection.busy_timeout(PATIENCE)?;
        let begun = self.connection.execute_batch("BEGIN IMMEDIATE");
        let patience = Terms::new(Access::ReadWrite).patience;
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
        Backup::new(&self.connection, &mut copy)?.run_to_completion(
            PAGES_AT_ONCE,
            Duration::ZERO,
            None,
        )?;
        copy.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
        drop(copy);
        file::put_in_place(&made, &self.absolute)?;
        // The old connection goes first: it has locks under the names of the files beside.
        self.connection = Connection::open_in_memory()?;
        let terms = Terms::new(Access::ReadWrite);
        self.connection = connection::open(&self.absolute, &terms)?;
        self.allowance = terms.allowance;
        self.file = Identity::of(&self.absolute)?;
        Ok(())
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
