//! One copy of the whole file set, with its time.

use std::io;
use std::time::{Duration, Instant};

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::plan::FileSet;
use kneepoint_core::result::Warning;
use kneepoint_core::spec::file_copy::{CopyCache, CopyMethod};
use kneepoint_core::words::fault::Fault;
use rustix::fs::syncfs;

use super::compare::{compare, differs, sharing_warning};
use super::folder::Folder;
use super::ground::{COPY, SOURCE};
use super::transfer::Transfer;
use super::{CopyDir, cache, tree, trouble};

/// Which copy is to be made.
#[derive(Debug, Clone, Copy)]
pub struct CopyOrder<'a> {
    /// What is copied.
    pub set: &'a FileSet,
    /// The function that copies.
    pub method: CopyMethod,
    /// With or without the page cache.
    pub cache: CopyCache,
    /// What is looked at afterwards, outside the measured time.
    pub check: Check,
}

/// What is looked at after a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The size of every file.
    Sizes,
    /// Sizes and every byte, and whether the file system shares the blocks.
    Contents,
}

/// A copy that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// Time from the first directory to the end of the last file.
    pub elapsed: Duration,
    /// What limits the trust in it.
    pub warnings: Vec<Warning>,
}

impl CopyDir {
    /// Copies the file set once, checks the copy, and removes it.
    ///
    /// # Errors
    /// When a call fails, the copy is not what it should be, or the observer asks to stop; the copy is
    /// removed then, too.
    pub fn copy(&self, order: &CopyOrder<'_>, observer: &dyn Observer) -> Result<Copied, Stop> {
        self.remove_copy()?;
        let copied = self.copy_and_check(order, observer);
        let removed = self.remove_copy();
        let copied = copied?;
        removed?;
        Ok(copied)
    }

    fn copy_and_check(
        &self,
        order: &CopyOrder<'_>,
        observer: &dyn Observer,
    ) -> Result<Copied, Stop> {
        let folder = self.folder();
        let at = |name: &str| folder.path_of(name);
        let mut transfer = Transfer::new(order.method, order.cache)
            .map_err(|error| trouble("a buffer for", &at(COPY), &error))?;
        // What was removed or written before must not be written back while this is measured.
        syncfs(folder.file())
            .map_err(|error| trouble("synchronising", folder.path(), &error.into()))?;
        let source =
            folder.below(SOURCE).map_err(|error| trouble("opening", &at(SOURCE), &error))?;
        let warning = cache::prepare(&source, (order.set, order.cache), observer)?;
        let begun = Instant::now();
        let copy = tree::make(folder, COPY, order.set)?;
        copy_files((&source, &copy), order, &mut transfer, observer)?;
        let elapsed = begun.elapsed();
        let mut warnings: Vec<Warning> = warning.into_iter().chain(transfer.warning()).collect();
        check_sizes(&copy, order.set)?;
        if order.check == Check::Contents {
            warnings.extend(sharing_warning(&copy, order.set));
            compare(&copy, order.set, observer)?;
        }
        Ok(Copied { elapsed, warnings })
    }
}

/// What is measured, after making the directories.
fn copy_files(
    (source, copy): (&Folder, &Folder),
    order: &CopyOrder<'_>,
    transfer: &mut Transfer,
    observer: &dyn Observer,
) -> Result<(), Stop> {
    for file in &order.set.files {
        observer.go_on()?;
        transfer.copy((source, copy), (&file.path, file.bytes))?;
    }
    if order.cache == CopyCache::Uncached {
        sync_directories(copy, order.set)?;
    }
    Ok(())
}

/// Makes the names of the files durable.
fn sync_directories(copy: &Folder, set: &FileSet) -> Result<(), Fault> {
    let cannot = |error: &io::Error| trouble("synchronising", copy.path(), error);
    copy.file().sync_all().map_err(|error| cannot(&error))?;
    for directory in &set.directories {
        copy.below(directory)
            .and_then(|below| below.file().sync_all())
            .map_err(|error| cannot(&error))?;
    }
    Ok(())
}

fn check_sizes(copy: &Folder, set: &FileSet) -> Result<(), Fault> {
    for file in &set.files {
        let path = copy.path_of(&file.path);
        let bytes =
            copy.size_of(&file.path).map_err(|error| trouble("looking at", &path, &error))?;
        if bytes != file.bytes {
            let why = format!("it has {bytes} bytes instead of {}", file.bytes);
            return Err(differs(&path, &why));
        }
    }
    Ok(())
}
