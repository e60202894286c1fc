//! Copies of files as rows of the table `copies`.

use kneepoint_core::result::{CopyResult, upgrade_copy};
use kneepoint_core::words::fault::Fault;
use rusqlite::Connection;
use serde_json::Value;

use crate::error::StoreError;
use crate::point::refused;
use crate::record::{Record, RunNumber, record};
use crate::run::{decode, encode};

record! {
    /// A copy, column by column.
    CopyRow in "copies" called |copy| format!("copy {} of files", copy.ordinal);
    run: RunNumber,
    ordinal: u32,
    result: String,
}

impl CopyRow {
    /// The row of a copy of the run with that number.
    pub(crate) fn new(
        run: RunNumber,
        (ordinal, copy): (u32, &CopyResult),
    ) -> Result<Self, StoreError> {
        let result = encode(copy)?;
        match decode::<CopyResult>(&result) {
            Some(back) if back == *copy => Ok(Self { run, ordinal, result }),
            _ => Err(Fault::new(format!("cannot save copy {ordinal} of files"))
                .because("it has a number that is not finite")
                .into()),
        }
    }

    /// The copy itself.
    pub(crate) fn stored(&self) -> Result<CopyResult, StoreError> {
        decode::<Value>(&self.result)
            .and_then(|copy| serde_json::from_value(upgrade_copy(copy)).ok())
            .ok_or_else(|| StoreError::Damage(format!("{} cannot be understood", self.name())))
    }

    /// Adds this row to the table, unless it is taken.
    pub(crate) fn save(&self, connection: &Connection) -> Result<(), StoreError> {
        const WHY: &str = "the run already has one at this place";
        self.insert(connection).map_err(|error| refused(error, (&self.name(), WHY)))
    }
}
