//! A file copy as TOML again.

use serde::Serialize;

use super::{CopyCache, CopyMethod, FileCopy};
use crate::words::units::Bytes;

/// The keys of `[file_copy]`.
#[derive(Serialize)]
pub(crate) struct FileCopyText {
    bytes: String,
    files: u32,
    directories: u32,
    methods: Vec<&'static str>,
    caches: Vec<&'static str>,
    repeat: u32,
}

impl FileCopyText {
    pub(crate) fn new(copy: &FileCopy) -> Self {
        Self {
            bytes: Bytes(copy.set.bytes).to_string(),
            files: copy.set.files,
            directories: copy.set.directories,
            methods: copy.methods.iter().map(|method| CopyMethod::name(*method)).collect(),
            caches: copy.caches.iter().map(|cache| CopyCache::name(*cache)).collect(),
            repeat: copy.repetitions,
        }
    }
}
