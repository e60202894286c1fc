//! The program in bounds: memory, size of files, processor time and wall time.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;

/// Address space in KiB: 2 GiB, of which the program and its threads' stacks reserve a part.
const ADDRESS_SPACE_KIB: u64 = 2 << 20;

/// Longest file that a case may write, in blocks of 512 bytes: 64 MiB.
const FILE_BLOCKS: u64 = 128 << 10;

/// Processor time of a process. Cases take some hundredths of a second.
const PROCESSOR_SECONDS: u64 = 30;

/// Wall time of a process, far above the processor time on a machine that does other things, too.
const WALL: Duration = Duration::from_secs(120);

/// Where a program runs.
#[derive(Debug)]
pub(super) struct Confinement {
    program: PathBuf,
    folder: PathBuf,
}

impl Confinement {
    /// The program in a folder, which is its home and its place for temporary files as well.
    pub(super) fn new(program: &Path, folder: &Path) -> Self {
        Self { program: program.to_owned(), folder: folder.to_owned() }
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    /// Whether it was killed because it did not end.
    pub(super) hung: bool,
}

/// What a process left.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) ending: Ending,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Runs the program and waits for it.
pub(super) fn run(confinement: &Confinement, words: &[&str]) -> anyhow::Result<Said> {
    let (out, err) = streams(&confinement.folder);
    let limits = format!(
        "ulimit -v {ADDRESS_SPACE_KIB} && ulimit -f {FILE_BLOCKS} && ulimit -t {PROCESSOR_SECONDS} \
         && ulimit -c 0 && exec \"$0\" \"$@\""
    );
    let child = Command::new("sh")
        .args(["-c", &limits])
        .arg(&confinement.program)
        .args(words)
        .current_dir(&confinement.folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", &confinement.folder)
        .env("TMPDIR", &confinement.folder)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()
        .context("sh")?;
    let ending = wait(child)?;
    Ok(Said { ending, stdout: fs::read(out)?, stderr: fs::read(err)? })
}

/// Where the streams of a process go: beside its folder.
fn streams(folder: &Path) -> (PathBuf, PathBuf) {
    (folder.with_extension("out"), folder.with_extension("err"))
}

fn wait(mut child: Child) -> anyhow::Result<Ending> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ending { code: status.code(), signal: status.signal(), hung: false });
        }
        if started.elapsed() > WALL {
            child.kill()?;
            child.wait()?;
            return Ok(Ending { code: None, signal: None, hung: true });
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(8));
    }
}
