//! Campaigns as they are typed: several suites one after the other, each on its own target, told in one
//! report; in TOML.
//!
//! ```toml
//! name = "server"
//! title = "A server"
//!
//! [[part]]
//! work = "processor"        # a suite or profile of the catalog, or a file beside this one
//! target = "cpu:"           # its own target
//! needs = ["taskset"]       # left out where one of these programs is missing
//!
//! [[part]]
//! work = "storagebench"     # no target: those of the command line
//! ```

use serde::Deserialize;

use super::document::{Document, Entry};
use super::profile::{self, Value};
use crate::words::fault::Fault;

/// Most parts of a campaign.
pub const PARTS_MAX: usize = 26;

/// A campaign as typed. Made by [`Campaign::parse`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Campaign {
    /// Lower-case letters, digits and hyphens; how the command line calls it.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What it measures; may be empty.
    pub description: String,
    /// Where its numbers come from; may be empty.
    pub source: String,
    /// What is measured, in this order; at least one of them on the targets of the command line.
    pub parts: Vec<CampaignPart>,
}

/// A suite of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignPart {
    /// Name of a suite or profile, or the path of a file that defines one.
    pub work: String,
    /// What it measures; `None` for the targets of the command line.
    pub target: Option<String>,
    /// Programs without which it is left out; empty if it is always measured.
    pub needs: Vec<String>,
}

impl Campaign {
    /// Reads a campaign; `file_name` is what faults call the text.
    ///
    /// # Errors
    /// When the text is not TOML, or has keys or values that a campaign doesn't have. The fault names
    /// file, line and column.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, Fault> {
        let document = Document::new(file_name, text);
        let file: CampaignFile = document.read()?;
        Ok(Self {
            name: profile::checked_name(Entry::new(document, "name", &file.name))?,
            title: profile::checked_title(Entry::new(document, "title", &file.title))?,
            description: profile::prose(document, "description", &file.description)?,
            source: profile::prose(document, "source", &file.source)?,
            parts: parts(document, &file)?,
        })
    }

    /// Whether a text is one of a campaign rather than of a suite or profile.
    pub fn is_in(text: &str) -> bool {
        text.lines().any(|line| line.trim_start().starts_with("[[part]]"))
    }

    /// What it is in a few words, for a list.
    pub fn summary(&self) -> String {
        match self.parts.len() {
            1 => "1 part".to_owned(),
            count => format!("{count} parts"),
        }
    }
}

/// Every `[[part]]`.
fn parts(document: Document, file: &CampaignFile) -> Result<Vec<CampaignPart>, Fault> {
    let count = file.parts.len();
    if count > PARTS_MAX {
        return Err(document
            .fault(file.name.span(), format!("{count} parts are more than {PARTS_MAX}"))
            .fix("make several campaigns"));
    }
    if file.parts.iter().all(|part| part.target.is_some()) {
        return Err(document
            .fault(file.name.span(), "no [[part]] measures the targets of the command line")
            .fix("leave 'target' out of one part"));
    }
    file.parts.iter().map(|given| part(document, given)).collect()
}

/// One `[[part]]`.
fn part(document: Document, file: &PartFile) -> Result<CampaignPart, Fault> {
    Ok(CampaignPart {
        work: filled(Entry::new(document, "work", &file.work), "processor")?,
        target: document.optional("target", &file.target, |entry| filled(entry, "memory:"))?,
        needs: needs(document, &file.needs)?,
    })
}

/// Names of programs.
fn needs(document: Document, names: &[Value]) -> Result<Vec<String>, Fault> {
    let name = |value: &Value| {
        let entry = Entry::new(document, "needs", value);
        let name = filled(entry, "Xvnc")?;
        match name.contains('/') {
            true => Err(entry.fault("it is a path").fix("write the name of a program on the PATH")),
            false => Ok(name),
        }
    };
    names.iter().map(name).collect()
}

/// Text of one line that is not empty.
fn filled(entry: Entry, example: &str) -> Result<String, Fault> {
    match entry.one_line()? {
        text if text.trim().is_empty() => {
            Err(entry.fault("it is empty").fix(format!("write one such as \"{example}\"")))
        }
        text => Ok(text),
    }
}

/// A campaign in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CampaignFile {
    pub(super) name: Value,
    pub(super) title: Value,
    pub(super) description: Option<Value>,
    pub(super) source: Option<Value>,
    #[serde(default, rename = "part")]
    pub(super) parts: Vec<PartFile>,
}

/// `[[part]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile {
    pub(super) work: Value,
    pub(super) target: Option<Value>,
    #[serde(default)]
    pub(super) needs: Vec<Value>,
}

#[cfg(test)]
mod tests;
