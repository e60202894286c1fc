//! The sector of a target whose data is verified: 512 bytes that say themselves what they are.
//!
//! | bytes | what | |
//! |---|---|---|
//! | 0 to 7 | generation | 0 for what was laid out, then a number that no other write to the target has |
//! | 8 to 15 | answer | follows from the generation: the stamp of everything that Kneepoint writes |
//! | 16 to 23 | run | drawn when the target was laid out, so that data from before it is told apart |
//! | 24 to 31 | seed | of the plan |
//! | 32 to 39 | offset | of the sector on the target, in bytes |
//! | 40 to 507 | data | of the profile |
//! | 508 to 511 | checksum | CRC-32C of all before |
//!
//! All numbers are little-endian. The checksum finds every error of up to three bits and every burst of
//! up to 32; it misses any other in one of 2^32 cases.

use std::collections::BTreeMap;

use kneepoint_core::result::warning::DataFault;

use crate::buffer::{answer, is_blank};

/// Length of a sector in bytes.
pub(crate) const SECTOR: usize = 512;

/// Where the checksum stands.
const CHECKSUM_AT: usize = SECTOR - 4;

/// Length of what stands before the data.
const STAMP: usize = 40;

/// What all sectors of a target have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Drawn when the target was laid out.
    pub(crate) run: u64,
    /// Of the plan.
    pub(crate) seed: u64,
}

/// What a sector says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) generation: u64,
    pub(crate) identity: Identity,
    /// Offset of the sector on its target, in bytes.
    pub(crate) offset: u64,
}

impl Stamp {
    /// The first bytes of a sector.
    fn bytes(&self) -> [u8; STAMP] {
        let Self { generation, identity: Identity { run, seed }, offset } = *self;
        let mut bytes = [0; STAMP];
        let words = [generation, answer(generation), run, seed, offset];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// What stands in the first bytes of `sector`, and whether the answer fits the generation.
    pub(super) fn of(sector: &[u8]) -> (Self, bool) {
        let word = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&sector[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let generation = word(0);
        let identity = Identity { run: word(16), seed: word(24) };
        let stamp = Self { generation, identity, offset: word(32) };
        (stamp, word(8) == answer(generation))
    }

    /// Whether `sector` is intact and has exactly this stamp.
    #[inline]
    fn is_on(&self, sector: &[u8]) -> bool {
        sector[..STAMP] == self.bytes() && is_checksum_right(sector)
    }
}

#[inline]
fn is_checksum_right(sector: &[u8]) -> bool {
    sector[CHECKSUM_AT..] == checksum(&sector[..CHECKSUM_AT]).to_le_bytes()
}

/// CRC-32C, by the processor where it can.
#[inline]
fn checksum(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}

/// Stamps every sector of `buffer`, which is written to `offset` as a write of `generation`.
#[inline]
pub(crate) fn stamp(buffer: &mut [u8], identity: Identity, (offset, generation): (u64, u64)) {
    for (sector, at) in buffer.chunks_exact_mut(SECTOR).zip((offset..).step_by(SECTOR)) {
        let stamp = Stamp { generation, identity, offset: at };
        sector[..STAMP].copy_from_slice(&stamp.bytes());
        let sum = checksum(&sector[..CHECKSUM_AT]);
        sector[CHECKSUM_AT..].copy_from_slice(&sum.to_le_bytes());
    }
}

/// The generations that a place may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expected {
    /// The oldest.
    pub(crate) oldest: u64,
    /// The newest.
    pub(crate) newest: u64,
    /// What is older than this was gone before the newest write; what is not, the newest write was to
    /// replace.
    pub(crate) before: u64,
}

impl Expected {
    /// Whether there is only one.
    pub(crate) const fn is_certain(&self) -> bool {
        self.oldest == self.newest
    }
}

/// A sector that is not as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrongSector {
    /// Where it is, in bytes.
    pub(crate) offset: u64,
    /// What is wrong, as far as the sector alone tells.
    pub(crate) fault: DataFault,
    /// What should be there.
    pub(crate) expected: Expected,
    /// What it says of itself; `None` if nothing that can be relied on.
    pub(crate) found: Option<Stamp>,
}

impl WrongSector {
    /// Whether a write that should be here is not, but something older. What was laid out is no write.
    const fn is_missing(&self) -> bool {
        matches!(self.fault, DataFault::LostWrite | DataFault::StaleData)
            && self.expected.is_certain()
            && self.expected.newest > 0
    }
}

/// Looks at the sector at `offset`; nothing if it is as it should be.
#[inline]
pub(crate) fn look(
    sector: &[u8],
    identity: Identity,
    (offset, expected): (u64, Expected),
) -> Option<WrongSector> {
    let stamp = Stamp { generation: expected.newest, identity, offset };
    match stamp.is_on(sector) {
        true => None,
        false => examine(sector, identity, (offset, expected)),
    }
}

/// Tells what is wrong with a sector, if anything is.
#[cold]
fn examine(
    sector: &[u8],
    identity: Identity,
    (offset, expected): (u64, Expected),
) -> Option<WrongSector> {
    let (stamp, is_answered) = Stamp::of(sector);
    let wrong = |fault, found| Some(WrongSector { offset, fault, expected, found });
    if !is_answered || !is_checksum_right(sector) {
        let signs = [
            is_answered,
            stamp.identity.run == identity.run,
            stamp.identity.seed == identity.seed,
            stamp.offset == offset,
        ];
        // A flipped bit spoils one of them at the most.
        let is_ours = signs.into_iter().filter(|sign| *sign).count() >= 2 && !is_blank(sector);
        let fault = if is_ours { DataFault::BitFlip } else { DataFault::ForeignData };
        return wrong(fault, None);
    }
    if stamp.offset != offset {
        return wrong(DataFault::MisdirectedWrite, Some(stamp));
    }
    if stamp.identity != identity {
        return wrong(DataFault::StaleData, Some(stamp));
    }
    match stamp.generation {
        found if found > expected.newest => wrong(DataFault::ForeignData, Some(stamp)),
        found if found >= expected.oldest => None,
        found if found >= expected.before => wrong(DataFault::LostWrite, Some(stamp)),
        _ => wrong(DataFault::StaleData, Some(stamp)),
    }
}

/// Tells torn writes: of what one write brought, some sectors are there and some are not. `settled` has the
/// generation of every unit in sight that has only one, each of `unit_sectors`.
#[cold]
pub(crate) fn tell_torn(
    wrong: &mut [WrongSector],
    settled: impl Iterator<Item = u64>,
    unit_sectors: usize,
) {
    // Sectors of a write that are missing, and all that should be there.
    let mut writes = BTreeMap::<u64, (usize, usize)>::new();
    for sector in wrong.iter().filter(|sector| sector.is_missing()) {
        writes.entry(sector.expected.newest).or_default().0 += 1;
    }
    for generation in settled {
        if let Some((_, all)) = writes.get_mut(&generation) {
            *all += unit_sectors;
        }
    }
    for sector in wrong.iter_mut().filter(|sector| sector.is_missing()) {
        let (missing, all) = writes[&sector.expected.newest];
        if missing < all {
            sector.fault = DataFault::TornWrite;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Identity = Identity { run: 77, seed: 1 };

    fn written(offset: u64, generation: u64) -> Vec<u8> {
        let mut sector: Vec<u8> = (0..SECTOR).map(|byte| byte as u8).collect();
        stamp(&mut sector, HERE, (offset, generation));
        sector
    }

    fn seen(sector: &[u8]) -> Option<DataFault> {
        let expected = Expected { oldest: 9, newest: 9, before: 5 };
        look(sector, HERE, (4096, expected)).map(|wrong| wrong.fault)
    }

    #[test]
    fn the_format_is_the_documented_one() {
        let sector = written(4096, 9);
        let word = |at: usize| u64::from_le_bytes(sector[at..at + 8].try_into().unwrap());
        assert_eq!([word(0), word(16), word(24), word(32)], [9, 77, 1, 4096]);
        assert_eq!(word(8), answer(9));
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283, "the check value of CRC-32C");
        assert!(crate::buffer::is_own(&sector, 0), "it is told from what others write");
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let sector = written(4096, 9);
        assert_eq!(seen(&sector), None);
        for bit in 0..8 * SECTOR {
            let mut flipped = sector.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(seen(&flipped), Some(DataFault::BitFlip), "bit {bit}");
        }
    }

    #[test]
    fn what_is_intact_but_does_not_belong_here_is_named() {
        assert_eq!(seen(&written(4096, 5)), Some(DataFault::LostWrite));
        assert_eq!(seen(&written(4096, 4)), Some(DataFault::StaleData));
        assert_eq!(seen(&written(8192, 9)), Some(DataFault::MisdirectedWrite));
        assert_eq!(seen(&written(4096, 10)), Some(DataFault::ForeignData));
        assert_eq!(seen(&[0; SECTOR]), Some(DataFault::ForeignData));
        assert_eq!(seen(&[0xff; SECTOR]), Some(DataFault::ForeignData));
        let mut earlier = written(4096, 9);
        stamp(&mut earlier, Identity { run: 76, ..HERE }, (4096, 9));
        assert_eq!(seen(&earlier), Some(DataFault::StaleData));
    }

    #[test]
    fn what_may_be_old_or_new_is_neither_older_nor_newer() {
        let expected = Expected { oldest: 5, newest: 9, before: 5 };
        let seen = |generation| {
            let sector = written(4096, generation);
            look(&sector, HERE, (4096, expected)).map(|wrong| wrong.fault)
        };
        assert_eq!([5, 7, 9].map(seen), [None; 3]);
        assert_eq!(seen(4), Some(DataFault::StaleData));
        assert_eq!(seen(10), Some(DataFault::ForeignData));
    }
}
