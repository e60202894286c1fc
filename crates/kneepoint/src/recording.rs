//! Recording: `blktrace` on a device, sorted by `blkparse` into one file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// How long the programs may take to end once their time is over.
const GRACE: Duration = Duration::from_secs(10);

/// How often it is looked whether they have.
const LOOK: Duration = Duration::from_millis(20);

/// What a program said of its failure, at the most.
const SAID_MAX: u64 = 2_000;

/// Records the I/Os of `device` for whole seconds into a new file. Nothing is written to the device.
///
/// # Errors
/// When the device is none, the file exists, the programs are missing, or the kernel lets no one record here.
pub(crate) fn record(device: &Path, (output, time): (&Path, Nanos)) -> Result<(), Fault> {
    let name = device.display().to_string();
    let is_block = std::fs::metadata(device).map(|found| found.file_type().is_block_device());
    if !is_block.as_ref().is_ok_and(|is_block| *is_block) {
        let why = is_block.map_or_else(|error| error.to_string(), |_| "it is none".to_owned());
        return Err(Fault::new(format!("cannot record the I/Os of {name}"))
            .because(format!("only block devices are recorded: {why}"))
            .fix(
                "name a device, such as /dev/sda; a file's are those of the device that it is on",
            ));
    }
    let file = new_file(output)?;
    let recorded = piped(device, file, time).map_err(|failure| failure.fault(&name));
    if recorded.is_err() {
        // The file is ours, and nothing that can be read is in it.
        let _ = std::fs::remove_file(output);
    }
    recorded
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
                fault.because(format!("{program} failed: {}", said.trim())).fix(
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

/// Lets one program record and the other sort what it says into `file`.
fn piped(device: &Path, file: File, time: Nanos) -> Result<(), Failure> {
    let seconds = time.0.div_ceil(SECOND).max(1).to_string();
    let mut recorder = Command::new("blktrace");
    recorder.arg("-d").arg(device).args(["-w", &seconds, "-o", "-"]);
    recorder.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut recorder = started("blktrace", &mut recorder)?;
    let records = recorder.stdout.take().map_or_else(Stdio::null, Stdio::from);
    let mut sorter = Command::new("blkparse");
    sorter.args(["-i", "-", "-O", "-d", "-"]);
    sorter.stdin(records).stdout(Stdio::from(file)).stderr(Stdio::piped());
    let sorter = started("blkparse", &mut sorter);
    if sorter.is_err() {
        let _ = recorder.kill();
    }
    let recorded = ended("blktrace", recorder, Duration::from_nanos(time.0) + GRACE);
    let sorted = ended("blkparse", sorter?, GRACE);
    recorded.and(sorted)
}

fn started(program: &'static str, command: &mut Command) -> Result<Child, Failure> {
    command.spawn().map_err(|error| Failure::Missing(program, error))
}

/// Waits for a program that may have failed, and kills it after `longest`.
fn ended(program: &'static str, mut child: Child, longest: Duration) -> Result<(), Failure> {
    let until = Instant::now() + longest;
    while matches!(child.try_wait(), Ok(None)) {
        if Instant::now() > until {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Hung(program));
        }
        thread::sleep(LOOK);
    }
    let mut said = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        let _ = stderr.take(SAID_MAX).read_to_end(&mut said);
    }
    let said = String::from_utf8_lossy(&said).into_owned();
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Failed(program, format!("{said} ({status})"))),
        Err(error) => Err(Failure::Failed(program, error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).stderr(Stdio::piped()).spawn().unwrap()
    }

    #[test]
    fn a_program_that_hangs_is_killed_and_told() {
        let hung = ended("blktrace", shell("exec sleep 60"), Duration::from_millis(50));
        let said = hung.unwrap_err().fault("/dev/sda").to_string();
        assert!(said.contains("blktrace did not end when its time was over"), "{said}");
    }

    #[test]
    fn a_program_that_fails_says_why_and_one_that_ends_well_is_not_told() {
        let failed = ended("blkparse", shell("echo no debugfs >&2; exit 3"), GRACE);
        let said = failed.unwrap_err().fault("/dev/sda").to_string();
        assert!(said.contains("blkparse failed: no debugfs"), "{said}");
        assert!(ended("blktrace", shell("exit 0"), GRACE).is_ok());
    }
}
