//! The points of a plan, one after the other, each kept as soon as it is measured.

use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::CopyResult;
use kneepoint_core::instrument::{Instrument, Outcome, Point};
use kneepoint_core::plan::Plan;
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, RunState, Verdict};
use kneepoint_core::search::{NextPoint, next_point};
use kneepoint_store::{Histograms, NewPoint, Store};

use super::Interrupt;
use super::monitor::LivePoint;
use super::owner;
use super::stage::{Entered, Stage};
use crate::output::print::tell;
use crate::output::progress::RunProgress;

/// Where the points of a run are kept, and which are there already.
pub(super) struct Keep<'a> {
    pub(super) store: &'a mut Store,
    /// Name of the run.
    pub(super) run: &'a str,
    /// The points measured so far.
    pub(super) measured: Vec<PointResult>,
    /// The copies of files made so far.
    pub(super) copies: Vec<CopyResult>,
}

/// Measures every point of `plan` that is missing; ends early on Ctrl-C and on a point that failed.
pub(super) fn measure_missing(
    plan: &Plan,
    stage: &mut Stage<'_>,
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let timing = &plan.timing;
    let missing = plan.point_count().saturating_sub(keep.measured.len());
    let mut progress = RunProgress::new(missing, timing.point_max(), timing.interval);
    while let Some(next) = next_point(plan, &keep.measured) {
        if stage.enter(&next, interrupt)? == Entered::Interrupted {
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
        let result = point_result(&point, &outcome);
        save(keep, &result, &outcome)?;
        progress.end(&result);
        let failed = result.verdict == Verdict::Failed;
        keep.measured.push(result);
        if failed {
            progress.finish();
            tell(&failure(&keep.measured));
            return Ok(RunState::Failed);
        }
    }
    progress.finish();
    Ok(RunState::Complete)
}

/// Measures one point; nothing where it was interrupted.
fn measure(
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
    let mut live = LivePoint { point, progress, interrupt };
    let outcome = instrument.run_point(&point, &mut live)?;
    Ok((!outcome.interrupted).then_some(Outcome { started_at, ..outcome }))
}

fn save(keep: &mut Keep<'_>, result: &PointResult, outcome: &Outcome) -> Result<(), Fault> {
    let [read, write] = &outcome.measurement.histograms;
    let histograms = Histograms { read: Some(read.encode()), write: Some(write.encode()) };
    let ordinal = keep.measured.len() as u32;
    let repetition = result.repetition;
    let point = NewPoint { ordinal, repetition, result, histograms: &histograms };
    keep.store.save_point(keep.run, &point)
}

/// Why the run ends at its last point, which failed.
fn failure(measured: &[PointResult]) -> String {
    let Some(result) = measured.last() else { return String::new() };
    let warnings = result.warnings.join("; ");
    format!("the run ends: {}, {} failed: {warnings}", result.key(), result.load())
}
