//! The keys of `[[factor]]`, each value with its place.

use serde::Deserialize;

use crate::spec::profile::Value;

/// `[[factor]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactorFile {
    pub(super) name: Value,
    pub(super) levels: Vec<Value>,
    pub(super) settle: Option<Value>,
    pub(super) set: Option<Vec<Value>>,
    pub(super) check: Option<Vec<Value>>,
    pub(super) expect: Option<Value>,
    pub(super) restore: Option<Vec<Value>>,
}
