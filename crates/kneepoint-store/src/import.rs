//! Taking in runs that were measured elsewhere.

use std::collections::BTreeMap;

use kneepoint_core::result::{PointResult, RUN_SCHEMA, RunDocument};
use kneepoint_core::words::fault::Fault;

use crate::copy_row::CopyRow;
use crate::error::StoreError;
use crate::point::{Histograms, NewPoint, PointKey, PointRow};
use crate::run::{RunRow, encode};
use crate::store::Store;
use crate::write::insert_run;
use crate::{id, timestamp};

impl Store {
    /// Takes in a run from its document, entirely or not at all. Response times come along where
    /// they were exported; its summaries are left out, because they follow from the points and the copies.
    ///
    /// # Errors
    /// When the document has another format, an id that is taken or odd, or a time that is not
    /// UTC, or when the store cannot be written.
    pub fn import(&mut self, document: &RunDocument) -> Result<(), Fault> {
        check(document)?;
        self.write("import a run into", |transaction| {
            let number = insert_run(transaction, &ended(document)?)?;
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
    id::check(&document.run.id)?;
    timestamp::check(&document.run.started_at)?;
    match document.run.finished_at.as_str() {
        "" => Ok(()),
        finished_at => timestamp::check(finished_at),
    }
}

/// The row of a run that goes on no more.
fn ended(document: &RunDocument) -> Result<RunRow, StoreError> {
    let run = document.run.clone();
    Ok(RunRow {
        id: run.id,
        label: run.label,
        work: run.work,
        state: run.state.name().to_owned(),
        owner: None,
        started_at: run.started_at,
        finished_at: run.finished_at,
        plan: encode(&document.plan)?,
        plan_hash: run.plan_hash,
        seed: run.seed.to_string(),
        version: run.version,
        command: run.command,
        environment: encode(&document.environment)?,
        warnings: encode(&document.warnings)?,
    })
}

/// Counts points of the same series and load.
#[derive(Debug, Default)]
struct Repetitions {
    seen: BTreeMap<PointKey, u32>,
}

impl Repetitions {
    fn next(&mut self, series: String, load: kneepoint_core::words::load::LoadLevel) -> u32 {
        let count = self.seen.entry(PointKey { series, load, repetition: 0 }).or_insert(0);
        *count += 1;
        *count - 1
    }
}
