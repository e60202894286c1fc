//! Where the data of an array lies: rows of strips, parity, mirrors.
//!
//! Rows are numbered from the start of the drives; a row has one strip per drive. Parity rotates
//! from the last drive towards the first, and data begins behind it (left-symmetric), as most
//! controllers lay RAID-5 out.

use crate::system::setting::RaidLevel;
use crate::system::{Redundancy, System};

/// The layout of one array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Geometry {
    pub(super) level: RaidLevel,
    drives: u32,
    /// Parity groups that a row runs over.
    pub(super) groups: u32,
    group_drives: u32,
    /// Data strips per group and row.
    pub(super) group_strips: u32,
    pub(super) strip_bytes: u32,
    /// Bytes of each drive in use, for drives one after the other.
    drive_bytes: u64,
    first_drive: u32,
}

/// A part of a row: bytes of one data strip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Extent {
    /// Data strip within the row.
    pub(super) strip: u32,
    /// First byte within the strip.
    pub(super) offset: u32,
    /// Length.
    pub(super) bytes: u32,
}

impl Geometry {
    /// The drives, counted over all arrays.
    pub(super) const fn all_drives(&self) -> std::ops::Range<u32> {
        self.first_drive..self.first_drive + self.drives
    }
}

impl Extent {
    /// The byte after the last, within the strip.
    pub(super) const fn end(&self) -> u32 {
        self.offset + self.bytes
    }
}

impl Geometry {
    /// Array `index` of `system`, whose drives begin with number `first_drive`.
    pub(super) fn new(system: &System, index: u32, first_drive: u32) -> Self {
        let level = system.layout.raid;
        let all = system.array_drives(index);
        let groups = level.groups(all);
        let group_drives = all / groups;
        let group_strips = match (level, level.redundancy()) {
            (RaidLevel::Raid10, _) => group_drives / 2,
            (RaidLevel::Jbod | RaidLevel::Raid1, _) => 1,
            (_, Redundancy::Parity(count)) => group_drives - count,
            _ => group_drives,
        };
        let strip_bytes = system.layout.stripe.0 as u32;
        let used = system.drive.capacity.0 as f64 * system.layout.stroke_percent / 100.0;
        let strips = (used as u64 / u64::from(strip_bytes)).max(1);
        Self {
            level,
            drives: group_drives * groups,
            groups,
            group_drives,
            group_strips,
            strip_bytes,
            drive_bytes: strips * u64::from(strip_bytes),
            first_drive,
        }
    }

    /// Bytes of data per row.
    pub(super) fn row_bytes(&self) -> u64 {
        u64::from(self.strips()) * u64::from(self.strip_bytes)
    }

    /// Data strips per row.
    pub(super) fn strips(&self) -> u32 {
        self.group_strips * self.groups
    }

    /// The group that a data strip belongs to.
    pub(super) fn group_of(&self, strip: u32) -> u32 {
        if self.groups == 1 { 0 } else { strip / self.group_strips }
    }

    /// The bytes from one address to another, cut at the borders of strips, each with its row.
    #[inline]
    pub(super) fn extents(
        self,
        mut from: u64,
        to: u64,
    ) -> impl Iterator<Item = (u64, Extent)> + use<> {
        let (row_bytes, strip_bytes) = (self.row_bytes(), u64::from(self.strip_bytes));
        std::iter::from_fn(move || {
            let (row, within) = (from / row_bytes, from % row_bytes);
            let (strip, offset) = ((within / strip_bytes) as u32, within % strip_bytes);
            let bytes = (strip_bytes - offset).min(to.saturating_sub(from)) as u32;
            from += u64::from(bytes);
            (bytes > 0).then_some((row, Extent { strip, offset: offset as u32, bytes }))
        })
    }

    /// The drive, counted over all arrays, and the byte on it where data strip `strip` of `row`
    /// begins.
    #[inline]
    pub(super) fn data(&self, row: u64, strip: u32) -> (u32, u64) {
        let start = row * u64::from(self.strip_bytes);
        let (drive, start) = match self.level {
            RaidLevel::Jbod => self.concatenated(start, self.drives, 1),
            RaidLevel::Raid1 => self.concatenated(start, self.drives / 2, 2),
            RaidLevel::Raid0 => (strip, start),
            RaidLevel::Raid10 => (strip * 2, start),
            RaidLevel::Raid1E => (strip, start * 2),
            RaidLevel::Raid5 | RaidLevel::Raid50 | RaidLevel::Raid6 | RaidLevel::Raid60 => {
                let group = self.group_of(strip);
                let behind =
                    self.first_parity(row) + self.parities() + strip - group * self.group_strips;
                (group * self.group_drives + behind % self.group_drives, start)
            }
        };
        (self.first_drive + drive, start)
    }

    /// Drive and byte of the second copy of a data strip.
    pub(super) fn copy(&self, row: u64, strip: u32) -> (u32, u64) {
        let (drive, start) = self.data(row, strip);
        match self.level {
            RaidLevel::Raid1E => {
                let next = (drive - self.first_drive + 1) % self.drives;
                (self.first_drive + next, start + u64::from(self.strip_bytes))
            }
            _ => (drive + 1, start),
        }
    }

    /// Drive and byte of parity strip `number` of `group` in `row`.
    #[inline]
    pub(super) fn parity(&self, row: u64, group: u32, number: u32) -> (u32, u64) {
        let drive = (self.first_parity(row) + number) % self.group_drives;
        let start = row * u64::from(self.strip_bytes);
        (self.first_drive + group * self.group_drives + drive, start)
    }

    /// The drives that a rebuild of `failed` reads: its mirror, or the rest of its group.
    pub(super) fn survivors(&self, failed: u32) -> impl Iterator<Item = u32> + use<> {
        let within = failed - self.first_drive;
        let group_drives = match self.level.redundancy() {
            Redundancy::Mirror => 2,
            _ => self.group_drives,
        };
        let first = self.first_drive + within / group_drives * group_drives;
        (first..first + group_drives).filter(move |drive| *drive != failed)
    }

    fn first_parity(&self, row: u64) -> u32 {
        self.group_drives - 1 - (row % u64::from(self.group_drives)) as u32
    }

    fn parities(&self) -> u32 {
        self.group_drives - self.group_strips
    }

    /// Drives, or pairs of them, one after the other.
    fn concatenated(&self, start: u64, units: u32, unit_drives: u32) -> (u32, u64) {
        let unit = ((start / self.drive_bytes) as u32).min(units - 1);
        (unit * unit_drives, start - u64::from(unit) * self.drive_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(query: &str) -> Geometry {
        let target = format!("sim:fastt900?{query}");
        let system = System::shipped("fastt900").unwrap().with_query(&target, query).unwrap();
        Geometry::new(&system, 0, 0)
    }

    /// Every strip of 60 rows lies on its own place, and no copy or parity lies on it.
    fn check(query: &str, data_per_row: u32) {
        let geometry = geometry(query);
        assert_eq!(geometry.strips(), data_per_row, "{query}");
        let mut places = std::collections::BTreeSet::new();
        for row in 0..60 {
            for strip in 0..geometry.strips() {
                assert!(places.insert(geometry.data(row, strip)), "{query} {row} {strip}");
                if geometry.level.redundancy() == Redundancy::Mirror {
                    assert!(places.insert(geometry.copy(row, strip)), "{query} {row} {strip}");
                }
            }
            if let Redundancy::Parity(count) = geometry.level.redundancy() {
                for (group, number) in
                    (0..geometry.groups).flat_map(|group| (0..count).map(move |n| (group, n)))
                {
                    assert!(places.insert(geometry.parity(row, group, number)), "{query} {row}");
                }
            }
        }
        assert!(places.iter().all(|(drive, _)| *drive < 60), "{query}");
    }

    #[test]
    fn no_two_strips_share_a_place() {
        check("drives=10&raid=raid0", 10);
        check("drives=10&raid=raid10", 5);
        check("drives=10&raid=raid1e", 10);
        check("drives=9&raid=raid1e", 9);
        check("drives=10&raid=raid5", 9);
        check("drives=10&raid=raid6", 8);
        check("drives=12&raid=raid50&drives_per_array=12", 10);
        check("drives=16&raid=raid60&drives_per_array=16", 12);
        check("drives=4&raid=raid1", 1);
        check("drives=4&raid=jbod", 1);
    }

    #[test]
    fn parity_rotates_over_all_drives() {
        let geometry = geometry("drives=10&raid=raid5");
        let drives: Vec<u32> = (0..10).map(|row| geometry.parity(row, 0, 0).0).collect();
        assert_eq!(drives, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(geometry.data(0, 0).0, 0);
        assert_eq!(geometry.data(1, 0).0, 9);
    }
}
