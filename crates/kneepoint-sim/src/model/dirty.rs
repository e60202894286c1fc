//! What one array has in its controller's write cache, by row, in the order of the rows.

use super::geometry::{Extent, Geometry};

/// No extent.
const NONE: u32 = u32::MAX;

/// The dirty extents of an array.
#[derive(Debug)]
pub(super) struct Dirty {
    /// First extent of each row.
    first: Vec<u32>,
    /// A bit per row with dirty extents.
    rows: Vec<u64>,
    /// A bit per word of `rows`.
    words: Vec<u64>,
    extents: Vec<Link>,
    free: u32,
    row_count: u32,
    cursor: u32,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    extent: Extent,
    next: u32,
}

impl Dirty {
    /// Nothing dirty in an array of `bytes`.
    pub(super) fn new(geometry: &Geometry, bytes: u64) -> Self {
        let rows = (bytes / geometry.row_bytes() + 2) as usize;
        let words = rows.div_ceil(64);
        Self {
            first: vec![NONE; rows],
            rows: vec![0; words],
            words: vec![0; words.div_ceil(64)],
            extents: Vec::new(),
            free: NONE,
            row_count: 0,
            cursor: 0,
        }
    }

    /// Rows with dirty extents.
    pub(super) fn row_count(&self) -> u32 {
        self.row_count
    }

    /// Adds an extent and joins it with what it touches; returns how many bytes and extents more
    /// are dirty now (extents may become fewer).
    pub(super) fn add(&mut self, row: u64, mut extent: Extent) -> (i64, i64) {
        let row = row as usize;
        let (mut joined_bytes, mut joined_count) = (0, 0);
        let mut previous = NONE;
        let mut at = self.first[row];
        while at != NONE {
            let Link { extent: other, next } = self.extents[at as usize];
            let touches = other.strip == extent.strip
                && other.offset <= extent.end()
                && extent.offset <= other.end();
            if touches {
                joined_bytes += i64::from(other.bytes);
                joined_count += 1;
                let end = other.end().max(extent.end());
                extent.offset = other.offset.min(extent.offset);
                extent.bytes = end - extent.offset;
                match previous {
                    NONE => self.first[row] = next,
                    _ => self.extents[previous as usize].next = next,
                }
                self.release(at);
            } else {
                previous = at;
            }
            at = next;
        }
        if self.first[row] == NONE && joined_count == 0 {
            self.mark(row);
        }
        let place = self.take();
        self.extents[place as usize] = Link { extent, next: self.first[row] };
        self.first[row] = place;
        (i64::from(extent.bytes) - joined_bytes, 1 - joined_count)
    }

    /// Whether all of `extent` is dirty in one piece.
    pub(super) fn covers(&self, row: u64, extent: &Extent) -> bool {
        let mut at = self.first.get(row as usize).copied().unwrap_or(NONE);
        while at != NONE {
            let Link { extent: other, next } = self.extents[at as usize];
            if other.strip == extent.strip
                && other.offset <= extent.offset
                && extent.end() <= other.end()
            {
                return true;
            }
            at = next;
        }
        false
    }

    /// Takes the next row in the elevator's direction out; its extents are appended to `into`.
    pub(super) fn take_row(&mut self, into: &mut Vec<Extent>) -> Option<u64> {
        let row = self.next_row(self.cursor).or_else(|| self.next_row(0))?;
        self.cursor = row + 1;
        let mut at = std::mem::replace(&mut self.first[row as usize], NONE);
        while at != NONE {
            let Link { extent, next } = self.extents[at as usize];
            into.push(extent);
            self.release(at);
            at = next;
        }
        self.unmark(row as usize);
        Some(u64::from(row))
    }

    /// The first row with dirty extents from `from` on.
    fn next_row(&self, from: u32) -> Option<u32> {
        let from = from as usize;
        let word = from / 64;
        let here = self.rows.get(word)? & (!0u64 << (from % 64));
        if here != 0 {
            return Some((word * 64) as u32 + here.trailing_zeros());
        }
        let after = word + 1;
        let mut group = after / 64;
        let mut bits = self.words.get(group)? & (!0u64).checked_shl((after % 64) as u32)?;
        while bits == 0 {
            group += 1;
            bits = *self.words.get(group)?;
        }
        let word = group * 64 + bits.trailing_zeros() as usize;
        Some((word * 64) as u32 + self.rows[word].trailing_zeros())
    }

    fn mark(&mut self, row: usize) {
        self.rows[row / 64] |= 1 << (row % 64);
        self.words[row / 4096] |= 1 << (row / 64 % 64);
        self.row_count += 1;
    }

    fn unmark(&mut self, row: usize) {
        self.rows[row / 64] &= !(1 << (row % 64));
        if self.rows[row / 64] == 0 {
            self.words[row / 4096] &= !(1 << (row / 64 % 64));
        }
        self.row_count -= 1;
    }

    fn take(&mut self) -> u32 {
        match self.free {
            NONE => {
                self.extents.push(Link { extent: Extent::default(), next: NONE });
                (self.extents.len() - 1) as u32
            }
            place => {
                self.free = self.extents[place as usize].next;
                place
            }
        }
    }

    fn release(&mut self, place: u32) {
        self.extents[place as usize].next = self.free;
        self.free = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dirty() -> Dirty {
        let system = crate::system::System::shipped("fastt900").unwrap();
        Dirty::new(&Geometry::new(&system, 0, 0), 20_000 * 9 * 65_536)
    }

    fn extent(strip: u32, offset: u32, bytes: u32) -> Extent {
        Extent { strip, offset, bytes }
    }

    #[test]
    fn touching_extents_are_joined() {
        let mut dirty = dirty();
        assert_eq!(dirty.add(7, extent(0, 0, 4096)), (4096, 1));
        assert_eq!(dirty.add(7, extent(0, 8192, 4096)), (4096, 1));
        assert_eq!(dirty.add(7, extent(1, 4096, 4096)), (4096, 1));
        assert_eq!(dirty.add(7, extent(0, 4096, 4096)), (4096, -1));
        assert!(dirty.covers(7, &extent(0, 0, 12_288)));
        assert!(!dirty.covers(7, &extent(0, 0, 12_289)));
        assert_eq!(dirty.row_count(), 1);
    }

    #[test]
    fn rows_leave_in_the_order_of_the_elevator() {
        let mut dirty = dirty();
        let rows = [9_000, 3, 64, 63, 4_096, 19_999, 128];
        for row in rows {
            dirty.add(row, extent(0, 0, 512));
        }
        let mut taken = Vec::new();
        let mut extents = Vec::new();
        while let Some(row) = dirty.take_row(&mut extents) {
            taken.push(row);
            if row == 64 {
                dirty.add(5, extent(0, 0, 512));
            }
        }
        assert_eq!(taken, [3, 63, 64, 128, 4_096, 9_000, 19_999, 5]);
        assert_eq!(extents.len(), 8);
        assert_eq!(dirty.row_count(), 0);
    }
}
