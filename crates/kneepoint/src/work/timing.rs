//! The phases of each point.

use kneepoint_core::fault::Fault;
use kneepoint_core::plan::{SteadyState, StopRule, Timing};
use kneepoint_core::suite::{ROUND_MAX, ROUND_MIN};
use kneepoint_core::units::{Nanos, Percent};

use crate::cli::MeasureArgs;

/// Length of the recorder's intervals: the shortest measurement has enough of them to see whether
/// neighbours are correlated.
const INTERVAL: Nanos = Nanos::from_millis(20);

/// The same where measuring can end before [`FINE_BELOW`].
const INTERVAL_FINE: Nanos = Nanos::from_millis(10);

/// Shorter measurements have fine intervals.
const FINE_BELOW: Nanos = Nanos::from_secs(1);

/// Long measurements have this many longer intervals, each of at most [`INTERVAL_MAX`]: their
/// histograms are kept in memory.
const INTERVAL_COUNT: u64 = 3_000;

/// The longest intervals: progress and Ctrl-C wait for their ends.
const INTERVAL_MAX: Nanos = Nanos::from_secs(1);

/// Shortest time to measure.
const MEASURE_MIN: Nanos = Nanos::from_millis(100);

/// Time that I/Os in flight get to come back after a point.
const DRAIN_MAX: Nanos = Nanos::from_secs(30);

/// The phases that the user asked for, or else the suite with its rounds until steady state.
pub(super) fn timing(args: &MeasureArgs, suite_round: Option<Nanos>) -> Result<Timing, Fault> {
    let (ramp, stop) = match (args.time, round(args, suite_round)) {
        (Some(measure), _) => (fixed_ramp(args), StopRule::FixedTime { measure }),
        (None, Some(round)) => (Nanos::ZERO, StopRule::SteadyState(steady_state(round)?)),
        (None, None) => (confidence_ramp(args), confidence(args)?),
    };
    if stop.measure_min() < MEASURE_MIN {
        return Err(Fault::new(format!("{} is too short a time to measure", stop.measure_min()))
            .fix(format!("measure for at least {MEASURE_MIN}, better for some seconds")));
    }
    let interval = interval(&stop);
    let whole = |time: Nanos| Nanos(time.0.next_multiple_of(interval.0));
    Ok(Timing {
        ramp: whole(args.ramp.unwrap_or(ramp)),
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
fn round(args: &MeasureArgs, suite_round: Option<Nanos>) -> Option<Nanos> {
    let limits = [args.time, args.min_time, args.max_time];
    let is_timed = args.quick || args.accuracy.is_some() || limits.iter().any(Option::is_some);
    args.steady_state.or(suite_round.filter(|_| !is_timed))
}

/// The test of the SNIA Solid State Storage Performance Test Specification 2.0.2, section 2.1.24,
/// on rounds of this length.
pub(super) fn steady_state(round: Nanos) -> Result<SteadyState, Fault> {
    if !(ROUND_MIN..=ROUND_MAX).contains(&round) {
        return Err(Fault::new(format!("rounds of {round} cannot be measured"))
            .fix("use rounds of 100ms to 1h; 60s is customary"));
    }
    let (range, slope) = (Percent::new(20.0)?, Percent::new(10.0)?);
    Ok(SteadyState { round, window: 5, range, slope, rounds_max: 25 })
}

const fn fixed_ramp(args: &MeasureArgs) -> Nanos {
    if args.quick { Nanos::from_millis(200) } else { Nanos::from_secs(1) }
}

const fn confidence_ramp(args: &MeasureArgs) -> Nanos {
    if args.quick { Nanos::from_millis(200) } else { Nanos::from_millis(500) }
}

/// The accuracy that is asked for, or the one that is customary.
pub(super) fn accuracy(args: &MeasureArgs) -> Result<Percent, Fault> {
    let percent = args.accuracy.map_or(if args.quick { 10.0 } else { 5.0 }, Percent::get);
    if !(0.1..=50.0).contains(&percent) {
        return Err(Fault::new(format!("an accuracy of {percent}% cannot be measured"))
            .fix("use 0.1% to 50%; 5% is customary"));
    }
    Percent::new(percent)
}

/// The rule that ends a point by its accuracy.
fn confidence(args: &MeasureArgs) -> Result<StopRule, Fault> {
    let accuracy = accuracy(args)?;
    let (min, max) = match args.quick {
        true => (Nanos::from_millis(500), Nanos::from_secs(2)),
        false => (Nanos::from_secs(2), Nanos::from_secs(30)),
    };
    // One limit that is given moves the default of the other.
    let measure_min = args.min_time.unwrap_or(args.max_time.map_or(min, |limit| min.min(limit)));
    let measure_max = args.max_time.unwrap_or(max.max(measure_min));
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
