//! Files that the user asked for: checked before a long run, written whole or not at all.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::Context;
use kneepoint_core::fault::Fault;
use kneepoint_core::result::RunDocument;

use crate::output::print::print;

/// The format that the ending of `path` asks for, which must be one of `known`.
pub(super) fn format_of<F: Copy>(path: &Path, known: &[(&str, F)]) -> Result<F, Fault> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let found = known.iter().find(|(name, _)| ending.eq_ignore_ascii_case(name));
    found.map(|(_, format)| *format).ok_or_else(|| {
        let endings: Vec<String> = known.iter().map(|(name, _)| format!(".{name}")).collect();
        Fault::new(format!("the ending of {} names no known format", path.display()))
            .fix(format!("end the file's name in {}", endings.join(" or ")))
    })
}

/// Makes a folder where there is none; what lies in an existing one stays.
pub(super) fn make_folder(path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

/// Refuses a file that could not be written later.
pub(super) fn check_writable(path: &Path) -> Result<(), Fault> {
    let directory = directory_of(path);
    if path.is_dir() {
        return Err(
            Fault::new(format!("{} is a directory", path.display())).fix("name a file in it")
        );
    }
    if directory.is_dir() {
        return Ok(());
    }
    Err(Fault::new(format!("cannot write {}", path.display()))
        .because(format!("there is no directory {}", directory.display()))
        .fix("create the directory, or name another file"))
}

/// Writes a file by way of a temporary one beside it, so that nobody ever reads half of it.
pub(super) fn write(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = directory_of(path).join(format!(".{name}.{}.part", std::process::id()));
    let written = fs::write(&temporary, content).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The run as JSON.
pub(super) fn json(document: &RunDocument) -> anyhow::Result<String> {
    let text = serde_json::to_string_pretty(document).context("cannot write the run as JSON")?;
    Ok(text + "\n")
}

/// Writes JSON to a file, or prints it where the file is `-`.
pub(super) fn write_json(path: &Path, document: &RunDocument) -> anyhow::Result<()> {
    match path.as_os_str() == "-" {
        true => print(&json(document)?),
        false => write(path, json(document)?),
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
