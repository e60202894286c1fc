//! Memory that sessions take, and the line through what was seen of it.

use std::fs;
use std::path::Path;

use kneepoint_core::result::warning::MemoryFit;
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

/// The same by the text of `/proc/meminfo` (proc_meminfo(5)).
fn lack_in(text: &str) -> Option<String> {
    let bytes = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kib.checked_mul(1024)
    };
    let (total, available) = (bytes("MemTotal")?, bytes("MemAvailable")?);
    let is_left = available as f64 > LEFT * total as f64;
    (!is_left).then(|| {
        let [available, total] = [available, total].map(RoundedBytes);
        format!("{available} of the {total} of memory are left, too little for other programs")
    })
}

/// The line through numbers of sessions and their bytes; `None` if there are not three numbers of sessions, or
/// memory does not rise with them.
pub(super) fn fit(seen: &[(usize, u64)]) -> Option<MemoryFit> {
    let mut numbers: Vec<usize> = seen.iter().map(|(sessions, _)| *sessions).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < 3 {
        return None;
    }
    let count = seen.len() as f64;
    let mean = |value: fn(&(usize, u64)) -> f64| seen.iter().map(value).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|(x, _)| *x as f64), mean(|(_, y)| *y as f64));
    let off = |(x, y): &(usize, u64)| (*x as f64 - x_mean, *y as f64 - y_mean);
    let squares: f64 = seen.iter().map(|point| off(point).0.powi(2)).sum();
    let products: f64 = seen.iter().map(|point| off(point).0 * off(point).1).sum();
    let slope = products / squares;
    let base = y_mean - slope * x_mean;
    let residual = |(x, y): &(usize, u64)| (base + slope * *x as f64) / *y as f64 - 1.0;
    let error = seen.iter().map(|point| residual(point).abs()).fold(0.0, f64::max);
    (slope > 0.0).then_some(MemoryFit {
        base_bytes: base,
        session_bytes: slope,
        error_percent: 100.0 * error,
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

    #[test]
    fn memory_is_a_base_and_a_part_for_each_session() {
        let line = |sessions: usize| (sessions, 128_000_000 + 20_000_000 * sessions as u64);
        let found = fit(&[line(1), line(5), line(10)]).unwrap();
        assert!((found.base_bytes - 128e6).abs() < 1.0 && (found.session_bytes - 20e6).abs() < 1.0);
        assert!(found.error_percent < 1e-6);
        let bent = fit(&[line(1), line(5), (10, 656_000_000)]).unwrap();
        assert!(bent.error_percent > 5.0, "{bent:?}");
        assert_eq!(fit(&[line(1), line(5), line(5)]), None, "two numbers are any line");
        assert_eq!(fit(&[(1, 3), (2, 2), (3, 1)]), None);
    }
}
