//! The streams of several series that are measured at the same moment.

use super::sequence::{Seat, StreamPlan, WorkerPlan, assign};
use crate::plan::{Engine, Member, Plan};

/// Shares out the loads of `members`, each with the seed of its point, over workers.
///
/// A series by itself has those of [`assign`]. Of several each has its own workers, as many as if its
/// targets were all; one worker drives all streams of a simulated system.
pub fn assign_members(plan: &Plan, members: &[(Member<'_>, u64)]) -> Vec<WorkerPlan> {
    if let [(alone, seed)] = members {
        return assign(plan, alone.load, *seed);
    }
    let mut workers: Vec<WorkerPlan> = Vec::new();
    let (mut number, mut seat, mut class) = (0, 0, 0);
    for (member, (of, seed)) in (0..).zip(members) {
        let own = assign(&plan.of_targets(&of.targets), of.load, *seed);
        let first = number;
        for mut worker in own {
            for stream in &mut worker.streams {
                number = number.max(first + stream.number + 1);
                *stream = StreamPlan {
                    number: first + stream.number,
                    target: of.targets[stream.target as usize],
                    seat: Seat { member, number: seat + stream.target, first_class: class },
                    ..stream.clone()
                };
            }
            workers.push(worker);
        }
        seat += of.targets.len() as u32;
        class += of.series.profile.classes().len() as u32;
    }
    if plan.engine.engine == Engine::Sim {
        let streams = workers.into_iter().flat_map(|worker| worker.streams).collect();
        workers = vec![WorkerPlan::of(streams)];
    }
    workers.iter_mut().for_each(|worker| worker.classes = Some(class));
    workers
}
