//! Directories that Kneepoint made for its own files: each has a mark, is used by one process at a time, and
//! everything in it is reached from its descriptor.

mod folder;

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

pub(crate) use folder::{Folder, kept};
use kneepoint_core::words::fault::Fault;
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, flock};

use crate::facts::{FileId, effective_user};
use crate::new_file::Entry;

/// What the mark of a directory says, and how such directories are called.
pub(crate) trait DirMark: Copy {
    /// Name of the file that holds it.
    const NAME: &'static str;
    /// What is impossible in a directory that is refused: `files cannot be copied`.
    const USE: &'static str;
    /// Who else may use such a directory.
    const USERS: &'static str;
    /// What to do in place of using a directory of someone else.
    const INSTEAD: &'static str;
    /// The mark of a directory that was just made.
    const FRESH: Self;

    /// The mark as its file has it.
    fn to_text(self) -> String;

    /// Reads a mark; `None` for anything that is not exactly one.
    fn from_text(text: &str) -> Option<Self>;
}

/// A directory with a mark of ours. Once it is claimed, no other process uses it: all is done from its
/// descriptor, and a directory or link that takes its name meanwhile is not touched.
#[derive(Debug)]
pub(crate) struct OwnDir<M> {
    pub(crate) folder: Folder,
    /// Open as long as this lives, and locked if it was claimed.
    mark: File,
    kind: PhantomData<M>,
}

impl<M: DirMark> OwnDir<M> {
    /// A directory of ours with what its mark says; nothing where nothing lies. Changes nothing.
    ///
    /// # Errors
    /// When something lies there that Kneepoint did not make, or that others may write to.
    pub(crate) fn open(path: &Path) -> Result<Option<(Self, M)>, Fault> {
        let folder = match Folder::open(path) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if matches!(error.raw_os_error(), Some(libc::ENOTDIR | libc::ELOOP)) => {
                return Err(foreign::<M>(path, "it is not a directory"));
            }
            Err(error) => return Err(trouble("looking at", path, &error)),
        };
        check_owner::<M>(&folder)?;
        let mark = open_mark::<M>(&folder).and_then(|file| Ok((read_mark(&file)?, file)));
        match mark {
            Ok((Some(said), mark)) => Ok(Some((Self { folder, mark, kind: PhantomData }, said))),
            _ => Err(foreign::<M>(path, &format!("it has no file {} of Kneepoint", M::NAME))),
        }
    }

    /// Takes possession of `path`, and makes it where there is nothing; gives what its mark says.
    ///
    /// # Errors
    /// When something lies there that Kneepoint did not make, others may write to it, another process uses
    /// it, or it cannot be made.
    pub(crate) fn claim(path: &Path) -> Result<(Self, M), Fault> {
        let own = match Self::open(path)? {
            Some((own, _)) => own,
            None => Self::make(path)?,
        };
        match flock(&own.mark, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                return Err(Fault::new(format!("{} is in use", path.display()))
                    .because(M::USERS)
                    .fix(format!("wait for its end, or {}", M::INSTEAD)));
            }
            Err(error) => return Err(trouble("locking", path, &error.into())),
        }
        // Read once it is locked: another run may have changed it meanwhile.
        match own.mark()? {
            Some(said) => Ok((own, said)),
            None => Err(foreign::<M>(path, "its mark has changed")),
        }
    }

    /// Makes a directory with a fresh mark.
    fn make(path: &Path) -> Result<Self, Fault> {
        let cannot = |error: io::Error| trouble("making", path, &error);
        let folder = Folder::create(path).map_err(cannot)?;
        check_owner::<M>(&folder)?;
        if folder.any_name().map_err(cannot)?.is_some() {
            return Err(foreign::<M>(path, "it was put there just now"));
        }
        let mark = folder.create_file(M::NAME, OFlags::RDWR).map_err(cannot)?;
        write_mark(&mark, &M::FRESH.to_text()).map_err(cannot)?;
        Ok(Self { folder, mark, kind: PhantomData })
    }

    /// What the mark says; `None` if it is none any more.
    pub(crate) fn mark(&self) -> Result<Option<M>, Fault> {
        read_mark(&self.mark)
            .map_err(|error| trouble("reading the mark of", &self.folder.path, &error))
    }

    /// Says something else, durably.
    pub(crate) fn set_mark(&self, mark: M) -> Result<(), Fault> {
        write_mark(&self.mark, &mark.to_text())
            .map_err(|error| trouble("writing the mark of", &self.folder.path, &error))
    }

    /// Removes the mark and the directory, unless someone else put something there.
    ///
    /// # Errors
    /// When one of them cannot be removed.
    pub(crate) fn remove(self) -> Result<(), Fault> {
        let path = &self.folder.path;
        let directory = self.folder.file.as_fd();
        let mark = Entry { directory, name: OsStr::new(M::NAME) };
        mark.remove(&self.mark)
            .and_then(|_| remove_directory(path, &self.folder.file))
            .map_err(|error| trouble("removing", path, &error))
    }
}

/// Refuses a directory that someone else made, or could put something into.
fn check_owner<M: DirMark>(folder: &Folder) -> Result<(), Fault> {
    let path = &folder.path;
    let meta = folder.file.metadata().map_err(|error| trouble("looking at", path, &error))?;
    if meta.uid() != effective_user() {
        return Err(foreign::<M>(path, "it belongs to another user"));
    }
    if meta.mode() & 0o022 != 0 {
        return Err(Fault::new(format!("{} in {}", M::USE, path.display()))
            .because("others than its owner may write to it")
            .fix(format!("chmod go-w {}", path.display())));
    }
    Ok(())
}

fn foreign<M: DirMark>(path: &Path, why: &str) -> Fault {
    Fault::new(format!("{} is not Kneepoint's, and {} there", path.display(), M::USE))
        .because(why)
        .fix(format!("move it away, or {}", M::INSTEAD))
}

/// A failed call as people read it.
pub(crate) fn trouble(what: impl Display, path: &Path, error: &io::Error) -> Fault {
    let fault = Fault::new(format!("{what} {} failed", path.display())).because(error);
    match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => {
            fault.fix("make room in its file system: there are no blocks, inodes or quota left")
        }
        Some(libc::EXDEV) => fault.fix("unmount what is mounted below the directory"),
        Some(libc::ELOOP | libc::ENOTDIR) => {
            fault.fix("remove the link or file that lies there: Kneepoint did not make it")
        }
        _ => fault,
    }
}

/// Removes an empty directory, if `path` still leads to it.
fn remove_directory(path: &Path, directory: &File) -> io::Result<()> {
    let Some(name) = path.file_name() else { return Ok(()) };
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let flags = OFlags::DIRECTORY | OFlags::PATH | OFlags::CLOEXEC;
    let above = rustix::fs::open(above.unwrap_or(Path::new(".")), flags, Mode::empty())?;
    let there = match rustix::fs::statat(&above, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(rustix::io::Errno::NOENT) => return Ok(()),
        there => there?,
    };
    let here = rustix::fs::fstat(directory)?;
    if (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino) {
        rustix::fs::unlinkat(&above, name, AtFlags::REMOVEDIR)?;
    }
    Ok(())
}

/// The file with the mark: a regular one of this user's, with no other name.
fn open_mark<M: DirMark>(folder: &Folder) -> io::Result<File> {
    let file = folder.open_file(M::NAME, OFlags::RDWR | OFlags::NONBLOCK)?;
    let meta = file.metadata()?;
    let is_ours = meta.is_file() && meta.nlink() == 1 && meta.uid() == effective_user();
    match is_ours && FileId::of(&meta).device == FileId::of(&folder.file.metadata()?).device {
        true => Ok(file),
        false => Err(io::Error::other("the mark is another file")),
    }
}

fn read_mark<M: DirMark>(file: &File) -> io::Result<Option<M>> {
    let length = file.metadata()?.len();
    if length > MARK_BYTES_MAX {
        return Ok(None);
    }
    let mut text = vec![0; length as usize];
    file.read_exact_at(&mut text, 0)?;
    Ok(std::str::from_utf8(&text).ok().and_then(M::from_text))
}

fn write_mark(file: &File, text: &str) -> io::Result<()> {
    file.write_all_at(text.as_bytes(), 0)?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}

/// Longest mark that is read, in bytes.
const MARK_BYTES_MAX: u64 = 4096;
