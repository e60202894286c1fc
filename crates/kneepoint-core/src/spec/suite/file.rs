//! The keys of a suite, each value with its place.

use serde::Deserialize;

use crate::spec::factor::FactorFile;
use crate::spec::file_copy::FileCopyFile;
use crate::spec::profile::{ProfileFile, Value};

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
