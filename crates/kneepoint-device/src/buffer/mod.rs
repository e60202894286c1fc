//! Buffers of one worker: where every slot reads to and writes from.

mod arena;
mod content;

use std::io;

use kneepoint_core::backend::{Content, Direction, Io};
use kneepoint_core::plan::ResolvedProfile;
use kneepoint_core::seed;
use kneepoint_core::stream::DUPLICATE_POOL;

use arena::Arena;
use content::POOL_BYTES;
pub(crate) use content::Texture;

/// Buffers begin at multiples of this: enough for direct I/O on every device.
const BUFFER_ALIGN: usize = 4096;

/// One page-aligned buffer, for writing outside the load loop.
#[derive(Debug)]
pub(crate) struct FillBuffer(Arena);

impl FillBuffer {
    /// A buffer of `length` bytes.
    pub(crate) fn new(length: usize) -> io::Result<Self> {
        Arena::new(length).map(Self)
    }

    /// The first `length` bytes.
    pub(crate) fn bytes_mut(&mut self, length: usize) -> &mut [u8] {
        self.0.slice_mut(0, length)
    }
}

/// What the buffers must serve.
#[derive(Debug, Clone, Copy)]
pub struct BufferNeeds<'a> {
    /// I/Os in flight at the most.
    pub slots: u32,
    /// What each I/O looks like.
    pub profile: &'a ResolvedProfile,
    /// The worker's seed, different for every worker of every point of a run.
    pub seed: u64,
}

/// The buffers: for reads one per slot, for writes several per slot in turn, and a few that
/// duplicate content is written from.
#[derive(Debug)]
pub struct Buffers {
    arena: Option<Arena>,
    stride: usize,
    /// Where the write buffers begin; reads come first.
    writes_start: usize,
    /// Write buffers per slot.
    writes_per_slot: usize,
    /// Which of its write buffers a slot uses next.
    turns: Vec<u32>,
    /// Where the buffers of duplicate content begin.
    duplicates_start: usize,
    texture: Texture,
    tag: u64,
}

impl Buffers {
    /// Maps and fills the buffers.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new(needs: BufferNeeds<'_>) -> io::Result<Self> {
        let slots = needs.slots as usize;
        let block_max = needs.profile.block_bytes_max() as usize;
        let stride = block_max.next_multiple_of(BUFFER_ALIGN);
        let reads = if needs.profile.read_percent() > 0.0 { slots } else { 0 };
        let writes_per_slot = match needs.profile.writes() {
            true => POOL_BYTES.div_ceil(slots * stride),
            false => 0,
        };
        let has_duplicates = needs.profile.writes() && needs.profile.data.duplicate.get() > 0.0;
        let duplicates = if has_duplicates { DUPLICATE_POOL as usize } else { 0 };
        let writes_start = reads * stride;
        let duplicates_start = writes_start + slots * writes_per_slot * stride;
        let mut buffers = Self {
            arena: Some(Arena::new(duplicates_start + duplicates * stride)?),
            stride,
            writes_start,
            writes_per_slot,
            turns: vec![0; slots],
            duplicates_start,
            texture: Texture::new(needs.profile.data),
            tag: seed::derive(needs.seed, "tag", 0),
        };
        buffers.fill(needs.seed);
        Ok(buffers)
    }

    /// Fills everything that is written from. Duplicate content is the same for every worker.
    fn fill(&mut self, worker_seed: u64) {
        let Self { arena, texture, .. } = self;
        let Some(arena) = arena else { return };
        let duplicates_length = arena.len() - self.duplicates_start;
        let writes_length = self.duplicates_start - self.writes_start;
        let mut rng = seed::rng(worker_seed);
        texture.fill(arena.slice_mut(self.writes_start, writes_length), &mut rng);
        let mut same_rng = seed::rng(0);
        texture.fill(arena.slice_mut(self.duplicates_start, duplicates_length), &mut same_rng);
    }

    /// Where `io` reads to, or the data that it writes, made ready; as an offset into the arena.
    #[inline]
    pub fn prepare(&mut self, io: &Io) -> usize {
        match (io.direction, io.content) {
            (Direction::Read, _) => io.slot as usize * self.stride,
            (Direction::Write, Content::Duplicate(number)) => {
                self.duplicates_start + number as usize * self.stride
            }
            (Direction::Write, Content::Unique(serial)) => self.unique(io, serial),
        }
    }

    /// The slot's next write buffer, stamped.
    #[inline]
    fn unique(&mut self, io: &Io, serial: u64) -> usize {
        let slot = io.slot as usize;
        let turn = self.turns[slot] as usize;
        self.turns[slot] = if turn + 1 == self.writes_per_slot { 0 } else { turn as u32 + 1 };
        let offset = self.writes_start + (slot * self.writes_per_slot + turn) * self.stride;
        if let Some(arena) = &mut self.arena {
            let buffer = arena.slice_mut(offset, io.bytes as usize);
            self.texture.stamp(buffer, self.tag, serial);
        }
        offset
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
        ((1 << 30) / self.stride).max(1) * self.stride
    }

    /// Bytes of memory behind the buffers.
    pub fn len(&self) -> usize {
        self.arena.as_ref().map_or(0, Arena::len)
    }

    /// Whether there is no memory behind the buffers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives the memory up for good: I/Os are still in flight on it.
    pub(crate) fn leak(&mut self) {
        std::mem::forget(self.arena.take());
    }
}
