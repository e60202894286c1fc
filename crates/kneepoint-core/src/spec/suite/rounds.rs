//! `[rounds]` and `[precondition]` of a suite: everything again and again until it is steady.
//!
//! ```toml
//! [precondition]                         # before the first round; optional
//! block = "128KiB"                       # sequential writes of this size ...
//! passes = 2                             # ... over everything that is used, this many times
//!
//! [rounds]
//! time = "60s"                           # each series, in each round
//! tracked = ["random-write/4KiB"]        # the series that must be steady, by their names
//! quantity = "rate"                      # of them; or "mean", the mean response time
//! window = 5                             # samples that the test covers
//! every = 1                              # rounds from one sample to the next
//! max = 25                               # rounds at the most
//! excursion = "20%"                      # largest range of the samples, of their mean
//! slope = "10%"                          # largest change of the line through them, of their mean
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::document::{Document, Entry};
use super::super::factor::REPEAT_MAX;
use super::super::profile::{self, Value};
use super::{ROUND_MAX, ROUND_MIN, Suite};
use crate::words::fault::Fault;
use crate::words::units::{Bytes, Nanos, Percent};

/// Most rounds that a test may cover.
const WINDOW_MAX: u32 = 100;
/// Most passes of sequential writes.
const PASSES_MAX: u32 = 10;

/// The defaults: the test of the SNIA specification 2.0.2, section 2.1.24.
mod defaults {
    pub(super) const WINDOW: u32 = 5;
    pub(super) const MAX: u32 = 25;
    pub(super) const EXCURSION_PERCENT: f64 = 20.0;
    pub(super) const SLOPE_PERCENT: f64 = 10.0;
    pub(super) const PASSES: u32 = 2;
}

/// All series of a suite, measured round by round until those that are tracked are steady.
#[derive(Debug, Clone, PartialEq)]
pub struct SuiteRounds {
    /// How long each series is measured in each round.
    pub time: Nanos,
    /// Names of the series that must be steady; at least one.
    pub tracked: Vec<String>,
    /// What of them.
    pub quantity: TrackedQuantity,
    /// Samples that the test covers.
    pub window: u32,
    /// Rounds from one sample to the next.
    pub every: u32,
    /// Rounds at the most.
    pub max: u32,
    /// Largest difference between two samples, as a share of their mean.
    pub excursion: Percent,
    /// Largest change of the least-squares line over the window, as a share of the mean.
    pub slope: Percent,
}

/// Sequential writes before the first round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuitePrecondition {
    /// Bytes of each write.
    pub block: Bytes,
    /// How often everything that is used is written over.
    pub passes: u32,
}

crate::named! {
    /// The number of a series that must be steady.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "kebab-case")]
    pub enum TrackedQuantity {
        /// Operations per second.
        #[default]
        Rate = "rate",
        /// Mean response time.
        Mean = "mean",
    }
}

/// The `[rounds]` of a suite.
pub(super) fn check(document: Document, file: &RoundsFile) -> Result<SuiteRounds, Fault> {
    let whole = |key, value, limits| document.optional(key, value, |entry| count(entry, limits));
    let percent = |key, value, usual: f64| match document.optional(key, value, Entry::percent)? {
        Some(given) => Ok(given),
        None => Percent::new(usual),
    };
    let window = whole("window", &file.window, [2, WINDOW_MAX])?.unwrap_or(defaults::WINDOW);
    let every = whole("every", &file.every, [1, REPEAT_MAX])?.unwrap_or(1);
    let max = whole("max", &file.max, [2, REPEAT_MAX])?.unwrap_or(defaults::MAX);
    let rounds = SuiteRounds {
        time: time(Entry::new(document, "time", &file.time))?,
        tracked: tracked(document, file)?,
        quantity: document.optional("quantity", &file.quantity, quantity)?.unwrap_or_default(),
        window,
        every,
        max,
        excursion: percent("excursion", &file.excursion, defaults::EXCURSION_PERCENT)?,
        slope: percent("slope", &file.slope, defaults::SLOPE_PERCENT)?,
    };
    match rounds.least() <= max {
        true => Ok(rounds),
        false => Err(document
            .fault(file.time.span(), format!("{max} rounds are too few for the test"))
            .because(format!("{window} samples, {every} rounds apart, take {}", rounds.least()))
            .fix(format!("write max = {} or more", rounds.least()))),
    }
}

impl SuiteRounds {
    /// Rounds before the first test.
    pub(crate) const fn least(&self) -> u32 {
        (self.window - 1).saturating_mul(self.every).saturating_add(1)
    }
}

/// The `[precondition]` of a suite.
pub(super) fn check_precondition(
    document: Document,
    file: &PreconditionFile,
) -> Result<SuitePrecondition, Fault> {
    let passes = document.optional("passes", &file.passes, |at| count(at, [1, PASSES_MAX]))?;
    Ok(SuitePrecondition {
        block: profile::block(Entry::new(document, "block", &file.block))?,
        passes: passes.unwrap_or(defaults::PASSES),
    })
}

/// Refuses tracked series that the suite doesn't have; `names` are those that it has.
pub(super) fn check_tracked(
    document: Document,
    file: Option<&RoundsFile>,
    names: &[String],
) -> Result<(), Fault> {
    for value in file.iter().flat_map(|file| &file.tracked) {
        let entry = Entry::new(document, "tracked", value);
        if !names.iter().any(|name| name == entry.text()) {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            return Err(entry
                .fault(format!("no series is called '{}'", entry.text()))
                .fix(format!("name one of {}", known.join(", "))));
        }
    }
    Ok(())
}

/// Refuses what cannot go round by round, or what needs rounds.
pub(super) fn check_fit(document: Document, place: &Value, suite: &Suite) -> Result<(), Fault> {
    let fault = |what: &str, fix: &str| Err(document.fault(place.span(), what).fix(fix.to_owned()));
    match &suite.rounds {
        None if suite.precondition.is_some() => fault(
            "the suite has a [precondition] without [rounds]",
            "add [rounds], or leave it out and run the suite with --precondition",
        ),
        Some(_) if !suite.together.is_empty() => fault(
            "the suite has [rounds] and [[together]]",
            "measure what is steady and what is at the same moment in two suites",
        ),
        Some(_) if suite.steady_state.is_some() || suite.repeat.is_some() => fault(
            "the suite has [rounds] beside 'steady_state' or 'repeat'",
            "leave those out: a round measures every series once",
        ),
        Some(_) if suite.factors.are_varied() => fault(
            "the suite has [rounds] and varies settings",
            "leave each setting one level, and make a suite for each: each begins with its own preconditioning",
        ),
        _ => Ok(()),
    }
}

fn time(entry: Entry) -> Result<Nanos, Fault> {
    let time: Nanos = entry.parse()?;
    match (ROUND_MIN..=ROUND_MAX).contains(&time) {
        true => Ok(time),
        false => Err(entry.fault(format!("{time} for each series")).fix("use 100ms to 1h")),
    }
}

fn tracked(document: Document, file: &RoundsFile) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = Vec::new();
    for value in &file.tracked {
        let entry = Entry::new(document, "tracked", value);
        let name = entry.one_line()?;
        if names.contains(&name) {
            return Err(entry.fault(format!("'{name}' is there twice")).fix("remove one"));
        }
        names.push(name);
    }
    match names.is_empty() {
        false => Ok(names),
        true => Err(document
            .fault(file.time.span(), "[rounds] tracks no series")
            .fix("write tracked = [\"NAME\"] with the series that must be steady")),
    }
}

fn quantity(entry: Entry) -> Result<TrackedQuantity, Fault> {
    let known = TrackedQuantity::ALL.into_iter().find(|one| one.name() == entry.text());
    known.ok_or_else(|| {
        entry.fault(format!("there is no '{}'", entry.text())).fix("use rate or mean")
    })
}

/// A whole number within limits.
fn count(entry: Entry, [least, most]: [u32; 2]) -> Result<u32, Fault> {
    match entry.whole()? {
        count if (least..=most).contains(&count) => Ok(count),
        other => Err(entry.fault(format!("{other}")).fix(format!("use {least} to {most}"))),
    }
}

/// `[rounds]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundsFile {
    time: Value,
    #[serde(default)]
    tracked: Vec<Value>,
    quantity: Option<Value>,
    window: Option<Value>,
    every: Option<Value>,
    max: Option<Value>,
    excursion: Option<Value>,
    slope: Option<Value>,
}

/// `[precondition]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PreconditionFile {
    block: Value,
    passes: Option<Value>,
}
