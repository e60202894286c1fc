//! The order of the copies.

use serde::{Deserialize, Serialize};

use crate::plan::{Plan, TargetPlan, shuffle};
use crate::result::{CopyResult, Warning};
use crate::spec::file_copy::{CopyCache, CopyMethod, FileCopy};
use crate::words::seed;
use crate::words::units::Nanos;

/// The copy to make next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextCopy<'a> {
    /// The copy of the plan.
    pub copy: &'a FileCopy,
    /// Index of the target beside which it is made.
    pub target: usize,
    /// The function that copies.
    pub method: CopyMethod,
    /// With or without the page cache.
    pub cache: CopyCache,
    /// How many copies of this kind come before it.
    pub repetition: u32,
}

/// A copy that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copied {
    /// Time from the first directory to the end of the last file.
    pub elapsed: Nanos,
    /// Warnings that limit the trust in it.
    pub warnings: Vec<Warning>,
}

/// The next copy of a run, from its plan and from the copies made so far; `None` at the end.
///
/// Target by target; on each of them round by round, every round with all methods and caches in an
/// order of its own that the plan's seed draws: what drifts shows as variation between the rounds
/// and not as a difference between methods. A kind that has failed once is not tried again.
pub fn next_copy<'a>(plan: &'a Plan, made: &[CopyResult]) -> Option<NextCopy<'a>> {
    let copy = plan.file_copy.as_ref()?;
    let targets = plan.targets.iter().enumerate().filter(|(_, target)| target.takes_copies());
    for (index, target) in targets {
        let rounds = 0..copy.repetitions;
        let next = rounds.flat_map(|repetition| round(plan, copy, repetition)).find(
            |(method, cache, repetition)| {
                let mut alike = made.iter().filter(|one| one.is_of(target, *method, *cache));
                alike.all(|one| one.error.is_none() && one.repetition != *repetition)
            },
        );
        if let Some((method, cache, repetition)) = next {
            return Some(NextCopy { copy, target: index, method, cache, repetition });
        }
    }
    None
}

/// One copy of each kind, in random order.
fn round(plan: &Plan, copy: &FileCopy, repetition: u32) -> Vec<(CopyMethod, CopyCache, u32)> {
    let of_cache = |cache| copy.methods.iter().map(move |method| (*method, cache, repetition));
    let mut round: Vec<_> = copy.caches.iter().flat_map(|cache| of_cache(*cache)).collect();
    shuffle(&mut round, seed::derive(plan.seed, "file-copy order", u64::from(repetition)));
    round
}

impl CopyResult {
    /// Whether this is a copy of that kind.
    fn is_of(&self, target: &TargetPlan, method: CopyMethod, cache: CopyCache) -> bool {
        self.target == target.target && self.method == method && self.cache == cache
    }
}
