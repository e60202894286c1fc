//! Parts of a system around its drives: controllers with their caches, host ports, arrays; and the
//! serial resources among them, which do one thing at a time, in the order of asking; and why it is slow:
//! utilisation of every part and where response time went.

use std::collections::VecDeque;

use kneepoint_core::result::simulated::{Breakdown, PartUtilisation};

use super::ahead::{Kept, Streams};
use super::dirty::Dirty;
use super::flush::CacheFlush;
use super::geometry::Geometry;
use crate::system::parameter::Key;
use crate::system::setting::{Condition, IoPolicy, WriteCache};
use crate::system::{Redundancy, System};

/// A controller: a processor, and a cache for writes.
#[derive(Debug)]
pub(super) struct Controller {
    pub(super) processor: Server,
    /// The way to the partner's cache.
    pub(super) mirror: Server,
    pub(super) costs: Costs,
    pub(super) cache: Cache,
    /// Disk operations are rounded out to multiples of this many bytes.
    pub(super) block_bytes: u64,
    /// The arrays that it serves.
    pub(super) arrays: Vec<u32>,
    /// Blocks that it keeps from reads, if it keeps any.
    pub(super) kept: Option<Kept>,
}

/// Work of a controller.
#[derive(Debug, Clone, Copy)]
pub(super) struct Costs {
    pub(super) io_ns: u64,
    pub(super) cache_io_ns: u64,
    pub(super) operation_ns: u64,
    pub(super) data: ByteTime,
    pub(super) destage: ByteTime,
    pub(super) xor: ByteTime,
    pub(super) mirror: ByteTime,
}

/// The write cache of a controller.
#[derive(Debug, Default)]
pub(super) struct Cache {
    pub(super) mode: WriteCache,
    pub(super) bytes_max: u64,
    pub(super) extents_max: u64,
    /// Fill from which on destaging goes from none to all of its rows at a time.
    pub(super) low: f64,
    pub(super) rows: f64,
    pub(super) rows_total: f64,
    pub(super) bias_ns: i32,
    pub(super) bytes: u64,
    pub(super) extents: u64,
    /// Writes for which there is no room, by slot.
    pub(super) waiting: VecDeque<u32>,
}

impl Cache {
    /// How full the cache is, by bytes or by pieces.
    pub(super) fn fill(&self) -> f64 {
        let bytes = self.bytes as f64 / self.bytes_max as f64;
        bytes.max(self.extents as f64 / self.extents_max as f64)
    }

    /// True if a write of `bytes` can be taken.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        self.bytes == 0 || (self.bytes + bytes <= self.bytes_max && self.extents < self.extents_max)
    }

    /// The same for an array that someone waits for, however empty the cache is.
    pub(super) fn rows_in_haste(&self, sharing: u32) -> u32 {
        let share = self.rows_total / f64::from(sharing.max(1));
        self.rows.min(share).max(1.0) as u32
    }

    /// Rows of one array that may be destaged at a time, where `sharing` arrays have any.
    pub(super) fn rows_at_a_time(&self, sharing: u32) -> u32 {
        let pressure = ((self.fill() - self.low) / (1.0 - self.low)).min(1.0);
        if pressure <= 0.0 {
            return 0;
        }
        let share = self.rows_total / f64::from(sharing.max(1));
        (self.rows.min(share) * pressure).max(1.0) as u32
    }
}

impl Controller {
    pub(super) fn new(system: &System) -> Self {
        let value = |key| system.value(key);
        let us = |key| ns_of_us(value(key));
        let per_kib = value(Key::ControllerKib);
        Self {
            processor: Server::default(),
            mirror: Server::default(),
            costs: Costs {
                io_ns: us(Key::ControllerIo),
                cache_io_ns: us(Key::ControllerCacheHit),
                operation_ns: us(Key::ControllerOperation),
                data: ByteTime::of_us_per_kib(per_kib),
                destage: ByteTime::of_us_per_kib(per_kib * value(Key::CacheWorkFactor)),
                xor: ByteTime::of_us_per_kib(value(Key::ControllerXor)),
                mirror: ByteTime::of_rate(value(Key::ControllerMirror)),
            },
            cache: Cache {
                mode: system.settings.write_cache,
                bytes_max: (value(Key::CachePool) * 1_048_576.0) as u64,
                extents_max: value(Key::CacheExtents) as u64,
                low: value(Key::CacheLow),
                rows: value(Key::CacheRows),
                rows_total: value(Key::CacheRowsTotal),
                bias_ns: ns_of_ms(value(Key::CachePriority)) as i32,
                ..Cache::default()
            },
            block_bytes: ((value(Key::ControllerBlock) * 1024.0) as u64).max(512),
            arrays: Vec::new(),
            kept: (system.settings.io_policy == IoPolicy::Cached)
                .then(|| Kept::new((value(Key::CachePool) * 1_048_576.0) as u64)),
        }
    }
}

/// A host port: a place for this many commands, and a link in each direction.
#[derive(Debug, Default)]
pub(super) struct Port {
    pub(super) commands_max: u32,
    pub(super) commands: u32,
    /// I/Os for which there is no place, by slot.
    pub(super) waiting: VecDeque<u32>,
    pub(super) to_controller: Server,
    pub(super) to_host: Server,
    pub(super) rate: ByteTime,
    pub(super) host_ns: u64,
}

impl Port {
    pub(super) fn new(system: &System) -> Self {
        Self {
            commands_max: system.value(Key::LinkThrottle) as u32,
            rate: ByteTime::of_rate(system.value(Key::LinkHost)),
            host_ns: ns_of_us(system.value(Key::HostOverhead)),
            ..Self::default()
        }
    }
}

/// An array.
#[derive(Debug, Default)]
pub(super) struct Array {
    pub(super) geometry: Geometry,
    pub(super) controller: u32,
    pub(super) port: u32,
    /// Bytes before the first one that hosts see.
    pub(super) start_bytes: u64,
    /// The byte after the last that hosts see.
    pub(super) end_bytes: u64,
    /// Reads that follow each other.
    pub(super) streams: Streams,
    /// Content of the write cache; `None` without one.
    pub(super) dirty: Option<Dirty>,
    /// Rows that are being destaged.
    pub(super) destaging: u32,
    /// Rows whose destaging was begun so far.
    pub(super) destages: u64,
    /// Flushes that wait for what is in the cache or on its way from there.
    pub(super) flushes: Vec<CacheFlush>,
    /// A drive that does not work, counted over all arrays.
    pub(super) failed: Option<u32>,
    /// The row that is being rebuilt; rows below are whole again.
    pub(super) rebuilding: Option<u64>,
    /// Disk operations of the rebuild that are not done yet.
    pub(super) rebuild_pending: u32,
    /// True if the rebuild writes its row, having read it.
    pub(super) rebuild_writes: bool,
    /// Rows in use.
    pub(super) rows: u64,
}

impl Array {
    /// True if its part of the write cache takes part in destaging.
    pub(super) fn has_dirty_or_active(&self) -> bool {
        self.destaging > 0 || self.dirty.as_ref().is_some_and(|dirty| dirty.row_count > 0)
    }

    pub(super) fn new(system: &System, index: u32, first_drive: u32) -> Self {
        let geometry = Geometry::new(system, index, first_drive);
        let start_bytes = system.start_sectors() * 512;
        let size_bytes = start_bytes + system.array_bytes(index).0;
        let is_cached = system.settings.write_cache != WriteCache::Off;
        let condition = system.settings.condition;
        let is_hurt =
            condition != Condition::Optimal && geometry.level.redundancy() != Redundancy::Nothing;
        Self {
            start_bytes,
            end_bytes: size_bytes,
            streams: Streams {
                mode: system.settings.read_ahead,
                ahead_bytes: (system.value(Key::CacheReadAhead) * 1024.0) as u64,
                numbers: Vec::new(),
            },
            dirty: is_cached.then(|| Dirty::new(&geometry, size_bytes)),
            failed: is_hurt.then_some(first_drive),
            rebuilding: (is_hurt && condition == Condition::Rebuilding).then_some(0),
            rows: size_bytes.div_ceil(geometry.row_bytes()),
            geometry,
            ..Self::default()
        }
    }

    /// The drive that cannot be used in `row`.
    #[inline]
    pub(super) fn failed_in(&self, row: u64) -> Option<u32> {
        match self.rebuilding {
            Some(front) if row < front => None,
            _ => self.failed,
        }
    }
}

/// A serial resource with its reservations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Server {
    free_at: u64,
    busy_ns: u64,
}

impl Server {
    /// Reserves `work_ns` from `now` on, or from when the resource is free; returns the end.
    #[inline]
    pub(super) fn reserve(&mut self, now: u64, work_ns: u64) -> u64 {
        self.free_at = self.free_at.max(now) + work_ns;
        self.busy_ns += work_ns;
        self.free_at
    }

    /// Time that the resource has worked until `now`, in ns.
    pub(super) fn busy_ns(&self, now: u64) -> u64 {
        self.busy_ns.saturating_sub(self.free_at.saturating_sub(now))
    }
}

/// Time per byte of a rate in MB/s (10^6 bytes), as a multiple of 2^-20 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ByteTime(u64);

impl ByteTime {
    /// From a rate in MB/s, above zero.
    pub(super) fn of_rate(mb_per_s: f64) -> Self {
        Self((1e3 / mb_per_s * f64::from(1 << 20)) as u64)
    }

    /// From a time per KiB in microseconds.
    fn of_us_per_kib(us: f64) -> Self {
        Self((us * 1e3 / 1024.0 * f64::from(1 << 20)) as u64)
    }

    /// The time that `bytes` take, in ns.
    #[inline]
    pub(super) fn of(self, bytes: u32) -> u64 {
        (self.0 * u64::from(bytes)) >> 20
    }
}

pub(super) fn ns_of_us(us: f64) -> u64 {
    (us * 1e3) as u64
}

pub(super) fn ns_of_ms(ms: f64) -> i64 {
    (ms * 1e6) as i64
}

/// Sums over host I/Os, in ns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) operations: u64,
    pub(super) response: u64,
    pub(super) throttle: u64,
    pub(super) cache: u64,
    pub(super) queue: u64,
    pub(super) seek: u64,
    pub(super) rotation: u64,
    pub(super) transfer: u64,
    pub(super) links: u64,
}

impl Spent {
    /// What was added since it was `earlier`.
    pub(super) const fn since(&self, earlier: &Self) -> Self {
        Self {
            operations: self.operations - earlier.operations,
            response: self.response - earlier.response,
            throttle: self.throttle - earlier.throttle,
            cache: self.cache - earlier.cache,
            queue: self.queue - earlier.queue,
            seek: self.seek - earlier.seek,
            rotation: self.rotation - earlier.rotation,
            transfer: self.transfer - earlier.transfer,
            links: self.links - earlier.links,
        }
    }

    /// Means per host I/O.
    pub(super) fn breakdown(&self) -> Breakdown {
        let ms = |ns: u64| ns as f64 / 1e6 / self.operations.max(1) as f64;
        let known = self.throttle
            + self.cache
            + self.queue
            + self.seek
            + self.rotation
            + self.transfer
            + self.links;
        Breakdown {
            host_queue: ms(self.throttle),
            write_cache: ms(self.cache),
            drive_queue: ms(self.queue),
            seek: ms(self.seek),
            rotation: ms(self.rotation),
            transfer: ms(self.transfer),
            links: ms(self.links),
            controller: ms(self.response.saturating_sub(known)),
        }
    }
}

/// A group of parts of one kind: mean and highest utilisation.
pub(super) fn utilisation(
    name: &str,
    busy: impl Iterator<Item = u64>,
    now: u64,
) -> PartUtilisation {
    let (mut sum, mut highest, mut count) = (0u64, 0u64, 0u32);
    for busy_ns in busy {
        sum += busy_ns;
        highest = highest.max(busy_ns);
        count += 1;
    }
    let percent = |ns: f64| (100.0 * ns / now.max(1) as f64).min(100.0);
    PartUtilisation {
        name: name.to_owned(),
        count,
        mean_percent: percent(sum as f64 / f64::from(count.max(1))),
        highest_percent: percent(highest as f64),
    }
}
