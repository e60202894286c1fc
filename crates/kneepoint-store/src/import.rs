//! Taking in runs that were measured elsewhere, from a document or from another store.

use std::collections::BTreeMap;
use std::path::Path;

use kneepoint_core::result::{PointResult, RUN_SCHEMA, RunDocument, RunState};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use rusqlite::Connection;

use crate::error::StoreError;
use crate::point::{CopyRow, Histograms, NewPoint, PointRow};
use crate::read::existing;
use crate::record::{Record, RunNumber};
use crate::run::{RUNNING, RunRow};
use crate::store::Store;
use crate::write::insert_run;
use crate::{name, run};

impl Store {
    /// Takes in a run from its document, entirely or not at all. Response times come along where
    /// they were exported; its summaries are left out, because they follow from the points and the
    /// copies.
    ///
    /// # Errors
    /// When the document has another format, an id that is taken or odd, or a time that is not
    /// UTC, or when the store cannot be written.
    pub fn import(&mut self, document: &RunDocument) -> Result<(), Fault> {
        check(document)?;
        self.write("import a run into", |transaction| {
            let about = (&document.plan, &document.environment, &document.warnings[..]);
            let number = insert_run(transaction, &RunRow::ended(&document.run, about)?)?;
            let mut repetitions = Repetitions::default();
            for (ordinal, result) in (0..).zip(&document.points) {
                let repetition = repetitions.next(result.key().encoded(), result.load);
                let histograms = &histograms(result)?;
                // What was measured is in columns of its own.
                let result = &PointResult { histograms: None, ..result.clone() };
                let point = NewPoint { ordinal, repetition, result, histograms };
                PointRow::new(number, &point)?.save(transaction)?;
            }
            for copy in (0..).zip(&document.copies) {
                CopyRow::new(number, copy)?.save(transaction)?;
            }
            Ok(())
        })
    }

    /// Takes in the run `id` of `other`, entirely or not at all: id, points, response times and
    /// copies stay as they are. A run that goes on there counts as interrupted here.
    ///
    /// # Errors
    /// When the run is not as it was written, or the store cannot be written.
    pub fn merge(&mut self, other: &Self, id: &str) -> Result<Merged, Fault> {
        other.read(LOAD, |from| {
            let (number, run) = taken_over(from, id)?;
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

/// The response times of a point, where the document has them.
fn histograms(point: &PointResult) -> Result<Histograms, Fault> {
    point
        .histograms
        .as_ref()
        .map_or(Ok(Histograms::default()), |histograms| histograms.encode().map(Histograms))
}

/// Refuses documents that the store could not give back.
fn check(document: &RunDocument) -> Result<(), Fault> {
    if document.schema != RUN_SCHEMA {
        return Err(Fault::new(format!("cannot import run {}", document.run.id)).because(format!(
            "its format is '{}', this version reads '{RUN_SCHEMA}'",
            document.schema
        )));
    }
    name::check_id(&document.run.id)?;
    run::check_time(&document.run.started_at)?;
    match document.run.finished_at.as_str() {
        "" => Ok(()),
        finished_at => run::check_time(finished_at),
    }
}

/// Counts points of the same series and load.
#[derive(Debug, Default)]
struct Repetitions {
    /// By series, unit and bits of the load.
    seen: BTreeMap<(String, LoadUnit, u64), u32>,
}

impl Repetitions {
    fn next(&mut self, series: String, load: LoadLevel) -> u32 {
        let count = self.seen.entry((series, load.unit, load.value.to_bits())).or_insert(0);
        *count += 1;
        *count - 1
    }
}

/// The fate of a run of another store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merged {
    /// It was taken in, with its response times.
    Taken,
    /// There is a run of its id already; that one stays as it is.
    AlreadyThere,
}

const LOAD: &str = "load a run from";
const TAKE: &str = "take a run into";

/// A trouble that says which of the two stores it is about.
fn named(trouble: StoreError, path: &Path, what: &str) -> StoreError {
    trouble.into_fault(path, what).into()
}

/// Number and row of a run of another store; one that goes on there counts as interrupted.
fn taken_over(connection: &Connection, id: &str) -> Result<(RunNumber, RunRow), StoreError> {
    let (number, mut run) = existing(connection, id)?;
    if run.state == RUNNING {
        run.state = RunState::Interrupted.name().to_owned();
        run.owner = None;
    }
    Ok((number, run))
}
