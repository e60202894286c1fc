//! The description of a trace while it is read, in constant memory.

use std::collections::BTreeMap;

use kneepoint_core::load::backend::Direction;
use kneepoint_core::load::record::histogram::Histogram;
use kneepoint_core::words::units::Nanos;

use super::TraceIo;
use super::described::{Described, DeviceExtent, SizeCount, WindowUse};
use super::sample::{BLOCK, BlockSample, WINDOWS};

/// Most sizes that are told apart.
const SIZES_MAX: usize = 4096;
/// I/Os whose ends are remembered.
const STREAMS: usize = 32;
/// Most slices of time.
const SLICES_MAX: usize = 120;
/// The first length of a slice of time.
const SLICE_FIRST: Nanos = Nanos::from_millis(1);
/// Most slices of a device.
const DEVICE_SLICES_MAX: usize = 64;
/// The first length of a slice of a device.
const DEVICE_SLICE_FIRST: u64 = 1 << 20;
/// Alignments above this are not told apart.
const ALIGNMENT_MAX: u64 = 1 << 20;
/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// What was in a trace so far. Its memory does not grow with the length of the trace.
#[derive(Debug, Default)]
pub struct Description {
    counts: [u64; 2],
    bytes: [u64; 2],
    last: Nanos,
    /// All offsets and lengths by bits.
    bits: u64,
    /// By size, I/Os in each direction and how many of them are sequential.
    sizes: BTreeMap<u32, [(u64, u64); 2]>,
    other_sizes: u64,
    sequential: u64,
    streaming: u64,
    /// Device and end of the last I/Os.
    ends: Vec<(u32, u64)>,
    gaps: Gaps,
    seconds: Busiest,
    course: Slices,
    blocks: BlockSample,
    devices: Vec<DeviceUse>,
}

/// Times between I/Os.
#[derive(Debug, Default)]
struct Gaps {
    histogram: Histogram,
    squares_s: f64,
}

/// The second with most I/Os.
#[derive(Debug, Default)]
struct Busiest {
    second: u64,
    count: u64,
    count_max: u64,
}

/// Counts in slices whose length doubles when there are too many of them.
#[derive(Debug, Default)]
struct Slices {
    counts: Vec<u64>,
    doublings: u32,
}

#[derive(Debug, Default)]
struct DeviceUse {
    ios: u64,
    end: u64,
    last_end: u64,
    random: Slices,
}

impl Description {
    /// Counts the next I/O.
    pub fn count(&mut self, io: &TraceIo) {
        let (direction, bytes) = (io.direction.index(), u64::from(io.bytes));
        let is_first = self.counts == [0, 0];
        if !is_first {
            self.gaps.count(io.at.since(self.last));
        }
        self.counts[direction] += 1;
        self.bytes[direction] = self.bytes[direction].saturating_add(bytes);
        self.bits |= io.offset | bytes;
        self.last = io.at;
        let is_sequential = self.place(io);
        self.sequential += u64::from(is_sequential);
        self.streaming += u64::from(self.ends.contains(&(io.device, io.offset)));
        self.end((io.device, io.end()));
        self.size(io, is_sequential);
        self.seconds.count(io.at);
        self.course.count(io.at.0 / SLICE_FIRST.0, SLICES_MAX);
        self.blocks.touch(io.at, io.device, (io.offset, io.bytes));
    }

    /// Counts where an I/O goes, and says whether it continues the last one there.
    fn place(&mut self, io: &TraceIo) -> bool {
        let number = io.device as usize;
        if self.devices.len() <= number {
            self.devices.resize_with(number + 1, DeviceUse::default);
        }
        let device = &mut self.devices[number];
        let is_sequential = device.ios > 0 && device.last_end == io.offset;
        device.ios += 1;
        device.end = device.end.max(io.end());
        device.last_end = io.end();
        if !is_sequential {
            device.random.count(io.offset / DEVICE_SLICE_FIRST, DEVICE_SLICES_MAX);
        }
        is_sequential
    }

    /// Remembers the end of an I/O instead of that of the oldest one.
    fn end(&mut self, end: (u32, u64)) {
        match self.ends.len() {
            STREAMS => {
                let oldest = (self.counts[0] + self.counts[1]) as usize % STREAMS;
                self.ends[oldest] = end;
            }
            _ => self.ends.push(end),
        }
    }

    fn size(&mut self, io: &TraceIo, is_sequential: bool) {
        let is_known = self.sizes.contains_key(&io.bytes);
        if !is_known && self.sizes.len() >= SIZES_MAX {
            self.other_sizes += 1;
            return;
        }
        let count = &mut self.sizes.entry(io.bytes).or_default()[io.direction.index()];
        count.0 += 1;
        count.1 += u64::from(is_sequential);
    }

    /// The numbers so far; `names` are those of the devices.
    pub fn described(&self, names: &[String]) -> Described {
        let (read, write) = (Direction::Read.index(), Direction::Write.index());
        let gap = |percent| self.gaps.histogram.percentile(percent).unwrap_or_default();
        let alignment = 1u64.checked_shl(self.bits.trailing_zeros()).unwrap_or(ALIGNMENT_MAX);
        Described {
            reads: self.counts[read],
            writes: self.counts[write],
            read_bytes: self.bytes[read],
            write_bytes: self.bytes[write],
            span: self.last,
            alignment_bytes: alignment.min(ALIGNMENT_MAX),
            sizes: self.sizes(),
            other_sizes: self.other_sizes,
            sequential: self.sequential,
            streaming: self.streaming,
            gap_p50: gap(50.0),
            gap_p99: gap(99.0),
            gap_variation: self.gaps.variation(self.last),
            busiest_second: self.seconds.count_max,
            slice: Nanos(SLICE_FIRST.0 << self.course.doublings),
            course: self.course.counts.clone(),
            footprint_bytes: self.blocks.distinct().saturating_mul(BLOCK),
            footprint_error: self.blocks.error(),
            hottest_1: self.blocks.concentration(0.01),
            hottest_10: self.blocks.concentration(0.1),
            windows: self.windows(),
            devices: self.devices.iter().zip(names).map(DeviceUse::extent).collect(),
        }
    }

    fn sizes(&self) -> Vec<SizeCount> {
        let counted = |(bytes, [reads, writes]): (&u32, &[(u64, u64); 2])| SizeCount {
            bytes: *bytes,
            reads: *reads,
            writes: *writes,
        };
        let mut sizes: Vec<SizeCount> = self.sizes.iter().map(counted).collect();
        sizes.sort_by_key(|size| std::cmp::Reverse(size.count()));
        sizes
    }

    fn windows(&self) -> Vec<WindowUse> {
        let fitting = WINDOWS.iter().enumerate().filter(|(_, length)| **length <= self.last);
        let used = fitting.map(|(number, length)| {
            let (mean, max) = self.blocks.window(number, self.last);
            let (mean_bytes, max_bytes) = (mean * BLOCK as f64, max.saturating_mul(BLOCK));
            let error = self.blocks.window_error(mean);
            WindowUse { length: *length, mean_bytes, max_bytes, error }
        });
        used.collect()
    }
}

impl DeviceUse {
    fn extent((device, name): (&Self, &String)) -> DeviceExtent {
        DeviceExtent {
            name: name.clone(),
            ios: device.ios,
            end: device.end,
            slice_bytes: DEVICE_SLICE_FIRST << device.random.doublings,
            random: device.random.counts.clone(),
        }
    }
}

impl Gaps {
    fn count(&mut self, gap: Nanos) {
        self.histogram.record(gap, 1);
        self.squares_s += gap.as_secs_f64() * gap.as_secs_f64();
    }

    /// Standard deviation over mean, of gaps that add up to `span`.
    fn variation(&self, span: Nanos) -> f64 {
        let count = self.histogram.total() as f64;
        let mean = span.as_secs_f64() / count.max(1.0);
        match mean > 0.0 {
            true => (self.squares_s / count - mean * mean).max(0.0).sqrt() / mean,
            false => 0.0,
        }
    }
}

impl Busiest {
    fn count(&mut self, at: Nanos) {
        let second = at.0 / SECOND;
        if second != self.second {
            (self.second, self.count) = (second, 0);
        }
        self.count += 1;
        self.count_max = self.count_max.max(self.count);
    }
}

impl Slices {
    /// Counts one at `position`, in units of the first length; keeps at most `most` slices.
    fn count(&mut self, position: u64, most: usize) {
        while position >> self.doublings >= most as u64 {
            self.halve();
        }
        let slice = (position >> self.doublings) as usize;
        if self.counts.len() <= slice {
            self.counts.resize(slice + 1, 0);
        }
        self.counts[slice] += 1;
    }

    fn halve(&mut self) {
        self.counts = self.counts.chunks(2).map(|pair| pair.iter().sum()).collect();
        self.doublings += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn io(at_ms: u64, device: u32, (offset, bytes): (u64, u32)) -> TraceIo {
        let (at, direction) = (Nanos::from_millis(at_ms), Direction::Read);
        TraceIo { at, device, direction, offset, bytes }
    }

    #[test]
    fn sequential_is_what_continues_on_its_device() {
        let mut description = Description::default();
        let write = TraceIo { direction: Direction::Write, ..io(10, 0, (4096, 8192)) };
        for io in [io(0, 0, (0, 4096)), io(5, 1, (8192, 4096)), write, io(1010, 1, (0, 512))] {
            description.count(&io);
        }
        let described = description.described(&["a".to_owned(), "b".to_owned()]);
        assert_eq!((described.sequential, described.streaming), (1, 1));
        assert_eq!((described.reads, described.writes, described.write_bytes), (3, 1, 8192));
        assert_eq!(described.alignment_bytes, 512);
        assert_eq!(described.extent_bytes(), 12288 + 12288);
        assert_eq!((described.busiest_second, described.course.iter().sum::<u64>()), (3, 4));
        assert_eq!(described.sizes[0].bytes, 4096);
        assert_eq!(described.footprint_bytes, 5 * BLOCK);
        assert!((described.rate_per_s().unwrap() - 3.0 / 1.01).abs() < 1e-9);
        assert_eq!(described.windows.len(), 1);
    }

    #[test]
    fn slices_double_their_length_and_lose_nothing() {
        let mut slices = Slices::default();
        for position in [0, 1, 119, 120, 1 << 40] {
            slices.count(position, 120);
        }
        assert_eq!(slices.counts.iter().sum::<u64>(), 5);
        assert!(slices.counts.len() <= 120);
        assert_eq!((slices.counts[0], slices.doublings), (4, 34));
    }

    #[test]
    fn nothing_is_described_without_a_division_by_zero() {
        let described = Description::default().described(&[]);
        assert_eq!((described.ios(), described.rate_per_s()), (0, None));
        assert!(described.read_percent() == 0.0 && described.hottest_10.share == 0.0);
    }
}
