//! Preconditioning: what is written before the first point, by the instrument that measures it.

use kneepoint_core::drive::Flow;
use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Monitor, Outcome, Point, Progress};
use kneepoint_core::number::{RoundedBytes, Span};
use kneepoint_core::plan::{Plan, StopRule};
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, SteadyStateResult, Verdict};
use kneepoint_core::search::{NextPoint, next_point};
use kneepoint_core::units::{Bytes, MIB, Nanos};

use super::Interrupt;
use super::vigil::{LEFT_BEHIND, Silence};
use crate::output::preparation::PhaseProgress;
use crate::output::print::tell;

/// What preconditioning came to.
#[derive(Debug, Default)]
pub(super) struct Preconditioned {
    /// What was written, a sentence for each phase.
    pub(super) notes: Vec<String>,
    /// What limits the trust in the points that follow.
    pub(super) warnings: Vec<String>,
}

/// Writes what the plan asks for before its first point; nothing where the user stopped it.
pub(super) fn precondition(
    plan: &Plan,
    instrument: &mut dyn Instrument,
    interrupt: &Interrupt,
) -> Result<Option<Preconditioned>, Fault> {
    let mut done = Preconditioned::default();
    for phase in plan.preconditioning() {
        match run_phase(&phase, instrument, interrupt)? {
            Some(result) => add(&mut done, &phase, &result),
            None => {
                tell("preconditioning was interrupted: the targets are only partly written over");
                return Ok(None);
            }
        }
    }
    Ok(Some(done))
}

/// Runs the one point of a phase; nothing where it was interrupted.
fn run_phase(
    phase: &Plan,
    instrument: &mut dyn Instrument,
    interrupt: &Interrupt,
) -> Result<Option<PointResult>, Fault> {
    let Some(NextPoint { series, load, repetition }) = next_point(phase, &[]) else {
        return Ok(None);
    };
    if interrupt.is_asked() {
        return Ok(None);
    }
    let point = Point { plan: phase, series, load, repetition };
    let mut monitor =
        LivePhase { progress: PhaseProgress::new(phase), interrupt, silence: Silence::default() };
    let outcome = instrument.run_point(&point, &mut monitor);
    monitor.progress.finish();
    let outcome = outcome?;
    if outcome.stuck > 0 {
        tell(LEFT_BEHIND);
    }
    match outcome.interrupted {
        true => Ok(None),
        false => checked(&point, &outcome).map(Some),
    }
}

/// A phase as it runs.
struct LivePhase<'a> {
    progress: PhaseProgress,
    interrupt: &'a Interrupt,
    silence: Silence,
}

impl Monitor for LivePhase<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> Flow {
        self.progress.interval(&progress);
        if self.interrupt.is_asked() { Flow::Stop } else { Flow::Continue }
    }

    fn look(&mut self, quiet: Nanos) -> Flow {
        self.silence.look(quiet, self.interrupt)
    }
}

/// The result of a phase that has ended; a fault where it failed.
fn checked(point: &Point<'_>, outcome: &Outcome) -> Result<PointResult, Fault> {
    let result = point_result(point, outcome);
    if result.verdict == Verdict::Failed {
        return Err(Fault::new("preconditioning failed").because(result.warnings.join("; ")));
    }
    if let StopRule::Volume { target_bytes, .. } = &point.plan.timing.stop {
        check_volume(point, outcome, target_bytes)?;
    }
    Ok(result)
}

/// Adds what is to be said of a phase, and says it.
fn add(done: &mut Preconditioned, phase: &Plan, result: &PointResult) {
    let note = note(phase, result);
    tell(format!("preconditioned: {note}"));
    if result.steady_state.as_ref().is_some_and(|found| !found.attained) {
        done.warnings.push(format!("preconditioning did not reach steady state: {note}"));
    }
    done.notes.push(note);
}

/// Refuses to go on after a target that did not take its bytes in time.
fn check_volume(point: &Point<'_>, outcome: &Outcome, target_bytes: &[u64]) -> Result<(), Fault> {
    let measured = &outcome.measurement;
    let mut targets = point.plan.targets.iter().zip(target_bytes.iter().zip(&measured.targets));
    let slow = targets.find(|(_, (wanted, [_, written]))| written.bytes < **wanted);
    let Some((target, (wanted, [_, written]))) = slow else { return Ok(()) };
    Err(Fault::new(format!("{} is too slow to be preconditioned", target.target)).because(format!(
        "it took {} of {} in {}",
        RoundedBytes(written.bytes),
        RoundedBytes(*wanted),
        Span(measured.measured())
    )))
}

/// What was written, and how it ended.
fn note(phase: &Plan, result: &PointResult) -> String {
    let series = &phase.series[0].profile;
    let order = if series.is_sequential() { "sequential" } else { "random" };
    let block = Bytes(series.block_bytes_max());
    let (written, ending) = match &result.steady_state {
        Some(found) => {
            let mib_s: f64 = found.rounds.iter().map(|round| round.throughput_mib_s).sum();
            (mib_s * found.round_s, ending(found))
        }
        None => {
            let span = Span(Nanos::from_secs_f64(result.measured_s));
            (result.throughput_mib_s.mean * result.measured_s, format!("in {span}"))
        }
    };
    let written = RoundedBytes((written * MIB as f64).round() as u64);
    format!("{written} of {order} writes of {block}, {ending}")
}

/// Whether the rounds became steady, and the numbers that say so.
fn ending(found: &SteadyStateResult) -> String {
    let count = found.rounds.len();
    let judged = found.window.map_or_else(String::new, |window| {
        format!(
            " (range {:.1} %, slope {:.1} % over the last {})",
            window.range_percent,
            window.slope_percent,
            count - window.first_round as usize
        )
    });
    let word = if found.attained { "steady" } else { "not steady" };
    format!("{word} after {count} rounds{judged}")
}
