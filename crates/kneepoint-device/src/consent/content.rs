//! Whether there is content of others on a target, from samples of it.
//!
//! Unknown content is content: an encrypted disk looks random. Only zeros, and what Kneepoint wrote
//! itself, can be lost without harm.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use kneepoint_core::words::seed;
use rustix::fs::Advice;

use crate::buffer::{is_blank, is_own};

/// Bytes that are looked at from end to end at the start and at the end.
const EDGE: u64 = 1 << 20;

/// Samples spread over the whole target, and the bytes of each.
const SAMPLES: u64 = 64;
const SAMPLE: u64 = 4096;

/// Bytes before a stretch that say how it starts.
const LEAD: u64 = 2048;

/// The unit of writing.
const SECTOR: u64 = 512;

/// What the samples hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Zeros alone.
    Blank,
    /// Nothing but zeros and what Kneepoint wrote.
    Own,
    /// Something else.
    Foreign(Fingerprint),
}

/// A short number of the samples, to be typed where a device has no other identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint(u32);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "content-{:08x}", self.0)
    }
}

impl Content {
    /// Looks at the first `size_bytes` of an open file or device: the first and the last MiB and 64
    /// samples between. The choice is the same every time.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub(super) fn of(file: &File, size_bytes: u64) -> io::Result<Self> {
        // Advice is never needed.
        let _ = rustix::fs::fadvise(file, 0, None, Advice::Random);
        let (mut blank, mut own, mut hash) = (true, true, 0);
        for (start, end) in stretches(size_bytes) {
            let lead = start.min(LEAD);
            let bytes = read(file, (start - lead, end))?;
            let stretch = &bytes[lead as usize..];
            if is_blank(stretch) {
                continue;
            }
            blank = false;
            own = own && is_own(&bytes, lead as usize);
            hash = words(stretch).fold(hash ^ start, |hash, word| {
                (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
            });
        }
        let _ = rustix::fs::fadvise(file, 0, None, Advice::Normal);
        Ok(match (blank, own) {
            (true, _) => Self::Blank,
            (false, true) => Self::Own,
            (false, false) => Self::Foreign(Fingerprint((hash >> 32) as u32)),
        })
    }

    /// Whether it can be lost without harm.
    pub(super) const fn is_free(self) -> bool {
        matches!(self, Self::Blank | Self::Own)
    }
}

/// Whether the sector at an offset was written by Kneepoint: a magic that is in it is chance.
///
/// # Errors
/// When it cannot be read.
pub(super) fn is_own_sector(file: &File, offset: u64) -> io::Result<bool> {
    let start = offset / SECTOR * SECTOR;
    let lead = start.min(LEAD);
    let bytes = read(file, (start - lead, start + SECTOR))?;
    let is_whole = bytes.len() as u64 == lead + SECTOR;
    Ok(is_whole && !is_blank(&bytes[lead as usize..]) && is_own(&bytes, lead as usize))
}

/// From where to where the target is looked at, in bytes.
fn stretches(size_bytes: u64) -> Vec<(u64, u64)> {
    if size_bytes <= 2 * EDGE {
        return vec![(0, size_bytes)];
    }
    let step = size_bytes / SAMPLES;
    let samples = (0..SAMPLES).map(|number| {
        let within = seed::derive(0, "sample", number) % step;
        let start = (number * step + within).min(size_bytes - SAMPLE) / SAMPLE * SAMPLE;
        (start, start + SAMPLE)
    });
    let last = (size_bytes - EDGE) / SECTOR * SECTOR;
    [(0, EDGE)].into_iter().chain(samples).chain([(last, size_bytes)]).collect()
}

/// The bytes from `start` to `end`, or to the end of the file.
fn read(file: &File, (start, end): (u64, u64)) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (end - start) as usize];
    let mut length = 0;
    while length < bytes.len() {
        match file.read_at(&mut bytes[length..], start + length as u64) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// The bytes as words, the last filled up with zeros.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{FillProgress, fill};
    use kneepoint_core::words::units::Bytes;

    const SIZE: u64 = 8 << 20;

    fn filled() -> File {
        let file = tempfile::tempfile().unwrap();
        fill(&file, Bytes(0), Bytes(SIZE), &FillProgress::default()).unwrap();
        file
    }

    #[test]
    fn zeros_and_the_own_fill_can_be_lost() {
        let empty = tempfile::tempfile().unwrap();
        empty.set_len(SIZE).unwrap();
        assert_eq!(Content::of(&empty, SIZE).unwrap(), Content::Blank);
        let file = filled();
        assert_eq!(Content::of(&file, SIZE).unwrap(), Content::Own);
        assert!(is_own_sector(&file, 1080).unwrap());
        assert!(!is_own_sector(&empty, 1080).unwrap(), "zeros have no author");
        file.write_all_at(&[0; 8192], 4096).unwrap();
        assert_eq!(Content::of(&file, SIZE).unwrap(), Content::Own, "punched holes are no content");
    }

    #[test]
    fn content_of_others_is_told_and_has_a_fingerprint() {
        for at in [0, 510, EDGE - 512, SIZE - EDGE, SIZE - 512] {
            let file = filled();
            file.write_all_at(&[0x55; 512], at).unwrap();
            let found = Content::of(&file, SIZE).unwrap();
            assert!(matches!(found, Content::Foreign(_)), "at {at}: {found:?}");
            assert_eq!(Content::of(&file, SIZE).unwrap(), found, "the same every time");
            file.write_all_at(&[0x56; 512], at).unwrap();
            assert_ne!(Content::of(&file, SIZE).unwrap(), found);
        }
    }

    #[test]
    fn content_between_the_edges_is_met_by_the_samples() {
        let file = filled();
        file.write_all_at(&[7; 1 << 20], 3 << 20).unwrap();
        assert!(!Content::of(&file, SIZE).unwrap().is_free());
    }

    #[test]
    fn samples_lie_within_the_target() {
        for size in [4096, 2 * EDGE, 2 * EDGE + 512, SIZE + 512, 1 << 50] {
            for (start, end) in stretches(size) {
                assert!(start < end && end <= size && start % SECTOR == 0, "{size}: {start}");
            }
        }
    }
}
