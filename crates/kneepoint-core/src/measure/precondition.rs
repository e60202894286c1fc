//! Preconditioning: what is written before the first point, by the loop that measures it.

use super::instrument::Outcome;
use super::keeper::{Keeper, KeptPlace};
use super::observer::{Observer, Stop};
use super::run::Run;
use super::testbed::Testbed;
use crate::plan::{Plan, StopRule};
use crate::result::warning::{PhaseEnding, PreconditionPhase, Rounds, WriteOrder};
use crate::result::{PointResult, SteadyStateResult, Verdict, Warning};
use crate::spec::profile::ResolvedProfile;
use crate::words::fault::Fault;
use crate::words::number::{RoundedBytes, Span};
use crate::words::units::MIB;

/// What limits the trust in the points that follow such phases.
pub fn unsteady(phases: &[PreconditionPhase]) -> Vec<Warning> {
    let is_unsteady = |phase: &&PreconditionPhase| matches!(phase.ending, PhaseEnding::Unsteady(_));
    phases.iter().filter(is_unsteady).cloned().map(Warning::UnsteadyPreconditioning).collect()
}

/// Writes what the plan asks for before its first point, with the testbed ready for that point;
/// gives what was written, phase by phase, and what was noticed meanwhile.
pub(super) fn precondition(
    plan: &Plan,
    testbed: &mut dyn Testbed,
    observer: &mut dyn Observer,
) -> Result<(Vec<PreconditionPhase>, Vec<Warning>), Stop> {
    let (mut done, mut noticed) = (Vec::new(), Vec::new());
    for phase in plan.preconditioning() {
        let mut keeper = Phase { plan: &phase, points: Vec::new(), warnings: Vec::new() };
        let ended = Run::of_phase(&phase).measure_points(testbed, &mut keeper, observer);
        if ended == Err(Stop::Asked) {
            observer
                .note("preconditioning was interrupted: the targets are only partly written over");
        }
        ended?;
        for result in &keeper.points {
            let phase = phase_of(&phase, result);
            observer.note(&format!("preconditioned: {phase}"));
            done.push(phase);
        }
        noticed.extend(keeper.warnings.into_iter().map(of_preconditioning));
    }
    Ok((done, noticed))
}

/// A warning that names the series of a phase, which no reader knows, as one of the preconditioning.
fn of_preconditioning(warning: Warning) -> Warning {
    match warning {
        Warning::HostLost { host, series, load } => {
            Warning::HostLost { host, series: format!("preconditioning ({series})"), load }
        }
        other => other,
    }
}

/// Keeps the one point of a phase, and refuses to go on after one that failed.
struct Phase<'a> {
    plan: &'a Plan,
    points: Vec<PointResult>,
    warnings: Vec<Warning>,
}

impl Keeper for Phase<'_> {
    fn points(&self) -> &[PointResult] {
        &self.points
    }

    fn keep(
        &mut self,
        result: PointResult,
        outcome: &Outcome,
        _place: KeptPlace,
    ) -> Result<(), Fault> {
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

    fn warn(&mut self, warnings: &[Warning]) -> Result<(), Fault> {
        self.warnings.extend_from_slice(warnings);
        Ok(())
    }
}

/// Refuses to go on after a target that did not take its bytes in time.
fn check_volume(plan: &Plan, outcome: &Outcome, target_bytes: &[u64]) -> Result<(), Fault> {
    let measured = &outcome.measurement;
    let mut targets = plan.targets.iter().zip(target_bytes.iter().zip(&measured.targets));
    let slow = targets.find(|(_, (wanted, written))| written.bytes < **wanted);
    let Some((target, (wanted, written))) = slow else { return Ok(()) };
    Err(Fault::new(format!("{} is too slow to be preconditioned", target.target)).because(format!(
        "it took {} of {} in {}",
        RoundedBytes(written.bytes),
        RoundedBytes(*wanted),
        Span(measured.measured())
    )))
}

/// What was written, and how it ended.
fn phase_of(phase: &Plan, result: &PointResult) -> PreconditionPhase {
    let profile = &phase.series[0].profile;
    let (written_mib, ending) = match &result.steady_state {
        Some(found) => {
            let mib_s: f64 = found.rounds.iter().filter_map(|round| round.volume).sum();
            (mib_s * found.round_s, ending(found))
        }
        None => {
            let seconds = result.measured_s;
            (result.mib_s().unwrap_or(0.0) * seconds, PhaseEnding::Volume { seconds })
        }
    };
    PreconditionPhase {
        written_bytes: (written_mib * MIB as f64).round() as u64,
        order: match profile.storage().is_some_and(ResolvedProfile::is_sequential) {
            true => WriteOrder::Sequential,
            false => WriteOrder::Random,
        },
        block_bytes: profile.block_bytes_max(),
        ending,
    }
}

/// Whether the rounds became steady, and the numbers that say so.
fn ending(found: &SteadyStateResult) -> PhaseEnding {
    let rounds = found.rounds.len() as u64;
    let window_rounds = found.window.map_or(0, |window| rounds - u64::from(window.first_round));
    let window = found.window.map(|window| window.spread());
    let rounds = Rounds { rounds, window_rounds, window };
    match found.attained {
        true => PhaseEnding::Steady(rounds),
        false => PhaseEnding::Unsteady(rounds),
    }
}
