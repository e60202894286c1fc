//! Who drives what: targets and outstanding I/Os shared out over workers.

use crate::plan::Plan;
use crate::seed;

/// One worker's part of a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerPlan {
    /// The streams that this worker drives.
    pub streams: Vec<StreamPlan>,
}

impl WorkerPlan {
    /// Slots of all streams: the most I/Os that the worker has in flight.
    pub fn slot_count(&self) -> u32 {
        self.streams.iter().map(|stream| stream.slots).sum()
    }
}

/// One target's load, or a share of it, on one worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamPlan {
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
    /// The stream's own seed.
    pub seed: u64,
}

/// Shares out `slots` I/Os per target over the plan's workers.
///
/// With no more workers than targets every target belongs to one worker, so that its sequential
/// position is one. With more workers than targets a target's slots are split between several
/// workers, each a stream with a sequential position of its own, started at even distances.
/// Workers that would have nothing to do are left out.
pub fn assign(plan: &Plan, slots: u32, point_seed: u64) -> Vec<WorkerPlan> {
    let target_count = plan.targets.len() as u32;
    let shares = (plan.engine.workers / target_count.max(1)).clamp(1, slots.max(1));
    let worker_count = plan.engine.workers.clamp(1, target_count.max(1) * shares);
    let mut workers = vec![
        WorkerPlan {
            streams: Vec::new()
        };
        worker_count as usize
    ];
    for target in 0..target_count {
        for share in 0..shares {
            let number = target * shares + share;
            let stream = StreamPlan {
                target,
                size_bytes: plan.targets[target as usize].size_bytes,
                share,
                share_count: shares,
                slots: slots / shares + u32::from(share < slots % shares),
                seed: seed::derive(point_seed, "stream", u64::from(number)),
            };
            workers[(number % worker_count) as usize]
                .streams
                .push(stream);
        }
    }
    workers
}
