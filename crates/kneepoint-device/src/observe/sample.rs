//! One reading of everything that is watched, and the difference of two.

use kneepoint_core::measure::trust::{ProcessorTime, Traffic};
use kneepoint_core::words::units::Nanos;

use super::processor::ProcessorTicks;
use super::waits::WaitSample;
use crate::facts::DeviceCounters;
use crate::usage::Usage;

/// What was read at one moment.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Whole intervals of the point that had ended.
    pub(super) intervals: usize,
    /// The clock and this process's CPU time.
    pub(super) usage: Usage,
    /// Time of all processors.
    pub(super) processor: Option<ProcessorTicks>,
    /// Nanoseconds by which the wall clock is ahead of the monotonic clock.
    pub(super) clock_offset: i64,
    /// CPU time of each worker; nothing where it cannot be read.
    pub(super) workers: Vec<Option<Nanos>>,
    /// What had to wait for a processor.
    pub(super) waits: WaitSample,
    /// Counters of each device; nothing where it has gone.
    pub(super) devices: Vec<Option<DeviceCounters>>,
}

impl Sample {
    /// Seconds since the `earlier` sample.
    pub(super) fn seconds_since(&self, earlier: &Self) -> f64 {
        self.usage.since(earlier.usage).as_secs_f64()
    }

    /// CPU time of each worker since the `earlier` sample, in seconds; nothing unless all of them
    /// were read.
    pub(super) fn workers_s_since(&self, earlier: &Self) -> Vec<f64> {
        let pairs = self.workers.iter().zip(&earlier.workers);
        let times = pairs.map(|(now, then)| Some((*now)?.since((*then)?).as_secs_f64()));
        times.collect::<Option<_>>().unwrap_or_default()
    }

    /// Time of the processors since the `earlier` sample, without that of the kernel's threads.
    pub(super) fn processor_since(
        &self,
        earlier: &Self,
        ticks_per_s: f64,
    ) -> Option<ProcessorTime> {
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
    pub(super) fn traffic_since(&self, earlier: &Self, device: usize) -> Option<[Traffic; 2]> {
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
