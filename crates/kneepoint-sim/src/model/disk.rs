//! One hard disk: a tagged queue, the choice of the next command, a write cache, reading ahead, and
//! the mechanics: zones, seek curve, rotation.
//!
//! The next command is the one with the shortest access time (seek, settling, rotation), less an
//! advantage for having waited: D. Jacobson and J. Wilkes, "Disk scheduling algorithms based on
//! rotational position", HP Laboratories HPL-CSP-91-7, 1991 (aged shortest access time first).
//!
//! Angles are fractions of a revolution in units of 2^-32, so that they wrap by themselves. The
//! seek curve is `a + b sqrt(x) + c x` over the share x of all cylinders, through the three times
//! of the data sheet (C. Ruemmler and J. Wilkes, "An introduction to disk drive modeling", IEEE
//! Computer 27(3), 1994, give curves of this kind): one cylinder, the mean over two random
//! cylinders (E sqrt(x) = 8/15, E x = 1/3), all cylinders.

use std::collections::VecDeque;

use super::parts::{ByteTime, ns_of_ms};
use crate::system::System;
use crate::system::parameter::Key;
use crate::system::setting::DiskCache;

/// The kind of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// Reads from the medium or from what was read ahead.
    #[default]
    Read,
    /// Writes to the medium.
    Write,
    /// Writes from the drive's cache to the medium; acknowledged long ago.
    Cached,
}

/// A command on its way through a drive.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Command {
    /// First byte on the drive.
    pub(super) start: u64,
    /// When it came.
    pub(super) arrived: u64,
    /// Length.
    pub(super) bytes: u32,
    /// The disk operation that it belongs to.
    pub(super) piece: u32,
    /// Disadvantage in the choice of the next, in ns.
    pub(super) bias_ns: i32,
    /// Its kind.
    pub(super) class: Class,
    place: Place,
    /// True if it takes no segment of the drive's cache: it continues the data of the write before it.
    shares_segment: bool,
}

/// Where the time of a command went, in ns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Service {
    /// Waiting for its turn.
    pub(super) queue: u64,
    /// Electronics, arm, settling.
    pub(super) seek: u64,
    /// Waiting for the sector.
    pub(super) rotation: u64,
    /// Reading or writing, on the medium or through the port.
    pub(super) transfer: u64,
}

/// Properties that all disks of a system share.
#[derive(Debug, Clone)]
pub(super) struct DiskModel {
    mechanics: Mechanics,
    overhead_ns: [u64; 3],
    settle_ns: [u64; 3],
    /// Commands that are ordered among each other.
    tags: usize,
    /// Advantage per ns of waiting, in 2^-16.
    ageing: i64,
    ageing_rank_ns: i64,
    port: ByteTime,
    cache: DiskCache,
    cache_bytes: u64,
    cache_segments: u32,
    cache_penalty_ns: i32,
    cache_low_bytes: u64,
    read_ahead_bytes: u64,
    /// True if a waiting write follows its predecessor without losing a revolution: queued commands of
    /// SAS and Fibre Channel drives do; without a write cache a SATA drive asks for it too late.
    writes_stream: bool,
}

impl DiskModel {
    /// The disks of `system`.
    pub(super) fn new(system: &System) -> Self {
        let ms = |key| ns_of_ms(system.value(key));
        let kib = |key| (system.value(key) * 1024.0) as u64;
        let write = ms(Key::DiskOverheadWrite) as u64;
        let settle = ms(Key::DiskSettleWrite) as u64;
        let cache_bytes = kib(Key::DiskCachePool);
        let low = system.value(Key::DiskCacheLow);
        Self {
            mechanics: Mechanics::new(system),
            overhead_ns: [ms(Key::DiskOverheadRead) as u64, write, write],
            settle_ns: [0, settle, settle],
            tags: system.value(Key::DiskQueue) as usize,
            ageing: (system.value(Key::DiskAgeing) * 65_536.0) as i64,
            ageing_rank_ns: ms(Key::DiskAgeingRank),
            port: ByteTime::of_rate(system.value(Key::LinkDrive)),
            cache: system.settings.disk_cache,
            cache_bytes,
            cache_segments: system.value(Key::DiskCacheSegments) as u32,
            cache_penalty_ns: ms(Key::DiskCachePenalty) as i32,
            cache_low_bytes: (cache_bytes as f64 * low) as u64,
            read_ahead_bytes: kib(Key::DiskReadAhead),
            writes_stream: system.drive.interface != "sata",
        }
    }

    #[inline]
    pub(super) fn command(&self, start: u64, bytes: u32, class: Class) -> Command {
        let place = self.mechanics.place(start, bytes);
        Command { start, bytes, class, place, ..Command::default() }
    }
}

/// The state of one disk.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// Commands to choose from, in the order of their arrival.
    queue: Vec<Command>,
    /// Commands beyond the tags.
    line: VecDeque<Command>,
    current: Option<Command>,
    service: Service,
    head: u32,
    /// End of the last transfer, and when the medium passed it.
    last_end: u64,
    last_end_at: u64,
    /// Whether that transfer itself went on where the one before had ended.
    is_streaming: bool,
    cached_bytes: u64,
    /// Segments of the cache in use: cached writes without those that continue another.
    cached_segments: u32,
    /// The byte after the last write that the cache took.
    cached_end: u64,
    /// Cached writes in the queue.
    cached_queued: u32,
    reads_queued: u32,
    /// Writes in the queue that are not in the cache.
    writes_queued: u32,
    /// What was in the cache at this time is waited for; zero if nothing ever was.
    hurries_until: u64,
    started_at: u64,
    busy_ns: u64,
}

impl Disk {
    /// Takes a command; says when it is acknowledged where that is known already.
    #[inline]
    pub(super) fn accept(
        &mut self,
        model: &DiskModel,
        mut command: Command,
        now: u64,
    ) -> Option<u64> {
        command.arrived = now;
        let is_cached = command.class == Class::Write && model.cache == DiskCache::On;
        if is_cached && self.writes_queued == 0 && self.has_room(model, &command) {
            let at = self.admit(model, &mut command, now);
            self.queue.push(command);
            return Some(at);
        }
        self.enqueue(model, command);
        None
    }

    fn has_room(&self, model: &DiskModel, command: &Command) -> bool {
        let has_segment =
            self.cached_segments < model.cache_segments || command.start == self.cached_end;
        self.cached_bytes == 0
            || (has_segment && self.cached_bytes + u64::from(command.bytes) <= model.cache_bytes)
    }

    /// Takes a write into the cache; returns when it is acknowledged.
    fn admit(&mut self, model: &DiskModel, command: &mut Command, now: u64) -> u64 {
        if self.cached_bytes > 0 && command.start == self.cached_end {
            command.shares_segment = true;
        } else {
            self.cached_segments += 1;
        }
        command.class = Class::Cached;
        self.cached_end = command.start + u64::from(command.bytes);
        self.cached_bytes += u64::from(command.bytes);
        self.cached_queued += 1;
        now + model.overhead_ns[Class::Write as usize] + model.port.of(command.bytes)
    }

    /// The oldest write that waited and now has room, with the time of its acknowledgement.
    pub(super) fn admit_waiting(&mut self, model: &DiskModel, now: u64) -> Option<(u32, u64)> {
        if self.writes_queued == 0 || model.cache == DiskCache::Off {
            return None;
        }
        let index = self.queue.iter().position(|command| command.class == Class::Write)?;
        let mut command = self.queue[index];
        if !self.has_room(model, &command) {
            return None;
        }
        self.writes_queued -= 1;
        let at = self.admit(model, &mut command, now);
        self.queue[index] = command;
        if let Some(next) = self.line.pop_front() {
            self.enqueue(model, next);
        }
        Some((command.piece, at))
    }

    #[inline]
    fn enqueue(&mut self, model: &DiskModel, command: Command) {
        if self.queue.len() - self.cached_queued as usize >= model.tags {
            self.line.push_back(command);
            return;
        }
        self.reads_queued += u32::from(command.class == Class::Read);
        self.writes_queued += u32::from(command.class == Class::Write);
        self.queue.push(command);
    }

    /// Begins the next command if there is one and the disk is idle; returns when it ends.
    #[inline]
    pub(super) fn start(&mut self, model: &DiskModel, now: u64) -> Option<u64> {
        if self.current.is_some() || self.queue.is_empty() {
            return None;
        }
        let index = self.choose(model, now);
        let command = self.queue.remove(index);
        self.reads_queued -= u32::from(command.class == Class::Read);
        self.writes_queued -= u32::from(command.class == Class::Write);
        if command.class == Class::Cached {
            self.cached_queued -= 1;
        } else if let Some(next) = self.line.pop_front() {
            self.enqueue(model, next);
        }
        let end = self.serve(model, &command, now);
        self.started_at = now;
        self.current = Some(command);
        Some(end)
    }

    /// Ends the current command.
    ///
    /// # Panics
    /// When there is none: an event was planned without a command.
    #[inline]
    pub(super) fn finish(&mut self, now: u64) -> (Command, Service) {
        let command = self.current.take().expect("a disk that is done was busy");
        self.busy_ns += now - self.started_at;
        if command.class == Class::Cached {
            self.cached_bytes -= u64::from(command.bytes);
            self.cached_segments -= u32::from(!command.shares_segment);
        }
        (command, self.service)
    }

    /// Begins to hurry with what is in the cache at `now`; says whether anything is.
    pub(super) fn hurries(&mut self, now: u64) -> bool {
        let holds = self.holds_from(now);
        if holds {
            self.hurries_until = now;
        }
        holds
    }

    /// Whether the cache has data that was there at `moment`.
    pub(super) fn holds_from(&self, moment: u64) -> bool {
        let waiting = self.queue.iter().chain(&self.current);
        let mut cached = waiting.filter(|command| command.class == Class::Cached);
        cached.any(|command| command.arrived <= moment)
    }

    /// Commands that wait or are served.
    pub(super) fn load(&self) -> usize {
        self.queue.len() + self.line.len() + usize::from(self.current.is_some())
    }

    /// Time that the disk has worked until `now`, in ns.
    pub(super) fn busy_ns(&self, now: u64) -> u64 {
        let current = if self.current.is_some() { now - self.started_at } else { 0 };
        self.busy_ns + current
    }

    /// The command with the shortest access time, less its advantage for having waited.
    #[inline]
    fn choose(&self, model: &DiskModel, now: u64) -> usize {
        let count = self.queue.len();
        if count == 1 {
            return 0;
        }
        let is_waited_for = self.hurries_until > 0 && self.holds_from(self.hurries_until);
        let gives_way = self.reads_queued > 0 && !is_waited_for;
        let reads_first = gives_way && self.cached_bytes <= model.cache_low_bytes;
        let penalty = if gives_way { model.cache_penalty_ns } else { 0 };
        let rank_step = model.ageing_rank_ns / count as i64;
        let (mut best, mut best_cost) = (0, i64::MAX);
        for (index, command) in self.queue.iter().enumerate() {
            let follows = self.follows(model, command, now);
            if follows && command.start == self.last_end {
                return index;
            }
            if reads_first && command.class == Class::Cached {
                continue;
            }
            let age = (model.ageing * (now - command.arrived) as i64) >> 16;
            let mut bias = i64::from(command.bias_ns) - age - rank_step * (count - index) as i64;
            if command.class == Class::Cached {
                bias += i64::from(penalty);
            }
            // What is further ahead in a stream is weighed against what the heads have passed, which would
            // wait for as long as the stream goes on.
            let access = if follows {
                (self.last_end_at + self.left_out_ns(command)).saturating_sub(now)
            } else {
                let (seek, rotation) = Self::access(self.head, model, command, now);
                seek + rotation
            };
            let cost = access as i64 + bias;
            if cost < best_cost {
                (best, best_cost) = (index, cost);
            }
        }
        best
    }

    /// Time of the arm, settling and electronics included, and of waiting for the sector, in ns.
    #[inline]
    fn access(head: u32, model: &DiskModel, command: &Command, now: u64) -> (u64, u64) {
        let class = command.class as usize;
        let arm = model.mechanics.seek(head, command.place.cylinder) + model.settle_ns[class];
        let seek = model.overhead_ns[class] + arm;
        (seek, model.mechanics.rotation(now + seek, command.place.angle))
    }

    /// True if the medium goes on with `command` without losing a revolution.
    ///
    /// A drive that reads a stream ahead does not stop where the stream leaves something out: what comes
    /// after parity in an array is in its buffer as well.
    #[inline]
    fn follows(&self, model: &DiskModel, command: &Command, now: u64) -> bool {
        let Some(gap) = command.start.checked_sub(self.last_end) else { return false };
        let is_next = gap == 0;
        match command.class {
            Class::Read => {
                let is_ahead = gap + u64::from(command.bytes) <= model.read_ahead_bytes;
                let is_read = is_next || (self.is_streaming && is_ahead);
                is_read && model.read_ahead_bytes > 0 && self.last_end_at > 0
            }
            Class::Cached => is_next && self.last_end_at == now,
            Class::Write => is_next && self.last_end_at == now && model.writes_stream,
        }
    }

    /// Moves arm and platter; returns when the command ends.
    #[inline]
    fn serve(&mut self, model: &DiskModel, command: &Command, now: u64) -> u64 {
        let media = u64::from(command.place.transfer_ns);
        let queue = now - command.arrived;
        let follows = self.follows(model, command, now);
        let end = if follows {
            self.follow(model, command, now)
        } else {
            let (seek, rotation) = Self::access(self.head, model, command, now);
            self.service = Service { queue, seek, rotation, transfer: media };
            self.last_end_at = now + seek + rotation + media;
            self.last_end_at
        };
        self.head = command.place.cylinder;
        self.last_end = command.start + u64::from(command.bytes);
        self.is_streaming = follows;
        end
    }

    /// Time in which the medium passes what lies between the last transfer and `command`, in ns.
    #[inline]
    fn left_out_ns(&self, command: &Command) -> u64 {
        let gap = command.start.saturating_sub(self.last_end);
        if gap == 0 {
            return 0;
        }
        let media = u128::from(command.place.transfer_ns);
        (u128::from(gap) * media / u128::from(command.bytes.max(1))) as u64
    }

    /// Goes on where the last transfer ended: reads come from what was read ahead meanwhile.
    fn follow(&mut self, model: &DiskModel, command: &Command, now: u64) -> u64 {
        let media = u64::from(command.place.transfer_ns);
        let queue = now - command.arrived;
        let mut end = self.last_end_at + self.left_out_ns(command) + media;
        if command.class == Class::Read {
            // The buffer holds so much; the platter has not gone on beyond it.
            let ahead = u128::from(media) * u128::from(model.read_ahead_bytes)
                / u128::from(command.bytes.max(1));
            self.last_end_at = end.max(now.saturating_sub(ahead as u64));
            end = end.max(now + model.overhead_ns[0] + model.port.of(command.bytes));
        } else {
            self.last_end_at = end;
        }
        self.service = Service { queue, seek: 0, rotation: 0, transfer: end - now };
        end
    }
}

const ZONES: usize = 16;
/// Most entries of the seek table.
const SEEK_ENTRIES_MAX: u64 = 1 << 18;

/// Where a transfer begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// Cylinder.
    pub(super) cylinder: u32,
    /// Angle of the first sector.
    pub(super) angle: u32,
    /// Time of the transfer in ns, switches included.
    pub(super) transfer_ns: u32,
}

/// The mechanics of one model of disk, shared by all disks of a system.
#[derive(Debug, Clone)]
pub(super) struct Mechanics {
    zones: [Zone; ZONES],
    zone_bytes: f64,
    seek_ns: Vec<u32>,
    seek_shift: u32,
    revolution_ns: u64,
    /// 2^64 / revolution.
    angle_per_ns: u64,
    switch_ns: f64,
    skew: u32,
}

/// Cylinders of equal track length.
#[derive(Debug, Clone, Copy, Default)]
struct Zone {
    /// First byte.
    start: f64,
    /// First cylinder.
    cylinder: f64,
    tracks_per_byte: f64,
    cylinders_per_byte: f64,
    ns_per_byte: f64,
}

impl Mechanics {
    /// The mechanics of the drive of `system`.
    pub(super) fn new(system: &System) -> Self {
        let value = |key| system.value(key);
        let revolution_ns = (60e9 / value(Key::DiskRpm)) as u64;
        let (zones, cylinders) = zones(system, revolution_ns as f64);
        let switch_ns = value(Key::DiskSwitch) * 1e6;
        let (seek_ns, seek_shift) = seek_table(system, cylinders);
        Self {
            zones,
            zone_bytes: system.drive.capacity.0 as f64 / ZONES as f64,
            seek_ns,
            seek_shift,
            revolution_ns,
            angle_per_ns: u64::MAX / revolution_ns,
            switch_ns,
            skew: (switch_ns / revolution_ns as f64 * 4_294_967_296.0) as u64 as u32,
        }
    }

    /// Where `bytes` from byte `start` of the drive on lie, and how long they take.
    #[inline]
    pub(super) fn place(&self, start: u64, bytes: u32) -> Place {
        let start = start as f64;
        let zone = &self.zones[((start / self.zone_bytes) as usize).min(ZONES - 1)];
        let within = start - zone.start;
        let tracks = within * zone.tracks_per_byte;
        let track = tracks as u32;
        let fraction = tracks - f64::from(track);
        let angle = ((fraction * 4_294_967_296.0) as u64 as u32)
            .wrapping_add(track.wrapping_mul(self.skew));
        let last = (within + f64::from(bytes) - 1.0) * zone.tracks_per_byte;
        let switches = f64::from(last as u32 - track);
        let transfer = f64::from(bytes) * zone.ns_per_byte + switches * self.switch_ns;
        let cylinder = (zone.cylinder + within * zone.cylinders_per_byte) as u32;
        Place { cylinder, angle, transfer_ns: transfer as u32 }
    }

    /// Time of a seek between two cylinders in ns.
    #[inline]
    pub(super) fn seek(&self, from: u32, to: u32) -> u64 {
        let index = (from.abs_diff(to) >> self.seek_shift) as usize;
        u64::from(self.seek_ns[index.min(self.seek_ns.len() - 1)])
    }

    /// Time from `at` until `angle` passes under the heads, in ns.
    #[inline]
    pub(super) fn rotation(&self, at: u64, angle: u32) -> u64 {
        let now = (at.wrapping_mul(self.angle_per_ns) >> 32) as u32;
        (u64::from(angle.wrapping_sub(now)) * self.revolution_ns) >> 32
    }
}

/// Zones of equal capacity whose rate falls linearly from the outer edge to the inner one, and the
/// number of cylinders.
fn zones(system: &System, revolution_ns: f64) -> ([Zone; ZONES], u64) {
    let heads = system.value(Key::DiskHeads).max(1.0);
    let outer_ns_per_byte = 1e3 / system.value(Key::DiskRate);
    let inner = system.value(Key::DiskInner);
    let bytes = system.drive.capacity.0 as f64 / ZONES as f64;
    let mut cylinder = 0.0;
    let zones = std::array::from_fn(|index| {
        let depth = (index as f64 + 0.5) / ZONES as f64;
        let ns_per_byte = outer_ns_per_byte / (1.0 - (1.0 - inner) * depth);
        let track_bytes = revolution_ns / ns_per_byte;
        let zone = Zone {
            start: bytes * index as f64,
            cylinder,
            tracks_per_byte: 1.0 / track_bytes,
            cylinders_per_byte: 1.0 / (track_bytes * heads),
            ns_per_byte,
        };
        cylinder += bytes * zone.cylinders_per_byte;
        zone
    });
    (zones, (cylinder as u64).max(2))
}

/// Seek times in ns by distance, and by how many bits a distance is shortened to find one.
fn seek_table(system: &System, cylinders: u64) -> (Vec<u32>, u32) {
    let [track, average, full] =
        [Key::DiskSeekTrack, Key::DiskSeekAverage, Key::DiskSeekFull].map(|key| system.value(key));
    // a + b/sqrt(cylinders) + c/cylinders = track; a + 8/15 b + c/3 = average; a + b + c = full.
    let (root, step) = (libm::sqrt(1.0 / cylinders as f64), 1.0 / cylinders as f64);
    let (rise, whole) = (average - track, full - track);
    let (b1, c1) = (8.0 / 15.0 - root, 1.0 / 3.0 - step);
    let (b2, c2) = (1.0 - root, 1.0 - step);
    let b = (rise * c2 - whole * c1) / (b1 * c2 - b2 * c1);
    let c = (whole - b * b2) / c2;
    let a = track - b * root - c * step;
    let shift = (64 - (cylinders / SEEK_ENTRIES_MAX).leading_zeros()).min(40);
    let mut longest = 0u32;
    let table = (0..=(cylinders >> shift)).map(|index| {
        if index > 0 {
            let x = ((index << shift) as f64 / cylinders as f64).min(1.0);
            let ms = (a + b * libm::sqrt(x) + c * x).max(track);
            longest = longest.max((ms * 1e6).min(4e9) as u32);
        }
        longest
    });
    (table.collect(), shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mechanics() -> (System, Mechanics) {
        let system = System::shipped("fastt900").unwrap();
        let mechanics = Mechanics::new(&system);
        (system, mechanics)
    }

    #[test]
    fn seeks_pass_through_the_three_times_of_the_data_sheet() {
        let (system, mechanics) = mechanics();
        let cylinders = mechanics.seek_ns.len() as u32 - 1;
        let near = |ns: u64, key| {
            let ms = system.value(key);
            assert!((ns as f64 / 1e6 / ms - 1.0).abs() < 0.01, "{ns} ns, {ms} ms");
        };
        near(mechanics.seek(5, 6), Key::DiskSeekTrack);
        near(mechanics.seek(0, cylinders), Key::DiskSeekFull);
        let mean: u64 = (0..1000u32)
            .map(|n| mechanics.seek(n * 7919 % cylinders, n * 104_729 % cylinders))
            .sum();
        let ms = mean as f64 / 1e9;
        assert!((ms / system.value(Key::DiskSeekAverage) - 1.0).abs() < 0.05, "{ms} ms");
    }

    #[test]
    fn a_transfer_ends_where_the_next_one_begins() {
        let (_, mechanics) = mechanics();
        let mut at = 0;
        for number in 0..2000u64 {
            let place = mechanics.place(number * 65_536, 65_536);
            let wait = mechanics.rotation(at, place.angle);
            if number > 0 {
                let slack = wait.min(mechanics.revolution_ns - wait);
                assert!(slack < 2_000 + mechanics.switch_ns as u64, "{slack} ns at {number}");
            }
            at += wait + u64::from(place.transfer_ns);
        }
    }
}
