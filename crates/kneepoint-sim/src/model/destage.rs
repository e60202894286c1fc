//! Row updates on their way, and the write cache that begins them.

use super::disk::Class;
use super::engine::{Owner, Piece, Stretch, SystemBackend};
use super::update::{Row, Update, UpdatePhase, UpdatePurpose};

impl Update {
    /// Makes the update one of `row`, without extents yet.
    pub(super) fn begin(&mut self, (array, row): (u32, u64), purpose: UpdatePurpose) {
        self.array = array;
        self.row = row;
        self.purpose = purpose;
        self.pending = 0;
        self.clean_bytes = 0;
        self.extents.clear();
    }

    /// True if no host waits for it.
    pub(super) fn is_background(&self) -> bool {
        self.purpose == UpdatePurpose::Destage
    }
}

impl SystemBackend {
    /// Plans an update whose extents are known, and asks for the first step.
    pub(super) fn update_begins(&mut self, number: u32) {
        let update = &mut self.updates[number];
        let array = &self.arrays[update.array as usize];
        let failed = array.failed_in(update.row);
        update.plan(Row { geometry: &array.geometry, number: update.row, failed });
        if update.steps.reads.is_empty() {
            self.update_writes(number);
            return;
        }
        update.phase = UpdatePhase::Reading;
        update.pending = update.steps.reads.len() as u32;
        let reads = std::mem::take(&mut update.steps.reads);
        self.ask_all(&reads, Class::Read, number);
        self.updates[number].steps.reads = reads;
    }

    /// Computes parity and writes, when all reads of an update are done.
    fn update_writes(&mut self, number: u32) {
        let update = &mut self.updates[number];
        let controller = self.arrays[update.array as usize].controller as usize;
        let controller = &mut self.controllers[controller];
        let work_ns = (controller.costs.xor.of(1 << 20) * update.steps.xor_bytes) >> 20;
        if work_ns > 0 {
            controller.processor.reserve(self.now, work_ns);
        }
        let has_both = !update.steps.data.is_empty() && !update.steps.parity.is_empty();
        let data = std::mem::take(&mut update.steps.data);
        if has_both && !update.is_background() {
            update.phase = UpdatePhase::WritingData;
            update.pending = data.len() as u32;
            self.ask_all(&data, Class::Write, number);
        } else {
            let parity = std::mem::take(&mut update.steps.parity);
            update.phase = UpdatePhase::WritingLast;
            update.pending = (data.len() + parity.len()) as u32;
            self.ask_all(&data, Class::Write, number);
            self.ask_all(&parity, Class::Write, number);
            self.updates[number].steps.parity = parity;
        }
        self.updates[number].steps.data = data;
        if self.updates[number].pending == 0 {
            self.update_ends(number);
        }
    }

    fn update_writes_parity(&mut self, number: u32) {
        let update = &mut self.updates[number];
        let parity = std::mem::take(&mut update.steps.parity);
        update.phase = UpdatePhase::WritingLast;
        update.pending = parity.len() as u32;
        self.ask_all(&parity, Class::Write, number);
        self.updates[number].steps.parity = parity;
    }

    fn ask_all(&mut self, stretches: &[Stretch], class: Class, number: u32) {
        for stretch in stretches {
            self.ask(*stretch, class, Owner::Update(number));
        }
    }

    #[inline]
    pub(super) fn update_piece_done(&mut self, number: u32, piece: &Piece) {
        let update = &mut self.updates[number];
        update.pending -= 1;
        if update.pending > 0 {
            return;
        }
        let phase = update.phase;
        if !update.is_background() {
            self.account(piece);
        }
        match phase {
            UpdatePhase::Reading => self.update_writes(number),
            UpdatePhase::WritingData => self.update_writes_parity(number),
            UpdatePhase::WritingLast => self.update_ends(number),
        }
    }

    fn update_ends(&mut self, number: u32) {
        let update = &self.updates[number];
        let (array, purpose) = (update.array, update.purpose);
        let (bytes, extents) = (update.clean_bytes, update.extents.len() as u64);
        let destage = update.number;
        self.updates.release(number);
        match purpose {
            UpdatePurpose::WriteThrough(slot) => {
                let io = &mut self.ios[slot as usize];
                io.pending -= 1;
                if io.pending == 0 {
                    self.write_complete(slot);
                }
            }
            UpdatePurpose::Destage => {
                let owner = &mut self.arrays[array as usize];
                owner.destaging -= 1;
                let controller = owner.controller;
                let cache = &mut self.controllers[controller as usize].cache;
                cache.bytes -= bytes;
                cache.extents -= extents;
                self.flush_destaged(array, destage);
                self.admit_writes(controller);
                self.destage(array);
            }
        }
    }

    /// A write is in the controller: it waits where there is no room in the cache.
    pub(super) fn write_cached(&mut self, slot: u32) {
        let io = &mut self.ios[slot as usize];
        io.cached_at = self.now;
        let controller = self.arrays[io.array as usize].controller;
        let array = io.array;
        self.controllers[controller as usize].cache.waiting.push_back(slot);
        self.admit_writes(controller);
        if !self.controllers[controller as usize].cache.waiting.is_empty() {
            self.make_room(array);
        }
    }

    /// Sees to it that destaging goes on while writes wait: in their array, or else in all of them.
    fn make_room(&mut self, array: u32) {
        let owner = &self.arrays[array as usize];
        if owner.has_dirty_or_active() {
            self.destage(array);
            return;
        }
        let controller = owner.controller as usize;
        for index in 0..self.controllers[controller].arrays.len() {
            self.destage(self.controllers[controller].arrays[index]);
        }
    }

    /// Acknowledges writes in their order as long as there is room.
    fn admit_writes(&mut self, controller: u32) {
        loop {
            let cache = &mut self.controllers[controller as usize].cache;
            let Some(slot) = cache.waiting.front().copied() else { return };
            let io = self.ios[slot as usize];
            if !cache.has_room(u64::from(io.bytes)) {
                return;
            }
            cache.waiting.pop_front();
            self.spent.cache += self.now - io.cached_at;
            self.take_dirty(io.array, io.address, io.bytes);
            self.write_complete(slot);
            self.destage(io.array);
        }
    }

    /// Puts written data into the cache.
    pub(super) fn take_dirty(&mut self, array: u32, address: u64, bytes: u32) {
        let owner = &mut self.arrays[array as usize];
        let Some(dirty) = owner.dirty.as_mut() else { return };
        let controller = &mut self.controllers[owner.controller as usize];
        let block = controller.block_bytes;
        let end = (address + u64::from(bytes)).next_multiple_of(block);
        for (row, extent) in owner.geometry.extents(address / block * block, end) {
            let (more_bytes, more_extents) = dirty.add(row, extent);
            let cache = &mut controller.cache;
            cache.bytes = cache.bytes.saturating_add_signed(more_bytes);
            cache.extents = cache.extents.saturating_add_signed(more_extents);
        }
    }

    /// Begins as many row updates of an array as its share of the windows permits.
    pub(super) fn destage(&mut self, array: u32) {
        loop {
            let owner = &self.arrays[array as usize];
            let controller = &self.controllers[owner.controller as usize];
            let has_work = |array: &&u32| self.arrays[**array as usize].has_dirty_or_active();
            let sharing = controller.arrays.iter().filter(has_work).count() as u32;
            let rows = match owner.is_swept() {
                true => controller.cache.rows_in_haste(sharing),
                false => controller.cache.rows_at_a_time(sharing),
            };
            if owner.destaging >= rows {
                return;
            }
            let number = self.updates.take();
            let update = &mut self.updates[number];
            update.begin((array, 0), UpdatePurpose::Destage);
            let dirty = self.arrays[array as usize].dirty.as_mut();
            let Some(row) = dirty.and_then(|dirty| dirty.take_row(&mut update.extents)) else {
                self.updates.release(number);
                self.flush_swept(array);
                return;
            };
            update.row = row;
            update.clean_bytes = update.extents.iter().map(|extent| u64::from(extent.bytes)).sum();
            let owner = &mut self.arrays[array as usize];
            owner.destaging += 1;
            owner.destages += 1;
            self.updates[number].number = owner.destages;
            self.update_begins(number);
            self.flush_swept(array);
        }
    }

    /// Reads and writes one row of an array that is being rebuilt.
    pub(super) fn rebuild(&mut self, array: u32) {
        let owner = &self.arrays[array as usize];
        let (Some(row), Some(failed)) = (owner.rebuilding, owner.failed) else { return };
        if row >= owner.rows {
            return;
        }
        let geometry = owner.geometry;
        let bytes = geometry.strip_bytes;
        let start = row * u64::from(bytes);
        for drive in geometry.survivors(failed) {
            self.ask(Stretch { drive, start, bytes }, Class::Read, Owner::Rebuild(array));
            self.arrays[array as usize].rebuild_pending += 1;
        }
    }

    /// A disk operation of a rebuild is done: writes when all is read, goes on when it is written.
    pub(super) fn rebuild_piece_done(&mut self, array: u32) {
        let owner = &mut self.arrays[array as usize];
        owner.rebuild_pending -= 1;
        if owner.rebuild_pending > 0 {
            return;
        }
        let (Some(row), Some(drive)) = (owner.rebuilding, owner.failed) else { return };
        let bytes = owner.geometry.strip_bytes;
        if owner.rebuild_writes {
            owner.rebuild_writes = false;
            owner.rebuilding = Some(row + 1);
            self.rebuild(array);
        } else {
            owner.rebuild_writes = true;
            owner.rebuild_pending = 1;
            let start = row * u64::from(bytes);
            self.ask(Stretch { drive, start, bytes }, Class::Write, Owner::Rebuild(array));
        }
    }
}
