//! A regular file that takes another one's place at once and entirely.

use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::place::sync_directory;

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
        let (temporary, file) = make(directory, mode).map_err(fault)?;
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

fn make(directory: &Path, mode: u32) -> io::Result<(PathBuf, File)> {
    let mut last = None;
    for _ in 0..TRIES {
        let path = directory.join(format!(".kneepoint-{:016x}.part", random()));
        // `create_new` is O_CREAT and O_EXCL, which follows no link (man 2 open).
        match OpenOptions::new().write(true).create_new(true).mode(mode).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(changed))
}

/// A number that no one can foresee: the standard library seeds its hashes from the kernel.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}
