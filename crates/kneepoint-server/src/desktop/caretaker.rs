//! Takes care of lent sessions: one that a user has left in the middle of work is made again, so that whoever
//! comes next finds it as it began.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long what a user started may go on after the user has left: an application that was told to end needs a
/// moment.
const MOMENT: Duration = Duration::from_secs(2);

/// What is known of the users of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Visit {
    /// Who was here has left nothing.
    #[default]
    None,
    /// A user is connected.
    Now,
    /// The last user has left, and at this time it was seen.
    Over(Instant),
}

impl Visit {
    /// What is known after another look: whether a user is `connected`, and whether programs are `left` that users
    /// start. Also whether the session has to be made again.
    pub(super) fn after(
        self,
        now: Instant,
        connected: bool,
        left: impl FnOnce() -> bool,
    ) -> (Self, Care) {
        match (self, connected) {
            (_, true) => (Self::Now, Care::Leave),
            (Self::None, false) => (Self::None, Care::Leave),
            (Self::Now, false) => (Self::Over(now), Care::Leave),
            (Self::Over(since), false) if now.duration_since(since) < MOMENT => (self, Care::Leave),
            (Self::Over(_), false) if left() => (Self::None, Care::MakeAgain),
            (Self::Over(_), false) => (Self::None, Care::Leave),
        }
    }
}

/// What is to be done with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Nothing.
    Leave,
    /// It is ended, and made again.
    MakeAgain,
}

/// Ports of this machine to which someone is connected now.
pub(super) fn connected_ports() -> BTreeSet<u16> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(fs::read_to_string);
    tables.into_iter().flatten().flat_map(|table| ports_in(&table)).collect()
}

/// Local ports of the connections in a table of `/proc/net/tcp` (proc_net_tcp of the kernel's documentation: the
/// second column is the local address, the fourth the state).
fn ports_in(table: &str) -> BTreeSet<u16> {
    const ESTABLISHED: &str = "01";
    let port = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        let local = words.next()?;
        let state = words.nth(1)?;
        let port = local.rsplit_once(':')?.1;
        (state == ESTABLISHED).then(|| u16::from_str_radix(port, 16).ok()).flatten()
    };
    table.lines().filter_map(port).collect()
}

/// Processes whose home is `folder`, without those in `own`.
pub(super) fn programs_in(folder: &Path, own: &[u32]) -> Vec<Pid> {
    let home = [b"HOME=", folder.as_os_str().as_encoded_bytes()].concat();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_there = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|word| word == home)
    };
    let programs = pids.filter(|pid| !own.contains(pid)).filter(is_there);
    programs.filter_map(|pid| Pid::from_raw(i32::try_from(pid).ok()?)).collect()
}

/// Kills the processes whose home is `folder`.
pub(super) fn end_programs_in(folder: &Path) {
    for pid in programs_in(folder, &[]) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// A program with this home, that is running: before it has answered, it may still have no environment that
    /// others can read (the kernel lets its parent go on in the midst of `execve`).
    fn program_at(home: &Path) -> Child {
        let mut program = Command::new("cat");
        program.env("HOME", home).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut program = program.spawn().unwrap();
        program.stdin.as_mut().unwrap().write_all(b"?").unwrap();
        program.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        program
    }

    #[test]
    fn a_session_is_made_again_only_if_a_user_has_left_something_in_it() {
        let begun = Instant::now();
        let later = begun + MOMENT;
        let unasked = || panic!("it is not looked at");
        // No one has come yet.
        assert_eq!(Visit::None.after(begun, false, unasked), (Visit::None, Care::Leave));
        let (visit, care) = Visit::None.after(begun, true, unasked);
        assert_eq!((visit, care), (Visit::Now, Care::Leave));
        let (over, care) = visit.after(begun, false, unasked);
        assert_eq!((over, care), (Visit::Over(begun), Care::Leave));
        // An application that is ending has its moment.
        assert_eq!(over.after(begun + MOMENT / 2, false, unasked), (over, Care::Leave));
        // Who comes back meanwhile goes on.
        assert_eq!(over.after(later, true, unasked), (Visit::Now, Care::Leave));
        assert_eq!(over.after(later, false, || false), (Visit::None, Care::Leave));
        assert_eq!(over.after(later, false, || true), (Visit::None, Care::MakeAgain));
    }

    #[test]
    fn only_connections_that_stand_are_users() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue\n\
             0: 0100007F:170D 00000000:0000 0A 00000000:00000000\n\
             1: 0100007F:170E 0100007F:D6AE 01 00000000:00000000\n\
             2: 0100007F:170F 0100007F:D6AF 06 00000000:00000000\n";
        assert_eq!(ports_in(table), BTreeSet::from([5902]));
        assert!(ports_in("").is_empty() && ports_in("nonsense\n1: x\n").is_empty());
    }

    #[test]
    fn programs_are_known_by_their_home() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = program_at(folder.path());
        let pids: Vec<i32> =
            programs_in(folder.path(), &[]).iter().map(|pid| pid.as_raw_nonzero().get()).collect();
        assert_eq!(pids, [child.id() as i32]);
        assert!(programs_in(folder.path(), &[child.id()]).is_empty());
        assert!(programs_in(&folder.path().join("other"), &[]).is_empty());
        end_programs_in(folder.path());
        assert!(!child.wait().unwrap().success());
    }
}
