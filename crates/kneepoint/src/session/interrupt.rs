//! Ctrl-C and its kin: the first ends the point cleanly, the second ends the process.

use std::fs;
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use kneepoint_core::words::fault::Fault;
use kneepoint_device::signals::leave_to_other_threads;
use kneepoint_device::thread::unstarted;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};

use crate::output::print::tell;

/// Exit codes of a process that a signal ended begin behind this one.
const EXIT_KILLED: i32 = 128;

/// Whether the user wants to stop.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to SIGINT, SIGTERM, SIGQUIT and SIGHUP from now on, and answers the first at once, in
    /// its own thread: the others may be waiting for a target that hangs.
    ///
    /// A terminal that goes away may send SIGHUP several times (the kernel does, and so does the
    /// shell), so a second one does not end the process before settings are put back. Where SIGHUP
    /// is ignored, as below `nohup`, it stays ignored.
    ///
    /// # Errors
    /// When signals cannot be listened to, or no thread can be started.
    pub(crate) fn listen() -> Result<Self, Fault> {
        const WHAT: &str = "cannot listen to Ctrl-C";
        let asked = Arc::new(AtomicBool::new(false));
        let mut heard = register(&asked).map_err(|error| {
            Fault::new(WHAT).because(error).fix("close files, or raise their limit (ulimit -n)")
        })?;
        let answer = move || {
            if heard.read_exact(&mut [0]).is_ok() {
                tell("stopping; what was measured is kept. Ctrl-C again ends at once");
            }
            // The next signal comes here, too.
            loop {
                thread::park();
            }
        };
        let started = thread::Builder::new().name("interrupt".to_owned()).spawn(answer);
        started.map_err(|error| unstarted(WHAT, &error))?;
        leave_to_other_threads(&[SIGINT, SIGTERM, SIGQUIT, SIGHUP])
            .map_err(|error| Fault::new(WHAT).because(error))?;
        Ok(Self(asked))
    }

    /// No one wants to stop.
    #[cfg(test)]
    pub(super) fn never() -> Self {
        Self(Arc::default())
    }

    /// Whether a signal came.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Has signals raise the flag; gives what can be read once the first has come.
fn register(asked: &Arc<AtomicBool>) -> io::Result<UnixStream> {
    let (heard, signalled) = UnixStream::pair()?;
    for signal in [SIGINT, SIGTERM, SIGQUIT] {
        // In this order the first signal finds the flag down and only raises it.
        let code = EXIT_KILLED + signal;
        flag::register_conditional_shutdown(signal, code, Arc::clone(asked))?;
        flag::register(signal, Arc::clone(asked))?;
        low_level::pipe::register(signal, signalled.try_clone()?)?;
    }
    if !is_ignored(SIGHUP) {
        flag::register(SIGHUP, Arc::clone(asked))?;
    }
    Ok(heard)
}

/// Makes writing beyond a limit on the size of files (`ulimit -f`) an error, instead of the end of
/// the process (SIGXFSZ, setrlimit(2)).
pub(crate) fn survive_file_size_limit() -> io::Result<()> {
    // A handler, not SIG_IGN: commands of the user inherit what is ignored, but no handler.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Whether the process was started with `signal` ignored (`SigIgn` in /proc/PID/status, man 5 proc).
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
