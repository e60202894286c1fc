//! Taking in the runs of another store.

use kneepoint_core::fault::Fault;
use rusqlite::Connection;

use crate::copy_row::CopyRow;
use crate::point_row::PointRow;
use crate::read::existing;
use crate::run_row::{RUNNING, RunRow};
use crate::store::Store;
use crate::trouble::Trouble;
use crate::write::insert_run;

use kneepoint_core::file_copy::CopyResult;
use kneepoint_core::result::RunState;

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
        let run = other.read("load a run from", |connection| whole(connection, id))?;
        self.write("take a run into", |transaction| {
            if RunRow::by_id(transaction, id)?.is_some() {
                return Ok(Merged::AlreadyThere);
            }
            let number = insert_run(transaction, &run.row)?;
            for mut point in run.points {
                point.run = number;
                point.insert(transaction)?;
            }
            for (ordinal, copy) in (0..).zip(&run.copies) {
                CopyRow::new(number, (ordinal, copy))?.insert(transaction)?;
            }
            Ok(Merged::Taken)
        })
    }
}

/// A run with everything that belongs to it.
struct Whole {
    row: RunRow,
    points: Vec<PointRow>,
    copies: Vec<CopyResult>,
}

fn whole(connection: &Connection, id: &str) -> Result<Whole, Trouble> {
    let (number, mut row) = existing(connection, id)?;
    if row.state == RUNNING {
        row.state = RunState::Interrupted.name().to_owned();
        row.owner = None;
    }
    let points = PointRow::of_run(connection, number)?;
    Ok(Whole { row, points, copies: CopyRow::of_run(connection, number)? })
}
