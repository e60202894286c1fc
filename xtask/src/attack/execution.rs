//! The program in bounds (memory, size of files, processor time and wall time), the folder of a
//! case, and what must hold of every process and still be so in the folder after it.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;
use kneepoint_core::words::printable::is_printable;

use super::case::{AttackCase, STORE};

/// Address space in KiB: 2 GiB, of which the program and its threads' stacks reserve a part.
const ADDRESS_SPACE_KIB: u64 = 2 << 20;

/// Longest file that a case may write, in blocks of 512 bytes: 64 MiB.
const FILE_BLOCKS: u64 = 128 << 10;

/// Processor time of a process. Cases take some hundredths of a second.
const PROCESSOR_SECONDS: u64 = 30;

/// Wall time of a process, far above the processor time on a machine that does other things, too.
const WALL: Duration = Duration::from_secs(120);

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Code(i32),
    Signal(i32),
    /// It was killed because it did not end.
    Hung,
}

/// The output of a process, and how it ended.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) ending: Ending,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Runs the program in a folder, which is its home and its place for temporary files as well, and
/// waits for it. Its streams go beside the folder.
pub(super) fn run(program: &Path, folder: &Path, words: &[&str]) -> anyhow::Result<Said> {
    let [out, err] = ["out", "err"].map(|ending| folder.with_extension(ending));
    let limits = format!(
        "ulimit -v {ADDRESS_SPACE_KIB} && ulimit -f {FILE_BLOCKS} && ulimit -t {PROCESSOR_SECONDS} \
         && ulimit -c 0 && exec \"$0\" \"$@\""
    );
    let child = Command::new("sh")
        .args(["-c", &limits])
        .arg(program)
        .args(words)
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()
        .context("sh")?;
    let ending = wait(child)?;
    Ok(Said { ending, stdout: fs::read(out)?, stderr: fs::read(err)? })
}

fn wait(mut child: Child) -> anyhow::Result<Ending> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            let signal = Ending::Signal(status.signal().unwrap_or_default());
            return Ok(status.code().map_or(signal, Ending::Code));
        }
        if started.elapsed() > WALL {
            child.kill()?;
            child.wait()?;
            return Ok(Ending::Hung);
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(8));
    }
}

/// Exit codes that the program has: done, a check failed, wrong usage.
const CODES: [i32; 3] = [0, 1, 2];

/// Returns what is wrong with how a process ended and with its output.
pub(super) fn findings(said: &Said) -> Vec<String> {
    let mut findings = Vec::new();
    match said.ending {
        Ending::Hung => findings.push("it hangs".to_owned()),
        Ending::Signal(signal) => findings.push(format!("it was ended by signal {signal}")),
        Ending::Code(code) if !CODES.contains(&code) => {
            findings.push(format!("it ended with exit code {code}"));
        }
        Ending::Code(_) => {}
    }
    if said.stderr.windows(11).any(|window| window == b"panicked at") {
        findings.push("a thread panicked".to_owned());
    }
    for (stream, bytes) in [("stdout", &said.stdout), ("stderr", &said.stderr)] {
        findings.extend(raw(stream, bytes));
    }
    findings
}

/// The first character that could steer a terminal or turn the direction of writing.
fn raw(stream: &str, bytes: &[u8]) -> Option<String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Some(format!("{stream} is not UTF-8"));
    };
    let allowed = |letter: char| is_printable(letter) || matches!(letter, '\n' | '\t');
    let (at, letter) = text.char_indices().find(|(_, letter)| !allowed(*letter))?;
    Some(format!("{stream} has a raw {} at byte {at}", letter.escape_unicode()))
}

/// Content of the file of others.
const PRECIOUS: &[u8] = b"a file of others\n";

/// The result of a case.
#[derive(Debug, Default)]
pub(super) struct CaseOutcome {
    /// Faults, a sentence each.
    pub(super) wrong: Vec<String>,
    /// Exit codes of its commands.
    pub(super) codes: Vec<i32>,
}

/// A folder with the files of a case, and a folder of others beside it.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Writes the files.
    pub(super) fn new(folder: &Path, case: &AttackCase) -> anyhow::Result<Self> {
        let scratch = Self { folder: folder.to_owned() };
        fs::create_dir(folder)?;
        fs::create_dir(scratch.work())?;
        fs::create_dir(scratch.outside())?;
        fs::write(scratch.outside().join("precious"), PRECIOUS)?;
        for (name, bytes) in case.inputs.iter().chain(&case.stores) {
            fs::write(scratch.work().join(name), bytes)?;
        }
        Ok(scratch)
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    fn outside(&self) -> PathBuf {
        self.folder.join("outside")
    }

    /// Runs the commands. `witness` is a run of the sound store: its id and export.
    pub(super) fn run(
        &self,
        case: &AttackCase,
        program: &Path,
        witness: &(String, Vec<u8>),
    ) -> anyhow::Result<CaseOutcome> {
        let run = |words: &[&str]| run(program, &self.work(), words);
        let mut outcome = CaseOutcome::default();
        let wrong = &mut outcome.wrong;
        for words in &case.commands {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let said = run(&words)?;
            if let Ending::Code(code) = said.ending {
                outcome.codes.push(code);
            }
            let named = |finding| format!("`{}`: {finding}", words.join(" ").escape_debug());
            wrong.extend(findings(&said).into_iter().map(named));
        }
        wrong.extend(self.changed_inputs(case));
        wrong.extend(self.changed_outside()?);
        if case.uses(STORE) {
            let (id, before) = witness;
            let said = run(&["export", id, "--histograms", "--store", STORE])?;
            if said.stdout != *before {
                let errors = String::from_utf8_lossy(&said.stderr);
                let errors = errors.escape_debug();
                wrong.push(format!("another run of the store is not what it was: {errors}"));
            }
        }
        Ok(outcome)
    }

    fn changed_inputs(&self, case: &AttackCase) -> Vec<String> {
        let is_same = |name: &str, bytes: &[u8]| {
            fs::read(self.work().join(name)).is_ok_and(|now| now == bytes)
        };
        let changed = case.inputs.iter().filter(|(name, bytes)| !is_same(name, bytes));
        changed.map(|(name, _)| format!("the input {name} was changed")).collect()
    }

    /// Files made or changed beside the folder of the case.
    fn changed_outside(&self) -> anyhow::Result<Vec<String>> {
        let mut wrong = Vec::new();
        let mut names = Vec::new();
        for folder in [&self.folder, &self.outside()] {
            for entry in fs::read_dir(folder)? {
                names.push(entry?.file_name().to_string_lossy().into_owned());
            }
        }
        names.retain(|name| {
            !["work", "work.out", "work.err", "outside", "precious"].contains(&&**name)
        });
        if !names.is_empty() {
            wrong.push(format!("made outside of its folder: {names:?}"));
        }
        if fs::read(self.outside().join("precious")).ok().as_deref() != Some(PRECIOUS) {
            wrong.push("a file of others was changed".to_owned());
        }
        Ok(wrong)
    }

    /// Removes the folder.
    pub(super) fn remove(self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.folder).with_context(|| self.folder.display().to_string())
    }

    /// Keeps the files as they were before the case, with its commands as a script.
    pub(super) fn keep(
        self,
        place: &Path,
        program: &Path,
        case: &AttackCase,
    ) -> anyhow::Result<()> {
        self.remove()?;
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        fs::create_dir_all(place.parent().unwrap_or(place))?;
        let kept = Self::new(place, case)?;
        let mut script = String::from("cd \"$(dirname \"$0\")/work\"\n");
        for words in &case.commands {
            script += &quoted(&program.display().to_string());
            for word in words {
                write!(script, " {}", quoted(word))?;
            }
            script.push('\n');
        }
        Ok(fs::write(kept.folder.join("commands.sh"), script)?)
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod finding_tests {
    use super::*;

    fn check(ending: Ending, stdout: &str, stderr: &str, expected: &[&str]) {
        let said = Said { ending, stdout: stdout.into(), stderr: stderr.into() };
        assert_eq!(findings(&said), expected);
    }

    #[test]
    fn every_way_to_fail_is_found() {
        let code = Ending::Code;
        check(code(0), "ü\t1\n", "", &[]);
        check(code(2), "", "error: no\n", &[]);
        check(code(101), "", "", &["it ended with exit code 101"]);
        check(Ending::Signal(6), "", "", &["it was ended by signal 6"]);
        check(Ending::Hung, "", "", &["it hangs"]);
        check(code(0), "", "thread 'a' panicked at b", &["a thread panicked"]);
        check(code(0), "a\u{1b}[2J", "", &["stdout has a raw \\u{1b} at byte 1"]);
        check(code(0), "", "\u{202e}", &["stderr has a raw \\u{202e} at byte 0"]);
        check(code(0), "\u{9b}", "", &["stdout has a raw \\u{9b} at byte 0"]);
    }
}

#[cfg(test)]
mod scratch_tests {
    use super::*;

    /// Checks what is found wrong with a shell that does as the script says.
    #[track_caller]
    fn check(name: &str, script: &str, expected: &[&str]) {
        let folder = std::env::temp_dir().join(format!("attack-{}-{name}", std::process::id()));
        let case = AttackCase {
            inputs: vec![("input.toml", b"sound".to_vec())],
            commands: vec![vec!["-c".to_owned(), script.to_owned()]],
            ..AttackCase::default()
        };
        let scratch = Scratch::new(&folder, &case).unwrap();
        let outcome = scratch.run(&case, Path::new("/bin/sh"), &Default::default()).unwrap();
        scratch.remove().unwrap();
        let are_found =
            expected.iter().zip(&outcome.wrong).all(|(part, wrong)| wrong.contains(part));
        assert!(are_found && outcome.wrong.len() == expected.len(), "{:?}", outcome.wrong);
    }

    #[test]
    fn harm_to_files_is_found() {
        check("harmless", "echo x > new; exit 1", &[]);
        check("input", "echo x > input.toml", &["the input input.toml was changed"]);
        check("removed", "rm input.toml", &["the input input.toml was changed"]);
        check("outside", "echo x > ../outside/new", &["made outside of its folder: [\"new\"]"]);
        check("beside", "mkdir ../beside", &["made outside of its folder: [\"beside\"]"]);
        check("others", "echo x > ../outside/precious", &["a file of others was changed"]);
    }

    #[test]
    fn bounds_are_kept_and_ends_are_found() {
        check("killed", "kill -SEGV $$", &["it was ended by signal 11"]);
        check("code", "exit 101", &["it ended with exit code 101"]);
        check("raw", "printf '\\033[2J'", &["stdout has a raw \\u{1b} at byte 0"]);
        check("memory", "test $(ulimit -v) -eq 2097152 && test $(ulimit -t) -eq 30", &[]);
    }
}
