//! Watches what may hang: a target that does not answer is told of, and Ctrl-C ends the program
//! all the same.

use std::convert::Infallible;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::units::Nanos;
use kneepoint_device::LEFT_BEHIND;

use super::Interrupt;
use crate::output::print::tell;

/// A target that has done nothing for so long may hang.
const SILENCE: Duration = Duration::from_secs(10);

/// What blocks is left alone for so long after Ctrl-C.
const GRACE: Duration = Duration::from_secs(3);

/// How often a vigil looks.
const LOOK: Duration = Duration::from_millis(100);

/// Exit code of a run that was not finished.
const EXIT_UNFINISHED: i32 = 1;

/// Says once in a silence that no I/O completes.
#[derive(Debug, Default)]
pub(super) struct Silence {
    is_told: bool,
}

impl Silence {
    /// Notes that no I/O has completed for `quiet`.
    pub(super) fn look(&mut self, quiet: Nanos) {
        let is_long = Duration::from_nanos(quiet.0) >= SILENCE;
        if is_long && !self.is_told {
            tell(format!(
                "no I/O has completed for {} s; Ctrl-C ends the run with what was measured, twice \
                 ends at once",
                SILENCE.as_secs()
            ));
        }
        self.is_told = is_long;
    }
}

/// What is done when targets are first looked at.
pub(crate) const LOOKING: &str = "looking at the targets";

/// A watch over calls that block for as long as the target likes; over when it is dropped.
#[derive(Debug)]
pub(crate) struct Vigil {
    /// Counts what has moved.
    moves: Arc<AtomicU64>,
    /// The watch is over when this goes away.
    _end: Sender<Infallible>,
}

impl Vigil {
    /// Watches over `doing`, such as "opening the targets", in a run that can be interrupted.
    pub(crate) fn keep(doing: &str, interrupt: &Interrupt) -> Self {
        Self::begin(Watch { doing: doing.to_owned(), interrupt: Some(interrupt.clone()) })
    }

    /// Watches over `doing` in a program that does not listen to Ctrl-C, and is ended by it.
    pub(crate) fn keep_without_interrupt(doing: &str) -> Self {
        Self::begin(Watch { doing: doing.to_owned(), interrupt: None })
    }

    fn begin(watch: Watch) -> Self {
        let (end, ended) = channel();
        let moves = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&moves);
        let watch = move || watch.watch(&seen, &ended);
        // Without a thread there is no watch, but everything else works.
        let _ = thread::Builder::new().name("vigil".to_owned()).spawn(watch);
        Self { moves, _end: end }
    }

    /// Notes that something has moved.
    pub(crate) fn moved(&self) {
        self.moves.fetch_add(1, Ordering::Relaxed);
    }
}

/// What is watched over, and what Ctrl-C does meanwhile.
struct Watch {
    doing: String,
    /// Nothing if Ctrl-C ends the program by itself.
    interrupt: Option<Interrupt>,
}

impl Watch {
    /// Watches until the vigil is over.
    fn watch(&self, moves: &AtomicU64, ended: &Receiver<Infallible>) {
        let (mut last, mut is_told, mut asked) = (Instant::now(), false, None);
        let mut seen = 0;
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let now = moves.load(Ordering::Relaxed);
            if now != seen {
                (seen, last, is_told) = (now, Instant::now(), false);
            }
            if !is_told && last.elapsed() >= SILENCE {
                is_told = true;
                self.tell_silence();
            }
            if self.interrupt.as_ref().is_some_and(Interrupt::is_asked) {
                let since = *asked.get_or_insert_with(Instant::now);
                if since.elapsed() >= GRACE && last.elapsed() >= GRACE {
                    tell(format!("interrupted while {}; {LEFT_BEHIND}", self.doing));
                    exit(EXIT_UNFINISHED);
                }
            }
        }
    }

    fn tell_silence(&self) {
        let ends = match self.interrupt {
            Some(_) => "Ctrl-C ends the run, twice ends at once",
            None => "Ctrl-C ends the program",
        };
        tell(format!("{}: nothing has moved for {} s; {ends}", self.doing, SILENCE.as_secs()));
    }
}
