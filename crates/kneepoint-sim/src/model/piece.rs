//! Disk operations: what controllers ask of drives.

use super::disk::{Class, Service};

/// What waits for a disk operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Owner {
    /// A host I/O, by slot.
    Io(u32),
    /// A row update, by number.
    Update(u32),
    /// Nothing.
    #[default]
    NoOne,
    /// The rebuilding of an array, by number.
    Rebuild(u32),
    /// A stream that is read ahead, by number.
    Ahead(u32),
}

/// A disk operation in flight.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Piece {
    /// What waits for it.
    pub(super) owner: Owner,
    /// The drive, counted over all arrays.
    pub(super) drive: u32,
    /// Length in bytes.
    pub(super) bytes: u32,
    /// First byte on the drive.
    pub(super) start: u64,
    /// What is done.
    pub(super) class: Class,
    /// Disadvantage in the drive's choice of the next command, in ns.
    pub(super) bias_ns: i32,
    /// Where the drive's time went.
    pub(super) service: Service,
    /// Time on links and waiting for them, in ns.
    pub(super) links_ns: u64,
}

/// A stretch of one drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The drive, counted over all arrays.
    pub(super) drive: u32,
    /// First byte on the drive.
    pub(super) start: u64,
    /// Length in bytes.
    pub(super) bytes: u32,
}
