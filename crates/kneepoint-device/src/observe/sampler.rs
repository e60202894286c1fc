//! Reads what is watched while a point runs, and sums it up at its end.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use kneepoint_core::measure::trust::{DeviceTraffic, Observation, ProcessorTime, Traffic, Waits};
use kneepoint_core::words::units::Nanos;

use super::counter::{KernelThreads, ProcessorTicks, cached_bytes, clock_offset, ticks_per_s};
use super::{DeviceGroup, ThreadClock};
use crate::clock::monotonic;
use crate::facts::DeviceCounters;
use crate::process::Usage;

/// Shortest time between two readings. A little less than an interval of 100 ms, so that each of
/// those is sampled although its end is heard of a little early or late.
const PAUSE: Nanos = Nanos::from_millis(90);

/// Readings that are kept at the most.
const SAMPLES_MAX: usize = 4096;

/// Room for the first line of `/proc/stat`, for a device's counters,
/// `/proc/PID/task/TID/schedstat`, or `/proc/pressure/cpu`.
const LINE_BYTES: usize = 512;

/// Reads what is watched, from files that it holds open.
#[derive(Debug)]
pub(crate) struct Sampler<'a> {
    groups: &'a [DeviceGroup],
    processor: Option<File>,
    /// Counters of all devices of all groups, in their order.
    counters: Vec<Option<File>>,
    workers: Vec<Option<ThreadClock>>,
    samples: Vec<Sample>,
    last: Nanos,
    /// Shortest time between two readings.
    pause: Nanos,
    started: Nanos,
    kernel_threads: Option<KernelThreads>,
    waits: WaitFiles,
    /// Reads the clock and the CPU time that is ours.
    usage: fn() -> Usage,
}

impl<'a> Sampler<'a> {
    /// Opens what is to be read and takes stock of the kernel's threads.
    pub(crate) fn new(groups: &'a [DeviceGroup], workers: Vec<Option<ThreadClock>>) -> Self {
        let devices = groups.iter().flat_map(|group| &group.devices);
        let counters =
            devices.map(|(_, number)| File::open(format!("/sys/dev/block/{number}/stat")).ok());
        Self {
            groups,
            processor: File::open("/proc/stat").ok(),
            counters: counters.collect(),
            waits: WaitFiles::open(&workers),
            workers,
            samples: Vec::new(),
            last: Nanos::ZERO,
            pause: PAUSE,
            started: monotonic(),
            kernel_threads: KernelThreads::now(),
            usage: Usage::now,
        }
    }

    /// The same where programs that end meanwhile did the work: their CPU time is ours.
    pub(crate) fn with_children(self) -> Self {
        Self { usage: Usage::with_children, ..self }
    }

    /// Takes a reading after that many whole intervals, unless the last one is very young.
    pub(crate) fn read(&mut self, intervals: usize) {
        let now = monotonic();
        if !self.samples.is_empty() && now.since(self.last) < self.pause {
            return;
        }
        self.last = now;
        let counters = self.counters.iter().map(|file| {
            let text = line(file.as_ref()?).ok()?;
            DeviceCounters::parse(&text)
        });
        let sample = Sample {
            intervals,
            devices: counters.collect(),
            usage: (self.usage)(),
            processor: self.processor.as_ref().and_then(|file| {
                let text = line(file).ok()?;
                ProcessorTicks::parse(&text)
            }),
            clock_offset: clock_offset(),
            workers: self.workers.iter().map(|clock| clock.and_then(ThreadClock::now)).collect(),
            waits: self.waits.read(),
        };
        self.samples.push(sample);
        if self.samples.len() > SAMPLES_MAX {
            self.thin_out();
        }
    }

    /// Forgets every second reading, and reads half as often from now on.
    fn thin_out(&mut self) {
        let mut number = 0;
        self.samples.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        self.pause = self.pause + self.pause;
    }

    /// The observation over the intervals that counted, and the CPU time of this process in
    /// percent of one CPU; nothing for a point that was too short for two readings. `files` are
    /// the targets.
    pub(crate) fn finish(
        self,
        counted: Range<usize>,
        files: &[File],
    ) -> Option<(Observation, f64)> {
        let Range { start: ramp_count, end } = counted;
        let first = self.samples.iter().find(|sample| sample.intervals >= ramp_count)?;
        let last = self.samples.iter().rfind(|sample| sample.intervals <= end);
        let last = last.filter(|last| last.intervals > first.intervals)?;
        let seconds = last.usage.since(first.usage).as_secs_f64();
        let mut processor = last.processor_since(first, ticks_per_s());
        let (kernel_threads_s, kernel_waits_s) = self.kernel_threads_s(seconds);
        if let Some(time) = &mut processor {
            time.kernel_threads_s = kernel_threads_s;
        }
        let observation = Observation {
            host: String::new(),
            machine: String::new(),
            window: first.intervals - ramp_count..last.intervals - ramp_count,
            seconds,
            processor,
            workers_s: last.workers_s_since(first),
            waits: Waits {
                workers_s: last.waits.workers_s_since(&first.waits),
                kernel_threads_s: kernel_waits_s,
                any_s: last.waits.any_s_since(&first.waits),
            },
            worker_cpus: crate::process::allowed_cpus().len(),
            clock_step_s: (last.clock_offset - first.clock_offset) as f64 / 1e9,
            devices: self.devices(first, last, files),
        };
        Some((observation, last.usage.percent_since(first.usage)))
    }

    /// CPU time and waits of the kernel's threads in `seconds` of the point, over which they are
    /// taken to be spread evenly; both in seconds.
    fn kernel_threads_s(&self, seconds: f64) -> (Option<f64>, Option<f64>) {
        let (Some(now), Some(then)) = (KernelThreads::now(), self.kernel_threads) else {
            return (None, None);
        };
        let whole = monotonic().since(self.started).as_secs_f64();
        let part = (seconds / whole).min(1.0);
        let used_s = now.ticks.saturating_sub(then.ticks) as f64 / ticks_per_s();
        let waited = now.wait_ns.zip(then.wait_ns);
        let waited_s = waited.map(|(now, then)| now.saturating_sub(then) as f64 / 1e9);
        (Some(used_s * part), waited_s.map(|waited_s| waited_s * part))
    }

    /// The traffic of each group whose devices are still all there.
    fn devices(&self, first: &Sample, last: &Sample, files: &[File]) -> Vec<DeviceTraffic> {
        let mut device = 0;
        let mut found = Vec::new();
        for group in self.groups {
            let own = device..device + group.devices.len();
            device = own.end;
            let parts: Option<Vec<_>> = own.map(|at| last.traffic_since(first, at)).collect();
            found.extend(parts.map(|parts| traffic(group, &parts, files)));
        }
        found
    }
}

/// Sums over the devices of a group.
fn traffic(group: &DeviceGroup, parts: &[[Traffic; 2]], files: &[File]) -> DeviceTraffic {
    let mut sums = [Traffic::default(); 2];
    for [read, written] in parts {
        sums[0].add(*read);
        sums[1].add(*written);
    }
    let cached = group.targets.iter().filter_map(|target| files.get(*target)).map(cached_bytes);
    DeviceTraffic {
        name: group.name(),
        targets: group.targets.clone(),
        read: sums[0],
        written: sums[1],
        accounting: group.accounting,
        needs_kernel_threads: group.needs_kernel_threads(),
        cached_bytes: cached.sum(),
    }
}

/// The start of a file of one or more lines, read again.
fn line(file: &File) -> io::Result<String> {
    let mut buffer = [0; LINE_BYTES];
    let length = file.read_at(&mut buffer, 0)?;
    Ok(String::from_utf8_lossy(&buffer[..length]).into_owned())
}

/// The readings of one moment.
#[derive(Debug, Clone)]
struct Sample {
    /// Whole intervals of the point that had ended.
    intervals: usize,
    /// The clock and this process's CPU time.
    usage: Usage,
    /// Time of all processors.
    processor: Option<ProcessorTicks>,
    /// Nanoseconds by which the wall clock is ahead of the monotonic clock.
    clock_offset: i64,
    /// CPU time of each worker; nothing where it cannot be read.
    workers: Vec<Option<Nanos>>,
    /// The waits for a processor.
    waits: WaitSample,
    /// Counters of each device; nothing where it has gone.
    devices: Vec<Option<DeviceCounters>>,
}

impl Sample {
    /// CPU time of each worker since the `earlier` sample, in seconds; nothing unless all of them
    /// were read.
    fn workers_s_since(&self, earlier: &Self) -> Vec<f64> {
        let pairs = self.workers.iter().zip(&earlier.workers);
        let times = pairs.map(|(now, then)| Some((*now)?.since((*then)?).as_secs_f64()));
        times.collect::<Option<_>>().unwrap_or_default()
    }

    /// Time of the processors since the `earlier` sample, without that of the kernel's threads.
    fn processor_since(&self, earlier: &Self, ticks_per_s: f64) -> Option<ProcessorTime> {
        let (now, then) = (self.processor?, earlier.processor?);
        let seconds = |now: u64, then: u64| now.saturating_sub(then) as f64 / ticks_per_s;
        let own = self.usage.cpu_since(earlier.usage);
        Some(ProcessorTime {
            capacity_s: seconds(now.all, then.all),
            user_s: seconds(now.user, then.user),
            system_s: seconds(now.system, then.system),
            stolen_s: seconds(now.stolen, then.stolen),
            own_user_s: own.user.as_secs_f64(),
            own_system_s: own.system.as_secs_f64(),
            kernel_threads_s: None,
        })
    }

    /// Reads and writes on one device since the `earlier` sample.
    fn traffic_since(&self, earlier: &Self, device: usize) -> Option<[Traffic; 2]> {
        let both = (*self.devices.get(device)?)? - (*earlier.devices.get(device)?)?;
        let traffic = |operations: u64, merged: u64, bytes: u64| Traffic {
            operations: (operations + merged) as f64,
            bytes: bytes as f64,
        };
        Some([
            traffic(both.reads, both.reads_merged, both.bytes_read()),
            traffic(both.writes, both.writes_merged, both.bytes_written()),
        ])
    }
}

/// More workers than these are judged by the first of them: each reading takes some microseconds.
const WORKERS_MAX: usize = 64;

/// The files that tell, held open; empty where the kernel does not tell.
#[derive(Debug)]
struct WaitFiles {
    workers: Vec<File>,
    pressure: Option<File>,
}

/// Their contents at one moment, in nanoseconds since the start of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct WaitSample {
    /// Run-queue waits of the workers; empty unless all of them were read.
    workers: Vec<u64>,
    /// Time for which any thread of the machine waited.
    any: Option<u64>,
}

impl WaitFiles {
    /// Opens the files of the workers and of the machine.
    fn open(workers: &[Option<ThreadClock>]) -> Self {
        let file = |clock: &Option<ThreadClock>| {
            File::open(format!("/proc/self/task/{}/schedstat", clock.as_ref()?.thread)).ok()
        };
        let files: Option<Vec<File>> = workers.iter().take(WORKERS_MAX).map(file).collect();
        Self { workers: files.unwrap_or_default(), pressure: File::open("/proc/pressure/cpu").ok() }
    }

    /// Reads them.
    fn read(&self) -> WaitSample {
        let workers = self.workers.iter().map(|file| run_delay(&line(file).ok()?));
        WaitSample {
            workers: workers.collect::<Option<_>>().unwrap_or_default(),
            any: self.pressure.as_ref().and_then(|file| some_total(&line(file).ok()?)),
        }
    }
}

impl WaitSample {
    /// The mean wait of the workers since the `earlier` sample, in seconds.
    fn workers_s_since(&self, earlier: &Self) -> Option<f64> {
        let is_whole = !self.workers.is_empty() && self.workers.len() == earlier.workers.len();
        let pairs = self.workers.iter().zip(&earlier.workers);
        let total: u64 = pairs.map(|(now, then)| now.saturating_sub(*then)).sum();
        is_whole.then(|| total as f64 / self.workers.len() as f64 / 1e9)
    }

    /// The time for which any thread waited since the `earlier` sample, in seconds.
    fn any_s_since(&self, earlier: &Self) -> Option<f64> {
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
    Some(some(pressure, "total=")?.parse::<u64>().ok()?.saturating_mul(1_000))
}

/// `some avg10=PERCENT` of a pressure file.
pub(super) fn some_avg10(pressure: &str) -> Option<f64> {
    some(pressure, "avg10=")?.parse().ok()
}

fn some<'a>(pressure: &'a str, key: &str) -> Option<&'a str> {
    let line = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_whitespace().find_map(|field| field.strip_prefix(key))
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
