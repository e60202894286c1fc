//! Ctrl-C: the first ends the point cleanly, the second ends the process.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit code of a process that a second Ctrl-C ended (128 + SIGINT).
const EXIT_KILLED: i32 = 130;

/// Whether the user wants to stop.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to SIGINT and SIGTERM from now on.
    pub(crate) fn listen() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order the first signal finds the flag down and only raises it.
            flag::register_conditional_shutdown(signal, EXIT_KILLED, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }

    /// Whether a signal came.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
