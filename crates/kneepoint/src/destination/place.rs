//! The state of the path of an output, and a regular file that takes another one's place at once
//! and entirely.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use rustix::fs::{CWD, OFlags, RenameFlags, fstat, renameat_with};
use rustix::io::Errno;

use crate::session::entropy;

/// Most symbolic links that are followed, as the kernel does.
const LINKS_MAX: usize = 40;

/// The state of the path of an output.
#[derive(Debug)]
pub(super) enum OutputPlace {
    /// No file; it would be made at this path, which has no links in it.
    Nothing(PathBuf),
    /// A regular file at this path, which has no links in it.
    Regular(PathBuf, Metadata),
    /// A pipe, a terminal, an open file of a process: written through.
    Stream,
    /// The file of standard output or standard error.
    Standard(Standard),
}

/// A stream of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standard {
    Output,
    Error,
}

impl Standard {
    /// Writes to the stream. A closed pipe is success: whoever read has seen enough.
    pub(super) fn write(self, content: &[u8]) -> io::Result<()> {
        let to = |out: &mut dyn Write| out.write_all(content).and_then(|()| out.flush());
        let written = match self {
            Self::Output => to(&mut io::stdout().lock()),
            Self::Error => to(&mut io::stderr().lock()),
        };
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// Looks at `path`; opens nothing.
pub(super) fn place(path: &Path) -> Result<OutputPlace, Fault> {
    let end = end_of(path)?;
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(OutputPlace::Nothing(end.file()));
        }
        Err(error) => return Err(unusable(path, &error)),
    };
    if let Some(standard) = standard(&metadata) {
        return Ok(OutputPlace::Standard(standard));
    }
    if metadata.is_file() {
        return Ok(match end.is_open_file {
            true => OutputPlace::Stream,
            false => OutputPlace::Regular(end.file(), metadata),
        });
    }
    check_stream(path, &metadata).map(|()| OutputPlace::Stream)
}

/// Opens what is written through; calls `wait` before it waits for a reader of a pipe.
///
/// It is opened once: a reader whose pipe was opened and closed again would take that for the end.
pub(super) fn open_stream(path: &Path, wait: impl FnOnce()) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOCTTY | OFlags::CLOEXEC;
    let open = |more| rustix::fs::open(path, flags | more, rustix::fs::Mode::empty());
    match open(OFlags::NONBLOCK) {
        Err(rustix::io::Errno::NXIO) => {
            wait();
            Ok(open(OFlags::empty())?.into())
        }
        opened => {
            let opened = opened?;
            rustix::fs::fcntl_setfl(&opened, OFlags::APPEND)?;
            Ok(opened.into())
        }
    }
}

/// The end of a path, without links.
pub(super) struct PathEnd {
    /// The directory, without links.
    pub(super) directory: PathBuf,
    /// The name in it.
    pub(super) name: OsString,
    /// True if the way leads through an open file of a process, such as `/dev/stdout`.
    is_open_file: bool,
}

impl PathEnd {
    /// The file's path, without links.
    pub(super) fn file(&self) -> PathBuf {
        self.directory.join(&self.name)
    }
}

/// Follows the links of `path`, whether anything lies at its end or not.
pub(super) fn end_of(path: &Path) -> Result<PathEnd, Fault> {
    let mut at = std::path::absolute(path).map_err(|error| unusable(path, &error))?;
    for _ in 0..LINKS_MAX {
        let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
            return Err(directory_fault(path));
        };
        let directory = fs::canonicalize(parent).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Fault::new(format!("cannot write {}", path.display()))
                .because(format!("there is no directory {}", shown_parent(path, parent).display()))
                .fix("create the directory, or name another file"),
            _ => unusable(path, &error),
        })?;
        let is_open_file = directory.starts_with("/proc") && directory.ends_with("fd");
        let name = name.to_owned();
        match fs::read_link(directory.join(&name)) {
            Ok(target) if !is_open_file => at = directory.join(target),
            _ => return Ok(PathEnd { directory, name, is_open_file }),
        }
    }
    Err(Fault::new(format!("{} leads in a circle of links", path.display())))
}

/// The directory as the user typed it, if no link led elsewhere.
fn shown_parent<'a>(path: &'a Path, parent: &'a Path) -> &'a Path {
    match path.parent() {
        Some(typed) if parent.ends_with(typed) && typed != Path::new("") => typed,
        _ => parent,
    }
}

/// Which stream of this process the file is.
fn standard(metadata: &Metadata) -> Option<Standard> {
    let is = |stat: rustix::io::Result<rustix::fs::Stat>| {
        stat.is_ok_and(|stat| (stat.st_dev, stat.st_ino) == (metadata.dev(), metadata.ino()))
    };
    if is(fstat(io::stdout())) {
        return Some(Standard::Output);
    }
    is(fstat(io::stderr())).then_some(Standard::Error)
}

/// Refuses what is neither a file nor takes text.
fn check_stream(path: &Path, metadata: &Metadata) -> Result<(), Fault> {
    let kind = metadata.file_type();
    if kind.is_dir() {
        return Err(directory_fault(path));
    }
    if kind.is_fifo() || kind.is_char_device() && takes_text(metadata.rdev()) {
        return Ok(());
    }
    let what = match () {
        () if kind.is_block_device() => "it is a block device: its data would be lost",
        () if kind.is_socket() => "it is a socket",
        () => "it is a device that is not made for text",
    };
    Err(Fault::new(format!("{} cannot be written as an output", path.display()))
        .because(what)
        .fix("name a file, or a pipe"))
}

/// True for the character devices that text is written to: the kernel's null, zero, full and random
/// devices, then consoles, serial lines and terminals ("Linux allocated devices", major and minor
/// numbers).
fn takes_text(device: u64) -> bool {
    let device = (rustix::fs::major(device), rustix::fs::minor(device));
    matches!(device, (1, 3 | 5 | 7..=9) | (4 | 5 | 136..=143 | 204, _))
}

fn directory_fault(path: &Path) -> Fault {
    Fault::new(format!("{} is a directory", path.display())).fix("name a file in it")
}

fn unusable(path: &Path, error: &io::Error) -> Fault {
    Fault::new(format!("cannot write {}", path.display())).because(error).fix("name another file")
}

/// Opens the directory of a file, to bring its entry to stable storage.
fn sync_directory(file: &Path) {
    // A file system that cannot do that keeps the file nevertheless.
    let _ = file.parent().map(|parent| File::open(parent).and_then(|parent| parent.sync_all()));
}

/// Names that are tried; each is one of 2^64.
const TRIES: usize = 8;

/// A temporary file beside the one that it will replace; removed unless that happens.
#[derive(Debug)]
pub(super) struct Replacement {
    temporary: PathBuf,
    file: File,
    target: PathBuf,
    /// Device and inode of what is replaced; nothing if nothing lies there.
    replaces: Option<(u64, u64)>,
}

impl Replacement {
    /// Makes the temporary file with the owner and mode of `replaced`, or as the umask says. It is
    /// made under a random name and only if nothing lies there, not even a link.
    pub(super) fn prepare(target: &Path, replaced: Option<&Metadata>) -> Result<Self, Fault> {
        let directory = target.parent().unwrap_or(Path::new("/"));
        let fault = |error: io::Error| {
            Fault::new(format!("cannot write {}", target.display()))
                .because(format!("no file can be made in {}: {error}", directory.display()))
                .fix("make the directory writable, or name another file")
        };
        let mode = if replaced.is_some() { 0o600 } else { 0o666 };
        let (temporary, file) = make_temporary(directory, mode).map_err(fault)?;
        let replaces = replaced.map(|metadata| (metadata.dev(), metadata.ino()));
        let made = Self { temporary, file, target: target.to_owned(), replaces };
        if let Some(metadata) = replaced {
            made.take_over(metadata).map_err(fault)?;
        }
        Ok(made)
    }

    /// Gives the file the owner, if that is permitted, and the mode of the one that it replaces.
    fn take_over(&self, metadata: &Metadata) -> io::Result<()> {
        let own = self.file.metadata()?;
        if (own.uid(), own.gid()) != (metadata.uid(), metadata.gid()) {
            let owner = (Some(metadata.uid()), Some(metadata.gid()));
            let _ = std::os::unix::fs::fchown(&self.file, owner.0, owner.1);
        }
        self.file.set_permissions(metadata.permissions())
    }

    /// Adds content.
    pub(super) fn write(&mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content)
    }

    /// Brings the content to stable storage and the file to its place.
    pub(super) fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        match self.replaces {
            None => self.place_new()?,
            Some(known) => {
                let now = fs::symlink_metadata(&self.target)?;
                if (now.dev(), now.ino()) != known {
                    return Err(changed());
                }
                fs::rename(&self.temporary, &self.target)?;
            }
        }
        sync_directory(&self.target);
        Ok(())
    }

    /// Renames without ever replacing what came to lie there meanwhile.
    fn place_new(&self) -> io::Result<()> {
        let flags = RenameFlags::NOREPLACE;
        match renameat_with(CWD, &self.temporary, CWD, &self.target, flags) {
            // The file system cannot do that at once.
            Err(Errno::INVAL | Errno::NOSYS) => match fs::symlink_metadata(&self.target) {
                Ok(_) => Err(changed()),
                Err(_) => fs::rename(&self.temporary, &self.target),
            },
            Err(Errno::EXIST) => Err(changed()),
            other => other.map_err(io::Error::from),
        }
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // The name is random: after the renaming nothing lies there.
        let _ = fs::remove_file(&self.temporary);
    }
}

fn changed() -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, "another file came to lie there at this moment")
}

fn make_temporary(directory: &Path, mode: u32) -> io::Result<(PathBuf, File)> {
    let mut last = None;
    for _ in 0..TRIES {
        let path = directory.join(format!(".kneepoint-{:016x}.part", entropy()));
        // `create_new` is O_CREAT and O_EXCL, which follows no link (man 2 open).
        match OpenOptions::new().write(true).create_new(true).mode(mode).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(changed))
}
