//! What tells the series of a run apart: the name, and the levels of the factors.

use std::fmt;

use crate::factor::{Combination, combination_text};
use crate::plan::SeriesPlan;
use crate::result::{PointResult, Summary};

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
