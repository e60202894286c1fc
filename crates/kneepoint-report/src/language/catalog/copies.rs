//! Copies of files.

use kneepoint_core::spec::file_copy::CopyCache;

/// What was copied, how, and how fast.
#[derive(Debug)]
pub(crate) struct CopyTexts {
    pub(crate) heading: &'static str,
    pub(crate) introduction: fn(&CopySetWords) -> String,
    /// What the two ways with the page cache mean.
    pub(crate) caches: &'static str,
    pub(crate) caption: &'static str,
    /// The target, where there are several.
    pub(crate) caption_of: fn(&str) -> String,
    pub(crate) method: &'static str,
    pub(crate) cache: &'static str,
    pub(crate) cache_name: fn(CopyCache) -> &'static str,
    pub(crate) median: &'static str,
    pub(crate) files: &'static str,
    pub(crate) copies: &'static str,
    pub(crate) duration: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) reading: &'static str,
    /// Title of the bars.
    pub(crate) bars: &'static str,
    pub(crate) bars_note: &'static str,
    pub(crate) failures: &'static str,
    pub(crate) warnings: &'static str,
}

/// The file set.
#[derive(Debug)]
pub(crate) struct CopySetWords {
    /// Number of files.
    pub(crate) files: String,
    /// Number of directories.
    pub(crate) directories: String,
    /// Size of all files together.
    pub(crate) size: String,
    /// The same in bytes.
    pub(crate) bytes: String,
}
