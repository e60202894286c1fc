//! Row updates: what must be read and written so that a row's data and parity agree.
//!
//! Parity is brought up to date in the way that takes fewer disk operations: by the difference
//! (read the old data and the old parity), or from the rest of the row (read that); rows that are
//! written in full need no reads (D. Patterson, G. Gibson and R. Katz, "A case for redundant arrays
//! of inexpensive disks", SIGMOD 1988; P. Chen et al., "RAID: high-performance, reliable secondary
//! storage", ACM Computing Surveys 26(2), 1994).

use super::engine::Stretch;
use super::geometry::{Extent, Geometry};
use crate::system::Redundancy;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum UpdatePurpose {
    /// A write of a host, by slot: parity is written when the data is.
    WriteThrough(u32),
    /// Room in the cache, which still has the data: all is written at the same time.
    #[default]
    Destage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum UpdatePhase {
    /// Old data, old parity or the rest of the row.
    #[default]
    Reading,
    /// Data, while parity is still to be written.
    WritingData,
    /// The last writes.
    WritingLast,
}

/// The update of one row.
#[derive(Debug, Default)]
pub(super) struct Update {
    pub(super) array: u32,
    pub(super) row: u64,
    /// New data.
    pub(super) extents: Vec<Extent>,
    /// The part that waits for it.
    pub(super) purpose: UpdatePurpose,
    pub(super) phase: UpdatePhase,
    /// Disk operations of the phase that are not done yet.
    pub(super) pending: u32,
    /// Which of the array's rows it is that were ever destaged.
    pub(super) number: u64,
    /// Bytes of data that the update makes clean.
    pub(super) clean_bytes: u64,
    /// The steps, made by [`Update::plan`].
    pub(super) steps: Steps,
}

/// The steps of an update.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// Reads that come first.
    pub(super) reads: Vec<Stretch>,
    /// Data and its copies.
    pub(super) data: Vec<Stretch>,
    pub(super) parity: Vec<Stretch>,
    /// Bytes that go through the parity computation.
    pub(super) xor_bytes: u64,
}

/// A row of an array with what has failed there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    /// The layout.
    pub(super) geometry: &'a Geometry,
    pub(super) number: u64,
    /// The drive that cannot be used, counted over all arrays.
    pub(super) failed: Option<u32>,
}

impl Update {
    /// Makes the steps for the extents.
    pub(super) fn plan(&mut self, row: Row<'_>) {
        let Self { extents, steps, .. } = self;
        steps.reads.clear();
        steps.data.clear();
        steps.parity.clear();
        steps.xor_bytes = 0;
        for extent in extents.iter() {
            steps.push_data(row, extent);
        }
        let Redundancy::Parity(count) = row.geometry.level.redundancy() else { return };
        if row.geometry.groups == 1 {
            steps.plan_group(row, extents, (0, count));
            return;
        }
        for group in 0..row.geometry.groups {
            let here = |extent: &&Extent| row.geometry.group_of(extent.strip) == group;
            if extents.iter().any(|extent| here(&extent)) {
                let of_group: Vec<Extent> = extents.iter().filter(here).copied().collect();
                steps.plan_group(row, &of_group, (group, count));
            }
        }
    }
}

impl Steps {
    /// Writing of an extent and of its copy.
    fn push_data(&mut self, row: Row<'_>, extent: &Extent) {
        self.data.extend(row.stretch(row.geometry.data(row.number, extent.strip), extent));
        if row.geometry.level.redundancy() == Redundancy::Mirror {
            self.data.extend(row.stretch(row.geometry.copy(row.number, extent.strip), extent));
        }
    }

    /// Parity of one group: what is read, and where parity is written.
    fn plan_group(&mut self, row: Row<'_>, extents: &[Extent], (group, count): (u32, u32)) {
        let Some(band) = band(extents) else { return };
        let parity_before = self.parity.len();
        for number in 0..count {
            let place = row.geometry.parity(row.number, group, number);
            self.parity.extend(row.stretch(place, &band));
        }
        let parities = self.parity.len() - parity_before;
        if parities == 0 {
            return;
        }
        let written: u64 = extents.iter().map(|extent| u64::from(extent.bytes)).sum();
        let rest = Rest { extents, band, group };
        let before = self.reads.len();
        match rest.is_cheaper(row, parities) {
            true => self.read_rest(row, &rest),
            false => self.read_old(row, extents, parity_before),
        }
        let read: u64 = self.reads[before..].iter().map(|stretch| u64::from(stretch.bytes)).sum();
        self.xor_bytes += written + read + u64::from(band.bytes) * parities as u64;
    }

    /// Reads old data and old parity.
    fn read_old(&mut self, row: Row<'_>, extents: &[Extent], parity_from: usize) {
        for extent in extents {
            self.reads.extend(row.stretch(row.geometry.data(row.number, extent.strip), extent));
        }
        self.reads.extend_from_slice(&self.parity[parity_from..]);
    }

    /// Reads what the group's band holds beside the new data.
    fn read_rest(&mut self, row: Row<'_>, rest: &Rest<'_>) {
        for strip in rest.strips(row.geometry).filter(|strip| !rest.covers(*strip)) {
            let whole = Extent { strip, ..rest.band };
            self.reads.extend(row.stretch(row.geometry.data(row.number, strip), &whole));
        }
    }
}

/// The old data of a group's band beside the new.
struct Rest<'a> {
    extents: &'a [Extent],
    band: Extent,
    group: u32,
}

impl Rest<'_> {
    fn strips(&self, geometry: &Geometry) -> std::ops::Range<u32> {
        let first = self.group * geometry.group_strips;
        first..first + geometry.group_strips
    }

    /// True if one new extent covers the band of a strip.
    fn covers(&self, strip: u32) -> bool {
        self.extents.iter().any(|extent| {
            extent.strip == strip
                && extent.offset <= self.band.offset
                && extent.end() >= self.band.end()
        })
    }

    /// True if reading the rest takes fewer operations than reading the data to be replaced.
    fn is_cheaper(&self, row: Row<'_>, parities: usize) -> bool {
        let drive_of = |strip| row.geometry.data(row.number, strip).0;
        if let Some(failed) = row.failed {
            if self.extents.iter().any(|extent| drive_of(extent.strip) == failed) {
                return true;
            }
            if self.strips(row.geometry).any(|strip| drive_of(strip) == failed) {
                return false;
            }
        }
        let strips = row.geometry.group_strips as usize;
        let by_difference = self.extents.len() + parities;
        if strips > by_difference + self.extents.len() {
            return false;
        }
        self.strips(row.geometry).filter(|strip| !self.covers(*strip)).count() < by_difference
    }
}

/// The bytes of each strip that the parity of a group is touched in: the smallest band that holds
/// all extents.
fn band(extents: &[Extent]) -> Option<Extent> {
    let offset = extents.iter().map(|extent| extent.offset).min()?;
    let end = extents.iter().map(Extent::end).max()?;
    Some(Extent { strip: 0, offset, bytes: end - offset })
}

impl Row<'_> {
    /// An extent's bytes on the drive where its strip begins; `None` on a failed drive.
    fn stretch(&self, (drive, start): (u32, u64), extent: &Extent) -> Option<Stretch> {
        (self.failed != Some(drive)).then(|| Stretch {
            drive,
            start: start + u64::from(extent.offset),
            bytes: extent.bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::System;

    /// Counts of reads, data writes and parity writes.
    fn check(query: &str, extents: &[(u32, u32, u32)], failed: Option<u32>, expected: [usize; 3]) {
        let system = System::shipped("fastt900").unwrap().with_query(query, query).unwrap();
        let geometry = Geometry::new(&system, 0, 0);
        let extents = extents.iter().map(|&(strip, offset, bytes)| Extent { strip, offset, bytes });
        let mut update = Update { extents: extents.collect(), ..Update::default() };
        update.plan(Row { geometry: &geometry, number: 0, failed });
        let Steps { reads, data, parity, .. } = &update.steps;
        assert_eq!([reads.len(), data.len(), parity.len()], expected, "{query}");
    }

    #[test]
    fn raid5_writes_take_four_operations_or_fewer_where_much_is_new() {
        let all: Vec<_> = (0..9).map(|strip| (strip, 0, 65_536)).collect();
        check("drives=10", &[(3, 4096, 8192)], None, [2, 1, 1]);
        check("drives=10", &[(3, 4096, 8192), (4, 0, 4096)], None, [3, 2, 1]);
        check("drives=10", &all, None, [0, 9, 1]);
        check("drives=10", &all[..7], None, [2, 7, 1]);
        check("drives=3&drives_per_array=3", &[(0, 0, 4096)], None, [1, 1, 1]);
    }

    #[test]
    fn other_levels_write_their_own_redundancy() {
        check("drives=10&raid=raid6", &[(3, 4096, 8192)], None, [3, 1, 2]);
        check("drives=10&raid=raid10", &[(3, 4096, 8192)], None, [0, 2, 0]);
        check("drives=10&raid=raid1e", &[(3, 4096, 8192)], None, [0, 2, 0]);
        check("drives=10&raid=raid0", &[(3, 4096, 8192)], None, [0, 1, 0]);
        let two_groups = [(0, 0, 4096), (5, 0, 4096)];
        check("drives=12&drives_per_array=12&raid=raid50", &two_groups, None, [4, 2, 2]);
    }

    #[test]
    fn a_failed_drive_is_left_out() {
        // In row 0 of ten drives, strip k is on drive k and parity on drive 9.
        check("drives=10", &[(3, 0, 4096)], Some(3), [8, 0, 1]);
        check("drives=10", &[(3, 0, 4096)], Some(9), [0, 1, 0]);
        check("drives=10", &[(3, 0, 4096)], Some(4), [2, 1, 1]);
        check("drives=10&raid=raid10", &[(0, 0, 4096)], Some(0), [0, 1, 0]);
    }
}
