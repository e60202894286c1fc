//! Generated files against those that are checked in.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;

use crate::reference::{FOLDER, GeneratedFile};

/// The advice on any drift.
pub const FIX: &str = "fix: run `cargo xtask generate` and commit what it wrote";

/// A file that is not what the code generates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Path from the workspace's root.
    pub path: String,
    /// Its fault.
    pub kind: DriftKind,
}

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriftKind {
    /// It does not exist.
    Missing,
    /// Its text differs from this line on.
    Changed(usize),
    /// Nothing generates it any more.
    Stale,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match self.kind {
            DriftKind::Missing => write!(f, "{path}: is generated but not checked in"),
            DriftKind::Changed(line) => write!(f, "{path}:{line}: differs from what is generated"),
            DriftKind::Stale => write!(f, "{path}: is not generated any more"),
        }
    }
}

/// Everything below [`FOLDER`] that is not as `files` say.
///
/// # Errors
/// When a file cannot be read.
pub fn find(root: &Path, files: &[GeneratedFile]) -> anyhow::Result<Vec<Drift>> {
    let mut drifted = Vec::new();
    for file in files {
        drifted.extend(compare(root, file)?);
    }
    drifted.extend(stale(root, files)?);
    Ok(drifted)
}

/// Brings [`FOLDER`] in line with `files`; gives the paths that were written or removed.
///
/// # Errors
/// When a file cannot be read, written or removed.
pub fn write(root: &Path, files: &[GeneratedFile]) -> anyhow::Result<Vec<String>> {
    let drifted = find(root, files)?;
    for drift in &drifted {
        let path = root.join(&drift.path);
        let new = files.iter().find(|file| file.path == drift.path);
        let done = match new {
            Some(file) => {
                let made = path.parent().map_or(Ok(()), fs::create_dir_all);
                made.and_then(|()| fs::write(&path, &file.text))
            }
            None => fs::remove_file(&path),
        };
        done.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(drifted.into_iter().map(|drift| drift.path).collect())
}

fn compare(root: &Path, file: &GeneratedFile) -> anyhow::Result<Option<Drift>> {
    let path = root.join(&file.path);
    let drift = |kind| Some(Drift { path: file.path.clone(), kind });
    match fs::read_to_string(&path) {
        Ok(text) if text == file.text => Ok(None),
        Ok(text) => Ok(drift(DriftKind::Changed(first_difference(&text, &file.text)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(drift(DriftKind::Missing)),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Number of the first line that differs, from 1.
fn first_difference(left: &str, right: &str) -> usize {
    left.lines().zip(right.lines()).take_while(|(left, right)| left == right).count() + 1
}

/// Files below [`FOLDER`] that nothing generates.
fn stale(root: &Path, files: &[GeneratedFile]) -> anyhow::Result<Vec<Drift>> {
    let generated: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut stale = Vec::new();
    let mut folders = vec![FOLDER.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {folder}"))?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(path);
            } else if !generated.contains(path.as_str()) {
                stale.push(Drift { path, kind: DriftKind::Stale });
            }
        }
    }
    Ok(stale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), 2);
        assert_eq!(first_difference("a\n", "a\nb\n"), 2);
    }
}
