//! Points as rows of the table `points`.

use kneepoint_core::result::{PointResult, READ, WRITE, upgrade_point};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use rusqlite::{Connection, Row, named_params};

use crate::point::{Histograms, NewPoint, PointKey, StoredPoint};
use crate::run_row::{RunNumber, decode, encode};
use crate::seal::{self, Seal};
use crate::trouble::Trouble;

/// A point, column by column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointRow {
    pub(crate) run: RunNumber,
    pub(crate) ordinal: u32,
    series: String,
    load_unit: String,
    load_value: f64,
    repetition: u32,
    result: String,
    /// The histograms of reads and of writes in formats 1 and 2.
    older_histograms: [Option<Vec<u8>>; 2],
    histograms: Option<Vec<u8>>,
}

impl PointRow {
    /// The row of a point of the run with that number.
    pub(crate) fn new(run: RunNumber, point: &NewPoint<'_>) -> Result<Self, Trouble> {
        let load = point.result.load;
        let result = encode(point.result)?;
        let finite = load.value.is_finite() && load.value > 0.0;
        if !finite || decode::<PointResult>(&result).is_none() {
            return Err(unusable(point.result).into());
        }
        Ok(Self {
            run,
            ordinal: point.ordinal,
            series: point.result.key().encoded(),
            load_unit: load.unit.name().to_owned(),
            load_value: load.value,
            repetition: point.repetition,
            result,
            older_histograms: [None, None],
            histograms: point.histograms.encode(),
        })
    }

    /// What `take` makes of each row of a run in the order measured, verified. One row at a time is
    /// in memory.
    pub(crate) fn of_run<T>(
        connection: &Connection,
        run: RunNumber,
        mut take: impl FnMut(Self) -> Result<T, Trouble>,
    ) -> Result<Vec<T>, Trouble> {
        let mut query =
            connection.prepare_cached("SELECT * FROM points WHERE run = ?1 ORDER BY ordinal")?;
        let mut last = None;
        let rows = query.query_map([run], Self::read)?;
        rows.map(|row| {
            let (row, seal) = row?;
            seal::check_order(&mut last, row.ordinal, || row.name())?;
            take(row.verified(&seal)?)
        })
        .collect()
    }

    /// Row and digest as the table has them.
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<(Self, Vec<u8>)> {
        let point = Self {
            run: row.get("run")?,
            ordinal: row.get("ordinal")?,
            series: row.get("series")?,
            load_unit: row.get("load_unit")?,
            load_value: row.get("load_value")?,
            repetition: row.get("repetition")?,
            result: row.get("result")?,
            older_histograms: [row.get("read_histogram")?, row.get("write_histogram")?],
            histograms: row.get("histograms")?,
        };
        Ok((point, row.get("seal")?))
    }

    /// This row, if it is what was written.
    pub(crate) fn verified(self, written: &[u8]) -> Result<Self, Trouble> {
        seal::verify(self.seal(), written, || self.name())?;
        Ok(self)
    }

    fn seal(&self) -> Seal {
        let [read, write] = &self.older_histograms;
        let (run, ordinal) = (self.run.to_le_bytes(), self.ordinal.to_le_bytes());
        let (value, repetition) = (self.load_value.to_le_bytes(), self.repetition.to_le_bytes());
        let mut parts = vec![
            (&run).into(),
            (&ordinal).into(),
            (&self.series).into(),
            (&self.load_unit).into(),
            (&value).into(),
            (&repetition).into(),
            (&self.result).into(),
            read.as_ref().into(),
            write.as_ref().into(),
        ];
        // Rows of older formats have none, and were sealed without.
        if self.histograms.is_some() {
            parts.push(self.histograms.as_ref().into());
        }
        seal::seal(&parts)
    }

    /// Adds this row to the table.
    pub(crate) fn insert(&self, connection: &Connection) -> Result<(), Trouble> {
        let mut command = connection.prepare_cached(
            "INSERT INTO points (run, ordinal, series, load_unit, load_value, repetition, result,
               read_histogram, write_histogram, histograms, seal)
             VALUES (:run, :ordinal, :series, :load_unit, :load_value, :repetition, :result,
               :read, :write, :histograms, :seal)",
        )?;
        let outcome = command.execute(named_params! {
            ":run": self.run, ":ordinal": self.ordinal, ":series": self.series,
            ":load_unit": self.load_unit, ":load_value": self.load_value,
            ":repetition": self.repetition, ":result": self.result,
            ":read": self.older_histograms[0], ":write": self.older_histograms[1],
            ":histograms": self.histograms, ":seal": self.seal(),
        });
        match outcome {
            Err(error) if is_taken(&error) => Err(self.taken().into()),
            other => other.map(drop).map_err(Trouble::from),
        }
    }

    /// Removes the row in the place of this one, which must be of the same load and repetition.
    pub(crate) fn remove_previous(&self, connection: &Connection) -> Result<(), Trouble> {
        let removed = connection.execute(
            "DELETE FROM points WHERE run = :run AND ordinal = :ordinal AND load_unit = :load_unit
               AND load_value = :load_value AND repetition = :repetition",
            named_params! {
                ":run": self.run, ":ordinal": self.ordinal, ":load_unit": self.load_unit,
                ":load_value": self.load_value, ":repetition": self.repetition,
            },
        )?;
        if removed == 1 {
            return Ok(());
        }
        let fault = Fault::new(format!("cannot replace {}", self.name()));
        Err(fault.because("the run has no such point").into())
    }

    /// What identifies the point.
    pub(crate) fn key(&self) -> Result<PointKey, Trouble> {
        let unit = LoadUnit::named(&self.load_unit)
            .ok_or_else(|| Trouble::Damage(format!("the load of {} is unknown", self.name())))?;
        let load = LoadLevel { value: self.load_value, unit };
        Ok(PointKey { series: self.series.clone(), load, repetition: self.repetition })
    }

    /// The point itself, which must be the one that the row is filed under.
    pub(crate) fn stored(&self) -> Result<StoredPoint, Trouble> {
        let result: PointResult = decode::<serde_json::Value>(&self.result)
            .and_then(|result| serde_json::from_value(upgrade_point(result)).ok())
            .ok_or_else(|| Trouble::Damage(format!("{} cannot be understood", self.name())))?;
        let key = self.key()?;
        // Before factors were known to the store, points were filed under the name alone.
        let is_filed_so = key.series == result.key().encoded() || key.series == result.series;
        if !is_filed_so || key.load != result.load {
            return Err(Trouble::Damage(format!("{} holds another point", self.name())));
        }
        Ok(StoredPoint { ordinal: self.ordinal, repetition: self.repetition, result })
    }

    /// The response times.
    pub(crate) fn histograms(&self) -> Result<Histograms, Trouble> {
        if let Some(blob) = &self.histograms {
            return Histograms::decode(blob).ok_or_else(|| {
                Trouble::Damage(format!("the response times of {} cannot be read", self.name()))
            });
        }
        let named = [READ, WRITE].into_iter().zip(self.older_histograms.clone());
        let known = named.filter_map(|(name, blob)| Some((name.to_owned(), blob?)));
        Ok(Histograms(known.collect()))
    }

    fn name(&self) -> String {
        format!("point {} ({} at {})", self.ordinal, self.series, self.load_value)
    }

    fn taken(&self) -> Fault {
        Fault::new(format!("cannot save {}", self.name()))
            .because("the run already has a point at this place, or of this load and repetition")
    }
}

/// Whether a row was refused because another one is in its place.
pub(crate) fn is_taken(error: &rusqlite::Error) -> bool {
    const TAKEN: [i32; 2] =
        [rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE, rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY];
    error.sqlite_error().is_some_and(|error| TAKEN.contains(&error.extended_code))
}

fn unusable(result: &PointResult) -> Fault {
    Fault::new(format!("cannot save a point of {} at {}", result.key(), result.load))
        .because("it has a number that is not finite, or a load that is not above zero")
}
