//! The points of a plan, one after the other, each kept as soon as it is measured.

use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Outcome, Point};
use kneepoint_core::plan::Plan;
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, RunState, Verdict};
use kneepoint_core::search::{NextPoint, next_point};
use kneepoint_store::Histograms;

use super::Interrupt;
use super::again;
use super::keep::Keep;
use super::monitor::LivePoint;
use super::owner;
use super::stage::{Entered, Stage};
use super::vigil::{LEFT_BEHIND, Silence};
use crate::output::print::tell;
use crate::output::progress::RunProgress;

/// Measures the points again that `keep` names, then every point of `plan` that is missing; ends
/// early on Ctrl-C and on a point that failed.
pub(super) fn measure_points(
    plan: &Plan,
    stage: &mut Stage<'_>,
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let missing = plan.point_count().saturating_sub(keep.points().len());
    let mut progress = RunProgress::new(plan, keep.again().len() + missing);
    let end = measure_all(plan, (stage, keep), &mut progress, interrupt);
    progress.finish();
    Ok(match end? {
        End::Complete => RunState::Complete,
        End::Interrupted => RunState::Interrupted,
        End::Failed(why) => {
            tell(why);
            RunState::Failed
        }
    })
}

/// How measuring ended.
enum End {
    /// Everything is measured.
    Complete,
    /// The user stopped it.
    Interrupted,
    /// A point failed, and what is said of it.
    Failed(String),
}

fn measure_all(
    plan: &Plan,
    (stage, keep): (&mut Stage<'_>, &mut Keep<'_>),
    progress: &mut RunProgress,
    interrupt: &Interrupt,
) -> Result<End, Fault> {
    while let Some((next, place)) = upcoming(plan, keep)? {
        if progress.aside(|| stage.enter(&next, interrupt))? == Entered::Interrupted {
            return Ok(End::Interrupted);
        }
        let NextPoint { series, load, repetition } = next;
        let Some((plan, instrument)) = stage.instrument() else { return Ok(End::Interrupted) };
        let point = Point { plan, series, load, repetition };
        let Some(outcome) = measure(point, instrument, progress, interrupt)? else {
            return Ok(End::Interrupted);
        };
        let mut result = point_result(&point, &outcome);
        let foreign = stage.foreign_settings();
        for text in &foreign {
            result.disturb(format!("setting changed: {text}"));
        }
        let measured = (&result, &histograms(&outcome));
        let failure = match place {
            Place::After => add(keep, measured)?,
            Place::InsteadOf(place) => again::replace(keep, place, measured)?,
        };
        progress.end(&result);
        if let Some(why) = failure {
            return Ok(End::Failed(why));
        }
        if let Some(text) = foreign.first() {
            return Err(changed(text));
        }
    }
    Ok(End::Complete)
}

/// Where a point belongs among the measured ones.
enum Place {
    /// After all of them.
    After,
    /// In the place of this one.
    InsteadOf(usize),
}

/// What is measured next, and where it belongs; nothing at the end of the run.
fn upcoming<'a>(
    plan: &'a Plan,
    keep: &mut Keep<'_>,
) -> Result<Option<(NextPoint<'a>, Place)>, Fault> {
    Ok(match keep.next_again() {
        Some(place) => {
            let next = again::planned(plan, &keep.points()[place])?;
            Some((next, Place::InsteadOf(place)))
        }
        None => next_point(plan, keep.points()).map(|next| (next, Place::After)),
    })
}

/// Keeps a point; says why the run ends with it if it failed.
fn add(
    keep: &mut Keep<'_>,
    (result, histograms): (&PointResult, &Histograms),
) -> Result<Option<String>, Fault> {
    keep.save_point(result.clone(), histograms)?;
    Ok((result.verdict == Verdict::Failed).then(|| failure(result)))
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
    let mut live = LivePoint { point, progress, interrupt, silence: Silence::default() };
    let outcome = instrument.run_point(&point, &mut live)?;
    if outcome.stuck > 0 {
        tell(LEFT_BEHIND);
    }
    Ok((!outcome.interrupted).then_some(Outcome { started_at, ..outcome }))
}

/// The response times of a point, as the store keeps them.
fn histograms(outcome: &Outcome) -> Histograms {
    let [read, write] = &outcome.measurement.histograms;
    Histograms { read: Some(read.encode()), write: Some(write.encode()) }
}

/// Why the run cannot go on: its next points would be measured at another setting than they say, and
/// what someone else set is not written over.
fn changed(text: &str) -> Fault {
    Fault::new("the run ends: a setting is no longer its own").because(text).fix(
        "the value was left as it is, and the point before is marked as disturbed; let no one \
         else change it, and measure the rest with `kneepoint resume`",
    )
}

/// Why the run ends at a point that failed.
fn failure(result: &PointResult) -> String {
    let warnings = result.warnings.join("; ");
    format!("the run ends: {}, {} failed: {warnings}", result.key(), result.load())
}
