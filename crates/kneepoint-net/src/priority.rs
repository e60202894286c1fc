//! Threads that talk go before those that measure: a busy host is not a dead one.

use rustix::process::setpriority_process;

/// More urgent than what programs begin with, which is 0; -20 is the most (setpriority(2)).
const URGENT: i32 = -10;

/// Lets this thread go before others of the machine, if its user may: root, or whoever has `CAP_SYS_NICE`.
/// Otherwise it has the share of any thread, which the scheduler gives soon to one that mostly sleeps.
pub(crate) fn hurry() {
    // On Linux the priority belongs to a thread, and no process means the calling one (setpriority(2)).
    let _ = setpriority_process(None, URGENT);
}
