//! Points as the store takes them and gives them back.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use kneepoint_core::result::{PointHistograms, PointResult};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;

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
}

impl Histograms {
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

/// What identifies a point within its run. Ordered by series, load and repetition.
#[derive(Debug, Clone)]
pub struct PointKey {
    /// The series with the levels of its factors ([`kneepoint_core::result::series_key`]).
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
