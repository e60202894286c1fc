//! The directory in which files are copied: made by us, or refused; its mark, and the files that
//! are copied, laid out before copying.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::plan::FileSet;
use kneepoint_core::spec::file_copy::{DIRECTORIES_MAX, FILES_MAX, FileSetPlan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use rand_core::Rng as _;
use rustix::fs::OFlags;

use super::tree;
use crate::own_dir::{DirMark, Folder, OwnDir, trouble};

/// Name of the directory with the files that are copied.
pub(super) const SOURCE: &str = "source";

/// Name of the directory that they are copied to.
pub(super) const COPY: &str = "copy";

/// The directory that belongs to the test file `target`.
pub fn ground_of(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(".file-copy");
    PathBuf::from(name)
}

/// Returns true if Kneepoint made a directory at `path`, false if nothing lies there; changes nothing.
///
/// # Errors
/// When something lies there that Kneepoint did not make, or that others may write to.
pub fn look(path: &Path) -> Result<bool, Fault> {
    Ok(OwnDir::<CopyDirMark>::open(path)?.is_some())
}

/// A directory of ours that no other process uses meanwhile. Only [`CopyDir::claim`] makes one, and
/// everything that copies needs one. All is done from its descriptor: a directory or link that
/// takes its name meanwhile is not touched.
#[derive(Debug)]
pub struct CopyDir {
    pub(super) own: OwnDir<CopyDirMark>,
    /// The set whose names may lie in it: only these are ever removed.
    set: FileSet,
}

impl CopyDir {
    /// Takes possession of `path`, and makes it where there is nothing.
    ///
    /// # Errors
    /// When something lies there that Kneepoint did not make, others may write to it, another
    /// process uses it, or it cannot be made.
    pub fn claim(path: &Path) -> Result<Self, Fault> {
        let (own, said) = OwnDir::<CopyDirMark>::claim(path)?;
        Ok(Self { own, set: FileSet::new(&said.set, said.seed) })
    }

    /// The directory's own mark.
    pub(super) fn mark(&self) -> Result<Option<CopyDirMark>, Fault> {
        self.own.mark()
    }

    /// Says something else, durably: from now on names of that set are removed.
    fn set_mark(&mut self, mark: CopyDirMark) -> Result<(), Fault> {
        self.own.set_mark(mark)?;
        self.set = FileSet::new(&mark.set, mark.seed);
        Ok(())
    }

    /// Removes the copy, whole or half.
    ///
    /// # Errors
    /// When it cannot be removed, or something is in it that Kneepoint did not put there.
    pub fn remove_copy(&self) -> Result<(), Fault> {
        tree::remove_tree(&self.own.folder, COPY, &self.set)
    }

    /// Removes the files that are copied.
    fn remove_source(&self) -> Result<(), Fault> {
        tree::remove_tree(&self.own.folder, SOURCE, &self.set)
    }

    /// Removes the copy, the source, and the directory, unless someone else put something there.
    ///
    /// # Errors
    /// When one of them cannot be removed.
    pub fn remove(self) -> Result<(), Fault> {
        self.remove_copy()?;
        self.remove_source()?;
        self.own.remove()
    }

    /// Writes the file set, unless it is there: `wrote` is called with the bytes of every file.
    ///
    /// Remains of another set, of one that was not finished, and of an unfinished copy are
    /// removed.
    ///
    /// # Errors
    /// When a file cannot be written or removed, or the observer asks to stop.
    pub fn lay_out(
        &mut self,
        (plan, seed): (FileSetPlan, u64),
        wrote: &dyn Fn(u64),
        observer: &dyn Observer,
    ) -> Result<(), Stop> {
        self.remove_copy()?;
        let set = FileSet::new(&plan, seed);
        let wanted = CopyDirMark { set: plan, seed, complete: true };
        if self.mark()? == Some(wanted) && is_whole(&self.own.folder, &set) {
            return Ok(());
        }
        // By the names of the set that the mark still tells of.
        self.remove_source()?;
        self.set_mark(CopyDirMark { complete: false, ..wanted })?;
        let source = tree::make_tree(&self.own.folder, SOURCE, &set)?;
        let mut chunk = vec![0; CHUNK];
        for file in &set.files {
            observer.go_on()?;
            write_file((&source, &file.path), (file.bytes, file.seed), &mut chunk)
                .map_err(|error| trouble("writing", &source.path_of(&file.path), &error))?;
            wrote(file.bytes);
        }
        self.set_mark(wanted)?;
        Ok(())
    }
}

/// Name of the file that holds the mark.
pub(super) const MARK_NAME: &str = "KNEEPOINT-FILE-COPY";

/// First line of every mark.
const MAGIC: &str = "KNEEPOINT FILE COPY 1";

/// The mark of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CopyDirMark {
    /// The file set in `source`.
    pub(super) set: FileSetPlan,
    /// The seed that drew it.
    pub(super) seed: u64,
    /// True if all of it was written.
    pub(super) complete: bool,
}

impl DirMark for CopyDirMark {
    const NAME: &'static str = MARK_NAME;
    const USE: &'static str = "files cannot be copied";
    const USERS: &'static str = "another run copies files there";
    const INSTEAD: &'static str = "name another test file: the copy lies beside it";
    const FRESH: Self =
        Self { set: FileSetPlan { bytes: 0, files: 0, directories: 0 }, seed: 0, complete: false };

    fn to_text(self) -> String {
        let FileSetPlan { bytes, files, directories } = self.set;
        let state = if self.complete { "complete" } else { "filling" };
        let body = format!(
            "{MAGIC}\nbytes={bytes}\nfiles={files}\ndirectories={directories}\nseed={}\n\
             state={state}\n",
            self.seed
        );
        format!("{body}check={:016x}\n", seed::derive(0, &body, bytes))
    }

    fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) {
            return None;
        }
        let mut value = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix('=');
        let set = FileSetPlan {
            bytes: value("bytes")?.parse().ok()?,
            files: value("files")?.parse().ok()?,
            directories: value("directories")?.parse().ok()?,
        };
        let seed = value("seed")?.parse().ok()?;
        let mark = Self { set, seed, complete: value("state")? == "complete" };
        let is_possible = set.files <= FILES_MAX && set.directories <= DIRECTORIES_MAX;
        (is_possible && mark.to_text() == text).then_some(mark)
    }
}

/// Bytes that are made and written at once.
pub(super) const CHUNK: usize = 1 << 20;

/// The work before files can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceWork {
    /// The file set is there.
    Reuse,
    /// It must be written.
    Write,
}

/// The work that a directory at `path` needs to hold the set of `plan` that `seed` draws; changes
/// nothing.
pub fn source_work(path: &Path, plan: FileSetPlan, seed: u64) -> SourceWork {
    let wanted = CopyDirMark { set: plan, seed, complete: true };
    match OwnDir::<CopyDirMark>::open(path) {
        Ok(Some((_, mark))) if mark == wanted => SourceWork::Reuse,
        _ => SourceWork::Write,
    }
}

fn write_file(
    (folder, name): (&Folder, &str),
    (bytes, seed): (u64, u64),
    chunk: &mut [u8],
) -> io::Result<()> {
    let mut file: File = folder.create_file(name, OFlags::WRONLY)?;
    let mut rng = seed::rng(seed);
    let mut left = bytes;
    while left > 0 {
        let part = &mut chunk[..left.min(CHUNK as u64) as usize];
        rng.fill_bytes(part);
        file.write_all(part)?;
        left -= part.len() as u64;
    }
    // Pages that are not written back cannot be dropped from the cache.
    file.sync_all()
}

/// True if every file of `set` is there with its size.
fn is_whole(ground: &Folder, set: &FileSet) -> bool {
    let Ok(source) = ground.below(SOURCE) else { return false };
    set.files.iter().all(|file| source.size_of(&file.path).is_ok_and(|bytes| bytes == file.bytes))
}
