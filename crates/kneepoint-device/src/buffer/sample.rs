//! What the last reads of a point brought: whether a target answers with zeros alone.
//!
//! The buffers are looked at once, after the last I/O came back; nothing is done per I/O.

use super::Buffers;

/// Content of a read buffer that nothing was read into yet.
const UNREAD: [u8; 8] = *b"unread\xA5\x5A";

/// This much of a buffer is looked at, in bytes: no block is smaller.
const LOOKED_AT: usize = 512;

/// At most this many buffers of a worker are looked at.
const BUFFERS_MAX: usize = 1024;

/// Buffers that were read into, and those among them that hold zeros alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ReadSample {
    /// Buffers that something was read into.
    pub(crate) read: u32,
    /// Those with nothing but zeros at their start.
    pub(crate) zero: u32,
}

impl ReadSample {
    /// Both together.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { read: self.read + other.read, zero: self.zero + other.zero }
    }
}

impl Buffers {
    /// Marks the read buffers, so that those that were read into can be told from the others.
    pub(super) fn mark_unread(&mut self) {
        for offset in self.sampled() {
            self.slice_mut(offset, UNREAD.len()).copy_from_slice(&UNREAD);
        }
    }

    /// Looks at the read buffers; no I/O may be in flight on them.
    pub(crate) fn read_sample(&mut self) -> ReadSample {
        let mut sample = ReadSample::default();
        for offset in self.sampled() {
            let start = self.slice_mut(offset, LOOKED_AT);
            if start.starts_with(&UNREAD) {
                continue;
            }
            sample.read += 1;
            sample.zero += u32::from(start.iter().all(|byte| *byte == 0));
        }
        sample
    }

    /// Where the read buffers that are looked at begin.
    fn sampled(&self) -> impl Iterator<Item = usize> + use<> {
        let (stride, end) = (self.shape.stride, self.shape.writes_start);
        let end = if self.is_empty() { 0 } else { end };
        (0..end).step_by(stride).take(BUFFERS_MAX)
    }
}
