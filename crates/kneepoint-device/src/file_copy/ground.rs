//! The directory in which files are copied: made by us, or refused.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use kneepoint_core::fault::Fault;
use rustix::fs::{FlockOperation, flock};

use super::mark::{MARK_BYTES_MAX, MARK_NAME, Mark};
use super::trouble;

/// The directory that belongs to the test file `target`.
pub fn ground_of(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(".file-copy");
    PathBuf::from(name)
}

/// What lies where a directory of ours would.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroundFound {
    /// Nothing: it can be made.
    Nothing,
    /// A directory that Kneepoint made.
    Ours,
}

/// Looks at `path`; changes nothing.
///
/// # Errors
/// When something lies there that Kneepoint did not make.
pub fn look(path: &Path) -> Result<GroundFound, Fault> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(GroundFound::Nothing),
        Err(error) => Err(trouble("looking at", path, &error)),
        Ok(metadata) if !metadata.is_dir() => Err(foreign(path, "it is not a directory")),
        Ok(_) => {
            let mark = open_mark(path).and_then(|mut file| read_mark(&mut file));
            match mark {
                Ok(Some(_)) => Ok(GroundFound::Ours),
                _ => Err(foreign(path, &format!("it has no file {MARK_NAME} of Kneepoint"))),
            }
        }
    }
}

fn foreign(path: &Path, why: &str) -> Fault {
    Fault::new(format!("{} is not Kneepoint's, and files cannot be copied there", path.display()))
        .because(why)
        .fix("move it away, or name another test file: the copy lies beside it")
}

/// A directory of ours that no other process uses meanwhile. Only [`Ground::claim`] makes one, and
/// everything that copies needs one.
#[derive(Debug)]
pub struct Ground {
    path: PathBuf,
    /// Open and locked as long as this lives.
    mark: File,
}

impl Ground {
    /// Takes possession of `path`, and makes it where there is nothing.
    ///
    /// # Errors
    /// When something lies there that Kneepoint did not make, another process uses it, or it
    /// cannot be made.
    pub fn claim(path: &Path) -> Result<Self, Fault> {
        let mark = match look(path)? {
            GroundFound::Ours => open_mark(path),
            // Both fail where somebody has been faster.
            GroundFound::Nothing => fs::create_dir(path).and_then(|()| create_mark(path)),
        };
        let mark = mark.map_err(|error| trouble("making", path, &error))?;
        match flock(&mark, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self { path: path.to_owned(), mark }),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                Err(Fault::new(format!("{} is in use", path.display()))
                    .because("another run copies files there")
                    .fix("wait for its end, or name another test file"))
            }
            Err(error) => Err(trouble("locking", path, &error.into())),
        }
    }

    /// The files that are copied.
    pub(super) fn source(&self) -> PathBuf {
        self.path.join("source")
    }

    /// Where they are copied to.
    pub(super) fn copy_path(&self) -> PathBuf {
        self.path.join("copy")
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What the directory says about itself.
    pub(super) fn mark(&mut self) -> Result<Option<Mark>, Fault> {
        read_mark(&mut self.mark)
            .map_err(|error| trouble("reading the mark of", &self.path, &error))
    }

    /// Says something else, durably.
    pub(super) fn set_mark(&mut self, mark: Mark) -> Result<(), Fault> {
        write_mark(&mut self.mark, &mark.to_text())
            .map_err(|error| trouble("writing the mark of", &self.path, &error))
    }

    /// Removes the copy, whole or half.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_copy(&self) -> Result<(), Fault> {
        remove_tree(&self.copy_path())
    }

    /// Removes the copy, the source, and the directory, unless somebody else put something there.
    ///
    /// # Errors
    /// When one of them cannot be removed.
    pub fn remove(self) -> Result<(), Fault> {
        self.remove_copy()?;
        remove_tree(&self.source())?;
        let mark = self.path.join(MARK_NAME);
        fs::remove_file(&mark).map_err(|error| trouble("removing", &mark, &error))?;
        fs::remove_dir(&self.path).map_err(|error| trouble("removing", &self.path, &error))
    }
}

/// Removes a tree of ours; links in it are removed and not followed.
pub(super) fn remove_tree(path: &Path) -> Result<(), Fault> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(trouble("removing", path, &error))
        }
        _ => Ok(()),
    }
}

fn open_mark(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC);
    options.open(path.join(MARK_NAME))
}

/// A mark of a set of nothing, which is not complete.
fn create_mark(path: &Path) -> io::Result<File> {
    let mut file =
        OpenOptions::new().read(true).write(true).create_new(true).open(path.join(MARK_NAME))?;
    let set = kneepoint_core::file_copy::FileSetPlan { bytes: 0, files: 0, directories: 0 };
    write_mark(&mut file, &Mark { set, seed: 0, complete: false }.to_text())?;
    Ok(file)
}

fn read_mark(file: &mut File) -> io::Result<Option<Mark>> {
    let mut text = String::new();
    file.rewind()?;
    Read::by_ref(file).take(MARK_BYTES_MAX).read_to_string(&mut text)?;
    Ok(Mark::from_text(&text))
}

fn write_mark(file: &mut File, text: &str) -> io::Result<()> {
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}
