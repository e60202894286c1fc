//! Taking in the runs of another store.

use std::path::Path;

use kneepoint_core::result::RunState;
use kneepoint_core::words::fault::Fault;
use rusqlite::Connection;

use crate::copy_row::CopyRow;
use crate::error::StoreError;
use crate::point::PointRow;
use crate::read::existing;
use crate::record::{Record, RunNumber};
use crate::run::{RUNNING, RunRow};
use crate::store::Store;
use crate::write::insert_run;

/// What became of a run of another store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merged {
    /// It was taken in, with its response times.
    Taken,
    /// There is a run of its id already; that one stays as it is.
    AlreadyThere,
}

impl Store {
    /// Takes in the run `id` of `other`, entirely or not at all: id, points, response times and
    /// copies stay as they are. A run that goes on there counts as interrupted here.
    ///
    /// # Errors
    /// When the run is not as it was written, or the store cannot be written.
    pub fn merge(&mut self, other: &Self, id: &str) -> Result<Merged, Fault> {
        other.read(LOAD, |from| {
            let (number, run) = ended(from, id)?;
            let copies = CopyRow::of_run(from, number, |row| row.stored())?;
            let own_path = self.path().to_owned();
            let taken = self.write(TAKE, |transaction| {
                if RunRow::by_id(transaction, id)?.is_some() {
                    return Ok(Merged::AlreadyThere);
                }
                let own_number = insert_run(transaction, &run)?;
                let take = |mut point: PointRow| {
                    point.run = own_number;
                    point.save(transaction).map_err(|trouble| named(trouble, &own_path, TAKE))
                };
                PointRow::of_run(from, number, take)
                    .map_err(|trouble| named(trouble, other.path(), LOAD))?;
                for (ordinal, copy) in (0..).zip(&copies) {
                    CopyRow::new(own_number, (ordinal, copy))?.save(transaction)?;
                }
                Ok(Merged::Taken)
            });
            Ok(taken?)
        })
    }
}

const LOAD: &str = "load a run from";
const TAKE: &str = "take a run into";

/// A trouble that says which of the two stores it is about.
fn named(trouble: StoreError, path: &Path, what: &str) -> StoreError {
    trouble.into_fault(path, what).into()
}

/// Number and row of a run of another store; one that goes on there counts as interrupted.
fn ended(connection: &Connection, id: &str) -> Result<(RunNumber, RunRow), StoreError> {
    let (number, mut run) = existing(connection, id)?;
    if run.state == RUNNING {
        run.state = RunState::Interrupted.name().to_owned();
        run.owner = None;
    }
    Ok((number, run))
}
