//! Runs the program in its own folder.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder that goes away, on a file system on which direct I/O works if it works anywhere here.
pub(crate) struct Bench {
    folder: TempDir,
}

/// Sends a signal to a process, by the shell: the program `kill` is not everywhere.
#[track_caller]
pub(crate) fn signal(name: &str, process: u32) {
    let kill = ["-c", "kill -s \"$0\" \"$1\"", name, &process.to_string()];
    assert!(Command::new("sh").args(kill).status().unwrap().success());
}

/// What the program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap() }
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// A file of the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The program, to be started in the folder, undisturbed by the environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_through(&[], arguments)
    }

    /// Another program, to be started in the folder, undisturbed by the environment.
    pub(crate) fn command_of(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path());
        command.env_remove("KNEEPOINT_STORE").env("NO_COLOR", "1").env("COLUMNS", "100");
        command.stdin(Stdio::null());
        command
    }

    /// The program behind other words, such as `sh -c ...`.
    pub(crate) fn command_through(&self, before: &[&str], arguments: &[&str]) -> Command {
        let words: Vec<&str> = before
            .iter()
            .chain([&env!("CARGO_BIN_EXE_kneepoint")])
            .chain(arguments)
            .copied()
            .collect();
        self.command_of(words[0], &words[1..])
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        self.said(self.command(arguments).output().unwrap())
    }

    /// Runs the program, which must succeed.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> Said {
        let said = self.run(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}\n{}", said.stderr);
        said
    }

    /// Runs the program, which must refuse the arguments because of `why`.
    #[track_caller]
    pub(crate) fn refuse(&self, arguments: &[&str], why: &str) {
        let said = self.run(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}");
        assert!(said.stderr.contains(why), "{}", said.stderr);
    }

    /// Runs the program, which must succeed and print JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.succeed(arguments).stdout).unwrap()
    }

    /// What was said, the folder's name left out.
    pub(crate) fn said(&self, output: Output) -> Said {
        let folder = self.folder.path().to_string_lossy();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&*folder, "[FOLDER]");
        Said {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}
