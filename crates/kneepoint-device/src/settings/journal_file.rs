//! The journal as a file beside the store.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use kneepoint_core::measure::journal::{Journal, Origin, Record};
use kneepoint_core::words::fault::Fault;
use rustix::fs::{FlockOperation, Mode, flock};

use crate::facts::{FileId, effective_user};
use crate::new_file::Entry;

/// A journal that this process has locked.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    pub(super) file: File,
}

/// The state of a journal's path.
#[derive(Debug)]
pub enum FoundJournal {
    /// Nothing.
    Nothing,
    /// A process, or a command that one has started, is at work on it.
    InUse,
    /// The journal of a process that is gone.
    Left(Box<Journal>, JournalFile),
}

/// Looks for a journal.
///
/// # Errors
/// When it cannot be read, or someone else could have written it: its commands would be run.
pub fn look(path: &Path) -> Result<FoundJournal, Fault> {
    let cannot = |error: io::Error| {
        Fault::new(format!("cannot read the journal {}", path.display())).because(error)
    };
    let mut options = OpenOptions::new();
    options.read(true).append(true).custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC);
    let mut file = match options.open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FoundJournal::Nothing),
        Err(error) => return Err(cannot(error)),
    };
    check_owner(path, &file)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(FoundJournal::InUse),
        Err(error) => return Err(cannot(error.into())),
    }
    if !is_at(path, &file) {
        return Ok(FoundJournal::InUse);
    }
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(cannot)?;
    Ok(FoundJournal::Left(
        Box::new(Journal::parse(&text)),
        JournalFile { path: path.to_owned(), file },
    ))
}

/// Looks again and again for that long, until no one is at work on the journal.
///
/// # Errors
/// As [`look`].
pub fn look_again(path: &Path, patience: Duration) -> Result<FoundJournal, Fault> {
    const PAUSE: Duration = Duration::from_millis(50);
    let mut waited = Duration::ZERO;
    loop {
        match look(path)? {
            FoundJournal::InUse if waited < patience => sleep(PAUSE),
            found => return Ok(found),
        }
        waited += PAUSE;
    }
}

/// Refuses a journal that others than its owner or root may have written.
fn check_owner(path: &Path, file: &File) -> Result<(), Fault> {
    let refused = |why: &str| {
        Err(Fault::new(format!("the journal {} is not trusted", path.display()))
            .because(why)
            .fix("look into it, and remove it if nothing in it is yours"))
    };
    match file.metadata() {
        Ok(meta) if !meta.is_file() => refused("it is not a regular file"),
        Ok(meta) if meta.mode() & 0o022 != 0 => refused("others may write to it"),
        Ok(meta) if meta.uid() != effective_user() && meta.uid() != 0 => {
            refused("it belongs to another user")
        }
        Ok(_) => Ok(()),
        Err(error) => refused(&error.to_string()),
    }
}

/// True if `path` still leads to `file`.
fn is_at(path: &Path, file: &File) -> bool {
    let id = |meta: io::Result<Metadata>| meta.map(|meta| FileId::of(&meta)).ok();
    let here = id(file.metadata());
    here.is_some() && here == id(std::fs::metadata(path))
}

impl JournalFile {
    /// Begins a journal; there must be none.
    ///
    /// # Errors
    /// When there is one already, or it cannot be written.
    pub fn create(path: &Path, origin: Origin) -> Result<Self, Fault> {
        let cannot = |error: io::Error| {
            Fault::new(format!("cannot write the journal {}", path.display())).because(error).fix(
                "without it settings cannot be varied safely: use a --store where you may write",
            )
        };
        let folder = File::open(folder_of(path)).map_err(cannot)?;
        let name = path.file_name().unwrap_or_default();
        let entry = Entry { directory: folder.as_fd(), name };
        let file = entry.create(Mode::RUSR | Mode::WUSR).map_err(cannot)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|error| cannot(error.into()))?;
        let mut journal = Self { path: path.to_owned(), file };
        journal.append(&[Record::Begin(origin)])?;
        // Whoever finds it finds a whole first line, unless the file system has no files without a
        // name.
        entry.publish(&journal.file).and_then(|()| folder.sync_all()).map_err(cannot)?;
        Ok(journal)
    }

    /// Adds records; they are on stable storage when this succeeds.
    pub(super) fn append(&mut self, records: &[Record]) -> Result<(), Fault> {
        let text: String = records.iter().map(Record::line).collect();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| {
            Fault::new(format!("cannot write the journal {}", self.path.display())).because(error)
        })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the journal: everything is as it was. The name is removed durably, unless something else
    /// has it by now.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn remove(self) -> Result<(), Fault> {
        let remove = || {
            let folder = File::open(folder_of(&self.path))?;
            let name = self.path.file_name().unwrap_or_default();
            Entry { directory: folder.as_fd(), name }.remove(&self.file)?;
            folder.sync_all()
        };
        remove().map_err(|error: io::Error| {
            Fault::new(format!("cannot remove the journal {}", self.path.display())).because(error)
        })
    }
}

/// The directory that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
