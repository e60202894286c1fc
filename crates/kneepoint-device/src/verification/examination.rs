//! The look at a whole target: whether it holds what its journal says.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::path::Path;

use kneepoint_core::plan::Caching;
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
    /// Bytes that may be old or new: writes were in flight at the end, met, or failed; after a power loss,
    /// they may have been.
    pub in_doubt: Bytes,
    /// What is wrong, by its place.
    pub places: Vec<Place>,
    /// Sectors that are wrong beyond those.
    pub more: u64,
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
/// When there is no journal, it or the target cannot be read, or a run is writing.
pub fn examine(
    name: &str,
    manner: Manner<'_>,
    moved: &mut dyn FnMut(Bytes),
) -> Result<Examination, Fault> {
    let file = open(Path::new(name), Mode::ReadOnly, manner.caching)?.file;
    let cannot = |error: io::Error| unreadable(name, 0, &error);
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

fn unreadable(name: &str, at: u64, error: &io::Error) -> Fault {
    Fault::new(format!("{name} cannot be read at byte {at}"))
        .because(error)
        .fix("look at the kernel's messages (dmesg)")
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
        let (mut wrong, mut more) = (Vec::new(), 0);
        let mut buffer = Arena::new(PIECE as usize).map_err(|error| unreadable(name, 0, &error))?;
        let mut at = 0;
        while at < self.size_bytes {
            let piece = buffer.slice_mut(0, PIECE.min(self.size_bytes - at) as usize);
            target.read_exact_at(piece, at).map_err(|error| unreadable(name, at, &error))?;
            for (sector, offset) in piece.chunks_exact(SECTOR).zip((at..).step_by(SECTOR)) {
                let expected = self.expected((offset / self.unit_bytes) as usize);
                let Some(found) = look(sector, self.identity, (offset, expected)) else { continue };
                match wrong.len() < TOLD_MAX {
                    true => wrong.push(found),
                    false => more += 1,
                }
            }
            at += piece.len() as u64;
            moved(Bytes(at));
        }
        let (bytes, in_doubt) = (Bytes(self.size_bytes), self.in_doubt());
        Ok(Examination { bytes, in_doubt, places: self.places(wrong), more })
    }

    fn expected(&self, unit: usize) -> Expected {
        match &self.known {
            Known::Live(words) => {
                UnitState(words[UNIT_WORDS * unit + 1]).expected(words[UNIT_WORDS * unit])
            }
            Known::Oldest(list, end) => Expected { oldest: list[unit], newest: end - 1, before: 0 },
        }
    }

    fn units(&self) -> impl Iterator<Item = Expected> + '_ {
        (0..(self.size_bytes / self.unit_bytes) as usize).map(|unit| self.expected(unit))
    }

    fn in_doubt(&self) -> Bytes {
        let count = self.units().filter(|expected| !expected.is_certain()).count();
        Bytes(count as u64 * self.unit_bytes)
    }

    /// What the wrong sectors are when all are seen together.
    fn places(&self, mut wrong: Vec<WrongSector>) -> Vec<Place> {
        let unit_sectors = self.unit_bytes as usize / SECTOR;
        let settled = self.units().filter(Expected::is_certain).map(|expected| expected.newest);
        tell_torn(&mut wrong, settled, unit_sectors);
        self.tell_duplicated(&mut wrong);
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
    fn tell_duplicated(&self, wrong: &mut [WrongSector]) {
        let spoilt: BTreeSet<u64> = wrong.iter().map(|sector| sector.offset).collect();
        let is_at_home = |found: Stamp| {
            found.identity == self.identity
                && found.offset < self.size_bytes
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
