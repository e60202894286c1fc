//! The journal of a target: a file that knows which generation each unit of it has.
//!
//! Behind two copies of the header, of 4 KiB each, stand
//!
//! 1. the *live map*, two words for each unit, written in memory before a write is issued and after it
//!    has ended. It outlives the process, not the machine: the kernel writes it to disk when it likes;
//! 2. two *lists* of the oldest generation that each unit may have, written by turns: after the target was
//!    told to make everything durable, and then made durable themselves. What they say holds after a
//!    power failure.
//!
//! A closed journal is durable as a whole, and has a sum of its live map.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use kneepoint_core::words::fault::Fault;
use rustix::fs::{FlockOperation, flock};

use super::header::{Header, State, other_version};
use super::mapping::Mapping;

/// Length of a copy of the header.
const HEADER: u64 = 4096;

/// Where the live map begins.
const MAP_START: u64 = 2 * HEADER;

/// Words of the live map for each unit.
pub(super) const UNIT_WORDS: usize = 2;

/// Length of a word in bytes.
const WORD: u64 = 8;

/// Bytes that are written or read at once.
const PIECE: usize = 1 << 20;

/// A journal that this process has locked.
#[derive(Debug)]
pub(super) struct Journal {
    pub(super) path: PathBuf,
    pub(super) file: File,
    pub(super) header: Header,
}

/// What a journal is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To write on.
    Writing,
    /// To look at it.
    Reading,
}

impl Journal {
    /// Makes the journal at `path`, in place of one that is there; nothing else is replaced.
    ///
    /// # Errors
    /// When something else has the name, another process is at work on it, or it cannot be written.
    pub(super) fn create(path: &Path, header: Header) -> Result<Self, Fault> {
        let cannot = |error: io::Error| unwritable(path, &error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file =
            options.custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC).open(path).map_err(cannot)?;
        let meta = file.metadata().map_err(cannot)?;
        let is_journal = || newest(&file).is_some() || is_of_another_version(&file);
        if !meta.is_file() || meta.nlink() > 1 || (meta.len() > 0 && !is_journal()) {
            return Err(Fault::new(format!("{} is in the way", path.display()))
                .because("the journal of the verification goes there, and this is none")
                .fix("move it away, or name the target otherwise"));
        }
        lock(path, &file, Purpose::Writing)?;
        let journal = Self { path: path.to_owned(), file, header };
        journal.blank().map_err(cannot)?;
        Ok(journal)
    }

    /// Writes all of it, so that nothing can lack room later. The header comes first: it says whose the
    /// file is.
    fn blank(&self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.write_header()?;
        let zeros = vec![0; PIECE];
        let mut at = HEADER;
        while at < self.length() {
            let count = (self.length() - at).min(PIECE as u64);
            self.file.write_all_at(&zeros[..count as usize], at)?;
            at += count;
        }
        self.file.sync_all()
    }

    /// Opens the journal at `path`; nothing if there is none.
    ///
    /// # Errors
    /// When it is damaged, another process is at work on it, or it cannot be read.
    pub(super) fn open(path: &Path, purpose: Purpose) -> Result<Option<Self>, Fault> {
        let mut options = OpenOptions::new();
        options.read(true).write(purpose == Purpose::Writing);
        let flags = libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NONBLOCK;
        let file = match options.custom_flags(flags).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(path).because(error)),
        };
        lock(path, &file, purpose)?;
        let damaged = || unreadable(path).because("it is damaged, or no journal").fix(AGAIN);
        let header = newest(&file).ok_or_else(|| match is_of_another_version(&file) {
            true => unreadable(path).because("another version of Kneepoint wrote it").fix(AGAIN),
            false => damaged(),
        })?;
        let journal = Self { path: path.to_owned(), file, header };
        let length =
            journal.file.metadata().map_err(|error| unreadable(path).because(error))?.len();
        match length == journal.length() {
            true => Ok(Some(journal)),
            false => Err(damaged()),
        }
    }

    /// Maps the live map.
    pub(super) fn map(&self) -> Result<Mapping, Fault> {
        let words = self.header.units() * UNIT_WORDS;
        let mapped = Mapping::new(&self.file, MAP_START, words);
        mapped.map_err(|error| unreadable(&self.path).because(error))
    }

    /// The words of the live map as they stand in the file.
    ///
    /// # Errors
    /// When they cannot be read, or the journal was closed with others.
    pub(super) fn live(&self) -> Result<Vec<u64>, Fault> {
        let words = self.words(MAP_START, self.header.units() * UNIT_WORDS)?;
        self.check_map(words.iter().copied())?;
        Ok(words)
    }

    /// Refuses words of the live map that are not those with which the journal was closed, if it was.
    pub(super) fn check_map(&self, words: impl Iterator<Item = u64>) -> Result<(), Fault> {
        match self.header.state == State::Closed && sum(words) != self.header.map_sum {
            true => {
                Err(unreadable(&self.path).because("its map of generations is damaged").fix(AGAIN))
            }
            false => Ok(()),
        }
    }

    /// The last whole list.
    pub(super) fn list(&self) -> Result<Vec<u64>, Fault> {
        let list = self.words(self.list_start(self.header.list), self.header.units())?;
        match sum(list.iter().copied()) == self.header.list_sum {
            true => Ok(list),
            false => {
                Err(unreadable(&self.path).because("its list of generations is damaged").fix(AGAIN))
            }
        }
    }

    fn words(&self, start: u64, count: usize) -> Result<Vec<u64>, Fault> {
        let mut words = Vec::with_capacity(count);
        let mut piece = vec![0; PIECE];
        while words.len() < count {
            let bytes = ((count - words.len()) * WORD as usize).min(PIECE);
            let at = start + words.len() as u64 * WORD;
            let read = self.file.read_exact_at(&mut piece[..bytes], at);
            read.map_err(|error| unreadable(&self.path).because(error))?;
            words.extend(piece[..bytes].chunks_exact(WORD as usize).map(|bytes| {
                u64::from_le_bytes([
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                ])
            }));
        }
        Ok(words)
    }

    /// Writes `list` beside the last one, and makes it the last.
    pub(super) fn write_list(&mut self, list: &[u64]) -> Result<(), Fault> {
        let number = 1 - self.header.list;
        let written = self.write_words(self.list_start(number), list);
        written
            .and_then(|()| self.file.sync_all())
            .map_err(|error| unwritable(&self.path, &error))?;
        (self.header.list, self.header.list_sum) = (number, sum(list.iter().copied()));
        self.renew()
    }

    fn write_words(&self, start: u64, words: &[u64]) -> io::Result<()> {
        let each = PIECE / WORD as usize;
        let mut bytes = Vec::with_capacity(PIECE);
        for (number, piece) in words.chunks(each).enumerate() {
            bytes.clear();
            bytes.extend(piece.iter().flat_map(|word| word.to_le_bytes()));
            self.file.write_all_at(&bytes, start + (number * PIECE) as u64)?;
        }
        Ok(())
    }

    /// Writes the header, and makes it durable with everything before.
    pub(super) fn renew(&mut self) -> Result<(), Fault> {
        self.header.sequence += 1;
        self.write_header().map_err(|error| unwritable(&self.path, &error))
    }

    fn write_header(&self) -> io::Result<()> {
        self.file.sync_all()?;
        let mut block = self.header.to_text().into_bytes();
        block.resize(HEADER as usize, 0);
        self.file.write_all_at(&block, self.header.sequence % 2 * HEADER)?;
        self.file.sync_all()
    }

    fn list_start(&self, number: u32) -> u64 {
        let units = self.header.units() as u64;
        let list = (units * WORD).next_multiple_of(HEADER);
        let map = (units * UNIT_WORDS as u64 * WORD).next_multiple_of(HEADER);
        MAP_START + map + u64::from(number) * list
    }

    fn length(&self) -> u64 {
        self.list_start(2)
    }

    /// Refuses a journal that says nothing of what its target has.
    pub(super) fn check_holds(&self) -> Result<(), Fault> {
        match self.header.state {
            State::Open | State::Closed => Ok(()),
            State::Void => Err(Fault::new("the journal does not hold any more")
                .because("a run without --verify has written to the target since")
                .fix("begin a run with --verify again")),
            State::LayingOut => Err(Fault::new("the target was never laid out to its end")
                .because("the run that was to verify it ended before its first point")
                .fix("begin a run with --verify again")),
        }
    }
}

/// Lets the journal at `path` say that it holds no more, if there is one: its target is about to be written
/// without it.
pub(crate) fn make_void(path: &Path) {
    // What is no journal, or cannot be written, is left alone: it would be told of the data then.
    if let Ok(Some(mut journal)) = Journal::open(path, Purpose::Writing) {
        journal.header.state = State::Void;
        let _ = journal.renew();
    }
}

/// What to do about a journal that is of no use.
const AGAIN: &str = "begin a run with --verify: it lays the target out again and makes its journal";

fn unreadable(path: &Path) -> Fault {
    Fault::new(format!("the verification journal {} cannot be read", path.display()))
}

fn unwritable(path: &Path, error: &io::Error) -> Fault {
    Fault::new(format!("the verification journal {} cannot be written", path.display()))
        .because(error)
        .fix("see that there is room beside the target, and that you may write there")
}

/// The newer of the whole copies of the header.
fn newest(file: &File) -> Option<Header> {
    let copies = copies(file).filter_map(|block| Header::from_bytes(&block));
    copies.max_by_key(|header| header.sequence)
}

/// Whether a copy of the header is one that another version wrote.
fn is_of_another_version(file: &File) -> bool {
    copies(file).any(|block| other_version(&block).is_some())
}

/// The places of the two copies of the header, as far as they are there.
fn copies(file: &File) -> impl Iterator<Item = Vec<u8>> + '_ {
    [0, HEADER].into_iter().filter_map(|at| {
        let mut block = vec![0; HEADER as usize];
        file.read_exact_at(&mut block, at).ok().map(|()| block)
    })
}

/// Keeps others away: from writing while one writes or looks.
fn lock(path: &Path, file: &File, purpose: Purpose) -> Result<(), Fault> {
    let operation = match purpose {
        Purpose::Writing => FlockOperation::NonBlockingLockExclusive,
        Purpose::Reading => FlockOperation::NonBlockingLockShared,
    };
    flock(file, operation).map_err(|error| match error {
        rustix::io::Errno::WOULDBLOCK => {
            Fault::new(format!("the verification journal {} is in use", path.display()))
                .because("a run writes to its target, or its data is being verified")
                .fix("wait until that has ended")
        }
        error => unreadable(path).because(io::Error::from(error)),
    })
}

/// CRC-32C of words.
pub(super) fn sum(words: impl Iterator<Item = u64>) -> u32 {
    words.fold(0, |sum, word| crc32c::crc32c_append(sum, &word.to_le_bytes()))
}

/// The boot of this machine; nothing that fits another one if it is not known.
pub(super) fn boot() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

/// The words of a unit.
pub(super) fn unit_of(words: &[AtomicU64], unit: usize) -> (&AtomicU64, &AtomicU64) {
    (&words[UNIT_WORDS * unit], &words[UNIT_WORDS * unit + 1])
}
