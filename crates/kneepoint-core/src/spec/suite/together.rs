//! Series of a suite that are measured at the same moment.
//!
//! ```toml
//! [[together]]
//! name = "restore-beside-database"
//!
//! [[together.member]]
//! profile = "database"
//! outstanding = "1,4,16"                 # one member may have several levels
//!
//! [[together.member]]
//! profile = "restore"
//! outstanding = 1                        # the others have one each
//! target = 2                             # the second target; all targets by default
//! rules = ["mean<=50ms"]                 # the suite's by default
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Deserialize;

use super::{SERIES_MAX, Suite};
use crate::spec::document::{Document, Entry};
use crate::spec::grid::{LoadGrid, Loads};
use crate::spec::profile::{self, Profile, ResolvedProfile, Value};
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::rule::Rule;
use crate::words::units::Bytes;

/// Most members of a group.
pub const MEMBERS_MAX: usize = 16;

/// Series that are measured at the same moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Together {
    /// Name of the group; lower-case letters, digits and hyphens.
    pub name: String,
    /// A remark for people; may be empty.
    pub note: String,
    /// At least two; of at most one are there several load levels.
    pub members: Vec<Member>,
}

/// One of the series of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its name in the group; `None` for that of the profile and its blocks.
    pub name: Option<String>,
    /// Name of the profile.
    pub profile: String,
    /// Block size; `None` for the profile's own size or sizes.
    pub block: Option<Bytes>,
    /// Its load, or the levels that are measured one after the other.
    pub loads: LoadGrid,
    /// Number of its target, from 1; `None` for all targets.
    pub target: Option<u32>,
    /// The rules that judge its series; empty for those of the suite.
    pub rules: Vec<Rule>,
}

impl Together {
    /// The place of the member whose load is raised; of the first if all loads are fixed.
    pub fn lead(&self) -> usize {
        self.members.iter().position(|member| member.loads.levels.len() > 1).unwrap_or(0)
    }

    /// Series that it makes: one for the member whose load is raised, and for each of the others as
    /// many as there are levels.
    fn series_count(&self) -> usize {
        let levels = self.members[self.lead()].loads.levels.len();
        1 + (self.members.len() - 1) * levels
    }
}

impl Member {
    /// What it is called in its group, if `profile` is its profile.
    pub fn name_with(&self, profile: &Profile) -> String {
        self.name.clone().unwrap_or_else(|| profile.series_name(self.block))
    }
}

/// Every `[[together]]`.
pub(super) fn check(document: Document, files: &[TogetherFile]) -> Result<Vec<Together>, Fault> {
    let mut groups: Vec<Together> = Vec::new();
    for file in files {
        let entry = Entry::new(document, "name", &file.name);
        let group = group(document, file)?;
        if groups.iter().any(|known| known.name == group.name) {
            return Err(entry
                .fault(format!("two [[together]] are called '{}'", group.name))
                .fix("rename one"));
        }
        groups.push(group);
        let count: usize = groups.iter().map(Together::series_count).sum();
        if count > SERIES_MAX {
            return Err(entry
                .fault(format!("{count} series are more than {SERIES_MAX}"))
                .fix("use fewer load levels, or make several suites"));
        }
    }
    Ok(groups)
}

fn group(document: Document, file: &TogetherFile) -> Result<Together, Fault> {
    let entry = Entry::new(document, "name", &file.name);
    let name = profile::checked_name(entry)?;
    match file.members.len() {
        2..=MEMBERS_MAX => {}
        count @ 0..2 => {
            return Err(entry
                .fault(format!("the group has {count} of the two members that it needs"))
                .fix(
                    "add a [[together.member]] with a profile and its load for each, or make it a \
                     [[series]]",
                ));
        }
        count => {
            return Err(entry
                .fault(format!("{count} members are more than {MEMBERS_MAX}"))
                .fix("make several groups"));
        }
    }
    let members: Vec<Member> =
        file.members.iter().map(|given| member(document, given)).collect::<Result<_, _>>()?;
    let raised = |member: &&Member| member.loads.levels.len() > 1;
    if members.iter().filter(raised).count() > 1 {
        return Err(entry
            .fault("the loads of several members have more than one level")
            .fix("raise the load of one member, and give each of the others a single level"));
    }
    Ok(Together { name, note: profile::prose(document, "note", &file.note)?, members })
}

fn member(document: Document, file: &MemberFile) -> Result<Member, Fault> {
    let profile = Entry::new(document, "profile", &file.profile);
    let loads = profile::loads(document, [&file.outstanding, &file.rate, &None, &None, &None])?;
    let loads = match loads {
        Some(Loads::Grid(grid, _)) => grid,
        Some(searched) => {
            let key = if file.outstanding.is_some() { "outstanding" } else { "rate" };
            let given = file.outstanding.as_ref().or(file.rate.as_ref()).unwrap_or(&file.profile);
            return Err(Entry::new(document, key, given)
                .fault(format!("'{searched}' is no load of a member"))
                .because("what is measured at the same moment is known before")
                .fix("write a number, or levels such as \"1,2,4\""));
        }
        None => {
            return Err(profile
                .fault("the member has no load")
                .fix("add outstanding = 1, or rate = 1000"));
        }
    };
    Ok(Member {
        name: document.optional("name", &file.name, profile::checked_name)?,
        profile: profile.one_line()?,
        block: document.optional("block", &file.block, profile::block)?,
        loads,
        target: document.optional("target", &file.target, target)?,
        rules: match &file.rules {
            Some(values) => member_rules(document, (file.profile.span(), values))?,
            None => Vec::new(),
        },
    })
}

/// The rules of the member whose profile is named at `place`.
fn member_rules(
    document: Document,
    (place, values): (Range<usize>, &[Value]),
) -> Result<Vec<Rule>, Fault> {
    if values.is_empty() {
        return Err(document
            .fault(place, "the member has an empty list of rules")
            .fix("write rules = [\"mean<=20ms\"], or leave 'rules' out for those of the suite"));
    }
    let rules = super::rule_list(document, values)?;
    match rules.iter().position(|rule| rule.reference_load().is_some()) {
        None => Ok(rules),
        Some(place) => Err(Entry::new(document, "rules", &values[place])
            .fault(format!("the rule {} has no reference in a group", rules[place]))
            .because("its reference would be another load at the same moment")
            .fix("give a time as the limit")),
    }
}

/// The number of a target.
fn target(entry: Entry) -> Result<u32, Fault> {
    match entry.whole()? {
        0 => Err(entry.fault("targets are counted from 1").fix("write 1 for the first one")),
        number => Ok(number),
    }
}

/// Refuses members whose profile is unknown or does not take what they ask, and members of one name.
pub(super) fn check_names(
    document: Document,
    files: &[TogetherFile],
    suite: &Suite,
) -> Result<(), Fault> {
    for (file, group) in files.iter().zip(&suite.together) {
        let mut names = BTreeSet::new();
        for (given, member) in file.members.iter().zip(&group.members) {
            let entry = Entry::new(document, "profile", &given.profile);
            let profile = suite.profile(&member.profile).map_err(|fault| entry.place(fault))?;
            let resolved = profile.resolve_io(member.block).map_err(|fault| entry.place(fault))?;
            check_classes(document, given, (member, &classes(&resolved)))?;
            let name = member.name_with(&profile);
            if !names.insert(name.clone()) {
                return Err(entry
                    .fault(format!("two members of '{}' are called '{name}'", group.name))
                    .fix("give one of them its own name: name = \"reader\""));
            }
        }
    }
    Ok(())
}

/// The classes of responses that I/Os of `profile` have.
fn classes(profile: &ResolvedProfile) -> Vec<ClassName> {
    let reads = (profile.read_percent() > 0.0).then_some(ClassName::READ);
    let writes = (profile.read_percent() < 100.0).then_some(ClassName::WRITE);
    let flushes = profile.flush().map(|_| ClassName::FLUSH);
    reads.into_iter().chain(writes).chain(flushes).collect()
}

/// Refuses a rule on a class of responses that the member does not have.
fn check_classes(
    document: Document,
    file: &MemberFile,
    (member, known): (&Member, &[ClassName]),
) -> Result<(), Fault> {
    let values = file.rules.iter().flatten();
    for (rule, value) in member.rules.iter().zip(values) {
        if rule.class.is_some_and(|class| !known.contains(&class)) {
            let names: Vec<&str> = known.iter().map(ClassName::as_str).collect();
            return Err(Entry::new(document, "rules", value)
                .fault(format!("'{}' can neither meet nor break the rule {rule}", member.profile))
                .because("it has no responses of that class")
                .fix(format!("name one of {}, or leave the class out", names.join(", "))));
        }
    }
    Ok(())
}

/// `[[together]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TogetherFile {
    name: Value,
    note: Option<Value>,
    #[serde(default, rename = "member")]
    members: Vec<MemberFile>,
}

/// `[[together.member]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberFile {
    name: Option<Value>,
    profile: Value,
    block: Option<Value>,
    outstanding: Option<Value>,
    rate: Option<Value>,
    target: Option<Value>,
    rules: Option<Vec<Value>>,
}
