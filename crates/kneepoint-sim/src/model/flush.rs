//! Flushes: what a host has been told is written goes to the media.
//!
//! A flush waits in three steps for what was there when it came: until the elevator has begun to destage
//! every row that was dirty in the controller's cache, until those rows and the ones under way before are
//! with the drives, and until the drives have them on their media. Whether a battery protects the
//! controller's cache makes no difference: a system that answers at once because of it is another one.

use super::engine::{EventKind, SystemBackend};
use super::parts::Array;

/// A flush that waits for the cache of its controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CacheFlush {
    /// Its slot.
    slot: u32,
    step: CacheStep,
}

/// What a flush waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CacheStep {
    /// The elevator comes to this turn and row, or finds nothing.
    Sweep((u64, u32)),
    /// This number of the rows end that were begun up to the last one.
    Destage { last: u64, left: u32 },
}

/// A flush that waits for a drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DriveFlush {
    slot: u32,
    drive: u32,
    /// When it reached the drive.
    since: u64,
}

impl Array {
    /// Whether a flush waits for the elevator.
    pub(super) fn is_swept(&self) -> bool {
        self.flushes.iter().any(|flush| matches!(flush.step, CacheStep::Sweep(_)))
    }
}

impl SystemBackend {
    /// A flush is in its controller.
    pub(super) fn flush_arrives(&mut self, slot: u32) {
        let array = self.ios[slot as usize].array;
        let owner = &mut self.arrays[array as usize];
        let Some(dirty) = &owner.dirty else { return self.flush_media(slot) };
        let (turn, row) = dirty.position();
        owner.flushes.push(CacheFlush { slot, step: CacheStep::Sweep((turn + 1, row)) });
        self.flush_swept(array);
        self.destage(array);
    }

    /// The elevator of `array` has gone on: flushes whose rows it has taken wait for these to end.
    #[inline]
    pub(super) fn flush_swept(&mut self, array: u32) {
        let owner = &mut self.arrays[array as usize];
        if owner.flushes.is_empty() {
            return;
        }
        let Some(dirty) = &owner.dirty else { return };
        let (position, is_clean) = (dirty.position(), dirty.row_count == 0);
        let (last, left) = (owner.destages, owner.destaging);
        for flush in &mut owner.flushes {
            if matches!(flush.step, CacheStep::Sweep(end) if is_clean || position >= end) {
                flush.step = CacheStep::Destage { last, left };
            }
        }
        self.flush_goes_on(array);
    }

    /// Row number `destage` of `array` is with the drives.
    #[inline]
    pub(super) fn flush_destaged(&mut self, array: u32, destage: u64) {
        let owner = &mut self.arrays[array as usize];
        if owner.flushes.is_empty() {
            return;
        }
        for flush in &mut owner.flushes {
            if let CacheStep::Destage { last, left } = &mut flush.step
                && destage <= *last
            {
                *left -= 1;
            }
        }
        self.flush_goes_on(array);
    }

    /// Lets flushes of `array` go on that wait for no row any more.
    fn flush_goes_on(&mut self, array: u32) {
        let is_done = |flush: &CacheFlush| matches!(flush.step, CacheStep::Destage { left: 0, .. });
        while let Some(index) = self.arrays[array as usize].flushes.iter().position(is_done) {
            let flush = self.arrays[array as usize].flushes.remove(index);
            self.flush_media(flush.slot);
        }
    }

    /// A flush goes to the drives of its array.
    fn flush_media(&mut self, slot: u32) {
        let array = self.ios[slot as usize].array;
        let mut end = self.now;
        let mut pending = 0;
        for drive in self.arrays[array as usize].geometry.all_drives() {
            match self.drives[drive as usize].drive.flush(self.now) {
                Some(at) => end = end.max(at),
                None => {
                    pending += 1;
                    self.drive_flushes.push(DriveFlush { slot, drive, since: self.now });
                }
            }
        }
        // Drives are of one kind: either all times are known, or none is that matters.
        self.ios[slot as usize].pending = pending;
        if pending == 0 {
            self.events.push(end, EventKind::FlushEnds, slot);
        }
    }

    /// `drive` has put cached data onto its medium: flushes go on that waited for no more of it.
    #[inline]
    pub(super) fn flush_drives(&mut self, drive: u32) {
        let mut index = 0;
        while index < self.drive_flushes.len() {
            let flush = self.drive_flushes[index];
            let unit = &self.drives[drive as usize];
            if flush.drive != drive || unit.drive.holds_from(flush.since) {
                index += 1;
                continue;
            }
            self.drive_flushes.swap_remove(index);
            let io = &mut self.ios[flush.slot as usize];
            io.pending -= 1;
            if io.pending == 0 {
                self.events.push(self.now, EventKind::FlushEnds, flush.slot);
            }
        }
    }
}
