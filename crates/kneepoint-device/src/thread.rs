//! Threads that cannot be started: the user may have no more processes, or the machine no memory.

use std::io;

use kneepoint_core::words::fault::Fault;

/// The fault that `what` failed for want of a thread.
pub fn unstarted(what: impl Into<String>, error: &io::Error) -> Fault {
    Fault::new(what)
        .because(format!("no thread can be started: {error}"))
        .fix("raise the limit of processes (ulimit -u), or end other programs")
}
