//! What is written before the first point.

use super::defaults::preparation::{
    FAST_BYTES_PER_S, LOOK_MAX, LOOK_MIN, LOOKS, OUTSTANDING, PASSES, RANDOM_BLOCK_BYTES, ROUND,
    SEQUENTIAL_BLOCK_BYTES, SEQUENTIAL_TIME_MIN, SLOWEST_BYTES_PER_S,
};
use super::defaults::quick;
use super::timing::{interval, steady_state};
use super::wishes::Wishes;
use crate::plan::{
    Plan, Precondition, RandomWrites, SequentialPass, SteadyState, StopRule, TargetKind,
};
use crate::words::fault::Fault;
use crate::words::units::Nanos;

/// The preconditioning of `plan` where the user asks for it.
///
/// Its rounds are as long as those of the points, where these are measured in rounds.
pub(super) fn precondition(
    wishes: &Wishes,
    plan: &Plan,
    suite_round: Option<Nanos>,
) -> Result<Option<Precondition>, Fault> {
    if !wishes.is_preconditioned {
        return Ok(None);
    }
    check(plan)?;
    let usual = if wishes.is_quick() { quick::ROUND } else { suite_round.unwrap_or(ROUND) };
    let rule = steady_state(wishes.steady_state.unwrap_or(usual))?;
    Ok(Some(Precondition { sequential: sequential(plan), random: random(plan, rule) }))
}

/// Refuses where preconditioning would do harm that no one expects, or nothing at all.
fn check(plan: &Plan) -> Result<(), Fault> {
    if !plan.writes() {
        return Err(Fault::new(format!("{} only reads, so nothing is preconditioned", plan.work))
            .because("preconditioning writes over the targets, and reading them permits no writes")
            .fix("leave out --precondition, or precondition with a profile that writes"));
    }
    if plan.targets.iter().any(|target| target.kind == TargetKind::Sim) {
        return Err(Fault::new("a simulated system cannot be preconditioned")
            .because("it begins every point from scratch, without a past")
            .fix("leave out --precondition for sim: targets"));
    }
    Ok(())
}

fn sequential(plan: &Plan) -> SequentialPass {
    let largest = plan.targets.iter().map(|target| target.size_bytes).max().unwrap_or(0);
    let smallest = plan.targets.iter().map(|target| target.size_bytes).min().unwrap_or(0);
    let bytes = largest * u64::from(PASSES);
    // All targets go through one bus at worst, so the time counts the bytes of all of them.
    let all_bytes = bytes * plan.targets.len() as u64;
    let interval = look_every(bytes);
    let time_max = Nanos::from_secs(all_bytes / SLOWEST_BYTES_PER_S).max(SEQUENTIAL_TIME_MIN);
    SequentialPass {
        block_bytes: SEQUENTIAL_BLOCK_BYTES.min(smallest),
        outstanding: OUTSTANDING,
        passes: PASSES,
        interval,
        time_max: Nanos(time_max.0.next_multiple_of(interval.0)),
    }
}

/// How often to look whether `bytes` are written: so that little more is written than asked for.
fn look_every(bytes: u64) -> Nanos {
    let millis = bytes.saturating_mul(1000) / FAST_BYTES_PER_S / LOOKS;
    let whole = Nanos::from_millis(millis.next_multiple_of(10));
    whole.clamp(LOOK_MIN, LOOK_MAX)
}

fn random(plan: &Plan, rule: SteadyState) -> RandomWrites {
    let alignment = plan.targets.iter().map(|target| target.alignment_bytes).max().unwrap_or(1);
    let interval = interval(&StopRule::SteadyState(rule.clone()));
    let round = Nanos(rule.round.0.next_multiple_of(interval.0));
    RandomWrites {
        block_bytes: RANDOM_BLOCK_BYTES.max(alignment),
        outstanding: OUTSTANDING,
        interval,
        steady_state: SteadyState { round, ..rule },
    }
}
