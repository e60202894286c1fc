//! Points that are measured again, each put in the place of the one before.

use super::keeper::KeptPlace;
use crate::measure::search::{NextPoint, Visit, is_superseded};
use crate::plan::Plan;
use crate::result::warning::ReplacedPoint;
use crate::result::{PointResult, Verdict, Warning};
use crate::words::fault::Fault;

/// Places of the disturbed points for which there is no undisturbed measurement.
pub fn disturbed(points: &[PointResult]) -> Vec<usize> {
    let is_disturbed =
        |point: &PointResult| point.verdict == Verdict::Disturbed && !is_superseded(point, points);
    (0..points.len()).filter(|place| is_disturbed(&points[*place])).collect()
}

/// The place of a measured point in the plan.
pub(super) fn planned<'a>(plan: &'a Plan, point: &PointResult) -> Result<NextPoint<'a>, Fault> {
    let series = plan.series.iter().find(|series| series.key() == point.key());
    let series = series.ok_or_else(|| {
        Fault::new(format!("cannot measure {} again", point.key()))
            .because("the plan of the run has no such series")
            .fix("measure a new run")
    })?;
    let visit = Visit::again(series, point);
    // What is measured with another series is measured with it again.
    let (series, load) = plan.lead_of(series).unwrap_or((series, point.load));
    Ok(NextPoint { series, load, repetition: point.repetition, visit })
}

/// The place of the point at `index`, and what is said of the one that was there.
pub(super) fn instead_of(before: &PointResult, index: usize) -> KeptPlace {
    let point = ReplacedPoint {
        series: before.key().to_string(),
        load: before.load,
        rate: before.rate.mean,
        unit: before.rate.unit,
        verdict: before.verdict,
        disturbed_percent: before.disturbed_percent,
    };
    KeptPlace::InsteadOf { index, warning: Warning::MeasuredAgain(point) }
}

/// Where a point that was measured with others belongs: in the place of the one that is kept already, if
/// there is one.
pub(super) fn place_of(point: &PointResult, kept: &[PointResult]) -> KeptPlace {
    let is_same = |other: &PointResult| {
        other.key() == point.key()
            && other.load == point.load
            && other.repetition == point.repetition
    };
    let index = kept.iter().position(is_same);
    index.map_or(KeptPlace::After, |index| instead_of(&kept[index], index))
}

/// Of the points at `places` those that are not measured again with one before.
pub(super) fn once_each(plan: &Plan, points: &[PointResult], places: Vec<usize>) -> Vec<usize> {
    let mut known: Vec<NextPoint<'_>> = Vec::new();
    let is_new = |place: &usize| match planned(plan, &points[*place]) {
        Ok(next) if next.series.together.is_some() => {
            let is_new = !known.contains(&next);
            known.push(next);
            is_new
        }
        _ => true,
    };
    places.into_iter().filter(is_new).collect()
}

/// That a point could not be measured again.
pub(super) fn failed_again(result: &PointResult) -> Warning {
    Warning::FailedAgain {
        series: result.key().to_string(),
        load: result.load,
        warnings: result.warnings.clone(),
    }
}
