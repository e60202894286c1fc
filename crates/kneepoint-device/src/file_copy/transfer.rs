//! One file copied by one function of the operating system.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};

use kneepoint_core::result::Warning;
use kneepoint_core::spec::file_copy::{CopyCache, CopyMethod, READ_WRITE_BYTES};
use kneepoint_core::words::fault::Fault;
use rustix::fs::{OFlags, copy_file_range, fcntl_getfl, fcntl_setfl, sendfile};

use super::folder::Folder;
use super::trouble;
use crate::buffer::FillBuffer;

/// Most bytes that the kernel is asked to copy at once, so that Ctrl-C is seen.
const CALL_BYTES: u64 = 128 << 20;

/// What direct I/O takes everywhere: offsets and lengths of whole pages.
const DIRECT_ALIGN: usize = 4096;

/// Copies files by one function, one after the other.
pub(super) struct Transfer {
    method: CopyMethod,
    cache: CopyCache,
    buffer: FillBuffer,
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
    pub(super) fn new(method: CopyMethod, cache: CopyCache) -> io::Result<Self> {
        let way = match (method, cache) {
            (CopyMethod::ReadWrite, CopyCache::Uncached) => Way::Direct,
            _ => Way::Buffered,
        };
        Ok(Self { method, cache, buffer: FillBuffer::new(READ_WRITE_BYTES)?, way })
    }

    /// What is to be said of the way that reads and writes took.
    pub(super) fn warning(&self) -> Option<Warning> {
        (self.way == Way::Refused).then_some(Warning::DirectIoRefused)
    }

    /// Copies `bytes` bytes of the file `name`, and makes them durable where the cache does not
    /// count.
    pub(super) fn copy(
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
        let buffer = self.buffer.bytes_mut(READ_WRITE_BYTES);
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
                leave_direct(copy)?;
                copy.write_all(&buffer[direct..count])?;
            }
            left -= count as u64;
        }
        Ok(())
    }
}

/// From here on, writes go through the page cache.
fn leave_direct(file: &File) -> io::Result<()> {
    let flags = fcntl_getfl(file)?;
    Ok(fcntl_setfl(file, flags.difference(OFlags::DIRECT))?)
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

#[cfg(test)]
mod tests {
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
