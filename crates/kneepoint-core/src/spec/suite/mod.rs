//! Suites as they are typed: an ordered set of series with their rules, in TOML.
//!
//! ```toml
//! name = "two-by-two"
//! title = "Reads and writes at two block sizes"
//! size = "8GiB"                          # of a test file; optional
//! steady_state = "60s"                   # points in rounds until steady state; optional
//! rules = ["mean<=20ms"]                 # by the class of the target by default
//! outstanding = "1..64x2"                # "rising" by default; or "auto"; or rate = "1000,2000"
//!
//! [[series]]
//! profile = "random-read"                # from the catalog, or a [[profile]] of this file
//! block = ["4KiB", "64KiB"]              # a series each; the profile's own by default
//!
//! [[series]]
//! profile = "random-write"
//! block = ["4KiB", "64KiB"]
//! outstanding = "1"                      # its own grid
//! ```
//!
//! A suite may vary settings and repeat itself: see [`crate::spec::factor`] for `[[factor]]`, `design`,
//! `order`; `repeat = 3` measures everything three times. A `[file_copy]` copies files after the
//! series: see [`crate::spec::file_copy`].
//!
//! A suite may define profiles in `[[profile]]` tables, written as in a file of their own. A
//! profile that is run by itself is a suite of one series ([`Suite::of_profile`]).

mod check;

use crate::spec::document::Document;
use crate::spec::factor::Factors;
use crate::spec::file_copy::FileCopy;
use crate::spec::grid::Loads;
use crate::spec::profile::Profile;
use crate::words::fault::Fault;
use crate::words::rule::Rule;
use crate::words::units::{Bytes, Nanos};

/// Most series of a suite, each block size counted.
pub const SERIES_MAX: usize = 1000;
/// Longest response time that a rule of a suite can allow (1 hour).
pub const RULE_LIMIT_MAX: Nanos = Nanos::from_secs(3600);
/// Shortest round of a point that is measured until steady state.
pub const ROUND_MIN: Nanos = Nanos::from_millis(100);
/// Longest round of a point that is measured until steady state (1 hour).
pub const ROUND_MAX: Nanos = Nanos::from_secs(3600);
/// Largest test file that a suite can ask for, in bytes (1 PiB).
pub const SIZE_BYTES_MAX: u64 = 1 << 50;

/// A suite as typed. Made by [`Suite::parse`] or [`Suite::of_profile`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Suite {
    /// Lower-case letters, digits and hyphens; how the command line calls it.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What it measures and how it departs from its source; may be empty.
    pub description: String,
    /// Where its numbers come from; may be empty.
    pub source: String,
    /// Size of the test file where the target is one and the command line names none.
    pub size: Option<Bytes>,
    /// Length of the rounds in which a point is measured until steady state; `None` to end points
    /// as the command line says.
    pub steady_state: Option<Nanos>,
    /// Conditions that the summaries are read off at; none for those of the targets' class
    /// ([`crate::words::storage_class`]).
    pub rules: Vec<Rule>,
    /// Load levels of series whose profile has none either.
    pub loads: Option<Loads>,
    /// Settings that are varied, and how.
    pub factors: Factors,
    /// How often everything is measured; `None` where the suite doesn't say.
    pub repeat: Option<u32>,
    /// Files that are copied after the series; `None` for none.
    pub file_copy: Option<FileCopy>,
    /// Series in the order in which they run, at least one.
    pub series: Vec<Series>,
    /// Profiles that the suite brings along; they come before those of the catalog.
    pub profiles: Vec<Profile>,
}

/// A profile of a suite with the block sizes that it runs at.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name of the profile.
    pub profile: String,
    /// One series each; empty for the profile's own size or sizes.
    pub blocks: Vec<Bytes>,
    /// Load levels of this series; before those of the profile and of the suite.
    pub loads: Option<Loads>,
    /// A remark for people; may be empty.
    pub note: String,
}

impl Suite {
    /// Reads a suite; `file_name` is what faults call the text.
    ///
    /// # Errors
    /// When the text is not TOML, has keys or values that a suite doesn't have, names a profile
    /// that doesn't exist, or contradicts itself. The fault names file, line and column.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, Fault> {
        let document = Document::new(file_name, text);
        let file: check::SuiteFile = document.read()?;
        check::check(document, &file)
    }

    /// A profile by itself as a suite of one series, with the rules of the targets' class and,
    /// unless the profile says otherwise, the standard loads.
    pub fn of_profile(profile: Profile) -> Self {
        let series = Series {
            profile: profile.name.clone(),
            blocks: Vec::new(),
            loads: None,
            note: String::new(),
        };
        Self {
            description: profile.description.clone(),
            source: profile.source.clone(),
            series: vec![series],
            profiles: vec![profile.clone()],
            ..Self::of_nothing(&profile.name, &profile.title)
        }
    }

    /// A suite without series, which no text can say.
    pub(crate) fn of_nothing(name: &str, title: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            description: String::new(),
            source: String::new(),
            size: None,
            steady_state: None,
            rules: Vec::new(),
            loads: None,
            factors: Factors::default(),
            repeat: None,
            file_copy: None,
            series: Vec::new(),
            profiles: Vec::new(),
        }
    }
}

impl Series {
    /// The block sizes; `None` stands for the profile's own.
    pub(crate) fn blocks_or_own(&self) -> Vec<Option<Bytes>> {
        match self.blocks.as_slice() {
            [] => vec![None],
            blocks => blocks.iter().copied().map(Some).collect(),
        }
    }
}

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod tests;
