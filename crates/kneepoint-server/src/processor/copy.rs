//! A copy of a member: a process that waits for the start, works, and says what it has computed.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use kneepoint_core::spec::profile::MemberWork;
use kneepoint_core::words::fault::Fault;
use serde::Deserialize;

use super::programs::Program;

/// What a copy has said.
pub(super) enum Said {
    /// It waits for the start.
    Ready,
    /// It is done.
    Done(Report),
    /// It has ended, or what it says cannot be read.
    Nothing,
}

/// Something that a copy said, and when.
pub(super) struct Word {
    /// Which copy.
    pub(super) copy: usize,
    /// What.
    pub(super) said: Said,
    /// When it was heard.
    pub(super) at: Instant,
}

/// What a copy did.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Report {
    /// SHA-256 of the output.
    digest: String,
    user_s: f64,
    system_s: f64,
}

impl Report {
    /// Processor time in seconds.
    pub(super) fn processor_s(&self) -> f64 {
        self.user_s + self.system_s
    }

    /// That the output is the one that `work` must have.
    ///
    /// # Errors
    /// When it is another one.
    pub(super) fn check(&self, work: &MemberWork) -> Result<(), Fault> {
        if self.digest == work.expected {
            return Ok(());
        }
        Err(Fault::new(format!("the member '{}' has computed something wrong", work.member))
            .because(format!(
                "the digest of its output is {}, and must be {}",
                self.digest, work.expected
            ))
            .fix("build the programs again by `cargo xtask members`; if it stays so, mistrust the machine"))
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Ready {
        #[serde(rename = "ready")]
        _ready: bool,
    },
    Done(Report),
}

/// A copy at work. It ends when this is dropped.
pub(super) struct MemberCopy {
    child: Child,
    listener: Option<JoinHandle<()>>,
}

impl MemberCopy {
    /// Starts copy number `copy` of `work`; what it says goes to `words`.
    ///
    /// # Errors
    /// When no process or thread can be started.
    pub(super) fn start(
        (program, work): (&Program, &MemberWork),
        copy: usize,
        words: Sender<Word>,
    ) -> Result<Self, Fault> {
        let cannot = || {
            Fault::new(format!("cannot start copy {} of '{}'", copy + 1, work.member))
                .fix("use fewer --copies, or raise the limit of processes (ulimit -u)")
        };
        let mut child = Command::new(&program.path)
            .args(["run", &work.member, "--scale", work.scale.name()])
            .args(["--expect", &work.expected, "--wait"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // What the terminal sends is for the one who measures.
            .process_group(0)
            .spawn()
            .map_err(|error| cannot().because(error))?;
        let stdout = child.stdout.take();
        let mut started = Self { child, listener: None };
        let listen = move || {
            if let Some(stdout) = stdout {
                listen(stdout, copy, &words);
            }
        };
        let listener = thread::Builder::new().name(format!("copy-{copy}")).spawn(listen);
        started.listener = Some(listener.map_err(|error| cannot().because(error))?);
        Ok(started)
    }

    /// The process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Lets it begin. One that has ended is noticed by what it does not say.
    pub(super) fn release(&mut self) {
        if let Some(stdin) = &mut self.child.stdin {
            let _ = stdin.write_all(b"\n");
        }
    }
}

impl Drop for MemberCopy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

/// Passes on what a copy says until it ends.
fn listen(stdout: ChildStdout, copy: usize, words: &Sender<Word>) {
    let mut lines = BufReader::new(stdout).lines();
    loop {
        let line = lines.next().and_then(Result::ok);
        let at = Instant::now();
        let said = match line.as_deref().map(serde_json::from_str) {
            Some(Ok(Line::Ready { .. })) => Said::Ready,
            Some(Ok(Line::Done(report))) => Said::Done(report),
            Some(Err(_)) | None => Said::Nothing,
        };
        let is_last = !matches!(said, Said::Ready);
        if words.send(Word { copy, said, at }).is_err() || is_last {
            return;
        }
    }
}
