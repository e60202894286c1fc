//! Members that are programs of the user's own:
//!
//! ```toml
//! [[member]]
//! name = "xz"
//! title = "Compression by xz"
//! class = "integer"                      # or "floating"
//! build = ["make", "-C", "{build}"]      # once, before the first point; optional
//! run = ["xz", "-9", "-c", "{build}/in"] # one copy
//! expect = "3a7b..."                     # SHA-256 of its standard output
//! verify = ["cmp", "{output}", "/x"]     # or a command that ends with 0 if it is right
//! version = ["xz", "--version"]          # its first line goes into the result; optional
//! reference = "my old server"            # the machine that ratios refer to
//! reference_seconds = 13.2               # of one copy there
//! ```
//!
//! In place of `run` and `verify` a member can have [`runcpu`](super::runcpu).
//!
//! Commands are programs with their arguments; no shell reads them. They are run only from a file that the
//! user names: nothing that is shipped has any, and those of a stored plan are not trusted.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::member::{MemberClass, member_names};
use super::runcpu::{Runcpu, RuncpuFile, runcpu};
use super::{
    AddressRange, DataPattern, Distribution, Durability, Profile, TITLE_CHARS_MAX, Value, Work,
    checked_name, checked_title,
};
use crate::spec::command::{command, filled};
use crate::spec::document::{Document, Entry};
use crate::words::fault::Fault;
use crate::words::units::{Nanos, Percent};

/// Longest time that one copy takes on the reference machine (1 day).
const REFERENCE_SECONDS_MAX: f64 = 86_400.0;

/// SHA-256 of an empty output, which is never right.
const DIGEST_OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// A program of the user's own that copies can be run of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalMember {
    /// Its name, none of those of Kneepoint's own members.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// The class that its score belongs to.
    pub class: MemberClass,
    /// Makes what the copies need; `None` if they need nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Vec<String>>,
    /// One copy; all copies with a harness.
    pub run: Vec<String>,
    /// How the output of a copy is judged.
    pub check: OutputCheck,
    /// Prints the version of the program; `None` if the result is to have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Vec<String>>,
    /// The machine that ratios refer to, as the user calls it.
    pub reference_machine: String,
    /// Time of one copy there.
    pub reference: Nanos,
}

impl ExternalMember {
    /// All commands that it has.
    pub fn commands(&self) -> Vec<&[String]> {
        let check = match &self.check {
            OutputCheck::Command(words) => Some(words),
            OutputCheck::Digest(_) | OutputCheck::Runcpu(_) => None,
        };
        let given = [self.build.as_ref(), Some(&self.run), check, self.version.as_ref()];
        given.into_iter().flatten().map(Vec::as_slice).collect()
    }
}

/// How the output of a copy is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum OutputCheck {
    /// Its standard output has this SHA-256, in lower-case hexadecimal digits.
    Digest(String),
    /// This command ends with 0.
    Command(Vec<String>),
    /// The result file of a harness, which starts and verifies the copies, says so.
    Runcpu(Runcpu),
}

/// Copies of a program of the user's own with nothing left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalWork {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// The program.
    pub external: ExternalMember,
}

/// The values of the placeholders in commands.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// `{build}`: the folder of the program for the whole run.
    pub build: &'a str,
    /// `{copy}`, from 1, `{copies}`, `{folder}`: the folder of the copy, and `{output}`: the file with its
    /// standard output.
    pub copy: Option<CopyPlaces<'a>>,
}

/// Those of one copy.
#[derive(Debug, Clone, Copy)]
pub struct CopyPlaces<'a> {
    /// Its number, from 1.
    pub number: &'a str,
    /// How many there are.
    pub copies: &'a str,
    /// Its working folder.
    pub folder: &'a str,
    /// The file with its standard output.
    pub output: &'a str,
}

impl Places<'_> {
    /// `words` with the placeholders replaced.
    pub fn fill(&self, words: &[String]) -> Vec<String> {
        let mut places = vec![("{build}", self.build)];
        if let Some(copy) = &self.copy {
            places.extend([
                ("{copy}", copy.number),
                ("{copies}", copy.copies),
                ("{folder}", copy.folder),
                ("{output}", copy.output),
            ]);
        }
        filled(words, &places)
    }
}

/// `[[member]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemberFile {
    name: Value,
    title: Value,
    class: Value,
    build: Option<Vec<Value>>,
    run: Option<Vec<Value>>,
    runcpu: Option<RuncpuFile>,
    expect: Option<Value>,
    verify: Option<Vec<Value>>,
    version: Option<Vec<Value>>,
    reference: Value,
    reference_seconds: Value,
}

/// Every `[[member]]`, each name once.
///
/// # Errors
/// When a value is missing or out of bounds, or two have one name.
pub(crate) fn members(
    document: Document,
    files: &[MemberFile],
) -> Result<Vec<ExternalMember>, Fault> {
    let mut names = BTreeSet::new();
    let mut members = Vec::new();
    for file in files {
        let member = member(document, file)?;
        let entry = Entry::new(document, "name", &file.name);
        if member_names().any(|name| name == member.name) {
            return Err(entry
                .fault(format!("Kneepoint has a member '{}' of its own", member.name))
                .fix("give this one another name"));
        }
        if !names.insert(member.name.clone()) {
            return Err(entry
                .fault(format!("two members are called '{}'", member.name))
                .fix("rename one"));
        }
        members.push(member);
    }
    Ok(members)
}

fn member(document: Document, file: &MemberFile) -> Result<ExternalMember, Fault> {
    let words = |key, values: &[Value]| command(document, file.name.span(), (key, values));
    let optional =
        |key, values: &Option<Vec<Value>>| values.as_ref().map(|list| words(key, list)).transpose();
    let harness = file.runcpu.as_ref().map(|found| runcpu(document, found)).transpose()?;
    let (build, run) = match (&file.run, &harness) {
        (Some(run), None) => (optional("build", &file.build)?, words("run", run)?),
        (None, Some(harness)) if file.build.is_none() => (Some(harness.build()), harness.run()),
        _ => {
            return Err(document
                .fault(file.name.span(), "a member has either 'run' or 'runcpu'")
                .because("runcpu builds, runs and verifies by itself")
                .fix("write run = [\"program\", \"argument\"], or a table [member.runcpu]"));
        }
    };
    Ok(ExternalMember {
        name: checked_name(Entry::new(document, "name", &file.name))?,
        title: checked_title(Entry::new(document, "title", &file.title))?,
        class: class(Entry::new(document, "class", &file.class))?,
        build,
        run,
        check: match (&file.expect, &file.verify, harness) {
            (None, None, Some(harness)) => OutputCheck::Runcpu(harness),
            (Some(expect), None, None) => {
                OutputCheck::Digest(digest(Entry::new(document, "expect", expect))?)
            }
            (None, Some(verify), None) => OutputCheck::Command(words("verify", verify)?),
            _ => {
                return Err(document
                    .fault(file.name.span(), "a member has either 'expect' or 'verify'")
                    .because("what a copy has computed is compared with what is known")
                    .fix("add the SHA-256 of its standard output: expect = \"...\""));
            }
        },
        version: optional("version", &file.version)?,
        reference_machine: machine(Entry::new(document, "reference", &file.reference))?,
        reference: seconds(Entry::new(document, "reference_seconds", &file.reference_seconds))?,
    })
}

fn class(entry: Entry) -> Result<MemberClass, Fault> {
    MemberClass::ALL.into_iter().find(|class| class.name() == entry.text()).ok_or_else(|| {
        entry
            .fault(format!("'{}' is no class of members", entry.text().escape_debug()))
            .fix("use \"integer\" or \"floating\"")
    })
}

fn digest(entry: Entry) -> Result<String, Fault> {
    let text = entry.text();
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != 64 || !text.bytes().all(is_digit) {
        return Err(entry
            .fault(format!("'{}' is no SHA-256", text.escape_debug()))
            .fix("write its 64 lower-case hexadecimal digits: `COMMAND | sha256sum`"));
    }
    if text == DIGEST_OF_NOTHING {
        return Err(entry
            .fault("this is the SHA-256 of an empty output")
            .because("a program that computed nothing would have it, too")
            .fix("let the program print what it has computed, or use 'verify'"));
    }
    Ok(text.to_owned())
}

fn machine(entry: Entry) -> Result<String, Fault> {
    let text = entry.one_line()?;
    match text.chars().count() {
        0 => Err(entry.fault("it is empty").fix("name the machine that took reference_seconds")),
        count if count > TITLE_CHARS_MAX => Err(entry
            .fault(format!("it has {count} characters, more than {TITLE_CHARS_MAX}"))
            .fix("name it shortly")),
        _ => Ok(text),
    }
}

fn seconds(entry: Entry) -> Result<Nanos, Fault> {
    let seconds = entry.number()?;
    if (0.001..=REFERENCE_SECONDS_MAX).contains(&seconds) {
        return Ok(Nanos::from_secs_f64(seconds));
    }
    Err(entry
        .fault(format!("{seconds} seconds of one copy"))
        .fix("use 0.001 to 86400; members that take 1 to 60 s are measured well"))
}

/// The profile that a member is by itself.
pub(crate) fn profile_of(member: &ExternalMember) -> Profile {
    Profile {
        name: member.name.clone(),
        title: member.title.clone(),
        description: String::new(),
        source: String::new(),
        loads: None,
        lines: Vec::new(),
        range: AddressRange::WHOLE,
        distribution: Distribution::Uniform,
        data: DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO },
        durability: Durability::default(),
        think: Nanos::ZERO,
        trace: None,
        work: Work::External(Box::new(member.clone())),
    }
}
