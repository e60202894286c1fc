//! Memory that sessions take.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use kneepoint_core::words::number::RoundedBytes;

/// Memory of the processes of a control group, in bytes: what processes share is counted once, in equal parts.
pub(super) fn of_group(folder: &Path) -> Option<u64> {
    let processes = fs::read_to_string(folder.join("cgroup.procs")).ok()?;
    let of_process = |pid: &str| {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
        proportional_bytes(&text)
    };
    // One that has just ended takes nothing.
    let bytes: u64 = processes.lines().filter_map(of_process).sum();
    (bytes > 0).then_some(bytes)
}

/// Memory of all processes of these accounts, in bytes, counted so; `None` if one of them cannot be read, which
/// takes root.
pub(super) fn of_accounts(accounts: &[u32]) -> Option<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let is_process = entry.file_name().to_str().is_some_and(|name| name.parse::<i32>().is_ok());
        let Some(owner) = entry.metadata().ok().filter(|_| is_process).map(|found| found.uid())
        else {
            continue;
        };
        if !accounts.contains(&owner) {
            continue;
        }
        match fs::read_to_string(entry.path().join("smaps_rollup")) {
            Ok(text) => bytes += proportional_bytes(&text).unwrap_or_default(),
            // One that has just ended, or is about to, takes nothing.
            Err(error) if error.raw_os_error() == Some(NO_SUCH_PROCESS) => {}
            Err(_) if !entry.path().exists() => {}
            Err(_) => return None,
        }
    }
    (bytes > 0).then_some(bytes)
}

/// ESRCH: what the kernel says of a process that has no memory any more.
const NO_SUCH_PROCESS: i32 = 3;

/// Memory of the machine in bytes: all of it, and what is available.
pub(super) fn of_machine() -> Option<(u64, u64)> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    Some((bytes_in(&text, "MemTotal")?, bytes_in(&text, "MemAvailable")?))
}

/// A number of the text of `/proc/meminfo` (proc_meminfo(5)).
fn bytes_in(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The proportional set size in the text of `smaps_rollup`.
fn proportional_bytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Why no more sessions may be started: this share of the memory is left to other programs.
const LEFT: f64 = 0.1;

/// What speaks against one more session; `None` if memory is left, or how much is not known.
pub(super) fn lack() -> Option<String> {
    lack_in(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// The same by the text of `/proc/meminfo`.
fn lack_in(text: &str) -> Option<String> {
    let (total, available) = (bytes_in(text, "MemTotal")?, bytes_in(text, "MemAvailable")?);
    let is_left = available as f64 > LEFT * total as f64;
    (!is_left).then(|| {
        let [available, total] = [available, total].map(RoundedBytes);
        format!("{available} of the {total} of memory are left, too little for other programs")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_is_counted_in_parts() {
        let text =
            "55d-7ff ---p 0 00:00 0 [rollup]\nRss:  9000 kB\nPss:  1234 kB\nPss_Dirty: 5 kB\n";
        assert_eq!(proportional_bytes(text), Some(1234 * 1024));
        assert_eq!(proportional_bytes("Rss: 1 kB\n"), None);
    }

    #[test]
    fn memory_of_accounts_is_that_of_all_their_processes_or_not_known() {
        assert_eq!(of_accounts(&[u32::MAX]), None, "it has no process");
        let own = rustix::process::getuid().as_raw();
        let text = fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
        // A process of this account that no one may look at leaves it unknown.
        if let (Some(all), Some(this)) = (of_accounts(&[own]), proportional_bytes(&text)) {
            assert!(all >= this / 2, "{all} with {this} of this process");
        }
    }

    #[test]
    fn a_tenth_of_the_memory_is_left_to_others() {
        let text = |available: &str| {
            format!("MemTotal:       10485760 kB\nMemFree:  100 kB\nMemAvailable: {available}\n")
        };
        assert_eq!(lack_in(&text("1048577 kB")), None);
        let why = lack_in(&text("1048576 kB")).unwrap();
        assert!(why.starts_with("1.0 GiB of the 10.0 GiB of memory are left"), "{why}");
        assert_eq!(lack_in(&text("many")), None, "not known");
        assert_eq!(lack_in("MemTotal: 5 kB\n"), None, "not known");
    }
}
