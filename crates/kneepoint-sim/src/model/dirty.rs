//! The data of one array in its controller's write cache, by row, in the order of the rows.

use super::engine::Slab;
use super::geometry::{Extent, Geometry};

/// No extent.
const NONE: u32 = u32::MAX;

/// Rows that share a block.
const BLOCK_ROWS: usize = 64;

/// The dirty extents of an array. Memory goes with what is dirty, not with the size of the array:
/// of rows without dirty extents only a number for every 64 of them is kept.
#[derive(Debug)]
pub(super) struct Dirty {
    /// One more than the number of each block; zero where none of its rows is dirty.
    numbers: Vec<u32>,
    /// A bit per block with dirty rows.
    words: Vec<u64>,
    blocks: Slab<DirtyBlock>,
    extents: Slab<Link>,
    /// Rows with dirty extents.
    pub(super) row_count: u32,
    cursor: u32,
    /// How often the elevator has begun again at the first row.
    sweeps: u64,
}

/// Rows next to one another, of which at least one is dirty.
#[derive(Debug)]
struct DirtyBlock {
    /// A bit per row with dirty extents.
    rows: u64,
    /// First extent of each row.
    first: [u32; BLOCK_ROWS],
}

impl Default for DirtyBlock {
    fn default() -> Self {
        Self { rows: 0, first: [NONE; BLOCK_ROWS] }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Link {
    extent: Extent,
    next: u32,
}

impl Dirty {
    /// Nothing dirty in an array of `bytes`.
    pub(super) fn new(geometry: &Geometry, bytes: u64) -> Self {
        let rows = (bytes / geometry.row_bytes() + 2) as usize;
        let blocks = rows.div_ceil(BLOCK_ROWS);
        Self {
            numbers: vec![0; blocks],
            words: vec![0; blocks.div_ceil(64)],
            blocks: Slab::default(),
            extents: Slab::default(),
            row_count: 0,
            cursor: 0,
            sweeps: 0,
        }
    }

    /// Adds an extent and joins it with what it touches; returns how many bytes and extents more
    /// are dirty now (extents may become fewer).
    pub(super) fn add(&mut self, row: u64, mut extent: Extent) -> (i64, i64) {
        let row = row as usize;
        let block = self.block_with(row);
        let (mut joined_bytes, mut joined_count) = (0, 0);
        let mut previous = NONE;
        let mut first = self.blocks[block].first[row % BLOCK_ROWS];
        let mut at = first;
        while at != NONE {
            let Link { extent: other, next } = self.extents[at];
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
                    NONE => first = next,
                    _ => self.extents[previous].next = next,
                }
                self.extents.release(at);
            } else {
                previous = at;
            }
            at = next;
        }
        if first == NONE && joined_count == 0 {
            self.blocks[block].rows |= 1 << (row % BLOCK_ROWS);
            self.row_count += 1;
        }
        let place = self.extents.take();
        self.extents[place] = Link { extent, next: first };
        self.blocks[block].first[row % BLOCK_ROWS] = place;
        (i64::from(extent.bytes) - joined_bytes, 1 - joined_count)
    }

    /// True if all of `extent` is dirty in one piece.
    pub(super) fn covers(&self, row: u64, extent: &Extent) -> bool {
        let row = row as usize;
        let block = self.block_of(row / BLOCK_ROWS);
        let mut at = block.map_or(NONE, |block| self.blocks[block].first[row % BLOCK_ROWS]);
        while at != NONE {
            let Link { extent: other, next } = self.extents[at];
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
        let row = match self.next_row(self.cursor) {
            Some(row) => row,
            None => {
                let row = self.next_row(0)?;
                self.sweeps += 1;
                row
            }
        };
        self.cursor = row + 1;
        let block = self.block_of(row as usize / BLOCK_ROWS)?;
        let first = &mut self.blocks[block].first[row as usize % BLOCK_ROWS];
        let mut at = std::mem::replace(first, NONE);
        while at != NONE {
            let Link { extent, next } = self.extents[at];
            into.push(extent);
            self.extents.release(at);
            at = next;
        }
        self.unmark(block, row as usize);
        Some(u64::from(row))
    }

    /// Where the elevator is: its turn, and the next row. What is dirty now has left once it has come to the
    /// same row of the next turn.
    pub(super) const fn position(&self) -> (u64, u32) {
        (self.sweeps, self.cursor)
    }

    /// The first row with dirty extents from `from` on.
    fn next_row(&self, from: u32) -> Option<u32> {
        let from = from as usize;
        let here = self.rows(from / BLOCK_ROWS) & (!0u64 << (from % BLOCK_ROWS));
        if here != 0 {
            return Some((from / BLOCK_ROWS * BLOCK_ROWS) as u32 + here.trailing_zeros());
        }
        let after = from / BLOCK_ROWS + 1;
        let mut group = after / 64;
        let mut bits = self.words.get(group)? & (!0u64).checked_shl((after % 64) as u32)?;
        while bits == 0 {
            group += 1;
            bits = *self.words.get(group)?;
        }
        let index = group * 64 + bits.trailing_zeros() as usize;
        Some((index * BLOCK_ROWS) as u32 + self.rows(index).trailing_zeros())
    }

    /// The number of the block at `index`; `None` where none of its rows is dirty.
    fn block_of(&self, index: usize) -> Option<u32> {
        self.numbers.get(index)?.checked_sub(1)
    }

    /// The dirty rows of the block at `index`, a bit each.
    fn rows(&self, index: usize) -> u64 {
        self.block_of(index).map_or(0, |block| self.blocks[block].rows)
    }

    /// The number of the block of `row`, which is about to be dirty.
    fn block_with(&mut self, row: usize) -> u32 {
        let index = row / BLOCK_ROWS;
        self.block_of(index).unwrap_or_else(|| {
            let block = self.blocks.take();
            self.numbers[index] = block + 1;
            self.words[index / 64] |= 1 << (index % 64);
            block
        })
    }

    /// Takes a row without extents out, and its block where that was the last dirty row.
    fn unmark(&mut self, block: u32, row: usize) {
        self.blocks[block].rows &= !(1 << (row % BLOCK_ROWS));
        if self.blocks[block].rows == 0 {
            let index = row / BLOCK_ROWS;
            self.numbers[index] = 0;
            self.words[index / 64] &= !(1 << (index % 64));
            self.blocks.release(block);
        }
        self.row_count -= 1;
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
        assert_eq!(dirty.row_count, 1);
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
        assert_eq!(dirty.row_count, 0);
    }

    #[test]
    fn memory_goes_with_what_is_dirty() {
        let mut dirty = dirty();
        let mut extents = Vec::new();
        for row in (0..20_000).step_by(64) {
            dirty.add(row, extent(0, 0, 512));
            assert_eq!(dirty.take_row(&mut extents), Some(row));
        }
        assert_eq!((dirty.blocks.places(), dirty.blocks.in_use()), (1, 0));
        assert_eq!(dirty.extents.places(), 1);
    }
}
