//! A submission entry, laid out word by word.
//!
//! The builders of the ring's library fill an entry field by field, in fields of one to eight bytes,
//! and copy it as a whole; a processor waits when it reads back in one piece what it has just stored
//! in several. Whole words go straight into the ring.
#![allow(unsafe_code)]

use io_uring::squeue;
use kneepoint_core::load::backend::{Direction, Io};

/// `IORING_OP_READ_FIXED`, `IORING_OP_WRITE_FIXED`, `IORING_OP_READ` and `IORING_OP_WRITE`
/// (linux/io_uring.h).
const READ_FIXED: u64 = 4;
const WRITE_FIXED: u64 = 5;
const READ: u64 = 22;
const WRITE: u64 = 23;

/// `IOSQE_FIXED_FILE`, in the second byte.
const FIXED_FILE: u64 = 1 << 8;

/// The file of an I/O as the kernel knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum File {
    /// The number of a registered file.
    Registered(u32),
    /// A descriptor.
    Descriptor(i32),
}

/// The memory of an I/O: where it begins, and the number of the registered buffer that holds it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    /// Address of the first byte.
    pub(super) address: *mut u8,
    /// Number of its registered buffer, if there is one.
    pub(super) piece: Option<u16>,
}

/// The words of `struct io_uring_sqe` for `io`.
#[inline]
fn words(io: &Io, file: File, memory: Memory) -> [u64; 8] {
    let operation = match (io.direction, memory.piece) {
        (Direction::Read, Some(_)) => READ_FIXED,
        (Direction::Write, Some(_)) => WRITE_FIXED,
        (Direction::Read, None) => READ,
        (Direction::Write, None) => WRITE,
    };
    let (flags, number) = match file {
        File::Registered(number) => (FIXED_FILE, number),
        File::Descriptor(descriptor) => (0, descriptor as u32),
    };
    [
        operation | flags | u64::from(number) << 32,
        io.offset,
        memory.address as u64,
        u64::from(io.bytes),
        u64::from(io.slot),
        u64::from(memory.piece.unwrap_or(0)),
        0,
        0,
    ]
}

/// The entry of `io`; its slot comes back with the completion.
#[inline]
pub(super) fn entry(io: &Io, file: File, memory: Memory) -> squeue::Entry {
    // SAFETY: an entry is the 64 bytes of `struct io_uring_sqe`, all of whose fields are integers;
    // the word order is that of a little-endian machine, which the assertion below makes sure of.
    unsafe { std::mem::transmute::<[u64; 8], squeue::Entry>(words(io, file, memory)) }
}

const _: () =
    assert!(cfg!(target_endian = "little"), "entries are laid out for little-endian machines");

#[cfg(test)]
mod tests {
    use io_uring::opcode;
    use io_uring::types::{Fd, Fixed};
    use kneepoint_core::load::backend::Content;

    use super::*;

    const ADDRESS: *mut u8 = 0x1234_5678_9000 as *mut u8;

    fn io(direction: Direction) -> Io {
        let content = Content::Unique(0);
        Io { slot: 77, target: 5, direction, offset: 0x1122_3344_5000, bytes: 65_536, content }
    }

    /// What the kernel reads of an entry.
    fn bytes(entry: squeue::Entry) -> [u8; 64] {
        // SAFETY: an entry is 64 bytes of integers.
        unsafe { std::mem::transmute(entry) }
    }

    #[test]
    fn entries_are_those_of_the_library() {
        let registered = Memory { address: ADDRESS, piece: Some(3) };
        let read = opcode::ReadFixed::new(Fixed(5), ADDRESS, 65_536, 3).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Read), File::Registered(5), registered);
        assert_eq!(bytes(ours), bytes(read.build().user_data(77)));
        let write = opcode::WriteFixed::new(Fixed(5), ADDRESS, 65_536, 3).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Write), File::Registered(5), registered);
        assert_eq!(bytes(ours), bytes(write.build().user_data(77)));
    }

    #[test]
    fn entries_without_registration_are_those_of_the_library() {
        let plain = Memory { address: ADDRESS, piece: None };
        let read = opcode::Read::new(Fd(9), ADDRESS, 65_536).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Read), File::Descriptor(9), plain);
        assert_eq!(bytes(ours), bytes(read.build().user_data(77)));
        let write = opcode::Write::new(Fd(9), ADDRESS, 65_536).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Write), File::Descriptor(9), plain);
        assert_eq!(bytes(ours), bytes(write.build().user_data(77)));
    }
}
