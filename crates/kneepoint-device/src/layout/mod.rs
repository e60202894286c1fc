//! Test files: really written, marked as ours, verified.
//!
//! A test file of 8 GiB is 8 GiB of data that cannot be compressed, followed by one block of
//! 4 KiB, the [`Mark`], which says that Kneepoint made the file and whether it is complete. The
//! mark stands at the end so that offset 0 of the file is offset 0 of the data for every tool.

mod extents;
mod fill;
mod mark;

pub(crate) use extents::shares_blocks;
pub use extents::{Extents, extents};
pub use fill::{FillProgress, fill};
pub use mark::{MARK_BYTES, Mark, read_mark, write_mark};
pub(crate) use mark::{Origin, origin};

use kneepoint_core::words::units::Bytes;

/// What must be done to a file before it can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutWork {
    /// The file is there, complete and large enough.
    Reuse,
    /// The file must be created, or written again.
    Write(Bytes),
    /// The file is ours and complete but smaller: bytes from the first number to the second are
    /// written.
    Extend(Bytes, Bytes),
}

impl LayoutWork {
    /// The work that a file with `mark` needs to serve `size` bytes.
    pub fn for_size(mark: Option<Mark>, size: Bytes) -> Self {
        match mark {
            Some(mark) if mark.complete && mark.size >= size => Self::Reuse,
            Some(mark) if mark.complete => Self::Extend(mark.size, size),
            _ => Self::Write(size),
        }
    }

    /// Bytes that will be written, the mark left out.
    pub fn bytes(self) -> Bytes {
        match self {
            Self::Reuse => Bytes(0),
            Self::Write(size) => size,
            Self::Extend(from, to) => Bytes(to.0 - from.0),
        }
    }

    /// First byte that will be written.
    pub fn start(self) -> Bytes {
        match self {
            Self::Reuse | Self::Write(_) => Bytes(0),
            Self::Extend(from, _) => from,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_file_is_reused_or_extended_and_any_other_written() {
        let mark = |size, complete| Some(Mark { size: Bytes(size), complete });
        let check = |mark, work| assert_eq!(LayoutWork::for_size(mark, Bytes(100)), work);
        check(None, LayoutWork::Write(Bytes(100)));
        check(mark(100, false), LayoutWork::Write(Bytes(100)));
        check(mark(100, true), LayoutWork::Reuse);
        check(mark(200, true), LayoutWork::Reuse);
        check(mark(60, true), LayoutWork::Extend(Bytes(60), Bytes(100)));
        assert_eq!(LayoutWork::Extend(Bytes(60), Bytes(100)).bytes(), Bytes(40));
    }
}
