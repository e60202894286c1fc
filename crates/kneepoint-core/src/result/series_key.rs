//! What tells the series of a run apart: the name, and the levels of the factors.

use std::collections::BTreeMap;
use std::fmt;

use crate::plan::SeriesPlan;
use crate::result::{PointResult, Summary};
use crate::spec::factor::{Combination, combination_text};

/// A series at one combination of factors. Ordered by name, then by levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesKey<'a> {
    /// Profile and block size.
    pub name: &'a str,
    /// Levels of the factors; empty where nothing is varied.
    pub factors: &'a Combination,
}

impl SeriesKey<'_> {
    /// The key as one text, different for different keys; the name alone where nothing is varied.
    pub fn encoded(&self) -> String {
        if self.factors.is_empty() {
            return self.name.to_owned();
        }
        let levels = serde_json::to_string(self.factors).unwrap_or_default();
        format!("{} {levels}", self.name)
    }
}

impl fmt::Display for SeriesKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        match self.factors.is_empty() {
            true => Ok(()),
            false => write!(f, " [{}]", combination_text(self.factors)),
        }
    }
}

/// The points of one series of a run, in the order given.
#[derive(Debug, Clone)]
pub struct SeriesPoints<'a> {
    /// The series.
    pub key: SeriesKey<'a>,
    /// Its points; at least one.
    pub points: Vec<&'a PointResult>,
}

/// `points` by series, these in the order of their first appearance.
pub fn by_series(points: &[PointResult]) -> Vec<SeriesPoints<'_>> {
    let mut all: Vec<SeriesPoints<'_>> = Vec::new();
    let mut places = BTreeMap::new();
    for point in points {
        let key = point.key();
        let place = *places.entry(key).or_insert(all.len());
        match all.get_mut(place) {
            Some(series) => series.points.push(point),
            None => all.push(SeriesPoints { key, points: vec![point] }),
        }
    }
    all
}

impl PointResult {
    /// The series that the point belongs to.
    pub fn key(&self) -> SeriesKey<'_> {
        SeriesKey { name: &self.series, factors: &self.factors }
    }
}

impl Summary {
    /// The series that is summed up.
    pub fn key(&self) -> SeriesKey<'_> {
        SeriesKey { name: &self.series, factors: &self.factors }
    }
}

impl SeriesPlan {
    /// What tells the series from the others of its plan.
    pub fn key(&self) -> SeriesKey<'_> {
        SeriesKey { name: &self.name, factors: &self.factors }
    }
}
