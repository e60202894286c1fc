//! An account of this machine that was made for sessions.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, kill_process};

use super::super::application::Setting;
use super::super::session_files;
use super::server::program;

/// The accounts of this machine.
const ACCOUNTS: &str = "/etc/passwd";

/// How often, and how many times, it is looked whether all processes of an account have ended.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 50;

/// In the first looks they are asked to end; after that they are killed.
const POLITE_LOOKS: u32 = 20;

/// An account that carries our mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    name: String,
    uid: u32,
}

impl Account {
    /// Whether this machine has an account of this name, whoever made it.
    pub(super) fn is_there(name: &str) -> bool {
        fs::read_to_string(ACCOUNTS).is_ok_and(|text| line_of(&text, name).is_some())
    }

    /// The account of this name, if it carries `mark`.
    pub(super) fn found((name, mark): (&str, &str)) -> Option<Self> {
        let uid = marked(&fs::read_to_string(ACCOUNTS).ok()?, (name, mark))?;
        Some(Self { name: name.to_owned(), uid })
    }

    /// Makes an account that carries `mark`, with a password and with how its application is set.
    pub(super) fn make(
        (name, mark): (&str, &str),
        (password, settings): (&str, &[Setting]),
    ) -> Result<Self, String> {
        let comment = ["--comment", mark, "--create-home", "--shell", "/bin/sh", name];
        run("useradd", comment, "")?;
        let made = Self::found((name, mark)).ok_or_else(|| format!("useradd made no {name}"))?;
        run("chpasswd", [""; 0], &format!("{name}:{password}\n"))?;
        made.set(settings).map_err(|error| format!("no home of {name}: {error}"))?;
        Ok(made)
    }

    /// Writes what sets its application into its home.
    fn set(&self, settings: &[Setting]) -> std::io::Result<()> {
        let text = fs::read_to_string(ACCOUNTS)?;
        let home = line_of(&text, &self.name).and_then(|line| line.split(':').nth(5));
        let home = Path::new(home.unwrap_or_default());
        let group = fs::metadata(home)?.gid();
        let own = |path: &Path| std::os::unix::fs::chown(path, Some(self.uid), Some(group));
        for setting in settings {
            let file = session_files::set(&home.join(".config"), setting)?;
            // The folders in between were made by root, too.
            file.ancestors().take_while(|path| *path != home).try_for_each(own)?;
        }
        Ok(())
    }

    /// Ends all of its processes, and removes it with its home.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub(super) fn remove(&self) -> Result<(), Fault> {
        for look in 0..LOOKS {
            let running = processes_of(self.uid);
            if running.is_empty() {
                break;
            }
            // A screen that is asked to end puts away its socket.
            let signal = if look < POLITE_LOOKS { Signal::TERM } else { Signal::KILL };
            for pid in running {
                let _ = kill_process(pid, signal);
            }
            thread::sleep(LOOK);
        }
        // It complains of a mailbox that is not there.
        let _ = run("userdel", ["--remove", &self.name], "");
        match Self::is_there(&self.name) {
            false => Ok(()),
            true => Err(Fault::new(format!("cannot remove the account {}", self.name))
                .fix(format!("remove it yourself: userdel --remove {}", self.name))),
        }
    }
}

/// The line of an account in a list of all.
fn line_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find(|line| line.split(':').next() == Some(name))
}

/// The number of the account of this name, if its comment is `mark` and it is no account of the system.
fn marked(text: &str, (name, mark): (&str, &str)) -> Option<u32> {
    let fields: Vec<&str> = line_of(text, name)?.split(':').collect();
    let uid = fields.get(2)?.parse().ok().filter(|uid| *uid > 0)?;
    (*fields.get(4)? == mark).then_some(uid)
}

/// The processes of an account.
fn processes_of(uid: u32) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = entries.filter(|entry| entry.metadata().is_ok_and(|found| found.uid() == uid));
    let number = |name: &OsStr| Pid::from_raw(name.to_str()?.parse().ok()?);
    own.filter_map(|entry| number(&entry.file_name())).collect()
}

/// Runs a program of the system with this on its standard input; what it complains of is the error.
fn run<const N: usize>(name: &str, arguments: [&str; N], input: &str) -> Result<(), String> {
    let path = program(name).ok_or_else(|| format!("there is no {name}"))?;
    let text = |error: std::io::Error| format!("{name}: {error}");
    let mut child = Command::new(path)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(text)?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input.as_bytes());
    }
    let ended = child.wait_with_output().map_err(text)?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(format!("{name}: {}", String::from_utf8_lossy(&ended.stderr).trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_carries_the_mark_is_ours() {
        let text = "root:x:0:0:our mark:/root:/bin/sh\nkp1:x:1001:1001:our mark:/home/kp1:/bin/sh\n\
                    kp10:x:1002:1002:their own:/home/kp10:/bin/sh\nkp2:x:1003\n";
        assert_eq!(marked(text, ("kp1", "our mark")), Some(1001));
        assert_eq!(marked(text, ("kp10", "our mark")), None);
        assert_eq!(marked(text, ("root", "our mark")), None, "it is that of the system");
        assert_eq!(marked(text, ("kp2", "our mark")), None, "no line of an account");
        assert_eq!(marked(text, ("kp", "our mark")), None);
    }
}
