//! CPU time of this process over the course of a point.
#![allow(unsafe_code)]

use std::mem::zeroed;

use kneepoint_core::units::Nanos;

use crate::clock::monotonic;

/// A reading of the clock and of the process's CPU time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    at: Nanos,
    cpu: Nanos,
}

impl Usage {
    /// Reads both now.
    pub(crate) fn now() -> Self {
        // SAFETY: an all-zero rusage is valid, and the call fills it.
        let usage = unsafe {
            let mut usage: libc::rusage = zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &mut usage);
            usage
        };
        Self { at: monotonic(), cpu: nanos(usage.ru_utime) + nanos(usage.ru_stime) }
    }

    /// CPU time since `earlier`, in percent of one CPU.
    pub(crate) fn percent_since(self, earlier: Self) -> f64 {
        let wall = self.at.since(earlier.at).as_secs_f64();
        if wall > 0.0 { 100.0 * self.cpu.since(earlier.cpu).as_secs_f64() / wall } else { 0.0 }
    }
}

fn nanos(time: libc::timeval) -> Nanos {
    Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000)
}
