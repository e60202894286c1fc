//! Copies of programs: processes that wait for the start, work, and are judged by what they have computed.

use std::sync::mpsc::Sender;
use std::time::Instant;

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

/// A program of which copies can be started: one of Kneepoint's, or one of the user's own.
pub(super) trait Contestant {
    /// The name of the member.
    fn member(&self) -> &str;

    /// How many processes `copies` copies are: as many, unless a harness starts them itself.
    fn processes(&self, copies: usize) -> usize {
        copies
    }

    /// The command by which copy number `copy` runs by itself, for people.
    fn by_itself(&self, copy: usize) -> String;

    /// Starts copy number `copy` on the processors `cpus`, if there are any to choose; it waits for its release.
    /// What becomes of it goes to `words`.
    ///
    /// # Errors
    /// When no process or thread can be started.
    fn start(
        &self,
        copy: usize,
        cpus: &[usize],
        words: Sender<Word>,
    ) -> Result<Box<dyn StartedCopy>, Fault>;

    /// Judges what copy number `copy` has computed, after all of a round are done; `None` if `go_on` says no
    /// before it is known.
    ///
    /// # Errors
    /// When it is wrong.
    fn check(
        &self,
        copy: usize,
        report: &Report,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Right>, Fault>;
}

/// What was computed is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Right {
    /// The copy took as long as it was seen to.
    AsSeen,
    /// By the harness that ran all copies, they took this long.
    Took(Nanos),
}

/// A copy that was started. It ends when this is dropped.
pub(super) trait StartedCopy {
    /// Lets it begin. One that has ended is noticed by what it does not say.
    fn release(&mut self);
}

/// What has become of a copy.
pub(super) enum Said {
    /// It waits for the start.
    Ready,
    /// It is done.
    Done(Report),
    /// It has failed.
    Failed(Fault),
}

/// Something that became of a copy, and when.
pub(super) struct Word {
    /// Which copy.
    pub(super) copy: usize,
    /// What.
    pub(super) said: Said,
    /// When it was noticed.
    pub(super) at: Instant,
}

/// What a copy did.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report {
    /// SHA-256 of its output, if it said it.
    pub(super) digest: Option<String>,
    /// Processor time in seconds.
    pub(super) processor_s: f64,
}
