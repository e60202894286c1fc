//! Files that get their name only once there is something in them, and that are removed by what
//! they are, never by their name alone.
//!
//! A file is made without a name (`O_TMPFILE`) if its file system can do that, and linked later.
//! Whatever ends the process before leaves nothing behind, and a file that someone else made under
//! the name meanwhile stays.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

/// A name in an open directory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) directory: BorrowedFd<'a>,
    /// The name in it, without a slash.
    pub(crate) name: &'a OsStr,
}

/// The result of removing a file of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removal {
    /// The name is gone, or there was none.
    Removed,
    /// Something else has the name by now; it was left.
    Foreign,
}

impl Entry<'_> {
    /// Makes a file for reading and writing. It has no name yet if the file system can do that;
    /// else it has this one, which must be free.
    pub(crate) fn create(self, mode: Mode) -> io::Result<File> {
        self.create_unnamed(mode)?.map_or_else(|| self.create_named(mode), Ok)
    }

    /// Nothing if the file system has no files without a name, or there is no way to name one.
    fn create_unnamed(self, mode: Mode) -> io::Result<Option<File>> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        match rustix::fs::openat(self.directory, ".", flags, mode) {
            Ok(file) => {
                let file = File::from(file);
                let can_be_named = rustix::fs::stat(own_path(&file)).is_ok();
                Ok(can_be_named.then_some(file))
            }
            // open(2): EISDIR of kernels that do not know the flag, EOPNOTSUPP of file systems;
            // some of those in user space say that there is no such call.
            Err(Errno::ISDIR | Errno::OPNOTSUPP | Errno::INVAL | Errno::NOSYS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn create_named(self, mode: Mode) -> io::Result<File> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::RDWR;
        let file = rustix::fs::openat(self.directory, self.name, flags | OFlags::CLOEXEC, mode)?;
        Ok(file.into())
    }

    /// Gives a file of [`Self::create`] its name, unless it has one. Never replaces anything.
    pub(crate) fn publish(self, file: &File) -> io::Result<()> {
        if rustix::fs::fstat(file)?.st_nlink > 0 {
            return Ok(());
        }
        let follow = AtFlags::SYMLINK_FOLLOW;
        Ok(rustix::fs::linkat(CWD, own_path(file), self.directory, self.name, follow)?)
    }

    /// Removes the name, if it leads to `file`.
    ///
    /// Looking and removing are two calls. In between the name is moved aside, and what was moved
    /// is looked at again and moved back if it is something else; so a file that takes the name in
    /// that moment is not lost. On file systems that cannot move without replacing (renameat2(2),
    /// EINVAL) the moment between the two calls remains.
    pub(crate) fn remove(self, file: &File) -> io::Result<Removal> {
        let wanted = rustix::fs::fstat(file)?;
        if wanted.st_nlink == 0 {
            return Ok(Removal::Removed);
        }
        match self.is(&wanted) {
            Ok(true) => {}
            Ok(false) => return Ok(Removal::Foreign),
            Err(Errno::NOENT) => return Ok(Removal::Removed),
            Err(error) => return Err(error.into()),
        }
        let aside = format!(".kneepoint-{}-{}", std::process::id(), wanted.st_ino);
        let aside = Entry { name: OsStr::new(&aside), ..self };
        match self.move_to(aside) {
            Ok(()) if aside.is(&wanted)? => aside.unlink(),
            Ok(()) => aside.move_to(self).map(|()| Removal::Foreign).map_err(io::Error::from),
            Err(Errno::NOENT) => Ok(Removal::Removed),
            Err(_) => self.unlink(),
        }
    }

    /// Returns true if the name leads to that file.
    fn is(self, wanted: &Stat) -> rustix::io::Result<bool> {
        let found = rustix::fs::statat(self.directory, self.name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok((found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino))
    }

    fn move_to(self, other: Entry<'_>) -> rustix::io::Result<()> {
        let (from, to) = (self.directory, other.directory);
        rustix::fs::renameat_with(from, self.name, to, other.name, RenameFlags::NOREPLACE)
    }

    fn unlink(self) -> io::Result<Removal> {
        rustix::fs::unlinkat(self.directory, self.name, AtFlags::empty())?;
        Ok(Removal::Removed)
    }
}

/// The path at which the kernel shows an open file, whatever its name.
fn own_path(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_fd().as_raw_fd())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    const MODE: Mode = Mode::from_raw_mode(0o600);

    /// A folder with its descriptor.
    fn folder() -> (tempfile::TempDir, File) {
        let folder = tempfile::tempdir_in(".").unwrap();
        let open = File::open(folder.path()).unwrap();
        (folder, open)
    }

    fn entry(open: &File) -> Entry<'_> {
        Entry { directory: open.as_fd(), name: OsStr::new("new") }
    }

    type Create = fn(Entry<'_>) -> io::Result<Option<File>>;

    const WAYS: [Create; 2] =
        [|entry| entry.create_unnamed(MODE), |entry| entry.create_named(MODE).map(Some)];

    #[test]
    fn a_file_is_made_named_and_removed_with_and_without_names() {
        for create in WAYS {
            let (folder, open) = folder();
            let Some(mut file) = create(entry(&open)).unwrap() else {
                kneepoint_testkit::skipped("this file system has no files without a name");
                continue;
            };
            file.write_all(b"ours").unwrap();
            entry(&open).publish(&file).unwrap();
            entry(&open).publish(&file).unwrap();
            assert_eq!(fs::read(folder.path().join("new")).unwrap(), b"ours");
            assert_eq!(entry(&open).remove(&file).unwrap(), Removal::Removed);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn what_took_the_name_meanwhile_stays() {
        let (folder, open) = folder();
        let path = folder.path().join("new");
        for create in WAYS {
            let Some(file) = create(entry(&open)).unwrap() else { continue };
            entry(&open).publish(&file).unwrap();
            fs::write(folder.path().join("diary"), "precious").unwrap();
            fs::rename(folder.path().join("diary"), &path).unwrap();
            assert_eq!(entry(&open).remove(&file).unwrap(), Removal::Removed, "no name is left");
            assert_eq!(fs::read(&path).unwrap(), b"precious");
            fs::remove_file(&path).unwrap();
        }
        let file = entry(&open).create_named(MODE).unwrap();
        fs::rename(&path, folder.path().join("moved")).unwrap();
        fs::write(&path, "precious").unwrap();
        assert_eq!(entry(&open).remove(&file).unwrap(), Removal::Foreign);
        assert_eq!(fs::read(&path).unwrap(), b"precious");
    }

    #[test]
    fn a_name_that_is_taken_is_not_given_again() {
        let (folder, open) = folder();
        let Some(file) = entry(&open).create_unnamed(MODE).unwrap() else { return };
        fs::write(folder.path().join("new"), "precious").unwrap();
        let error = entry(&open).publish(&file).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(folder.path().join("new")).unwrap(), b"precious");
        let error = entry(&open).create_named(MODE).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }
}
