//! The event loop: from host I/Os to disk operations and back. It builds the parts of systems, and
//! brings them to where a measurement would find them.
//!
//! The event queue is a binary heap of packed keys, ordered by time and then by sequence. What is
//! in flight has numbered places that are used again: no allocation once as many were in use as
//! ever will be.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kneepoint_core::load::backend::{Backend, Completion, Direction, Flush, Io};
use kneepoint_core::result::simulated::Simulated;
use kneepoint_core::words::units::Nanos;

use super::ahead::Stream;
use super::disk::{Class, Service};
use super::drive::{Drive, DriveModel};
use super::flash::Wear;
use super::flush::DriveFlush;
use super::geometry::Extent;
use super::parts::{Array, ByteTime, Cache, Controller, Port, Server, Spent, utilisation};
use super::update::Update;
use crate::system::System;
use crate::system::parameter::Key;

/// A host I/O in flight.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HostIo {
    pub(super) array: u32,
    pub(super) bytes: u32,
    pub(super) address: u64,
    pub(super) is_write: bool,
    /// It writes nothing, and waits for what was written.
    pub(super) is_flush: bool,
    /// Disk operations or row updates that are not done yet.
    pub(super) pending: u32,
    pub(super) submitted_at: u64,
    /// When it had a place at its port.
    pub(super) admitted_at: u64,
    /// When its controller began to look for room in the cache.
    pub(super) cached_at: u64,
}

/// A link between controllers and drives.
#[derive(Debug, Clone, Copy)]
pub(super) struct BackEnd {
    pub(super) link: Server,
    pub(super) rate: ByteTime,
}

/// A drive with what it hangs on.
#[derive(Debug)]
pub(super) struct DriveUnit {
    pub(super) drive: Drive,
    pub(super) model: u32,
    pub(super) back_end: u32,
    pub(super) controller: u32,
}

/// The parts of a system that its utilisation is told of.
const GROUPS: [&str; 5] =
    ["drives", "controllers", "links to drives", "host links, writing", "host links, reading"];

/// What had been done when the accounted time began.
#[derive(Debug, Default)]
struct Account {
    at: u64,
    busy: [Vec<u64>; GROUPS.len()],
    spent: Spent,
}

/// Simulated storage subsystems in virtual time; every array is a target.
#[derive(Debug, Default)]
pub struct SystemBackend {
    pub(super) now: u64,
    pub(super) events: Events,
    pub(super) ios: Vec<HostIo>,
    pub(super) pieces: Slab<Piece>,
    pub(super) updates: Slab<Update>,
    pub(super) streams: Slab<Stream>,
    pub(super) models: Vec<DriveModel>,
    pub(super) drives: Vec<DriveUnit>,
    pub(super) arrays: Vec<Array>,
    pub(super) controllers: Vec<Controller>,
    pub(super) ports: Vec<Port>,
    pub(super) back_ends: Vec<BackEnd>,
    pub(super) completed: Vec<Completion>,
    /// Flushes that wait for drives.
    pub(super) drive_flushes: Vec<DriveFlush>,
    pub(super) spent: Spent,
    accounted: Account,
    /// Disk operations that were asked for: reads, writes.
    pub(super) asked: [u64; 2],
    /// Space for lists that are made and used up within one event.
    pub(super) extents: Vec<(u64, Extent)>,
    /// Drives by the number of the target that uses them: arrays in the order of the targets.
    pub(super) targets: Vec<u32>,
}

impl Backend for SystemBackend {
    fn now(&self) -> Nanos {
        Nanos(self.now)
    }

    #[inline]
    fn submit(&mut self, io: Io) {
        let array = self.targets[io.target as usize];
        let host_io = HostIo {
            array,
            bytes: io.bytes,
            address: io.offset + self.arrays[array as usize].start_bytes,
            is_write: io.direction == Direction::Write,
            submitted_at: self.now,
            ..HostIo::default()
        };
        self.take_io(io.slot, host_io);
    }

    #[inline]
    fn flush(&mut self, flush: Flush) {
        let array = self.targets[flush.target as usize];
        let submitted_at = self.now;
        let host_io = HostIo { array, is_flush: true, submitted_at, ..HostIo::default() };
        self.take_io(flush.slot, host_io);
    }

    #[inline]
    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        while self.completed.is_empty() {
            match self.events.pop(deadline.0) {
                Some(event) => {
                    self.now = event.at;
                    self.handle(event);
                }
                None => {
                    self.now = self.now.max(deadline.0);
                    return;
                }
            }
        }
        done.append(&mut self.completed);
    }
}

impl SystemBackend {
    /// Takes an I/O of the host into `slot`: it goes to its port, where it may have to wait for a place.
    #[inline]
    fn take_io(&mut self, slot: u32, io: HostIo) {
        if slot as usize >= self.ios.len() {
            self.ios.resize(slot as usize + 1, HostIo::default());
        }
        self.ios[slot as usize] = io;
        let port = &mut self.ports[self.arrays[io.array as usize].port as usize];
        if port.commands < port.commands_max {
            port.commands += 1;
            self.admit_io(slot);
        } else {
            port.waiting.push_back(slot);
        }
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        let index = event.index;
        match event.kind {
            EventKind::IoArrives => self.io_arrives(index),
            EventKind::IoCompletes => self.io_completes(index),
            EventKind::WriteCached => self.write_cached(index),
            EventKind::PieceIssued => self.piece_issued(index),
            EventKind::PieceAtDrive => self.piece_at_drive(index),
            EventKind::PieceBack => self.piece_done(index),
            EventKind::DriveDone => self.drive_done(index),
            EventKind::FlushArrives => self.flush_arrives(index),
            EventKind::FlushEnds => self.write_complete(index),
        }
    }

    /// Asks a drive for something: the controller works on it first.
    #[inline]
    pub(super) fn ask(&mut self, stretch: Stretch, class: Class, owner: Owner) {
        let is_background = match owner {
            Owner::Update(number) => self.updates[number].is_background(),
            Owner::Rebuild(_) => true,
            _ => false,
        };
        let unit = &self.drives[stretch.drive as usize];
        let controller = &mut self.controllers[unit.controller as usize];
        let (work, bias_ns) = match is_background {
            true => (controller.costs.destage, controller.cache.bias_ns),
            false => (controller.costs.data, 0),
        };
        let work_ns = controller.costs.operation_ns + work.of(stretch.bytes);
        let end = controller.processor.reserve(self.now, work_ns);
        self.asked[usize::from(class != Class::Read)] += 1;
        let number = self.pieces.take();
        self.pieces[number] = Piece {
            owner,
            drive: stretch.drive,
            bytes: stretch.bytes,
            start: stretch.start,
            class,
            bias_ns,
            ..Piece::default()
        };
        self.events.push(end, EventKind::PieceIssued, number);
    }

    /// The controller is done: reads go to the drive at once, writes carry data down the link.
    #[inline]
    fn piece_issued(&mut self, number: u32) {
        let Piece { drive, bytes, class, .. } = self.pieces[number];
        if class == Class::Read {
            self.piece_at_drive(number);
            return;
        }
        let back_end = &mut self.back_ends[self.drives[drive as usize].back_end as usize];
        let at = back_end.link.reserve(self.now, back_end.rate.of(bytes));
        self.pieces[number].links_ns = at - self.now;
        self.events.push(at, EventKind::PieceAtDrive, number);
    }

    #[inline]
    fn piece_at_drive(&mut self, number: u32) {
        let piece = self.pieces[number];
        let unit = &mut self.drives[piece.drive as usize];
        let model = &self.models[unit.model as usize];
        let answer = unit.drive.accept(model, (number, &piece), self.now);
        if let Some(at) = answer.acknowledged_at {
            self.pieces[number].service.transfer = at - self.now;
            self.events.push(at, EventKind::PieceBack, number);
        }
        if let Some(end) = answer.done_at {
            self.events.push(end, EventKind::DriveDone, piece.drive);
        }
    }

    #[inline]
    fn drive_done(&mut self, drive: u32) {
        let unit = &mut self.drives[drive as usize];
        let model = &self.models[unit.model as usize];
        let Some((command, service)) = unit.drive.finish(self.now) else { return };
        if command.class == Class::Cached {
            while let Some((piece, at)) = unit.drive.admit_waiting(model, self.now) {
                self.events.push(at, EventKind::PieceBack, piece);
            }
        }
        if let Some(end) = unit.drive.start(model, self.now) {
            self.events.push(end, EventKind::DriveDone, drive);
        }
        match command.class {
            Class::Cached => self.flush_drives(drive),
            Class::Write => {
                self.pieces[command.piece].service = service;
                self.piece_done(command.piece);
            }
            Class::Read => {
                let back_end = &mut self.back_ends[unit.back_end as usize];
                let at = back_end.link.reserve(self.now, back_end.rate.of(command.bytes));
                let piece = &mut self.pieces[command.piece];
                piece.service = service;
                piece.links_ns = at - self.now;
                self.events.push(at, EventKind::PieceBack, command.piece);
            }
        }
    }

    /// A disk operation is complete in the controller.
    #[inline]
    fn piece_done(&mut self, number: u32) {
        let piece = self.pieces[number];
        self.pieces.release(number);
        self.drives[piece.drive as usize].drive.acknowledged();
        match piece.owner {
            Owner::Io(slot) => self.read_piece_done(slot, &piece),
            Owner::Update(update) => self.update_piece_done(update, &piece),
            Owner::Rebuild(array) => self.rebuild_piece_done(array),
            Owner::Ahead(stream) => self.ahead_piece_done(stream),
            Owner::NoOne => {}
        }
    }

    /// Counts where the time of the disk operation went that its owner waited for last.
    #[inline]
    pub(super) fn account(&mut self, piece: &Piece) {
        self.spent.queue += piece.service.queue;
        self.spent.seek += piece.service.seek;
        self.spent.rotation += piece.service.rotation;
        self.spent.transfer += piece.service.transfer;
        self.spent.links += piece.links_ns;
    }

    /// Begins the time that [`Self::simulated`] is about: at first it is all the time.
    pub fn begin_account(&mut self) {
        self.accounted = Account { at: self.now, busy: self.busy_ns(), spent: self.spent };
    }

    /// Why it is as fast as it is, over the accounted time.
    pub fn simulated(&self) -> Simulated {
        let Account { at, busy, spent } = &self.accounted;
        let parts = GROUPS.iter().zip(self.busy_ns()).enumerate().map(|(group, (name, now))| {
            let since = |index: usize| busy[group].get(index).copied().unwrap_or_default();
            let each = now.iter().enumerate().map(|(index, now)| now - since(index));
            utilisation(name, each, self.now - at)
        });
        Simulated { parts: parts.collect(), breakdown_ms: self.spent.since(spent).breakdown() }
    }

    /// Time that each part of each group has worked until now, in ns.
    fn busy_ns(&self) -> [Vec<u64>; GROUPS.len()] {
        let now = self.now;
        let ports = |link: fn(&Port) -> &Server| {
            self.ports.iter().map(|port| link(port).busy_ns(now)).collect()
        };
        [
            self.drives.iter().map(|unit| unit.drive.busy_ns(now)).collect(),
            self.controllers.iter().map(|part| part.processor.busy_ns(now)).collect(),
            self.back_ends.iter().map(|part| part.link.busy_ns(now)).collect(),
            ports(|port| &port.to_controller),
            ports(|port| &port.to_host),
        ]
    }

    /// Disk operations that were asked for so far: reads and writes.
    pub const fn disk_operations(&self) -> [u64; 2] {
        self.asked
    }

    /// Disk operations and row updates in flight; for checks of conservation.
    pub fn in_flight(&self) -> usize {
        self.pieces.in_use() + self.updates.in_use()
    }
}

impl SystemBackend {
    /// Adds a system whose solid-state drives were worn in by `wear`; returns the number of its
    /// first array.
    pub fn add_system(&mut self, system: &System, wear: Wear) -> u32 {
        let count = |key| system.value(key) as u32;
        let first_array = self.arrays.len() as u32;
        let first_controller = self.controllers.len() as u32;
        let first_port = self.ports.len() as u32;
        let first_back_end = self.back_ends.len() as u32;
        let system_drives = self.drives.len() as u32;
        let controllers = count(Key::ControllerCount);
        let ports = count(Key::LinkHosts).max(controllers);
        let back_ends = count(Key::LinkBackEnds);
        self.models.push(DriveModel::new(system));
        self.controllers.extend((0..controllers).map(|_| Controller::new(system)));
        self.ports.extend((0..ports).map(|_| Port::new(system)));
        let rate = ByteTime::of_rate(system.value(Key::LinkBackEnd));
        self.back_ends.extend((0..back_ends).map(|_| BackEnd { link: Server::default(), rate }));
        for index in 0..system.array_count() {
            let first_drive = self.drives.len() as u32;
            let mut array = Array::new(system, index, first_drive);
            let own = index % controllers;
            let ports_each = ports / controllers;
            array.controller = first_controller + own;
            array.port = first_port + own * ports_each + index / controllers % ports_each;
            self.controllers[array.controller as usize].arrays.push(first_array + index);
            let model = self.models.len() as u32 - 1;
            let kind = &self.models[model as usize];
            // Counted within the system: it is the same whatever stands beside it.
            let first = first_drive - system_drives;
            let drives = (first..first + system.array_drives(index)).map(|number| DriveUnit {
                drive: kind.drive(u64::from(number), wear),
                model,
                back_end: first_back_end + number % back_ends,
                controller: array.controller,
            });
            self.drives.extend(drives);
            self.arrays.push(array);
            self.rebuild(first_array + index);
        }
        first_array
    }

    /// Makes array `array` the next target.
    pub fn add_target(&mut self, array: u32) {
        self.targets.push(array);
    }

    /// True if any array writes through a cache.
    pub fn has_write_cache(&self) -> bool {
        self.arrays.iter().any(|array| array.dirty.is_some())
    }

    /// How full the write cache behind `target` is, as a share; full without one.
    pub fn fill(&self, target: u32) -> f64 {
        let array = &self.arrays[self.targets[target as usize] as usize];
        match array.dirty {
            Some(_) => self.controllers[array.controller as usize].cache.fill(),
            None => 1.0,
        }
    }

    /// How full the write caches of all controllers are in the mean.
    pub fn fill_mean(&self) -> f64 {
        let caches = self.controllers.iter().map(|controller| &controller.cache);
        caches.map(Cache::fill).sum::<f64>() / self.controllers.len().max(1) as f64
    }

    /// Puts a write into the cache as if it had been made long ago.
    pub fn prefill(&mut self, target: u32, offset: u64, bytes: u32) {
        let array = self.targets[target as usize];
        let start = self.arrays[array as usize].start_bytes;
        self.take_dirty(array, start + offset, bytes);
    }
}

/// Bits of an event's number of the thing that it is about.
const INDEX_BITS: u32 = 24;
const KIND_BITS: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EventKind {
    /// A host I/O (slot) reaches its controller.
    IoArrives,
    /// A host I/O (slot) completes in the host.
    IoCompletes,
    /// The controller is done with a disk operation (piece); a write goes down its link.
    PieceIssued,
    /// A disk operation (piece) reaches its drive.
    PieceAtDrive,
    /// The data of a disk operation (piece) is back in the controller.
    PieceBack,
    /// A drive finishes what it does.
    DriveDone,
    /// A host write (slot) is in the controller's cache.
    WriteCached,
    /// The controller begins with a flush (slot).
    FlushArrives,
    /// The drives of a flush (slot) have all that it waits for.
    FlushEnds,
}

const KINDS: [EventKind; 9] = [
    EventKind::IoArrives,
    EventKind::IoCompletes,
    EventKind::PieceIssued,
    EventKind::PieceAtDrive,
    EventKind::PieceBack,
    EventKind::DriveDone,
    EventKind::WriteCached,
    EventKind::FlushArrives,
    EventKind::FlushEnds,
];

/// An event that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    /// When, in ns.
    pub(super) at: u64,
    pub(super) kind: EventKind,
    pub(super) index: u32,
}

/// Events by (time, sequence).
#[derive(Debug, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Reverse<u128>>,
    sequence: u64,
}

impl Events {
    /// Plans an event; `index` is below 2^24.
    #[inline]
    pub(super) fn push(&mut self, at: u64, kind: EventKind, index: u32) {
        debug_assert!(index < 1 << INDEX_BITS, "the index fits");
        self.sequence += 1;
        let low = (self.sequence << (INDEX_BITS + KIND_BITS))
            | (u64::from(index) << KIND_BITS)
            | u64::from(kind as u8);
        self.heap.push(Reverse((u128::from(at) << 64) | u128::from(low)));
    }

    /// The next event, if it is due at or before `deadline`.
    #[inline]
    pub(super) fn pop(&mut self, deadline: u64) -> Option<Event> {
        let Reverse(key) = *self.heap.peek()?;
        let at = (key >> 64) as u64;
        if at > deadline {
            return None;
        }
        self.heap.pop();
        let kind = KINDS[(key as u64 & ((1 << KIND_BITS) - 1)) as usize];
        let index = ((key as u64 >> KIND_BITS) & ((1 << INDEX_BITS) - 1)) as u32;
        Some(Event { at, kind, index })
    }
}

/// Places for `T`, by number.
#[derive(Debug)]
pub(super) struct Slab<T> {
    places: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }
}

impl<T: Default> Slab<T> {
    /// The number of a free place; what was there last is still there.
    #[inline]
    pub(super) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.places.push(T::default());
            (self.places.len() - 1) as u32
        })
    }

    /// Gives a place back.
    #[inline]
    pub(super) fn release(&mut self, number: u32) {
        self.free.push(number);
    }

    /// Places, in use or not: as many as ever were in use at once.
    #[cfg(test)]
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    /// Places in use.
    pub(super) fn in_use(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: u32) -> &T {
        &self.places[number as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, number: u32) -> &mut T {
        &mut self.places[number as usize]
    }
}

/// The owner of a disk operation, which waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Owner {
    /// A host I/O, by slot.
    Io(u32),
    /// A row update, by number.
    Update(u32),
    /// Nothing.
    #[default]
    NoOne,
    /// The rebuilding of an array, by number.
    Rebuild(u32),
    /// A stream that is read ahead, by number.
    Ahead(u32),
}

/// A disk operation in flight.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Piece {
    /// The part that waits for it.
    pub(super) owner: Owner,
    /// The drive, counted over all arrays.
    pub(super) drive: u32,
    /// Length in bytes.
    pub(super) bytes: u32,
    /// First byte on the drive.
    pub(super) start: u64,
    /// The kind of operation.
    pub(super) class: Class,
    /// Disadvantage in the drive's choice of the next command, in ns.
    pub(super) bias_ns: i32,
    /// Where the drive's time went.
    pub(super) service: Service,
    /// Time on links and waiting for them, in ns.
    pub(super) links_ns: u64,
}

/// A stretch of one drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The drive, counted over all arrays.
    pub(super) drive: u32,
    /// First byte on the drive.
    pub(super) start: u64,
    /// Length in bytes.
    pub(super) bytes: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_in_the_order_of_planning() {
        let mut events = Events::default();
        events.push(20, EventKind::DriveDone, 1);
        events.push(10, EventKind::PieceBack, 2);
        events.push(10, EventKind::WriteCached, (1 << 24) - 1);
        assert_eq!(events.pop(9), None);
        let next = events.pop(10).unwrap();
        assert_eq!((next.at, next.kind, next.index), (10, EventKind::PieceBack, 2));
        let next = events.pop(99).unwrap();
        assert_eq!((next.kind, next.index), (EventKind::WriteCached, (1 << 24) - 1));
        assert_eq!(events.pop(99).unwrap().at, 20);
        assert_eq!(events.pop(u64::MAX), None);
    }
}
