//! A suite as TOML again.

use serde::Serialize;

use super::{Series, Suite};
use crate::spec::document;
use crate::spec::factor::{Design, FactorText, Order};
use crate::spec::file_copy::FileCopyText;
use crate::spec::profile::{LoadsText, ProfileText};

impl Suite {
    /// The suite in TOML; reads back as the same suite.
    pub fn to_toml(&self) -> String {
        document::print(&SuiteText {
            name: &self.name,
            title: &self.title,
            description: &self.description,
            source: &self.source,
            size: self.size.map(|size| size.to_string()),
            steady_state: self.steady_state.map(|round| round.to_string()),
            rules: self.rules.iter().map(ToString::to_string).collect(),
            loads: LoadsText::new(Some(&self.loads)),
            design: (self.factors.design != Design::default()).then(|| self.factors.design.name()),
            order: (self.factors.order != Order::default()).then(|| self.factors.order.name()),
            repeat: self.repeat,
            factors: self.factors.factors.iter().map(FactorText::new).collect(),
            file_copy: self.file_copy.as_ref().map(FileCopyText::new),
            series: self.series.iter().map(SeriesText::new).collect(),
            profiles: self.profiles.iter().map(ProfileText::new).collect(),
        })
    }
}

/// A suite's keys in the order in which they are written.
#[derive(Serialize)]
struct SuiteText<'a> {
    name: &'a str,
    title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steady_state: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<String>,
    #[serde(flatten)]
    loads: LoadsText,
    #[serde(skip_serializing_if = "Option::is_none")]
    design: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeat: Option<u32>,
    #[serde(rename = "factor", skip_serializing_if = "Vec::is_empty")]
    factors: Vec<FactorText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_copy: Option<FileCopyText>,
    series: Vec<SeriesText<'a>>,
    #[serde(rename = "profile", skip_serializing_if = "Vec::is_empty")]
    profiles: Vec<ProfileText<'a>>,
}

/// The keys of `[[series]]`.
#[derive(Serialize)]
struct SeriesText<'a> {
    profile: &'a str,
    #[serde(rename = "block", skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<String>,
    #[serde(flatten)]
    loads: LoadsText,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

impl<'a> SeriesText<'a> {
    fn new(series: &'a Series) -> Self {
        Self {
            profile: &series.profile,
            blocks: series.blocks.iter().map(ToString::to_string).collect(),
            loads: LoadsText::new(series.loads.as_ref()),
            note: &series.note,
        }
    }
}
