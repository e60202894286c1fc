//! The user's own commands.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use kneepoint_core::words::fault::Fault;

use crate::signals::taken_by;

/// Longest text of a command that a message repeats, in characters.
const SAID_MAX: usize = 500;

/// Where commands run, and what tells that they are at work.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    /// The working directory.
    pub(super) directory: &'a Path,
    /// The locked journal: its lock is held until the last process of the command has ended, also
    /// where this process is killed meanwhile.
    pub(super) lock: &'a File,
}

/// Runs a command to its end and gives what it printed, white space around it left out.
///
/// It runs in its own process group: Ctrl-C at the terminal does not reach it, so that a
/// change is never left half done. A signal sent to it does, whichever thread answers ours.
pub(super) fn run(words: &[String], frame: Frame<'_>) -> Result<String, Fault> {
    let shown = shown(words);
    let failed = |why: String| Fault::new(format!("the command failed: {shown}")).because(why);
    let [program, arguments @ ..] = words else {
        return Err(Fault::new("there is no command to run"));
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(frame.directory).process_group(0).stdin(Stdio::null());
    let output = with_lock(frame.lock, || taken_by(&mut command).output()).map_err(|error| {
        failed(error.to_string()).fix(
            "check that the program exists; relative paths count from \
                                       where the run was started",
        )
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said: String = said.trim().chars().take(SAID_MAX).collect();
            Err(failed(format!("{}: {said}", output.status)))
        }
    }
}

/// Does `start` while programs that it starts inherit the lock.
fn with_lock<T>(lock: &File, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    // A duplicate made by dup(2) is open in the programs, and it shares the lock (flock(2)).
    let inherited = rustix::io::dup(lock)?;
    let result = start();
    drop(inherited);
    result
}

/// A command as it would be typed, for people.
pub(super) fn shown(words: &[String]) -> String {
    let word = |word: &String| match word.contains(|char: char| char.is_whitespace()) {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}
