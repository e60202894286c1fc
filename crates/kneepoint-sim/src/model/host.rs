//! The way of a host I/O: port, controller, drives or cache, and back.

use kneepoint_core::load::backend::Completion;
use kneepoint_core::words::units::Nanos;

use super::ahead::Found;
use super::disk::Class;
use super::engine::{EventKind, Owner, Piece, Stretch, SystemBackend};
use super::geometry::Extent;
use super::update::UpdatePurpose;
use crate::system::Redundancy;
use crate::system::setting::{ReadAhead, WriteCache};

impl SystemBackend {
    /// An I/O has a place at its port: writes carry their data to the controller.
    #[inline]
    pub(super) fn admit_io(&mut self, slot: u32) {
        let io = &mut self.ios[slot as usize];
        io.admitted_at = self.now;
        if io.is_flush {
            self.io_arrives(slot);
            return;
        }
        self.spent.throttle += self.now - io.submitted_at;
        if io.is_write {
            let port = &mut self.ports[self.arrays[io.array as usize].port as usize];
            let at = port.to_controller.reserve(self.now, port.rate.of(io.bytes));
            self.spent.links += at - self.now;
            self.events.push(at, EventKind::IoArrives, slot);
        } else {
            self.io_arrives(slot);
        }
    }

    /// An I/O is in its controller.
    #[inline]
    pub(super) fn io_arrives(&mut self, slot: u32) {
        let io = self.ios[slot as usize];
        let array = &self.arrays[io.array as usize];
        let controller = &mut self.controllers[array.controller as usize];
        let costs = controller.costs;
        let in_controller = controller.processor.reserve(self.now, costs.io_ns);
        if io.is_flush {
            self.events.push(in_controller, EventKind::FlushArrives, slot);
            return;
        }
        if !io.is_write {
            self.read(slot);
            return;
        }
        if controller.cache.mode == WriteCache::Off {
            self.write_through(slot);
            return;
        }
        let mut at = controller.processor.reserve(self.now, costs.cache_io_ns).max(in_controller);
        if controller.cache.mode == WriteCache::Mirrored {
            at = at.max(controller.mirror.reserve(self.now, costs.mirror.of(io.bytes)));
        }
        self.events.push(at, EventKind::WriteCached, slot);
    }

    /// Cuts an I/O, rounded out to the cache block, at the borders of strips.
    fn cut(&mut self, slot: u32) {
        let io = &self.ios[slot as usize];
        let array = &self.arrays[io.array as usize];
        let block = self.controllers[array.controller as usize].block_bytes;
        let end = (io.address + u64::from(io.bytes)).next_multiple_of(block);
        self.extents.clear();
        self.extents.extend(array.geometry.extents(io.address / block * block, end));
    }

    /// Reads from the drives whatever is not in a cache.
    fn read(&mut self, slot: u32) {
        match self.look_into_caches(slot) {
            Found::Ready => return self.read_complete(slot),
            Found::Coming => return,
            Found::Nothing => {}
        }
        self.cut(slot);
        let extents = std::mem::take(&mut self.extents);
        let array = self.ios[slot as usize].array;
        let mut pending = 0;
        for (row, extent) in &extents {
            let dirty = self.arrays[array as usize].dirty.as_ref();
            if dirty.is_none_or(|dirty| !dirty.covers(*row, extent)) {
                pending += self.read_extent(slot, *row, extent);
            }
        }
        self.extents = extents;
        self.ios[slot as usize].pending = pending;
        if pending == 0 {
            self.read_complete(slot);
        }
    }

    /// Looks for a read in what was kept and in what was read ahead.
    fn look_into_caches(&mut self, slot: u32) -> Found {
        let io = &self.ios[slot as usize];
        let (start, end) = (io.address, io.address + u64::from(io.bytes));
        let array = &self.arrays[io.array as usize];
        if let Some(kept) = self.controllers[array.controller as usize].kept.as_mut()
            && kept.keep(io.array, start, end) == Found::Ready
        {
            return Found::Ready;
        }
        match array.streams.mode {
            ReadAhead::Off => Found::Nothing,
            ReadAhead::On | ReadAhead::Adaptive => self.look_ahead(slot),
        }
    }

    /// Asks for one extent; returns how many disk operations that takes.
    fn read_extent(&mut self, slot: u32, row: u64, extent: &Extent) -> u32 {
        let array = &self.arrays[self.ios[slot as usize].array as usize];
        let geometry = array.geometry;
        let failed = array.failed_in(row);
        let mut place = geometry.data(row, extent.strip);
        if geometry.level.redundancy() == Redundancy::Mirror {
            let copy = geometry.copy(row, extent.strip);
            let is_less_busy = self.load(copy.0) < self.load(place.0);
            if failed == Some(place.0) || (failed != Some(copy.0) && is_less_busy) {
                place = copy;
            }
        } else if failed == Some(place.0) {
            return self.reconstruct(slot, (row, extent));
        }
        let (drive, start) = place;
        let start = start + u64::from(extent.offset);
        self.ask(Stretch { drive, start, bytes: extent.bytes }, Class::Read, Owner::Io(slot));
        1
    }

    fn load(&self, drive: u32) -> usize {
        self.drives[drive as usize].drive.load()
    }

    /// Reads what an extent on a failed drive can be computed from; returns the operations.
    fn reconstruct(&mut self, slot: u32, (row, extent): (u64, &Extent)) -> u32 {
        let array = self.ios[slot as usize].array;
        let geometry = self.arrays[array as usize].geometry;
        let group = geometry.group_of(extent.strip);
        let first = group * geometry.group_strips;
        let failed = geometry.data(row, extent.strip).0;
        let strips = (first..first + geometry.group_strips).map(|strip| geometry.data(row, strip));
        let parity = std::iter::once(geometry.parity(row, group, 0));
        let mut count = 0;
        for (drive, start) in strips.chain(parity).filter(|(drive, _)| *drive != failed) {
            let start = start + u64::from(extent.offset);
            self.ask(Stretch { drive, start, bytes: extent.bytes }, Class::Read, Owner::Io(slot));
            count += 1;
        }
        let controller = &mut self.controllers[self.arrays[array as usize].controller as usize];
        let work_ns = controller.costs.xor.of(extent.bytes) * u64::from(count);
        controller.processor.reserve(self.now, work_ns);
        count
    }

    /// A part of what a read asked for is there.
    #[inline]
    pub(super) fn read_piece_done(&mut self, slot: u32, piece: &Piece) {
        let io = &mut self.ios[slot as usize];
        io.pending -= 1;
        if io.pending == 0 {
            self.account(piece);
            self.read_complete(slot);
        }
    }

    /// All data of a read is in the controller: it goes to the host.
    #[inline]
    pub(super) fn read_complete(&mut self, slot: u32) {
        let io = &self.ios[slot as usize];
        let port = &mut self.ports[self.arrays[io.array as usize].port as usize];
        let at = port.to_host.reserve(self.now, port.rate.of(io.bytes));
        self.spent.links += at - self.now;
        self.events.push(at + port.host_ns, EventKind::IoCompletes, slot);
    }

    /// Writes through to the drives, row by row.
    fn write_through(&mut self, slot: u32) {
        self.cut(slot);
        let extents = std::mem::take(&mut self.extents);
        let array = self.ios[slot as usize].array;
        let mut pending = 0;
        for of_row in extents.chunk_by(|a, b| a.0 == b.0) {
            let number = self.updates.take();
            let update = &mut self.updates[number];
            update.begin((array, of_row[0].0), UpdatePurpose::WriteThrough(slot));
            update.extents.extend(of_row.iter().map(|(_, extent)| *extent));
            pending += 1;
            self.ios[slot as usize].pending = pending;
            self.update_begins(number);
        }
        self.extents = extents;
    }

    /// A write waits for nothing any more.
    #[inline]
    pub(super) fn write_complete(&mut self, slot: u32) {
        let io = &self.ios[slot as usize];
        let host_ns = self.ports[self.arrays[io.array as usize].port as usize].host_ns;
        self.events.push(self.now + host_ns, EventKind::IoCompletes, slot);
    }

    /// An I/O is back in the host; its place at the port goes to the next one.
    #[inline]
    pub(super) fn io_completes(&mut self, slot: u32) {
        let io = self.ios[slot as usize];
        if !io.is_flush {
            self.spent.operations += 1;
            self.spent.response += self.now - io.submitted_at;
        }
        self.completed.push(Completion { slot, at: Nanos(self.now), result: io.bytes as i32 });
        let port = &mut self.ports[self.arrays[io.array as usize].port as usize];
        match port.waiting.pop_front() {
            Some(next) => self.admit_io(next),
            None => port.commands -= 1,
        }
    }
}
