//! The directory in which files are copied: made by us, or refused; its mark, and the files that
//! are copied, laid out before copying.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::plan::FileSet;
use kneepoint_core::spec::file_copy::{DIRECTORIES_MAX, FILES_MAX, FileSetPlan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use rand_core::Rng as _;
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, flock};

use super::folder::Folder;
use super::{folder, trouble};
use crate::facts::{FileId, effective_user};
use crate::new_file::Entry;

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
    Ok(open(path)?.is_some())
}

/// A directory of ours with its open mark and what the mark says; nothing where nothing lies.
pub(super) fn open(path: &Path) -> Result<Option<(Folder, File, CopyDirMark)>, Fault> {
    let folder = match Folder::open(path) {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOTDIR | libc::ELOOP)) => {
            return Err(foreign(path, "it is not a directory"));
        }
        Err(error) => return Err(trouble("looking at", path, &error)),
    };
    check_owner(&folder)?;
    let mark = open_mark(&folder).and_then(|file| Ok((read_mark(&file)?, file)));
    match mark {
        Ok((Some(mark), file)) => Ok(Some((folder, file, mark))),
        _ => Err(foreign(path, &format!("it has no file {MARK_NAME} of Kneepoint"))),
    }
}

/// Refuses a directory that someone else made, or could put something into.
fn check_owner(folder: &Folder) -> Result<(), Fault> {
    let path = &folder.path;
    let meta = folder.file.metadata().map_err(|error| trouble("looking at", path, &error))?;
    if meta.uid() != effective_user() {
        return Err(foreign(path, "it belongs to another user"));
    }
    if meta.mode() & 0o022 != 0 {
        return Err(Fault::new(format!("files cannot be copied in {}", path.display()))
            .because("others than its owner may write to it")
            .fix(format!("chmod go-w {}", path.display())));
    }
    Ok(())
}

fn foreign(path: &Path, why: &str) -> Fault {
    Fault::new(format!("{} is not Kneepoint's, and files cannot be copied there", path.display()))
        .because(why)
        .fix("move it away, or name another test file: the copy lies beside it")
}

/// A directory of ours that no other process uses meanwhile. Only [`CopyDir::claim`] makes one, and
/// everything that copies needs one. All is done from its descriptor: a directory or link that
/// takes its name meanwhile is not touched.
#[derive(Debug)]
pub struct CopyDir {
    pub(super) folder: Folder,
    /// Open and locked as long as this lives.
    mark: File,
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
        let (folder, mark) = match open(path)? {
            Some((folder, mark, _)) => (folder, mark),
            None => make(path)?,
        };
        match flock(&mark, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                return Err(Fault::new(format!("{} is in use", path.display()))
                    .because("another run copies files there")
                    .fix("wait for its end, or name another test file"));
            }
            Err(error) => return Err(trouble("locking", path, &error.into())),
        }
        // Read once it is locked: another run may have laid out another set meanwhile.
        let said =
            read_mark(&mark).map_err(|error| trouble("reading the mark of", path, &error))?;
        let Some(said) = said else { return Err(foreign(path, "its mark has changed")) };
        Ok(Self { folder, mark, set: FileSet::new(&said.set, said.seed) })
    }

    /// The directory's own mark.
    pub(super) fn mark(&self) -> Result<Option<CopyDirMark>, Fault> {
        read_mark(&self.mark)
            .map_err(|error| trouble("reading the mark of", &self.folder.path, &error))
    }

    /// Says something else, durably: from now on names of that set are removed.
    fn set_mark(&mut self, mark: CopyDirMark) -> Result<(), Fault> {
        write_mark(&self.mark, &mark.to_text())
            .map_err(|error| trouble("writing the mark of", &self.folder.path, &error))?;
        self.set = FileSet::new(&mark.set, mark.seed);
        Ok(())
    }

    /// Removes the copy, whole or half.
    ///
    /// # Errors
    /// When it cannot be removed, or something is in it that Kneepoint did not put there.
    pub fn remove_copy(&self) -> Result<(), Fault> {
        folder::remove_tree(&self.folder, COPY, &self.set)
    }

    /// Removes the files that are copied.
    fn remove_source(&self) -> Result<(), Fault> {
        folder::remove_tree(&self.folder, SOURCE, &self.set)
    }

    /// Removes the copy, the source, and the directory, unless someone else put something there.
    ///
    /// # Errors
    /// When one of them cannot be removed.
    pub fn remove(self) -> Result<(), Fault> {
        self.remove_copy()?;
        self.remove_source()?;
        let path = &self.folder.path;
        let directory = self.folder.file.as_fd();
        let mark = Entry { directory, name: OsStr::new(MARK_NAME) };
        mark.remove(&self.mark)
            .and_then(|_| remove_directory(path, &self.folder.file))
            .map_err(|error| trouble("removing", path, &error))
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
        if self.mark()? == Some(wanted) && is_whole(&self.folder, &set) {
            return Ok(());
        }
        // By the names of the set that the mark still tells of.
        self.remove_source()?;
        self.set_mark(CopyDirMark { complete: false, ..wanted })?;
        let source = folder::make_tree(&self.folder, SOURCE, &set)?;
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

/// Removes an empty directory, if `path` still leads to it.
fn remove_directory(path: &Path, directory: &File) -> io::Result<()> {
    let Some(name) = path.file_name() else { return Ok(()) };
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let flags = OFlags::DIRECTORY | OFlags::PATH | OFlags::CLOEXEC;
    let above = rustix::fs::open(above.unwrap_or(Path::new(".")), flags, Mode::empty())?;
    let there = rustix::fs::statat(&above, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let here = rustix::fs::fstat(directory)?;
    if (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino) {
        rustix::fs::unlinkat(&above, name, AtFlags::REMOVEDIR)?;
    }
    Ok(())
}

/// Makes a directory with a mark of a set of nothing, which is not complete.
fn make(path: &Path) -> Result<(Folder, File), Fault> {
    let cannot = |error: io::Error| trouble("making", path, &error);
    let folder = Folder::create(path).map_err(cannot)?;
    check_owner(&folder)?;
    if folder.any_name().map_err(cannot)?.is_some() {
        return Err(foreign(path, "it came to lie there just now"));
    }
    let mark = folder.create_file(MARK_NAME, OFlags::RDWR).map_err(cannot)?;
    let set = FileSetPlan { bytes: 0, files: 0, directories: 0 };
    let text = CopyDirMark { set, seed: 0, complete: false }.to_text();
    write_mark(&mark, &text).map_err(cannot)?;
    Ok((folder, mark))
}

/// The file with the mark: a regular one of this user's, with no other name.
fn open_mark(folder: &Folder) -> io::Result<File> {
    let file = folder.open_file(MARK_NAME, OFlags::RDWR | OFlags::NONBLOCK)?;
    let meta = file.metadata()?;
    let is_ours = meta.is_file() && meta.nlink() == 1 && meta.uid() == effective_user();
    match is_ours && FileId::of(&meta).device == FileId::of(&folder.file.metadata()?).device {
        true => Ok(file),
        false => Err(io::Error::other("the mark is another file")),
    }
}

fn read_mark(file: &File) -> io::Result<Option<CopyDirMark>> {
    let length = file.metadata()?.len();
    if length > MARK_BYTES_MAX {
        return Ok(None);
    }
    let mut text = vec![0; length as usize];
    file.read_exact_at(&mut text, 0)?;
    Ok(std::str::from_utf8(&text).ok().and_then(CopyDirMark::from_text))
}

fn write_mark(file: &File, text: &str) -> io::Result<()> {
    file.write_all_at(text.as_bytes(), 0)?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}

/// Name of the file that holds the mark.
pub(super) const MARK_NAME: &str = "KNEEPOINT-FILE-COPY";

/// Longest mark that is read, in bytes.
const MARK_BYTES_MAX: u64 = 4096;

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

impl CopyDirMark {
    pub(super) fn to_text(self) -> String {
        let FileSetPlan { bytes, files, directories } = self.set;
        let state = if self.complete { "complete" } else { "filling" };
        let body = format!(
            "{MAGIC}\nbytes={bytes}\nfiles={files}\ndirectories={directories}\nseed={}\n\
             state={state}\n",
            self.seed
        );
        format!("{body}check={:016x}\n", seed::derive(0, &body, bytes))
    }

    /// Reads a mark; `None` for anything that is not exactly one.
    pub(super) fn from_text(text: &str) -> Option<Self> {
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
    match open(path) {
        Ok(Some((_, _, mark))) if mark == wanted => SourceWork::Reuse,
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
