//! The order in which a run goes through the combinations of its factors.

use rand_core::Rng as _;

use super::Plan;
use crate::spec::factor::{Combination, Order};
use crate::words::seed;

/// Points that are measured one after the other under the same settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    /// The settings.
    pub combination: &'a Combination,
    /// The repetition of the plan that its points belong to, from 0.
    pub repetition: u32,
}

/// The blocks of `plan` in the order in which they run; a plan without factors has one block per
/// repetition.
pub fn blocks(plan: &Plan) -> Vec<Block<'_>> {
    let combinations = combinations(plan);
    let order = plan.factors.as_ref().map_or(Order::AsWritten, |factors| factors.order);
    let mut blocks = Vec::new();
    for repetition in 0..plan.repetitions.max(1) {
        let block = |combination| Block { combination, repetition };
        let mut once: Vec<Block<'_>> = combinations.iter().copied().map(block).collect();
        if order == Order::Blocked {
            shuffle(&mut once, seed::derive(plan.seed, "block", u64::from(repetition)));
        }
        blocks.extend(once);
    }
    if order == Order::Random {
        shuffle(&mut blocks, seed::derive(plan.seed, "blocks", 0));
    }
    blocks
}

/// The combinations of the plan's series in the order of their first appearance.
fn combinations(plan: &Plan) -> Vec<&Combination> {
    let mut combinations: Vec<&Combination> = Vec::new();
    for series in &plan.series {
        if combinations.last() != Some(&&series.factors) && !combinations.contains(&&series.factors)
        {
            combinations.push(&series.factors);
        }
    }
    combinations
}

/// Brings `items` into an order that `seed` draws (Fisher and Yates).
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = seed::rng(seed);
    for end in (1..items.len()).rev() {
        let other = (rng.next_u64() % (end as u64 + 1)) as usize;
        items.swap(end, other);
    }
}
