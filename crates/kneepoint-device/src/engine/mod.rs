//! Engines: the system interfaces that issue I/O.

mod aio;
mod entry;
mod null;
mod probe;
mod ring_number;
mod submit_policy;
mod sync;
mod tick;
mod uring;

use std::os::fd::RawFd;

use crate::buffer::ReadSample;

pub use aio::AioBackend;
pub use null::NullBackend;
pub use probe::{choose_engine, engine_facts};
pub use sync::SyncBackend;
pub use uring::{Polling, UringBackend};

/// Open targets as a backend sees them: file descriptors by the plan's target index.
///
/// They stay open for as long as any backend of the run lives.
#[derive(Debug, Clone, Copy)]
pub struct Descriptors<'a>(pub &'a [RawFd]);

/// A backend whose read buffers can be looked at once its I/Os came back.
pub(crate) trait Readable {
    /// What the last reads brought.
    fn read_sample(&mut self) -> ReadSample;
}

/// The negative error number of the last failed system call.
fn last_errno() -> i32 {
    -std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}
