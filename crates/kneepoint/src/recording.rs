//! Recording: `blktrace` on a device, sorted by `blkparse` into one file.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_formats::trace::lost_events;
use rustix::fs::{major, minor};
use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};

use crate::output::print::tell;

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// How long the programs may take to end once their time is over.
const GRACE: Duration = Duration::from_secs(10);

/// How often it is looked whether they have.
const LOOK: Duration = Duration::from_millis(20);

/// How long a program may take to end once it has said that the kernel refuses, or has been asked to end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What is kept of what a program says, in bytes, at the most.
const SAID_MAX: usize = 2_000;

/// Longest line of what a program says, in bytes.
const LINE_MAX: u64 = 1_000;

/// Records the I/Os of `device` for whole seconds into a new file, and returns how many events were lost, which
/// the file says as well. Nothing is written to the device.
///
/// # Errors
/// When the device is none, the file exists, the programs are missing, or the kernel lets no one record here.
pub(crate) fn record(device: &Path, (output, time): (&Path, Nanos)) -> Result<u64, Fault> {
    let name = device.display().to_string();
    let number = number_of(device).map_err(|why| {
        Fault::new(format!("cannot record the I/Os of {name}"))
            .because(format!("only block devices are recorded: {why}"))
            .fix("name a device, such as /dev/sda; a file's are those of the device that it is on")
    })?;
    let file = new_file(output)?;
    let recorded = piped((recorder(device, time), sorter()), &file, time)
        .map_err(|failure| failure.fault(&name))
        .and_then(|lost| told_in(&file, (lost, number)).map_err(|error| unwritten(output, error)));
    if recorded.is_err() {
        // The file is ours, and nothing that can be read is in it.
        let _ = std::fs::remove_file(output);
    }
    recorded
}

/// The numbers of a block device, or why it is none.
fn number_of(device: &Path) -> Result<(u32, u32), String> {
    let found: Metadata = std::fs::metadata(device).map_err(|error| error.to_string())?;
    match found.file_type().is_block_device() {
        true => Ok((major(found.rdev()), minor(found.rdev()))),
        false => Err("it is none".to_owned()),
    }
}

/// Says at the end of a recording what it lost, for whoever reads it.
fn told_in(mut file: &File, (lost, number): (u64, (u32, u32))) -> io::Result<u64> {
    if lost > 0 {
        file.write_all(&lost_events(lost, number, monotonic()))?;
    }
    Ok(lost)
}

/// The clock of the kernel's traces.
fn monotonic() -> Nanos {
    let now = clock_gettime(ClockId::Monotonic);
    Nanos(now.tv_sec as u64 * SECOND + now.tv_nsec as u64)
}

fn unwritten(output: &Path, error: io::Error) -> Fault {
    Fault::new(format!("cannot write {}", output.display()))
        .because(error)
        .fix("name a file on a disk with room")
}

fn new_file(output: &Path) -> Result<File, Fault> {
    OpenOptions::new().write(true).create_new(true).open(output).map_err(|error| {
        Fault::new(format!("cannot make {}", output.display()))
            .because(error)
            .fix("name a file that does not exist yet, in a folder that may be written")
    })
}

/// Why nothing was recorded.
enum Failure {
    /// A program could not be started.
    Missing(&'static str, io::Error),
    /// A program failed, and said why.
    Failed(&'static str, String),
    /// A program did not end when its time was over.
    Hung(&'static str),
}

impl Failure {
    fn fault(self, device: &str) -> Fault {
        let fault = Fault::new(format!("cannot record the I/Os of {device}"));
        match self {
            Self::Missing(program, error) => fault
                .because(format!("{program} cannot be started: {error}"))
                .fix("install the package blktrace, which has both blktrace and blkparse"),
            Self::Failed(program, said) => {
                fault.because(format!("{program} failed: {said}")).fix(
                    "record as root, on a kernel with block tracing (CONFIG_BLK_DEV_IO_TRACE) whose debugfs is \
                     mounted: mount -t debugfs none /sys/kernel/debug; in a container that is rarely permitted",
                )
            }
            Self::Hung(program) => fault
                .because(format!("{program} did not end when its time was over, and was killed"))
                .fix("try it by hand (blktrace -d DEVICE -w 5): not every kernel lets it end"),
        }
    }
}

/// The program that records.
fn recorder(device: &Path, time: Nanos) -> Command {
    let seconds = time.0.div_ceil(SECOND).max(1).to_string();
    let mut recorder = Command::new("blktrace");
    recorder.arg("-d").arg(device).args(["-w", &seconds, "-o", "-"]);
    recorder
}

/// The program that sorts what is recorded.
fn sorter() -> Command {
    let mut sorter = Command::new("blkparse");
    sorter.args(["-i", "-", "-O", "-d", "-"]);
    sorter
}

/// Lets one program record and the other sort what it says into `file`; returns how many events were lost.
fn piped(
    (mut recorder, mut sorter): (Command, Command),
    file: &File,
    time: Nanos,
) -> Result<u64, Failure> {
    let sorted = file.try_clone().map_err(|error| Failure::Missing("blkparse", error))?;
    recorder.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut recorder = TracingProgram::start("blktrace", &mut recorder)?;
    let records = recorder.child.stdout.take().map_or_else(Stdio::null, Stdio::from);
    let sorter =
        TracingProgram::start("blkparse", sorter.stdin(records).stdout(Stdio::from(sorted)));
    if sorter.is_err() {
        recorder.stop();
    }
    let recorded = recorder.ended(Duration::from_nanos(time.0) + GRACE);
    let sorted = sorter?.ended(GRACE);
    Ok(recorded? + sorted?)
}

/// A program that was started, and what it says on standard error.
struct TracingProgram {
    name: &'static str,
    child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl TracingProgram {
    fn start(name: &'static str, command: &mut Command) -> Result<Self, Failure> {
        let child = command.stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| Failure::Missing(name, error))?;
        let (heard, lines) = mpsc::channel();
        let stderr = child.stderr.take();
        // It ends with the program, whose end is waited for; one that hangs in it holds nothing up.
        let listener = thread::Builder::new().name(name.to_owned());
        if let Err(error) = listener.spawn(move || stderr.map(|stderr| listen(stderr, &heard))) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Missing(name, error));
        }
        Ok(Self { name, child, lines, said: Vec::new() })
    }

    /// Waits for the program, passes on what it says, and stops it after `longest`, or soon after the kernel
    /// has refused it; returns how many events it lost.
    fn ended(mut self, longest: Duration) -> Result<u64, Failure> {
        let mut until = Instant::now() + longest;
        loop {
            let status = self.child.try_wait().map_err(|error| self.failed(&error))?;
            self.hear();
            if let Some(status) = status {
                return self.told(status);
            }
            if self.is_refused() {
                until = until.min(Instant::now() + LAST_WORDS);
            }
            if Instant::now() > until {
                self.stop();
                self.hear();
                return Err(match self.is_refused() {
                    true => self.failed(&"it did not end then, and was stopped"),
                    false => Failure::Hung(self.name),
                });
            }
            thread::sleep(LOOK);
        }
    }

    /// How a program ended that did.
    fn told(mut self, status: ExitStatus) -> Result<u64, Failure> {
        // The last lines may still be on their way.
        let until = Instant::now() + LAST_WORDS;
        while let Ok(line) =
            self.lines.recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            self.keep(line);
        }
        match status.success() {
            true => Ok(self.said.iter().filter_map(|line| dropped(line)).sum()),
            false => Err(self.failed(&status)),
        }
    }

    /// Passes on what the program has said since.
    fn hear(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.keep(line);
        }
    }

    fn keep(&mut self, line: String) {
        if line.is_empty() {
            return;
        }
        tell(format!("{}: {line}", self.name));
        let bytes: usize = self.said.iter().map(String::len).sum();
        if bytes < SAID_MAX {
            self.said.push(line);
        }
    }

    /// Whether it said that the kernel does not let it record: some versions wait for ever then.
    fn is_refused(&self) -> bool {
        let refusals = ["failed open", "Operation not permitted", "Permission denied"];
        self.said.iter().any(|line| refusals.iter().any(|refusal| line.contains(refusal)))
    }

    fn failed(&self, how: &dyn std::fmt::Display) -> Failure {
        let said = self.said.join("; ");
        Failure::Failed(self.name, format!("{said} ({how})").trim().to_owned())
    }

    /// Asks it to end, so that it takes back what it set up in the kernel, and kills it if it does not.
    fn stop(&mut self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let _ = pid.map(|pid| kill_process(pid, Signal::TERM));
        let until = Instant::now() + LAST_WORDS;
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(LOOK);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes on what a program says, line by line, until it ends.
fn listen(stderr: ChildStderr, heard: &Sender<String>) {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    while stderr.by_ref().take(LINE_MAX).read_until(b'\n', &mut line).unwrap_or(0) > 0 {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        line.clear();
        if heard.send(text).is_err() {
            break;
        }
    }
}

/// The events that blktrace says it lost: `You have 1234 ( 55.3%) dropped events`.
fn dropped(line: &str) -> Option<u64> {
    let before = line.split_once("dropped events")?.0;
    before.split_whitespace().find_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]);
        shell
    }

    /// What comes of a script in the place of blktrace.
    fn ended(script: &str, longest: Duration) -> Result<u64, String> {
        let program = TracingProgram::start("blktrace", &mut shell(script)).ok().unwrap();
        program.ended(longest).map_err(|failure| failure.fault("/dev/sda").to_string())
    }

    #[test]
    fn a_program_that_hangs_is_killed_and_told() {
        let said = ended("exec sleep 60", Duration::from_millis(50)).unwrap_err();
        assert!(said.contains("blktrace did not end when its time was over"), "{said}");
        let said = ended("trap '' TERM; while :; do sleep 0.1; done", Duration::ZERO).unwrap_err();
        assert!(said.contains("and was killed"), "{said}");
    }

    #[test]
    fn a_refusal_of_the_kernel_ends_the_wait() {
        let begun = Instant::now();
        let script = "echo 'Thread 0 failed open /sys/x/trace0: 1/Operation not permitted' >&2; \
                      exec sleep 60";
        let said = ended(script, Duration::from_secs(60)).unwrap_err();
        assert!(said.contains("blktrace failed: Thread 0 failed open"), "{said}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_program_that_fails_says_why_and_one_that_ends_well_is_not_told() {
        let said = ended("echo no >&2; echo debugfs >&2; exit 3", GRACE).unwrap_err();
        assert!(said.contains("blktrace failed: no; debugfs (exit status: 3)"), "{said}");
        assert_eq!(ended("exit 0", GRACE), Ok(0));
        assert_eq!(ended("echo 'You have a device' >&2", GRACE), Ok(0));
        assert_eq!(ended("echo 'You have 1234 ( 55.3%) dropped events' >&2", GRACE), Ok(1_234));
    }

    #[test]
    fn what_was_lost_is_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.blktrace");
        let file = new_file(&path).unwrap();
        let recorder = shell("printf 0123; echo 'You have 7 (1.0%) dropped events' >&2");
        let lost = piped((recorder, shell("cat")), &file, Nanos::ZERO).ok().unwrap();
        told_in(&file, (lost, (8, 0))).unwrap();
        let written = std::fs::read(&path).unwrap();
        assert!(
            written.starts_with(b"0123") && written.ends_with(b"lost events: 7"),
            "{written:?}"
        );
        // What lost nothing has nothing behind it.
        told_in(&file, (0, (8, 0))).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), written);
    }
}
