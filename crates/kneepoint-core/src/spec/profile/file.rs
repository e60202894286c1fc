//! The keys of a profile, each value with its place.

use serde::Deserialize;
use toml::Spanned;

use crate::spec::document::Scalar;

/// A value with its place.
pub(crate) type Value = Spanned<Scalar>;

/// A profile in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileFile {
    pub(super) name: Value,
    pub(super) title: Value,
    pub(super) description: Option<Value>,
    pub(super) source: Option<Value>,
    pub(super) outstanding: Option<Value>,
    pub(super) rate: Option<Value>,
    pub(super) users: Option<Value>,
    pub(super) think: Option<Value>,
    #[serde(default, rename = "operation")]
    pub(super) operations: Vec<OperationFile>,
    #[serde(default, rename = "line")]
    pub(super) lines: Vec<LineFile>,
    pub(super) address: Option<Spanned<AddressFile>>,
    pub(super) distribution: Option<Spanned<DistributionFile>>,
    pub(super) data: Option<DataFile>,
}

/// `[[operation]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperationFile {
    pub(super) class: Value,
    pub(super) share: Value,
    pub(super) demand: Value,
}

/// `[[line]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineFile {
    pub(super) share: Value,
    pub(super) size: Value,
    pub(super) read: Value,
    pub(super) random: Value,
    pub(super) burst: Option<Value>,
    pub(super) delay: Option<Value>,
    pub(super) align: Option<Value>,
}

/// `[address]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddressFile {
    pub(super) start: Option<Value>,
    pub(super) end: Option<Value>,
    pub(super) stroke: Option<Value>,
}

/// `[distribution]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DistributionFile {
    pub(super) kind: Value,
    pub(super) theta: Option<Value>,
    #[serde(default, rename = "band")]
    pub(super) bands: Vec<BandFile>,
}

/// `[[distribution.band]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BandFile {
    pub(super) range: Value,
    pub(super) access: Value,
}

/// `[data]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataFile {
    pub(super) compressible: Option<Value>,
    pub(super) duplicate: Option<Value>,
}

impl ProfileFile {
    /// Where the profile's name stands, in bytes of the text.
    pub(crate) fn name_span(&self) -> std::ops::Range<usize> {
        self.name.span()
    }
}
