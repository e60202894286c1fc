//! CPU time of this process over the course of a point.
#![allow(unsafe_code)]

use std::mem::zeroed;

use kneepoint_core::words::units::Nanos;

use crate::clock::monotonic;

/// A reading of the clock and of the process's CPU time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    at: Nanos,
    cpu: CpuTime,
}

/// CPU time of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CpuTime {
    /// In the program itself.
    pub(crate) user: Nanos,
    /// In the kernel on its behalf.
    pub(crate) system: Nanos,
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
        let cpu = CpuTime { user: nanos(usage.ru_utime), system: nanos(usage.ru_stime) };
        Self { at: monotonic(), cpu }
    }

    /// Time since `earlier`.
    pub(crate) fn since(self, earlier: Self) -> Nanos {
        self.at.since(earlier.at)
    }

    /// CPU time since `earlier`.
    pub(crate) fn cpu_since(self, earlier: Self) -> CpuTime {
        CpuTime {
            user: self.cpu.user.since(earlier.cpu.user),
            system: self.cpu.system.since(earlier.cpu.system),
        }
    }

    /// CPU time since `earlier`, in percent of one CPU.
    pub(crate) fn percent_since(self, earlier: Self) -> f64 {
        let wall = self.since(earlier).as_secs_f64();
        let cpu = self.cpu_since(earlier);
        let seconds = (cpu.user + cpu.system).as_secs_f64();
        if wall > 0.0 { 100.0 * seconds / wall } else { 0.0 }
    }
}

fn nanos(time: libc::timeval) -> Nanos {
    Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000)
}
