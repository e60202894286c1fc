//! Programs of the user's own made ready: their folders, what is built, the files that they are, and their
//! versions. Commands run without a shell, with `LC_ALL=C`, and with nothing to read on standard input.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;
use std::{env, process};

use kneepoint_core::spec::command::shown;
use kneepoint_core::spec::profile::{ExternalMember, OutputCheck, Places, Runcpu};
use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, kill_process_group};
use sha2::{Digest, Sha256};

/// Longest text of a command that a message or a result repeats, in characters.
const SAID_MAX: usize = 300;

/// Folders of one process that can be there from earlier ones of the same number.
const FOLDERS_MAX: u32 = 100;

/// The folders of all programs of a run. They go away with this.
#[derive(Debug)]
pub(super) struct Workshop {
    root: PathBuf,
    /// Where the run was started.
    start: PathBuf,
}

/// The folders of one copy.
#[derive(Debug, Clone)]
pub(super) struct CopyPlace {
    /// Its working folder.
    pub(super) folder: PathBuf,
    /// Its standard output.
    pub(super) output: PathBuf,
    /// Its standard error.
    pub(super) errors: PathBuf,
}

impl Workshop {
    /// Makes the folder, where the environment wants temporary files (TMPDIR).
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn make() -> Result<Self, Fault> {
        let start = env::current_dir();
        let start =
            start.map_err(|error| Fault::new("cannot tell where this is run").because(error))?;
        let parent = start.join(env::temp_dir());
        if parent.to_str().is_none() {
            return Err(Fault::new(format!("cannot make folders in {}", parent.display()))
                .because("its name is no text, and commands are to have it")
                .fix("name another folder: TMPDIR=/folder"));
        }
        for number in 0..FOLDERS_MAX {
            let root = parent.join(format!("kneepoint-members-{}-{number}", process::id()));
            match DirBuilder::new().mode(0o700).create(&root) {
                Ok(()) => return Ok(Self { root, start }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot_make(&root, &error)),
            }
        }
        Err(Fault::new(format!("{} is full of folders of earlier runs", parent.display()))
            .fix("remove those called kneepoint-members-... of runs that were killed"))
    }

    /// The folder of `member` for the whole run.
    pub(super) fn build_folder(&self, member: &ExternalMember) -> PathBuf {
        self.root.join("build").join(&member.name)
    }

    fn copy_folder(&self, copy: usize) -> PathBuf {
        self.root.join(format!("copy-{}", copy + 1))
    }

    /// The folders of copy number `copy`.
    pub(super) fn copy_place(&self, copy: usize) -> CopyPlace {
        let own = self.copy_folder(copy);
        CopyPlace {
            folder: own.join("folder"),
            output: own.join("output"),
            errors: own.join("errors"),
        }
    }

    /// Makes them, empty.
    ///
    /// # Errors
    /// When they cannot be made.
    pub(super) fn make_copy_place(&self, copy: usize) -> Result<CopyPlace, Fault> {
        let place = self.copy_place(copy);
        let own = self.copy_folder(copy);
        match fs::remove_dir_all(&own) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Fault::new(format!("cannot empty {}", own.display())).because(error));
            }
            Ok(()) | Err(_) => {}
        }
        fs::create_dir_all(&place.folder).map_err(|error| cannot_make(&place.folder, &error))?;
        Ok(place)
    }

    /// Makes what the copies of `member` need; false if `go_on` is before it is done.
    ///
    /// # Errors
    /// When its command fails.
    pub(super) fn build(
        &self,
        member: &ExternalMember,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Fault> {
        let folder = self.build_folder(member);
        fs::create_dir_all(&folder).map_err(|error| cannot_make(&folder, &error))?;
        let Some(build) = &member.build else { return Ok(true) };
        let words = places(&folder).fill(build);
        let Some(ended) = self.run_aside(&words, &folder, go_on)? else { return Ok(false) };
        match ended.status.success() {
            true => Ok(true),
            false => Err(Fault::new(format!("the member '{}' cannot be built", member.name))
                .because(format!("{}: {}", ended.status, ended.errors))
                .fix(format!("run it by itself: {}", shown(&words)))),
        }
    }

    /// What the result says of `member`, which is built; `None` if `go_on` is before it is known.
    ///
    /// # Errors
    /// When a program of it is missing.
    pub(super) fn facts(
        &self,
        member: &ExternalMember,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<BTreeMap<String, String>>, Fault> {
        let folder = self.build_folder(member);
        let word = match &member.check {
            OutputCheck::Runcpu(benchmark) => program_of(benchmark),
            _ => places(&folder).fill(&member.run).swap_remove(0),
        };
        let program = find(&word, &self.start).ok_or_else(|| missing(member, &word))?;
        let sha256 = sha256(&program).map_err(|error| {
            Fault::new(format!("cannot read {}", program.display())).because(error)
        })?;
        let name = |what: &str| format!("{} {what}", member.name);
        let mut facts = BTreeMap::from([
            (name("command"), shown(&member.run)),
            (name("program"), program.display().to_string()),
            (name("program SHA-256"), sha256.0),
            (
                name("reference"),
                format!("{} s on {}", member.reference.as_secs_f64(), member.reference_machine),
            ),
        ]);
        if let Some(version) = &member.version {
            let words = places(&folder).fill(version);
            let Some(ended) = self.run_aside(&words, &folder, go_on)? else { return Ok(None) };
            let line = [&ended.said, &ended.errors].into_iter().find(|said| !said.is_empty());
            let line = line.and_then(|said| said.lines().next()).unwrap_or("unknown");
            facts.insert(name("version"), line.to_owned());
        }
        Ok(Some(facts))
    }

    /// A command whose program is looked for where the run was started, ready to run in `folder`.
    pub(super) fn command(&self, words: &[String], folder: &Path) -> Command {
        let program = words.first().map_or("", String::as_str);
        let mut command = Command::new(match program.contains('/') {
            true => self.start.join(program),
            false => PathBuf::from(program),
        });
        command.args(words.iter().skip(1)).current_dir(folder).env("LC_ALL", "C");
        // What the terminal sends is for the one who measures.
        command.stdin(Stdio::null()).process_group(0);
        command
    }

    /// Runs a command that is not measured; `None` if `go_on` is before it has ended.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn run_aside(
        &self,
        words: &[String],
        folder: &Path,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Ended>, Fault> {
        let (output, errors) = (self.root.join("output"), self.root.join("errors"));
        let mut command = self.command(words, folder);
        command.stdout(file(&output)?).stderr(file(&errors)?);
        let mut child = command.spawn().map_err(|error| cannot_start(words, &error))?;
        let Some(status) = wait(&mut child, go_on).map_err(|error| cannot_start(words, &error))?
        else {
            return Ok(None);
        };
        Ok(Some(Ended { status, said: start_of(&output), errors: start_of(&errors) }))
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // It was made above, so it is ours.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The placeholders of commands that are run once.
fn places(build: &Path) -> Places<'_> {
    Places { build: text(build), copy: None }
}

/// A path as text, which those in a [`Workshop`] are.
pub(super) fn text(path: &Path) -> &str {
    path.to_str().unwrap_or("/nowhere")
}

/// How a command ended, and the first of what it printed.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) said: String,
    pub(super) errors: String,
}

/// Waits for `child`; ends it, with all that it started, and gives `None` once `go_on` says no.
fn wait(child: &mut Child, go_on: &mut dyn FnMut() -> bool) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if !go_on() {
            // It is not waited for yet, so the number is still its own.
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(50));
    }
}

/// Refuses programs of `member` that are not there. Those in its folder are built later.
///
/// # Errors
/// When one is missing.
pub(super) fn check_programs(member: &ExternalMember) -> Result<(), Fault> {
    let start = env::current_dir().unwrap_or_default();
    let commands = member.commands();
    let mut programs = commands.iter().filter_map(|words| words.first());
    if let OutputCheck::Runcpu(benchmark) = &member.check {
        let program = program_of(benchmark);
        let is_there = find(&program, &start).is_some();
        return is_there.then_some(()).ok_or_else(|| missing_tree(member, &program));
    }
    let is_missing = |program: &&String| !program.contains('{') && find(program, &start).is_none();
    programs.find(is_missing).map_or(Ok(()), |program| Err(missing(member, program)))
}

/// What starts the harness of a tree.
fn program_of(benchmark: &Runcpu) -> String {
    format!("{}/bin/runcpu", benchmark.tree)
}

fn missing_tree(member: &ExternalMember, program: &str) -> Fault {
    Fault::new(format!("the member '{}' needs {program}", member.name))
        .because("the tree is licensed: it is its owner who has it, and it is no part of Kneepoint")
        .fix("name the folder in which it is installed (tree), or leave the member out of the file")
}

/// The file that runs as `program`: a path from `start`, or a name on the PATH.
fn find(program: &str, start: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        let metadata = fs::metadata(path);
        metadata.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return Some(start.join(program)).filter(is_program);
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| start.join(folder).join(program)).find(is_program)
}

/// The SHA-256 of a file in hexadecimal digits, and its length in bytes.
///
/// # Errors
/// When it cannot be read.
pub(super) fn sha256(path: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let (mut hash, mut length) = (Sha256::new(), 0);
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part)? {
            0 => break,
            count => {
                hash.update(&part[..count]);
                length += count as u64;
            }
        }
    }
    Ok((hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), length))
}

/// A new file that a program writes to.
///
/// # Errors
/// When it cannot be made.
pub(super) fn file(path: &Path) -> Result<File, Fault> {
    File::create(path).map_err(|error| cannot_make(path, &error))
}

/// The first of what a program has written to `path`, as text.
pub(super) fn start_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        let _ = file.take(4 * SAID_MAX as u64).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).trim().chars().take(SAID_MAX).collect()
}

fn cannot_make(path: &Path, error: &io::Error) -> Fault {
    Fault::new(format!("cannot make {}", path.display()))
        .because(error)
        .fix("name a folder with room and permission: TMPDIR=/folder")
}

/// The fault of a command that cannot be started.
pub(super) fn cannot_start(words: &[String], error: &io::Error) -> Fault {
    Fault::new(format!("cannot start `{}`", shown(words)))
        .because(error)
        .fix("install the program; relative paths count from where the run was started")
}

fn missing(member: &ExternalMember, program: &str) -> Fault {
    Fault::new(format!("the member '{}' needs the program '{program}'", member.name))
        .because("there is none that can be run")
        .fix(
            "install it, or leave the member out of the file; relative paths count from where the run was \
             started",
        )
}
