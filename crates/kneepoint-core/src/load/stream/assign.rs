//! Who drives what: targets and outstanding I/Os shared out over workers.

use std::ops::Range;

use crate::plan::{Arrivals, Engine, Plan};
use crate::words::load::LoadLevel;
use crate::words::seed;

/// One worker's part of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerPlan {
    /// The streams that this worker drives.
    pub streams: Vec<StreamPlan>,
}

impl WorkerPlan {
    /// Slots of all streams: the most I/Os that the worker has in flight.
    pub fn slot_count(&self) -> u32 {
        self.streams.iter().map(|stream| stream.slots).sum()
    }

    /// From the first to the last of the targets that the worker drives, others between them included.
    pub fn targets(&self) -> Range<u32> {
        let targets = || self.streams.iter().map(|stream| stream.target);
        targets().min().unwrap_or(0)..targets().max().map_or(0, |last| last + 1)
    }
}

/// One target's load, or a share of it, on one worker.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamPlan {
    /// Number of the stream within the point; workers that carry the same number draw from one
    /// stream together.
    pub number: u32,
    /// Index into the plan's targets.
    pub target: u32,
    /// Bytes of the target that may be used.
    pub size_bytes: u64,
    /// Which share of the target's load this is, below `share_count`.
    pub share: u32,
    /// Number of streams that share the target.
    pub share_count: u32,
    /// Most I/Os in flight.
    pub slots: u32,
    /// Open loop: how I/Os arrive; `None` for a closed loop, where a completion is replaced.
    pub arrivals: Option<ArrivalPlan>,
    /// The stream's own seed.
    pub seed: u64,
}

/// How the I/Os of a stream arrive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArrivalPlan {
    /// I/Os per second, above zero.
    pub rate_per_s: f64,
    /// Spacing.
    pub spacing: Arrivals,
}

/// Shares out the load on each target over the plan's workers.
///
/// With no more workers than targets every target belongs to one worker, so that its sequential
/// position is one. With more workers than targets a target's slots are split between several
/// workers, each a stream with its own sequential position, started at even distances.
/// Workers that would have nothing to do are left out.
///
/// The synchronous engine has one thread per I/O in flight: there every stream is driven by as
/// many workers as it has slots, which draw from it together.
///
/// In an open loop the offered rate is split in the same way.
pub fn assign(plan: &Plan, load: LoadLevel, point_seed: u64) -> Vec<WorkerPlan> {
    let slots = slots_per_target(plan, load);
    let target_count = plan.targets.len() as u32;
    let shares = (plan.engine.workers / target_count.max(1)).clamp(1, slots.max(1));
    let streams = (0..target_count * shares).map(|number| {
        let (target, share) = (number / shares, number % shares);
        StreamPlan {
            number,
            target,
            size_bytes: plan.targets[target as usize].size_bytes,
            share,
            share_count: shares,
            slots: slots / shares + u32::from(share < slots % shares),
            arrivals: arrivals(plan, load, shares),
            seed: seed::derive(point_seed, "stream", u64::from(number)),
        }
    });
    match plan.engine.engine {
        Engine::Sync => one_worker_per_slot(streams),
        _ => round_robin(streams, plan.engine.workers.clamp(1, target_count.max(1) * shares)),
    }
}

/// Most I/Os in flight on one target.
pub fn slots_per_target(plan: &Plan, load: LoadLevel) -> u32 {
    match load.unit.is_offered() {
        true => plan.open_loop.in_flight_max.max(1),
        false => (load.value as u32).max(1),
    }
}

/// How the I/Os of one of `shares` streams of a target arrive.
fn arrivals(plan: &Plan, load: LoadLevel, shares: u32) -> Option<ArrivalPlan> {
    load.unit.is_offered().then(|| ArrivalPlan {
        rate_per_s: load.value / f64::from(shares),
        spacing: plan.open_loop.arrivals,
    })
}

/// As many workers per stream as it has slots.
fn one_worker_per_slot(streams: impl Iterator<Item = StreamPlan>) -> Vec<WorkerPlan> {
    let split = streams.flat_map(|stream| {
        let slots = stream.slots as usize;
        std::iter::repeat_n(StreamPlan { slots: 1, ..stream }, slots)
    });
    split.map(|stream| WorkerPlan { streams: vec![stream] }).collect()
}

/// Streams dealt out to `worker_count` workers in turn.
fn round_robin(streams: impl Iterator<Item = StreamPlan>, worker_count: u32) -> Vec<WorkerPlan> {
    let mut workers = vec![WorkerPlan { streams: Vec::new() }; worker_count as usize];
    for stream in streams {
        workers[(stream.number % worker_count) as usize].streams.push(stream);
    }
    workers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan_of;

    /// Checks target and slots of every stream of every worker.
    fn check(
        (engine, workers): (Engine, u32),
        targets: u32,
        slots: u32,
        expected: &[&[(u32, u32)]],
    ) {
        let mut plan = plan_of("null:", targets);
        plan.engine.engine = engine;
        plan.engine.workers = workers;
        let assigned = assign(&plan, LoadLevel::outstanding(slots), 1);
        let shape: Vec<Vec<(u32, u32)>> = assigned
            .iter()
            .map(|worker| {
                worker.streams.iter().map(|stream| (stream.target, stream.slots)).collect()
            })
            .collect();
        assert_eq!(shape, expected);
    }

    #[test]
    fn targets_and_slots_are_shared_out() {
        check((Engine::IoUring, 1), 1, 8, &[&[(0, 8)]]);
        check((Engine::IoUring, 1), 3, 2, &[&[(0, 2), (1, 2), (2, 2)]]);
        check((Engine::IoUring, 2), 3, 2, &[&[(0, 2), (2, 2)], &[(1, 2)]]);
        check((Engine::IoUring, 2), 1, 5, &[&[(0, 3)], &[(0, 2)]]);
        check((Engine::IoUring, 4), 1, 2, &[&[(0, 1)], &[(0, 1)]]);
        check((Engine::Sync, 1), 1, 3, &[&[(0, 1)], &[(0, 1)], &[(0, 1)]]);
    }

    #[test]
    fn workers_of_the_synchronous_engine_draw_from_one_stream() {
        let mut plan = plan_of("null:", 1);
        plan.engine.engine = Engine::Sync;
        let assigned = assign(&plan, LoadLevel::outstanding(3), 1);
        assert!(assigned.iter().all(|worker| worker.streams == assigned[0].streams));
    }
}
