//! Reads what is watched while a point runs, and sums it up at its end.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use kneepoint_core::measure::trust::{DeviceTraffic, Observation, Traffic, Waits};
use kneepoint_core::words::units::Nanos;

use super::cached::cached_bytes;
use super::clock_offset::clock_offset;
use super::processor::KernelThreads;
use super::processor::{ProcessorTicks, ticks_per_s};
use super::sample::Sample;
use super::waits::WaitFiles;
use super::{DeviceGroup, ThreadClock};
use crate::clock::monotonic;
use crate::facts::DeviceCounters;
use crate::usage::Usage;

/// Shortest time between two readings. A little less than an interval of 100 ms, so that each of
/// those is sampled although its end is heard of a little early or late.
const PAUSE: Nanos = Nanos::from_millis(90);

/// Readings that are kept at the most.
const SAMPLES_MAX: usize = 4096;

/// Room for the first line of `/proc/stat`, or for a device's counters.
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
        }
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
            usage: Usage::now(),
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

    /// What was seen after the first `ramp_count` intervals, and the CPU time of this process in
    /// percent of one CPU; nothing for a point that was too short for two readings. `files` are
    /// the targets.
    pub(crate) fn finish(self, ramp_count: usize, files: &[File]) -> Option<(Observation, f64)> {
        let first = self.samples.iter().find(|sample| sample.intervals >= ramp_count)?;
        let last = self.samples.last().filter(|last| last.intervals > first.intervals)?;
        let seconds = last.seconds_since(first);
        let mut processor = last.processor_since(first, ticks_per_s());
        let (kernel_threads_s, kernel_waits_s) = self.kernel_threads_s(seconds);
        if let Some(time) = &mut processor {
            time.kernel_threads_s = kernel_threads_s;
        }
        let observation = Observation {
            window: first.intervals - ramp_count..last.intervals - ramp_count,
            seconds,
            processor,
            workers_s: last.workers_s_since(first),
            waits: Waits {
                workers_s: last.waits.workers_s_since(&first.waits),
                kernel_threads_s: kernel_waits_s,
                any_s: last.waits.any_s_since(&first.waits),
            },
            worker_cpus: crate::thread::allowed_cpus().len(),
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

    /// What was counted on each group whose devices are still all there.
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
