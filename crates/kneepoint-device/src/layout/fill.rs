//! Writes a test file from end to end with data that cannot be compressed.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use kneepoint_core::spec::profile::DataPattern;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::{Bytes, Percent};

use crate::buffer::{FillBuffer, Texture};

/// Bytes of one write.
const CHUNK: u64 = 1 << 20;

/// Writes in flight.
const WRITERS: u64 = 4;

/// How far a fill is, and whether it should go on; shared with whoever shows it.
#[derive(Debug, Default)]
pub struct FillProgress {
    written: AtomicU64,
    stopped: AtomicBool,
}

impl FillProgress {
    /// Bytes written so far.
    pub fn written(&self) -> Bytes {
        Bytes(self.written.load(Ordering::Relaxed))
    }

    /// Ends the fill after the writes in flight.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the fill was told to end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Writes the bytes from `start` to `end` of `file`, which may be open for direct I/O.
///
/// Both must be multiples of 4 KiB. Returns early, without an error, where `progress` says stop. The
/// calling thread writes, and others as far as they can be started.
///
/// # Errors
/// The first error of any write; what was written until then stays.
pub fn fill(file: &File, start: Bytes, end: Bytes, progress: &FillProgress) -> io::Result<()> {
    preallocate(file, start, end)?;
    let next = AtomicU64::new(start.0);
    thread::scope(|scope| {
        let write = || write_chunks(file, &next, end.0, progress);
        let start = |_| thread::Builder::new().spawn_scoped(scope, write).ok();
        let others: Vec<_> = (1..WRITERS).map_while(start).collect();
        let own = write();
        let ends = others.into_iter().map(|writer| {
            writer.join().unwrap_or_else(|_| Err(io::Error::other("a writer panicked")))
        });
        ends.collect::<Vec<_>>().into_iter().chain([own]).collect::<io::Result<()>>()
    })?;
    file.sync_all()
}

/// Asks the file system for the space at once: fewer extents, and a full disk shows now.
fn preallocate(file: &File, start: Bytes, end: Bytes) -> io::Result<()> {
    if start >= end {
        return Ok(());
    }
    let flags = rustix::fs::FallocateFlags::empty();
    match rustix::fs::fallocate(file, flags, start.0, end.0 - start.0) {
        Err(rustix::io::Errno::NOSPC) => Err(rustix::io::Errno::NOSPC.into()),
        // Not every file system can, and a block device need not.
        _ => Ok(()),
    }
}

/// Writes chunk after chunk until there is none left.
fn write_chunks(
    file: &File,
    next: &AtomicU64,
    end: u64,
    progress: &FillProgress,
) -> io::Result<()> {
    let pattern = DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO };
    let texture = Texture::new(pattern);
    let mut buffer = FillBuffer::new(CHUNK as usize)?;
    loop {
        let offset = next.fetch_add(CHUNK, Ordering::Relaxed);
        if offset >= end || progress.is_stopped() {
            return Ok(());
        }
        let chunk = buffer.bytes_mut(CHUNK.min(end - offset) as usize);
        let tag = seed::derive(0, "fill", offset);
        texture.fill(chunk, &mut seed::rng(tag));
        texture.stamp(chunk, tag, 0);
        if let Err(error) = file.write_all_at(chunk, offset) {
            progress.stop();
            return Err(error);
        }
        progress.written.fetch_add(chunk.len() as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::is_own;
    use crate::layout::{Extents, extents};

    #[test]
    fn a_filled_file_has_no_holes_and_no_repetition() {
        let mut file = tempfile::NamedTempFile::new_in(".").unwrap();
        let end = Bytes(3 * CHUNK + 8192);
        let progress = FillProgress::default();
        fill(file.as_file(), Bytes(0), end, &progress).unwrap();
        assert_eq!(progress.written(), end);
        assert_eq!(file.as_file().metadata().unwrap().len(), end.0);
        assert!(matches!(
            extents(file.as_file(), end).unwrap(),
            Extents::Written | Extents::Unknown
        ));
        let mut data = Vec::new();
        io::Read::read_to_end(&mut file, &mut data).unwrap();
        let mut blocks: Vec<&[u8]> = data.chunks(512).collect();
        blocks.sort_unstable();
        assert!(blocks.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(is_own(&data, 0), "the fill can be told from what others write");
    }

    #[test]
    fn a_stopped_fill_ends_without_an_error() {
        let file = tempfile::tempfile().unwrap();
        let progress = FillProgress::default();
        progress.stop();
        fill(&file, Bytes(0), Bytes(64 * CHUNK), &progress).unwrap();
        assert_eq!(progress.written(), Bytes(0));
    }
}
