//! Counts of the kernel beside I/O: processor time of all processors (`/proc/stat`, proc(5)), of
//! the threads of the kernel, and of ours; pages of a file in the page cache; the wall clock
//! against the monotonic clock.

#![allow(unsafe_code)]

use std::fs;
use std::fs::File;
use std::os::fd::AsRawFd;

use kneepoint_core::words::units::Nanos;
use rustix::time::ClockId;

use super::sampler::run_delay;
use crate::clock::monotonic;

/// Time of all processors since the machine started, in clock ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ProcessorTicks {
    /// Programs, whatever their priority.
    pub(super) user: u64,
    /// The kernel on behalf of threads.
    pub(super) system: u64,
    /// Taken by the hypervisor.
    pub(super) stolen: u64,
    /// All of these, idle time, waiting and interrupts.
    pub(super) all: u64,
}

impl ProcessorTicks {
    /// Reads the first line: user, nice, system, idle, iowait, irq, softirq, steal; the guests'
    /// times that follow are contained in the first two.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let fields: Vec<u64> =
            line.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [user, nice, system, ..] = *fields.first_chunk::<4>()?;
        Some(Self {
            user: user + nice,
            system,
            stolen: fields.get(7).copied().unwrap_or(0),
            all: fields.iter().take(8).sum(),
        })
    }
}

/// Clock ticks per second in `/proc`.
pub(super) fn ticks_per_s() -> f64 {
    rustix::param::clock_ticks_per_second() as f64
}

/// The flag of a thread of the kernel (`PF_KTHREAD` in include/linux/sched.h).
const KERNEL_THREAD: u64 = 0x0020_0000;

/// All threads of the kernel together, since the machine started: on loop, md and dm devices they
/// carry out our I/Os.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct KernelThreads {
    /// Clock ticks that they used.
    pub(super) ticks: u64,
    /// Nanoseconds for which they were ready to run and had no processor; `None` where the kernel
    /// does not tell.
    pub(super) wait_ns: Option<u64>,
}

impl KernelThreads {
    /// Their use so far; nothing where none is visible, as within a container. Takes some
    /// 10 us for each of them, so it is for before and after a point.
    pub(super) fn now() -> Option<Self> {
        let mut sum: Option<Self> = None;
        for pid in children_of_kthreadd().or_else(all_processes)? {
            let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).ok();
            let Some(ticks) = read("stat").and_then(|stat| ticks(&stat)) else { continue };
            let wait_ns = read("schedstat").and_then(|text| run_delay(&text));
            let before = sum.unwrap_or(Self { ticks: 0, wait_ns: Some(0) });
            let wait_ns = before.wait_ns.zip(wait_ns).map(|(sum, wait)| sum + wait);
            sum = Some(Self { ticks: before.ticks + ticks, wait_ns });
        }
        sum
    }
}

/// The daemon that starts kernel threads, which is always the second process (kernel/kthread.c).
const KTHREADD: u32 = 2;

/// The daemon that starts kernel threads, and its children (man 5 proc); `None` where the kernel does not
/// tell whose children processes are. There can be a thousand times as many processes.
fn children_of_kthreadd() -> Option<Vec<u32>> {
    let children = fs::read_to_string(format!("/proc/{KTHREADD}/task/{KTHREADD}/children")).ok()?;
    let children = children.split_whitespace().map(str::parse);
    [Ok(KTHREADD)].into_iter().chain(children).collect::<Result<_, _>>().ok()
}

/// All processes.
fn all_processes() -> Option<Vec<u32>> {
    let entries = fs::read_dir("/proc").ok()?;
    let number = |name: std::ffi::OsString| name.to_str()?.parse().ok();
    Some(entries.filter_map(|entry| number(entry.ok()?.file_name())).collect())
}

/// The time in a line of `/proc/PID/stat` where it is a kernel thread's: flags are field 9, times
/// fields 14 and 15 (man 5 proc). The second field is the name in parentheses and may hold spaces.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let flags: u64 = fields.nth(9 - 3)?.parse().ok()?;
    let user: u64 = fields.nth(14 - 9 - 1)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    (flags & KERNEL_THREAD != 0).then_some(user + system)
}

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
        let thread = rustix::thread::gettid().as_raw_pid();
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

/// Number of the call `cachestat`, new in Linux 6.5; the same on every architecture
/// (include/uapi/asm-generic/unistd.h).
const CACHESTAT: libc::c_long = 451;

/// `struct cachestat_range`; a length of 0 reaches to the end.
#[repr(C)]
struct CacheRange {
    offset: u64,
    length: u64,
}

/// `struct cachestat`, in pages.
#[repr(C)]
#[derive(Default)]
struct Stat {
    cached: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

/// Bytes of `file` in the page cache; nothing where the kernel does not tell.
pub(crate) fn cached_bytes(file: &File) -> Option<u64> {
    let (mut range, mut stat) = (CacheRange { offset: 0, length: 0 }, Stat::default());
    // SAFETY: both structures are valid for the call and laid out as the kernel's; the descriptor
    // is open as long as `file` is borrowed.
    let status = unsafe { libc::syscall(CACHESTAT, file.as_raw_fd(), &mut range, &mut stat, 0) };
    (status == 0).then(|| stat.cached * rustix::param::page_size() as u64)
}

/// Two readings of the monotonic clock around one of the wall clock are at most this far apart, in
/// nanoseconds, unless the thread was interrupted.
const UNDISTURBED_NS: i64 = 20_000;

/// Attempts to read the clocks without an interruption.
const ATTEMPTS: u32 = 5;

/// Nanoseconds by which the wall clock is ahead of the monotonic clock.
pub(super) fn clock_offset() -> i64 {
    let mut best = (i64::MAX, 0);
    for _ in 0..ATTEMPTS {
        let before = monotonic().0.cast_signed();
        let time = rustix::time::clock_gettime(ClockId::Realtime);
        let wall = time.tv_sec * 1_000_000_000 + time.tv_nsec;
        let width = monotonic().0.cast_signed() - before;
        if width < best.0 {
            best = (width, wall - before - width / 2);
        }
        if width <= UNDISTURBED_NS {
            break;
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_all_processors() {
        let text = "cpu  100 20 30 1000 5 6 7 8 90 9\ncpu0 1 2 3 4\n";
        let ticks = ProcessorTicks { user: 120, system: 30, stolen: 8, all: 1176 };
        assert_eq!(ProcessorTicks::parse(text), Some(ticks));
        let old = ProcessorTicks { user: 3, system: 3, stolen: 0, all: 10 };
        assert_eq!(ProcessorTicks::parse("cpu 1 2 3 4"), Some(old));
        assert_eq!(ProcessorTicks::parse("cpu0 1 2 3 4"), None);
        assert_eq!(ProcessorTicks::parse("cpu a b c d"), None);
        assert_eq!(ProcessorTicks::parse(""), None);
    }

    #[test]
    fn threads_of_the_kernel_are_told_by_their_flag() {
        let kernel = "2 (kworker/0:1 (x)) I 2 0 0 0 -1 69238880 1 2 3 4 7 35 0 0 20 0 1 0 9 0 0";
        let program = "9 (a b) S 1 9 9 0 -1 4194560 1 2 3 4 7 35 0 0 20 0 1 0 9 0 0";
        assert_eq!(ticks(kernel), Some(42));
        assert_eq!(ticks(program), None);
        assert_eq!(ticks("9 (a"), None);
    }

    #[test]
    fn every_thread_of_the_kernel_is_a_child_of_its_daemon() {
        let Some(mut children) = children_of_kthreadd() else { return };
        // Threads come and go: those that have been there for long are in both.
        let is_kernel = |pid: &u32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok();
            stat.and_then(|stat| ticks(&stat)).is_some()
        };
        let all: Vec<u32> = all_processes().unwrap().into_iter().filter(is_kernel).collect();
        children.extend(children_of_kthreadd().unwrap());
        let missing = all.iter().filter(|pid| is_kernel(pid) && !children.contains(pid));
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<&u32>::new());
    }

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

#[cfg(test)]
mod cached_tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    #[test]
    fn what_was_just_written_is_cached() {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(&[1; 64 * 1024], 0).unwrap();
        match cached_bytes(&file) {
            Some(bytes) => assert!(bytes >= 64 * 1024, "{bytes}"),
            None => kneepoint_testkit::skipped("no cachestat on this kernel"),
        }
    }
}

#[cfg(test)]
mod clock_offset_tests {
    use super::*;

    #[test]
    fn two_readings_differ_by_less_than_a_step() {
        let difference = clock_offset() - clock_offset();
        assert!(difference.abs() < 5_000_000, "{difference} ns");
    }
}
