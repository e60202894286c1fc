//! The time that a search by visits may take.

use crate::plan::{Plan, SeriesPlan};
use crate::words::units::Nanos;

/// A series may take this many times the longest time of a point, for each rule and for the peak.
const POINTS_MAX: u64 = 4;

/// It settles for what it knows after this share of the longest time of a point for the first answer...
const FIRST_SHARE: f64 = 0.72;

/// ... and this one for each other: they share visits.
const OTHER_SHARE: f64 = 0.10;

/// What a search for one answer usually takes (docs/confidence.md).
const USUAL: Nanos = Nanos::from_secs(20);

/// The most time that a search of `series` by visits takes in one repetition, ramps included; `None` for a
/// series that is measured otherwise.
pub fn longest(plan: &Plan, series: &SeriesPlan) -> Option<Nanos> {
    let answers = plan.answers_of(series)? as u64;
    Some(Nanos(plan.timing.stop.measure_max().0.saturating_mul(POINTS_MAX * answers)))
}

/// The time after which such a search settles for what it knows.
pub(super) fn enough(plan: &Plan, series: &SeriesPlan) -> Option<Nanos> {
    let others = plan.answers_of(series)?.saturating_sub(1) as f64;
    let share = FIRST_SHARE + OTHER_SHARE * others;
    Some(Nanos::from_secs_f64(share * plan.timing.stop.measure_max().as_secs_f64()))
}

/// The time that it usually takes: less for what answers at once, more for slow or uneven targets.
pub fn usual(plan: &Plan, series: &SeriesPlan) -> Option<Nanos> {
    let usual = plan.answers_of(series).map(|answers| Nanos(USUAL.0 * (answers as u64 + 1) / 2));
    usual.zip(enough(plan, series)).map(|(usual, enough)| usual.min(enough))
}
