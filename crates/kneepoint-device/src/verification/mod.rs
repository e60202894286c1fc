//! Data that is verified: every sector that a run writes says whose it is, where it belongs and which write
//! brought it, and a [journal](journal) beside the target knows which write should be where.
//!
//! [`sector`] is the format and the judgement of a single sector, [`ledger`] the generations while a run
//! writes, [`overlap`] which of several may have come last, [`settlement`] the look at which did,
//! [`header`] and [`journal`] how they outlive it, [`guard`] the backend that keeps them and looks at what is
//! read, [`examination`] the look at a whole target afterwards.

mod examination;
mod guard;
mod header;
mod journal;
mod ledger;
mod mapping;
mod overlap;
mod sector;
mod settlement;
#[cfg(test)]
mod tests;

pub use examination::{Basis, Examination, Manner, Place, UnreadablePlace, examine};
pub(crate) use guard::Verifying;
pub(crate) use journal::make_void;
pub(crate) use ledger::{Ledger, LedgerSubject};
pub(crate) use sector::{Identity, stamp};

use std::ffi::OsString;
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kneepoint_core::result::Warning;
use kneepoint_core::result::warning::WrongPlace;
use kneepoint_core::words::fault::Fault;

use sector::{SECTOR, WrongSector};

/// The ledgers of all targets of a run, in the plan's order.
#[derive(Debug, Clone)]
pub(crate) struct Ledgers(Arc<[Ledger]>);

impl From<Vec<Ledger>> for Ledgers {
    fn from(ledgers: Vec<Ledger>) -> Self {
        Self(ledgers.into())
    }
}

impl Deref for Ledgers {
    type Target = [Ledger];

    fn deref(&self) -> &[Ledger] {
        &self.0
    }
}

/// Places of a point that are told.
const PLACES_MAX: usize = 8;

impl Ledgers {
    /// Makes durable what was written to the open targets until now, and settles what is in doubt.
    ///
    /// # Errors
    /// When a target or a journal cannot do it.
    pub(crate) fn secure(&self, files: &[File]) -> Result<(), Fault> {
        self.iter().zip(files).try_for_each(|(ledger, file)| ledger.secure(file))
    }

    /// The same, and that nothing more is written.
    ///
    /// # Errors
    /// As [`Self::secure`].
    pub(crate) fn close(&self, files: &[File]) -> Result<(), Fault> {
        self.iter().zip(files).try_for_each(|(ledger, file)| ledger.close(file))
    }

    /// What was wrong with the data that was read since the last call.
    pub(crate) fn wrong_data(&self) -> Option<Warning> {
        let mut places = Vec::new();
        for ledger in self.iter() {
            let found = joined(ledger.take_wrong(), |first, next| first.fault == next.fault);
            places.extend(found.into_iter().map(|(first, bytes)| WrongPlace {
                target: ledger.target.clone(),
                fault: first.fault,
                offset_bytes: first.offset,
                bytes,
            }));
        }
        let more = places.len().saturating_sub(PLACES_MAX) as u64;
        places.truncate(PLACES_MAX);
        (!places.is_empty()).then_some(Warning::WrongData { places, more })
    }
}

fn synced(file: &File) -> Result<(), Fault> {
    file.sync_data().map_err(|error| {
        Fault::new("a target cannot make durable what was written to it")
            .because(error)
            .fix("look at the kernel's messages (dmesg), and verify what it has")
    })
}

/// Sectors by their places, each once; those that adjoin as one if they are alike. Gives the first of each
/// and the bytes of all.
fn joined(
    mut wrong: Vec<WrongSector>,
    is_alike: impl Fn(&WrongSector, &WrongSector) -> bool,
) -> Vec<(WrongSector, u64)> {
    wrong.sort_by_key(|sector| sector.offset);
    wrong.dedup_by_key(|sector| sector.offset);
    let mut places: Vec<(WrongSector, u64)> = Vec::new();
    for sector in wrong {
        match places.last_mut() {
            Some((first, bytes))
                if first.offset + *bytes == sector.offset && is_alike(first, &sector) =>
            {
                *bytes += SECTOR as u64;
            }
            _ => places.push((sector, SECTOR as u64)),
        }
    }
    places
}

/// The text of the header of a journal, as it would be written again; nothing if `bytes` do not begin with
/// one.
pub fn header_text(bytes: &[u8]) -> Option<String> {
    header::Header::from_bytes(bytes).map(|header| header.to_text())
}

/// Where the journal of the target at `path`, a canonical path, is: beside a file, and for a block device
/// in `folder`.
pub fn journal_path(path: &Path, is_device: bool, folder: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    name.push(".verify");
    match is_device {
        true => folder.join(name),
        false => path.with_file_name(name),
    }
}
