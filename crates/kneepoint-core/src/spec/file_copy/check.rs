//! From the keys of a suite to a file copy.

use serde::Deserialize;

use super::{
    BYTES_MAX, CopyCache, CopyMethod, DIRECTORIES_MAX, FILES_MAX, FileCopy, FileSetPlan,
    REPEAT_DEFAULT, REPEAT_MAX,
};
use crate::spec::document::{Document, Entry, did_you_mean};
use crate::spec::profile::Value;
use crate::words::fault::Fault;
use crate::words::units::Bytes;

/// The `[file_copy]` of a suite.
pub(crate) fn check(document: Document, file: &FileCopyFile) -> Result<FileCopy, Fault> {
    let entry = |key, value| Entry::new(document, key, value);
    let repeat = file.repeat.as_ref();
    let repetitions = repeat.map(|value| count(entry("repeat", value), REPEAT_MAX)).transpose()?;
    Ok(FileCopy {
        set: set(document, file)?,
        methods: words(document, ("methods", file.methods.as_deref()), &METHODS)?,
        caches: words(document, ("caches", file.caches.as_deref()), &CACHES)?,
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

const METHODS: [(&str, CopyMethod); 3] = [
    (CopyMethod::CopyFileRange.name(), CopyMethod::CopyFileRange),
    (CopyMethod::Sendfile.name(), CopyMethod::Sendfile),
    (CopyMethod::ReadWrite.name(), CopyMethod::ReadWrite),
];

const CACHES: [(&str, CopyCache); 2] = [
    (CopyCache::Cached.name(), CopyCache::Cached),
    (CopyCache::Uncached.name(), CopyCache::Uncached),
];

/// The values that a list names, each once; all of them where there is no list.
fn words<T: Copy + PartialEq>(
    document: Document,
    (key, values): (&'static str, Option<&[Value]>),
    known: &[(&'static str, T)],
) -> Result<Vec<T>, Fault> {
    let Some(values) = values.filter(|values| !values.is_empty()) else {
        return Ok(known.iter().map(|(_, value)| *value).collect());
    };
    let mut found = Vec::new();
    for value in values {
        let entry = Entry::new(document, key, value);
        let text = entry.text();
        let names = known.iter().map(|(name, _)| *name);
        let Some((_, value)) = known.iter().find(|(name, _)| *name == text) else {
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
