//! The phases of each point.

use super::defaults::{
    ACCURACY_PERCENT, DRAIN_MAX, FINE_BELOW, INTERVAL, INTERVAL_COUNT, INTERVAL_FINE, INTERVAL_MAX,
    MEASURE_LEAST, MEASURE_MAX, MEASURE_MIN, RAMP, RAMP_FIXED, quick, steady,
};
use super::wishes::Wishes;
use crate::plan::{SteadyState, StopRule, Timing};
use crate::spec::suite::{ROUND_MAX, ROUND_MIN};
use crate::words::fault::Fault;
use crate::words::units::{Nanos, Percent};

/// The phases that the user asked for, or else the suite with its rounds until steady state.
///
/// # Errors
/// When the times contradict one another, or cannot be measured.
pub fn timing(wishes: &Wishes, suite_round: Option<Nanos>) -> Result<Timing, Fault> {
    let (ramp, stop) = match (wishes.time, round(wishes, suite_round)) {
        (Some(measure), _) => (ramp(wishes, RAMP_FIXED), StopRule::FixedTime { measure }),
        (None, Some(round)) => (Nanos::ZERO, StopRule::SteadyState(steady_state(round)?)),
        (None, None) => (ramp(wishes, RAMP), confidence(wishes)?),
    };
    if stop.measure_min() < MEASURE_LEAST {
        return Err(Fault::new(format!("{} is too short a time to measure", stop.measure_min()))
            .fix(format!("measure for at least {MEASURE_LEAST}, better for some seconds")));
    }
    let interval = interval(&stop);
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
            volume @ StopRule::Volume { .. } => volume,
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
            let most = (measure_min.0 / 50).next_multiple_of(INTERVAL_FINE.0);
            Nanos(wanted.min(most).min(INTERVAL_MAX.0).max(fine.0))
        }
        StopRule::FixedTime { .. } | StopRule::SteadyState(_) | StopRule::Volume { .. } => {
            Nanos(wanted.min(INTERVAL_MAX.0).max(fine.0))
        }
    }
}
