//! The seam: what issues I/O, seen from the load loop.
//!
//! A backend owns the clock, so the same loop drives a disk, a null device and a simulated system
//! in virtual time. The loop is generic over this trait and compiled once per backend; nothing
//! behind it is called through a pointer, and no call allocates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::units::Nanos;

crate::named! {
    /// Whether an I/O reads or writes.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Direction {
        /// From the target.
        Read = "read",
        /// To the target.
        Write = "write",
    }
}

impl Direction {
    /// 0 for reads, 1 for writes.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What a write carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    /// Data that no other I/O of the run carries; the number makes it so.
    Unique(u64),
    /// One of a few blocks that are written again and again, by number.
    Duplicate(u32),
    /// None: the blocks are given back.
    Trim,
    /// None: the blocks become zeroes.
    Zeroes,
}

impl Content {
    /// What marks an I/O in the two upper bits of its offset, which no target is large enough for.
    #[inline]
    pub(super) const fn mark(self) -> u64 {
        match self {
            Self::Unique(_) | Self::Duplicate(_) => 0,
            Self::Trim => 1 << OFFSET_BITS,
            Self::Zeroes => 2 << OFFSET_BITS,
        }
    }
}

/// Bits of an offset that are no mark.
pub(super) const OFFSET_BITS: u32 = 62;

/// One I/O on its way to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Io {
    /// Where the I/O lives until it completes: a number below the worker's slot count, not in
    /// flight already.
    pub slot: u32,
    /// Index into the plan's targets.
    pub target: u32,
    /// Read or write.
    pub direction: Direction,
    /// First byte, a multiple of the target's alignment.
    pub offset: u64,
    /// Length in bytes, a multiple of the target's alignment, above zero.
    pub bytes: u32,
    /// What a write carries; of no meaning for a read.
    pub content: Content,
}

/// A flush on its way to a target: what was written there before becomes durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flush {
    /// The place of the flush until it completes, as that of an [`Io`].
    pub slot: u32,
    /// Index into the plan's targets.
    pub target: u32,
}

/// Index of the response class of flushes, behind those of [`Direction::index`].
pub const FLUSH_CLASS: usize = Direction::ALL.len();

/// Index of the response class of trims; that of zeroes is the next. No series has both flushes and these.
pub const TRIM_CLASS: usize = Direction::ALL.len();

/// The end of an I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// The slot that is free again.
    pub slot: u32,
    /// When the completion was seen, on the backend's clock.
    pub at: Nanos,
    /// Bytes transferred, 0 of a flush, or a negative error number as the kernel counts them.
    pub result: i32,
}

/// How late a deadline of [`Backend::wait_coarse`] may be noticed; a few times that where a full
/// queue stalls.
pub const DEADLINE_SLACK: Nanos = Nanos::from_millis(10);

/// Something that performs I/O and has a clock.
pub trait Backend {
    /// Now, on this backend's clock; never runs backwards.
    fn now(&self) -> Nanos;

    /// Queues one I/O into a free slot; never blocks, and need not start it before [`Self::wait`].
    fn submit(&mut self, io: Io);

    /// Queues a flush into a free slot, as [`Self::submit`] does an I/O.
    fn flush(&mut self, flush: Flush);

    /// Sends what is queued and returns at the first completion or at the deadline.
    ///
    /// Appends all completions that are there to `done`, in the order of their times. Returns at
    /// once where completions are waiting already, and at the deadline where nothing is in flight.
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>);

    /// Like [`Self::wait`], for a deadline at which nothing is issued: it may be noticed late, by about
    /// [`DEADLINE_SLACK`], if that saves time on every wait.
    #[inline]
    fn wait_coarse(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.wait(deadline, done);
    }
}
