//! The files that the user asked for: checked before anything is measured, written whole or not at
//! all, and never in place of something that Kneepoint did not write.
//!
//! A regular file is replaced atomically, by way of a temporary file beside it that no one can
//! plant. A symbolic link stays, what it leads to is replaced. A pipe, a terminal and the like are
//! written through. A directory, a block device and a socket are refused.

mod place;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use kneepoint_core::words::fault::Fault;
use serde::Serialize;

use crate::output::print::{print_json, tell};
use place::{OutputPlace, Replacement, end_of, place};

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
    /// The permission by `--force`.
    pub(crate) const fn forced(force: bool) -> Self {
        if force { Self::Any } else { Self::Own }
    }
}

/// True if `path` stands for standard output.
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

/// Refuses a folder in which no file could be made later; it need not be there yet. Makes and
/// removes a temporary file to find out; changes nothing else.
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
        OutputPlace::Standard(_) | OutputPlace::Stream => Ok(()),
        OutputPlace::Nothing(file) => Replacement::prepare(&file, None).map(drop),
        OutputPlace::Regular(file, metadata) => {
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
        OutputPlace::Standard(standard) => standard.write(content),
        OutputPlace::Stream => write_through(path, content),
        OutputPlace::Nothing(file) => replaced(Replacement::prepare(&file, None)?, content),
        OutputPlace::Regular(file, metadata) => {
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
    if is_store(&head) {
        return Err(refusal()
            .because("it is a Kneepoint store: its runs would be lost")
            .fix("name another file"));
    }
    if replace == Replace::Any || is_output(&head, &tail) {
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

/// `what`, such as "the run", as JSON.
pub(crate) fn json(what: &str, document: &impl Serialize) -> anyhow::Result<String> {
    let text = serde_json::to_string_pretty(document);
    Ok(text.with_context(|| format!("cannot write {what} as JSON"))? + "\n")
}

/// Endings of the files that SQLite and the settings of a run keep beside a store.
const BESIDE_STORE: [&str; 4] = ["-wal", "-shm", "-journal", "-settings"];

/// The role of a file in the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Store,
    Target,
    Input,
    Output,
}

/// A file of the command.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Party {
    role: Role,
    /// As a sentence names it.
    name: String,
    identity: PathIdentity,
}

/// The identity of a file, whatever its name: device and inode of what lies there; if nothing does
/// yet, those of the directory, and the name in it.
type PathIdentity = (u64, u64, Option<OsString>);

/// The files of a command, compared with one another before anything is read or written for good:
/// no output may be the store, a target, an input, or another output.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parties(Vec<Party>);

impl Parties {
    /// A command that keeps its runs in `store`.
    pub(crate) fn with_store(store: &Path) -> Self {
        let mut parties = Self::default();
        parties.add(Role::Store, format!("the store {}", store.display()), store);
        let real = end_of(store).map(|end| end.file());
        let bases: Vec<PathBuf> = real.into_iter().chain([store.to_owned()]).collect();
        for (base, ending) in bases.iter().flat_map(|base| BESIDE_STORE.map(|end| (base, end))) {
            let mut file = OsString::from(base);
            file.push(ending);
            let name = format!("the store's file {}", Path::new(&file).display());
            parties.add(Role::Store, name, Path::new(&file));
        }
        parties
    }

    /// Adds what is measured.
    pub(crate) fn target(&mut self, path: &Path) {
        self.add(Role::Target, format!("the target {}", path.display()), path);
    }

    /// Adds a file that is read.
    pub(crate) fn input(&mut self, path: &Path) {
        self.add(Role::Input, format!("the input {}", path.display()), path);
    }

    /// Adds the value of an option that names a file to be written, if there is one.
    pub(crate) fn output(&mut self, option: &str, path: Option<&Path>) {
        if let Some(path) = path.filter(|path| !is_printed(path)) {
            self.add(Role::Output, format!("{option} {}", path.display()), path);
        }
    }

    fn add(&mut self, role: Role, name: String, path: &Path) {
        // What cannot be identified is told by whoever opens it.
        if let Some(identity) = identity(path) {
            self.0.push(Party { role, name, identity });
        }
    }

    /// Refuses a command that would write one file in two roles.
    ///
    /// # Errors
    /// When two names lead to the same file and one of them is written.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        for (index, one) in self.0.iter().enumerate() {
            // Only outputs must not share a file with others of their role.
            let same = self.0[..index].iter().find(|other| {
                let are_exclusive = other.role != one.role || one.role == Role::Output;
                other.identity == one.identity && are_exclusive
            });
            if let Some(other) = same {
                return Err(Fault::new(format!(
                    "{} and {} are the same file",
                    other.name, one.name
                ))
                .because("writing the one would destroy the other")
                .fix("name another file"));
            }
        }
        Ok(())
    }
}

/// The identity of the file at `path`. Nothing for what is written through and never replaced, such
/// as a pipe: any number of names may lead there.
fn identity(path: &Path) -> Option<PathIdentity> {
    if let Ok(metadata) = fs::metadata(path) {
        let kind = metadata.file_type();
        let is_replaced = kind.is_file() || std::os::unix::fs::FileTypeExt::is_block_device(&kind);
        return is_replaced.then(|| (metadata.dev(), metadata.ino(), None));
    }
    let end = end_of(path).ok()?;
    let directory = fs::metadata(&end.directory).ok()?;
    Some((directory.dev(), directory.ino(), Some(end.name)))
}

/// True if two names lead to the same file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|identity_of_one| identity(other) == Some(identity_of_one))
}

/// The first bytes of SQLite's files, and where their header has the store's mark ("Knee").
const SQLITE: &[u8] = b"SQLite format 3\0";
const STORE_MARK: (usize, &[u8]) = (68, b"Knee");

/// The comment that the texts of reports and drawings end in.
const COMMENT: &[u8] = kneepoint_report::MARK.as_bytes();

/// The comment in a PDF, before the place of its table of contents (ISO 32000, 7.5.5).
const PDF_COMMENT: &[u8] = b"% Written by Kneepoint\n";

/// The end of a PDF: the keyword before the place of its cross-reference table.
const PDF_END: &[u8] = b"startxref";

/// Marks near the beginning or the end of files of ours, by their first bytes.
const MARKS: &[(&[u8], &[u8])] = &[
    (b"<!DOCTYPE html>", b"<meta name=\"generator\" content=\"Kneepoint\">"),
    (b"<svg", COMMENT),
    (b"# ", COMMENT),
    (b"<?xml", b"<testsuites name=\"kneepoint compare\""),
    (b"%PDF-", PDF_COMMENT),
    (b"# Converted by Kneepoint\n", b""),
    (b"; Converted by Kneepoint\n", b""),
    (b"Version ", b"'Test Description\n\tConverted by Kneepoint: "),
    (b"{", b"\"fio version\": \"kneepoint-"),
    (b"#[Logged with Kneepoint ", b"#[Histogram log format version "),
    (b"'Test Type,Test Description\n0,Kneepoint run ", b"'Version\n"),
    (b"* Written by Kneepoint, run ", b"\n"),
    (b"", b"\n# Residuals of the calibration, in percent of the measured number:"),
];

/// The columns of exported tables: one of each line, today's or an earlier one.
const COLUMNS: &[&[&str]] =
    &[&["series"], &["profile", "start_s"], &["rate", "iops"], &["latency_mean_ms"]];

/// The first bytes of the tables of figures, and of their first line of data.
const FIGURE: (&str, &[&str]) = (
    "kind,",
    &["point,", "rule,", "bar,", "cell,", "interval,", "mean,", "knee,", "crossing,", "peak,"],
);

/// True if a file that begins so is a Kneepoint store.
fn is_store(head: &[u8]) -> bool {
    let (at, mark) = STORE_MARK;
    head.starts_with(SQLITE) && head.get(at..at + mark.len()) == Some(mark)
}

/// True if a file that begins and ends so is an output of Kneepoint, or empty.
fn is_output(head: &[u8], tail: &[u8]) -> bool {
    let marked = |(start, mark): &(&[u8], &[u8])| {
        head.starts_with(start) && (contains(head, mark) || contains(tail, mark))
    };
    head.is_empty() || is_document(head) || is_table(head) || MARKS.iter().any(marked)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

/// JSON whose first key is the schema, one of ours.
fn is_document(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut rest = text.as_ref();
    for part in ["{", "\"schema\"", ":"] {
        match rest.trim_start().strip_prefix(part) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.trim_start().starts_with("\"kneepoint.")
}

/// CSV with the columns of an export, or with the data of a figure.
fn is_table(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let (header, data) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let columns: Vec<&str> = header.split(',').collect();
    let is_figure =
        header.starts_with(FIGURE.0) && FIGURE.1.iter().any(|kind| data.starts_with(kind));
    is_figure || COLUMNS.iter().all(|any| any.iter().any(|name| columns.contains(name)))
}

/// A PDF with the comment by which it is recognised; no offset in it changes.
pub(crate) fn marked_pdf(mut pdf: Vec<u8>) -> Vec<u8> {
    let end = pdf.windows(PDF_END.len()).rposition(|window| window == PDF_END);
    if let Some(end) = end {
        pdf.splice(end..end, PDF_COMMENT.iter().copied());
    }
    pdf
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, expected: bool) {
        assert_eq!(is_output(content.as_bytes(), content.as_bytes()), expected, "{content}");
    }

    #[test]
    fn outputs_are_recognised() {
        check("", true);
        check("{\n  \"schema\": \"kneepoint.run/1\",", true);
        check("{\"schema\":\"kneepoint.validate/1\"}", true);
        check("# Report\n\ntext\n\n<!-- Written by Kneepoint -->\n", true);
        check("<svg xmlns=\"x\"></svg>\n<!-- Written by Kneepoint -->\n", true);
        check("kind,group,series\nbar,a,b\n", true);
        check("# Converted by Kneepoint\nname = \"a\"\n", true);
        check("; Converted by Kneepoint\n[a]\n", true);
        check("Version 1.1.0 \n'Test Description\n\tConverted by Kneepoint: A\n", true);
        check("run,series,profile,rate,latency_mean_ms\n", true);
        check("run,series,profile,iops,latency_mean_ms\n", true);
        check(
            "name = \"a\"\n\n# Residuals of the calibration, in percent of the measured number:\n",
            true,
        );
    }

    #[test]
    fn files_of_others_are_not() {
        check("diary", false);
        check("Version 1.1.0 \n'Test Description\n\tOurs\n", false);
        check("# Notes\n\nabout Kneepoint\n", false);
        check("{\"name\":\"kneepoint.run/1\",\"schema\":\"other\"}", false);
        check("<!DOCTYPE html><title>Kneepoint</title>", false);
        check("kind,colour\nwood,brown\n", false);
        check("series,season\n", false);
        check("%PDF-1.7 about Kneepoint", false);
    }

    #[test]
    fn a_pdf_is_marked_before_its_end() {
        let pdf = marked_pdf(b"%PDF-1.7\nstartxref\n9\n%%EOF".to_vec());
        assert_eq!(pdf, b"%PDF-1.7\n% Written by Kneepoint\nstartxref\n9\n%%EOF");
        assert!(is_output(&pdf, &pdf));
    }

    #[test]
    fn a_store_is_recognised_by_its_header() {
        let mut header = [0; 100];
        header[..16].copy_from_slice(SQLITE);
        assert!(!is_store(&header));
        header[68..72].copy_from_slice(b"Knee");
        assert!(is_store(&header));
    }
}
