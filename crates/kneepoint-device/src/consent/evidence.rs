//! Evidence for and against writing a target, read from one open descriptor: looked at when the
//! target is judged, and again on the descriptor that will write. Nothing is written.
//!
//! Unknown content is content: an encrypted disk looks random. Only zeros, and what Kneepoint wrote
//! itself, can be lost without harm.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use kneepoint_core::words::seed;
use rustix::fs::{Advice, OFlags};

use super::signature;
use super::signature::{Image, Signature};
use crate::buffer::{is_blank, is_own};
use crate::facts::{BlockDevice, DeviceNumber, FileId, disk_sequence};
use crate::layout::{FileOrigin, Mark, origin};

/// The findings on a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Whose the file is by its mark; absent for a device.
    pub(super) origin: Option<FileOrigin>,
    /// Everything recognised in it.
    pub(super) signatures: Vec<Signature>,
    /// The content of its samples.
    pub(super) content: Content,
}

impl Evidence {
    /// Looks at a device of that size.
    pub(super) fn of_device(file: &File, size_bytes: u64) -> io::Result<Self> {
        let signatures = signatures(file, size_bytes)?;
        Ok(Self { origin: None, signatures, content: Content::of(file, size_bytes)? })
    }

    /// Looks at a file.
    pub(super) fn of_file(file: &File) -> io::Result<Self> {
        let origin = origin(file)?;
        let size_bytes = match origin {
            FileOrigin::Own(mark, _) => mark.size.0,
            _ => file.metadata()?.len(),
        };
        let signatures = signatures(file, size_bytes)?;
        Ok(Self { origin: Some(origin), signatures, content: Content::of(file, size_bytes)? })
    }

    /// The mark of a file that Kneepoint made and that nothing else wrote to.
    pub(super) fn own_mark(&self) -> Option<Mark> {
        match self.origin {
            Some(FileOrigin::Own(mark, _)) if self.is_without_content() => Some(mark),
            _ => None,
        }
    }

    /// True if nothing that it shows needs the user's word.
    fn is_free(&self) -> bool {
        match self.origin {
            Some(_) => self.own_mark().is_some(),
            None => self.is_without_content(),
        }
    }

    fn is_without_content(&self) -> bool {
        self.signatures.is_empty() && self.content.is_free()
    }

    /// The content of a file beside its mark, as the object of a sentence.
    pub(super) fn strange_content(&self) -> Option<&'static str> {
        match self.signatures.first() {
            Some(signature) => Some(signature.format.name()),
            None if !self.content.is_free() => Some("data that Kneepoint did not write"),
            None => None,
        }
    }

    /// The difference since `judged`, as the end of a sentence; nothing where the judgement
    /// still stands.
    pub(super) fn difference(&self, judged: Option<&Self>) -> Option<&'static str> {
        let Some(judged) = judged else {
            let is_ours = self.is_without_content();
            return (!is_ours).then_some("something else wrote to it since it was made");
        };
        if self.is_free() {
            None
        } else if self.origin != judged.origin {
            Some("its mark is not the one that it had when it was judged")
        } else if self.signatures != judged.signatures {
            Some("what can be recognised on it is not what it was when it was judged")
        } else if self.content != judged.content {
            Some("its content is not what it was when it was judged")
        } else {
            None
        }
    }
}

/// The signatures, without magics of two bytes that are by chance in data that Kneepoint wrote.
fn signatures(file: &File, size_bytes: u64) -> io::Result<Vec<Signature>> {
    let mut kept = Vec::new();
    for signature in signature::probe(&Image::new(file, size_bytes))? {
        let may_be_chance = signature.format.has_short_magic();
        if !may_be_chance || !is_own_sector(file, signature.offset_bytes)? {
            kept.push(signature);
        }
    }
    Ok(kept)
}

/// The result of probing.
#[derive(Debug)]
pub(super) struct Probe {
    /// True if someone has the device exclusively: a mount, swap, an array, a pool, whether or not
    /// sysfs shows it.
    pub(super) is_taken: bool,
    /// Its content, or why that could not be found out.
    pub(super) evidence: Result<Evidence, String>,
    /// Which medium is in it; absent where the kernel does not number them.
    pub(super) sequence: Option<u64>,
}

/// For how long a device that is busy for no known reason is asked for again, and how often: the
/// kernel lets go of what a process held a moment after its end.
const BUSY_PATIENCE: Duration = Duration::from_secs(1);
const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// Opens the node of a device for reading and looks at what is on it. Where the device is busy and
/// `is_explained` knows no reason, it is asked for again for up to a second.
pub(super) fn probe_device(
    path: &Path,
    device: &BlockDevice,
    is_explained: impl FnOnce() -> bool,
) -> Probe {
    let (is_taken, file) = match open_exclusively(path, is_explained) {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            (true, open_reading(path, OFlags::empty()))
        }
        file => (false, file),
    };
    let sequence = file.as_ref().ok().and_then(disk_sequence);
    let evidence = file.and_then(|file| {
        check_node(&file, device.number)?;
        Evidence::of_device(&file, device.size_bytes)
    });
    Probe { is_taken, evidence: evidence.map_err(|error| error.to_string()), sequence }
}

fn open_exclusively(path: &Path, is_explained: impl FnOnce() -> bool) -> io::Result<File> {
    let is_busy = |opened: &io::Result<File>| {
        opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
    };
    let mut opened = open_reading(path, OFlags::EXCL);
    if !is_busy(&opened) || is_explained() {
        return opened;
    }
    let end = Instant::now() + BUSY_PATIENCE;
    while is_busy(&opened) && Instant::now() < end {
        std::thread::sleep(BUSY_PAUSE);
        opened = open_reading(path, OFlags::EXCL);
    }
    opened
}

/// Opens a file for reading and looks at it, if it is the one that is meant.
pub(super) fn probe_file(path: &Path, id: FileId) -> io::Result<Evidence> {
    let file = open_reading(path, OFlags::NOCTTY)?;
    let meta = file.metadata()?;
    if !meta.is_file() || FileId::of(&meta) != id {
        return Err(io::Error::other("something took its place"));
    }
    Evidence::of_file(&file)
}

/// Opens without ever waiting, also where a pipe took the place of a file.
fn open_reading(path: &Path, extra: OFlags) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | extra;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    File::options().read(true).custom_flags(flags).open(path)
}

fn check_node(file: &File, number: DeviceNumber) -> io::Result<()> {
    let meta = file.metadata()?;
    let is_judged =
        meta.file_type().is_block_device() && DeviceNumber::from_raw(meta.rdev()) == number;
    is_judged.then_some(()).ok_or_else(|| io::Error::other("another device took its place"))
}

/// Bytes that are looked at from end to end at the start and at the end.
const EDGE: u64 = 1 << 20;

/// Samples spread over the whole target, and the bytes of each.
const SAMPLES: u64 = 64;
const SAMPLE: u64 = 4096;

/// Bytes before a stretch that say how it starts.
const LEAD: u64 = 2048;

/// The unit of writing.
const SECTOR: u64 = 512;

/// The content of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Zeros alone.
    Blank,
    /// Nothing but zeros and what Kneepoint wrote.
    Own,
    /// Something else; a short number of it, to be typed where a device has no other identity.
    Foreign(u32),
}

impl Content {
    /// Looks at the first `size_bytes` of an open file or device: the first and the last MiB and 64
    /// samples between. The choice is the same every time.
    pub(super) fn of(file: &File, size_bytes: u64) -> io::Result<Self> {
        // Advice is never needed.
        let _ = rustix::fs::fadvise(file, 0, None, Advice::Random);
        let (mut blank, mut own, mut hash) = (true, true, 0);
        for (start, end) in stretches(size_bytes) {
            let lead = start.min(LEAD);
            let bytes = read_part(file, (start - lead, end))?;
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
            (false, false) => Self::Foreign((hash >> 32) as u32),
        })
    }

    /// True if it can be lost without harm.
    pub(super) const fn is_free(self) -> bool {
        matches!(self, Self::Blank | Self::Own)
    }
}

/// Returns true if Kneepoint wrote the sector at an offset: a magic that is in it is chance.
fn is_own_sector(file: &File, offset: u64) -> io::Result<bool> {
    let start = offset / SECTOR * SECTOR;
    let lead = start.min(LEAD);
    let bytes = read_part(file, (start - lead, start + SECTOR))?;
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

fn read_part(file: &File, (start, end): (u64, u64)) -> io::Result<Vec<u8>> {
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
    use crate::layout::FillProgress;
    use crate::layout::fill;
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
