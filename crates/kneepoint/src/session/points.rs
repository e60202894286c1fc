//! The points of a plan, one after the other, each kept as soon as it is measured.

use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Outcome, Point};
use kneepoint_core::plan::Plan;
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, RunState, Verdict};
use kneepoint_core::search::{NextPoint, next_point};
use kneepoint_store::Histograms;

use super::Interrupt;
use super::keep::Keep;
use super::monitor::LivePoint;
use super::owner;
use super::stage::{Entered, Stage};
use super::vigil::{LEFT_BEHIND, Silence};
use crate::output::print::tell;
use crate::output::progress::RunProgress;

/// Measures every point of `plan` that is missing; ends early on Ctrl-C and on a point that failed.
pub(super) fn measure_missing(
    plan: &Plan,
    stage: &mut Stage<'_>,
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let missing = plan.point_count().saturating_sub(keep.points().len());
    let mut progress = RunProgress::new(plan, missing);
    while let Some(next) = next_point(plan, keep.points()) {
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
        let failed = result.verdict == Verdict::Failed;
        keep.save_point(result.clone(), &histograms(&outcome))?;
        progress.end(&result);
        if failed {
            progress.finish();
            tell(failure(keep.points()));
            return Ok(RunState::Failed);
        }
        if let Some(text) = foreign.first() {
            progress.finish();
            return Err(changed(text));
        }
    }
    progress.finish();
    Ok(RunState::Complete)
}

/// Measures one point; nothing where it was interrupted.
pub(super) fn measure(
    point: Point<'_>,
    instrument: &mut dyn Instrument,
    progress: &RunProgress,
    interrupt: &Interrupt,
) -> Result<Option<Outcome>, Fault> {
    if interrupt.is_asked() {
        return Ok(None);
    }
    progress.begin(&point);
    let started_at = owner::now();
    let mut live = LivePoint { point, progress, interrupt, silence: Silence::default() };
    let outcome = instrument.run_point(&point, &mut live)?;
    if outcome.stuck > 0 {
        tell(LEFT_BEHIND);
    }
    Ok((!outcome.interrupted).then_some(Outcome { started_at, ..outcome }))
}

/// The response times of a point, as the store keeps them.
pub(super) fn histograms(outcome: &Outcome) -> Histograms {
    let [read, write] = &outcome.measurement.histograms;
    Histograms { read: Some(read.encode()), write: Some(write.encode()) }
}

/// Why the run cannot go on: its next points would be measured at another setting than they say, and
/// what someone else set is not written over.
pub(super) fn changed(text: &str) -> Fault {
    Fault::new("the run ends: a setting is no longer its own").because(text).fix(
        "the value was left as it is, and the point before is marked as disturbed; let no one \
         else change it, and measure the rest with `kneepoint resume`",
    )
}

/// Why the run ends at its last point, which failed.
fn failure(measured: &[PointResult]) -> String {
    let Some(result) = measured.last() else { return String::new() };
    let warnings = result.warnings.join("; ");
    format!("the run ends: {}, {} failed: {warnings}", result.key(), result.load())
}
