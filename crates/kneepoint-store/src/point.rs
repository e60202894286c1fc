//! Points as the store takes them and gives them back.

use std::cmp::Ordering;

use kneepoint_core::fault::Fault;
use kneepoint_core::load::LoadLevel;
use kneepoint_core::record::histogram::Histogram;
use kneepoint_core::result::{PointHistograms, PointResult};

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

/// The response times of a point, in core's encoding; the store does not look into them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histograms {
    /// Reads; nothing where none is known.
    pub read: Option<Vec<u8>>,
    /// Writes; nothing where none is known.
    pub write: Option<Vec<u8>>,
}

impl Histograms {
    /// The same as documents hold them; nothing where none is known.
    ///
    /// # Errors
    /// When they are not in core's encoding.
    pub fn in_full(&self) -> Result<Option<PointHistograms>, Fault> {
        let pairs = |bytes: &Option<Vec<u8>>| -> Result<_, Fault> {
            Ok(match bytes {
                Some(bytes) => Some(Histogram::decode(bytes)?.us_counts()),
                None => None,
            })
        };
        let (read, write) = (pairs(&self.read)?, pairs(&self.write)?);
        Ok((read.is_some() || write.is_some()).then(|| PointHistograms {
            read_us_count: read.unwrap_or_default(),
            write_us_count: write.unwrap_or_default(),
        }))
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

/// What identifies a point within its run. Ordered by series, load and repetition.
#[derive(Debug, Clone)]
pub struct PointKey {
    /// The series with the levels of its factors ([`kneepoint_core::series_key`]).
    pub series: String,
    /// The load.
    pub load: LoadLevel,
    /// How many points of the same series and load come before this one.
    pub repetition: u32,
}

impl Ord for PointKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let series = self.series.cmp(&other.series);
        series
            .then_with(|| self.load.unit.cmp(&other.load.unit))
            .then_with(|| self.load.value.total_cmp(&other.load.value))
            .then_with(|| self.repetition.cmp(&other.repetition))
    }
}

impl PartialOrd for PointKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PointKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PointKey {}
