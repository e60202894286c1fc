//! A run from the plan to the last point.

mod again;
mod command_line;
mod copies;
mod environment;
mod interrupt;
mod keep;
mod leftover;
mod monitor;
mod open;
mod owner;
mod patience;
mod points;
mod precondition;
mod stage;
mod test_file;
mod thread;
mod vigil;

use kneepoint_core::fault::Fault;
use kneepoint_core::printable::printable;
use kneepoint_core::result::{PointResult, RunState};
use kneepoint_core::search::next_point;
use kneepoint_core::stream::mix_notes;
use kneepoint_core::units::Nanos;
use kneepoint_store::{Access, Ending, NewRun, RunOverview, Store};

pub(crate) use again::disturbed;
pub(crate) use command_line::{command_line, quoted, store_option};
pub(crate) use interrupt::{Interrupt, survive_file_size_limit};
pub(crate) use keep::{Kept, rescue};
pub(crate) use leftover::restore;
pub(crate) use owner::{started_ticks, this_process};
pub(crate) use vigil::{LOOKING, Vigil};

use crate::cli::OutputArgs;
use keep::Keep;
use precondition::Preconditioned;
use stage::{Entered, Stage};

use crate::output::print::tell;
use crate::work::Prepared;

/// How a run ended, and under which name it is kept.
#[derive(Debug)]
pub(crate) struct Ended {
    /// How it ended, or what ended it.
    pub(crate) state: Result<RunState, Fault>,
    /// What was measured.
    pub(crate) kept: Kept,
}

/// What the user permits and asks of a run beside its plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conduct<'a> {
    /// Permissions to write, as typed.
    pub(crate) overwrite: &'a [String],
    /// How long the whole run may wait for a quiet machine.
    pub(crate) wait_quiet: Option<Nanos>,
}

/// Measures the points of a plan that was prepared, and keeps each of them.
///
/// Nothing where the user stopped it before anything was measured.
pub(crate) fn measure(
    prepared: &Prepared,
    (output, conduct): (&OutputArgs, Conduct<'_>),
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let path = &output.store.store;
    let mut store = Store::open(path, Access::ReadWrite)?;
    leftover::check(path, prepared)?;
    let notes = [prepared.plan.omissions.clone(), mix_notes(&prepared.plan)].concat();
    for note in &notes {
        tell(format!("note: {}", printable(note)));
    }
    let mut run = new_run(prepared, (&store, &output.label))?;
    let mut stage = Stage::begin(prepared, conduct, (path, &run.id))?;
    let begun = begin(prepared, (&mut stage, &mut run), interrupt);
    let Ok(Some(preconditioned)) = begun else {
        let ended = stage.finish(interrupt);
        return begun.and(ended).map(|_| None);
    };
    let mut keep = Keep::begin(&mut store, &run, interrupt)?;
    let mut warnings = notes;
    warnings.extend(environment::warnings(prepared, &run.environment));
    warnings.extend(stage.take_warnings());
    warnings.extend(preconditioned);
    keep.add_warnings(&warnings)?;
    ended(prepared, (stage, keep), interrupt)
}

/// Makes ready for the first point of a new run; gives what preconditioning warned of. Nothing
/// where the user stopped it.
fn begin(
    prepared: &Prepared,
    (stage, run): (&mut Stage<'_>, &mut NewRun),
    interrupt: &Interrupt,
) -> Result<Option<Vec<String>>, Fault> {
    let Some(preconditioned) = enter_first(prepared, (stage, &[]), interrupt)? else {
        return Ok(None);
    };
    // A command may have put another file system under the targets.
    run.environment = environment::capture(&prepared.plan, stage.targets());
    if !preconditioned.notes.is_empty() {
        let notes = preconditioned.notes.join("; ");
        run.environment.engine.insert("preconditioned".to_owned(), notes);
    }
    run.started_at = owner::now();
    Ok(Some(preconditioned.warnings))
}

/// What is measured of a run that is in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// What is missing.
    Missing,
    /// The disturbed points again, then what is missing.
    DisturbedAgain,
}

/// Measures what a run in the store lacks.
pub(crate) fn continue_run(
    prepared: &Prepared,
    (store, run, scope): (&mut Store, &RunOverview, Scope),
    conduct: Conduct<'_>,
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let path = store.path().to_owned();
    leftover::check(&path, prepared)?;
    let document = store.load(&run.id)?;
    let mut stage = Stage::begin(prepared, conduct, (&path, &run.id))?;
    let first = enter_first(prepared, (&mut stage, &document.points), interrupt);
    let Ok(Some(preconditioned)) = first else {
        let ended = stage.finish(interrupt);
        return first.and(ended).map(|_| None);
    };
    let (previous, here) = (run.owner.as_ref(), owner::this_process());
    match scope {
        Scope::Missing => store.resume(&run.id, previous, &here)?,
        Scope::DisturbedAgain => store.reopen(&run.id, previous, &here)?,
    }
    let mut keep = Keep::resume(store, document, interrupt);
    if scope == Scope::DisturbedAgain {
        keep = keep.with_disturbed_again();
    }
    keep.add_warnings(&stage.take_warnings())?;
    keep.add_warnings(&preconditioned.warnings)?;
    // The environment is that of the run's beginning; what was done since then stands beside it.
    keep.add_warnings(&preconditioned.notes)?;
    ended(prepared, (stage, keep), interrupt)
}

/// Makes ready for the first point that is missing, and preconditions the targets where nothing
/// was measured before it; nothing where the user stopped it.
fn enter_first(
    prepared: &Prepared,
    (stage, measured): (&mut Stage<'_>, &[PointResult]),
    interrupt: &Interrupt,
) -> Result<Option<Preconditioned>, Fault> {
    let plan = &prepared.plan;
    let Some(next) = next_point(plan, measured) else { return Ok(Some(Preconditioned::default())) };
    if stage.enter(&next, interrupt)? == Entered::Interrupted {
        return Ok(None);
    }
    let is_new = measured.is_empty() && plan.precondition.is_some();
    match stage.instrument().filter(|_| is_new) {
        Some((_, instrument)) => precondition::precondition(plan, instrument, interrupt),
        None => Ok(Some(Preconditioned::default())),
    }
}

/// Measures what is missing; gives what was measured even if it failed.
fn ended(
    prepared: &Prepared,
    (stage, mut keep): (Stage<'_>, Keep<'_>),
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let state = run_to_end(prepared, stage, &mut keep, interrupt);
    let kept = keep.into_kept();
    match state {
        Err(fault) if kept.document.points.is_empty() => Err(fault),
        state => Ok(Some(Ended { state, kept })),
    }
}

/// Measures what is missing, puts the settings back, and notes how the run ended.
fn run_to_end(
    prepared: &Prepared,
    mut stage: Stage<'_>,
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let mut state = points::measure_points(&prepared.plan, &mut stage, keep, interrupt);
    if matches!(state, Ok(RunState::Complete)) {
        state = copies::make_missing(prepared, keep, interrupt);
    }
    let opening = stage.take_warnings();
    let restored = stage.finish(interrupt);
    let mut warnings = opening;
    match &restored {
        Ok(left) => warnings.extend(left.iter().map(|text| format!("not restored: {text}"))),
        Err(fault) => warnings.push(format!("not restored: {fault}")),
    }
    let ending = |state| Ending { state, finished_at: owner::now(), warnings };
    match state {
        Ok(state) => {
            keep.finish(&ending(state))?;
            restored.map(|_| state)
        }
        Err(fault) => {
            // The first error is the one to show; what was measured is kept already.
            let _ = keep.finish(&ending(RunState::Failed));
            Err(fault)
        }
    }
}

fn new_run(prepared: &Prepared, (store, label): (&Store, &str)) -> Result<NewRun, Fault> {
    let plan = &prepared.plan;
    let started_at = owner::now();
    let json = serde_json::to_value(plan)
        .map_err(|error| Fault::new("cannot write the plan as JSON").because(error))?;
    Ok(NewRun {
        id: store.free_id(&started_at, owner::entropy)?,
        label: label.to_owned(),
        work: plan.work.clone(),
        started_at,
        plan: json,
        plan_hash: plan.hash(),
        seed: plan.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command_line(),
        environment: environment::capture(plan, &prepared.targets),
        owner: owner::this_process(),
    })
}
