//! This process: which one measures and by which command; Ctrl-C and its kin, of which the first
//! ends the point cleanly and the second ends the process; and a watch over what may hang: a target
//! that does not answer is told of, and Ctrl-C ends the program all the same.

use std::convert::Infallible;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, process, thread};

use jiff::{Timestamp, Unit};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::LEFT_BEHIND;
use kneepoint_device::process::{leave_to_other_threads, take_all_signals, unstarted};
use kneepoint_store::Owner;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};

use crate::output::print::tell;

/// Now, as RFC 3339 in UTC, in whole seconds.
pub(crate) fn now() -> String {
    timestamp(SystemTime::now()).to_string()
}

/// The time in whole seconds. RFC 3339 has years of four digits: a clock outside of them is taken
/// for one at their beginning or end.
fn timestamp(time: SystemTime) -> Timestamp {
    let nearest = if time < SystemTime::UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    let exact = Timestamp::try_from(time).unwrap_or(nearest);
    exact.round(Unit::Second).unwrap_or(exact)
}

/// A number that differs from call to call and from process to process, and that no one can
/// foresee: the standard library seeds its hashes from the kernel.
pub(crate) fn entropy() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// This process, so that a later one can tell whether it still lives.
pub(crate) fn this_process() -> Owner {
    let line = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    Owner {
        host: line("/proc/sys/kernel/hostname"),
        boot_id: line("/proc/sys/kernel/random/boot_id"),
        pid: process::id(),
        started_ticks: started_ticks(process::id()).unwrap_or(0),
        pid_namespace: fs::metadata("/proc/self/ns/pid").ok().map(|metadata| metadata.ino()),
    }
}

/// When a process started, in clock ticks since boot: field 22 of /proc/PID/stat (man 5 proc).
/// The second field is the name in parentheses and may hold spaces.
pub(crate) fn started_ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = &stat[stat.rfind(')')? + 1..];
    after_name.split_whitespace().nth(22 - 3)?.parse().ok()
}

/// This process's command line, quoted for a shell.
pub(crate) fn command_line() -> String {
    let words: Vec<String> = std::env::args_os()
        .enumerate()
        .map(|(index, word)| match index {
            0 => "kneepoint".to_owned(),
            _ => word.to_string_lossy().into_owned(),
        })
        .collect();
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it for one.
pub(crate) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}

/// The option that names `store` in a command to be typed; nothing for the usual store.
pub(crate) fn store_option(store: &Path) -> String {
    match store == Path::new("kneepoint.db") {
        true => String::new(),
        false => format!(" --store {}", quoted(&store.to_string_lossy())),
    }
}

/// What is answered to Ctrl-C while something is measured.
pub(crate) const MEASURING: &str = "stopping; what was measured is kept";

/// Exit codes of a process that a signal ended begin behind this one.
const EXIT_KILLED: i32 = 128;

/// The user's wish to stop.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to SIGINT, SIGTERM, SIGQUIT and SIGHUP from now on, and answers the first at once,
    /// with `answer` in its own thread: the others may be waiting for a target that hangs.
    ///
    /// A terminal that goes away may send SIGHUP several times (the kernel does, and so does the
    /// shell), so a second one does not end the process before settings are put back. Where SIGHUP
    /// is ignored, as below `nohup`, it stays ignored.
    ///
    /// # Errors
    /// When signals cannot be listened to, or no thread can be started.
    pub(crate) fn listen(answer: &'static str) -> Result<Self, Fault> {
        const WHAT: &str = "cannot listen to Ctrl-C";
        let asked = Arc::new(AtomicBool::new(false));
        let mut heard = register(&asked).map_err(|error| {
            Fault::new(WHAT).because(error).fix("close files, or raise their limit (ulimit -n)")
        })?;
        let answering = move || {
            if heard.read_exact(&mut [0]).is_ok() {
                tell(format!("{answer}. Ctrl-C again ends at once"));
            }
            // The next signal comes here, too.
            loop {
                thread::park();
            }
        };
        let started = thread::Builder::new().name("interrupt".to_owned()).spawn(answering);
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

    /// True if a signal came.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a guard makes of signals: it outlives them, since it goes once what it guards is no longer wanted. Programs
/// that it starts hear them, even if the thread that has started it leaves them to others.
///
/// # Errors
/// When they cannot be listened to.
pub(crate) fn outlive_signals() -> Result<(), Fault> {
    let outlive = || {
        for signal in [SIGINT, SIGTERM, SIGQUIT, SIGHUP] {
            // A handler, not SIG_IGN: programs inherit what is ignored, but no handler.
            flag::register(signal, Arc::default())?;
        }
        take_all_signals()
    };
    outlive().map_err(|error: io::Error| Fault::new("cannot guard").because(error))
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

/// True if the process was started with `signal` ignored (`SigIgn` in /proc/PID/status, man 5
/// proc).
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// A target that has done nothing for so long may hang.
const SILENCE: Duration = Duration::from_secs(10);

/// The time for which a blocking call is left alone after Ctrl-C.
const GRACE: Duration = Duration::from_secs(3);

/// How often a vigil looks.
const LOOK: Duration = Duration::from_millis(100);

/// Exit code of a run that was not finished.
const EXIT_UNFINISHED: i32 = 1;

/// Says once in a silence that no I/O completes.
#[derive(Debug, Default)]
pub(super) struct Silence {
    is_told: bool,
}

impl Silence {
    /// Notes that no I/O has completed for `quiet`.
    pub(super) fn look(&mut self, quiet: Nanos) {
        let is_long = Duration::from_nanos(quiet.0) >= SILENCE;
        if is_long && !self.is_told {
            tell(format!(
                "no I/O has completed for {} s; Ctrl-C ends the run with what was measured, twice \
                 ends at once",
                SILENCE.as_secs()
            ));
        }
        self.is_told = is_long;
    }
}

/// The activity when targets are first looked at.
pub(crate) const LOOKING: &str = "looking at the targets";

/// A watch over calls that block for as long as the target likes; over when it is dropped.
#[derive(Debug)]
pub(crate) struct Vigil {
    /// Counts what has moved.
    moves: Arc<AtomicU64>,
    /// The watch is over when this goes away.
    _end: Sender<Infallible>,
}

impl Vigil {
    /// Watches over `doing`, such as "opening the targets"; without `interrupt` in a program that
    /// does not listen to Ctrl-C, and is ended by it.
    pub(crate) fn keep(doing: &str, interrupt: Option<&Interrupt>) -> Self {
        let watch = Watch { doing: doing.to_owned(), interrupt: interrupt.cloned() };
        let (end, ended) = channel();
        let moves = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&moves);
        let watch = move || watch.watch(&seen, &ended);
        // Without a thread there is no watch, but everything else works.
        let _ = thread::Builder::new().name("vigil".to_owned()).spawn(watch);
        Self { moves, _end: end }
    }

    /// Notes that something has moved.
    pub(crate) fn moved(&self) {
        self.moves.fetch_add(1, Ordering::Relaxed);
    }
}

/// The activity watched over, and the effect of Ctrl-C meanwhile.
struct Watch {
    doing: String,
    /// Nothing if Ctrl-C ends the program by itself.
    interrupt: Option<Interrupt>,
}

impl Watch {
    /// Watches until the vigil is over.
    fn watch(&self, moves: &AtomicU64, ended: &Receiver<Infallible>) {
        let (mut last, mut is_told, mut asked) = (Instant::now(), false, None);
        let mut seen = 0;
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let now = moves.load(Ordering::Relaxed);
            if now != seen {
                (seen, last, is_told) = (now, Instant::now(), false);
            }
            if !is_told && last.elapsed() >= SILENCE {
                is_told = true;
                self.tell_silence();
            }
            if self.interrupt.as_ref().is_some_and(Interrupt::is_asked) {
                let since = *asked.get_or_insert_with(Instant::now);
                if since.elapsed() >= GRACE && last.elapsed() >= GRACE {
                    tell(format!("interrupted while {}; {LEFT_BEHIND}", self.doing));
                    exit(EXIT_UNFINISHED);
                }
            }
        }
    }

    fn tell_silence(&self) {
        let ends = match self.interrupt {
            Some(_) => "Ctrl-C ends the run, twice ends at once",
            None => "Ctrl-C ends the program",
        };
        tell(format!("{}: nothing has moved for {} s; {ends}", self.doing, SILENCE.as_secs()));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_beyond_every_calendar_is_written_as_the_end_of_it() {
        let at = |seconds| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            timestamp(time).to_string()
        };
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        // 12000-01-01.
        assert!(at(316_516_204_800).starts_with("9999-12-30T22:00:00"), "{}", at(316_516_204_800));
        assert!(at(1 << 60).starts_with("9999-12-30"), "{}", at(1 << 60));
    }
}
