//! Buffers of one worker: where every slot reads to and writes from.

mod arena;
mod content;

pub(crate) use arena::Arena;
use arena::HUGE_PAGE;
pub(crate) use content::{Texture, answer, is_blank, is_own};

use std::io;

use kneepoint_core::load::backend::{Content, Direction, Io};
use kneepoint_core::load::stream::{DUPLICATE_POOL, WorkerPlan, assign};
use kneepoint_core::plan::{Engine, Member, MemoryPages, Plan};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Bytes;

use crate::verification::{Identity, stamp};
use content::POOL_BYTES;

/// Buffers begin at multiples of this: enough for direct I/O on every device.
const BUFFER_ALIGN: usize = 4096;

/// The demands on the buffers.
#[derive(Debug, Clone, Copy)]
pub struct BufferNeeds<'a> {
    /// I/Os in flight at the most.
    pub slots: u32,
    /// The profile of each I/O.
    pub profile: &'a ResolvedProfile,
    /// Pages of memory that they lie in.
    pub pages: MemoryPages,
    /// The worker's seed, different for every worker of every point of a run.
    pub seed: u64,
}

/// The buffers: for reads one per slot, for writes several per slot in turn, and a few that
/// duplicate content is written from.
#[derive(Debug)]
pub struct Buffers {
    arena: Option<Arena>,
    shape: Shape,
    /// Which of its write buffers a slot uses next.
    turns: Vec<u32>,
    texture: Texture,
    tag: u64,
    /// Of each target whose data is verified, in the plan's order; none if none is.
    identities: Vec<Identity>,
}

impl Buffers {
    /// Maps and fills the buffers.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new(needs: BufferNeeds<'_>) -> io::Result<Self> {
        let slots = needs.slots as usize;
        let shape = Shape::of(slots, needs.profile);
        let mut buffers = Self {
            arena: Some(Arena::new(shape.length, needs.pages)?),
            shape,
            turns: vec![0; slots],
            texture: Texture::new(needs.profile.data),
            tag: seed::derive(needs.seed, "tag", 0),
            identities: Vec::new(),
        };
        buffers.fill(needs.seed);
        buffers.mark_unread();
        Ok(buffers)
    }

    /// Fills everything that is written from. Duplicate content is the same for every worker, and
    /// stamped once.
    fn fill(&mut self, worker_seed: u64) {
        let Self { arena, texture, shape, .. } = self;
        let Some(arena) = arena else { return };
        let duplicates_length = shape.length - shape.duplicates_start;
        let writes_length = shape.duplicates_start - shape.writes_start;
        let mut rng = seed::rng(worker_seed);
        texture.fill(arena.slice_mut(shape.writes_start, writes_length), &mut rng);
        let mut same_rng = seed::rng(0);
        let duplicates = arena.slice_mut(shape.duplicates_start, duplicates_length);
        texture.fill(duplicates, &mut same_rng);
        for (number, buffer) in duplicates.chunks_mut(shape.stride).enumerate() {
            texture.stamp(buffer, 0, number as u64);
        }
    }

    /// Where `io` reads to, or the data that it writes, made ready; as an offset into the arena.
    #[inline]
    pub fn prepare(&mut self, io: &Io) -> usize {
        match (io.direction, io.content) {
            (Direction::Read, _) => io.slot as usize * self.shape.stride,
            (Direction::Write, Content::Duplicate(number)) => {
                self.shape.duplicates_start + number as usize * self.shape.stride
            }
            (Direction::Write, Content::Unique(serial)) => self.unique(io, serial),
            // Nothing is sent.
            (Direction::Write, Content::Trim | Content::Zeroes) => 0,
        }
    }

    /// The slot's next write buffer, stamped.
    #[inline]
    fn unique(&mut self, io: &Io, serial: u64) -> usize {
        let slot = io.slot as usize;
        let turn = self.turns[slot] as usize;
        self.turns[slot] = if turn + 1 == self.shape.writes_per_slot { 0 } else { turn as u32 + 1 };
        let offset = self.shape.writes_start
            + (slot * self.shape.writes_per_slot + turn) * self.shape.stride;
        if let Some(arena) = &mut self.arena {
            let buffer = arena.slice_mut(offset, io.bytes as usize);
            match self.identities.get(io.target as usize) {
                None => self.texture.stamp(buffer, self.tag, serial),
                Some(identity) => stamp(buffer, *identity, (io.offset, serial)),
            }
        }
        offset
    }

    /// From now on writes can be verified: they are of the targets with these identities, in the plan's
    /// order, and of the generation that their content counts.
    pub(crate) fn stamp_sectors_of(&mut self, identities: Vec<Identity>) {
        self.identities = identities;
    }

    /// What the last read of `bytes` in a slot brought; it must have ended.
    #[inline]
    pub(crate) fn read_by(&mut self, slot: u32, bytes: usize) -> &[u8] {
        let offset = slot as usize * self.shape.stride;
        self.slice_mut(offset, bytes)
    }

    /// The address of byte `offset` of the arena.
    #[inline]
    pub(crate) fn address(&self, offset: usize) -> *mut u8 {
        self.arena.as_ref().map_or(std::ptr::null_mut(), |arena| arena.address(offset))
    }

    /// `length` bytes from `offset` of the arena.
    #[inline]
    pub(crate) fn slice_mut(&mut self, offset: usize, length: usize) -> &mut [u8] {
        match &mut self.arena {
            Some(arena) => arena.slice_mut(offset, length),
            None => &mut [],
        }
    }

    /// The arena in pieces of at most 1 GiB that no buffer crosses, as (offset, length), for
    /// registration with the kernel.
    pub(crate) fn pieces(&self) -> Vec<(usize, usize)> {
        let length = self.len();
        let piece = self.piece_bytes();
        (0..length).step_by(piece).map(|start| (start, piece.min(length - start))).collect()
    }

    /// Length of each piece but the last, in bytes.
    pub(crate) fn piece_bytes(&self) -> usize {
        ((1 << 30) / self.shape.stride).max(1) * self.shape.stride
    }

    /// Bytes of memory behind the buffers.
    pub fn len(&self) -> usize {
        self.arena.as_ref().map_or(0, |arena| arena.length)
    }

    /// True if there is no memory behind the buffers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives the memory up for good: I/Os are still in flight on it.
    pub(crate) fn leak(&mut self) {
        std::mem::forget(self.arena.take());
    }

    /// Marks the read buffers, so that those that were read into can be told from the others.
    fn mark_unread(&mut self) {
        for offset in self.sampled() {
            self.slice_mut(offset, UNREAD.len()).copy_from_slice(&UNREAD);
        }
    }

    /// Looks at the read buffers. That is once, at the end of a point; nothing is done per I/O.
    pub(crate) fn read_sample(&self) -> ReadSample {
        let mut sample = ReadSample::default();
        let Some(arena) = &self.arena else { return sample };
        for offset in self.sampled() {
            let start = arena.look(offset);
            if start.starts_with(&UNREAD) {
                continue;
            }
            sample.read += 1;
            sample.zero += u32::from(start.iter().all(|byte| *byte == 0));
        }
        sample
    }

    /// Where the read buffers that are looked at begin.
    fn sampled(&self) -> impl Iterator<Item = usize> + use<> {
        let (stride, end) = (self.shape.stride, self.shape.writes_start);
        let end = if self.is_empty() { 0 } else { end };
        (0..end).step_by(stride).take(BUFFERS_MAX)
    }
}

/// Where the buffers of one worker lie: those that are read to first, then those that are written
/// from, then those of duplicate content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// Bytes from one buffer to the next.
    stride: usize,
    /// Where the write buffers begin.
    writes_start: usize,
    /// Write buffers per slot.
    writes_per_slot: usize,
    /// Where the buffers of duplicate content begin.
    duplicates_start: usize,
    /// All of it, in bytes.
    length: usize,
}

impl Shape {
    /// For `slots` I/Os in flight, at least one.
    fn of(slots: usize, profile: &ResolvedProfile) -> Self {
        let stride = (profile.block_bytes_max() as usize).next_multiple_of(BUFFER_ALIGN);
        let reads = if profile.read_percent() > 0.0 { slots } else { 0 };
        let writes_per_slot = match profile.writes() {
            true => POOL_BYTES.div_ceil(slots * stride),
            false => 0,
        };
        let has_duplicates = profile.writes() && profile.data.duplicate.get() > 0.0;
        let duplicates = if has_duplicates { DUPLICATE_POOL as usize } else { 0 };
        let writes_start = reads * stride;
        let duplicates_start = writes_start + slots * writes_per_slot * stride;
        let length = duplicates_start + duplicates * stride;
        Self { stride, writes_start, writes_per_slot, duplicates_start, length }
    }
}

/// The memory that the buffers of a worker with `slots` I/Os of `profile` take, in bytes.
pub(crate) fn length(slots: u32, profile: &ResolvedProfile) -> usize {
    Shape::of(slots.max(1) as usize, profile).length
}

/// The memory that the buffers of all workers take together at the highest load of `plan`.
pub fn buffer_bytes(plan: &Plan) -> Bytes {
    if matches!(plan.engine.engine, Engine::Null | Engine::Sim) {
        return Bytes(0);
    }
    let of_member = |member: Member<'_>| -> Option<u64> {
        let workers = assign(&plan.of_targets(&member.targets), member.load, plan.seed);
        let profile = member.series.profile.storage()?;
        let bytes = |worker: &WorkerPlan| match plan.engine.memory_pages {
            Some(MemoryPages::Huge) => {
                length(worker.slot_count(), profile).next_multiple_of(HUGE_PAGE) as u64
            }
            Some(MemoryPages::Small) | None => length(worker.slot_count(), profile) as u64,
        };
        Some(workers.iter().map(bytes).sum())
    };
    let of_series = plan.series.iter().filter_map(|series| {
        let highest = series.loads.levels().last()?;
        plan.members(series, highest).into_iter().map(of_member).sum()
    });
    Bytes(of_series.max().unwrap_or(0))
}

/// Content of a read buffer that nothing was read into yet.
const UNREAD: [u8; 8] = *b"unread\xA5\x5A";

/// At most this many buffers of a worker are looked at.
const BUFFERS_MAX: usize = 1024;

/// Buffers that were read into, and those among them that hold zeros alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ReadSample {
    /// Buffers that something was read into.
    pub(crate) read: u32,
    /// Those with nothing but zeros at their start.
    pub(crate) zero: u32,
}

impl ReadSample {
    /// Both together.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { read: self.read + other.read, zero: self.zero + other.zero }
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::spec::catalog;

    use super::*;

    #[test]
    fn buffers_that_were_read_into_are_told_apart_and_zeros_counted() {
        let profile = catalog::profile("random-read").unwrap().resolve_io(None).unwrap();
        let pages = MemoryPages::Small;
        let mut buffers =
            Buffers::new(BufferNeeds { slots: 4, profile: &profile, pages, seed: 1 }).unwrap();
        assert_eq!(buffers.read_sample(), ReadSample::default(), "nothing was read");
        let stride = buffers.shape.stride;
        buffers.slice_mut(0, stride).fill(0);
        buffers.slice_mut(stride, stride).fill(7);
        assert_eq!(buffers.read_sample(), ReadSample { read: 2, zero: 1 });
        buffers.leak();
        assert_eq!(buffers.read_sample(), ReadSample::default(), "the memory is gone");
    }
}
