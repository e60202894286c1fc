//! Points as the store takes them, gives them back, and keeps them as rows of the table `points`;
//! copies of files as rows of the table `copies`.

use std::collections::BTreeMap;

use kneepoint_core::result::{
    CopyResult, PointHistograms, PointResult, READ, WRITE, upgrade_copy, upgrade_point,
};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use rusqlite::{Connection, named_params};
use serde_json::Value;

use crate::error::StoreError;
use crate::record::{Record, RunNumber, record};
use crate::run::{decode, encode};

/// A point that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewPoint<'a> {
    /// Place in the order measured, unique within the run.
    pub ordinal: u32,
    /// How many points of the same series and load come before this one.
    pub repetition: u32,
    /// The numbers.
    pub result: &'a PointResult,
    /// The response times.
    pub histograms: &'a Histograms,
}

/// The response times of a point by class, in core's encoding; the store does not look into them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histograms(pub BTreeMap<String, Vec<u8>>);

impl Histograms {
    /// All classes as one blob: of each the length of its name, the name, the length of its
    /// histogram (32 bits, little-endian), the histogram. `None` without classes.
    ///
    /// A name is cut after 255 bytes.
    pub(crate) fn encode(&self) -> Option<Vec<u8>> {
        let mut blob = Vec::new();
        for (name, histogram) in &self.0 {
            let name = &name.as_bytes()[..name.len().min(usize::from(u8::MAX))];
            blob.push(name.len() as u8);
            blob.extend_from_slice(name);
            blob.extend_from_slice(&(histogram.len() as u32).to_le_bytes());
            blob.extend_from_slice(histogram);
        }
        (!blob.is_empty()).then_some(blob)
    }

    /// The classes of a blob; `None` if it is none that was encoded.
    pub(crate) fn decode(mut blob: &[u8]) -> Option<Self> {
        let mut classes = BTreeMap::new();
        while let Some((length, rest)) = blob.split_first() {
            let (name, rest) = rest.split_at_checked(usize::from(*length))?;
            let (length, rest) = rest.split_first_chunk::<4>()?;
            let (histogram, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            classes.insert(String::from_utf8(name.to_vec()).ok()?, histogram.to_vec());
            blob = rest;
        }
        Some(Self(classes))
    }

    /// The same as documents hold them; nothing where none is known.
    ///
    /// # Errors
    /// When they are not in core's encoding.
    pub fn in_full(&self) -> Result<Option<PointHistograms>, Fault> {
        let known = (!self.0.is_empty()).then(|| PointHistograms::decode(&self.0));
        known.transpose()
    }
}

/// A point as saved, without its histograms.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPoint {
    /// Place in the order measured.
    pub ordinal: u32,
    /// How many points of the same series and load come before this one.
    pub repetition: u32,
    /// The numbers.
    pub result: PointResult,
}

record! {
    /// A point, column by column; the histograms of reads and of writes are those of formats 1
    /// and 2.
    PointRow in "points" called |point| {
        format!("point {} ({} at {})", point.ordinal, point.series, point.load_value)
    };
    run: RunNumber,
    ordinal: u32,
    series: String,
    load_unit: String,
    load_value: f64,
    repetition: u32,
    result: String,
    read_histogram: Option<Vec<u8>>,
    write_histogram: Option<Vec<u8>>,
    histograms: Option<Vec<u8>>,
}

impl PointRow {
    /// The row of a point of the run with that number.
    pub(crate) fn new(run: RunNumber, point: &NewPoint<'_>) -> Result<Self, StoreError> {
        let load = point.result.load;
        let result = encode(point.result)?;
        let finite = load.value.is_finite() && load.value > 0.0;
        // What is not finite is encoded as unknown.
        let is_kept = decode::<PointResult>(&result).is_some_and(|back| {
            back.cpu_percent == point.result.cpu_percent
                && back.latency_ms == point.result.latency_ms
        });
        if !finite || !is_kept {
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
            read_histogram: None,
            write_histogram: None,
            histograms: point.histograms.encode(),
        })
    }

    /// Adds this row to the table, unless it is taken.
    pub(crate) fn save(&self, connection: &Connection) -> Result<(), StoreError> {
        const WHY: &str =
            "the run already has a point at this place, or of this load and repetition";
        self.insert(connection).map_err(|error| refused(error, (&self.name(), WHY)))
    }

    /// Removes the row in the place of this one, which must be of the same load and repetition.
    pub(crate) fn remove_previous(&self, connection: &Connection) -> Result<(), StoreError> {
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

    /// The point itself, which must be the one that the row is filed under.
    pub(crate) fn stored(&self) -> Result<StoredPoint, StoreError> {
        let result: PointResult = decode::<serde_json::Value>(&self.result)
            .and_then(|result| serde_json::from_value(upgrade_point(result)).ok())
            .ok_or_else(|| StoreError::Damage(format!("{} cannot be understood", self.name())))?;
        let unit = LoadUnit::named(&self.load_unit)
            .ok_or_else(|| StoreError::Damage(format!("the load of {} is unknown", self.name())))?;
        let load = LoadLevel { value: self.load_value, unit };
        // Before factors were known to the store, points were filed under the name alone.
        let is_filed_so = self.series == result.key().encoded() || self.series == result.series;
        if !is_filed_so || load != result.load {
            return Err(StoreError::Damage(format!("{} holds another point", self.name())));
        }
        Ok(StoredPoint { ordinal: self.ordinal, repetition: self.repetition, result })
    }

    /// The response times.
    pub(crate) fn histograms(&self) -> Result<Histograms, StoreError> {
        if let Some(blob) = &self.histograms {
            return Histograms::decode(blob).ok_or_else(|| {
                StoreError::Damage(format!("the response times of {} cannot be read", self.name()))
            });
        }
        let named = [(READ, &self.read_histogram), (WRITE, &self.write_histogram)];
        let known = named.into_iter();
        let known = known.filter_map(|(name, blob)| Some((name.to_owned(), blob.clone()?)));
        Ok(Histograms(known.collect()))
    }
}

/// True if a row was refused because another one is in its place.
pub(crate) fn is_taken(error: &rusqlite::Error) -> bool {
    const TAKEN: [i32; 2] =
        [rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE, rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY];
    error.sqlite_error().is_some_and(|error| TAKEN.contains(&error.extended_code))
}

/// The trouble with a row that cannot be added; `why` holds where another one is in its place.
pub(crate) fn refused(error: rusqlite::Error, (name, why): (&str, &str)) -> StoreError {
    match is_taken(&error) {
        true => Fault::new(format!("cannot save {name}")).because(why).into(),
        false => error.into(),
    }
}

fn unusable(result: &PointResult) -> Fault {
    Fault::new(format!("cannot save a point of {} at {}", result.key(), result.load))
        .because("it has a number that is not finite, or a load that is not above zero")
}

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
