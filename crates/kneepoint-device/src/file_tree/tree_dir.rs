//! The directory in which files are created and deleted: its mark, its directories, and their removal.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kneepoint_core::load::files::FileCalls;
use kneepoint_core::measure::FileGround;
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::TargetEnvironment;
use kneepoint_core::spec::profile::FileTree;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use rustix::fs::syncfs;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::calls::TreeCalls;
use super::{directory_name, is_file_name};
use crate::facts::{SysRoot, target};
use crate::own_dir::{DirMark, Folder, OwnDir, kept, trouble};

/// A target whose files Kneepoint creates and deletes.
#[derive(Debug)]
pub struct TreeDir {
    path: PathBuf,
    /// Once it is claimed.
    own: Option<OwnDir<TreeMark>>,
    /// The directories of the point.
    directories: Arc<Vec<Folder>>,
}

impl TreeDir {
    /// The directory at `path`, which need not be there; changes nothing.
    ///
    /// # Errors
    /// When something lies there that Kneepoint did not make, or that others may write to, or the
    /// directory above is not there or is no storage.
    pub fn look(path: &Path) -> Result<Self, Fault> {
        let here = Self { path: path.to_owned(), own: None, directories: Arc::default() };
        here.environment("")?;
        Ok(here)
    }

    fn claimed(&self) -> Result<&OwnDir<TreeMark>, Fault> {
        let unclaimed = || Fault::new(format!("{} is not ready for a point", self.path.display()));
        self.own.as_ref().ok_or_else(unclaimed)
    }
}

impl FileGround for TreeDir {
    fn environment(&self, name: &str) -> Result<TargetEnvironment, Fault> {
        // The facts are those of a file that could be made there.
        let probe = match OwnDir::<TreeMark>::open(&self.path)? {
            Some(_) => self.path.join("KNEEPOINT-PROBE"),
            None => plain(&self.path),
        };
        let facts = target(&SysRoot::default(), &probe)?;
        if facts.file_system().is_some_and(|found| found.mount.is_read_only()) {
            return Err(Fault::new(format!("no files can be made in {}", self.path.display()))
                .because("its file system is mounted read-only")
                .fix("name a directory of another file system"));
        }
        let found = facts.environment(name);
        Ok(TargetEnvironment { kind: TargetKind::Directory, size_bytes: 0, class: None, ..found })
    }

    fn claim(&mut self) -> Result<(), Fault> {
        if self.own.is_none() {
            let (own, said) = OwnDir::<TreeMark>::claim(&plain(&self.path))?;
            clear(&own.folder, said)?;
            self.own = Some(own);
        }
        Ok(())
    }

    fn lay_out(&mut self, tree: &FileTree) -> Result<(), Fault> {
        self.clear()?;
        let own = self.claimed()?;
        // Before any of them is there, so that whatever ends this process leaves only what the mark tells of.
        own.set_mark(TreeMark { directories: tree.directories })?;
        allow_descriptors(tree.directories)?;
        let make = |number: u32| {
            let name = directory_name(number);
            let made = own.folder.make_folder(&name).and_then(|()| own.folder.below(&name));
            made.map_err(|error| trouble("making", &own.folder.path_of(&name), &error))
        };
        let directories = (0..tree.directories).map(make).collect::<Result<_, _>>()?;
        self.directories = Arc::new(directories);
        Ok(())
    }

    fn calls(&self, tree: &FileTree, seed: u64) -> Result<Box<dyn FileCalls>, Fault> {
        let directories = Arc::clone(&self.directories);
        Ok(Box::new(TreeCalls::new(directories, tree, seed::rng(seed))))
    }

    fn settle(&self) -> Result<(), Fault> {
        let own = self.claimed()?;
        syncfs(&own.folder.file)
            .map_err(|error| trouble("synchronising", &self.path, &error.into()))
    }

    fn clear(&mut self) -> Result<(), Fault> {
        self.directories = Arc::default();
        let own = self.claimed()?;
        let said = own.mark()?.unwrap_or(TreeMark::FRESH);
        clear(&own.folder, said)
    }

    fn remove(&mut self) -> Result<(), Fault> {
        if self.own.is_none() {
            return Ok(());
        }
        self.clear()?;
        self.own.take().map_or(Ok(()), OwnDir::remove)
    }
}

/// The path without a slash at its end, behind which a link would be followed.
fn plain(path: &Path) -> PathBuf {
    path.components().collect()
}

/// Removes the directories that `mark` tells of, with the files of ours in them. What is of another name
/// stays, and with it the directory that it is in; the first of these obstacles is told, behind the last directory.
fn clear(folder: &Folder, mark: TreeMark) -> Result<(), Fault> {
    let cleared = (0..mark.directories).map(|number| clear_directory(folder, number));
    cleared.fold(Ok(()), Result::and)
}

fn clear_directory(folder: &Folder, number: u32) -> Result<(), Fault> {
    let name = directory_name(number);
    let inside = match folder.below(&name) {
        Ok(inside) => inside,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(trouble("removing", &folder.path_of(&name), &error)),
    };
    let names: io::Result<Vec<OsString>> = inside.names().and_then(Iterator::collect);
    let names = names.map_err(|error| trouble("reading", &inside.path, &error))?;
    for name in names.iter().filter(|name| is_file_name(name)) {
        remove_file(&inside, &name.to_string_lossy())?;
    }
    folder.remove_folder(&name).map_err(|error| kept(&inside, &error))
}

fn remove_file(folder: &Folder, name: &str) -> Result<(), Fault> {
    match folder.remove_name(name) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Not ours: removing the directory that it is in tells of it.
        Err(error) if error.kind() == ErrorKind::IsADirectory => Ok(()),
        removed => removed.map_err(|error| trouble("removing", &folder.path_of(name), &error)),
    }
}

/// Descriptors beside those of the directories: threads, each with a file and a list, and the program's own.
const OTHER_DESCRIPTORS: u64 = 1_200;

/// Raises the limit of open files of this process as far as the directories need it.
fn allow_descriptors(directories: u32) -> Result<(), Fault> {
    let wanted = u64::from(directories) + OTHER_DESCRIPTORS;
    let limit = getrlimit(Resource::Nofile);
    match limit.current {
        Some(current) if current < wanted => {}
        _ => return Ok(()),
    }
    let most = limit.maximum.unwrap_or(wanted);
    let raised = Rlimit { current: Some(wanted.min(most)), ..limit };
    // As far as it may be: with few threads that is enough.
    setrlimit(Resource::Nofile, raised).map_err(|error| {
        Fault::new("the limit of open files cannot be raised")
            .because(io::Error::from(error))
            .fix(format!("ulimit -n {wanted}"))
    })
}

/// The mark of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeMark {
    /// Directories that may be in it.
    pub(super) directories: u32,
}

/// First line of every mark.
const MAGIC: &str = "KNEEPOINT FILES 1";

impl DirMark for TreeMark {
    const NAME: &'static str = "KNEEPOINT-FILES";
    const USE: &'static str = "files cannot be created and deleted";
    const USERS: &'static str = "another run creates and deletes files there";
    const INSTEAD: &'static str = "name a directory that does not exist: Kneepoint makes it";
    const FRESH: Self = Self { directories: 0 };

    fn to_text(self) -> String {
        let body = format!("{MAGIC}\ndirectories={}\n", self.directories);
        format!("{body}check={:016x}\n", seed::derive(0, &body, 0))
    }

    fn from_text(text: &str) -> Option<Self> {
        let directories = text.lines().nth(1)?.strip_prefix("directories=")?.parse().ok()?;
        let mark = Self { directories };
        (mark.to_text() == text).then_some(mark)
    }
}
