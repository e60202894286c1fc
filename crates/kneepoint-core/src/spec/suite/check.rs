//! From the keys of a file to a suite that can be resolved.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{ROUND_MAX, ROUND_MIN, RULE_LIMIT_MAX, SERIES_MAX, SIZE_BYTES_MAX, Series, Suite};
use crate::spec::document::{Document, Entry};
use crate::spec::factor::{self, FactorFile, Factors};
use crate::spec::file_copy::{self, FileCopy, FileCopyFile};
use crate::spec::profile::{self, LoadKeys, Profile, ProfileFile, Value};
use crate::words::fault::Fault;
use crate::words::rule::{Limit, Rule};
use crate::words::units::{Bytes, Nanos};

/// Turns what was read from `document` into a suite.
pub(super) fn check(document: Document, file: &SuiteFile) -> Result<Suite, Fault> {
    let loads = LoadKeys {
        outstanding: file.outstanding.as_ref(),
        rate: file.rate.as_ref(),
        users: file.users.as_ref(),
    };
    let suite = Suite {
        name: profile::checked_name(Entry::new(document, "name", &file.name))?,
        title: profile::checked_title(Entry::new(document, "title", &file.title))?,
        description: profile::prose(document, "description", file.description.as_ref())?,
        source: profile::prose(document, "source", file.source.as_ref())?,
        size: size(document, file.size.as_ref())?,
        steady_state: steady_state(document, file.steady_state.as_ref())?,
        rules: rules(document, file)?,
        loads: loads.loads(document)?,
        factors: factors(document, file)?,
        repeat: repeat(document, file)?,
        file_copy: file_copy(document, file)?,
        series: all_series(document, file)?,
        profiles: profiles(document, file)?,
    };
    check_names(document, file, &suite)?;
    Ok(suite)
}

/// Size of the test file.
fn size(document: Document, value: Option<&Value>) -> Result<Option<Bytes>, Fault> {
    let Some(value) = value else { return Ok(None) };
    let entry = Entry::new(document, "size", value);
    let size: Bytes = entry.parse()?;
    if (1..=SIZE_BYTES_MAX).contains(&size.0) {
        Ok(Some(size))
    } else {
        Err(entry.fault(format!("a test file of {size}")).fix("use 1B to 1024TiB, such as 8GiB"))
    }
}

/// Length of the rounds until steady state.
fn steady_state(document: Document, value: Option<&Value>) -> Result<Option<Nanos>, Fault> {
    let Some(value) = value else { return Ok(None) };
    let entry = Entry::new(document, "steady_state", value);
    let round: Nanos = entry.parse()?;
    if (ROUND_MIN..=ROUND_MAX).contains(&round) {
        Ok(Some(round))
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
    let mut rules = Vec::new();
    for value in values {
        let entry = Entry::new(document, "rules", value);
        let rule: Rule = entry.parse()?;
        if matches!(rule.limit, Limit::Time(limit) if limit > RULE_LIMIT_MAX) {
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
    let design = file.design.as_ref().map(|value| Entry::new(document, "design", value));
    let order = file.order.as_ref().map(|value| Entry::new(document, "order", value));
    let factors = Factors {
        design: design.map(factor::check_design).transpose()?.unwrap_or_default(),
        order: order.map(factor::check_order).transpose()?.unwrap_or_default(),
        factors: factor::check(document, &file.factors)?,
    };
    factors.combinations().map_err(|fault| document.place(file.name.span(), fault))?;
    Ok(factors)
}

/// How often everything is measured.
fn repeat(document: Document, file: &SuiteFile) -> Result<Option<u32>, Fault> {
    let entry = file.repeat.as_ref().map(|value| Entry::new(document, "repeat", value));
    entry.map(factor::check_repeat).transpose()
}

/// The `[file_copy]`.
fn file_copy(document: Document, file: &SuiteFile) -> Result<Option<FileCopy>, Fault> {
    file.file_copy.as_ref().map(|given| file_copy::check(document, given)).transpose()
}

/// Every `[[series]]`.
fn all_series(document: Document, file: &SuiteFile) -> Result<Vec<Series>, Fault> {
    if file.series.is_empty() {
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
        loads: LoadKeys {
            outstanding: file.outstanding.as_ref(),
            rate: file.rate.as_ref(),
            users: file.users.as_ref(),
        }
        .loads(document)?,
        note: profile::prose(document, "note", file.note.as_ref())?,
    })
}

/// Every `[[profile]]`, each name once.
fn profiles(document: Document, file: &SuiteFile) -> Result<Vec<Profile>, Fault> {
    let mut profiles: Vec<Profile> = Vec::new();
    for given in &file.profiles {
        let profile = profile::check(document, given)?;
        if profiles.iter().any(|known| known.name == profile.name) {
            return Err(document
                .fault(given.name_span(), format!("two profiles are called '{}'", profile.name))
                .fix("rename one"));
        }
        profiles.push(profile);
    }
    Ok(profiles)
}

/// Refuses profiles that don't exist or don't take the blocks, and series of equal names.
fn check_names(document: Document, file: &SuiteFile, suite: &Suite) -> Result<(), Fault> {
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
    Ok(())
}

/// A suite in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuiteFile {
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
    pub(super) design: Option<Value>,
    pub(super) order: Option<Value>,
    pub(super) repeat: Option<Value>,
    #[serde(default, rename = "factor")]
    pub(super) factors: Vec<FactorFile>,
    pub(super) file_copy: Option<FileCopyFile>,
    #[serde(default)]
    pub(super) series: Vec<SeriesFile>,
    #[serde(default, rename = "profile")]
    pub(super) profiles: Vec<ProfileFile>,
}

/// `[[series]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeriesFile {
    pub(super) profile: Value,
    #[serde(default, rename = "block")]
    pub(super) blocks: Vec<Value>,
    pub(super) outstanding: Option<Value>,
    pub(super) rate: Option<Value>,
    pub(super) users: Option<Value>,
    pub(super) note: Option<Value>,
}
