//! How long a point takes, and what is written before the first one.

use super::defaults::rounds::{
    INTERVAL as INTERVAL_OF_ROUNDS, PASSES_MAX, PASSES_MAX_QUICK, PASSES_MIN,
};
use super::defaults::{
    ACCURACY_PERCENT, DRAIN_MAX, FINE_BELOW, HOST_INTERVAL, INTERVAL, INTERVAL_COUNT,
    INTERVAL_FINE, INTERVAL_MAX, INTERVALS_LEAST, MEASURE_LEAST, MEASURE_MAX, MEASURE_MIN, RAMP,
    RAMP_FIXED, quick, steady,
};
use super::wishes::Wishes;
use crate::plan::resolve::defaults::preparation::{
    FAST_BYTES_PER_S, LOOK_MAX, LOOK_MIN, LOOKS, OUTSTANDING, PASSES, RANDOM_BLOCK_BYTES, ROUND,
    SEQUENTIAL_BLOCK_BYTES, SEQUENTIAL_TIME_MIN, SLOWEST_BYTES_PER_S,
};
use crate::plan::{
    Plan, Precondition, RandomWrites, SequentialPass, SeriesPlan, SteadyState, StopRule,
    TargetKind, Timing,
};
use crate::spec::grid::SearchPlan;
use crate::spec::suite::{ROUND_MAX, ROUND_MIN, Suite, SuitePrecondition};
use crate::words::fault::Fault;
use crate::words::units::{Bytes, Nanos, Percent};

/// The phases that the user asked for, or else the suite with its rounds until steady state.
///
/// # Errors
/// When the times contradict one another, or cannot be measured.
pub fn timing(wishes: &Wishes, suite_round: Option<Nanos>) -> Result<Timing, Fault> {
    timing_by(1, (wishes, suite_round))
}

/// The same where this number of hosts measures.
///
/// # Errors
/// As above.
pub(super) fn timing_by(
    hosts: usize,
    (wishes, suite_round): (&Wishes, Option<Nanos>),
) -> Result<Timing, Fault> {
    let (ramp, stop) = match (wishes.time, round(wishes, suite_round)) {
        (Some(measure), _) => (ramp(wishes, RAMP_FIXED), StopRule::FixedTime { measure }),
        (None, Some(round)) => (Nanos::ZERO, StopRule::SteadyState(steady_state(round)?)),
        (None, None) => (ramp(wishes, RAMP), confidence(wishes)?),
    };
    if stop.measure_min() < MEASURE_LEAST {
        return Err(Fault::new(format!("{} is too short a time to measure", stop.measure_min()))
            .fix(format!("measure for at least {MEASURE_LEAST}, better for some seconds")));
    }
    let interval = interval_by(hosts, &stop);
    let whole = |time: Nanos| Nanos(time.0.next_multiple_of(interval.0));
    Ok(Timing {
        ramp: whole(wishes.ramp.unwrap_or(ramp)),
        interval,
        stop: match stop {
            StopRule::FixedTime { measure } => StopRule::FixedTime { measure: whole(measure) },
            StopRule::Confidence { accuracy, drift, measure_min, measure_max } => {
                let (measure_min, measure_max) = (whole(measure_min), whole(measure_max));
                StopRule::Confidence { accuracy, drift, measure_min, measure_max }
            }
            StopRule::SteadyState(rule) => {
                StopRule::SteadyState(SteadyState { round: whole(rule.round), ..rule })
            }
            other @ (StopRule::Volume { .. } | StopRule::Rounds { .. }) => other,
        },
        drain_max: DRAIN_MAX,
    })
}

/// Most rounds of copies of a program, in one point or in passes.
fn rounds_max(wishes: &Wishes) -> u32 {
    if wishes.is_quick() { PASSES_MAX_QUICK } else { PASSES_MAX }
}

/// Whether copies of the programs of `series` are measured in passes: not where a search goes from one number of
/// copies to the next.
fn are_in_passes(series: &[SeriesPlan]) -> bool {
    series.iter().all(|series| series.search == SearchPlan::Grid)
}

/// How often a plan of copies of programs is measured at the most: as many times as the user `asked` for, or else in
/// passes.
pub(super) fn passes(wishes: &Wishes, (series, asked): (&[SeriesPlan], Option<u32>)) -> u32 {
    asked.unwrap_or(if are_in_passes(series) { rounds_max(wishes) } else { 1 })
}

/// The phases of copies of programs on `cpus` processors: a round in each pass, in which every copy does its work
/// once.
///
/// # Errors
/// When the user asks for a time: the work says how long it takes.
pub(super) fn rounds(
    (wishes, repetitions): (&Wishes, Option<u32>),
    (series, cpus): (&[SeriesPlan], usize),
) -> Result<Timing, Fault> {
    let times = [wishes.time, wishes.min_time, wishes.max_time, wishes.steady_state, wishes.ramp];
    if times.iter().any(Option::is_some) {
        return Err(Fault::new("copies of programs cannot be measured for a time")
            .because("each of them does all of its work")
            .fix("leave out --time, --min-time, --max-time, --ramp and --steady-state; --accuracy says \
                  how many passes there are, --quick makes them short"));
    }
    let expected = |series: &SeriesPlan| {
        let turns = |copies: &f64| (copies / cpus.max(1) as f64).ceil();
        let seconds: f64 = series.loads.levels.iter().map(turns).sum();
        seconds * series.profile.weight() / series.loads.levels.len().max(1) as f64
    };
    let seconds: f64 = series.iter().map(expected).sum();
    let round = Nanos::from_secs_f64(seconds / series.len().max(1) as f64);
    let whole = Nanos(round.0.next_multiple_of(INTERVAL_OF_ROUNDS.0));
    let (rounds_min, rounds_max, passes_min) = match are_in_passes(series) {
        true => (1, 1, repetitions.unwrap_or(PASSES_MIN)),
        false => (PASSES_MIN, rounds_max(wishes), 0),
    };
    Ok(Timing {
        ramp: Nanos::ZERO,
        interval: INTERVAL_OF_ROUNDS,
        stop: StopRule::Rounds {
            accuracy: accuracy(wishes)?,
            rounds_min,
            rounds_max,
            passes_min,
            round: whole.max(INTERVAL_OF_ROUNDS),
        },
        drain_max: DRAIN_MAX,
    })
}

/// The length of rounds until steady state; `None` where points end otherwise. Whatever the user
/// says about the time of a point comes before the suite.
fn round(wishes: &Wishes, suite_round: Option<Nanos>) -> Option<Nanos> {
    let limits = [wishes.time, wishes.min_time, wishes.max_time];
    let is_timed =
        wishes.is_quick() || wishes.accuracy.is_some() || limits.iter().any(Option::is_some);
    wishes.steady_state.or(suite_round.filter(|_| !is_timed))
}

/// The test of the SNIA Solid State Storage Performance Test Specification 2.0.2, section 2.1.24,
/// on rounds of this length.
pub(super) fn steady_state(round: Nanos) -> Result<SteadyState, Fault> {
    if !(ROUND_MIN..=ROUND_MAX).contains(&round) {
        return Err(Fault::new(format!("rounds of {round} cannot be measured"))
            .fix("use rounds of 100ms to 1h; 60s is customary"));
    }
    let (range, slope) =
        (Percent::new(steady::RANGE_PERCENT)?, Percent::new(steady::SLOPE_PERCENT)?);
    let (window, rounds_max) = (steady::WINDOW, steady::ROUNDS_MAX);
    Ok(SteadyState { round, window, range, slope, rounds_max })
}

/// The ramp that is customary for a point that takes `usual`.
fn ramp(wishes: &Wishes, usual: Nanos) -> Nanos {
    if wishes.is_quick() { quick::RAMP } else { usual }
}

/// The accuracy that is asked for, or the one that is customary.
pub(super) fn accuracy(wishes: &Wishes) -> Result<Percent, Fault> {
    let usual = if wishes.is_quick() { quick::ACCURACY_PERCENT } else { ACCURACY_PERCENT };
    let percent = wishes.accuracy.map_or(usual, Percent::get);
    if !(0.1..=50.0).contains(&percent) {
        return Err(Fault::new(format!("an accuracy of {percent}% cannot be measured"))
            .fix("use 0.1% to 50%; 5% is customary"));
    }
    Percent::new(percent)
}

/// The rule that ends a point by its accuracy.
fn confidence(wishes: &Wishes) -> Result<StopRule, Fault> {
    let accuracy = accuracy(wishes)?;
    let (min, max) = match wishes.is_quick() {
        true => (quick::MEASURE_MIN, quick::MEASURE_MAX),
        false => (MEASURE_MIN, MEASURE_MAX),
    };
    // One limit that is given moves the default of the other.
    let measure_min =
        wishes.min_time.unwrap_or(wishes.max_time.map_or(min, |limit| min.min(limit)));
    let measure_max = wishes.max_time.unwrap_or(max.max(measure_min));
    if measure_max < measure_min {
        return Err(Fault::new(format!(
            "the longest time to measure, {measure_max}, is shorter than the shortest, {measure_min}"
        ))
        .fix("give a --max-time that is at least --min-time"));
    }
    // A mean in the middle of a drift of twice the accuracy is as far from its ends as that.
    let drift = Percent::new(2.0 * accuracy.get())?;
    Ok(StopRule::Confidence { accuracy, drift, measure_min, measure_max })
}

/// Intervals fine enough for the shortest measurement, and not too many for the longest.
pub(super) fn interval(stop: &StopRule) -> Nanos {
    let fine = if stop.measure_min() < FINE_BELOW { INTERVAL_FINE } else { INTERVAL };
    let wanted = stop.measure_max().0.div_ceil(INTERVAL_COUNT).next_multiple_of(INTERVAL_FINE.0);
    match stop {
        // Its shortest measurement must have enough intervals, however long it may take.
        StopRule::Confidence { measure_min, .. } => {
            let most = (measure_min.0 / INTERVALS_LEAST).next_multiple_of(INTERVAL_FINE.0);
            Nanos(wanted.min(most).min(INTERVAL_MAX.0).max(fine.0))
        }
        StopRule::FixedTime { .. }
        | StopRule::SteadyState(_)
        | StopRule::Volume { .. }
        | StopRule::Rounds { .. } => Nanos(wanted.min(INTERVAL_MAX.0).max(fine.0)),
    }
}

/// The same where this number of hosts measures, each of which hands over its intervals.
fn interval_by(hosts: usize, stop: &StopRule) -> Nanos {
    let usual = interval(stop);
    let wanted = (HOST_INTERVAL.0 * hosts as u64).next_multiple_of(INTERVAL_FINE.0);
    let most = stop.measure_min().0 / INTERVALS_LEAST;
    let most = (most - most % INTERVAL_FINE.0).min(INTERVAL_MAX.0);
    usual.max(Nanos(wanted.min(most)))
}

/// The preconditioning of `plan` where the suite or the user asks for it: of a suite its sequential writes, of the
/// user random ones after them.
///
/// Their rounds are as long as those of the points, where these are measured in rounds.
pub(super) fn precondition(
    wishes: &Wishes,
    plan: &Plan,
    suite: &Suite,
) -> Result<Option<Precondition>, Fault> {
    let usual = SuitePrecondition { block: Bytes(SEQUENTIAL_BLOCK_BYTES), passes: PASSES };
    let writes = match suite.precondition {
        None if !wishes.is_preconditioned => return Ok(None),
        given => given.unwrap_or(usual),
    };
    check(plan)?;
    let random = match wishes.is_preconditioned {
        false => None,
        true => {
            let usual = suite.steady_state.unwrap_or(ROUND);
            let usual = if wishes.is_quick() { quick::ROUND } else { usual };
            Some(random(plan, steady_state(wishes.steady_state.unwrap_or(usual))?))
        }
    };
    Ok(Some(Precondition { sequential: sequential(plan, writes), random }))
}

/// Refuses where preconditioning would do harm that no one expects, or nothing at all.
fn check(plan: &Plan) -> Result<(), Fault> {
    if !plan.writes() {
        return Err(Fault::new(format!("{} only reads, so nothing is preconditioned", plan.work))
            .because("preconditioning writes over the targets, and reading them permits no writes")
            .fix("leave out --precondition, or precondition with a profile that writes"));
    }
    if plan.rounds.is_none() && plan.targets.iter().any(|target| target.kind == TargetKind::Sim) {
        return Err(Fault::new("a simulated system cannot be preconditioned")
            .because("it begins every point from scratch, without a past")
            .fix("leave out --precondition for sim: targets"));
    }
    Ok(())
}

fn sequential(plan: &Plan, writes: SuitePrecondition) -> SequentialPass {
    let largest = plan.targets.iter().map(|target| target.size_bytes).max().unwrap_or(0);
    let smallest = plan.targets.iter().map(|target| target.size_bytes).min().unwrap_or(0);
    let bytes = largest * u64::from(writes.passes);
    // All targets go through one bus at worst, so the time counts the bytes of all of them.
    let all_bytes = bytes * plan.targets.len() as u64;
    let interval = look_every(bytes);
    let time_max = Nanos::from_secs(all_bytes / SLOWEST_BYTES_PER_S).max(SEQUENTIAL_TIME_MIN);
    SequentialPass {
        block_bytes: writes.block.0.min(smallest),
        outstanding: OUTSTANDING,
        passes: writes.passes,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_many_hosts_are_longer_and_never_too_few() {
        let fixed = |measure| StopRule::FixedTime { measure };
        let check = |hosts, seconds, millis| {
            let interval = interval_by(hosts, &fixed(Nanos::from_secs(seconds)));
            assert_eq!(interval, Nanos::from_millis(millis), "{hosts} hosts for {seconds} s");
        };
        check(1, 10, 20);
        check(100, 10, 20);
        check(250, 10, 50);
        check(1_000, 10, 200);
        check(1_000, 2, 40);
        check(1_000, 1, 20);
        check(4_096, 600, 820);
        check(100_000, 600, 1_000);
    }
}
