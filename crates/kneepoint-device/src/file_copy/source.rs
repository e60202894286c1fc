//! The files that are copied, laid out before copying.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::{FileSet, FileSetPlan};
use kneepoint_core::seed;
use rand_core::Rng as _;

use super::ground::remove_tree;
use super::mark::{MARK_NAME, Mark};
use super::{Ended, Ground, Stop, trouble};

/// Bytes that are made and written at once.
pub(super) const CHUNK: usize = 1 << 20;

/// What must be done before files can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceWork {
    /// The file set is there.
    Reuse,
    /// It must be written.
    Write,
}

/// What a directory at `path` lacks to hold the set of `plan` that `seed` draws; changes nothing.
pub fn source_work(path: &Path, plan: FileSetPlan, seed: u64) -> SourceWork {
    let wanted = Mark { set: plan, seed, complete: true };
    let text = fs::read_to_string(path.join(MARK_NAME)).unwrap_or_default();
    match Mark::from_text(&text) == Some(wanted) {
        true => SourceWork::Reuse,
        false => SourceWork::Write,
    }
}

impl Ground {
    /// Writes the file set, unless it is there: `wrote` is called with the bytes of every file.
    ///
    /// What is left of another set, of one that was not finished, and of an unfinished copy, is
    /// removed.
    ///
    /// # Errors
    /// When a file cannot be written or removed.
    pub fn lay_out(
        &mut self,
        (plan, seed): (FileSetPlan, u64),
        wrote: &dyn Fn(u64),
        stop: Stop<'_>,
    ) -> Result<Ended, Fault> {
        self.remove_copy()?;
        let set = FileSet::new(&plan, seed);
        let wanted = Mark { set: plan, seed, complete: true };
        if self.mark()? == Some(wanted) && is_whole(&self.source(), &set) {
            return Ok(Ended::Complete);
        }
        self.set_mark(Mark { complete: false, ..wanted })?;
        let source = self.source();
        remove_tree(&source)?;
        make_directories(&source, &set)?;
        let mut chunk = vec![0; CHUNK];
        for file in &set.files {
            if stop() {
                return Ok(Ended::Interrupted);
            }
            let path = source.join(&file.path);
            write_file(&path, (file.bytes, file.seed), &mut chunk)
                .map_err(|error| trouble("writing", &path, &error))?;
            wrote(file.bytes);
        }
        self.set_mark(wanted)?;
        Ok(Ended::Complete)
    }
}

/// Makes the directories of `set` in a new directory `root`.
pub(super) fn make_directories(root: &Path, set: &FileSet) -> Result<(), Fault> {
    let below = set.directories.iter().map(|directory| root.join(directory));
    for path in [root.to_owned()].into_iter().chain(below) {
        fs::create_dir(&path).map_err(|error| trouble("making", &path, &error))?;
    }
    Ok(())
}

fn write_file(path: &Path, (bytes, seed): (u64, u64), chunk: &mut [u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    let mut rng = seed::rng(seed);
    let mut left = bytes;
    while left > 0 {
        let part = &mut chunk[..left.min(CHUNK as u64) as usize];
        rng.fill_bytes(part);
        file.write_all(part)?;
        left -= part.len() as u64;
    }
    // Pages that are not written back cannot be dropped from the cache.
    file.sync_all()
}

/// Whether every file of `set` is there with its size.
pub(super) fn is_whole(root: &Path, set: &FileSet) -> bool {
    set.files.iter().all(|file| {
        let metadata = fs::symlink_metadata(root.join(&file.path));
        metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() == file.bytes)
    })
}
