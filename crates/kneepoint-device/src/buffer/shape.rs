//! How much memory the buffers take, and what lies where in it.

use kneepoint_core::load::stream::{DUPLICATE_POOL, assign};
use kneepoint_core::plan::{Engine, Plan};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::units::Bytes;

use super::BUFFER_ALIGN;
use super::content::POOL_BYTES;

/// Where the buffers of one worker lie: those that are read to first, then those that are written
/// from, then those of duplicate content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bytes from one buffer to the next.
    pub(super) stride: usize,
    /// Where the write buffers begin.
    pub(super) writes_start: usize,
    /// Write buffers per slot.
    pub(super) writes_per_slot: usize,
    /// Where the buffers of duplicate content begin.
    pub(super) duplicates_start: usize,
    /// All of it, in bytes.
    pub(super) length: usize,
}

impl Shape {
    /// For `slots` I/Os in flight, at least one.
    pub(super) fn of(slots: usize, profile: &ResolvedProfile) -> Self {
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

/// What the buffers of all workers take together at the highest load of `plan`.
pub fn buffer_bytes(plan: &Plan) -> Bytes {
    if matches!(plan.engine.engine, Engine::Null | Engine::Sim) {
        return Bytes(0);
    }
    let of_series = plan.series.iter().filter_map(|series| {
        let workers = assign(plan, series.loads.levels().last()?, plan.seed);
        let profile = series.profile.storage()?;
        let bytes = |slots: u32| Shape::of(slots.max(1) as usize, profile).length as u64;
        Some(workers.iter().map(|worker| bytes(worker.slot_count())).sum())
    });
    Bytes(of_series.max().unwrap_or(0))
}
