//! Folders of an experiment's own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A folder that goes away with all that is in it when the value goes out of scope.
#[derive(Debug)]
pub(crate) struct OwnFolder(PathBuf);

impl OwnFolder {
    /// A new folder in `parent` for this experiment.
    pub(crate) fn new(parent: &Path, experiment: &str) -> anyhow::Result<Self> {
        let path = parent.join(format!("kneepoint-{experiment}-{}", std::process::id()));
        fs::create_dir(&path).with_context(|| path.display().to_string())?;
        let mut folder = Self(path);
        let path = folder.0.canonicalize();
        folder.0 = path.with_context(|| folder.0.display().to_string())?;
        Ok(folder)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
