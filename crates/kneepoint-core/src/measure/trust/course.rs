//! The course of a point: level shifts, I/Os of an open loop that were submitted late, and stalls.

use super::disturbed_by;
use crate::measure::measurement::Measurement;
use crate::measure::point::open_loop_result;
use crate::measure::stall::Stall;
use crate::measure::{Outcome, Point};
use crate::plan::Engine;
use crate::result::warning::StallEnding;
use crate::result::{OpenLoopResult, ThroughputUnit, Warning};
use crate::words::units::Nanos;

/// The two levels differ by at least this factor.
const RATIO_MIN: f64 = 1.25;

/// Each level lasts for at least this share of the series.
const SHARE_MIN: f64 = 0.2;

/// Shortest series that is looked at, in intervals: each level then has at least five.
const LENGTH_MIN: usize = 25;

/// The difference of the levels in standard errors. Without any change, the best of all splits of
/// a hundred independent normal values stays below 3.5 in 99 of 100 series (by simulation; the
/// statistic is that of D. M. Hawkins, "Testing a sequence of observations for a shift in
/// location", JASA 72, 1977). Twice that leaves room for an error in the estimated correlation.
const SCORE_MIN: f64 = 8.0;

/// Two levels must leave at most this share of the squares that a straight line leaves: a slow
/// drift is not a shift.
const LINE_SHARE_MAX: f64 = 0.7;

/// Estimates of the correlation are not trusted above this.
const CORRELATION_MAX: f64 = 0.8;

/// Two levels and where the second begins.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Split {
    start: usize,
    before: f64,
    after: f64,
    /// Sum of the squares around both levels.
    rest: f64,
}

/// A change of level in operations per interval; `unit` is that of their rate.
pub(super) fn level_shift_finding(
    counts: &[f64],
    (interval, unit): (Nanos, ThroughputUnit),
) -> Option<Warning> {
    let split = level_shift(counts)?;
    let seconds = interval.as_secs_f64();
    Some(Warning::LevelShift {
        at_s: seconds * split.start as f64,
        before_rate: split.before / seconds,
        after_rate: split.after / seconds,
        unit,
    })
}

/// The change of level, where there is one beyond doubt.
fn level_shift(counts: &[f64]) -> Option<Split> {
    if counts.len() < LENGTH_MIN {
        return None;
    }
    let split = best_split(counts)?;
    let (low, high) = (split.before.min(split.after), split.before.max(split.after));
    let is_large = high > 0.0 && high >= RATIO_MIN * low;
    let is_sudden = split.rest <= LINE_SHARE_MAX * rest_of_line(counts);
    (is_large && is_sudden && score(counts, &split) >= SCORE_MIN).then_some(split)
}

/// The split that leaves the least squares.
fn best_split(counts: &[f64]) -> Option<Split> {
    let length = counts.len();
    let shortest = (libm::ceil(SHARE_MIN * length as f64) as usize).max(1);
    let total: f64 = counts.iter().sum();
    let squares: f64 = counts.iter().map(|count| count * count).sum();
    let mut sum: f64 = counts[..shortest].iter().sum();
    let mut best: Option<Split> = None;
    let starts = counts.iter().enumerate().take(length - shortest + 1).skip(shortest);
    for (start, count) in starts {
        let (first, second) = (start as f64, (length - start) as f64);
        let (before, after) = (sum / first, (total - sum) / second);
        let rest = (squares - first * before * before - second * after * after).max(0.0);
        if best.is_none_or(|split| rest < split.rest) {
            best = Some(Split { start, before, after, rest });
        }
        sum += count;
    }
    best
}

/// The difference of the levels in standard errors, corrected for the correlation of what is left.
fn score(counts: &[f64], split: &Split) -> f64 {
    let level = |index: usize| if index < split.start { split.before } else { split.after };
    let rest: Vec<f64> =
        counts.iter().enumerate().map(|(index, count)| count - level(index)).collect();
    let scatter: f64 = rest.iter().map(|value| value * value).sum();
    let products: f64 = rest.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let difference = (split.after - split.before).abs();
    // Levels without any scatter are certain; rounding alone must not be divided by.
    if scatter <= 1e-18 * difference * difference {
        return f64::INFINITY;
    }
    let correlation = (products / scatter).clamp(0.0, CORRELATION_MAX);
    let inflation = (1.0 + correlation) / (1.0 - correlation);
    let (first, all) = (split.start as f64, counts.len() as f64);
    let variance = scatter / (all - 2.0) * inflation * (1.0 / first + 1.0 / (all - first));
    difference / libm::sqrt(variance)
}

/// Sum of the squares around the straight line through the series.
fn rest_of_line(counts: &[f64]) -> f64 {
    let length = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / length;
    let place = |index: usize| index as f64 - (length - 1.0) / 2.0;
    let spread = length * (length * length - 1.0) / 12.0;
    let along: f64 =
        counts.iter().enumerate().map(|(index, count)| place(index) * (count - mean)).sum();
    let scatter: f64 = counts.iter().map(|count| (count - mean) * (count - mean)).sum();
    scatter - along * along / spread
}

/// Lateness is told above this share of the mean response time.
const LAG_SHARE_MAX: f64 = 0.10;

/// With the null target the whole response time is the generator's. It is late above what a
/// processor takes to wake up, in milliseconds.
const NULL_LAG_MS_MIN: f64 = 0.050;

/// What the lateness of a point of an open loop says; nothing if the target itself was overloaded,
/// for then its queue was full and I/Os had to wait.
pub(super) fn lateness(point: &Point<'_>, measurement: &Measurement) -> Option<Warning> {
    judge_lateness(&open_loop_result(point, measurement)?, point.plan.engine.engine)
}

fn judge_lateness(open: &OpenLoopResult, engine: Engine) -> Option<Warning> {
    let is_null_own = engine == Engine::Null && open.lag_mean_ms < NULL_LAG_MS_MIN;
    let share = open.lag_share();
    if open.overloaded || is_null_own || engine == Engine::Sim || share <= LAG_SHARE_MAX {
        return None;
    }
    let OpenLoopResult { lag_mean_ms, lag_max_ms, .. } = *open;
    let disturbed_percent = disturbed_by(share);
    Some(Warning::SubmittedLate { lag_mean_ms, lag_max_ms, disturbed_percent })
}

/// A stop of the generator explains a stall unless the stall was longer than it by this much.
const EXPLAINED: Nanos = Nanos::from_millis(500);

/// A large part of a visit is not long: what takes less than this is the target's own way, which
/// the search sees by the scatter of its visits.
const STALL_OF_VISIT_MIN: Nanos = Nanos::from_secs(5);

/// The generator may stand still for this share of the measured time.
const PAUSED_SHARE_MAX: f64 = 0.05;

/// The longest I/O, where it took a large part of the measured time; and a generator that was
/// stopped itself.
pub(super) fn standstills(point: &Point<'_>, outcome: &Outcome) -> Vec<Warning> {
    let stall = stall(point, outcome);
    stall.into_iter().chain(pause(outcome.paused, &outcome.measurement)).collect()
}

/// The generator did not run: I/Os that completed meanwhile were seen late.
fn pause(paused: Nanos, measurement: &Measurement) -> Option<Warning> {
    let limit = PAUSED_SHARE_MAX * measurement.measured().as_secs_f64();
    let paused_s = paused.as_secs_f64();
    (paused_s > limit).then_some(Warning::Stopped { paused_s })
}

fn stall(point: &Point<'_>, outcome: &Outcome) -> Option<Warning> {
    // Where processors are the target, whoever waits for one is served as the scheduler likes.
    point.series.profile.storage()?;
    let (measurement, paused) = (&outcome.measurement, outcome.paused);
    let stall = measurement.stall()?;
    if point.visit.is_some() && stall.time() < STALL_OF_VISIT_MIN {
        return None;
    }
    if stall.time() <= paused + EXPLAINED && paused > Nanos::ZERO {
        return None;
    }
    let (time, ending) = match stall {
        Stall::Completed(time) => (time, StallEnding::Completed),
        Stall::Outlasting(time) => (time, StallEnding::Outlasted),
        Stall::Lost(time) => (time, StallEnding::Lost),
    };
    Some(Warning::Stalled {
        stalled_s: time.as_secs_f64(),
        measured_s: measurement.measured().as_secs_f64(),
        ending,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::confidence::DriftBefore;
    use crate::measure::search::Visit;
    use crate::measure::stall::tests::measurement;
    use crate::plan::tests::plan_of;
    use crate::spec::catalog;
    use crate::words::load::LoadLevel;

    #[test]
    fn a_stall_of_two_seconds_disturbs_a_point_but_not_a_visit() {
        let plan = plan_of("null:", 1);
        let found = |seconds: u64, visit: Option<Visit>| {
            let (series, load) = (&plan.series[0], LoadLevel::outstanding(4));
            let before = DriftBefore::default();
            let point = Point { plan: &plan, series, load, repetition: 0, visit, before };
            let mut stalled = measurement();
            stalled.classes[0].tally.latency_max = Nanos::from_secs(seconds);
            standstills(&point, &Outcome::new(stalled, &[])).len()
        };
        let visit = Some(Visit::shortest(&plan.series[0]));
        assert_eq!((found(2, None), found(2, visit)), (1, 0));
        assert_eq!((found(6, None), found(6, visit)), (1, 1));
        assert_eq!((found(0, None), found(0, visit)), (0, 0));
    }

    #[test]
    fn only_an_io_stalls() {
        let plan = plan_of("null:", 1);
        let mut business = plan.series[0].clone();
        business.profile = catalog::profile("business-operations").unwrap().resolve(None).unwrap();
        let found = |series| {
            let (load, before) = (LoadLevel::outstanding(4), DriftBefore::default());
            let point = Point { plan: &plan, series, load, repetition: 0, visit: None, before };
            let mut stalled = measurement();
            stalled.classes[0].tally.latency_max = Nanos::from_secs(2);
            standstills(&point, &Outcome::new(stalled, &[])).len()
        };
        assert_eq!((found(&plan.series[0]), found(&business)), (1, 0));
    }

    /// A series around `level(index)` with a scatter of +-10 % from a fixed generator.
    fn series(length: usize, level: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut state = 12_345_u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64 / (1_u64 << 24) as f64 - 0.5
        };
        (0..length).map(|index| level(index) * (1.0 + 0.2 * noise())).collect()
    }

    #[test]
    fn a_lasting_change_is_found_where_it_is() {
        let check = |length: usize, at: usize, factor: f64| {
            let counts = series(length, |index| if index < at { 1000.0 } else { 1000.0 * factor });
            let split = level_shift(&counts).unwrap_or_else(|| panic!("{length} {at} {factor}"));
            assert!(split.start.abs_diff(at) <= 1, "{split:?}");
            let error = (split.after - factor * split.before).abs();
            assert!(error < 0.05 * split.before, "{split:?}");
        };
        check(30, 10, 0.5);
        check(100, 30, 0.3);
        check(100, 75, 0.7);
        check(300, 100, 1.5);
        check(50, 25, 0.0);
    }

    #[test]
    fn other_courses_are_no_shift() {
        let check = |name: &str, counts: Vec<f64>| assert_eq!(level_shift(&counts), None, "{name}");
        check("level", series(100, |_| 1000.0));
        check("too small", series(100, |index| if index < 50 { 1000.0 } else { 900.0 }));
        check("too short", series(20, |index| if index < 10 { 1000.0 } else { 100.0 }));
        check("slow drift", series(100, |index| 1000.0 + 10.0 * index as f64));
        check("a dip", series(100, |index| if (40..50).contains(&index) { 10.0 } else { 1000.0 }));
        check("waves", series(100, |index| if index / 10 % 2 == 0 { 1000.0 } else { 500.0 }));
        check("at the end", series(100, |index| if index < 90 { 1000.0 } else { 500.0 }));
        check("nothing", vec![0.0; 100]);
        check("constant", vec![7.0; 100]);
    }

    #[test]
    fn the_text_names_the_time_and_the_levels() {
        let counts: Vec<f64> = (0..100).map(|index| if index < 40 { 50.0 } else { 20.0 }).collect();
        let text = level_shift_finding(&counts, (Nanos::from_millis(100), ThroughputUnit::Iops))
            .unwrap()
            .text();
        assert!(text.starts_with("level shift: 4.0 s"), "{text}");
        assert!(text.contains("fell from 500") && text.contains("to 200"), "{text}");
    }

    fn open(lag_mean_ms: f64, service_mean_ms: f64) -> OpenLoopResult {
        OpenLoopResult {
            offered_rate: 1_000.0,
            delivered_rate: 1_000.0,
            overloaded: false,
            lag_mean_ms,
            lag_max_ms: 10.0 * lag_mean_ms,
            service_mean_ms,
        }
    }

    #[test]
    fn more_than_a_tenth_of_the_mean_response_time_is_late() {
        let percent = |open: &OpenLoopResult, engine| {
            judge_lateness(open, engine)?.disturbed_percent().map(f64::round)
        };
        assert_eq!(percent(&open(0.1, 1.0), Engine::IoUring), None);
        assert_eq!(percent(&open(0.25, 0.75), Engine::IoUring), Some(25.0));
        assert_eq!(percent(&open(0.25, 0.75), Engine::Sim), None);
        assert_eq!(percent(&open(0.002, 0.0), Engine::Null), None);
        assert_eq!(percent(&open(0.434, 0.0), Engine::Null), Some(100.0));
        let overloaded = OpenLoopResult { overloaded: true, ..open(90.0, 10.0) };
        assert_eq!(percent(&overloaded, Engine::IoUring), None);
        assert_eq!(percent(&open(0.0, 0.0), Engine::Null), None);
    }
}
