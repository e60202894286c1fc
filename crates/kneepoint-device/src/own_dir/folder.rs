//! A directory by its descriptor. Whatever lies below is reached from there: not through links, not out of
//! it, and not into another file system that is mounted below.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use rustix::fs::{AtFlags, Dir, DirEntry, FileType, Mode, OFlags, ResolveFlags, StatxFlags};
use rustix::io::Errno;

use super::trouble;

/// Mode of new directories, before the umask: no one else may put anything there.
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o755);

/// Mode of new files, before the umask.
const FILE_MODE: Mode = Mode::from_raw_mode(0o644);

/// Flags of every directory that is opened.
const FOLDER_FLAGS: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// An open directory. Names are relative to it, with `/` between their parts.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) file: File,
    /// Where it was opened, for messages alone.
    pub(crate) path: PathBuf,
    way: Resolution,
}

/// How names below are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// By one call (openat2(2)).
    Kernel,
    /// Part by part, for kernels before 5.6 and sandboxes that know no such call.
    Parts,
}

/// Which file system something is in: the mount, or else the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Mount(u64),
    Device(u64),
}

impl Folder {
    /// Opens the directory at `path`, which must not be a link.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::from(rustix::fs::open(path, FOLDER_FLAGS, Mode::empty())?);
        let way = match rustix::fs::openat2(&file, ".", FOLDER_FLAGS, Mode::empty(), RESOLVE) {
            Err(Errno::NOSYS | Errno::PERM) => Resolution::Parts,
            _ => Resolution::Kernel,
        };
        Ok(Self { file, path: path.to_owned(), way })
    }

    /// Makes a directory at `path` and opens it.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        rustix::fs::mkdir(path, FOLDER_MODE)?;
        Self::open(path)
    }

    /// Where something in it lies, for messages.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A directory below.
    pub(crate) fn below(&self, name: &str) -> io::Result<Self> {
        let file = self.resolve(name, FOLDER_FLAGS, Mode::empty())?;
        Ok(Self { file, path: self.path.join(name), way: self.way })
    }

    /// Opens a file below.
    pub(crate) fn open_file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        let mode = if flags.contains(OFlags::CREATE) { FILE_MODE } else { Mode::empty() };
        self.resolve(name, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, mode)
    }

    /// Makes a file below, which must not exist.
    pub(crate) fn create_file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        self.open_file(name, flags | OFlags::CREATE | OFlags::EXCL)
    }

    /// Makes a directory below, which must not exist.
    pub(crate) fn make_folder(&self, name: &str) -> io::Result<()> {
        let (parent, name) = self.parent_of(name)?;
        Ok(rustix::fs::mkdirat(&parent, name, FOLDER_MODE)?)
    }

    /// Size of a regular file below.
    pub(crate) fn size_of(&self, name: &str) -> io::Result<u64> {
        let (parent, name) = self.parent_of(name)?;
        let stat = rustix::fs::statat(&parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(stat.st_size as u64),
            _ => Err(io::Error::other("it is not a regular file")),
        }
    }

    /// Removes the name of something that is no directory.
    pub(crate) fn remove_name(&self, name: &str) -> io::Result<()> {
        let (parent, name) = self.parent_of(name)?;
        Ok(rustix::fs::unlinkat(&parent, name, AtFlags::empty())?)
    }

    /// Removes an empty directory below.
    pub(crate) fn remove_folder(&self, name: &str) -> io::Result<()> {
        let (parent, name) = self.parent_of(name)?;
        Ok(rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR)?)
    }

    /// One of the names in it; nothing if it is empty.
    pub(crate) fn any_name(&self) -> io::Result<Option<OsString>> {
        self.names()?.next().transpose()
    }

    /// The names in it.
    pub(crate) fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>>> {
        let own = |entry: &io::Result<OsString>| !matches!(entry, Ok(name) if name == "." || name == "..");
        let name = |entry: rustix::io::Result<DirEntry>| {
            Ok(OsString::from_vec(entry?.file_name().to_bytes().to_vec()))
        };
        Ok(Dir::read_from(&self.file)?.map(name).filter(own))
    }

    /// The directory that a name is in, and its last part.
    fn parent_of<'a>(&self, name: &'a str) -> io::Result<(File, &'a str)> {
        match name.rsplit_once('/') {
            None => Ok((self.file.try_clone()?, name)),
            Some((parent, last)) => {
                let flags = FOLDER_FLAGS | OFlags::PATH;
                Ok((self.resolve(parent, flags, Mode::empty())?, last))
            }
        }
    }

    fn resolve(&self, name: &str, flags: OFlags, mode: Mode) -> io::Result<File> {
        match self.way {
            Resolution::Kernel => {
                Ok(rustix::fs::openat2(&self.file, name, flags, mode, RESOLVE)?.into())
            }
            Resolution::Parts => self.resolve_parts(name, flags, mode),
        }
    }

    /// Opens one part after the other; each must be in the file system of this directory.
    fn resolve_parts(&self, name: &str, flags: OFlags, mode: Mode) -> io::Result<File> {
        let home = home(&self.file)?;
        let mut at = self.file.try_clone()?;
        let mut parts = name.split('/').peekable();
        while let Some(part) = parts.next() {
            if ["", ".", ".."].contains(&part) {
                return Err(Errno::XDEV.into());
            }
            let is_last = parts.peek().is_none();
            let (flags, mode) = match is_last {
                true => (flags | OFlags::NOFOLLOW, mode),
                false => (FOLDER_FLAGS | OFlags::PATH, Mode::empty()),
            };
            at = rustix::fs::openat(&at, part, flags, mode)?.into();
            if self::home(&at)? != home {
                return Err(Errno::XDEV.into());
            }
        }
        Ok(at)
    }

    /// Resolves names in that way, whatever the kernel can do.
    #[cfg(test)]
    pub(crate) fn by(mut self, way: Resolution) -> Self {
        self.way = way;
        self
    }
}

/// The resolution asked of the kernel for every name.
const RESOLVE: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS)
    .union(ResolveFlags::NO_XDEV);

fn home(file: &File) -> io::Result<Home> {
    let flags = StatxFlags::MNT_ID;
    match rustix::fs::statx(file, "", AtFlags::EMPTY_PATH, flags) {
        Ok(found) if found.stx_mask & flags.bits() != 0 => Ok(Home::Mount(found.stx_mnt_id)),
        _ => Ok(Home::Device(file.metadata()?.dev())),
    }
}

/// Why a directory could not be removed.
pub(crate) fn kept(folder: &Folder, error: &io::Error) -> Fault {
    let stranger = folder.any_name().ok().flatten();
    match (error.kind(), stranger) {
        (ErrorKind::DirectoryNotEmpty, Some(stranger)) => {
            Fault::new(format!("removing {} failed", folder.path.display()))
                .because(format!(
                    "'{}' in it is not Kneepoint's, and was left",
                    stranger.to_string_lossy()
                ))
                .fix("move it away; only what Kneepoint made is ever removed")
        }
        _ => trouble("removing", &folder.path, error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn names_are_resolved_below_and_links_are_not_followed() {
        for way in [Resolution::Kernel, Resolution::Parts] {
            let place = tempfile::tempdir().unwrap();
            fs::create_dir_all(place.path().join("in/a")).unwrap();
            fs::create_dir(place.path().join("out")).unwrap();
            fs::write(place.path().join("out/f"), "precious").unwrap();
            let folder = Folder::open(&place.path().join("in")).unwrap().by(way);
            folder.create_file("a/f", OFlags::WRONLY).unwrap();
            assert_eq!(folder.size_of("a/f").unwrap(), 0);
            symlink("../../out", place.path().join("in/a/link")).unwrap();
            symlink("../../out/f", place.path().join("in/a/g")).unwrap();
            for name in ["a/link/f", "../out/f", "a/g", "a/../../out/f"] {
                assert!(folder.open_file(name, OFlags::RDONLY).is_err(), "{way:?} {name}");
            }
            for name in ["a/link/f", "../out/f"] {
                assert!(folder.remove_name(name).is_err(), "{way:?} {name}");
            }
            assert!(folder.make_folder("a/link/d").is_err());
            folder.remove_name("a/g").unwrap();
            assert_eq!(fs::read(place.path().join("out/f")).unwrap(), b"precious");
            let link = place.path().join("in-link");
            symlink("in", &link).unwrap();
            assert!(Folder::open(&link).is_err());
        }
    }
}
