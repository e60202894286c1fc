//! `cargo xtask attack`: changed files, documents, stores and command lines against the program.
//!
//! Whatever it is given, the program ends soon with one of its exit codes, within bounds of memory,
//! prints nothing that steers a terminal, and changes nothing that it was not told to change. All
//! that differs between two cases comes from the seed and the number of the case.

mod case;
mod execution;
mod line;
mod mutation;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use anyhow::Context;
use clap::Args;
use indicatif::HumanDuration;

use case::{AttackCase, Material};
use execution::Scratch;
use mutation::Dice;

/// How often it says how far it is.
const NEWS: Duration = Duration::from_secs(10);

/// Cases that fail are of little use beyond this many.
const FAILURES_MAX: usize = 50;

/// `cargo xtask attack`.
#[derive(Debug, Args)]
pub struct AttackArgs {
    /// The program to attack: a build with debug assertions finds more
    #[arg(long, default_value = "target/debug/kneepoint")]
    pub kneepoint: PathBuf,

    /// Cases to run
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub cases: u64,

    /// Seed of all cases
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Start no more cases after this time
    #[arg(long, value_name = "S")]
    pub seconds: Option<u64>,

    /// Run this case alone, and keep its folder
    #[arg(long, value_name = "N")]
    pub only: Option<u64>,

    /// Processes at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
}

/// State that all threads share.
#[derive(Debug)]
struct Attack<'a> {
    args: &'a AttackArgs,
    program: PathBuf,
    material: Material,
    /// Where cases run, and where those stay that fail.
    folder: PathBuf,
    kept: PathBuf,
    started: Instant,
    next: AtomicU64,
    done: AtomicU64,
    /// Processes by exit code: 0, 1, 2.
    codes: [AtomicU64; 3],
    failures: Mutex<Vec<String>>,
}

/// Runs the cases; a summary, and whether all held.
///
/// # Errors
/// When the program cannot be run on sound files, or the folders cannot be made.
pub fn attack(args: &AttackArgs, root: &Path) -> anyhow::Result<(String, bool)> {
    let program = fs::canonicalize(&args.kneepoint).with_context(|| {
        format!("{}: build it with `cargo build -p kneepoint`", args.kneepoint.display())
    })?;
    let folder = std::env::temp_dir().join(format!("kneepoint-attack-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
    let result = Material::gather(root, &folder.join("material"), &program).and_then(|material| {
        let attack = Attack {
            args,
            program,
            material,
            folder: folder.clone(),
            kept: root.join("target/attack"),
            started: Instant::now(),
            next: AtomicU64::new(args.only.unwrap_or(0)),
            done: AtomicU64::new(0),
            codes: Default::default(),
            failures: Mutex::new(Vec::new()),
        };
        attack.run()
    });
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    result
}

impl Attack<'_> {
    fn run(&self) -> anyhow::Result<(String, bool)> {
        thread::scope(|scope| {
            let start = |_| thread::Builder::new().spawn_scoped(scope, || self.work());
            let workers = (0..self.args.threads).map(start).collect::<io::Result<Vec<_>>>()?;
            self.tell_until(|| workers.iter().all(thread::ScopedJoinHandle::is_finished));
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(worked) => worked,
                Err(_) => anyhow::bail!("a thread of the attack panicked"),
            })
        })?;
        let failures = self.failures();
        let (cases, seed) = (self.done.load(Ordering::Relaxed), self.args.seed);
        let time = HumanDuration(self.started.elapsed());
        let mut text =
            format!("{cases} cases of seed {seed} in {time}: {} failed\n", failures.len());
        let [done, checked, refused] =
            self.codes.each_ref().map(|counter| counter.load(Ordering::Relaxed));
        text += &format!("exit codes of the processes: {done} x 0, {checked} x 1, {refused} x 2\n");
        failures.iter().for_each(|failure| text.push_str(failure));
        Ok((text, failures.is_empty()))
    }

    /// Takes cases until there are none left.
    fn work(&self) -> anyhow::Result<()> {
        while let Some(number) = self.take() {
            self.attempt(number).with_context(|| format!("case {number}"))?;
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The number of the next case, if there is one.
    fn take(&self) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let is_last = |last: u64| number > last;
        let late = |seconds| self.started.elapsed() >= Duration::from_secs(seconds);
        let end = self.args.only.unwrap_or(self.args.cases.saturating_sub(1));
        let none = is_last(end) || self.args.cases == 0 || self.args.seconds.is_some_and(late);
        (!none && self.failures().len() < FAILURES_MAX).then_some(number)
    }

    fn attempt(&self, number: u64) -> anyhow::Result<()> {
        let case = AttackCase::draw(&mut Dice::new(self.args.seed, number), &self.material);
        let scratch = Scratch::new(&self.folder.join(number.to_string()), &case)?;
        let outcome = scratch.run(&case, &self.program, &self.material.witness)?;
        self.count(&outcome.codes);
        let findings = outcome.wrong;
        if findings.is_empty() && self.args.only.is_none() {
            return scratch.remove();
        }
        let place = self.kept.join(format!("{}-{number}", self.args.seed));
        scratch.keep(&place, &self.program, &case)?;
        if !findings.is_empty() {
            let seed = self.args.seed;
            let mut text = format!("case {number}, {}: {}\n", case.kind, findings.join("; "));
            text += &format!("  cargo xtask attack --seed {seed} --only {number}\n");
            text += &format!("  its files and commands: {}\n", place.display());
            self.failures().push(text);
        }
        Ok(())
    }

    fn count(&self, codes: &[i32]) {
        for code in codes {
            let counter = usize::try_from(*code).ok().and_then(|code| self.codes.get(code));
            counter.map(|counter| counter.fetch_add(1, Ordering::Relaxed));
        }
    }

    fn failures(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Says how far the attack is until it is done.
    fn tell_until(&self, is_done: impl Fn() -> bool) {
        let mut said = Instant::now();
        let pause = if io::stderr().is_terminal() { Duration::from_secs(1) } else { NEWS };
        while !is_done() {
            thread::sleep(Duration::from_millis(50));
            if said.elapsed() >= pause {
                said = Instant::now();
                // Progress that no one takes is no reason to stop.
                let _ = writeln!(io::stderr().lock(), "{}", self.progress());
            }
        }
    }

    fn progress(&self) -> String {
        let (done, spent) = (self.done.load(Ordering::Relaxed), self.started.elapsed());
        let share = done.max(1) as f64 / self.args.cases.max(1) as f64;
        let to_all = spent.div_f64(share).saturating_sub(spent);
        let to_limit =
            self.args.seconds.map(|limit| Duration::from_secs(limit).saturating_sub(spent));
        let left = HumanDuration(to_limit.map_or(to_all, |limit| limit.min(to_all)));
        format!("[{done}/{}, {left} left] {} failed", self.args.cases, self.failures().len())
    }
}
