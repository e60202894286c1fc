//! Sessions that are lent: they run on this machine, each at a port of its own, until whoever started them ends
//! them.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use rustix::process::{Pid, Signal, kill_process};

use super::accounts::{self, ACCOUNTS_GUARD};
use super::address::{Address, Place, SessionWishes};
use super::sessions::{FOLDER, GUARD, ScreenPlaces, Sessions};

/// Sessions at ports of this machine. They end when this is dropped.
#[derive(Debug)]
pub struct LentSessions {
    sessions: Sessions,
    first: u16,
    application: String,
}

impl LentSessions {
    /// A guard for sessions as `target`, a `vnc:temp` with its settings, has them, with the first at `port`;
    /// there is none yet.
    ///
    /// # Errors
    /// When a program for them is missing, or they cannot be bounded as wished.
    pub fn begin(target: &str, port: u16) -> Result<Self, Fault> {
        let wishes = wishes(target)?;
        let sessions = Sessions::begin(&wishes, ScreenPlaces::PortsFrom(port))?;
        Ok(Self { sessions, first: port, application: wishes.application })
    }

    /// Starts one more; gives its port.
    ///
    /// # Errors
    /// When its port is taken, or it cannot be made.
    pub fn start(&mut self) -> Result<u16, Fault> {
        let count = self.sessions.screens.len();
        let port = u16::try_from(usize::from(self.first) + count);
        let port = port.map_err(|_| {
            Fault::new(format!("there is no port for session {}", count + 1))
                .because(format!("the first is at {}, and each has the next one", self.first))
                .fix("use fewer --users, or a lower --port")
        })?;
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop).map_err(|error| {
            Fault::new(format!("port {port} of session {} is not free", count + 1))
                .because(error)
                .fix("end what uses it, or choose others with --port")
        })?;
        self.sessions.start()?;
        Ok(port)
    }

    /// What users start.
    pub fn application(&self) -> &str {
        &self.application
    }

    /// Whether they still run.
    pub fn are_running(&mut self) -> bool {
        self.sessions.are_guarded()
    }
}

/// How sessions are to be.
fn wishes(target: &str) -> Result<SessionWishes, Fault> {
    match Address::parse(target)?.place {
        Place::Temporary(wishes) => Ok(wishes),
        Place::Running { .. } | Place::Accounts(_) => {
            Err(Fault::new(format!("'{target}' runs already"))
                .fix("name sessions that are to be started: vnc:temp?application=mousepad"))
        }
    }
}

/// How long the end of sessions is waited for, and how often it is looked.
const END: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(50);

/// Ends all lent sessions of this user whose folders are in `parent`; gives the number of commands that had
/// started them. Sessions of a run are left alone.
///
/// # Errors
/// When the folder cannot be read, or sessions do not end.
pub fn stop_lent(parent: &Path) -> Result<usize, Fault> {
    let folders = folders_in(parent)?;
    let lent: Vec<(PathBuf, Pid)> =
        folders.filter_map(|folder| lender(&folder).map(|lender| (folder, lender))).collect();
    let orphans: Vec<PathBuf> = folders_in(parent)?.filter(|folder| is_orphan(folder)).collect();
    for folder in &orphans {
        accounts::remove(folder)?;
    }
    for (folder, lender) in &lent {
        kill_process(*lender, Signal::TERM).map_err(|error| {
            Fault::new(format!("cannot end the sessions in {}", folder.display()))
                .because(error)
                .fix("end them as the user who started them")
        })?;
    }
    for (folder, _) in &lent {
        await_end(folder)?;
    }
    Ok(lent.len() + orphans.len())
}

/// What is in the folder in which sessions are made.
fn folders_in(parent: &Path) -> Result<impl Iterator<Item = PathBuf> + use<>, Fault> {
    let entries = fs::read_dir(parent).map_err(|error| {
        Fault::new(format!("cannot read {}", parent.display()))
            .because(error)
            .fix("name the folder in which the sessions were made: --dir")
    })?;
    Ok(entries.flatten().map(|entry| entry.path()))
}

/// Whether `folder` is that of a guard that was killed and has left accounts behind.
fn is_orphan(folder: &Path) -> bool {
    guard_of(folder).is_some_and(|guard| !is_guard(guard)) && accounts::has_accounts(folder)
}

/// The number of the guard that has made `folder`, if its name tells one.
fn guard_of(folder: &Path) -> Option<i32> {
    folder.file_name()?.to_str()?.strip_prefix(FOLDER)?.parse().ok()
}

/// Whether a process is a guard of sessions or accounts.
fn is_guard(pid: i32) -> bool {
    words(pid).get(1).is_some_and(|word| word == GUARD || word == ACCOUNTS_GUARD)
}

/// Waits until the folder of sessions is gone.
fn await_end(folder: &Path) -> Result<(), Fault> {
    let begun = Instant::now();
    while folder.exists() {
        if begun.elapsed() > END {
            return Err(Fault::new(format!("the sessions in {} do not end", folder.display()))
                .because(format!("they were waited for for {} s", END.as_secs()))
                .fix("look which of their processes hangs"));
        }
        thread::sleep(LOOK);
    }
    Ok(())
}

/// The process that lends the sessions in `folder`; `None` if it is no folder of such sessions.
fn lender(folder: &Path) -> Option<Pid> {
    let guard = guard_of(folder).filter(|guard| is_guard(*guard))?;
    let stat = fs::read_to_string(format!("/proc/{guard}/stat")).ok()?;
    // Behind the name, which is in brackets, stand the state and the parent.
    let parent: i32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
    let typed = words(parent);
    let is_lender = typed.windows(2).any(|pair| pair == ["sessions", "start"]);
    Pid::from_raw(parent).filter(|_| is_lender)
}

/// The words that a process was called with.
fn words(pid: i32) -> Vec<String> {
    let text = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = text.split(|byte| *byte == 0);
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_lent_session_is_left_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        let own = std::process::id();
        // This process guards nothing, and no process has the last number.
        for name in [format!("{FOLDER}{own}"), format!("{FOLDER}{}", i32::MAX), "other".to_owned()]
        {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        assert_eq!(stop_lent(folder.path()).unwrap(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        let said = stop_lent(&folder.path().join("none")).unwrap_err().to_string();
        assert!(said.contains("cannot read"), "{said}");
    }

    #[test]
    fn only_sessions_that_are_to_be_started_are_lent() {
        let said = LentSessions::begin("vnc://host:5901", 5901).unwrap_err().to_string();
        assert!(said.contains("runs already"), "{said}");
    }
}
