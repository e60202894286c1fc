//! Files are touched only by modules that are there for it.

use crate::finding::{Finding, assert_none};
use crate::source::{crate_names, of_crate};
use crate::tokens::names;

/// A module that may use `std::fs`.
struct Permit {
    /// File or folder, from the workspace's root.
    path: &'static str,
    /// Why.
    reason: &'static str,
}

const fn permit(path: &'static str, reason: &'static str) -> Permit {
    Permit { path, reason }
}

/// The modules, with their reasons.
const PERMITS: &[Permit] = &[
    permit("crates/kneepoint-device/src/facts/", "reads /proc, /sys and metadata of targets"),
    permit("crates/kneepoint-device/src/buffer/arena.rs", "reads in /proc what pages it got"),
    permit("crates/kneepoint-device/src/consent/", "judges and opens targets"),
    permit("crates/kneepoint-device/src/layout/", "writes test files"),
    permit("crates/kneepoint-device/src/new_file.rs", "makes, names and removes our own files"),
    permit("crates/kneepoint-device/src/file_copy/", "lays out, copies and removes its own files"),
    permit("crates/kneepoint-device/src/file_tree/", "creates and deletes its own files"),
    permit("crates/kneepoint-device/src/own_dir/", "makes, marks and removes our own directories"),
    permit(
        "crates/kneepoint-device/src/observe/",
        "reads counters in /proc and /sys while measuring",
    ),
    permit(
        "crates/kneepoint-device/src/clock.rs",
        "asks /sys which clock source the kernel trusts",
    ),
    permit(
        "crates/kneepoint-device/src/settings/",
        "changes settings in /sys and keeps the journal of it",
    ),
    permit("crates/kneepoint-device/src/instrument.rs", "holds the open targets"),
    permit("crates/kneepoint-device/src/worker.rs", "holds the open targets, too"),
    permit(
        "crates/kneepoint-device/src/testbed/target.rs",
        "lays out test files and opens targets",
    ),
    permit(
        "crates/kneepoint-device/src/verification/",
        "keeps journals beside targets, and reads targets to verify them",
    ),
    permit("crates/kneepoint-members/src/usage.rs", "reads its time and memory from /proc"),
    permit("crates/kneepoint-net/src/server/", "writes the configuration of its server"),
    permit("crates/kneepoint-store/src/file.rs", "checks the store's file before SQLite opens it"),
    permit("crates/kneepoint-testkit/src/", "looks for programs and records skipped tests"),
    permit("crates/kneepoint/src/session/process.rs", "asks /proc of this process and its signals"),
    permit("crates/kneepoint/src/command/import.rs", "reads the run to be imported"),
    permit("crates/kneepoint/src/fleet/kept/", "keeps keys, hosts and the record of an agent"),
    permit("crates/kneepoint/src/fleet/child.rs", "holds the lock of its fleet"),
    permit("crates/kneepoint/src/recording.rs", "makes the file that is recorded into"),
    permit("crates/kneepoint/src/trace.rs", "reads traces, line by line"),
    permit("crates/kneepoint/src/destination/", "writes what the user asked for"),
    permit("crates/kneepoint/src/password_file.rs", "reads passwords where other clients do"),
    permit(
        "crates/kneepoint-server/src/postgres/cluster.rs",
        "makes and removes the folder of the run's own server",
    ),
    permit(
        "crates/kneepoint-server/src/postgres/server_time.rs",
        "reads the server's processor time from /proc",
    ),
    permit(
        "crates/kneepoint-server/src/desktop/accounts/mod.rs",
        "makes and removes the folder of accounts that are lent",
    ),
    permit(
        "crates/kneepoint-server/src/desktop/accounts/account.rs",
        "reads the accounts of the machine, and writes in the homes of those it made",
    ),
    permit(
        "crates/kneepoint-server/src/desktop/accounts/server.rs",
        "writes the settings of their server, and finds what is left of it",
    ),
    permit(
        "crates/kneepoint-server/src/desktop/caretaker.rs",
        "looks in /proc whether users have left their sessions",
    ),
    permit(
        "crates/kneepoint-server/src/desktop/cgroup.rs",
        "makes, bounds and removes the control group of the run's own sessions",
    ),
    permit("crates/kneepoint-server/src/desktop/lent.rs", "finds the folders of lent sessions"),
    permit("crates/kneepoint-server/src/desktop/memory.rs", "reads their memory from /proc"),
    permit("crates/kneepoint-server/src/desktop/meter.rs", "reads what they use of the processors"),
    permit("crates/kneepoint-server/src/desktop/reading.rs", "reads what a server's machine does"),
    permit("crates/kneepoint-server/src/desktop/session_files.rs", "writes their files"),
    permit("crates/kneepoint-server/src/desktop/sessions.rs", "makes and removes their folder"),
    permit("crates/kneepoint-device/src/process.rs", "reads which processors share a core"),
    permit("crates/kneepoint-server/src/processor/programs.rs", "reads the member programs"),
    permit("crates/kneepoint-server/src/processor/runcpu.rs", "reads result files of runcpu"),
    permit(
        "crates/kneepoint-server/src/processor/workshop.rs",
        "makes and removes the folders of programs of the user's own",
    ),
    permit("crates/kneepoint/src/work.rs", "reads what the user named, up to a limit"),
];

#[test]
fn only_named_modules_touch_files() {
    let mut findings = Vec::new();
    let mut used = vec![false; PERMITS.len()];
    for file in crate_names().iter().flat_map(|name| of_crate(name)) {
        let permit = PERMITS.iter().position(|permit| file.path.starts_with(permit.path));
        for name in names(file).iter().filter(|name| name.is_in("std::fs")) {
            match permit {
                Some(index) => used[index] = true,
                None => findings.push(Finding {
                    path: file.path.clone(),
                    line: name.line,
                    what: format!("{} outside the modules that touch files", name.path),
                }),
            }
        }
    }
    assert_none(
        &findings,
        "let a module that touches files do it (its errors carry the path), or permit this one, \
         with the reason, in xtask/tests/tidy/files.rs",
    );
    for (permit, used) in PERMITS.iter().zip(used) {
        assert!(used, "{} ({}) touches no files: remove its permit", permit.path, permit.reason);
    }
}
