//! The points of a plan, one after the other, each kept as soon as it is measured.

use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Outcome, Point};
use kneepoint_core::plan::Plan;
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, RunState, Verdict};
use kneepoint_core::search::Search;
use kneepoint_store::{Histograms, NewPoint, Store};

use super::Interrupt;
use super::monitor::LivePoint;
use super::owner;
use crate::output::print::tell;
use crate::output::progress::RunProgress;

/// Measures every point of `plan`; ends early on Ctrl-C and on a point that failed.
pub(super) fn measure_all(
    plan: &Plan,
    instrument: &mut dyn Instrument,
    (store, run): (&mut Store, &str),
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let timing = &plan.timing;
    let mut progress = RunProgress::new(plan.point_count(), timing.point_max(), timing.interval);
    let mut ordinal = 0;
    for series in &plan.series {
        let mut search = Search::new(series);
        while let Some(load) = search.next_level() {
            let point = Point { plan, series, load };
            let Some(outcome) = measure(point, instrument, &progress, interrupt)? else {
                progress.finish();
                return Ok(RunState::Interrupted);
            };
            let result = point_result(&point, &outcome);
            save(store, run, (ordinal, &result), &outcome)?;
            ordinal += 1;
            progress.end(&result, timing.point_max());
            if result.verdict == Verdict::Failed {
                progress.finish();
                tell(&failure(&result));
                return Ok(RunState::Failed);
            }
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

fn save(
    store: &mut Store,
    run: &str,
    (ordinal, result): (u32, &PointResult),
    outcome: &Outcome,
) -> Result<(), Fault> {
    let [read, write] = &outcome.measurement.histograms;
    let histograms = Histograms { read: Some(read.encode()), write: Some(write.encode()) };
    let point = NewPoint { ordinal, repetition: 0, result, histograms: &histograms };
    store.save_point(run, &point)
}

/// Why the run ends at a point that failed.
fn failure(result: &PointResult) -> String {
    let warnings = result.warnings.join("; ");
    format!("the run ends: {}, {} failed: {warnings}", result.series, result.load())
}
