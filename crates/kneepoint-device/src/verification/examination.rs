//! The look at a whole target: whether it holds what its journal says.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::path::Path;

use kneepoint_core::plan::{Caching, MemoryPages};
use kneepoint_core::result::warning::DataFault;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::header::State;
use super::journal::{Journal, Purpose, UNIT_WORDS};
use super::ledger::{UnitState, is_live};
use super::sector::{Expected, Identity, SECTOR, Stamp, WrongSector, look, tell_torn};
use super::{joined, journal_path};
use crate::buffer::Arena;
use crate::consent::{Mode, open};

/// Bytes that are read at once.
const PIECE: u64 = 1 << 20;

/// Bytes that are read at once beside a place that cannot be read: a multiple of what any target asks for.
const LEAST: u64 = 4096;

/// Wrong sectors that are told one by one.
const TOLD_MAX: usize = 1 << 18;

/// The judgement that the data is held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// What the run knew last, unless the machine was started again since: then what it had made durable.
    AsLeft,
    /// What the run had made durable: the device lost its power while the run wrote.
    AfterPowerLoss,
}

/// What was found on a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examination {
    /// Bytes that were looked at.
    pub bytes: Bytes,
    /// Places that could not be read, in order.
    pub unreadable: Vec<UnreadablePlace>,
    /// Bytes that may be old or new: writes were in flight at the end, met, or failed; after a power loss,
    /// they may have been.
    pub in_doubt: Bytes,
    /// What is wrong, by its place.
    pub places: Vec<Place>,
    /// Sectors that are wrong beyond those.
    pub more: u64,
}

impl Examination {
    /// Whether anything is not as it should be. What is in doubt is not.
    pub fn has_failed(&self) -> bool {
        !self.places.is_empty() || !self.unreadable.is_empty()
    }
}

/// Adjoining data that cannot be read for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadablePlace {
    /// The first byte.
    pub offset: Bytes,
    /// How many bytes.
    pub bytes: Bytes,
    /// Why.
    pub why: String,
}

impl fmt::Display for UnreadablePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, bytes, why } = self;
        write!(f, "unreadable at byte {} ({} bytes): {why}", offset.0, bytes.0)
    }
}

/// Adjoining data that is wrong in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// What is wrong.
    pub fault: DataFault,
    /// The first byte.
    pub offset: Bytes,
    /// How many bytes.
    pub bytes: Bytes,
    /// Why that is known.
    pub why: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, offset, bytes, why } = self;
        write!(f, "{} at byte {} ({} bytes): {why}", fault.name(), offset.0, bytes.0)
    }
}

/// How a target is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Manner<'a> {
    /// Where the journals of devices are.
    pub folder: &'a Path,
    /// What the data is held to.
    pub basis: Basis,
    /// Past the page cache or through it.
    pub caching: Caching,
}

/// Reads all of the file or device that the user calls `name`, as far as it is verified.
///
/// `moved` is told after each piece how much was looked at.
///
/// # Errors
/// When there is no journal, it cannot be read, the target cannot be opened, or a run is writing.
pub fn examine(
    name: &str,
    manner: Manner<'_>,
    moved: &mut dyn FnMut(Bytes),
) -> Result<Examination, Fault> {
    let file = open(Path::new(name), Mode::ReadOnly, manner.caching)?.file;
    let cannot = |error: io::Error| unreadable(name, &error);
    let is_device = file.metadata().map_err(cannot)?.file_type().is_block_device();
    let path = std::fs::canonicalize(name).map_err(cannot)?;
    let journal = journal_path(&path, is_device, manner.folder);
    examine_open((name, &file), (&journal, manner.basis), moved)
}

/// Reads all of an open target, `name` to the user, that is verified by the journal at `journal`.
pub(super) fn examine_open(
    (name, target): (&str, &File),
    (journal, basis): (&Path, Basis),
    moved: &mut dyn FnMut(Bytes),
) -> Result<Examination, Fault> {
    let Some(journal) = Journal::open(journal, Purpose::Reading)? else {
        return Err(Fault::new(format!("there is nothing to verify {name} by"))
            .because(format!("its journal {} is not there", journal.display()))
            .fix("measure it with `kneepoint run --verify` first; the journal of a device is beside the \
                  store (--store)"));
    };
    journal.check_holds()?;
    Account::of(&journal, basis)?.examine((name, target), moved)
}

fn unreadable(name: &str, error: &io::Error) -> Fault {
    Fault::new(format!("{name} cannot be read"))
        .because(error)
        .fix("look at the kernel's messages (dmesg)")
}

/// Bytes of a file or device.
fn end_of(mut target: &File) -> io::Result<u64> {
    target.seek(SeekFrom::End(0))
}

/// What was seen so far.
#[derive(Default)]
struct SeenSectors {
    wrong: Vec<WrongSector>,
    /// Wrong sectors beyond those.
    more: u64,
    unreadable: Vec<UnreadablePlace>,
}

impl SeenSectors {
    /// Notes that some bytes from a place on cannot be read.
    fn note_unreadable(&mut self, (at, bytes): (u64, u64), why: String) {
        match self.unreadable.last_mut() {
            Some(last) if last.offset.0 + last.bytes.0 == at && last.why == why => {
                last.bytes.0 += bytes;
            }
            _ => self.unreadable.push(UnreadablePlace {
                offset: Bytes(at),
                bytes: Bytes(bytes),
                why,
            }),
        }
    }
}

/// What a journal says.
pub(super) struct Account {
    pub(super) identity: Identity,
    pub(super) size_bytes: u64,
    pub(super) unit_bytes: u64,
    pub(super) known: Known,
}

/// What is known of the generations.
pub(super) enum Known {
    /// The words of the live map.
    Live(Vec<u64>),
    /// The oldest of each unit, and a generation that none has reached.
    Oldest(Vec<u64>, u64),
}

impl Account {
    fn of(journal: &Journal, basis: Basis) -> Result<Self, Fault> {
        let header = &journal.header;
        let power_lost = basis == Basis::AfterPowerLoss && header.state != State::Closed;
        let known = match is_live(header) && !power_lost {
            true => Known::Live(journal.live()?),
            false => Known::Oldest(journal.list()?, header.reserved),
        };
        let (size_bytes, unit_bytes) = (header.size_bytes, header.unit_bytes);
        Ok(Self { identity: header.identity, size_bytes, unit_bytes, known })
    }

    /// Reads all of an open target, `name` to the user.
    pub(super) fn examine(
        &self,
        (name, target): (&str, &File),
        moved: &mut dyn FnMut(Bytes),
    ) -> Result<Examination, Fault> {
        let mut buffer = Arena::new(PIECE as usize, MemoryPages::Small)
            .map_err(|error| unreadable(name, &error))?;
        let target_end = end_of(target).map_err(|error| unreadable(name, &error))?;
        let end = match target_end < self.size_bytes {
            true => target_end / LEAST * LEAST,
            false => self.size_bytes,
        };
        let mut seen = SeenSectors::default();
        let (mut at, mut step) = (0, PIECE);
        while at < end {
            let piece = buffer.slice_mut(0, step.min(end - at) as usize);
            let length = piece.len() as u64;
            match target.read_exact_at(piece, at) {
                Ok(()) => self.look(piece, at, &mut seen),
                Err(_) if length > LEAST => {
                    step = LEAST;
                    continue;
                }
                Err(error) => seen.note_unreadable((at, length), error.to_string()),
            }
            at += length;
            if at.is_multiple_of(PIECE) {
                step = PIECE;
            }
            moved(Bytes(at));
        }
        if end < self.size_bytes {
            let why = format!("the target ends at byte {target_end}");
            seen.note_unreadable((end, self.size_bytes - end), why);
        }
        Ok(self.judged(seen))
    }

    /// Looks at what was read from `at` on.
    fn look(&self, piece: &[u8], at: u64, seen: &mut SeenSectors) {
        for (sector, offset) in piece.chunks_exact(SECTOR).zip((at..).step_by(SECTOR)) {
            let expected = self.expected((offset / self.unit_bytes) as usize);
            let Some(found) = look(sector, self.identity, (offset, expected)) else { continue };
            match seen.wrong.len() < TOLD_MAX {
                true => seen.wrong.push(found),
                false => seen.more += 1,
            }
        }
    }

    fn judged(&self, seen: SeenSectors) -> Examination {
        let unread: u64 = seen.unreadable.iter().map(|place| place.bytes.0).sum();
        let doubt = self.units(&seen.unreadable).filter(|expected| !expected.is_certain());
        let in_doubt = Bytes(doubt.count() as u64 * self.unit_bytes);
        let SeenSectors { wrong, more, unreadable } = seen;
        let places = self.places(wrong, &unreadable);
        let bytes = Bytes(self.size_bytes - unread);
        Examination { bytes, unreadable, in_doubt, places, more }
    }

    fn expected(&self, unit: usize) -> Expected {
        match &self.known {
            Known::Live(words) => {
                UnitState(words[UNIT_WORDS * unit + 1]).expected(words[UNIT_WORDS * unit])
            }
            Known::Oldest(list, end) => Expected { oldest: list[unit], newest: end - 1, before: 0 },
        }
    }

    /// What the units may have that were read.
    fn units<'a>(
        &'a self,
        unreadable: &'a [UnreadablePlace],
    ) -> impl Iterator<Item = Expected> + 'a {
        let count = (self.size_bytes / self.unit_bytes) as usize;
        let mut places = unreadable.iter().peekable();
        (0..count).filter_map(move |unit| {
            let start = unit as u64 * self.unit_bytes;
            while places.next_if(|place| place.offset.0 + place.bytes.0 <= start).is_some() {}
            let is_read =
                places.peek().is_none_or(|place| start + self.unit_bytes <= place.offset.0);
            is_read.then(|| self.expected(unit))
        })
    }

    /// What the wrong sectors are when all are seen together.
    fn places(&self, mut wrong: Vec<WrongSector>, unreadable: &[UnreadablePlace]) -> Vec<Place> {
        let unit_sectors = self.unit_bytes as usize / SECTOR;
        let settled = self.units(unreadable).filter(Expected::is_certain);
        tell_torn(&mut wrong, settled.map(|expected| expected.newest), unit_sectors);
        self.tell_duplicated(&mut wrong, unreadable);
        let places = joined(wrong, |first, next| {
            let shift = |sector: &WrongSector| {
                sector.found.map(|found| found.offset.wrapping_sub(sector.offset))
            };
            let generation = |sector: &WrongSector| sector.found.map(|found| found.generation);
            first.fault == next.fault
                && first.expected == next.expected
                && (shift(first), generation(first)) == (shift(next), generation(next))
        });
        let place = |(sector, bytes): (WrongSector, u64)| Place {
            fault: sector.fault,
            offset: Bytes(sector.offset),
            bytes: Bytes(bytes),
            why: self.why(&sector),
        };
        places.into_iter().map(place).collect()
    }

    /// Tells duplicated writes from misdirected ones: they are where they belong, too.
    fn tell_duplicated(&self, wrong: &mut [WrongSector], unreadable: &[UnreadablePlace]) {
        let spoilt: BTreeSet<u64> = wrong.iter().map(|sector| sector.offset).collect();
        let is_read = |offset: u64| {
            let later = unreadable.partition_point(|place| place.offset.0 <= offset);
            let before = unreadable[..later].last();
            before.is_none_or(|place| place.offset.0 + place.bytes.0 <= offset)
        };
        let is_at_home = |found: Stamp| {
            found.identity == self.identity
                && found.offset < self.size_bytes
                && is_read(found.offset)
                && !spoilt.contains(&found.offset)
                && {
                    let expected = self.expected((found.offset / self.unit_bytes) as usize);
                    expected.is_certain() && expected.newest == found.generation
                }
        };
        for sector in wrong.iter_mut() {
            if sector.fault == DataFault::MisdirectedWrite && sector.found.is_some_and(is_at_home) {
                sector.fault = DataFault::DuplicatedWrite;
            }
        }
    }

    /// Why a sector is what it is said to be.
    fn why(&self, sector: &WrongSector) -> String {
        let WrongSector { expected, found, .. } = sector;
        let newest = expected.newest;
        match found {
            None if sector.fault == DataFault::BitFlip => "its checksum does not fit".to_owned(),
            None => "it has no stamp of the run".to_owned(),
            Some(found) if found.identity != self.identity => {
                format!("it is of another run, whose number is {:016x}", found.identity.run)
            }
            Some(found) if found.offset != sector.offset => {
                format!("it belongs to byte {}, by write {}", found.offset, found.generation)
            }
            Some(found) if expected.is_certain() => {
                format!("it is of write {}, and write {newest} was the last", found.generation)
            }
            Some(found) => {
                format!(
                    "it is of write {}, and write {} was durable",
                    found.generation, expected.oldest
                )
            }
        }
    }
}
