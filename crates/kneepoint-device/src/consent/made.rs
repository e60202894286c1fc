//! The file that a consent lets be made: its directory, its name, and taking it back.

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::Path;

use kneepoint_core::words::fault::Fault;
use rustix::fs::{Mode, OFlags};

use super::WriteConsent;
use super::open::refusal;
use crate::facts::FileId;
use crate::new_file::{Entry, Removal};

/// Mode of a new test file, before the umask.
const MODE: Mode = Mode::from_raw_mode(0o666);

impl WriteConsent {
    /// Makes the file, without a name if its file system can do that.
    pub(super) fn make(&self) -> Result<File, Fault> {
        let directory = self.judged_directory()?;
        let entry = Entry { directory: directory.as_fd(), name: self.name() };
        entry.create(MODE).map_err(|error| refusal(self.path(), &error))
    }

    /// Gives a file that [`open`](super::open()) made its name, unless it has one. Until then the
    /// file goes away with its last descriptor. Call it once there is something in the file that
    /// says whose it is. Does nothing for a file or device that existed before.
    ///
    /// # Errors
    /// When something else has the name by now, the directory is no longer the one that was judged,
    /// or the name cannot be given.
    pub fn publish(&self, file: &File) -> Result<(), Fault> {
        if !self.is_for_new_file() {
            return Ok(());
        }
        self.check(file)?;
        let directory = self.judged_directory()?;
        let entry = Entry { directory: directory.as_fd(), name: self.name() };
        entry.publish(file).map_err(|error| refusal(self.path(), &error))
    }

    /// Removes the name of a file that [`open`](super::open()) made, if it still leads to that file.
    /// What existed before, and what took the name meanwhile, stays.
    ///
    /// # Errors
    /// When the directory or the name cannot be looked at or removed.
    pub fn take_back(&self, file: &File) -> Result<(), Fault> {
        if !self.is_for_new_file() {
            return Ok(());
        }
        self.check(file)?;
        let directory = self.judged_directory()?;
        let entry = Entry { directory: directory.as_fd(), name: self.name() };
        match entry.remove(file) {
            Ok(Removal::Removed | Removal::Foreign) => Ok(()),
            Err(error) => Err(Fault::new(format!("{} cannot be removed", self.path().display()))
                .because(error)
                .fix("remove it yourself: it is unfinished")),
        }
    }

    /// The directory of the file that is to be made, which must be the judged one.
    fn judged_directory(&self) -> Result<File, Fault> {
        let above = self.path().parent().unwrap_or(Path::new("/"));
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = rustix::fs::open(above, flags, Mode::empty()).map(File::from);
        let found = directory.map_err(std::io::Error::from).and_then(|directory| {
            let id = FileId::of(&directory.metadata()?);
            Ok((directory, id))
        });
        let (directory, id) = found.map_err(|error| {
            Fault::new(format!("{} cannot be looked at", above.display())).because(error)
        })?;
        match self.new_file_directory() == Some(id) {
            true => Ok(directory),
            false => Err(Fault::new(format!("{} will not be written", self.path().display()))
                .because("its directory is no longer the one that was judged")),
        }
    }

    fn name(&self) -> &OsStr {
        self.path().file_name().unwrap_or_default()
    }
}
