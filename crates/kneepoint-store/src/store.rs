//! The store itself: opening it, and the frame of every access.

use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::allowance::Allowance;
use crate::connection::{self, Access, Terms};
use crate::error::StoreError;
use crate::file::Identity;

/// Runs and their points, in one file.
///
/// Several processes may have the same store open. What one of them has saved, the others see.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// The path, absolute.
    pub(crate) absolute: PathBuf,
    /// The file that was opened.
    pub(crate) file: Option<Identity>,
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
    pub fn open(path: &Path, access: Access) -> Result<Self, Fault> {
        let fault = |trouble: StoreError| trouble.into_fault(path, "open");
        let absolute = std::path::absolute(path).map_err(|error| fault(error.into()))?;
        let terms = Terms::new(access);
        let connection = connection::open(&absolute, &terms).map_err(fault)?;
        let file = Identity::of(&absolute).map_err(fault)?;
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
