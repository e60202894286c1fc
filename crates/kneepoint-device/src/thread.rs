//! Threads: those that cannot be started (the user may have no more processes, or the machine no
//! memory), and workers on CPUs of their own.
#![allow(unsafe_code)]

use std::io;
use std::mem::{size_of, zeroed};

use kneepoint_core::words::fault::Fault;

/// The fault that `what` failed for want of a thread.
pub fn unstarted(what: impl Into<String>, error: &io::Error) -> Fault {
    Fault::new(what)
        .because(format!("no thread can be started: {error}"))
        .fix("raise the limit of processes (ulimit -u), or end other programs")
}

/// CPUs that this process may run on, in rising order.
pub fn allowed_cpus() -> Vec<usize> {
    // SAFETY: an all-zero CPU set is a valid, empty one.
    let mut set: libc::cpu_set_t = unsafe { zeroed() };
    // SAFETY: `set` is valid for its size; 0 means the calling thread.
    let status = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) };
    if status != 0 {
        return Vec::new();
    }
    // SAFETY: the index is below the set's capacity.
    (0..libc::CPU_SETSIZE as usize).filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &set) }).collect()
}

/// Pins the calling thread to one CPU; does nothing where the kernel refuses.
pub(crate) fn pin_to(cpu: usize) {
    // SAFETY: an all-zero CPU set is a valid, empty one.
    let mut set: libc::cpu_set_t = unsafe { zeroed() };
    // SAFETY: the CPU came from `allowed_cpus`, so it is below the set's capacity.
    unsafe { libc::CPU_SET(cpu, &mut set) };
    // SAFETY: `set` is valid for its size; 0 means the calling thread.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) };
}
