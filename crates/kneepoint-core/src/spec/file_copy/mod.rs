//! The file copy: a tree of files that is copied with the functions of the operating system.
//!
//! ```toml
//! [file_copy]
//! bytes = "500MiB"                       # of all files together
//! files = 712
//! directories = 64
//! methods = ["copy_file_range", "sendfile", "read-write"]     # all, by default
//! caches = ["cached", "uncached"]                             # both, by default
//! repeat = 5                                                  # copies of each kind
//! ```
//!
//! It is no load: nothing is kept in flight, and there is no level to raise. So copies stand beside
//! the points of a run and not among them. What is copied follows from the plan alone
//! (`plan::FileSet`); who copies it is another crate's business.

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{Document, Entry, did_you_mean};
use super::profile::Value;
use crate::words::fault::Fault;
use crate::words::units::Bytes;

/// Most bytes of a file set (1 TiB).
pub const BYTES_MAX: u64 = 1 << 40;
/// Most files of a file set.
pub const FILES_MAX: u32 = 100_000;
/// Most directories of a file set.
pub const DIRECTORIES_MAX: u32 = 10_000;
/// Most copies of each kind.
pub const REPEAT_MAX: u32 = 1000;
/// Copies of each kind where no one says: enough for a confidence interval that is not wide by the
/// quantile alone (Student's t is 2.8 for five values, 4.3 for three).
pub const REPEAT_DEFAULT: u32 = 5;

/// A file copy with nothing left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileCopy {
    /// What is copied.
    pub set: FileSetPlan,
    /// How, each once, at least one.
    pub methods: Vec<CopyMethod>,
    /// With or without the page cache, each once, at least one.
    pub caches: Vec<CopyCache>,
    /// Copies of each method and cache, at least one.
    pub repetitions: u32,
}

impl FileCopy {
    /// Copies on one target, if none fails.
    pub fn count(&self) -> usize {
        self.methods.len() * self.caches.len() * self.repetitions as usize
    }
}

/// The size of a file set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSetPlan {
    /// Bytes of all files together, at least one for each.
    pub bytes: u64,
    /// Number of files, at least one.
    pub files: u32,
    /// Number of directories, at least one.
    pub directories: u32,
}

crate::named! {
    /// The function of the operating system that copies.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "kebab-case")]
    pub enum CopyMethod {
        /// `copy_file_range`: the kernel copies from file to file; a file system may share the
        /// blocks instead.
        #[serde(rename = "copy_file_range")]
        CopyFileRange = "copy_file_range",
        /// `sendfile`: the kernel copies from the page cache to the file.
        Sendfile = "sendfile",
        /// `read` and `write` through a buffer of [`READ_WRITE_BYTES`].
        ReadWrite = "read-write",
    }
}

/// Bytes of one read and of one write of [`CopyMethod::ReadWrite`]: the 64 KiB that the published
/// suites give as the block of their file copy.
pub const READ_WRITE_BYTES: usize = 64 << 10;

crate::named! {
    /// Whether a copy may rely on the page cache.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "kebab-case")]
    pub enum CopyCache {
        /// The source is in the page cache, and the copy is done when the page cache has it.
        Cached = "cached",
        /// The source does not lie in the page cache, and the copy is done when the storage has it.
        Uncached = "uncached",
    }
}

/// The `[file_copy]` of a suite.
pub(crate) fn check(document: Document, file: &FileCopyFile) -> Result<FileCopy, Fault> {
    let repetitions = document.optional("repeat", &file.repeat, |at| count(at, REPEAT_MAX))?;
    Ok(FileCopy {
        set: set(document, file)?,
        methods: words(
            document,
            ("methods", file.methods.as_deref()),
            (&CopyMethod::ALL, CopyMethod::name),
        )?,
        caches: words(
            document,
            ("caches", file.caches.as_deref()),
            (&CopyCache::ALL, CopyCache::name),
        )?,
        repetitions: repetitions.unwrap_or(REPEAT_DEFAULT),
    })
}

/// The sizes of the file set.
fn set(document: Document, file: &FileCopyFile) -> Result<FileSetPlan, Fault> {
    let files = count(Entry::new(document, "files", &file.files), FILES_MAX)?;
    let directories =
        count(Entry::new(document, "directories", &file.directories), DIRECTORIES_MAX)?;
    let entry = Entry::new(document, "bytes", &file.bytes);
    let bytes: Bytes = entry.parse()?;
    match (u64::from(files)..=BYTES_MAX).contains(&bytes.0) {
        true => Ok(FileSetPlan { bytes: bytes.0, files, directories }),
        false => Err(entry
            .fault(format!("{bytes} in {files} files"))
            .fix("use at least a byte for each file and at most 1TiB, such as 500MiB")),
    }
}

/// A whole number from 1 to `max`.
fn count(entry: Entry, max: u32) -> Result<u32, Fault> {
    match entry.whole()? {
        count if (1..=max).contains(&count) => Ok(count),
        other => Err(entry.fault(format!("{other} of them")).fix(format!("use 1 to {max}"))),
    }
}

/// The values that a list names, each once; all of them where there is no list.
fn words<T: Copy + PartialEq>(
    document: Document,
    (key, values): (&'static str, Option<&[Value]>),
    (known, name): (&[T], fn(T) -> &'static str),
) -> Result<Vec<T>, Fault> {
    let Some(values) = values.filter(|values| !values.is_empty()) else {
        return Ok(known.to_vec());
    };
    let mut found = Vec::new();
    for value in values {
        let entry = Entry::new(document, key, value);
        let text = entry.text();
        let names = known.iter().map(|value| name(*value));
        let Some(value) = known.iter().find(|value| name(**value) == text) else {
            let all: Vec<&str> = names.clone().collect();
            let fix = did_you_mean(text, names);
            return Err(entry
                .fault(format!("there is no '{text}'"))
                .fix(fix.unwrap_or_else(|| format!("use {}", all.join(", ")))));
        };
        if found.contains(value) {
            return Err(entry.fault(format!("'{text}' is there twice")).fix("remove one"));
        }
        found.push(*value);
    }
    Ok(found)
}

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
