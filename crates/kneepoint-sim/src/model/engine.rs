//! The event loop: from host I/Os to disk operations and back.

use kneepoint_core::load::backend::{Backend, Completion, Direction, Io};
use kneepoint_core::result::simulated::Simulated;
use kneepoint_core::words::units::Nanos;

use super::ahead::Stream;
use super::disk::Class;
use super::drive::{Drive, DriveModel, Request};
use super::events::{Event, EventKind, Events};
use super::geometry::Extent;
use super::parts::{Array, Controller, Port};
use super::piece::{Owner, Piece, Stretch};
use super::report::{Spent, simulated, utilisation};
use super::server::{ByteTime, Server};
use super::slab::Slab;
use super::update::Update;

/// A host I/O in flight.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HostIo {
    pub(super) array: u32,
    pub(super) bytes: u32,
    pub(super) address: u64,
    pub(super) is_write: bool,
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
    pub(super) spent: Spent,
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
        let slot = io.slot as usize;
        if slot >= self.ios.len() {
            self.ios.resize(slot + 1, HostIo::default());
        }
        let array = self.targets[io.target as usize];
        let owner = &self.arrays[array as usize];
        self.ios[slot] = HostIo {
            array,
            bytes: io.bytes,
            address: io.offset + owner.start_bytes,
            is_write: io.direction == Direction::Write,
            submitted_at: self.now,
            ..HostIo::default()
        };
        let port = &mut self.ports[owner.port as usize];
        if port.commands < port.commands_max {
            port.commands += 1;
            self.admit_io(io.slot);
        } else {
            port.waiting.push_back(io.slot);
        }
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
        let Piece { start, bytes, class, bias_ns, .. } = piece;
        let request = Request { start, bytes, class, piece: number, bias_ns };
        let answer = unit.drive.accept(model, request, self.now);
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
            Class::Cached => {}
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

    /// Why it is as fast as it is, from the start until now.
    pub fn simulated(&self) -> Simulated {
        let now = self.now;
        let drives = self.drives.iter().map(|unit| unit.drive.busy_ns(now));
        let controllers = self.controllers.iter().map(|part| part.processor.busy_ns(now));
        let back_ends = self.back_ends.iter().map(|part| part.link.busy_ns(now));
        let to_controller = self.ports.iter().map(|port| port.to_controller.busy_ns(now));
        let to_host = self.ports.iter().map(|port| port.to_host.busy_ns(now));
        let parts = vec![
            utilisation("drives", drives, now),
            utilisation("controllers", controllers, now),
            utilisation("links to drives", back_ends, now),
            utilisation("host links, writing", to_controller, now),
            utilisation("host links, reading", to_host, now),
        ];
        simulated(parts, &self.spent)
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
