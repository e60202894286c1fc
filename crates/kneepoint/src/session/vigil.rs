//! Watches what may hang: a target that does not answer is told of, and Ctrl-C ends the program
//! all the same.

use std::process::exit;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::drive::Flow;
use kneepoint_core::units::Nanos;

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

/// What is said of threads that the kernel does not let go.
pub(super) const LEFT_BEHIND: &str = "the target hangs: what waits for it is left behind. If this \
    process does not end, the kernel holds it until the target answers, is reset or unmounted";

/// Says once in a silence that no I/O completes.
#[derive(Debug, Default)]
pub(super) struct Silence {
    is_told: bool,
}

impl Silence {
    /// Notes that no I/O has completed for `quiet`; `Stop` once the user wants to stop.
    pub(super) fn look(&mut self, quiet: Nanos, interrupt: &Interrupt) -> Flow {
        let is_long = Duration::from_nanos(quiet.0) >= SILENCE;
        if is_long && !self.is_told {
            tell(format!(
                "no I/O has completed for {} s; Ctrl-C ends the run with what was measured, twice \
                 ends at once",
                SILENCE.as_secs()
            ));
        }
        self.is_told = is_long;
        if interrupt.is_asked() { Flow::Stop } else { Flow::Continue }
    }
}

/// A watch over calls that block for as long as the target likes; over when it is dropped.
#[derive(Debug)]
pub(super) struct Vigil {
    moved: Option<Sender<()>>,
}

impl Vigil {
    /// Watches over `doing`, such as "opening the targets".
    pub(super) fn keep(doing: &str, interrupt: &Interrupt) -> Self {
        let (moved, news) = channel();
        let (doing, interrupt) = (doing.to_owned(), interrupt.clone());
        let watch = move || {
            let (mut last, mut is_told, mut asked) = (Instant::now(), false, None);
            loop {
                match news.recv_timeout(LOOK) {
                    Ok(()) => (last, is_told) = (Instant::now(), false),
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if !is_told && last.elapsed() >= SILENCE {
                    is_told = true;
                    tell(format!(
                        "{doing}: nothing has moved for {} s; Ctrl-C ends the run, twice ends at \
                         once",
                        SILENCE.as_secs()
                    ));
                }
                if interrupt.is_asked() {
                    let since = *asked.get_or_insert_with(Instant::now);
                    if since.elapsed() >= GRACE && last.elapsed() >= GRACE {
                        tell(format!("interrupted while {doing}; {LEFT_BEHIND}"));
                        exit(EXIT_UNFINISHED);
                    }
                }
            }
        };
        // Without a thread there is no watch, but everything else works.
        let spawned = thread::Builder::new().name("vigil".to_owned()).spawn(watch);
        Self { moved: spawned.ok().map(|_| moved) }
    }

    /// Notes that something has moved.
    pub(super) fn moved(&self) {
        if let Some(moved) = &self.moved {
            let _ = moved.send(());
        }
    }
}
