//! The kernel's submission and completion rings (man 7 io_uring).

#![allow(unsafe_code)]

use std::io;

use io_uring::types::{SubmitArgs, Timespec};
use io_uring::{IoUring, squeue};
use kneepoint_core::load::backend::{Backend, Completion, Flush, Io};
use kneepoint_core::plan::Engine;
use kneepoint_core::words::units::Nanos;

use super::durable::DurableCalls;
use super::ring::{
    EntryFile, Manner, Memory, RingNumber, TICK_DATA, Tick, entry, flush_entry, write_flags_word,
};
use super::submit_policy::{PolicyTuner, Submission, SubmitPolicy};
use super::{Descriptors, WorkerBackend};
use crate::buffer::{BufferNeeds, Buffers, ReadSample};
use crate::clock::Clock;

/// The kernel's thread sleeps after this many milliseconds without a submission.
const SUBMISSION_IDLE_MS: u32 = 100;

/// I/O through one ring: batched submission, registered files and buffers where the kernel
/// grants them.
pub struct UringBackend<'a> {
    // The order counts: the number is given back while the ring is open, and the ring is closed
    // before the buffers that it writes into are unmapped.
    number: Option<RingNumber>,
    ring: IoUring,
    clock: Clock,
    descriptors: Descriptors<'a>,
    buffers: Buffers,
    durable: DurableCalls,
    /// The flags of writes, as a part of their entries.
    write_flags: u64,
    registered: Registered,
    registered_files: bool,
    setup: Setup,
    tactician: PolicyTuner,
    tick: Tick,
    in_flight: u32,
}

/// How the buffers are known to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Registered {
    /// Not at all: it looks up their pages for every I/O.
    Nothing,
    /// As one piece.
    Whole,
    /// In pieces of this many bytes.
    Pieces(usize),
}

impl Registered {
    /// Number of the piece that holds byte `offset`.
    #[inline]
    const fn piece(self, offset: usize) -> Option<u16> {
        match self {
            Self::Nothing => None,
            Self::Whole => Some(0),
            Self::Pieces(bytes) => Some((offset / bytes) as u16),
        }
    }
}

/// How a ring was set up, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// [`Self::DeferTaskRun`] with `IORING_SETUP_NO_SQARRAY` (Linux 6.6): entries are taken in the
    /// order of the ring.
    DeferTaskRunNoArray,
    /// `IORING_SETUP_SINGLE_ISSUER` with `IORING_SETUP_DEFER_TASKRUN` (Linux 6.1).
    DeferTaskRun,
    /// `IORING_SETUP_COOP_TASKRUN` (Linux 5.19).
    CoopTaskRun,
    /// No flags (Linux 5.1).
    Plain,
    /// `IORING_SETUP_SQPOLL`.
    SubmissionPolled,
    /// `IORING_SETUP_IOPOLL`.
    CompletionPolled,
}

/// The side that is polled instead of being called or interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polling {
    /// Nothing.
    None,
    /// The submission ring, by a thread of the kernel.
    Submission,
    /// The device, by the thread that waits.
    Completion,
}

impl Polling {
    /// The polling of `engine`.
    pub const fn of(engine: Engine) -> Self {
        match engine {
            Engine::IoUringSqPoll => Self::Submission,
            Engine::IoUringIoPoll => Self::Completion,
            Engine::IoUring
            | Engine::Libaio
            | Engine::Sync
            | Engine::Null
            | Engine::Sim
            | Engine::Threads
            | Engine::Processes => Self::None,
        }
    }

    /// The setups to try, the best first.
    const fn setups(self) -> &'static [Setup] {
        match self {
            Self::None => {
                &[Setup::DeferTaskRunNoArray, Setup::DeferTaskRun, Setup::CoopTaskRun, Setup::Plain]
            }
            Self::Submission => &[Setup::SubmissionPolled],
            Self::Completion => &[Setup::CompletionPolled],
        }
    }
}

/// The features that the kernel granted to a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// Flags of the ring.
    pub setup: Setup,
    /// Buffers are registered.
    pub registered_buffers: bool,
    /// Files are registered.
    pub registered_files: bool,
}

impl<'a> UringBackend<'a> {
    /// A backend for `needs.slots` I/Os in flight. It must be used on the thread that made it.
    ///
    /// # Errors
    /// When the kernel has no rings or refuses one, or there is not enough memory.
    pub fn new(
        descriptors: Descriptors<'a>,
        needs: BufferNeeds<'_>,
        clock: Clock,
        polling: Polling,
    ) -> io::Result<Self> {
        let buffers = Buffers::new(needs)?;
        let durable = DurableCalls::of(needs.profile.durability);
        let (ring, setup) = open_ring(needs.slots, polling)?;
        let registered_files = ring.submitter().register_files(descriptors.0).is_ok();
        let registered = register_buffers(&ring, &buffers);
        Ok(Self {
            number: RingNumber::register(&ring),
            tick: Tick::of(&ring),
            ring,
            clock,
            descriptors,
            buffers,
            durable,
            write_flags: write_flags_word(durable.write_flags),
            registered,
            registered_files,
            setup,
            tactician: PolicyTuner::new(needs.slots, Submission::plain_for(needs.profile)),
            in_flight: 0,
        })
    }

    /// The features that the kernel granted.
    pub fn granted(&self) -> Granted {
        Granted {
            setup: self.setup,
            registered_buffers: self.registered != Registered::Nothing,
            registered_files: self.registered_files,
        }
    }

    /// The submission entry of `io`.
    #[inline]
    fn entry(&mut self, io: &Io) -> squeue::Entry {
        let offset = self.buffers.prepare(io);
        let file = self.file(io.target);
        let memory =
            Memory { address: self.buffers.address(offset), piece: self.registered.piece(offset) };
        entry(io, file, memory, self.write_flags)
    }

    /// The file of `target`, as an entry names it.
    #[inline]
    fn file(&self, target: u32) -> EntryFile {
        match self.registered_files {
            true => EntryFile::Registered(target),
            false => EntryFile::Descriptor(self.descriptors.0[target as usize]),
        }
    }

    /// Puts an entry into the ring.
    #[inline]
    fn push(&mut self, entry: &squeue::Entry) {
        // SAFETY: the buffer stays until the I/O completes, the descriptor as long as the backend.
        let pushed = unsafe { self.ring.submission().push(entry) };
        debug_assert!(pushed.is_ok(), "the ring has an entry for every slot");
        self.in_flight += 1;
    }

    /// Sends what is queued and waits for completions, as many as pay, for `patience` or until a
    /// tick; says which.
    ///
    /// A time-out, an interruption or a full completion queue end the wait early and are no
    /// errors; whatever has completed is taken by [`Self::reap`].
    #[inline]
    fn enter(&mut self, patience: Nanos, manner: Manner) -> Limit {
        let SubmitPolicy { submission, wanted } = self.tactician.tactic(self.in_flight);
        if submission == Submission::OneByOne {
            self.submit_but_the_last();
        }
        if self.tick.serves(patience, manner) {
            self.call(wanted, None);
            return Limit::Tick;
        }
        let timeout = Timespec::new()
            .sec(patience.0 / 1_000_000_000)
            .nsec((patience.0 % 1_000_000_000) as u32);
        self.call(wanted, Some(&timeout));
        Limit::Patience
    }

    /// The system call.
    #[inline]
    fn call(&mut self, wanted: u32, limit: Option<&Timespec>) {
        if let Some(number) = &self.number {
            let queued = self.ring.submission().len() as u32;
            number.enter(queued, wanted, limit);
            return;
        }
        let submitter = self.ring.submitter();
        let _ = match limit {
            Some(limit) => {
                submitter.submit_with_args(wanted as usize, &SubmitArgs::new().timespec(limit))
            }
            None => submitter.submit_and_wait(wanted as usize),
        };
    }

    /// Submits all that is queued, one by one, but the last.
    fn submit_but_the_last(&mut self) {
        let queued = self.ring.submission().len();
        for _ in 1..queued {
            // SAFETY: the entries were pushed whole; no argument is passed.
            let _ = unsafe { self.ring.submitter().enter::<libc::sigset_t>(1, 0, 0, None) };
        }
    }

    /// Sends what is queued and returns at the first completion or at the deadline.
    #[inline]
    fn await_completions(&mut self, deadline: Nanos, manner: Manner, done: &mut Vec<Completion>) {
        if self.in_flight == 0 {
            match manner {
                Manner::Exact => self.clock.sleep_until(deadline),
                Manner::Lenient => self.clock.doze_until(deadline),
            }
            return;
        }
        self.tick.arm(&mut self.ring);
        let mut now = self.clock.last();
        loop {
            let patience = self.clock.patience(now, deadline);
            let limit = self.enter(patience, manner);
            self.reap(done);
            if !done.is_empty() {
                return;
            }
            if limit == Limit::Patience && patience > Nanos::ZERO {
                self.clock.woke(now + patience);
            }
            now = self.clock.now();
            if now >= deadline {
                return;
            }
        }
    }

    /// Takes all completions that are there.
    #[inline]
    fn reap(&mut self, done: &mut Vec<Completion>) {
        let mut completions = self.ring.completion();
        completions.sync();
        if completions.is_empty() {
            return;
        }
        let at = self.clock.now();
        let before = done.len();
        for entry in completions {
            match entry.user_data() {
                TICK_DATA => self.tick.note(&entry),
                slot => done.push(Completion { slot: slot as u32, at, result: entry.result() }),
            }
        }
        let count = done.len() - before;
        self.tactician.count(count, self.in_flight, at);
        self.in_flight -= count as u32;
    }
}

/// The limit of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// The next tick of the ring.
    Tick,
    /// A timer of its own.
    Patience,
}

/// A ring for `slots` I/Os with the best setup that the kernel takes.
fn open_ring(slots: u32, polling: Polling) -> io::Result<(IoUring, Setup)> {
    let mut refused = io::Error::from_raw_os_error(libc::EINVAL);
    for setup in polling.setups().iter().copied() {
        let mut builder = IoUring::builder();
        match setup {
            Setup::DeferTaskRunNoArray => {
                builder.setup_single_issuer().setup_defer_taskrun().setup_no_sqarray()
            }
            Setup::DeferTaskRun => builder.setup_single_issuer().setup_defer_taskrun(),
            Setup::CoopTaskRun => builder.setup_coop_taskrun(),
            Setup::Plain => &mut builder,
            Setup::SubmissionPolled => builder.setup_sqpoll(SUBMISSION_IDLE_MS),
            Setup::CompletionPolled => builder.setup_iopoll(),
        };
        // The kernel's thread gives entries back after the whole batch: their I/Os may have
        // completed before, and have others in their places.
        let entries = if polling == Polling::Submission { 2 * slots } else { slots };
        match builder.build(entries.next_power_of_two()) {
            Ok(ring) => return Ok((ring, setup)),
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => refused = error,
            Err(error) => return Err(error),
        }
    }
    Err(refused)
}

/// Registers the buffers piece by piece, where the kernel takes them.
fn register_buffers(ring: &IoUring, buffers: &Buffers) -> Registered {
    let pieces: Vec<libc::iovec> = buffers
        .pieces()
        .into_iter()
        .map(|(start, length)| libc::iovec {
            iov_base: buffers.address(start).cast(),
            iov_len: length,
        })
        .collect();
    // SAFETY: the pieces lie in the arena, which outlives the ring or is leaked.
    match (unsafe { ring.submitter().register_buffers(&pieces) }, pieces.len()) {
        (Err(_), _) => Registered::Nothing,
        (Ok(()), 1) => Registered::Whole,
        (Ok(()), _) => Registered::Pieces(buffers.piece_bytes()),
    }
}

impl WorkerBackend for UringBackend<'_> {
    fn change_load(&mut self, slots: u32) {
        self.tactician = self.tactician.resized(slots);
    }

    fn read_sample(&self) -> ReadSample {
        self.buffers.read_sample()
    }

    fn buffers(&mut self) -> Option<&mut Buffers> {
        Some(&mut self.buffers)
    }
}

impl Backend for UringBackend<'_> {
    #[inline]
    fn now(&self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn submit(&mut self, io: Io) {
        let entry = self.entry(&io);
        self.push(&entry);
    }

    #[inline]
    fn flush(&mut self, flush: Flush) {
        let entry = flush_entry(flush.slot, self.file(flush.target), self.durable.flush);
        self.push(&entry);
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.await_completions(deadline, Manner::Exact, done);
    }

    #[inline]
    fn wait_coarse(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.await_completions(deadline, Manner::Lenient, done);
    }
}

impl Drop for UringBackend<'_> {
    /// Gives back what is registered while the ring is open. The kernel takes a ring down some 50
    /// ms after it was closed, and the targets would stay open for as long, beyond the end of the
    /// process: the next run would find its device in use.
    fn drop(&mut self) {
        if self.registered_files {
            let _ = self.ring.submitter().unregister_files();
        }
        if self.in_flight > 0 {
            self.buffers.leak();
        } else if self.registered != Registered::Nothing {
            let _ = self.ring.submitter().unregister_buffers();
        }
    }
}
