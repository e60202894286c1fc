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
//! settings = { write_cache = "on" }      # of a simulated system, for these series alone
//! ```
//!
//! A suite may vary settings and repeat itself: see [`crate::spec::factor`] for `[[factor]]`, `design`,
//! `order`; `repeat = 3` measures everything three times. A `[file_copy]` copies files after the
//! series: see [`crate::spec::file_copy`]. `[rounds]` measures all series round by round until steady
//! state, after a `[precondition]`: see [`SuiteRounds`].
//!
//! A suite may measure several profiles at the same moment, in `[[together]]` groups
//! ([`Together`]).
//!
//! A suite may define members, programs of the user's own of which copies can be run, in `[[member]]` tables
//! ([`crate::spec::profile::ExternalMember`]). One that no profile names is a profile by itself.
//!
//! A suite may define profiles in `[[profile]]` tables, written as in a file of their own. A
//! profile that is run by itself is a suite of one series ([`Suite::of_profile`]).

mod rounds;
mod together;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::document::{Document, Entry};
use super::factor::{self, Combination, FactorFile, Factors};
use super::file_copy::{self, FileCopy, FileCopyFile};
use super::grid::Loads;
use super::profile::{self, ExternalMember, MemberFile, Profile, ProfileFile, Value, Work};
use crate::words::fault::Fault;
use crate::words::rule::{Rule, RuleLimit};
use crate::words::units::{Bytes, Nanos};
use rounds::{PreconditionFile, RoundsFile};
pub use rounds::{SuitePrecondition, SuiteRounds, TrackedQuantity};
use together::TogetherFile;
pub use together::{MEMBERS_MAX, Member, Together};

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
#[derive(Debug, Clone, PartialEq, Default)]
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
    /// What is written before the first round; `None` for nothing.
    pub precondition: Option<SuitePrecondition>,
    /// Rounds over all series until steady state; `None` to measure without.
    pub rounds: Option<SuiteRounds>,
    /// Files that are copied after the series; `None` for none.
    pub file_copy: Option<FileCopy>,
    /// Series in the order in which they run; at least one if there are no groups.
    pub series: Vec<Series>,
    /// Groups of series that are measured at the same moment, after the others.
    pub together: Vec<Together>,
    /// Profiles that the suite brings along; they come before those of the catalog.
    pub profiles: Vec<Profile>,
    /// Programs of the user's own.
    pub members: Vec<ExternalMember>,
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
    /// Settings of a simulated system that hold for these series alone.
    pub settings: Combination,
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
        let file: SuiteFile = document.read()?;
        check(document, &file)
    }

    /// A profile by itself as a suite of one series, with the rules of the targets' class and,
    /// unless the profile says otherwise, the standard loads.
    pub fn of_profile(profile: Profile) -> Self {
        let series = Series {
            profile: profile.name.clone(),
            blocks: Vec::new(),
            loads: None,
            settings: Combination::new(),
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
        Self { name: name.to_owned(), title: title.to_owned(), ..Self::default() }
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

/// Turns what was read from `document` into a suite.
fn check(document: Document, file: &SuiteFile) -> Result<Suite, Fault> {
    let members = profile::members(document, &file.members)?;
    let suite = Suite {
        name: profile::checked_name(Entry::new(document, "name", &file.name))?,
        title: profile::checked_title(Entry::new(document, "title", &file.title))?,
        description: profile::prose(document, "description", &file.description)?,
        source: profile::prose(document, "source", &file.source)?,
        size: document.optional("size", &file.size, size)?,
        steady_state: document.optional("steady_state", &file.steady_state, steady_state)?,
        rules: rules(document, file)?,
        loads: profile::loads(
            document,
            [&file.outstanding, &file.rate, &file.users, &file.warehouses, &file.copies],
        )?,
        factors: factors(document, file)?,
        repeat: document.optional("repeat", &file.repeat, factor::check_repeat)?,
        precondition: (file.precondition.as_ref())
            .map(|given| rounds::check_precondition(document, given))
            .transpose()?,
        rounds: file.rounds.as_ref().map(|given| rounds::check(document, given)).transpose()?,
        file_copy: match &file.file_copy {
            Some(given) => Some(file_copy::check(document, given)?),
            None => None,
        },
        series: all_series(document, file)?,
        together: together::check(document, &file.together)?,
        profiles: profiles(document, file, &members)?,
        members,
    };
    check_names(document, file, &suite)?;
    rounds::check_fit(document, &file.name, &suite)?;
    Ok(suite)
}

/// Size of the test file.
fn size(entry: Entry) -> Result<Bytes, Fault> {
    let size: Bytes = entry.parse()?;
    if (1..=SIZE_BYTES_MAX).contains(&size.0) {
        Ok(size)
    } else {
        Err(entry.fault(format!("a test file of {size}")).fix("use 1B to 1024TiB, such as 8GiB"))
    }
}

/// Length of the rounds until steady state.
fn steady_state(entry: Entry) -> Result<Nanos, Fault> {
    let round: Nanos = entry.parse()?;
    if (ROUND_MIN..=ROUND_MAX).contains(&round) {
        Ok(round)
    } else {
        Err(entry.fault(format!("rounds of {round}")).fix("use 100ms to 1h; 60s is customary"))
    }
}

/// The rules, each once; none where the key is left out.
fn rules(document: Document, file: &SuiteFile) -> Result<Vec<Rule>, Fault> {
    let Some(values) = &file.rules else { return Ok(Vec::new()) };
    if values.is_empty() {
        return Err(document.fault(file.name.span(), "the suite has an empty list of rules").fix(
            "write rules = [\"mean<=20ms\"], or leave 'rules' out for those of the target's class",
        ));
    }
    rule_list(document, values)
}

/// A list of rules, each once.
fn rule_list(document: Document, values: &[Value]) -> Result<Vec<Rule>, Fault> {
    let mut rules = Vec::new();
    for value in values {
        let entry = Entry::new(document, "rules", value);
        let rule: Rule = entry.parse()?;
        if matches!(rule.limit, RuleLimit::Time(limit) if limit > RULE_LIMIT_MAX) {
            return Err(entry.fault(format!("{} is too long", rule.limit)).fix("use at most 1h"));
        }
        if rules.contains(&rule) {
            return Err(entry.fault(format!("{rule} is there twice")).fix("remove one"));
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// Every `[[factor]]`, the design and the order.
fn factors(document: Document, file: &SuiteFile) -> Result<Factors, Fault> {
    let factors = Factors {
        design: document.optional("design", &file.design, Entry::parse)?.unwrap_or_default(),
        order: document.optional("order", &file.order, Entry::parse)?.unwrap_or_default(),
        factors: factor::check(document, &file.factors)?,
    };
    factors.combinations().map_err(|fault| document.place(file.name.span(), fault))?;
    Ok(factors)
}

/// Every `[[series]]`.
fn all_series(document: Document, file: &SuiteFile) -> Result<Vec<Series>, Fault> {
    if file.series.is_empty() && file.together.is_empty() {
        return Err(document
            .fault(file.name.span(), "the suite has no [[series]]")
            .fix("add a [[series]] with profile = \"database\""));
    }
    let count: usize = file.series.iter().map(|series| series.blocks.len().max(1)).sum();
    if count > SERIES_MAX {
        return Err(document
            .fault(file.name.span(), format!("{count} series are more than {SERIES_MAX}"))
            .fix("make several suites"));
    }
    file.series.iter().map(|given| series(document, given)).collect()
}

/// One `[[series]]`.
fn series(document: Document, file: &SeriesFile) -> Result<Series, Fault> {
    let blocks =
        file.blocks.iter().map(|value| profile::block(Entry::new(document, "block", value)));
    Ok(Series {
        profile: Entry::new(document, "profile", &file.profile).one_line()?,
        blocks: blocks.collect::<Result<_, _>>()?,
        loads: profile::loads(
            document,
            [&file.outstanding, &file.rate, &file.users, &file.warehouses, &file.copies],
        )?,
        settings: factor::settings(document, &file.settings)?,
        note: profile::prose(document, "note", &file.note)?,
    })
}

/// Every `[[profile]]`, each name once, and the members that no profile names.
fn profiles(
    document: Document,
    file: &SuiteFile,
    members: &[ExternalMember],
) -> Result<Vec<Profile>, Fault> {
    let mut profiles: Vec<Profile> = Vec::new();
    for given in &file.profiles {
        let profile = profile::check(document, given, members)?;
        if profiles.iter().any(|known| known.name == profile.name) {
            return Err(document
                .fault(given.name.span(), format!("two profiles are called '{}'", profile.name))
                .fix("rename one"));
        }
        profiles.push(profile);
    }
    let is_of = |profile: &Profile, member: &ExternalMember| match &profile.work {
        Work::External(named) => named.name == member.name,
        _ => profile.name == member.name,
    };
    let by_itself = |member: &&ExternalMember| !profiles.iter().any(|known| is_of(known, member));
    let more: Vec<Profile> = members.iter().filter(by_itself).map(profile::profile_of).collect();
    profiles.extend(more);
    Ok(profiles)
}

/// Refuses profiles that don't exist or don't take the blocks, and series of equal names.
fn check_names(document: Document, file: &SuiteFile, suite: &Suite) -> Result<(), Fault> {
    together::check_names(document, &file.together, suite)?;
    let mut names = BTreeSet::new();
    for (given, series) in file.series.iter().zip(&suite.series) {
        let entry = Entry::new(document, "profile", &given.profile);
        let profile = suite.profile(&series.profile).map_err(|fault| entry.place(fault))?;
        for block in series.blocks_or_own() {
            profile.resolve(block).map_err(|fault| entry.place(fault))?;
            let name = profile.series_name(block);
            if !names.insert(name.clone()) {
                return Err(entry
                    .fault(format!("two series are called '{name}'"))
                    .fix("remove one, or give it another block size"));
            }
        }
    }
    let names: Vec<String> = names.into_iter().collect();
    rounds::check_tracked(document, file.rounds.as_ref(), &names)
}

/// A suite in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteFile {
    pub(super) name: Value,
    pub(super) title: Value,
    pub(super) description: Option<Value>,
    pub(super) source: Option<Value>,
    pub(super) size: Option<Value>,
    pub(super) steady_state: Option<Value>,
    pub(super) rules: Option<Vec<Value>>,
    pub(super) outstanding: Option<Value>,
    pub(super) rate: Option<Value>,
    pub(super) users: Option<Value>,
    pub(super) warehouses: Option<Value>,
    pub(super) copies: Option<Value>,
    pub(super) design: Option<Value>,
    pub(super) order: Option<Value>,
    pub(super) repeat: Option<Value>,
    #[serde(default, rename = "factor")]
    pub(super) factors: Vec<FactorFile>,
    pub(super) precondition: Option<PreconditionFile>,
    pub(super) rounds: Option<RoundsFile>,
    pub(super) file_copy: Option<FileCopyFile>,
    #[serde(default)]
    pub(super) series: Vec<SeriesFile>,
    #[serde(default)]
    pub(super) together: Vec<TogetherFile>,
    #[serde(default, rename = "profile")]
    pub(super) profiles: Vec<ProfileFile>,
    #[serde(default, rename = "member")]
    pub(super) members: Vec<MemberFile>,
}

/// `[[series]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesFile {
    pub(super) profile: Value,
    #[serde(default, rename = "block")]
    pub(super) blocks: Vec<Value>,
    pub(super) outstanding: Option<Value>,
    pub(super) rate: Option<Value>,
    pub(super) users: Option<Value>,
    pub(super) warehouses: Option<Value>,
    pub(super) copies: Option<Value>,
    #[serde(default)]
    pub(super) settings: BTreeMap<String, Value>,
    pub(super) note: Option<Value>,
}

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod rounds_tests;
#[cfg(test)]
mod tests;
