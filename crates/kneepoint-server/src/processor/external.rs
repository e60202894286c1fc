//! Copies of programs of the user's own. Each has a thread that is on the copy's processor and begins the
//! process there when it is released; the time counts from the release until the process has ended.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kneepoint_core::spec::command::shown;
use kneepoint_core::spec::profile::{CopyPlaces, ExternalMember, OutputCheck, Places, Runcpu};
use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::copy::{Contestant, Report, Right, Said, StartedCopy, Word};
use super::runcpu::{new_file, result_files, time_in};
use super::workshop::{CopyPlace, Workshop, cannot_start, file, sha256, start_of, text};
use crate::testbed::Reap;

/// A copy with less processor time than this has not worked, or others have for it.
const WORKED_MIN: Duration = Duration::from_millis(1);

/// A member of the user's own.
pub(super) struct OutsideMember<'a> {
    /// What it is.
    pub(super) member: &'a ExternalMember,
    /// Where its folders are.
    pub(super) workshop: &'a Workshop,
    /// Waits for processes that have ended.
    pub(super) reap: Reap,
    /// Copies of the point.
    pub(super) copies: usize,
    /// Result files of a harness that were there before the round.
    pub(super) results: RefCell<BTreeSet<OsString>>,
}

impl OutsideMember<'_> {
    /// A command of the member for copy number `copy`.
    fn filled(&self, words: &[String], (copy, place): (usize, &CopyPlace)) -> Vec<String> {
        let build = self.workshop.build_folder(self.member);
        let number = (copy + 1).to_string();
        let copy = CopyPlaces {
            number: &number,
            copies: &self.copies.to_string(),
            folder: text(&place.folder),
            output: text(&place.output),
        };
        Places { build: text(&build), copy: Some(copy) }.fill(words)
    }

    fn wrong(&self, why: String) -> Fault {
        Fault::new(format!("the member '{}' has computed something wrong", self.member.name))
            .because(why)
            .fix(
                "compare the version of the program with the one that the file was written for; if it is the \
                 same, mistrust the machine",
            )
    }

    fn check_digest(&self, place: &CopyPlace, expected: &str) -> Result<(), Fault> {
        let found = sha256(&place.output);
        let (digest, length) = found.map_err(|error| self.wrong(error.to_string()))?;
        match (length, digest == expected) {
            (0, _) => Err(self.wrong("it has printed nothing".to_owned())),
            (_, true) => Ok(()),
            (_, false) => Err(self
                .wrong(format!("the SHA-256 of its output is {digest}, and must be {expected}"))),
        }
    }
}

impl OutsideMember<'_> {
    /// What the result file of the harness says of all copies.
    fn check_result(&self, benchmark: &Runcpu) -> Result<Right, Fault> {
        let root = self.workshop.build_folder(self.member);
        let file = new_file(&root, &self.results.borrow());
        let time =
            file.and_then(|file| time_in(&file, benchmark, (self.copies, self.member.reference)));
        time.map(Right::Took).map_err(|why| {
            Fault::new(format!("the member '{}' has no result that counts", self.member.name))
                .because(why)
                .fix(
                    "run it by itself, without --output_root, and read what runcpu says in its log",
                )
        })
    }
}

impl Contestant for OutsideMember<'_> {
    fn member(&self) -> &str {
        &self.member.name
    }

    fn processes(&self, copies: usize) -> usize {
        if matches!(self.member.check, OutputCheck::Runcpu(_)) { 1 } else { copies }
    }

    fn by_itself(&self, copy: usize) -> String {
        shown(&self.filled(&self.member.run, (copy, &self.workshop.copy_place(copy))))
    }

    fn start(
        &self,
        copy: usize,
        cpus: &[usize],
        words: Sender<Word>,
    ) -> Result<Box<dyn StartedCopy>, Fault> {
        if matches!(self.member.check, OutputCheck::Runcpu(_)) {
            self.results.replace(result_files(&self.workshop.build_folder(self.member)));
        }
        let place = self.workshop.make_copy_place(copy)?;
        let run = self.filled(&self.member.run, (copy, &place));
        let mut command = self.workshop.command(&run, &place.folder);
        command.stdout(file(&place.output)?).stderr(file(&place.errors)?);
        let life = Arc::new(Mutex::new(Life::Waiting));
        let (release, released) = channel();
        let runner = Runner {
            copy,
            cpus: cpus.to_vec(),
            life: life.clone(),
            reap: self.reap,
            words,
            failed: self.failed(copy, &run),
            place,
        };
        let thread = thread::Builder::new().name(format!("copy-{copy}"));
        let thread =
            thread.spawn(move || runner.run((command, run), &released)).map_err(|error| {
                Fault::new(format!("cannot start copy {} of '{}'", copy + 1, self.member.name))
                    .because(error)
                    .fix("use fewer --copies, or raise the limit of processes (ulimit -u)")
            })?;
        Ok(Box::new(OutsideCopy { life, release: Some(release), thread: Some(thread) }))
    }

    fn check(
        &self,
        copy: usize,
        report: &Report,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Right>, Fault> {
        let place = self.workshop.copy_place(copy);
        if report.processor_s < WORKED_MIN.as_secs_f64() {
            let run = self.filled(&self.member.run, (copy, &place));
            return Err(Fault::new(format!("the member '{}' has used no time", self.member.name))
                .because(format!("a copy had {:.3} ms of processor time", 1e3 * report.processor_s))
                .fix(format!("give it more work, which it does itself: {}", shown(&run))));
        }
        let words = match &self.member.check {
            OutputCheck::Digest(expected) => {
                return self.check_digest(&place, expected).map(|()| Some(Right::AsSeen));
            }
            OutputCheck::Runcpu(benchmark) => return self.check_result(benchmark).map(Some),
            OutputCheck::Command(words) => self.filled(words, (copy, &place)),
        };
        match self.workshop.run_aside(&words, &place.folder, go_on)? {
            None => Ok(None),
            Some(ended) if ended.status.success() => Ok(Some(Right::AsSeen)),
            Some(ended) => Err(self.wrong(
                format!("`{}`: {} {}", shown(&words), ended.status, ended.errors)
                    .trim_end()
                    .to_owned(),
            )),
        }
    }
}

impl OutsideMember<'_> {
    /// The fault of a copy that failed, without the reason.
    fn failed(&self, copy: usize, run: &[String]) -> Fault {
        Fault::new(format!("copy {} of the member '{}' has failed", copy + 1, self.member.name))
            .fix(format!("run it by itself: {}", shown(run)))
    }
}

/// The life of a process that a thread starts, and that can be ended meanwhile.
#[derive(Debug, Clone, Copy)]
enum Life {
    /// It is not started yet.
    Waiting,
    /// It is there, or has ended and is not reaped.
    Running(Pid),
    /// It is gone, or will not be started.
    Over,
}

fn locked(life: &Mutex<Life>) -> MutexGuard<'_, Life> {
    life.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread of a copy needs.
struct Runner {
    copy: usize,
    cpus: Vec<usize>,
    life: Arc<Mutex<Life>>,
    reap: Reap,
    words: Sender<Word>,
    failed: Fault,
    place: CopyPlace,
}

impl Runner {
    /// Starts the process once it is `released`, waits for its end, and says what became of it.
    fn run(self, (command, words): (Command, Vec<String>), released: &Receiver<()>) {
        if let Err(error) = keep_on(&self.cpus) {
            return self.say(Said::Failed(self.failed.clone().because(error)));
        }
        self.say(Said::Ready);
        if released.recv().is_err() {
            return;
        }
        match self.work(command) {
            Ok(Some(ended)) => {
                let said = match ended.is_success {
                    true => Said::Done(Report { digest: None, processor_s: ended.processor_s }),
                    false => Said::Failed(self.failed.clone().because(format!(
                        "{}: {}",
                        ended.status,
                        start_of(&self.place.errors)
                    ))),
                };
                let _ = self.words.send(Word { copy: self.copy, said, at: ended.at });
            }
            Ok(None) => {}
            Err(error) => self.say(Said::Failed(cannot_start(&words, &error))),
        }
    }

    fn say(&self, said: Said) {
        let _ = self.words.send(Word { copy: self.copy, said, at: Instant::now() });
    }

    /// The process from its start to its end; `None` if it is not to be started any more.
    fn work(&self, mut command: Command) -> io::Result<Option<EndedCopy>> {
        let pid = {
            let mut life = locked(&self.life);
            if !matches!(*life, Life::Waiting) {
                return Ok(None);
            }
            let pid = Pid::from_child(&command.spawn()?);
            *life = Life::Running(pid);
            pid
        };
        // It stays a zombie, and so its number stays its own.
        while let Err(error) =
            waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        {
            if error != rustix::io::Errno::INTR {
                return Err(error.into());
            }
        }
        let at = Instant::now();
        let mut life = locked(&self.life);
        // What it has left behind would disturb others.
        let _ = kill_process_group(pid, Signal::KILL);
        *life = Life::Over;
        let ended = (self.reap)(pid.as_raw_nonzero().get().unsigned_abs())?;
        Ok(Some(EndedCopy {
            at,
            is_success: ended.status.success(),
            status: ended.status.to_string(),
            processor_s: ended.processor.as_secs_f64(),
        }))
    }
}

/// A process that has ended.
struct EndedCopy {
    at: Instant,
    is_success: bool,
    status: String,
    processor_s: f64,
}

/// Keeps the calling thread, and what it starts, on these processors; on all if there are none to choose.
fn keep_on(cpus: &[usize]) -> io::Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    cpus.iter().for_each(|cpu| set.set(*cpu));
    Ok(sched_setaffinity(None, &set)?)
}

/// A copy at work. It ends when this is dropped.
struct OutsideCopy {
    life: Arc<Mutex<Life>>,
    release: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl StartedCopy for OutsideCopy {
    fn release(&mut self) {
        if let Some(release) = &self.release {
            let _ = release.send(());
        }
    }
}

impl Drop for OutsideCopy {
    fn drop(&mut self) {
        {
            let mut life = locked(&self.life);
            match *life {
                Life::Waiting => *life = Life::Over,
                // The thread reaps it.
                Life::Running(pid) => {
                    let _ = kill_process_group(pid, Signal::KILL);
                }
                Life::Over => {}
            }
        }
        self.release = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
