//! This process as the kernel has it: which of its threads answers signals, its threads on CPUs of
//! their own, its CPU time, and its user.

#![allow(unsafe_code)]

use std::mem::{MaybeUninit, zeroed};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::{fs, io, ptr};

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::clock::monotonic;

/// Leaves these signals to threads that were started before: the calling thread, and all that it
/// starts from now on, no longer take them. Programs inherit that (execve(2)), unless
/// [`taken_by`] is said of them.
///
/// A thread that waits for a device which hangs runs no handler (signal(7)), and the kernel likes
/// to choose the first thread of a process.
///
/// # Errors
/// When one of the numbers is no signal.
pub fn leave_to_other_threads(signals: &[i32]) -> io::Result<()> {
    change(libc::SIG_BLOCK, signals)
}

/// Has the calling thread, and all that it starts from now on, take every signal, whatever it has inherited.
///
/// # Errors
/// When the kernel refuses.
pub fn take_all_signals() -> io::Result<()> {
    change(libc::SIG_SETMASK, &[])
}

/// Has a program take every signal, whichever thread starts it.
pub(crate) fn taken_by(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec this makes a set and sets the mask, both of which are safe
    // there (signal-safety(7)); it allocates nothing.
    unsafe { command.pre_exec(take_all_signals) }
}

/// Changes what the calling thread does not take.
fn change(how: libc::c_int, signals: &[i32]) -> io::Result<()> {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the call makes an empty set where it points.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    for signal in signals {
        // SAFETY: the set was made above.
        if unsafe { libc::sigaddset(set.as_mut_ptr(), *signal) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    // SAFETY: the set was made above, and the one before is not asked for.
    match unsafe { libc::pthread_sigmask(how, set.as_ptr(), ptr::null_mut()) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// The fault that `what` failed for want of a thread: the user may have no more processes, or the
/// machine no memory.
pub fn unstarted(what: impl Into<String>, error: &io::Error) -> Fault {
    Fault::new(what)
        .because(format!("no thread can be started: {error}"))
        .fix("raise the limit of processes (ulimit -u), or end other programs")
}

/// CPUs that this process may run on, in rising order.
pub fn allowed_cpus() -> Vec<usize> {
    let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

/// The same, those of different cores first: the second thread of a core comes after the first of all.
pub fn allowed_cpus_by_core() -> Vec<usize> {
    let mut cpus = allowed_cpus();
    let threads = hyper_threads_of(&cpus, siblings);
    let is_second = |cpu: &usize| threads.iter().any(|(thread, _)| thread == cpu);
    cpus.sort_by_key(|cpu| (is_second(cpu), *cpu));
    cpus
}

/// Of the CPUs that this process may run on those that share their core with one before, and with which.
pub fn hyper_threads() -> Vec<(usize, usize)> {
    hyper_threads_of(&allowed_cpus(), siblings)
}

/// The CPUs of a core: the threads that it has.
fn siblings(cpu: usize) -> Vec<usize> {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    numbers(fs::read_to_string(path).unwrap_or_default().trim())
}

fn hyper_threads_of(cpus: &[usize], siblings: impl Fn(usize) -> Vec<usize>) -> Vec<(usize, usize)> {
    let first = |cpu: usize| {
        let others = siblings(cpu).into_iter();
        others.filter(|other| *other < cpu).find(|other| cpus.contains(other))
    };
    cpus.iter().filter_map(|cpu| Some((*cpu, first(*cpu)?))).collect()
}

/// The numbers of a list such as `0,4-6`.
fn numbers(list: &str) -> Vec<usize> {
    let part = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
        (last < CpuSet::MAX_CPU).then_some(first..=last)
    };
    list.split(',').filter_map(part).flatten().collect()
}

/// Keeps the process `child` on one CPU.
///
/// # Errors
/// When the kernel refuses.
pub fn pin_child(child: u32, cpu: usize) -> Result<(), Fault> {
    let fault = || Fault::new(format!("cannot keep process {child} on processor {cpu}"));
    let pid = i32::try_from(child).ok().and_then(Pid::from_raw).ok_or_else(fault)?;
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(Some(pid), &set).map_err(|error| fault().because(error))
}

/// How a child ended, and the processor time that it used, with that of its own children for which it waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedChild {
    /// How.
    pub status: ExitStatus,
    /// Processor time in the program itself and in the kernel on its behalf.
    pub processor: Nanos,
}

/// Waits until the process `child` has ended. It is gone then, and its number may be another one's.
///
/// # Errors
/// When there is no such child of this process.
pub fn reap_child(child: u32) -> io::Result<EndedChild> {
    let pid = libc::pid_t::try_from(child).map_err(|_| io::ErrorKind::InvalidInput)?;
    loop {
        let mut status = 0;
        // SAFETY: an all-zero rusage is valid, and the call writes to nothing but it and the status.
        let (ended, usage) = unsafe {
            let mut usage: libc::rusage = zeroed();
            (libc::wait4(pid, &mut status, 0, &mut usage), usage)
        };
        let error = io::Error::last_os_error();
        match (ended, error.kind()) {
            (-1, io::ErrorKind::Interrupted) => {}
            (-1, _) => return Err(error),
            _ => {
                let processor = nanos(usage.ru_utime) + nanos(usage.ru_stime);
                return Ok(EndedChild { status: ExitStatus::from_raw(status), processor });
            }
        }
    }
}

/// Pins the calling thread to one CPU; does nothing where the kernel refuses.
pub(crate) fn pin_to(cpu: usize) {
    let mut set = CpuSet::new();
    set.set(cpu);
    let _ = sched_setaffinity(None, &set);
}

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
        let cpu = CpuTime::of(libc::RUSAGE_SELF);
        Self { at: monotonic(), cpu }
    }

    /// The same with the CPU time of the programs that this process has started and that have ended.
    pub(crate) fn with_children() -> Self {
        let (own, children) = (CpuTime::of(libc::RUSAGE_SELF), CpuTime::of(libc::RUSAGE_CHILDREN));
        let (user, system) = (own.user + children.user, own.system + children.system);
        Self { at: monotonic(), cpu: CpuTime { user, system } }
    }

    /// Time since `earlier`.
    pub(crate) fn since(self, earlier: Self) -> Nanos {
        self.at.since(earlier.at)
    }

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

impl CpuTime {
    /// That of this process (`RUSAGE_SELF`), or of its children that were waited for (`RUSAGE_CHILDREN`).
    fn of(who: libc::c_int) -> Self {
        // SAFETY: an all-zero rusage is valid, and the call fills it.
        let usage = unsafe {
            let mut usage: libc::rusage = zeroed();
            libc::getrusage(who, &mut usage);
            usage
        };
        Self { user: nanos(usage.ru_utime), system: nanos(usage.ru_stime) }
    }
}

fn nanos(time: libc::timeval) -> Nanos {
    Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000)
}

/// The effective user, to whom new files belong.
pub fn effective_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: u64 = 1 << (libc::SIGUSR1 - 1) | 1 << (libc::SIGHUP - 1);

    /// The signals that a thread does not take, a bit each (`SigBlk`, man 5 proc).
    fn blocked(status: &str) -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap();
        u64::from_str_radix(line.trim(), 16).unwrap()
    }

    fn blocked_here() -> u64 {
        blocked(&std::fs::read_to_string("/proc/thread-self/status").unwrap())
    }

    /// The result of `work` in a thread that left both signals to others.
    fn in_a_thread<T: Send + 'static>(work: fn() -> T) -> T {
        let thread = std::thread::Builder::new();
        let left = move || {
            leave_to_other_threads(&[libc::SIGUSR1, libc::SIGHUP]).unwrap();
            work()
        };
        thread.spawn(left).unwrap().join().unwrap()
    }

    #[test]
    fn second_threads_of_a_core_are_hyper_threads() {
        // Two cores with two threads each, and one core alone.
        let siblings = |cpu: usize| match cpu {
            0 | 2 => numbers("0,2"),
            1 | 3 => numbers("1,3"),
            cpu => vec![cpu],
        };
        assert_eq!(hyper_threads_of(&[0, 1, 2, 3, 4], siblings), [(2, 0), (3, 1)]);
        // One that may not be used has no thread of ours.
        assert_eq!(hyper_threads_of(&[2, 3, 4], siblings), []);
        assert_eq!(hyper_threads_of(&[0, 1], |_| Vec::new()), [], "the kernel does not say it");
    }

    #[test]
    fn signals_are_left_by_a_thread_and_by_those_that_it_starts() {
        let (own, later) = in_a_thread(|| {
            let later = std::thread::Builder::new().spawn(blocked_here).unwrap();
            (blocked_here(), later.join().unwrap())
        });
        assert_eq!((own & BOTH, later & BOTH), (BOTH, BOTH));
        assert_eq!(blocked_here() & BOTH, 0, "other threads take them");
        assert!(leave_to_other_threads(&[-1]).is_err());
    }

    #[test]
    fn a_program_that_has_ended_counts_as_a_child() {
        let spin = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done";
        let (own, all) = (Usage::now(), Usage::with_children());
        assert!(Command::new("sh").args(["-c", spin]).status().unwrap().success());
        let (own, all) = (Usage::now().cpu_since(own), Usage::with_children().cpu_since(all));
        assert!(all.user + all.system > own.user + own.system, "{own:?} {all:?}");
    }

    #[test]
    fn a_child_is_reaped_with_the_time_that_its_own_children_used() {
        let count = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3";
        let nested = format!("sh -c '{count}'; exit $?");
        let mut command = Command::new("sh");
        let child = command.args(["-c", &nested]).spawn().map(|child| child.id()).unwrap();
        let ended = reap_child(child).unwrap();
        assert_eq!(ended.status.code(), Some(3));
        assert!(ended.processor > Nanos::from_millis(1), "{ended:?}");
        assert!(reap_child(child).is_err(), "it is gone");
    }

    #[test]
    fn programs_take_signals_that_their_thread_leaves_to_others() {
        let (said, own) = in_a_thread(|| {
            let mut command = Command::new("cat");
            let output = taken_by(command.arg("/proc/self/status")).output().unwrap();
            (String::from_utf8(output.stdout).unwrap(), blocked_here())
        });
        assert_eq!((blocked(&said), own & BOTH), (0, BOTH));
    }
}
