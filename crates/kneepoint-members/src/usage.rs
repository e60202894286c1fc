//! Time and memory that this process has used, as the kernel counts them.

use std::fs;
use std::io;
use std::time::Instant;

use rustix::param::clock_ticks_per_second;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

/// A moment from which usage is counted.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    wall: Instant,
    processor_s: f64,
    system_s: f64,
}

/// Usage since a [`Start`].
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Usage {
    /// Elapsed time in seconds.
    pub wall_s: f64,
    /// Processor time outside of the kernel, in seconds.
    pub user_s: f64,
    /// Processor time in the kernel, in seconds; counted in clock ticks (10 ms).
    pub system_s: f64,
    /// Most memory that the process had at any time, in bytes.
    pub peak_memory_bytes: u64,
}

impl Start {
    /// This moment.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub fn now() -> io::Result<Self> {
        Ok(Self { wall: Instant::now(), processor_s: processor_s(), system_s: system_s()? })
    }

    /// What was used since.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub fn usage(&self) -> io::Result<Usage> {
        let wall_s = self.wall.elapsed().as_secs_f64();
        let processor_s = processor_s() - self.processor_s;
        let system_s = (system_s()? - self.system_s).min(processor_s);
        let user_s = processor_s - system_s;
        Ok(Usage { wall_s, user_s, system_s, peak_memory_bytes: peak_memory_bytes()? })
    }
}

/// Processor time of all threads, to the nanosecond.
fn processor_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Processor time in the kernel.
fn system_s() -> io::Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let ticks = system_ticks(&text).ok_or_else(|| unknown("/proc/self/stat"))?;
    Ok(ticks as f64 / clock_ticks_per_second() as f64)
}

/// The field `stime`, which is the 15th; the name of the program before it may contain spaces.
fn system_ticks(stat: &str) -> Option<u64> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(12)?.parse().ok()
}

fn peak_memory_bytes() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/self/status")?;
    peak_kib(&text).map(|kib| kib * 1024).ok_or_else(|| unknown("/proc/self/status"))
}

fn peak_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn unknown(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{path} has another form than is known"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_behind_any_name() {
        let stat = "42 (a (b) c) R 1 42 42 0 -1 4194304 100 0 0 0 310 29 0 0 20 0 1 0 5 0 0";
        assert_eq!(system_ticks(stat), Some(29));
        assert_eq!(peak_kib("VmPeak:\t 900 kB\nVmHWM:\t  812 kB\n"), Some(812));
    }

    #[test]
    fn busy_time_is_counted() {
        let start = Start::now().unwrap();
        while processor_s() - start.processor_s < 0.02 {}
        let usage = start.usage().unwrap();
        assert!(usage.user_s + usage.system_s >= 0.02);
        // The processor time is that of all threads of the tests together.
        assert!(usage.wall_s > 0.0, "{usage:?}");
        assert!(usage.peak_memory_bytes > 100_000);
    }
}
