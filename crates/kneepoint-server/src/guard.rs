//! A guard stands between this process and what it starts for a run: another process of this program, which ends
//! and removes all of it once its standard input is closed, however this process ends.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The program of this process, even if its file has been replaced.
const OWN_PROGRAM: &str = "/proc/self/exe";

/// A guard that runs. It goes, with all that it guards, when this is dropped.
#[derive(Debug)]
pub(crate) struct Guard {
    process: Child,
    /// It stays as long as this is open.
    leash: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
}

impl Guard {
    /// The command for the guard that this program is when it is called with `name`.
    pub(crate) fn command(name: &str) -> Command {
        let mut command = Command::new(OWN_PROGRAM);
        command.arg(name);
        command
    }

    /// Starts it. Ctrl-C is for this process, which ends its guard when it is done with it.
    ///
    /// # Errors
    /// When it cannot be started, in words.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = piped.process_group(0).spawn().map_err(|error| error.to_string())?;
        let leash = process.stdin.take();
        let said = process.stdout.take().ok_or("its guard has no output")?;
        Ok(Self { process, leash, said: BufReader::new(said) })
    }

    /// Says a line to it.
    ///
    /// # Errors
    /// When it has ended, in words.
    pub(crate) fn tell(&mut self, line: &str) -> Result<(), String> {
        let Some(leash) = &mut self.leash else { return Ok(()) };
        leash.write_all(format!("{line}\n").as_bytes()).map_err(|error| error.to_string())
    }

    /// What it says behind `word`.
    ///
    /// # Errors
    /// When it says anything else, which is why it failed, or has ended.
    pub(crate) fn hear(&mut self, word: &str) -> Result<String, String> {
        let mut line = String::new();
        self.said.read_line(&mut line).map_err(|error| error.to_string())?;
        let line = line.trim_end();
        match line.split_once(' ').unwrap_or((line, "")) {
            (said, rest) if said == word => Ok(rest.to_owned()),
            ("", _) => Err("its guard ended without a word".to_owned()),
            (_, why) => Err(why.to_owned()),
        }
    }

    /// Whether it still runs.
    pub(crate) fn is_there(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.leash = None;
        let _ = self.process.wait();
    }
}

/// How long what is guarded may take to end by itself.
const END: Duration = Duration::from_secs(10);

/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(20);

/// Ends `processes`, all at the same time: they are asked to, so that they can put away what others would find of
/// them, and killed if they do not.
pub(crate) fn end(processes: &mut [Child]) {
    for process in &mut *processes {
        // One that has ended no longer has its number.
        if matches!(process.try_wait(), Ok(None)) {
            let _ = kill_process(Pid::from_child(process), Signal::TERM);
        }
    }
    let begun = Instant::now();
    for process in processes {
        while matches!(process.try_wait(), Ok(None)) && begun.elapsed() < END {
            thread::sleep(LOOK);
        }
        let _ = process.kill();
        let _ = process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guard that is a shell with this script.
    fn guard(script: &str) -> Guard {
        Guard::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    #[test]
    fn a_guard_says_what_is_there_or_why_it_failed_or_nothing() {
        assert_eq!(guard("echo ready").hear("ready").unwrap(), "");
        assert_eq!(guard("echo started /tmp/a b").hear("started").unwrap(), "/tmp/a b");
        assert_eq!(guard("echo failed no room").hear("started").unwrap_err(), "no room");
        assert!(guard("true").hear("ready").unwrap_err().contains("without a word"));
    }

    #[test]
    fn a_guard_hears_lines_and_goes_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let script = format!("read line; echo heard $line; cat; touch {}", gone.display());
        let mut guard = guard(&script);
        guard.tell("more").unwrap();
        assert_eq!(guard.hear("heard").unwrap(), "more");
        assert!(guard.is_there() && !gone.exists());
        drop(guard);
        assert!(gone.exists());
    }

    #[test]
    fn what_is_guarded_is_asked_to_end_before_it_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let script = |number: u32| {
            let [ready, gone] =
                ["ready", "gone"].map(|name| folder.path().join(format!("{name}{number}")));
            let tidy =
                format!("trap 'touch {}; exit' TERM; touch {}; ", gone.display(), ready.display());
            (ready, gone, tidy + "while :; do sleep 0.01; done")
        };
        let scripts = [script(1), script(2)];
        let mut processes = scripts
            .each_ref()
            .map(|(_, _, text)| Command::new("sh").args(["-c", text]).spawn().unwrap());
        while !scripts.iter().all(|(ready, ..)| ready.exists()) {
            thread::sleep(LOOK);
        }
        end(&mut processes);
        assert!(scripts.iter().all(|(_, gone, _)| gone.exists()));
    }
}
