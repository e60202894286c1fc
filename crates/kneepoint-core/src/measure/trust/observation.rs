//! What an instrument saw of the machine while it measured, and what the generator drove meanwhile, as
//! plain numbers.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::load::record::interval::{IntervalRecord, Tally};
use crate::measure::Point;
use crate::measure::measurement::Measurement;
use crate::plan::{Caching, Engine};
use crate::result::{ClockDrift, ClockOffset, HostStartResult};
use crate::words::load::LoadUnit;
use crate::words::units::{Nanos, Percent};

/// The machine and the devices over (nearly) the measured time of a point.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Observation {
    /// The host of a fleet; empty for the machine that measures.
    pub host: String,
    /// Which machine it is: observations of one machine have the same. May be empty where there is one.
    pub machine: String,
    /// The measured intervals that lie between the first reading and the last, from 0.
    pub window: Range<usize>,
    /// Time between the two readings, in seconds; a little off the length of the window, for an
    /// interval's end is heard of with a delay.
    pub seconds: f64,
    /// Time of all processors; `None` where the machine does not tell.
    pub processor: Option<ProcessorTime>,
    /// CPU time of each worker, in seconds.
    pub workers_s: Vec<f64>,
    /// What had to wait for a processor.
    pub waits: Waits,
    /// CPUs that the workers may run on.
    pub worker_cpus: usize,
    /// By how much the wall clock moved against the monotonic clock, in seconds.
    pub clock_step_s: f64,
    /// Devices with what the kernel counted on them.
    pub devices: Vec<DeviceTraffic>,
}

impl Observation {
    /// What was seen of the same machine over two times, the `other` one later; nothing of devices.
    #[must_use]
    pub fn and_later(self, other: Self) -> Self {
        let Range { start, end } = self.window;
        let sum = |(one, two): (f64, f64)| one + two;
        let waits = |of: fn(&Waits) -> Option<f64>| of(&self.waits).zip(of(&other.waits)).map(sum);
        Self {
            window: start..end + other.window.len(),
            seconds: self.seconds + other.seconds,
            processor: self.processor.zip(other.processor).map(|(one, two)| one.and(two)),
            workers_s: self.workers_s.iter().copied().zip(other.workers_s).map(sum).collect(),
            waits: Waits {
                workers_s: waits(|waits| waits.workers_s),
                kernel_threads_s: waits(|waits| waits.kernel_threads_s),
                any_s: waits(|waits| waits.any_s),
            },
            clock_step_s: self.clock_step_s + other.clock_step_s,
            devices: Vec::new(),
            ..other
        }
    }
}

/// How a host of a fleet began with a point.
#[derive(Debug, Clone, PartialEq)]
pub struct HostStart {
    /// The host.
    pub host: String,
    /// How long after the common start its load began.
    pub late: Nanos,
    /// Processor time of what loads from there, in percent of one processor.
    pub cpu_percent: f64,
    /// Its clock, as it was known when the common start was fixed.
    pub clock: ClockOffset,
    /// How much too fast that clock runs, if it was watched for long enough.
    pub drift: Option<ClockDrift>,
}

impl HostStart {
    /// The same in the result.
    pub fn result(&self) -> HostStartResult {
        let Self { late, clock, drift, .. } = self;
        HostStartResult { late_ms: late.as_millis_f64(), clock: *clock, drift: *drift }
    }
}

/// Processor time between two readings, summed over all processors, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ProcessorTime {
    /// All of it: busy, idle and stolen.
    pub capacity_s: f64,
    /// Programs outside the kernel.
    pub user_s: f64,
    /// The kernel on behalf of threads, its own among them; without interrupts.
    pub system_s: f64,
    /// Taken by the hypervisor for other machines.
    pub stolen_s: f64,
    /// Of `user_s`, what this process used.
    pub own_user_s: f64,
    /// Of `system_s`, what this process used.
    pub own_system_s: f64,
    /// Of `system_s`, what the kernel's own threads used; `None` where they cannot be seen.
    pub kernel_threads_s: Option<f64>,
}

/// Time for which something was ready to run and had no processor, in seconds; `None` where the
/// kernel does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Waits {
    /// The workers, on average (`run_delay` in `/proc/PID/task/TID/schedstat`).
    pub workers_s: Option<f64>,
    /// All threads of the kernel together.
    pub kernel_threads_s: Option<f64>,
    /// Any thread of the machine (`some` in `/proc/pressure/cpu`).
    pub any_s: Option<f64>,
}

impl ProcessorTime {
    /// The share of all processors that was busy, from 0 to 1.
    pub fn busy_share(&self) -> f64 {
        let used = self.user_s + self.system_s + self.stolen_s;
        if self.capacity_s > 0.0 { (used / self.capacity_s).min(1.0) } else { 0.0 }
    }

    /// That of two times together.
    fn and(self, other: Self) -> Self {
        let kernel_threads_s = self.kernel_threads_s.zip(other.kernel_threads_s);
        Self {
            capacity_s: self.capacity_s + other.capacity_s,
            user_s: self.user_s + other.user_s,
            system_s: self.system_s + other.system_s,
            stolen_s: self.stolen_s + other.stolen_s,
            own_user_s: self.own_user_s + other.own_user_s,
            own_system_s: self.own_system_s + other.own_system_s,
            kernel_threads_s: kernel_threads_s.map(|(one, two)| one + two),
        }
    }

    /// Time that other programs used.
    ///
    /// Threads of the kernel do not count: on loop, md and dm devices they work for us. Where they
    /// cannot be seen apart, only time outside the kernel is certain to be others'.
    pub fn others_s(&self) -> f64 {
        let user = self.user_s - self.own_user_s;
        match self.kernel_threads_s {
            Some(threads) => user + self.system_s - self.own_system_s - threads,
            None => user,
        }
    }
}

/// I/Os and their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Traffic {
    /// I/Os; of the kernel's, those that were merged with a neighbour count singly.
    pub operations: f64,
    /// Their bytes.
    pub bytes: f64,
}

impl Traffic {
    /// Adds `other`.
    pub fn add(&mut self, other: Self) {
        self.operations += other.operations;
        self.bytes += other.bytes;
    }

    /// This many times as much.
    pub fn times(self, factor: f64) -> Self {
        Self { operations: self.operations * factor, bytes: self.bytes * factor }
    }
}

/// What the kernel counted on the devices of one target, or of several that share them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceTraffic {
    /// Kernel names.
    pub name: String,
    /// The targets on them, by their place in the plan.
    pub targets: Vec<usize>,
    /// Reads.
    pub read: Traffic,
    /// Writes.
    pub written: Traffic,
    /// What the counters can be compared with.
    pub accounting: Accounting,
    /// Whether threads of the kernel carry out its I/Os (loop, md, dm and network devices).
    pub needs_kernel_threads: bool,
    /// Bytes of the targets in the page cache after the point; `None` where the kernel does not
    /// tell.
    pub cached_bytes: Option<u64>,
}

/// How the I/O of a target relates to that of its devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Accounting {
    /// A byte of a target is a byte of a device.
    Exact,
    /// The file system moves more than it is asked to (copies, checksums): only a shortfall says
    /// something.
    AtLeast,
}

/// What the generator drove in the observed intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Issued {
    /// Whether the page cache was to be used.
    pub caching: Caching,
    /// How it was issued.
    pub engine: Engine,
    /// Closed or open loop.
    pub load_unit: LoadUnit,
    /// Length of the observed intervals, in seconds.
    pub seconds: f64,
    /// Reads and writes of each target that completed.
    pub targets: Vec<[Traffic; 2]>,
    /// The most that each target did in a single interval.
    pub busiest: Vec<Traffic>,
    /// Other programs may use this share of the processors, from 0 to 1; `None` if only what they
    /// can have changed is judged.
    pub foreign_cpu_max: Option<f64>,
    /// Whether writes are made durable, or give blocks back: a file system then writes more than them, about
    /// itself.
    pub is_durable: bool,
    /// I/Os that failed; whether the kernel counted them is not known.
    pub errors: u64,
}

impl Issued {
    /// What completed in the measured intervals `window` of `point`.
    pub fn of(point: &Point<'_>, measurement: &Measurement, window: Range<usize>) -> Self {
        let end = window.end.min(measurement.intervals.len());
        let records = &measurement.intervals[window.start.min(end)..end];
        let target_count = point.plan.targets.len();
        Self {
            caching: point.plan.engine.caching,
            engine: point.plan.engine.engine,
            load_unit: point.load.unit,
            seconds: measurement.interval.as_secs_f64() * records.len() as f64,
            targets: (0..target_count).map(|target| sums(records, target)).collect(),
            busiest: (0..target_count).map(|target| busiest(records, target)).collect(),
            foreign_cpu_max: point.plan.foreign_cpu_max.map(Percent::fraction),
            is_durable: point
                .series
                .profile
                .storage()
                .is_some_and(|io| !io.durability.is_none() || io.writes_without_data()),
            errors: records.iter().map(IntervalRecord::error_count).sum(),
        }
    }
}

impl Issued {
    /// What several series did in the same intervals, each with the numbers of its targets among
    /// `target_count`; `None` of none.
    pub(crate) fn together<'a>(
        series: impl IntoIterator<Item = (Self, &'a [u32])>,
        target_count: usize,
    ) -> Option<Self> {
        let mut all: Option<Self> = None;
        for (own, numbers) in series {
            let sum = all.get_or_insert_with(|| Self {
                targets: vec![<[Traffic; 2]>::default(); target_count],
                busiest: vec![Traffic::default(); target_count],
                is_durable: false,
                errors: 0,
                ..own.clone()
            });
            for ((number, traffic), busiest) in numbers.iter().zip(&own.targets).zip(&own.busiest) {
                let place = *number as usize;
                sum.targets[place].iter_mut().zip(traffic).for_each(|(sum, own)| sum.add(*own));
                sum.busiest[place].add(*busiest);
            }
            sum.is_durable |= own.is_durable;
            sum.errors += own.errors;
            // A generator that spins before arrivals is busy, however little it does.
            if own.load_unit.is_offered() {
                sum.load_unit = own.load_unit;
            }
        }
        all
    }
}

fn traffic(tally: &Tally) -> Traffic {
    Traffic { operations: tally.operations as f64, bytes: tally.bytes as f64 }
}

/// Reads and writes of one target.
fn sums(records: &[IntervalRecord], target: usize) -> [Traffic; 2] {
    let mut sums = [Traffic::default(); 2];
    for record in records {
        for (sum, tally) in sums.iter_mut().zip(record.targets.of(target)) {
            sum.add(traffic(tally));
        }
    }
    sums
}

/// The most that one target did in an interval.
fn busiest(records: &[IntervalRecord], target: usize) -> Traffic {
    let mut most = Traffic::default();
    for record in records {
        // A flush moves no bytes, and the kernel counts it as no write.
        let both = traffic(&Tally::of_all(record.targets.of(target).iter().take(2)));
        most.operations = most.operations.max(both.operations);
        most.bytes = most.bytes.max(both.bytes);
    }
    most
}
