//! What sessions use of the processors over a time, and how long processes waited for one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::cgroup;

/// Where a kernel without pressure of single groups tells that of the machine.
const OF_MACHINE: &str = "/proc/pressure/cpu";

/// Reads counters when it begins and when it is read.
#[derive(Debug)]
pub(super) struct Meter {
    group: PathBuf,
    begun: Instant,
    used_s: f64,
    stalled_us: Option<u64>,
}

/// What was used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spent {
    /// Processors on average.
    pub(super) processors: f64,
    /// Share of the time in which a process waited for one, in percent; `None` if the kernel does not tell.
    pub(super) stalled_percent: Option<f64>,
}

impl Meter {
    /// Begins to count for the group with this folder; `None` if it is not counted.
    pub(super) fn begin(group: &Path) -> Option<Self> {
        let used = cgroup::used(group)?;
        Some(Self {
            group: group.to_owned(),
            begun: Instant::now(),
            used_s: used.user_s + used.system_s,
            stalled_us: stalled_us(group).or_else(machine_stalled_us),
        })
    }

    /// What was used since it began; `None` if it is no longer counted.
    pub(super) fn read(&self) -> Option<Spent> {
        let used = cgroup::used(&self.group)?;
        let time_s = self.begun.elapsed().as_secs_f64();
        let stalled = stalled_us(&self.group).or_else(machine_stalled_us).zip(self.stalled_us);
        let share = |(now, before): (u64, u64)| now.saturating_sub(before) as f64 / 1e6 / time_s;
        (time_s > 0.0).then(|| Spent {
            processors: (used.user_s + used.system_s - self.used_s).max(0.0) / time_s,
            stalled_percent: stalled.map(|stalled| (100.0 * share(stalled)).min(100.0)),
        })
    }
}

/// How long a process of the group waited so far, in microseconds; `None` if the kernel does not tell.
pub(super) fn stalled_us(group: &Path) -> Option<u64> {
    total_us(&fs::read_to_string(group.join("cpu.pressure")).ok()?)
}

/// How long a process of the machine waited so far, in microseconds.
pub(super) fn machine_stalled_us() -> Option<u64> {
    total_us(&fs::read_to_string(OF_MACHINE).ok()?)
}

/// The total of the line of some processes.
fn total_us(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split(' ').find_map(|field| field.strip_prefix("total="))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_is_read_as_the_kernel_writes_it() {
        let text = "some avg10=0.00 avg60=0.20 avg300=3.72 total=82789736\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        assert_eq!(total_us(text), Some(82_789_736));
        assert_eq!(total_us("full total=7\n"), None);
        assert_eq!(total_us(""), None);
    }

    #[test]
    fn what_is_not_counted_is_not_known() {
        assert!(Meter::begin(Path::new("/nonexistent")).is_none());
    }
}
