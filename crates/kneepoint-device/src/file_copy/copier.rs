//! One copy of the whole file set, with its time.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, Instant};

use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::{CopyCache, CopyMethod, FileSet};
use rustix::fs::syncfs;

use super::compare::{compare, differs, sharing_warning};
use super::source::make_directories;
use super::transfer::Transfer;
use super::{Ended, Ground, Stop, cache, trouble};

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

/// How a copy ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copied {
    /// All files were copied.
    Complete {
        /// Time from the first directory to the end of the last file.
        elapsed: Duration,
        /// What limits the trust in it, a sentence each.
        warnings: Vec<String>,
    },
    /// The user stopped it.
    Interrupted,
}

impl Ground {
    /// Copies the file set once, checks the copy, and removes it.
    ///
    /// # Errors
    /// When a call fails, or the copy is not what it should be; the copy is removed then, too.
    pub fn copy(&self, order: &CopyOrder<'_>, stop: Stop<'_>) -> Result<Copied, Fault> {
        self.remove_copy()?;
        let copied = self.copy_and_check(order, stop);
        let removed = self.remove_copy();
        let copied = copied?;
        removed.map(|()| copied)
    }

    fn copy_and_check(&self, order: &CopyOrder<'_>, stop: Stop<'_>) -> Result<Copied, Fault> {
        let (source, copy) = (self.source(), self.copy_path());
        let mut transfer = Transfer::new(order.method, order.cache)
            .map_err(|error| trouble("a buffer for", &copy, &error))?;
        // What was removed or written before must not be written back while this is measured.
        File::open(self.path())
            .and_then(|directory| Ok(syncfs(&directory)?))
            .map_err(|error| trouble("synchronising", self.path(), &error))?;
        let prepared = cache::prepare(&source, (order.set, order.cache), stop)?;
        if prepared.ended == Ended::Interrupted {
            return Ok(Copied::Interrupted);
        }
        let begun = Instant::now();
        if copy_tree((&source, &copy), order, &mut transfer, stop)? == Ended::Interrupted {
            return Ok(Copied::Interrupted);
        }
        let elapsed = begun.elapsed();
        let mut warnings: Vec<String> =
            prepared.warning.into_iter().chain(transfer.warning()).collect();
        check_sizes(&copy, order.set)?;
        if order.check == Check::Contents {
            warnings.extend(sharing_warning(&copy, order.set));
            if compare(&copy, order.set, stop)? == Ended::Interrupted {
                return Ok(Copied::Interrupted);
            }
        }
        Ok(Copied::Complete { elapsed, warnings })
    }
}

/// What is measured.
fn copy_tree(
    (source, copy): (&Path, &Path),
    order: &CopyOrder<'_>,
    transfer: &mut Transfer,
    stop: Stop<'_>,
) -> Result<Ended, Fault> {
    make_directories(copy, order.set)?;
    for file in &order.set.files {
        if stop() {
            return Ok(Ended::Interrupted);
        }
        transfer.copy((&source.join(&file.path), &copy.join(&file.path)), file.bytes)?;
    }
    if order.cache == CopyCache::Uncached {
        sync_directories(copy, order.set)?;
    }
    Ok(Ended::Complete)
}

/// Makes the names of the files durable.
fn sync_directories(copy: &Path, set: &FileSet) -> Result<(), Fault> {
    let below = set.directories.iter().map(|directory| copy.join(directory));
    for path in [copy.to_owned()].into_iter().chain(below) {
        File::open(&path)
            .and_then(|directory| directory.sync_all())
            .map_err(|error| trouble("synchronising", &path, &error))?;
    }
    Ok(())
}

fn check_sizes(copy: &Path, set: &FileSet) -> Result<(), Fault> {
    for file in &set.files {
        let path = copy.join(&file.path);
        let metadata =
            fs::symlink_metadata(&path).map_err(|error| trouble("looking at", &path, &error))?;
        if metadata.len() != file.bytes {
            let why = format!("it has {} bytes instead of {}", metadata.len(), file.bytes);
            return Err(differs(&path, &why));
        }
    }
    Ok(())
}
