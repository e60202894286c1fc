//! Preconditioning: what is written before the first point, by the loop that measures it.

use super::instrument::Outcome;
use super::keeper::{Keeper, Place};
use super::observer::Observer;
use super::run::Run;
use super::stop::Stop;
use super::testbed::Testbed;
use crate::plan::{Plan, StopRule};
use crate::result::{PointResult, SteadyStateResult, Verdict, Warning};
use crate::words::fault::Fault;
use crate::words::number::{RoundedBytes, Span};
use crate::words::units::{Bytes, MIB, Nanos};

/// What preconditioning gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preconditioned {
    /// What was written, a sentence for each phase.
    pub notes: Vec<String>,
    /// What limits the trust in the points that follow, a sentence each.
    pub warnings: Vec<String>,
}

/// Writes what the plan asks for before its first point, with the testbed ready for that point.
pub(super) fn precondition(
    plan: &Plan,
    testbed: &mut dyn Testbed,
    observer: &mut dyn Observer,
) -> Result<Preconditioned, Stop> {
    let mut done = Preconditioned::default();
    for phase in plan.preconditioning() {
        let mut keeper = Phase { plan: &phase, points: Vec::new() };
        let ended = Run::of_phase(&phase).measure_points(testbed, &mut keeper, observer);
        if ended == Err(Stop::Asked) {
            observer
                .note("preconditioning was interrupted: the targets are only partly written over");
        }
        ended?;
        for result in &keeper.points {
            let note = note(&phase, result);
            observer.note(&format!("preconditioned: {note}"));
            if result.steady_state.as_ref().is_some_and(|found| !found.attained) {
                done.warnings.push(format!("preconditioning did not reach steady state: {note}"));
            }
            done.notes.push(note);
        }
    }
    Ok(done)
}

/// Keeps the one point of a phase, and refuses to go on after one that failed.
struct Phase<'a> {
    plan: &'a Plan,
    points: Vec<PointResult>,
}

impl Keeper for Phase<'_> {
    fn points(&self) -> &[PointResult] {
        &self.points
    }

    fn keep(&mut self, result: PointResult, outcome: &Outcome, _place: Place) -> Result<(), Fault> {
        if result.verdict == Verdict::Failed {
            return Err(
                Fault::new("preconditioning failed").because(Warning::joined(&result.warnings))
            );
        }
        if let StopRule::Volume { target_bytes, .. } = &self.plan.timing.stop {
            check_volume(self.plan, outcome, target_bytes)?;
        }
        self.points.push(result);
        Ok(())
    }

    fn warn(&mut self, _warnings: &[String]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Refuses to go on after a target that did not take its bytes in time.
fn check_volume(plan: &Plan, outcome: &Outcome, target_bytes: &[u64]) -> Result<(), Fault> {
    let measured = &outcome.measurement;
    let mut targets = plan.targets.iter().zip(target_bytes.iter().zip(&measured.targets));
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
            let mib_s: f64 = found.rounds.iter().filter_map(|round| round.volume).sum();
            (mib_s * found.round_s, ending(found))
        }
        None => {
            let span = Span(Nanos::from_secs_f64(result.measured_s));
            (result.mib_s().unwrap_or(0.0) * result.measured_s, format!("in {span}"))
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
