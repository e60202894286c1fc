//! Points that are measured again, each put in the place of the one before.

use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::Point;
use kneepoint_core::number::Iops;
use kneepoint_core::plan::Plan;
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, RunState, Verdict};
use kneepoint_core::search::NextPoint;

use super::Interrupt;
use super::keep::Keep;
use super::points::{changed, histograms, measure};
use super::stage::{Entered, Stage};
use crate::output::print::tell;
use crate::output::progress::RunProgress;

/// Measures the points again that `keep` names; ends early on Ctrl-C and on a point that failed.
/// A point is kept until its successor is measured.
pub(super) fn measure_again(
    plan: &Plan,
    stage: &mut Stage<'_>,
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let mut again = keep.take_again();
    if again.is_empty() {
        return Ok(RunState::Complete);
    }
    let mut progress = RunProgress::new(plan, again.len());
    while let Some(place) = again.pop() {
        let before = keep.points()[place].clone();
        let next = planned(plan, &before)?;
        if progress.aside(|| stage.enter(&next, interrupt))? == Entered::Interrupted {
            progress.finish();
            return Ok(RunState::Interrupted);
        }
        let NextPoint { series, load, repetition } = next;
        let Some((plan, instrument)) = stage.instrument() else { return Ok(RunState::Interrupted) };
        let point = Point { plan, series, load, repetition };
        let Some(outcome) = measure(point, instrument, &progress, interrupt)? else {
            progress.finish();
            return Ok(RunState::Interrupted);
        };
        let mut result = point_result(&point, &outcome);
        let foreign = stage.foreign_settings();
        for text in &foreign {
            result.disturb(format!("setting changed: {text}"));
        }
        if result.verdict == Verdict::Failed {
            progress.finish();
            let warning = failed_again(&result);
            tell(&warning);
            keep.add_warnings(&[warning])?;
            return Ok(RunState::Failed);
        }
        let parts = (&histograms(&outcome), replaced(&before));
        keep.replace_point(place, result.clone(), parts)?;
        progress.end(&result);
        if let Some(text) = foreign.first() {
            progress.finish();
            return Err(changed(text));
        }
    }
    progress.finish();
    Ok(RunState::Complete)
}

/// The place of a measured point in the plan.
fn planned<'a>(plan: &'a Plan, point: &PointResult) -> Result<NextPoint<'a>, Fault> {
    let series = plan.series.iter().find(|series| series.key() == point.key());
    let series = series.ok_or_else(|| {
        Fault::new(format!("cannot measure {} again", point.key()))
            .because("the plan of the run has no such series")
            .fix("measure a new run")
    })?;
    Ok(NextPoint { series, load: point.load(), repetition: point.repetition })
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
