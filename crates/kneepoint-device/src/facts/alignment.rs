//! The smallest unit that direct I/O takes.

use rustix::fs::{AtFlags, CWD, StatxFlags};

use super::TargetFacts;

/// What `O_DIRECT` demands of a target, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectAlignment {
    /// Offsets and lengths are multiples of this.
    pub offset_bytes: u32,
    /// Buffers start at multiples of this.
    pub memory_bytes: u32,
    /// How it is known.
    pub source: AlignmentSource,
}

kneepoint_core::named! {
    /// How an alignment is known.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AlignmentSource {
        /// The kernel told it for this very file (`STATX_DIOALIGN`, statx(2), since Linux 6.1).
        Kernel = "told by the kernel",
        /// The logical block size of the device below, the largest where there are several.
        LogicalBlock = "logical block size of the device",
        /// Nothing is known; 512 bytes are the smallest block of any drive.
        Assumed = "assumed",
        /// The kernel said that this file takes no direct I/O at all.
        Unsupported = "direct I/O is not supported here",
    }
}

/// Smallest block of any drive, in bytes.
const SMALLEST_BLOCK: u32 = 512;

/// The smallest alignment of direct I/O on a target.
pub fn direct_alignment(facts: &TargetFacts) -> DirectAlignment {
    from_kernel(facts).unwrap_or_else(|| from_devices(facts))
}

fn from_kernel(facts: &TargetFacts) -> Option<DirectAlignment> {
    let stat = rustix::fs::statx(CWD, &facts.path, AtFlags::empty(), StatxFlags::DIOALIGN).ok()?;
    if !StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::DIOALIGN) {
        return None;
    }
    let (offset_bytes, memory_bytes) = (stat.stx_dio_offset_align, stat.stx_dio_mem_align);
    // Both are 0 where the file takes no direct I/O.
    if offset_bytes == 0 || memory_bytes == 0 {
        let (offset_bytes, memory_bytes) = (SMALLEST_BLOCK, SMALLEST_BLOCK);
        let source = AlignmentSource::Unsupported;
        return Some(DirectAlignment { offset_bytes, memory_bytes, source });
    }
    Some(DirectAlignment { offset_bytes, memory_bytes, source: AlignmentSource::Kernel })
}

fn from_devices(facts: &TargetFacts) -> DirectAlignment {
    let devices = facts.stack().map_or(&[][..], super::DeviceStack::tops);
    let largest = devices.iter().map(|device| device.logical_block_bytes).max();
    let (bytes, source) = match largest {
        Some(bytes) => (bytes, AlignmentSource::LogicalBlock),
        None => (SMALLEST_BLOCK, AlignmentSource::Assumed),
    };
    DirectAlignment { offset_bytes: bytes, memory_bytes: bytes, source }
}
