//! The files that the user asked for: checked before anything is measured, written whole or not at
//! all, and never in place of something that Kneepoint did not write.
//!
//! A regular file is replaced atomically, by way of a temporary file beside it that no one can
//! plant. A symbolic link stays, what it leads to is replaced. A pipe, a terminal and the like are
//! written through. A directory, a block device and a socket are refused.

mod parties;
mod place;
mod recognition;
mod replacement;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use kneepoint_core::result::RunDocument;
use kneepoint_core::words::fault::Fault;

pub(crate) use parties::{Parties, is_same};
pub(crate) use recognition::marked_pdf;

use crate::output::print::{print_json, tell};
use place::{Place, place};
use replacement::Replacement;

/// Bytes at each end of a file that tell whether it is an output of ours.
const LOOK_BYTES: u64 = 16 << 10;

/// Which files an output may replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replace {
    /// Those that Kneepoint wrote, and empty ones.
    Own,
    /// Any file but a store (`--force`).
    Any,
}

impl Replace {
    /// What `--force` says.
    pub(crate) const fn forced(force: bool) -> Self {
        if force { Self::Any } else { Self::Own }
    }
}

/// Whether `path` stands for standard output.
pub(crate) fn is_printed(path: &Path) -> bool {
    path == Path::new("-")
}

/// The format that the ending of `path` asks for, which must be one of `known`.
pub(crate) fn format_of<F: Copy>(path: &Path, known: &[(&str, F)]) -> Result<F, Fault> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let found = known.iter().find(|(name, _)| ending.eq_ignore_ascii_case(name));
    found.map(|(_, format)| *format).ok_or_else(|| {
        let endings: Vec<String> = known.iter().map(|(name, _)| format!(".{name}")).collect();
        Fault::new(format!("the ending of {} names no known format", path.display()))
            .fix(format!("end the file's name in {}", endings.join(" or ")))
    })
}

/// Refuses a folder in which no file could be made later; it need not be there yet. Makes and removes
/// a temporary file to find out; changes nothing else.
///
/// # Errors
/// When something else lies at `path` or above it, or no file can be made there.
pub(crate) fn check_folder(path: &Path) -> Result<(), Fault> {
    let absolute = std::path::absolute(path).map_err(|error| {
        Fault::new(format!("cannot make the folder {}", path.display())).because(error)
    })?;
    // The nearest one above that is there; dangling links count as there.
    let there = absolute.ancestors().find(|above| fs::symlink_metadata(above).is_ok());
    let there = there.unwrap_or(Path::new("/"));
    if !there.is_dir() {
        let shown = if there == absolute { path } else { there };
        return Err(Fault::new(format!("{} is no folder", shown.display()))
            .because("figures are to be written into it")
            .fix("name another folder, or move away what lies there"));
    }
    Replacement::prepare(&there.join("figure"), None).map(drop).map_err(|fault| named(fault, path))
}

/// Makes a folder if there is none; what is in an existing one stays.
pub(crate) fn make_folder(path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

/// Refuses an output that could not be written later, or that would destroy something. Makes and
/// removes a temporary file to find out; changes nothing else.
///
/// # Errors
/// When `path` leads to something that is never replaced, to a file that Kneepoint did not write
/// (unless `replace` permits it), or into a directory in which no file can be made.
pub(crate) fn check(path: &Path, replace: Replace) -> Result<(), Fault> {
    if is_printed(path) {
        return Ok(());
    }
    match place(path)? {
        Place::Standard(_) | Place::Stream => Ok(()),
        Place::Nothing(file) => Replacement::prepare(&file, None).map(drop),
        Place::Regular(file, metadata) => {
            check_replaceable((path, &file), replace)?;
            Replacement::prepare(&file, Some(&metadata)).map(drop)
        }
    }
    .map_err(|fault| named(fault, path))
}

/// Writes an output; `-` prints it.
///
/// # Errors
/// As [`check`], because what lies there can have changed since, and when writing fails.
pub(crate) fn write(
    path: &Path,
    replace: Replace,
    content: impl AsRef<[u8]>,
) -> anyhow::Result<()> {
    let content = content.as_ref();
    if is_printed(path) {
        return print_json(&String::from_utf8_lossy(content));
    }
    match place(path)? {
        Place::Standard(standard) => standard.write(content),
        Place::Stream => write_through(path, content),
        Place::Nothing(file) => replaced(Replacement::prepare(&file, None)?, content),
        Place::Regular(file, metadata) => {
            check_replaceable((path, &file), replace)?;
            replaced(Replacement::prepare(&file, Some(&metadata))?, content)
        }
    }
    .with_context(|| format!("cannot write {}", path.display()))
}

fn replaced(mut replacement: Replacement, content: &[u8]) -> io::Result<()> {
    replacement.write(content)?;
    replacement.finish()
}

/// Writes into a pipe or a device; what is there is never replaced.
fn write_through(path: &Path, content: &[u8]) -> io::Result<()> {
    let wait = || tell(format!("waiting for a reader of {}", path.display()));
    match place::open_stream(path, wait)?.write_all(content) {
        // Whoever read has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Refuses to replace what Kneepoint did not write.
fn check_replaceable((path, file): (&Path, &PathBuf), replace: Replace) -> Result<(), Fault> {
    let (head, tail) = ends(file).map_err(|error| {
        Fault::new(format!("cannot tell what {} is", path.display()))
            .because(error)
            .fix("name another file")
    })?;
    let refusal = || Fault::new(format!("{} is not replaced", path.display()));
    if recognition::is_store(&head) {
        return Err(refusal()
            .because("it is a Kneepoint store: its runs would be lost")
            .fix("name another file"));
    }
    if replace == Replace::Any || recognition::is_output(&head, &tail) {
        return Ok(());
    }
    Err(refusal()
        .because("Kneepoint did not write that file")
        .fix("name another file, or permit it with --force"))
}

/// The first and the last bytes of a file.
fn ends(path: &Path) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut file = File::open(path)?;
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&file).take(LOOK_BYTES).read_to_end(&mut head)?;
    let end = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(end.saturating_sub(LOOK_BYTES)))?;
    file.take(LOOK_BYTES).read_to_end(&mut tail)?;
    Ok((head, tail))
}

/// A fault that says which output it is about.
fn named(fault: Fault, path: &Path) -> Fault {
    let name = path.display().to_string();
    if fault.to_string().contains(&name) {
        return fault;
    }
    let fix = fault.fix_hint().unwrap_or("name another file").to_owned();
    Fault::new(format!("cannot write {name}")).because(fault).fix(fix)
}

/// The run as JSON.
pub(crate) fn json(document: &RunDocument) -> anyhow::Result<String> {
    let text = serde_json::to_string_pretty(document).context("cannot write the run as JSON")?;
    Ok(text + "\n")
}
