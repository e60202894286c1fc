//! Which process measures, and when.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::fs::MetadataExt;
use std::process;
use std::time::SystemTime;

use jiff::{Timestamp, Unit};
use kneepoint_store::Owner;

/// Now, as RFC 3339 in UTC, in whole seconds.
pub(crate) fn now() -> String {
    timestamp(SystemTime::now()).to_string()
}

/// The time in whole seconds. RFC 3339 has years of four digits: a clock outside of them is taken
/// for one at their beginning or end.
fn timestamp(time: SystemTime) -> Timestamp {
    let nearest = match time < SystemTime::UNIX_EPOCH {
        true => Timestamp::MIN,
        false => Timestamp::MAX,
    };
    let exact = Timestamp::try_from(time).unwrap_or(nearest);
    exact.round(Unit::Second).unwrap_or(exact)
}

/// A number that differs from call to call and from process to process: the standard library seeds
/// its hashes from the kernel.
pub(super) fn entropy() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// This process, so that a later one can tell whether it still lives.
pub(crate) fn this_process() -> Owner {
    let line = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    Owner {
        host: line("/proc/sys/kernel/hostname"),
        boot_id: line("/proc/sys/kernel/random/boot_id"),
        pid: process::id(),
        started_ticks: started_ticks(process::id()).unwrap_or(0),
        pid_namespace: fs::metadata("/proc/self/ns/pid").ok().map(|metadata| metadata.ino()),
    }
}

/// When a process started, in clock ticks since boot: field 22 of /proc/PID/stat (man 5 proc).
/// The second field is the name in parentheses and may hold spaces.
pub(crate) fn started_ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = &stat[stat.rfind(')')? + 1..];
    after_name.split_whitespace().nth(22 - 3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_beyond_every_calendar_is_written_as_the_end_of_it() {
        let at = |seconds| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            timestamp(time).to_string()
        };
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        // 12000-01-01.
        assert!(at(316_516_204_800).starts_with("9999-12-30T22:00:00"), "{}", at(316_516_204_800));
        assert!(at(1 << 60).starts_with("9999-12-30"), "{}", at(1 << 60));
    }
}
