//! CPU time of single threads.
#![allow(unsafe_code)]

use kneepoint_core::words::units::Nanos;

/// The CPU clock of a thread, readable by all threads of the process (man 3
/// `pthread_getcpuclockid`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThreadClock {
    clock: libc::clockid_t,
    /// The kernel's number of the thread.
    pub(super) thread: libc::pid_t,
}

impl ThreadClock {
    /// The clock of the calling thread.
    pub(crate) fn of_this_thread() -> Option<Self> {
        let mut clock = 0;
        // SAFETY: the calling thread exists, and `clock` is valid for writing.
        let status = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        // SAFETY: the call takes nothing and gives a number.
        let thread = unsafe { libc::gettid() };
        (status == 0).then_some(Self { clock, thread })
    }

    /// CPU time of the thread so far; nothing once it has ended.
    pub(crate) fn now(self) -> Option<Nanos> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid timespec; the kernel refuses the clock of a thread that ended.
        let status = unsafe { libc::clock_gettime(self.clock, &mut time) };
        (status == 0).then(|| Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_uses_time_and_one_that_ended_has_no_clock() {
        let clock = ThreadClock::of_this_thread().unwrap();
        let before = clock.now().unwrap();
        let mut sum = 0_u64;
        while clock.now().unwrap().since(before) < Nanos::from_millis(2) {
            sum = std::hint::black_box(sum + 1);
        }
        let other = std::thread::Builder::new().spawn(ThreadClock::of_this_thread).unwrap();
        let ended = other.join().unwrap().unwrap();
        // A thread is joined a little before the kernel has let go of it.
        let is_gone = || {
            std::thread::sleep(std::time::Duration::from_millis(1));
            ended.now().is_none()
        };
        assert!((0..5_000).any(|_| is_gone()));
    }
}
