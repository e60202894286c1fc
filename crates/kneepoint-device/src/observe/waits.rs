//! How long threads were ready to run and had no processor, as the kernel counts it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::ThreadClock;

/// Room for `/proc/PID/task/TID/schedstat`, or for `/proc/pressure/cpu`.
const TEXT_BYTES: usize = 256;

/// More workers than these are judged by the first of them: each reading takes some microseconds.
const WORKERS_MAX: usize = 64;

/// The files that tell, held open; empty where the kernel does not tell.
#[derive(Debug)]
pub(super) struct WaitFiles {
    workers: Vec<File>,
    pressure: Option<File>,
}

/// What they said at one moment, in nanoseconds since the start of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct WaitSample {
    /// Run-queue waits of the workers; empty unless all of them were read.
    pub(super) workers: Vec<u64>,
    /// Time for which any thread of the machine waited.
    pub(super) any: Option<u64>,
}

impl WaitFiles {
    /// Opens the files of the workers and of the machine.
    pub(super) fn open(workers: &[Option<ThreadClock>]) -> Self {
        let file = |clock: &Option<ThreadClock>| {
            File::open(format!("/proc/self/task/{}/schedstat", clock.as_ref()?.thread)).ok()
        };
        let files: Option<Vec<File>> = workers.iter().take(WORKERS_MAX).map(file).collect();
        Self { workers: files.unwrap_or_default(), pressure: File::open("/proc/pressure/cpu").ok() }
    }

    /// Reads them.
    pub(super) fn read(&self) -> WaitSample {
        let workers = self.workers.iter().map(|file| run_delay(&text(file).ok()?));
        WaitSample {
            workers: workers.collect::<Option<_>>().unwrap_or_default(),
            any: self.pressure.as_ref().and_then(|file| some_total(&text(file).ok()?)),
        }
    }
}

impl WaitSample {
    /// The mean wait of the workers since the `earlier` sample, in seconds.
    pub(super) fn workers_s_since(&self, earlier: &Self) -> Option<f64> {
        let is_whole = !self.workers.is_empty() && self.workers.len() == earlier.workers.len();
        let pairs = self.workers.iter().zip(&earlier.workers);
        let total: u64 = pairs.map(|(now, then)| now.saturating_sub(*then)).sum();
        is_whole.then(|| total as f64 / self.workers.len() as f64 / 1e9)
    }

    /// The time for which any thread waited since the `earlier` sample, in seconds.
    pub(super) fn any_s_since(&self, earlier: &Self) -> Option<f64> {
        Some(self.any?.saturating_sub(earlier.any?) as f64 / 1e9)
    }
}

/// The second number of a `schedstat`: nanoseconds spent waiting to run
/// (Documentation/scheduler/sched-stats.rst).
pub(super) fn run_delay(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().nth(1)?.parse().ok()
}

/// `some ... total=MICROSECONDS` of a pressure file (Documentation/accounting/psi.rst), in
/// nanoseconds.
fn some_total(pressure: &str) -> Option<u64> {
    let line = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = line.split_whitespace().find_map(|field| field.strip_prefix("total="))?;
    Some(total.parse::<u64>().ok()?.saturating_mul(1_000))
}

/// `some avg10=PERCENT` of a pressure file.
pub(super) fn some_avg10(pressure: &str) -> Option<f64> {
    let line = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_whitespace().find_map(|field| field.strip_prefix("avg10="))?.parse().ok()
}

/// The start of a file, read again.
fn text(file: &File) -> io::Result<String> {
    let mut buffer = [0; TEXT_BYTES];
    let length = file.read_at(&mut buffer, 0)?;
    Ok(String::from_utf8_lossy(&buffer[..length]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_kernel_are_read() {
        assert_eq!(run_delay("123 4567 89\n"), Some(4567));
        assert_eq!(run_delay(""), None);
        let pressure = "some avg10=0.00 avg60=1.20 avg300=0.5 total=42\nfull avg10=0 total=7\n";
        assert_eq!(some_total(pressure), Some(42_000));
        assert_eq!(some_total("full avg10=0 total=7"), None);
        assert_eq!(some_avg10("some avg10=12.50 avg60=1.20 avg300=0.5 total=42"), Some(12.5));
        assert_eq!(some_avg10("full avg10=3.00 total=7"), None);
    }

    #[test]
    fn waits_are_those_of_all_workers_or_none() {
        let sample = |workers: &[u64], any| WaitSample { workers: workers.to_vec(), any };
        let (then, now) = (sample(&[5, 10], Some(1)), sample(&[1_000_000_005, 10], Some(2)));
        assert_eq!(now.workers_s_since(&then), Some(0.5));
        assert_eq!(now.any_s_since(&then), Some(1e-9));
        assert_eq!(sample(&[], None).workers_s_since(&then), None);
        assert_eq!(sample(&[], None).any_s_since(&then), None);
    }

    #[test]
    fn a_thread_of_this_program_has_its_wait() {
        let files = WaitFiles::open(&[ThreadClock::of_this_thread()]);
        match files.workers.is_empty() {
            true => kneepoint_testkit::skipped("this kernel has no schedstat"),
            false => assert_eq!(files.read().workers.len(), 1),
        }
        assert!(WaitFiles::open(&[None]).workers.is_empty());
    }
}
