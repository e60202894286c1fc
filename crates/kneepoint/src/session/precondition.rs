//! Preconditioning: what is written before the first point, by the instrument that measures it.

use kneepoint_core::drive::Flow;
use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Monitor, Outcome, Point, Progress};
use kneepoint_core::number::{RoundedBytes, Span};
use kneepoint_core::plan::{Plan, StopRule};
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, Verdict};
use kneepoint_core::search::{NextPoint, next_point};
use kneepoint_core::units::Bytes;

use super::Interrupt;
use crate::output::preparation::PhaseProgress;
use crate::output::print::tell;

/// Writes what the plan asks for before its first point; what is to be said of it, or nothing
/// where the user stopped it.
pub(super) fn precondition(
    plan: &Plan,
    instrument: &mut dyn Instrument,
    interrupt: &Interrupt,
) -> Result<Option<Vec<String>>, Fault> {
    let mut notes = Vec::new();
    for phase in plan.preconditioning() {
        match run_phase(&phase, instrument, interrupt)? {
            Some(note) => notes.push(note),
            None => {
                tell("preconditioning was interrupted: the targets are only partly written over");
                return Ok(None);
            }
        }
    }
    Ok(Some(notes))
}

/// Runs the one point of a phase; nothing where it was interrupted.
fn run_phase(
    phase: &Plan,
    instrument: &mut dyn Instrument,
    interrupt: &Interrupt,
) -> Result<Option<String>, Fault> {
    let Some(NextPoint { series, load, repetition }) = next_point(phase, &[]) else {
        return Ok(None);
    };
    if interrupt.is_asked() {
        return Ok(None);
    }
    let point = Point { plan: phase, series, load, repetition };
    let mut monitor = LivePhase { progress: PhaseProgress::new(phase), interrupt };
    let outcome = instrument.run_point(&point, &mut monitor);
    monitor.progress.finish();
    let outcome = outcome?;
    match outcome.interrupted {
        true => Ok(None),
        false => note(&point, &outcome).map(Some),
    }
}

/// A phase as it runs.
struct LivePhase<'a> {
    progress: PhaseProgress,
    interrupt: &'a Interrupt,
}

impl Monitor for LivePhase<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> Flow {
        self.progress.interval(&progress);
        if self.interrupt.is_asked() { Flow::Stop } else { Flow::Continue }
    }
}

/// What is to be said of a phase that has ended; a fault where it failed.
fn note(point: &Point<'_>, outcome: &Outcome) -> Result<String, Fault> {
    let result = point_result(point, outcome);
    if result.verdict == Verdict::Failed {
        return Err(Fault::new("preconditioning failed").because(result.warnings.join("; ")));
    }
    let block = RoundedBytes(result.block_bytes);
    let note = match &point.plan.timing.stop {
        StopRule::Volume { target_bytes, .. } => {
            let written = outcome.measurement.total().bytes;
            check_volume(point, outcome, target_bytes)?;
            format!(
                "preconditioned: {} were written in sequence in {}, {block} blocks",
                RoundedBytes(written),
                Span(outcome.measurement.measured()),
            )
        }
        _ => random_note(&result, &block),
    };
    tell(&note);
    Ok(note)
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

/// What is to be said of the random writes.
fn random_note(result: &PointResult, block: &RoundedBytes) -> String {
    let Some(found) = &result.steady_state else {
        return format!("preconditioned: {block} random writes");
    };
    let mib_s: f64 = found.rounds.iter().map(|round| round.throughput_mib_s).sum();
    let written = Bytes((mib_s * found.round_s * 1024.0 * 1024.0) as u64);
    let count = found.rounds.len();
    let judged = found.window.map_or_else(String::new, |window| {
        format!(
            ": range {:.1} %, slope {:.1} % over the last {}",
            window.range_percent,
            window.slope_percent,
            count - window.first_round as usize
        )
    });
    let ending = match found.attained {
        true => format!("steady after {count} rounds"),
        false => format!("NOT steady after {count} rounds; the points may still drift"),
    };
    format!(
        "preconditioned: {} of {block} random writes, {ending}{judged}",
        RoundedBytes(written.0)
    )
}
