//! Traces: I/Os that other tools recorded, one after the other.
//!
//! A [`TraceReader`] tells what a stream of bytes is and gives its I/Os in the order of the file, however long
//! that is: it keeps one line. [`Description`] counts what is in a trace, [`Resemblance`] makes a load profile
//! of it and tells how far that is from the trace.

mod blkparse;
mod blktrace;
mod described;
mod description;
mod disksim;
mod field;
mod frequent;
mod iolog;
mod msr;
mod part;
mod reader;
mod replayed;
mod resemblance;
mod sample;
mod spc;
mod text;

use kneepoint_core::load::backend::Direction;
use kneepoint_core::spec::trace::TraceEvent;
use kneepoint_core::words::units::Nanos;

pub use blktrace::lost_events;
pub use described::{Described, DeviceExtent, SizeCount, TouchShare, WindowUse};
pub use description::Description;
pub use part::PartOfTrace;
pub use reader::{HEAD_BYTES, TraceReader, packed, still_packed};
pub use replayed::replayed;
pub use resemblance::{Kept, Resemblance, profile_of};

/// A format of traces that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceFormat {
    /// The I/O log of fio, version 2 or 3.
    FioIolog,
    /// CSV of the block traces of Microsoft Research Cambridge.
    Msr,
    /// CSV of the Storage Performance Council's trace format.
    Spc,
    /// The ASCII format of the simulator DiskSim, with times in milliseconds, or in whole nanoseconds.
    DiskSim,
    /// What `blkparse` prints.
    Blkparse,
    /// What `blktrace` records, of one processor or joined by `blkparse -d`.
    Blktrace,
}

impl TraceFormat {
    /// The format of what begins with `head`; `None` for no known one.
    pub fn told(head: &[u8]) -> Option<Self> {
        match blktrace::is_one(head) {
            true => Some(Self::Blktrace),
            false => text::told(head),
        }
    }

    /// What a file of the format is, with its article.
    pub const fn label(self) -> &'static str {
        match self {
            Self::FioIolog => "an I/O log of fio",
            Self::Msr => "a block trace in the CSV of MSR Cambridge",
            Self::Spc => "a trace in the CSV of the SPC",
            Self::DiskSim => "a trace in the ASCII of DiskSim",
            Self::Blkparse => "the text of blkparse",
            Self::Blktrace => "a binary of blktrace",
        }
    }

    /// Whether it has an event for each step of an I/O through the kernel.
    pub const fn has_events(self) -> bool {
        matches!(self, Self::Blkparse | Self::Blktrace)
    }
}

/// An I/O of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceIo {
    /// Since the first I/O; never before the I/O above it.
    pub at: Nanos,
    /// Number of the device, in the order in which the trace names them.
    pub device: u32,
    /// Read or write.
    pub direction: Direction,
    /// First byte.
    pub offset: u64,
    /// Length in bytes: 1 byte to 1 GiB.
    pub bytes: u32,
}

impl TraceIo {
    /// The byte after the last.
    pub const fn end(&self) -> u64 {
        self.offset + self.bytes as u64
    }
}

/// Most devices of a trace.
pub const DEVICES_MAX: usize = 4096;

/// Largest I/O of a trace, in bytes.
pub const IO_BYTES_MAX: u64 = 1 << 30;

/// The end of the largest device that a trace can have, in bytes (4 EiB).
pub const OFFSET_END: u64 = 1 << 62;

#[cfg(test)]
mod tests;
