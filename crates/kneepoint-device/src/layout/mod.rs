//! Test files: really written, marked as ours, verified.
//!
//! A test file of 8 GiB is 8 GiB of data that cannot be compressed, followed by one block of
//! 4 KiB, the [`Mark`], which says that Kneepoint made the file and whether it is complete. The
//! mark stands at the end so that offset 0 of the file is offset 0 of the data for every tool.

mod extents;

pub(crate) use extents::shares_blocks;
pub use extents::{Extents, extents};

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{io, thread};

use kneepoint_core::plan::MemoryPages;
use kneepoint_core::spec::profile::DataPattern;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::{Bytes, Percent};
use rustix::fs::{AtFlags, StatxFlags};

use crate::buffer::{Arena, Texture};
use crate::verification::{Identity, stamp};

/// The work on a file before it can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutWork {
    /// The file is there, complete and large enough.
    Reuse,
    /// The file must be created, or written again.
    Write(Bytes),
    /// The file is ours and complete but smaller: bytes from the first number to the second are
    /// written.
    Extend(Bytes, Bytes),
    /// This number of bytes of what is there is written over, so that it can be verified.
    WriteOver(Bytes),
}

impl LayoutWork {
    /// The work that a file with `mark` needs to serve `size` bytes.
    pub fn for_size(mark: Option<Mark>, size: Bytes) -> Self {
        match mark {
            Some(mark) if mark.complete && mark.size >= size => Self::Reuse,
            Some(mark) if mark.complete => Self::Extend(mark.size, size),
            _ => Self::Write(size),
        }
    }

    /// The work if all of `size` bytes are to be such that they can be verified.
    #[must_use]
    pub fn verified(self, size: Bytes) -> Self {
        match self {
            Self::Reuse | Self::WriteOver(_) => Self::WriteOver(size),
            Self::Write(_) | Self::Extend(..) => Self::Write(size),
        }
    }

    /// Bytes that will be written, the mark left out.
    pub fn bytes(self) -> Bytes {
        match self {
            Self::Reuse => Bytes(0),
            Self::Write(size) | Self::WriteOver(size) => size,
            Self::Extend(from, to) => Bytes(to.0 - from.0),
        }
    }

    /// First byte that will be written.
    pub fn start(self) -> Bytes {
        match self {
            Self::Reuse | Self::Write(_) | Self::WriteOver(_) => Bytes(0),
            Self::Extend(from, _) => from,
        }
    }
}

/// Length of the mark in bytes: enough for direct I/O everywhere.
pub const MARK_BYTES: u64 = 4096;

/// First line of every mark.
const MAGIC: &str = "KNEEPOINT TEST FILE 2";

/// First line of the marks of earlier versions, which did not say which file they belong to.
const EARLIER_MAGIC: &str = "KNEEPOINT TEST FILE 1\n";

/// The mark of a test file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Bytes of data before the mark.
    pub size: Bytes,
    /// True if all of them were written.
    pub complete: bool,
}

/// The origin of a file by its last bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOrigin {
    /// There is no mark.
    Unmarked,
    /// A mark of an earlier version, which does not say which file it belongs to.
    Earlier,
    /// A mark that was written for another file: this one is a copy, or the mark was put here.
    Copied,
    /// The mark of this very file, and its number, which no other mark has.
    Own(Mark, u128),
}

/// Properties that no two files share: a copy of a mark fits only the file that it was written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Birth {
    /// `st_dev`; another one after a restart of the machine, perhaps.
    device: u64,
    /// `st_ino`.
    inode: u64,
    /// When the file was made, in nanoseconds since 1970; absent where the file system does not
    /// say.
    born_ns: Option<i128>,
}

impl Birth {
    fn of(file: &File) -> io::Result<Self> {
        let meta = file.metadata()?;
        let asked = StatxFlags::BTIME;
        let stat = rustix::fs::statx(file, "", AtFlags::EMPTY_PATH, asked)?;
        let time =
            i128::from(stat.stx_btime.tv_sec) * 1_000_000_000 + i128::from(stat.stx_btime.tv_nsec);
        let is_known = stat.stx_mask & asked.bits() != 0;
        Ok(Self { device: meta.dev(), inode: meta.ino(), born_ns: is_known.then_some(time) })
    }

    /// True if both are of one file. The time says it better than the number of the device, which
    /// can change as soon as the file system is mounted again.
    fn is_of_same_file(self, other: Self) -> bool {
        let is_same = match (self.born_ns, other.born_ns) {
            (Some(first), Some(second)) => first == second,
            _ => self.device == other.device,
        };
        is_same && self.inode == other.inode
    }
}

/// All that a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Inscription {
    mark: Mark,
    id: u128,
    birth: Birth,
}

impl Inscription {
    /// The text: readable with `tail -c 4096`.
    fn to_text(self) -> String {
        let Self { mark, id, birth } = self;
        let state = if mark.complete { "complete" } else { "filling" };
        let born = birth.born_ns.map_or_else(|| "unknown".to_owned(), |time| time.to_string());
        let body = format!(
            "{MAGIC}\nsize={}\nstate={state}\nid={id:032x}\ndevice={}\ninode={}\nborn={born}\n",
            mark.size.0, birth.device, birth.inode
        );
        format!("{body}check={:016x}\n", seed::derive(0, &body, mark.size.0))
    }

    /// Reads the last bytes of a file; `None` for anything that is not exactly one.
    fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) {
            return None;
        }
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix('=');
        let size = field("size")?.parse().ok()?;
        let complete = field("state")? == "complete";
        let id = u128::from_str_radix(field("id")?, 16).ok()?;
        let device = field("device")?.parse().ok()?;
        let inode = field("inode")?.parse().ok()?;
        let born_ns = field("born")?.parse().ok();
        let birth = Birth { device, inode, born_ns };
        let found = Self { mark: Mark { size: Bytes(size), complete }, id, birth };
        (found.to_text() == text).then_some(found)
    }
}

/// Reads the mark of `file`; `None` where it has none, one of an earlier version, or one that was
/// written for another length or another file.
///
/// # Errors
/// When the file cannot be read.
pub fn read_mark(file: &File) -> io::Result<Option<Mark>> {
    Ok(match origin(file)? {
        FileOrigin::Own(mark, _) => Some(mark),
        FileOrigin::Unmarked | FileOrigin::Earlier | FileOrigin::Copied => None,
    })
}

/// The origin of `file` by its last bytes.
pub(crate) fn origin(file: &File) -> io::Result<FileOrigin> {
    let length = file.metadata()?.len();
    let Some(start) = length.checked_sub(MARK_BYTES) else { return Ok(FileOrigin::Unmarked) };
    // The file may be open for direct I/O, which wants an aligned buffer of whole blocks; then an
    // odd length is none of ours.
    let mut block = AlignedBlock::zeroed();
    if start.is_multiple_of(512) {
        file.read_exact_at(&mut block.0, start)?;
    }
    let text = block.0.split(|byte| *byte == 0).next().unwrap_or_default();
    let Ok(text) = std::str::from_utf8(text) else { return Ok(FileOrigin::Unmarked) };
    if text.starts_with(EARLIER_MAGIC) {
        return Ok(FileOrigin::Earlier);
    }
    let found = Inscription::from_text(text).filter(|found| found.mark.size.0 == start);
    Ok(match found {
        None => FileOrigin::Unmarked,
        Some(found) if found.birth.is_of_same_file(Birth::of(file)?) => {
            FileOrigin::Own(found.mark, found.id)
        }
        Some(_) => FileOrigin::Copied,
    })
}

/// Writes the mark behind the data and makes it durable. It fits this file alone.
///
/// # Errors
/// When the file cannot be written.
pub fn write_mark(file: &File, mark: Mark) -> io::Result<()> {
    let text = Inscription { mark, id: random_id(), birth: Birth::of(file)? }.to_text();
    let mut block = AlignedBlock::zeroed();
    block.0[..text.len()].copy_from_slice(text.as_bytes());
    file.write_all_at(&block.0, mark.size.0)?;
    file.sync_all()
}

/// A number that no other mark has: the keys of the standard library's hash maps are random.
pub(crate) fn random_id() -> u128 {
    let half = || u128::from(RandomState::new().build_hasher().finish());
    half() << 64 | half()
}

/// One block on a boundary that direct I/O takes.
#[repr(align(4096))]
struct AlignedBlock([u8; MARK_BYTES as usize]);

impl AlignedBlock {
    fn zeroed() -> Box<Self> {
        Box::new(Self([0; MARK_BYTES as usize]))
    }
}

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

    /// True if the fill was told to end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// What a fill writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ink {
    /// Data that cannot be compressed.
    Plain,
    /// The same as generation 0 of what is verified.
    Verified(Identity),
}

/// Writes the bytes from `start` to `end` of `file`, which may be open for direct I/O.
///
/// Both must be multiples of 4 KiB. Returns early, without an error, where `progress` says stop.
/// The calling thread writes, and others as far as they can be started.
///
/// # Errors
/// The first error of any write; what was written until then stays.
pub fn fill(file: &File, start: Bytes, end: Bytes, progress: &FillProgress) -> io::Result<()> {
    fill_with(Ink::Plain, file, (start, end), progress)
}

/// As [`fill`], with `ink`.
pub(crate) fn fill_with(
    ink: Ink,
    file: &File,
    (start, end): (Bytes, Bytes),
    progress: &FillProgress,
) -> io::Result<()> {
    preallocate(file, start, end)?;
    let next = AtomicU64::new(start.0);
    thread::scope(|scope| {
        let write = || write_chunks(ink, file, (&next, end.0), progress);
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
    ink: Ink,
    file: &File,
    (next, end): (&AtomicU64, u64),
    progress: &FillProgress,
) -> io::Result<()> {
    let pattern = DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO };
    let texture = Texture::new(pattern);
    let mut buffer = Arena::new(CHUNK as usize, MemoryPages::Small)?;
    loop {
        let offset = next.fetch_add(CHUNK, Ordering::Relaxed);
        if offset >= end || progress.is_stopped() {
            return Ok(());
        }
        let chunk = buffer.slice_mut(0, CHUNK.min(end - offset) as usize);
        let tag = seed::derive(0, "fill", offset);
        texture.fill(chunk, &mut seed::rng(tag));
        match ink {
            Ink::Plain => texture.stamp(chunk, tag, 0),
            Ink::Verified(identity) => stamp(chunk, identity, (offset, 0)),
        }
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

    #[test]
    fn a_complete_file_is_reused_or_extended_and_any_other_written() {
        let mark = |size, complete| Some(Mark { size: Bytes(size), complete });
        let check = |mark, work| assert_eq!(LayoutWork::for_size(mark, Bytes(100)), work);
        check(None, LayoutWork::Write(Bytes(100)));
        check(mark(100, false), LayoutWork::Write(Bytes(100)));
        check(mark(100, true), LayoutWork::Reuse);
        check(mark(200, true), LayoutWork::Reuse);
        check(mark(60, true), LayoutWork::Extend(Bytes(60), Bytes(100)));
        assert_eq!(LayoutWork::Extend(Bytes(60), Bytes(100)).bytes(), Bytes(40));
    }
}

#[cfg(test)]
mod mark_tests {
    use super::*;

    const MARK: Mark = Mark { size: Bytes(8192), complete: true };

    /// A file with eight kibibytes of data and its mark.
    fn marked() -> File {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(&[1; 8192], 0).unwrap();
        write_mark(&file, MARK).unwrap();
        file
    }

    fn last_block(file: &File) -> Vec<u8> {
        let mut block = vec![0; MARK_BYTES as usize];
        file.read_exact_at(&mut block, 8192).unwrap();
        block
    }

    #[test]
    fn a_mark_is_read_back_and_only_where_it_belongs() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(read_mark(&file).unwrap(), None);
        let file = marked();
        assert_eq!(read_mark(&file).unwrap(), Some(MARK));
        file.set_len(8192 + MARK_BYTES + 1).unwrap();
        assert_eq!(read_mark(&file).unwrap(), None);
    }

    #[test]
    fn a_mark_fits_no_other_file() {
        let (file, other) = (marked(), marked());
        let (first, second) = (origin(&file).unwrap(), origin(&other).unwrap());
        assert_ne!(first, second, "each mark has its own number");
        other.write_all_at(&last_block(&file), 8192).unwrap();
        assert_eq!(origin(&other).unwrap(), FileOrigin::Copied);
        assert_eq!(read_mark(&other).unwrap(), None);
    }

    #[test]
    fn a_mark_of_an_earlier_version_is_known_but_does_not_count() {
        let file = marked();
        let body = format!("{EARLIER_MAGIC}size=8192\nstate=complete\n");
        let text = format!("{body}check={:016x}\n", seed::derive(0, &body, 8192));
        let mut block = vec![0; MARK_BYTES as usize];
        block[..text.len()].copy_from_slice(text.as_bytes());
        file.write_all_at(&block, 8192).unwrap();
        assert_eq!(origin(&file).unwrap(), FileOrigin::Earlier);
        assert_eq!(read_mark(&file).unwrap(), None);
    }

    #[test]
    fn the_device_number_counts_only_where_no_time_is_known() {
        let birth = |device, born_ns| Birth { device, inode: 7, born_ns };
        assert!(birth(1, Some(5)).is_of_same_file(birth(2, Some(5))));
        assert!(!birth(1, Some(5)).is_of_same_file(birth(1, Some(6))));
        assert!(!birth(1, None).is_of_same_file(birth(2, Some(5))));
        assert!(birth(1, None).is_of_same_file(birth(1, None)));
        assert!(!Birth { inode: 8, ..birth(1, None) }.is_of_same_file(birth(1, None)));
    }

    #[test]
    fn a_changed_mark_is_no_mark() {
        let birth = Birth { device: 1, inode: 2, born_ns: Some(3) };
        let mark = Mark { size: Bytes(8192), complete: false };
        let text = Inscription { mark, id: 4, birth }.to_text();
        assert!(Inscription::from_text(&text).is_some());
        assert_eq!(Inscription::from_text(&text.replace("8192", "8193")), None);
        assert_eq!(Inscription::from_text(&text.replace("filling", "complete")), None);
        assert_eq!(Inscription::from_text(&text.replace("inode=2", "inode=9")), None);
        assert_eq!(Inscription::from_text(&format!("{text}x")), None);
        assert_eq!(Inscription::from_text(""), None);
    }
}

#[cfg(test)]
mod fill_tests {
    use super::*;
    use super::{Extents, extents};
    use crate::buffer::is_own;

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
