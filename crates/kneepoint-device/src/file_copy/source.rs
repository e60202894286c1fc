//! The files that are copied, laid out before copying.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::plan::FileSet;
use kneepoint_core::spec::file_copy::FileSetPlan;
use kneepoint_core::words::seed;
use rand_core::Rng as _;
use rustix::fs::OFlags;

use super::folder::Folder;
use super::ground::{self, SOURCE};
use super::mark::Mark;
use super::{CopyDir, tree, trouble};

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
    match ground::open(path) {
        Ok(Some((_, _, mark))) if mark == wanted => SourceWork::Reuse,
        _ => SourceWork::Write,
    }
}

impl CopyDir {
    /// Writes the file set, unless it is there: `wrote` is called with the bytes of every file.
    ///
    /// What is left of another set, of one that was not finished, and of an unfinished copy, is
    /// removed.
    ///
    /// # Errors
    /// When a file cannot be written or removed, or the observer asks to stop.
    pub fn lay_out(
        &mut self,
        (plan, seed): (FileSetPlan, u64),
        wrote: &dyn Fn(u64),
        observer: &dyn Observer,
    ) -> Result<(), Stop> {
        self.remove_copy()?;
        let set = FileSet::new(&plan, seed);
        let wanted = Mark { set: plan, seed, complete: true };
        if self.mark()? == Some(wanted) && is_whole(self.folder(), &set) {
            return Ok(());
        }
        // By the names of the set that the mark still tells of.
        self.remove_source()?;
        self.set_mark(Mark { complete: false, ..wanted })?;
        let source = tree::make(self.folder(), SOURCE, &set)?;
        let mut chunk = vec![0; CHUNK];
        for file in &set.files {
            observer.go_on()?;
            write_file((&source, &file.path), (file.bytes, file.seed), &mut chunk)
                .map_err(|error| trouble("writing", &source.path_of(&file.path), &error))?;
            wrote(file.bytes);
        }
        self.set_mark(wanted)?;
        Ok(())
    }
}

fn write_file(
    (folder, name): (&Folder, &str),
    (bytes, seed): (u64, u64),
    chunk: &mut [u8],
) -> io::Result<()> {
    let mut file: File = folder.create_file(name, OFlags::WRONLY)?;
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
fn is_whole(ground: &Folder, set: &FileSet) -> bool {
    let Ok(source) = ground.below(SOURCE) else { return false };
    set.files.iter().all(|file| source.size_of(&file.path).is_ok_and(|bytes| bytes == file.bytes))
}
