//! What is in a trace, as numbers.

use kneepoint_core::words::units::Nanos;

/// What is in a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes that are read.
    pub read_bytes: u64,
    /// Bytes that are written.
    pub write_bytes: u64,
    /// From the first to the last I/O.
    pub span: Nanos,
    /// The power of two, up to 1 MiB, that divides every offset and length, in bytes.
    pub alignment_bytes: u64,
    /// Sizes from the most to the least frequent; all of them unless `other_sizes` is above zero.
    pub sizes: Vec<SizeCount>,
    /// I/Os of sizes that came after too many others.
    pub other_sizes: u64,
    /// I/Os that begin where the last one on their device ended.
    pub sequential: u64,
    /// I/Os that begin where one of the last 32 ended.
    pub streaming: u64,
    /// Median time between two I/Os, to three significant digits.
    pub gap_p50: Nanos,
    /// 99th percentile of it.
    pub gap_p99: Nanos,
    /// Standard deviation of the time between two I/Os as a share of its mean: 0 of a constant pace, 1 of
    /// independent arrivals, more of bursts.
    pub gap_variation: f64,
    /// I/Os in the busiest second, counted from the first I/O.
    pub busiest_second: u64,
    /// Length of the slices of `course`.
    pub slice: Nanos,
    /// I/Os in each slice of time, without gaps, from the first I/O.
    pub course: Vec<u64>,
    /// Distinct bytes that are touched, in blocks of 4 KiB.
    pub footprint_bytes: u64,
    /// The standard error of the footprint, as a share; `None` if it is exact.
    pub footprint_error: Option<f64>,
    /// Touches of blocks that go to the most touched 1 % of them.
    pub hottest_1: TouchShare,
    /// The same of 10 %.
    pub hottest_10: TouchShare,
    /// Distinct bytes in windows of time that are no longer than the trace.
    pub windows: Vec<WindowUse>,
    /// The devices in the order in which they come.
    pub devices: Vec<DeviceExtent>,
}

/// I/Os of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeCount {
    /// The size.
    pub bytes: u32,
    /// Reads of it, and how many of them begin where the last I/O on their device ended.
    pub reads: (u64, u64),
    /// Writes, likewise.
    pub writes: (u64, u64),
}

impl SizeCount {
    /// All of them.
    pub const fn count(&self) -> u64 {
        self.reads.0 + self.writes.0
    }
}

/// A part of the touches of blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchShare {
    /// As a share of all touches.
    pub share: f64,
    /// Its standard error, as a share of all touches, too; `None` if it is exact.
    pub error: Option<f64>,
}

/// The bytes that are in use in windows of a length: the working set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowUse {
    /// The length.
    pub length: Nanos,
    /// Distinct bytes in a window, on average over those that end before the trace does.
    pub mean_bytes: f64,
    /// Distinct bytes in the window with most.
    pub max_bytes: u64,
    /// The largest that the standard error of either can be, as a share; `None` if they are exact.
    pub error: Option<f64>,
}

/// What is used of a device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceExtent {
    /// Its name.
    pub name: String,
    /// I/Os that go to it.
    pub ios: u64,
    /// The end of the last byte that is used.
    pub end: u64,
    /// Length of the slices of `random`, in bytes.
    pub slice_bytes: u64,
    /// I/Os that continue no other, by where they go: slices from the first byte on.
    pub random: Vec<u64>,
}

impl Described {
    /// All I/Os.
    pub const fn ios(&self) -> u64 {
        self.reads + self.writes
    }

    /// Share of reads in percent.
    pub fn read_percent(&self) -> f64 {
        percent(self.reads, self.ios())
    }

    /// Mean size in bytes.
    pub fn mean_bytes(&self) -> f64 {
        (self.read_bytes + self.write_bytes) as f64 / self.ios().max(1) as f64
    }

    /// Mean I/Os per second from the first to the last; `None` if all come at once.
    pub fn rate_per_s(&self) -> Option<f64> {
        let gaps = self.ios().saturating_sub(1) as f64;
        (self.span > Nanos::ZERO && gaps > 0.0).then(|| gaps / self.span.as_secs_f64())
    }

    /// Share of I/Os that begin where the last one on their device ended, in percent.
    pub fn sequential_percent(&self) -> f64 {
        percent(self.sequential, self.ios())
    }

    /// Share of I/Os that begin where one of the last 32 ended, in percent.
    pub fn streaming_percent(&self) -> f64 {
        percent(self.streaming, self.ios())
    }

    /// The devices one behind the other, in bytes.
    pub fn extent_bytes(&self) -> u64 {
        self.devices.iter().fold(0, |sum, device| sum.saturating_add(device.end))
    }
}

/// A share in percent.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}
