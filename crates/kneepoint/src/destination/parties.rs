//! The files of a command, compared with one another before anything is read or written for good:
//! no output may be the store, a target, an input, or another output.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;

use super::is_printed;
use super::place::end_of;

/// What SQLite and the settings of a run keep beside a store.
const BESIDE_STORE: [&str; 4] = ["-wal", "-shm", "-journal", "-settings"];

/// What a file is to the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Store,
    Target,
    Input,
    Output,
}

/// A file of the command.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Party {
    role: Role,
    /// As a sentence names it.
    name: String,
    identity: Identity,
}

/// What makes two names the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Identity {
    /// Device and inode of what lies there.
    Inode(u64, u64),
    /// Device and inode of the directory, and the name in it, if nothing lies there yet.
    Absent(u64, u64, OsString),
}

/// The files of a command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parties(Vec<Party>);

impl Parties {
    /// A command that keeps its runs in `store`.
    pub(crate) fn with_store(store: &Path) -> Self {
        let mut parties = Self::default();
        parties.add(Role::Store, format!("the store {}", store.display()), store);
        let real = end_of(store).map(|end| end.file());
        let bases: Vec<PathBuf> = real.into_iter().chain([store.to_owned()]).collect();
        for (base, ending) in bases.iter().flat_map(|base| BESIDE_STORE.map(|end| (base, end))) {
            let mut file = OsString::from(base);
            file.push(ending);
            let name = format!("the store's file {}", Path::new(&file).display());
            parties.add(Role::Store, name, Path::new(&file));
        }
        parties
    }

    /// Adds what is measured.
    pub(crate) fn target(&mut self, path: &Path) {
        self.add(Role::Target, format!("the target {}", path.display()), path);
    }

    /// Adds a file that is read.
    pub(crate) fn input(&mut self, path: &Path) {
        self.add(Role::Input, format!("the input {}", path.display()), path);
    }

    /// Adds the value of an option that names a file to be written, if there is one.
    pub(crate) fn output(&mut self, option: &str, path: Option<&Path>) {
        if let Some(path) = path.filter(|path| !is_printed(path)) {
            self.add(Role::Output, format!("{option} {}", path.display()), path);
        }
    }

    fn add(&mut self, role: Role, name: String, path: &Path) {
        // What cannot be identified is told by whoever opens it.
        if let Some(identity) = identity(path) {
            self.0.push(Party { role, name, identity });
        }
    }

    /// Refuses a command that would write one file in two roles.
    ///
    /// # Errors
    /// When two names lead to the same file and one of them is written.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        for (index, one) in self.0.iter().enumerate() {
            let same = self.0[..index].iter().find(|other| {
                other.identity == one.identity && are_exclusive(other.role, one.role)
            });
            if let Some(other) = same {
                return Err(Fault::new(format!(
                    "{} and {} are the same file",
                    other.name, one.name
                ))
                .because("writing the one would destroy the other")
                .fix("name another file"));
            }
        }
        Ok(())
    }
}

/// Whether one file cannot be both.
const fn are_exclusive(one: Role, other: Role) -> bool {
    !matches!(
        (one, other),
        (Role::Store, Role::Store) | (Role::Target, Role::Target) | (Role::Input, Role::Input)
    )
}

/// What identifies the file at `path`. Nothing for what is written through and never replaced, such
/// as a pipe: any number of names may lead there.
fn identity(path: &Path) -> Option<Identity> {
    if let Ok(metadata) = fs::metadata(path) {
        let kind = metadata.file_type();
        let is_replaced = kind.is_file() || std::os::unix::fs::FileTypeExt::is_block_device(&kind);
        return is_replaced.then(|| Identity::Inode(metadata.dev(), metadata.ino()));
    }
    let end = end_of(path).ok()?;
    let directory = fs::metadata(&end.directory).ok()?;
    let name: &OsStr = &end.name;
    Some(Identity::Absent(directory.dev(), directory.ino(), name.to_owned()))
}

/// Whether two names lead to the same file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|identity_of_one| identity(other) == Some(identity_of_one))
}
