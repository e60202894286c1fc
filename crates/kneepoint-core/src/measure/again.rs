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
    Ok(NextPoint { series, load: point.load, repetition: point.repetition, visit })
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

/// That a point could not be measured again.
pub(super) fn failed_again(result: &PointResult) -> Warning {
    Warning::FailedAgain {
        series: result.key().to_string(),
        load: result.load,
        warnings: result.warnings.clone(),
    }
}
