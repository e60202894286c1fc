//! The parts of a ring beside its queues: the number that the kernel looks up faster than a file
//! descriptor, entries laid out word by word, and a tick that ends waits without a time limit.

#![allow(unsafe_code)]

use std::ffi::c_void;
use std::os::fd::{AsRawFd as _, BorrowedFd, RawFd};

use io_uring::types::{TimeoutFlags, Timespec};
use io_uring::{IoUring, cqueue, opcode, squeue};
use kneepoint_core::load::backend::{DEADLINE_SLACK, Direction, Io};
use kneepoint_core::spec::profile::FlushCall;
use kneepoint_core::words::units::Nanos;
use rustix::io::Result;
use rustix::io_uring::{
    IoringEnterFlags, IoringRegisterOp, io_uring_enter, io_uring_enter_arg, io_uring_getevents_arg,
    io_uring_ptr, io_uring_register, io_uring_rsrc_update,
};

use super::durable::range_flags;

/// Of every wait.
const WAIT: IoringEnterFlags = IoringEnterFlags::GETEVENTS.union(IoringEnterFlags::REGISTERED_RING);

/// The number of a ring that is registered with the thread that uses it (man 2
/// io_uring_register, Linux 5.18). Calls with it do without counting the users of a descriptor
/// that the threads of a process share.
#[derive(Debug)]
pub(super) struct RingNumber {
    descriptor: RawFd,
    number: u32,
}

impl RingNumber {
    /// Registers `ring` with this thread. `None` where the kernel does not, and for a ring whose
    /// submissions are polled, which is called in other ways.
    pub(super) fn register(ring: &IoUring) -> Option<Self> {
        if ring.params().is_setup_sqpoll() {
            return None;
        }
        let descriptor = ring.as_raw_fd();
        let mut update = ring_update(u32::MAX);
        update.data = io_uring_ptr::new(descriptor as usize as *mut c_void);
        let registered = call(descriptor, IoringRegisterOp::RegisterRingFds, &mut update);
        (registered == Ok(1)).then_some(Self { descriptor, number: update.offset })
    }

    /// Submits `queued` entries and waits for `wanted` completions, for as long as `limit` says or
    /// for ever. Whatever ends the wait early is no error: what has completed is in the ring.
    #[inline]
    pub(super) fn enter(&self, queued: u32, wanted: u32, limit: Option<&Timespec>) {
        // SAFETY: with this flag the kernel takes the number for a registered ring's, which this
        // one is until it is dropped.
        let ring = unsafe { BorrowedFd::borrow_raw(self.number as RawFd) };
        // SAFETY: the entries that are queued were pushed whole; the argument outlives the call.
        let _ = unsafe {
            match limit {
                None => io_uring_enter(ring, queued, wanted, WAIT),
                Some(limit) => {
                    let argument = argument(limit);
                    let flags = WAIT | IoringEnterFlags::EXT_ARG;
                    io_uring_enter_arg(ring, queued, wanted, flags, Some(&argument))
                }
            }
        };
    }
}

impl Drop for RingNumber {
    fn drop(&mut self) {
        let mut update = ring_update(self.number);
        let _ = call(self.descriptor, IoringRegisterOp::UnregisterRingFds, &mut update);
    }
}

/// An update of the registered ring `number`; all ones ask for any number, which is given back.
fn ring_update(number: u32) -> io_uring_rsrc_update {
    let mut update = io_uring_rsrc_update::default();
    update.offset = number;
    update
}

/// The time limit of a wait.
fn argument(limit: &Timespec) -> io_uring_getevents_arg {
    io_uring_getevents_arg {
        ts: io_uring_ptr::new(std::ptr::from_ref(limit).cast_mut().cast()),
        ..io_uring_getevents_arg::default()
    }
}

/// `io_uring_register` with one update.
fn call(
    descriptor: RawFd,
    operation: IoringRegisterOp,
    update: &mut io_uring_rsrc_update,
) -> Result<u32> {
    let update = std::ptr::from_mut(update).cast::<c_void>();
    // SAFETY: `update` is what both operations take; the ring is open as long as its number is
    // used.
    unsafe { io_uring_register(BorrowedFd::borrow_raw(descriptor), operation, update, 1) }
}

/// `IORING_OP_FSYNC`, `IORING_OP_READ_FIXED`, `IORING_OP_WRITE_FIXED`, `IORING_OP_SYNC_FILE_RANGE`,
/// `IORING_OP_READ` and `IORING_OP_WRITE` (linux/io_uring.h).
const FSYNC: u64 = 3;
const READ_FIXED: u64 = 4;
const WRITE_FIXED: u64 = 5;
const SYNC_FILE_RANGE: u64 = 8;
const READ: u64 = 22;
const WRITE: u64 = 23;

/// `IOSQE_FIXED_FILE`, in the second byte.
const FIXED_FILE: u64 = 1 << 8;

/// The file of an I/O as the kernel knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryFile {
    /// The number of a registered file.
    Registered(u32),
    /// A descriptor.
    Descriptor(i32),
}

impl EntryFile {
    /// Its part of the first word: the flag in the second byte, the number in the upper half.
    #[inline]
    fn word(self) -> u64 {
        let (flags, number) = match self {
            Self::Registered(number) => (FIXED_FILE, number),
            Self::Descriptor(descriptor) => (0, descriptor as u32),
        };
        flags | u64::from(number) << 32
    }
}

/// The memory of an I/O: where it begins, and the number of the registered buffer that holds it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    /// Address of the first byte.
    pub(super) address: *mut u8,
    /// Number of its registered buffer, if there is one.
    pub(super) piece: Option<u16>,
}

/// `IORING_FSYNC_DATASYNC`, in the upper half of its word.
const DATASYNC: u64 = 1 << 32;

/// The flags of writes where an entry has them: in the upper half of the word with the length.
pub(super) const fn write_flags_word(flags: i32) -> u64 {
    (flags as u32 as u64) << 32
}

/// The words of `struct io_uring_sqe` for `io`; a write has `write_flags`.
///
/// The builders of the ring's library fill an entry field by field, in fields of one to eight
/// bytes, and copy it as a whole; a processor waits when it reads back in one piece what it has
/// just stored in several. Whole words go straight into the ring.
#[inline]
fn words(io: &Io, file: EntryFile, memory: Memory, write_flags: u64) -> [u64; 8] {
    let (operation, io_flags) = match (io.direction, memory.piece) {
        (Direction::Read, Some(_)) => (READ_FIXED, 0),
        (Direction::Write, Some(_)) => (WRITE_FIXED, write_flags),
        (Direction::Read, None) => (READ, 0),
        (Direction::Write, None) => (WRITE, write_flags),
    };
    [
        operation | file.word(),
        io.offset,
        memory.address as u64,
        u64::from(io.bytes) | io_flags,
        u64::from(io.slot),
        u64::from(memory.piece.unwrap_or(0)),
        0,
        0,
    ]
}

/// The entry of `io`; its slot comes back with the completion.
#[inline]
pub(super) fn entry(io: &Io, file: EntryFile, memory: Memory, write_flags: u64) -> squeue::Entry {
    entry_of(words(io, file, memory, write_flags))
}

/// The entry of a flush; its slot comes back with the completion.
#[inline]
pub(super) fn flush_entry(slot: u32, file: EntryFile, call: FlushCall) -> squeue::Entry {
    // A range that begins at 0 and has no length is the whole file; the flags are in the upper half of the word with
    // the length.
    let (operation, flags) = match (call, range_flags(call)) {
        (FlushCall::Fdatasync, _) => (FSYNC, DATASYNC),
        (_, None) => (FSYNC, 0),
        (_, Some(flags)) => (SYNC_FILE_RANGE, u64::from(flags) << 32),
    };
    entry_of([operation | file.word(), 0, 0, flags, u64::from(slot), 0, 0, 0])
}

/// An entry of these words.
#[inline]
fn entry_of(words: [u64; 8]) -> squeue::Entry {
    // SAFETY: an entry is the 64 bytes of `struct io_uring_sqe`, all of whose fields are integers;
    // the word order is that of a little-endian machine, which the assertion below makes sure of.
    unsafe { std::mem::transmute::<[u64; 8], squeue::Entry>(words) }
}

const _: () =
    assert!(cfg!(target_endian = "little"), "entries are laid out for little-endian machines");

/// Marks the completions of the timer; slots have smaller numbers.
pub(super) const TICK_DATA: u64 = u64::MAX;

/// Time between two ticks.
const PERIOD: Nanos = DEADLINE_SLACK;

/// How a deadline is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// It is not missed.
    Exact,
    /// It may be noticed late, by about [`DEADLINE_SLACK`].
    Lenient,
}

/// The timer of a ring, which ends a wait without its own time limit.
///
/// A wait with a time limit starts and stops a timer of the kernel, for about 1 us each time: at
/// one outstanding I/O on a fast device that is a tenth of the response time. One timer that
/// completes again and again does instead, as long as the deadline is farther away than its period,
/// or need not be met exactly. The period is a compromise, too: every tick is an interrupt, and
/// costs the I/O that it hits 10 to 20 us on a virtual machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tick {
    /// Running.
    Armed,
    /// To be started, with the next submission.
    Due,
    /// The kernel or the ring has none (multishot timeouts: Linux 6.4).
    Absent,
}

impl Tick {
    /// Of a ring whose waits block in the kernel.
    pub(super) fn of(ring: &IoUring) -> Self {
        let parameters = ring.params();
        match parameters.is_setup_sqpoll() || parameters.is_setup_iopoll() {
            true => Self::Absent,
            false => Self::Due,
        }
    }

    /// Starts the timer of `ring` if it is due. What is queued is submitted, too.
    #[inline]
    pub(super) fn arm(&mut self, ring: &mut IoUring) {
        if *self == Self::Due {
            *self = Self::armed(ring);
        }
    }

    fn armed(ring: &mut IoUring) -> Self {
        if ring.submission().is_full() {
            // An error shows in the next submission, too.
            let _ = ring.submit();
        }
        let period = Timespec::new().nsec(PERIOD.0 as u32);
        let timer = opcode::Timeout::new(&raw const period).flags(TimeoutFlags::MULTISHOT);
        let entry = timer.build().user_data(TICK_DATA);
        // SAFETY: the kernel reads the period while it takes the entry, within this function.
        let pushed = unsafe { ring.submission().push(&entry) };
        let is_taken = pushed.is_ok() && ring.submit().is_ok();
        if is_taken { Self::Armed } else { Self::Absent }
    }

    /// True if a wait that lasts for `patience` at the longest can do without a time limit.
    #[inline]
    pub(super) fn serves(self, patience: Nanos, manner: Manner) -> bool {
        let is_near = manner == Manner::Exact && patience < PERIOD;
        self == Self::Armed && !is_near
    }

    /// Takes a completion of the timer.
    pub(super) fn note(&mut self, completion: &cqueue::Entry) {
        if !cqueue::more(completion.flags()) {
            let has_run = completion.result() == -libc::ETIME;
            *self = if has_run { Self::Due } else { Self::Absent };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread can have 16 numbers at once.
    const NUMBERS_MAX: usize = 16;

    #[test]
    fn a_number_is_given_back() {
        let Ok(ring) = IoUring::new(4) else {
            kneepoint_testkit::skipped("the kernel gives no ring");
            return;
        };
        let first = RingNumber::register(&ring);
        for _ in 0..=NUMBERS_MAX {
            let number = RingNumber::register(&ring);
            assert_eq!(number.is_some(), first.is_some());
        }
    }
}

#[cfg(test)]
mod entry_tests {
    use io_uring::opcode;
    use io_uring::types::{Fd, Fixed, FsyncFlags};
    use kneepoint_core::load::backend::Content;

    use super::*;

    const ADDRESS: *mut u8 = 0x1234_5678_9000 as *mut u8;

    fn io(direction: Direction) -> Io {
        let content = Content::Unique(0);
        Io { slot: 77, target: 5, direction, offset: 0x1122_3344_5000, bytes: 65_536, content }
    }

    /// The bytes of an entry that the kernel reads.
    fn bytes(entry: squeue::Entry) -> [u8; 64] {
        // SAFETY: an entry is 64 bytes of integers.
        unsafe { std::mem::transmute(entry) }
    }

    #[test]
    fn entries_are_those_of_the_library() {
        let registered = Memory { address: ADDRESS, piece: Some(3) };
        let read = opcode::ReadFixed::new(Fixed(5), ADDRESS, 65_536, 3).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Read), EntryFile::Registered(5), registered, 0);
        assert_eq!(bytes(ours), bytes(read.build().user_data(77)));
        let write = opcode::WriteFixed::new(Fixed(5), ADDRESS, 65_536, 3).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Write), EntryFile::Registered(5), registered, 0);
        assert_eq!(bytes(ours), bytes(write.build().user_data(77)));
    }

    #[test]
    fn entries_without_registration_are_those_of_the_library() {
        let plain = Memory { address: ADDRESS, piece: None };
        let read = opcode::Read::new(Fd(9), ADDRESS, 65_536).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Read), EntryFile::Descriptor(9), plain, 0);
        assert_eq!(bytes(ours), bytes(read.build().user_data(77)));
        let write = opcode::Write::new(Fd(9), ADDRESS, 65_536).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Write), EntryFile::Descriptor(9), plain, 0);
        assert_eq!(bytes(ours), bytes(write.build().user_data(77)));
    }

    #[test]
    fn entries_of_durable_writes_are_those_of_the_library() {
        let plain = Memory { address: ADDRESS, piece: None };
        let dsync = write_flags_word(libc::RWF_DSYNC);
        let write = opcode::Write::new(Fd(9), ADDRESS, 65_536).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Write), EntryFile::Descriptor(9), plain, dsync);
        let theirs = write.rw_flags(libc::RWF_DSYNC).build().user_data(77);
        assert_eq!(bytes(ours), bytes(theirs));
        let read = opcode::Read::new(Fd(9), ADDRESS, 65_536).offset(0x1122_3344_5000);
        let ours = entry(&io(Direction::Read), EntryFile::Descriptor(9), plain, dsync);
        assert_eq!(bytes(ours), bytes(read.build().user_data(77)), "reads have no flags of writes");
    }

    #[test]
    fn entries_of_flushes_are_those_of_the_library() {
        let flush = opcode::Fsync::new(Fixed(5)).flags(FsyncFlags::DATASYNC);
        let ours = flush_entry(77, EntryFile::Registered(5), FlushCall::Fdatasync);
        assert_eq!(bytes(ours), bytes(flush.build().user_data(77)));
        let ours = flush_entry(77, EntryFile::Descriptor(9), FlushCall::Fsync);
        assert_eq!(bytes(ours), bytes(opcode::Fsync::new(Fd(9)).build().user_data(77)));
        let range = opcode::SyncFileRange::new(Fd(9), 0);
        let ours = flush_entry(77, EntryFile::Descriptor(9), FlushCall::SyncFileRangeWrite);
        let theirs = range.flags(libc::SYNC_FILE_RANGE_WRITE).build().user_data(77);
        assert_eq!(bytes(ours), bytes(theirs));
    }
}
