//! Copies of Kneepoint's own members, which say when they are ready and what they have computed.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use kneepoint_core::spec::profile::MemberWork;
use kneepoint_core::words::fault::Fault;
use serde::Deserialize;

use super::copy::{Contestant, Report, Right, Said, StartedCopy, Word};
use super::programs::Program;
use crate::testbed::Surroundings;

/// A member of Kneepoint's.
pub(super) struct OwnMember<'a> {
    /// The program that has it.
    pub(super) program: &'a Program,
    /// The member, and what it must compute.
    pub(super) work: &'a MemberWork,
    /// The machine.
    pub(super) surroundings: &'a dyn Surroundings,
}

impl Contestant for OwnMember<'_> {
    fn member(&self) -> &str {
        &self.work.member
    }

    fn by_itself(&self, _copy: usize) -> String {
        format!("{} run {}", self.program.path.display(), self.work.member)
    }

    fn start(
        &self,
        copy: usize,
        cpus: &[usize],
        words: Sender<Word>,
    ) -> Result<Box<dyn StartedCopy>, Fault> {
        let started = MemberCopy::start(self, copy, words)?;
        if let Some(cpu) = cpus.first() {
            self.surroundings.pin(started.child.id(), *cpu)?;
        }
        Ok(Box::new(started))
    }

    fn check(
        &self,
        _copy: usize,
        report: &Report,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Right>, Fault> {
        let digest = report.digest.as_deref().unwrap_or_default();
        if digest == self.work.expected {
            return Ok(Some(Right::AsSeen));
        }
        Err(Fault::new(format!("the member '{}' has computed something wrong", self.work.member))
            .because(format!(
                "the digest of its output is {digest}, and must be {}",
                self.work.expected
            ))
            .fix("build the programs again by `cargo xtask members`; if it stays so, mistrust the machine"))
    }
}

/// What a copy says of itself in the end.
#[derive(Debug, Deserialize)]
struct OwnResult {
    digest: String,
    user_s: f64,
    system_s: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Ready {
        #[serde(rename = "ready")]
        _ready: bool,
    },
    Done(OwnResult),
}

/// A copy at work. It ends when this is dropped.
struct MemberCopy {
    child: Child,
    listener: Option<JoinHandle<()>>,
}

impl MemberCopy {
    /// Starts copy number `copy` of `member`; what it says goes to `words`.
    fn start(member: &OwnMember<'_>, copy: usize, words: Sender<Word>) -> Result<Self, Fault> {
        let work = member.work;
        let cannot = || {
            Fault::new(format!("cannot start copy {} of '{}'", copy + 1, work.member))
                .fix("use fewer --copies, or raise the limit of processes (ulimit -u)")
        };
        let mut child = Command::new(&member.program.path)
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
        let died = died(member, copy);
        let listen = move || {
            if let Some(stdout) = stdout {
                listen(stdout, (copy, died), &words);
            }
        };
        let listener = thread::Builder::new().name(format!("copy-{copy}")).spawn(listen);
        started.listener = Some(listener.map_err(|error| cannot().because(error))?);
        Ok(started)
    }
}

/// The fault of a copy that ends without a result.
fn died(member: &OwnMember<'_>, copy: usize) -> Fault {
    Fault::new(format!("copy {} of the member '{}' has died", copy + 1, member.work.member))
        .because("it ended without a result")
        .fix(format!("run it by itself: {}", member.by_itself(copy)))
}

impl StartedCopy for MemberCopy {
    fn release(&mut self) {
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
fn listen(stdout: ChildStdout, (copy, died): (usize, Fault), words: &Sender<Word>) {
    let mut lines = BufReader::new(stdout).lines();
    loop {
        let line = lines.next().and_then(io::Result::ok);
        let at = Instant::now();
        let said = match line.as_deref().map(serde_json::from_str) {
            Some(Ok(Line::Ready { .. })) => Said::Ready,
            Some(Ok(Line::Done(result))) => Said::Done(Report {
                digest: Some(result.digest),
                processor_s: result.user_s + result.system_s,
            }),
            Some(Err(_)) | None => Said::Failed(died.clone()),
        };
        let is_last = !matches!(said, Said::Ready);
        if words.send(Word { copy, said, at }).is_err() || is_last {
            return;
        }
    }
}
