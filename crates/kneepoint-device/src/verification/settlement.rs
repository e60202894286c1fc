//! Settles the units that writes in flight at once have left in doubt: reads them once all is durable, and
//! takes what is there for what came last, if it may have.
//!
//! This is done between points, so that it costs no measured time.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use kneepoint_core::plan::MemoryPages;
use kneepoint_core::words::fault::Fault;

use super::ledger::{Ledger, WriteEnd};
use super::sector::{Expected, SECTOR, Stamp, WrongSector, look, stamp};
use super::synced;
use crate::buffer::Arena;

/// Units that are read at once, at the most.
const RUN_MAX: usize = 256;

/// The generations of units that were in doubt, by their numbers.
pub(super) type SettledUnits = Vec<(usize, u64)>;

/// What a unit that was read turned out to have.
enum ReadBack {
    /// All sectors are of this generation, or what is wrong is not.
    Has(u64),
    /// The sectors are of several writes that may all have come last.
    Mixed,
}

/// A look at the units of a target that are in doubt.
struct Settlement<'a> {
    ledger: &'a Ledger,
    target: &'a File,
    buffer: Arena,
    wrong: Vec<WrongSector>,
    found: SettledUnits,
    /// Units that were written again.
    rewritten: usize,
}

/// Reads the units of `target` that are in doubt, with nothing in flight; gives what those have that are not
/// any more. What is wrong is noted. What cannot be read stays in doubt.
///
/// # Errors
/// When there is no memory, or the target cannot make durable what had to be written again.
pub(super) fn settle(ledger: &Ledger, target: &File) -> Result<SettledUnits, Fault> {
    let units = ledger.unsettled();
    if units.is_empty() {
        return Ok(SettledUnits::new());
    }
    let length = RUN_MAX.min(units.len()) * ledger.unit_sectors() * SECTOR;
    let buffer = Arena::new(length, MemoryPages::Small)
        .map_err(|error| Fault::new("the data in doubt cannot be read back").because(error))?;
    let (wrong, found) = (Vec::new(), SettledUnits::new());
    let mut settlement = Settlement { ledger, target, buffer, wrong, found, rewritten: 0 };
    let runs = units.chunk_by(|unit, next| unit + 1 == *next).flat_map(|run| run.chunks(RUN_MAX));
    for run in runs {
        settlement.read(run[0]..run[0] + run.len());
    }
    if settlement.rewritten > 0 {
        synced(target)?;
    }
    if !settlement.wrong.is_empty() {
        ledger.note(settlement.wrong);
    }
    Ok(settlement.found)
}

impl Settlement<'_> {
    /// Reads units behind each other, those that can be read.
    fn read(&mut self, units: Range<usize>) {
        let unit_bytes = self.ledger.unit_sectors() * SECTOR;
        let data = self.buffer.slice_mut(0, units.len() * unit_bytes);
        if self.target.read_exact_at(data, (units.start * unit_bytes) as u64).is_err() {
            let middle = units.start + units.len() / 2;
            if units.len() > 1 {
                self.read(units.start..middle);
                self.read(middle..units.end);
            }
            return;
        }
        for (number, unit) in units.enumerate() {
            match self.judge(number, unit) {
                ReadBack::Has(generation) => self.found.push((unit, generation)),
                ReadBack::Mixed => self.rewrite(number, unit),
            }
        }
    }

    /// Looks at unit `unit`, which was read as number `number` of several.
    fn judge(&mut self, number: usize, unit: usize) -> ReadBack {
        let Self { ledger, buffer, wrong, .. } = self;
        let unit_bytes = ledger.unit_sectors() * SECTOR;
        let data = buffer.slice_mut(number * unit_bytes, unit_bytes);
        let range = ledger.may_have(unit);
        let last = ledger.last(unit);
        let (mut newest_found, mut kinds, before) = (None, 0, wrong.len());
        for (sector, offset) in data.chunks_exact(SECTOR).zip((unit * unit_bytes..).step_by(SECTOR))
        {
            let generation = Stamp::of(sector).0.generation;
            let may_be = match &last {
                Some(last) => last.contains(&generation),
                None => (range.oldest..=range.newest).contains(&generation),
            };
            let one = if may_be { generation } else { range.newest };
            let expected = Expected { oldest: one, newest: one, before: range.before };
            match look(sector, ledger.identity, (offset as u64, expected)) {
                Some(found) => wrong.push(found),
                None if newest_found == Some(generation) => {}
                None => {
                    kinds += 1;
                    newest_found = newest_found.max(Some(generation));
                }
            }
        }
        match wrong.len() == before && kinds > 1 {
            true => ReadBack::Mixed,
            // What is wrong is found again later: a unit that is settled has one generation.
            false => ReadBack::Has(newest_found.unwrap_or(range.newest)),
        }
    }

    /// Writes a unit again whose sectors are of several writes, for it can't have one generation otherwise.
    /// If that fails, it stays in doubt.
    fn rewrite(&mut self, number: usize, unit: usize) {
        let unit_bytes = self.ledger.unit_sectors() * SECTOR;
        let data = self.buffer.slice_mut(number * unit_bytes, unit_bytes);
        let offset = (unit * unit_bytes) as u64;
        let units = unit..unit + 1;
        let generation = self.ledger.begin_write(units.clone());
        stamp(data, self.ledger.identity, (offset, generation));
        let end = match self.target.write_all_at(data, offset) {
            Ok(()) => WriteEnd::Done,
            Err(_) => WriteEnd::Unknown,
        };
        self.ledger.end_write(units, (generation, end));
        self.rewritten += 1;
    }
}
