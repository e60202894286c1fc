//! Points that are measured again, each put in the place of the one before.

use kneepoint_core::fault::Fault;
use kneepoint_core::number::Iops;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::{PointResult, Verdict};
use kneepoint_core::search::{NextPoint, is_superseded};
use kneepoint_store::Histograms;

use super::keep::Keep;

/// Places of the disturbed points for which there is no undisturbed measurement.
pub(crate) fn disturbed(points: &[PointResult]) -> Vec<usize> {
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
    Ok(NextPoint { series, load: point.load(), repetition: point.repetition })
}

/// Keeps a point in the place of the one before, unless it failed; says why the run ends then.
pub(super) fn replace(
    keep: &mut Keep<'_>,
    place: usize,
    (result, histograms): (&PointResult, &Histograms),
) -> Result<Option<String>, Fault> {
    if result.verdict == Verdict::Failed {
        let warning = failed_again(result);
        keep.add_warnings(std::slice::from_ref(&warning))?;
        return Ok(Some(warning));
    }
    let warning = replaced(&keep.points()[place]);
    keep.replace_point(place, result.clone(), (histograms, warning))?;
    Ok(None)
}

/// What is said of a point that another one replaces.
fn replaced(before: &PointResult) -> String {
    format!(
        "{} at {} was measured again: {}, {}, before",
        before.key(),
        before.load(),
        Iops(before.iops.mean),
        before.verdict_text()
    )
}

/// What is said of a point that could not be measured again.
fn failed_again(result: &PointResult) -> String {
    let warnings = result.warnings.join("; ");
    format!(
        "{} at {} failed when it was measured again, and the point before is kept: {warnings}",
        result.key(),
        result.load()
    )
}
