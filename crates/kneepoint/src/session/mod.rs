//! A run from the plan to the last point.

mod command_line;
mod environment;
mod interrupt;
mod monitor;
mod open;
mod owner;
mod points;
mod precondition;
mod test_file;

use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::Instrument;
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::RunState;
use kneepoint_device::{DeviceInstrument, ObservedTarget};
use kneepoint_sim::SimInstrument;
use kneepoint_store::{Access, Ending, NewRun, RunOverview, Store, run_id};

pub(crate) use command_line::command_line;
pub(crate) use interrupt::Interrupt;
pub(crate) use owner::{started_ticks, this_process};

use crate::cli::OutputArgs;
use points::Keep;

use crate::output::print::tell;
use crate::work::{Prepared, system_file};

/// How a run ended, and under which name it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Name of the run in the store.
    pub(crate) id: String,
    /// How it ended.
    pub(crate) state: RunState,
}

/// Measures the points of a plan that was prepared, and keeps each of them.
///
/// Nothing where the user stopped it before anything was measured.
pub(crate) fn measure(
    prepared: &Prepared,
    output: &OutputArgs,
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let mut store = Store::open(&output.store.store, Access::ReadWrite)?;
    for omission in &prepared.plan.omissions {
        tell(&format!("note: {omission}"));
    }
    let Some(ready) = make_ready(prepared, Past::New, interrupt)? else { return Ok(None) };
    let mut run = new_run(prepared, &output.label)?;
    if let Some(note) = ready.preconditioned {
        run.environment.engine.insert("preconditioned".to_owned(), note);
    }
    store.begin(&run)?;
    let mut warnings = prepared.plan.omissions.clone();
    warnings.extend(environment::warnings(prepared, &run.environment));
    warnings.extend(ready.warnings);
    store.add_warnings(&run.id, &warnings)?;
    let keep = Keep { store: &mut store, run: &run.id, measured: Vec::new() };
    let state = run_to_end(&prepared.plan, ready.instrument, keep, interrupt)?;
    Ok(Some(Ended { id: run.id, state }))
}

/// Measures what a run in the store lacks.
pub(crate) fn continue_run(
    prepared: &Prepared,
    store: &mut Store,
    run: &RunOverview,
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let points = store.points(&run.id)?;
    let measured: Vec<_> = points.into_iter().map(|point| point.result).collect();
    let past = if measured.is_empty() { Past::New } else { Past::Measured };
    let Some(ready) = make_ready(prepared, past, interrupt)? else { return Ok(None) };
    store.resume(&run.id, run.owner.as_ref(), &owner::this_process())?;
    store.add_warnings(&run.id, &ready.warnings)?;
    // The environment is that of the run's beginning; what was done since then stands beside it.
    let notes: Vec<String> = ready.preconditioned.into_iter().collect();
    store.add_warnings(&run.id, &notes)?;
    let keep = Keep { store, run: &run.id, measured };
    let state = run_to_end(&prepared.plan, ready.instrument, keep, interrupt)?;
    Ok(Some(Ended { id: run.id.clone(), state }))
}

/// Targets laid out and opened, with what measures them.
struct Ready {
    instrument: Box<dyn Instrument>,
    warnings: Vec<String>,
    /// What was written before the first point, for people; `None` where nothing was.
    preconditioned: Option<String>,
}

/// Whether a run has measured anything yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Past {
    /// Nothing: its targets are to be preconditioned, where its plan says so.
    New,
    /// Some of its points, and before them it preconditioned.
    Measured,
}

/// Lays out, opens and preconditions the targets; nothing where the user stopped it.
fn make_ready(
    prepared: &Prepared,
    past: Past,
    interrupt: &Interrupt,
) -> Result<Option<Ready>, Fault> {
    if test_file::lay_out(prepared, interrupt)? == test_file::Layout::Interrupted {
        return Ok(None);
    }
    let opened = open::open_targets(prepared)?;
    let mut instrument = instrument(&prepared.plan, opened.files, &opened.observed)?;
    let mut warnings = opened.warnings;
    let mut preconditioned = None;
    if past == Past::New && prepared.plan.precondition.is_some() {
        let done = precondition::precondition(&prepared.plan, &mut *instrument, interrupt)?;
        let Some(done) = done else { return Ok(None) };
        warnings.extend(done.warnings);
        preconditioned = Some(done.notes.join("; "));
    }
    Ok(Some(Ready { instrument, warnings, preconditioned }))
}

/// Measures what is missing and notes how the run ended.
fn run_to_end(
    plan: &Plan,
    mut instrument: Box<dyn Instrument>,
    mut keep: Keep<'_>,
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let state = points::measure_missing(plan, &mut *instrument, &mut keep, interrupt);
    let ending = |state| Ending { state, finished_at: owner::now(), warnings: Vec::new() };
    match state {
        Ok(state) => keep.store.finish(keep.run, &ending(state)).map(|()| state),
        Err(fault) => {
            // The first error is the one to show; what was measured is in the store already.
            let _ = keep.store.finish(keep.run, &ending(RunState::Failed));
            Err(fault)
        }
    }
}

/// What measures the targets of `plan`.
fn instrument(
    plan: &Plan,
    files: Vec<std::fs::File>,
    observed: &[ObservedTarget],
) -> Result<Box<dyn Instrument>, Fault> {
    Ok(match plan.targets[0].kind {
        TargetKind::Sim => Box::new(SimInstrument::with_files(plan, &system_file)?),
        TargetKind::File | TargetKind::Block | TargetKind::Null => {
            Box::new(DeviceInstrument::new(files).observing(observed))
        }
    })
}

fn new_run(prepared: &Prepared, label: &str) -> Result<NewRun, Fault> {
    let plan = &prepared.plan;
    let started_at = owner::now();
    let json = serde_json::to_value(plan)
        .map_err(|error| Fault::new("cannot write the plan as JSON").because(error))?;
    Ok(NewRun {
        id: run_id(&started_at, owner::entropy()),
        label: label.to_owned(),
        work: plan.work.clone(),
        started_at,
        plan: json,
        plan_hash: plan.hash(),
        seed: plan.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command_line(),
        environment: environment::capture(prepared),
        owner: owner::this_process(),
    })
}
