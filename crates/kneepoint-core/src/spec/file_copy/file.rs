//! The keys of `[file_copy]`, each value with its place.

use serde::Deserialize;

use crate::spec::profile::Value;

/// `[file_copy]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileCopyFile {
    pub(super) bytes: Value,
    pub(super) files: Value,
    pub(super) directories: Value,
    pub(super) methods: Option<Vec<Value>>,
    pub(super) caches: Option<Vec<Value>>,
    pub(super) repeat: Option<Value>,
}
