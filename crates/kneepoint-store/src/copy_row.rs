//! Copies of files as rows of the table `copies`.

use kneepoint_core::result::{CopyResult, upgrade_copy};
use kneepoint_core::words::fault::Fault;
use rusqlite::{Connection, Row, named_params};
use serde_json::Value;

use crate::point_row::is_taken;
use crate::run_row::{RunNumber, decode, encode};
use crate::seal::{self, Seal};
use crate::trouble::Trouble;

/// A copy, column by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CopyRow {
    run: RunNumber,
    ordinal: u32,
    result: String,
}

impl CopyRow {
    /// The row of a copy of the run with that number.
    pub(crate) fn new(
        run: RunNumber,
        (ordinal, copy): (u32, &CopyResult),
    ) -> Result<Self, Trouble> {
        let result = encode(copy)?;
        match decode::<CopyResult>(&result) {
            Some(back) if back == *copy => Ok(Self { run, ordinal, result }),
            _ => Err(Fault::new(format!("cannot save copy {ordinal} of files"))
                .because("it has a number that is not finite")
                .into()),
        }
    }

    /// All copies of a run in the order made, each verified.
    pub(crate) fn of_run(
        connection: &Connection,
        run: RunNumber,
    ) -> Result<Vec<CopyResult>, Trouble> {
        let mut query =
            connection.prepare_cached("SELECT * FROM copies WHERE run = ?1 ORDER BY ordinal")?;
        let mut last = None;
        let rows = query.query_map([run], Self::read)?;
        rows.map(|row| {
            let (row, seal) = row?;
            seal::check_order(&mut last, row.ordinal, || row.name())?;
            row.stored(&seal)
        })
        .collect()
    }

    /// Row and digest as the table has them.
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<(Self, Vec<u8>)> {
        let copy =
            Self { run: row.get("run")?, ordinal: row.get("ordinal")?, result: row.get("result")? };
        Ok((copy, row.get("seal")?))
    }

    /// The copy itself, if the row is what was written.
    pub(crate) fn stored(&self, written: &[u8]) -> Result<CopyResult, Trouble> {
        seal::verify(self.seal(), written, || self.name())?;
        decode::<Value>(&self.result)
            .and_then(|copy| serde_json::from_value(upgrade_copy(copy)).ok())
            .ok_or_else(|| Trouble::Damage(format!("{} cannot be understood", self.name())))
    }

    fn seal(&self) -> Seal {
        seal::seal(&[
            (&self.run.to_le_bytes()).into(),
            (&self.ordinal.to_le_bytes()).into(),
            (&self.result).into(),
        ])
    }

    /// Adds this row to the table.
    pub(crate) fn insert(&self, connection: &Connection) -> Result<(), Trouble> {
        let mut command = connection.prepare_cached(
            "INSERT INTO copies (run, ordinal, result, seal)
             VALUES (:run, :ordinal, :result, :seal)",
        )?;
        let outcome = command.execute(named_params! {
            ":run": self.run, ":ordinal": self.ordinal, ":result": self.result,
            ":seal": self.seal(),
        });
        match outcome {
            Err(error) if is_taken(&error) => {
                Err(Fault::new(format!("cannot save {}", self.name()))
                    .because("the run already has one at this place")
                    .into())
            }
            other => other.map(drop).map_err(Trouble::from),
        }
    }

    fn name(&self) -> String {
        format!("copy {} of files", self.ordinal)
    }
}
