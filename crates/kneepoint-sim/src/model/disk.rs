//! One hard disk: a tagged queue, the choice of the next command, a write cache, reading ahead.
//!
//! The next command is the one with the shortest access time (seek, settling, rotation), less an
//! advantage for having waited: D. Jacobson and J. Wilkes, "Disk scheduling algorithms based on
//! rotational position", HP Laboratories HPL-CSP-91-7, 1991 (aged shortest access time first).

use std::collections::VecDeque;

use super::mechanics::{Mechanics, Place};
use super::server::{ByteTime, ns_of_ms};
use crate::system::System;
use crate::system::parameter::Key;
use crate::system::setting::DiskCache;

/// What a command does.
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
    /// What it does.
    pub(super) class: Class,
    place: Place,
    /// Whether it takes a segment of the drive's cache of its own.
    segment: Segment,
}

/// Segments of a drive's cache that a cached write takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Segment {
    /// One of its own.
    #[default]
    Own,
    /// That of the write before it, whose data it continues.
    Shared,
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

/// What is the same for all disks of a system.
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
    writes_stream: Streaming,
}

/// Whether a write that waits already follows its predecessor without losing a revolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Streaming {
    /// Queued commands of SAS and Fibre Channel drives do.
    Follows,
    /// Without a write cache a SATA drive asks for the next command too late.
    Misses,
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
            writes_stream: match system.drive.interface.as_str() {
                "sata" => Streaming::Misses,
                _ => Streaming::Follows,
            },
        }
    }

    /// A command for this model of disk.
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
            command.segment = Segment::Shared;
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
            self.cached_segments -= u32::from(command.segment == Segment::Own);
        }
        (command, self.service)
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
        let reads_first = self.reads_queued > 0 && self.cached_bytes <= model.cache_low_bytes;
        let penalty = if self.reads_queued > 0 { model.cache_penalty_ns } else { 0 };
        let rank_step = model.ageing_rank_ns / count as i64;
        let (mut best, mut best_cost) = (0, i64::MAX);
        for (index, command) in self.queue.iter().enumerate() {
            if self.follows(model, command, now) {
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
            let (seek, rotation) = Self::access(self.head, model, command, now);
            let cost = (seek + rotation) as i64 + bias;
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

    /// Whether the medium goes on with `command` without losing a revolution.
    #[inline]
    fn follows(&self, model: &DiskModel, command: &Command, now: u64) -> bool {
        command.start == self.last_end
            && match command.class {
                Class::Read => model.read_ahead_bytes > 0 && self.last_end_at > 0,
                Class::Cached => self.last_end_at == now,
                Class::Write => {
                    self.last_end_at == now && model.writes_stream == Streaming::Follows
                }
            }
    }

    /// Moves arm and platter; returns when the command ends.
    #[inline]
    fn serve(&mut self, model: &DiskModel, command: &Command, now: u64) -> u64 {
        let media = u64::from(command.place.transfer_ns);
        let queue = now - command.arrived;
        let end = if self.follows(model, command, now) {
            self.follow(model, command, now)
        } else {
            let (seek, rotation) = Self::access(self.head, model, command, now);
            self.service = Service { queue, seek, rotation, transfer: media };
            self.last_end_at = now + seek + rotation + media;
            self.last_end_at
        };
        self.head = command.place.cylinder;
        self.last_end = command.start + u64::from(command.bytes);
        end
    }

    /// Goes on where the last transfer ended: reads come from what was read ahead meanwhile.
    fn follow(&mut self, model: &DiskModel, command: &Command, now: u64) -> u64 {
        let media = u64::from(command.place.transfer_ns);
        let queue = now - command.arrived;
        let mut end = self.last_end_at + media;
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
