//! One copy of the whole file set, with its time: the source brought into the page cache or out of
//! it, each file copied by one function of the operating system, and the copy compared.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::Instant;

use kneepoint_core::measure::{Copied, Observer, Stop};
use kneepoint_core::plan::{FileSet, MemoryPages};
use kneepoint_core::result::Warning;
use kneepoint_core::spec::file_copy::{CopyCache, CopyMethod, READ_WRITE_BYTES};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::{Bytes, Nanos};
use rand_core::Rng as _;
use rustix::fs::{
    Advice, OFlags, copy_file_range, fadvise, fcntl_getfl, fcntl_setfl, sendfile, syncfs,
};

use super::copy_dir::{CHUNK, COPY, SOURCE};
use super::{CopyDir, tree};
use crate::buffer::Arena;
use crate::layout::shares_blocks;
use crate::observe::cached_bytes;
use crate::own_dir::{Folder, trouble};

/// Which copy is to be made.
#[derive(Debug, Clone, Copy)]
pub struct CopyOrder<'a> {
    /// The files to copy.
    pub set: &'a FileSet,
    /// The function that copies.
    pub method: CopyMethod,
    /// With or without the page cache.
    pub cache: CopyCache,
    /// True if every byte is checked afterwards, outside the measured time, and whether the file
    /// system shares the blocks; the size of every file always is.
    pub checks_contents: bool,
}

impl CopyDir {
    /// Copies the file set once, checks the copy, and removes it.
    ///
    /// # Errors
    /// When a call fails, the copy is not what it should be, or the observer asks to stop; the copy
    /// is removed then, too.
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
        let folder = &self.own.folder;
        let at = |name: &str| folder.path_of(name);
        let mut transfer = Transfer::new(order.method, order.cache)
            .map_err(|error| trouble("a buffer for", &at(COPY), &error))?;
        // What was removed or written before must not be written back while this is measured.
        syncfs(&folder.file)
            .map_err(|error| trouble("synchronising", &folder.path, &error.into()))?;
        let source =
            folder.below(SOURCE).map_err(|error| trouble("opening", &at(SOURCE), &error))?;
        let warning = prepare_cache(&source, (order.set, order.cache), observer)?;
        let begun = Instant::now();
        let copy = tree::make_tree(folder, COPY, order.set)?;
        copy_files((&source, &copy), order, &mut transfer, observer)?;
        let elapsed = Nanos(begun.elapsed().as_nanos() as u64);
        let mut warnings: Vec<Warning> = warning.into_iter().chain(transfer.warning()).collect();
        check_sizes(&copy, order.set)?;
        if order.checks_contents {
            warnings.extend(sharing_warning(&copy, order.set));
            compare(&copy, order.set, observer)?;
        }
        Ok(Copied { elapsed, warnings })
    }
}

/// The measured part, after making the directories.
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
    let cannot = |error: &io::Error| trouble("synchronising", &copy.path, error);
    copy.file.sync_all().map_err(|error| cannot(&error))?;
    for directory in &set.directories {
        copy.below(directory)
            .and_then(|below| below.file.sync_all())
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

/// So much of the source may be on the wrong side of the page cache without a warning.
const TOLERANCE: f64 = 0.01;

/// Brings every file of the source into the page cache, or drops it from there; gives what is to be
/// said of it.
fn prepare_cache(
    source: &Folder,
    (set, cache): (&FileSet, CopyCache),
    observer: &dyn Observer,
) -> Result<Option<Warning>, Stop> {
    let mut chunk = vec![0; CHUNK];
    let mut cached = Some(0);
    for file in &set.files {
        observer.go_on()?;
        let opened = source.open_file(&file.path, OFlags::RDONLY).and_then(|file| {
            match cache {
                CopyCache::Cached => read_all(&file, &mut chunk)?,
                CopyCache::Uncached => fadvise(&file, 0, None, Advice::DontNeed)?,
            }
            Ok(file)
        });
        let opened =
            opened.map_err(|error| trouble("reading", &source.path_of(&file.path), &error))?;
        let bytes = cached_bytes(&opened).map(|bytes| bytes.min(file.bytes));
        cached = cached.zip(bytes).map(|(sum, bytes)| sum + bytes);
    }
    Ok(cached.and_then(|cached| cache_warning(cache, cached as f64 / set.bytes() as f64)))
}

fn read_all(mut file: &File, chunk: &mut [u8]) -> io::Result<()> {
    while file.read(chunk)? > 0 {}
    Ok(())
}

/// The warning for a source of which `share` is cached.
fn cache_warning(cache: CopyCache, share: f64) -> Option<Warning> {
    let cached_percent = (100.0 * share).round();
    match cache {
        CopyCache::Cached if share < 1.0 - TOLERANCE => {
            Some(Warning::SourceNotCached { cached_percent })
        }
        CopyCache::Uncached if share > TOLERANCE => Some(Warning::SourceCached { cached_percent }),
        CopyCache::Cached | CopyCache::Uncached => None,
    }
}

/// Most bytes that the kernel is asked to copy at once, so that Ctrl-C is seen.
const CALL_BYTES: u64 = 128 << 20;

/// The alignment that direct I/O takes everywhere: offsets and lengths of whole pages.
const DIRECT_ALIGN: usize = 4096;

/// Copies files by one function, one after the other.
struct Transfer {
    method: CopyMethod,
    cache: CopyCache,
    buffer: Arena,
    way: Way,
}

/// The way of reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `O_DIRECT`.
    Direct,
    /// Through the page cache, as wished.
    Buffered,
    /// Through the page cache, because the file system refused the other.
    Refused,
}

impl Transfer {
    fn new(method: CopyMethod, cache: CopyCache) -> io::Result<Self> {
        let way = match (method, cache) {
            (CopyMethod::ReadWrite, CopyCache::Uncached) => Way::Direct,
            _ => Way::Buffered,
        };
        Ok(Self { method, cache, buffer: Arena::new(READ_WRITE_BYTES, MemoryPages::Small)?, way })
    }

    /// The warning about the way that reads and writes took.
    fn warning(&self) -> Option<Warning> {
        (self.way == Way::Refused).then_some(Warning::DirectIoRefused)
    }

    /// Copies `bytes` bytes of the file `name`, and makes them durable where the cache does not
    /// count.
    fn copy(
        &mut self,
        (from, to): (&Folder, &Folder),
        (name, bytes): (&str, u64),
    ) -> Result<(), Fault> {
        let source = self
            .open(|flags| from.open_file(name, OFlags::RDONLY | flags))
            .map_err(|error| trouble("opening", &from.path_of(name), &error))?;
        let copy = self
            .open(|flags| to.create_file(name, OFlags::WRONLY | flags))
            .map_err(|error| trouble("making", &to.path_of(name), &error))?;
        let done = match self.method {
            CopyMethod::CopyFileRange => {
                whole(bytes, |left| Ok(copy_file_range(&source, None, &copy, None, left as usize)?))
            }
            CopyMethod::Sendfile => {
                whole(bytes, |left| Ok(sendfile(&copy, &source, None, left as usize)?))
            }
            CopyMethod::ReadWrite => self.read_write(&source, &copy, bytes),
        };
        let failed = |error: &io::Error, what: &str| trouble(what, &to.path_of(name), error);
        done.map_err(|error| failed(&error, &format!("{} to", self.method.name())))?;
        match self.cache {
            CopyCache::Cached => Ok(()),
            CopyCache::Uncached => copy.sync_all().map_err(|error| failed(&error, "synchronising")),
        }
    }

    /// Opens a file past the page cache where that is wished and the file system can.
    fn open(&mut self, open: impl Fn(OFlags) -> io::Result<File>) -> io::Result<File> {
        if self.way != Way::Direct {
            return open(OFlags::empty());
        }
        match open(OFlags::DIRECT) {
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
                self.way = Way::Refused;
                open(OFlags::empty())
            }
            opened => opened,
        }
    }

    /// Reads and writes in turn. Where this is past the page cache, the bytes behind the last whole
    /// page of a file are written through it: direct I/O takes no less.
    fn read_write(&mut self, mut source: &File, mut copy: &File, bytes: u64) -> io::Result<()> {
        let buffer = self.buffer.slice_mut(0, READ_WRITE_BYTES);
        let mut left = bytes;
        while left > 0 {
            let count = match source.read(buffer) {
                Ok(count) => (count as u64).min(left) as usize,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if count == 0 {
                return Err(ended_early(left));
            }
            let direct = match self.way {
                Way::Direct => count - count % DIRECT_ALIGN,
                Way::Buffered | Way::Refused => count,
            };
            copy.write_all(&buffer[..direct])?;
            if direct < count {
                // From here on, writes go through the page cache.
                fcntl_setfl(copy, fcntl_getfl(copy)?.difference(OFlags::DIRECT))?;
                copy.write_all(&buffer[direct..count])?;
            }
            left -= count as u64;
        }
        Ok(())
    }
}

/// Calls until `bytes` bytes are copied; a call may copy fewer than it is asked for.
fn whole(bytes: u64, mut call: impl FnMut(u64) -> io::Result<usize>) -> io::Result<()> {
    let mut left = bytes;
    while left > 0 {
        match call(left.min(CALL_BYTES)) {
            Ok(0) => return Err(ended_early(left)),
            Ok(count) => left = left.saturating_sub(count as u64),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn ended_early(left: u64) -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, format!("it copied {left} bytes less than there are"))
}

/// Compares every byte of the copy in `root` with what the seed gives, not with the source: so the
/// source is checked as well.
pub(super) fn compare(root: &Folder, set: &FileSet, observer: &dyn Observer) -> Result<(), Stop> {
    let (mut read, mut wanted) = (vec![0; CHUNK], vec![0; CHUNK]);
    for file in &set.files {
        observer.go_on()?;
        let path = root.path_of(&file.path);
        let same = root
            .open_file(&file.path, OFlags::RDONLY)
            .and_then(|opened| is_same(&opened, (file.bytes, file.seed), [&mut read, &mut wanted]))
            .map_err(|error| trouble("reading", &path, &error))?;
        if !same {
            let why = "its content is not that of the source as it was written";
            return Err(differs(&path, why).into());
        }
    }
    Ok(())
}

/// A copy that is none.
fn differs(path: &Path, why: &str) -> Fault {
    Fault::new(format!("{} is no true copy", path.display()))
        .because(why)
        .fix("do not trust this storage before you know why; remove the directory of the file copy")
}

fn is_same(
    mut file: &File,
    (bytes, seed): (u64, u64),
    [read, wanted]: [&mut [u8]; 2],
) -> io::Result<bool> {
    let mut rng = seed::rng(seed);
    let mut left = bytes;
    while left > 0 {
        let length = left.min(CHUNK as u64) as usize;
        let (read, wanted) = (&mut read[..length], &mut wanted[..length]);
        file.read_exact(read)?;
        rng.fill_bytes(wanted);
        if read != wanted {
            return Ok(false);
        }
        left -= length as u64;
    }
    Ok(true)
}

/// The warning if the file system shares the blocks of source and copy: nothing was
/// copied then. Looks at the largest file.
fn sharing_warning(root: &Folder, set: &FileSet) -> Option<Warning> {
    let largest = set.files.iter().max_by_key(|file| file.bytes)?;
    let file = root.open_file(&largest.path, OFlags::RDONLY).ok()?;
    let shares = shares_blocks(&file, Bytes(largest.bytes)).ok()?;
    shares.then_some(Warning::SharedBlocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_on_the_wrong_side_is_told() {
        assert_eq!(cache_warning(CopyCache::Cached, 1.0), None);
        assert_eq!(cache_warning(CopyCache::Uncached, 0.0), None);
        let told = |cache, share| cache_warning(cache, share).unwrap();
        let some = Warning::SourceNotCached { cached_percent: 50.0 };
        assert_eq!(told(CopyCache::Cached, 0.5), some);
        let all = Warning::SourceCached { cached_percent: 100.0 };
        assert_eq!(told(CopyCache::Uncached, 1.0), all);
    }
}

#[cfg(test)]
mod transfer_tests {
    use super::*;

    #[test]
    fn short_calls_are_repeated_and_no_progress_is_an_error() {
        let mut calls = Vec::new();
        whole(CALL_BYTES + 10, |left| {
            calls.push(left);
            Ok(left.min(CALL_BYTES - 5) as usize)
        })
        .unwrap();
        assert_eq!(calls, [CALL_BYTES, 15]);
        assert_eq!(whole(10, |_| Ok(0)).unwrap_err().kind(), ErrorKind::UnexpectedEof);
        whole(0, |_| Ok(0)).unwrap();
    }
}
