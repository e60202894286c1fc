//! Which process measures, and when.

use std::fs;
use std::process;

use jiff::{Timestamp, Unit};
use kneepoint_store::Owner;

/// Now, as RFC 3339 in UTC, in whole seconds.
pub(crate) fn now() -> String {
    let now = Timestamp::now();
    now.round(Unit::Second).unwrap_or(now).to_string()
}

/// A number that differs from run to run.
pub(super) fn entropy() -> u64 {
    let nanos = Timestamp::now().as_nanosecond() as u64;
    nanos ^ (u64::from(process::id()) << 32)
}

/// This process, so that a later one can tell whether it still lives.
pub(crate) fn this_process() -> Owner {
    let line = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    Owner {
        host: line("/proc/sys/kernel/hostname"),
        boot_id: line("/proc/sys/kernel/random/boot_id"),
        pid: process::id(),
        started_ticks: started_ticks(process::id()).unwrap_or(0),
    }
}

/// When a process started, in clock ticks since boot: field 22 of /proc/PID/stat (man 5 proc).
/// The second field is the name in parentheses and may hold spaces.
pub(crate) fn started_ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = &stat[stat.rfind(')')? + 1..];
    after_name.split_whitespace().nth(22 - 3)?.parse().ok()
}
