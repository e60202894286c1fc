//! Where `/proc` and `/sys` are, and how their one-value files are read.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The root of the tree that holds `proc`, `sys` and `etc`; `/` unless a test says otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SysRoot {
    prefix: PathBuf,
}

impl Default for SysRoot {
    fn default() -> Self {
        Self::new("/")
    }
}

impl SysRoot {
    /// A root at `prefix`.
    pub fn new(prefix: impl Into<PathBuf>) -> Self {
        Self { prefix: prefix.into() }
    }

    /// True if it is a tree of plain files that a test made. Never outside of this crate's tests:
    /// there nothing but files of the kernel is ever written as a setting.
    pub(crate) fn is_fake(&self) -> bool {
        cfg!(test) && self.prefix != Path::new("/")
    }

    /// An absolute path as seen below this root.
    pub fn path(&self, absolute: impl AsRef<Path>) -> PathBuf {
        let absolute = absolute.as_ref();
        self.prefix.join(absolute.strip_prefix("/").unwrap_or(absolute))
    }

    /// The trimmed text of a file, or nothing where it is missing, unreadable or empty.
    pub(crate) fn text(&self, absolute: impl AsRef<Path>) -> Option<String> {
        trimmed(&std::fs::read(self.path(absolute)).ok()?)
    }

    /// A directory of one-value files.
    pub(crate) fn dir(&self, absolute: impl AsRef<Path>) -> SysDir {
        SysDir { path: self.path(absolute) }
    }
}

/// A directory of one-value files, as sysfs is made of.
#[derive(Debug, Clone)]
pub(crate) struct SysDir {
    pub(crate) path: PathBuf,
}

impl SysDir {
    /// The directory at that path, which is already below a root.
    pub(crate) fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// A directory below.
    pub(crate) fn dir(&self, name: &str) -> Self {
        Self { path: self.path.join(name) }
    }

    /// The same directory with all symbolic links followed.
    pub(crate) fn resolved(&self) -> io::Result<Self> {
        Ok(Self { path: std::fs::canonicalize(&self.path)? })
    }

    /// The last component of the path.
    pub(crate) fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// True if an entry of that name is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// The trimmed text of a file, or nothing where it is missing, unreadable or empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        trimmed(&std::fs::read(self.path.join(name)).ok()?)
    }

    /// A file's bytes up to the line feed at its end: a path may begin or end with white space.
    pub(crate) fn raw_line(&self, name: &str) -> Option<OsString> {
        let mut bytes = std::fs::read(self.path.join(name)).ok()?;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        (!bytes.is_empty()).then(|| OsString::from_vec(bytes))
    }

    /// The value of a file that holds one number or another parseable word.
    pub(crate) fn value<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }

    /// The names in this directory, sorted.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = std::fs::read_dir(&self.path)?
            .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }
}

/// Text without the white space and zero bytes around it; nothing where there is no other.
pub(super) fn trimmed(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}
