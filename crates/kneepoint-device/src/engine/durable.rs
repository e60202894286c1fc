//! What the kernel is told so that written data is durable.

use kneepoint_core::spec::profile::{Durability, FlushCall, WriteSync};

/// The flags and calls that a profile's durability takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DurableCalls {
    /// Flags of each write (`RWF_*` of man 2 pwritev2); zero for none.
    pub(super) write_flags: i32,
    /// The call of a flush.
    pub(super) flush: FlushCall,
}

/// The flags with which `call` is `sync_file_range` (man 2 sync_file_range); `None` of other calls.
pub(super) const fn range_flags(call: FlushCall) -> Option<u32> {
    match call {
        FlushCall::Fdatasync | FlushCall::Fsync => None,
        FlushCall::SyncFileRange => Some(
            libc::SYNC_FILE_RANGE_WAIT_BEFORE
                | libc::SYNC_FILE_RANGE_WRITE
                | libc::SYNC_FILE_RANGE_WAIT_AFTER,
        ),
        FlushCall::SyncFileRangeWrite => Some(libc::SYNC_FILE_RANGE_WRITE),
    }
}

impl DurableCalls {
    /// Those of `durability`.
    pub(super) fn of(durability: Durability) -> Self {
        Self {
            write_flags: match durability.sync {
                None => 0,
                Some(WriteSync::Dsync) => libc::RWF_DSYNC,
                Some(WriteSync::Sync) => libc::RWF_SYNC,
            },
            flush: durability.flush.map_or(FlushCall::Fdatasync, |flush| flush.call),
        }
    }
}
