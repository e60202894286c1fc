//! A run from the plan to the last point.

mod copies;
mod keep;
mod live;
mod process;
mod stale_settings;
mod terminal;

pub(crate) use keep::{Kept, rescue};
pub(crate) use live::{LiveEnded, measure_live};
pub(crate) use process::{
    Interrupt, LOOKING, MEASURING, Vigil, command_line, entropy, now, outlive_signals, quoted,
    started_ticks, store_option, survive_file_size_limit, this_process,
};
pub(crate) use stale_settings::{START_AGAIN, origin, restore, restore_of_agent};

use std::path::PathBuf;

use kneepoint_core::measure::trust::mix_warnings;
use kneepoint_core::measure::{Keeper, Run, Stop, Testbed};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::{Environment, RunHeader, RunState, Warning};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::testbed::{NotedIn, Varying};
use kneepoint_store::{Ending, NewRun, RunOverview, Store, StoreAccess};

use crate::cli::OutputArgs;
use crate::output::print::tell;
use crate::work::{ResolvedRun, folder_of};
use keep::Keep;
use stale_settings::{RESTORE_AGAIN, journal_path};
use terminal::Terminal;

/// How a run ended, and under which name it is kept.
#[derive(Debug)]
pub(crate) struct Ended {
    /// How it ended, or what ended it.
    pub(crate) state: Result<RunState, Fault>,
    /// The measurements.
    pub(crate) kept: Kept,
}

/// Measures the points of a plan that was prepared, and keeps each of them.
///
/// Nothing where the user stopped it before anything was measured.
pub(crate) fn measure(
    prepared: ResolvedRun,
    (output, wait_quiet): (&OutputArgs, Option<Nanos>),
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let path = &output.store.store;
    let mut store = Store::open(path, StoreAccess::ReadWrite)?;
    stale_settings::check(path, &prepared.varied)?;
    let notes = plan_warnings(&prepared.plan);
    for note in &notes {
        tell(format!("note: {}", printable(&note.text())));
    }
    let run = new_run(&prepared.plan, (&store, &output.label))?;
    let journal = (journal_path(path), run.header.id.clone());
    let keep = Keep::new(&mut store, (run, notes), interrupt);
    ended(prepared, (keep, Scope::Missing), (journal, wait_quiet), interrupt)
}

/// The warnings about a plan before anything is measured.
pub(crate) fn plan_warnings(plan: &Plan) -> Vec<Warning> {
    let omissions = plan.omissions.iter().cloned();
    let omissions = omissions.map(|omission| Warning::Omission { omission });
    omissions.chain(mix_warnings(plan)).collect()
}

/// The part of a stored run that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The missing points.
    Missing,
    /// The disturbed points again, then what is missing.
    DisturbedAgain,
}

/// Measures what a run in the store lacks.
pub(crate) fn continue_run(
    prepared: ResolvedRun,
    (store, run, scope): (&mut Store, &RunOverview, Scope),
    wait_quiet: Option<Nanos>,
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    stale_settings::check(store.path(), &prepared.varied)?;
    let journal = (journal_path(store.path()), run.id.clone());
    let keep = Keep::of_stored(store, (run, scope), interrupt)?;
    ended(prepared, (keep, scope), (journal, wait_quiet), interrupt)
}

/// Measures what is missing; gives what was measured even if it failed.
fn ended(
    prepared: ResolvedRun,
    (mut keep, scope): (Keep<'_>, Scope),
    ((journal, id), wait_quiet): ((PathBuf, String), Option<Nanos>),
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let ResolvedRun { plan, mut place, varied } = prepared;
    place.wait_for_quiet(wait_quiet);
    place.keep_journals_in(folder_of(&journal));
    let origin = || stale_settings::origin(&id);
    let noted = NotedIn { journal: &journal, origin: &origin, again: RESTORE_AGAIN };
    let mut testbed = Varying::begin(place.testbed(), varied, noted)?;
    let mut run = Run::new(&plan);
    if scope == Scope::DisturbedAgain {
        run = run.with_disturbed_again(keep.points());
    }
    let mut terminal = Terminal::new(interrupt);
    let measured = run.measure(&mut testbed, &mut keep, &mut terminal);
    let measured =
        measured.and_then(|()| copies::make_missing((&plan, &mut testbed), &mut keep, interrupt));
    let state = state_after(measured, "the run");
    match closed(keep, state, (&mut testbed, &mut terminal)) {
        (state, None) => state.map(|_| None),
        (Err(fault), Some(kept)) if kept.document.points.is_empty() => Err(fault),
        (state, Some(kept)) => Ok(Some(Ended { state, kept })),
    }
}

/// The state that measuring `what` ended in, such as "the run"; says why where a point failed.
fn state_after(measured: Result<(), Stop>, what: &str) -> Result<RunState, Fault> {
    match measured {
        Ok(()) => Ok(RunState::Complete),
        Err(Stop::Asked) => Ok(RunState::Interrupted),
        Err(Stop::Failed(why)) => {
            tell(format!("{what} ends: {why}"));
            Ok(RunState::Failed)
        }
        Err(Stop::Lost { fault, .. } | Stop::Fault(fault)) => Err(fault),
    }
}

/// Puts back what was set and notes how the run ended; nothing is kept of one that was not begun.
fn closed(
    mut keep: Keep<'_>,
    state: Result<RunState, Fault>,
    (testbed, terminal): (&mut dyn Testbed, &mut Terminal<'_>),
) -> (Result<RunState, Fault>, Option<Kept>) {
    let warnings = testbed.take_warnings();
    let restored = testbed.finish(terminal);
    if !keep.has_begun() {
        return (state.and_then(|state| restored.map(|_| state)), None);
    }
    let state = end(&mut keep, state, (restored, warnings));
    (state, Some(keep.into_kept()))
}

/// Notes how the run ended, and which settings were put back.
fn end(
    keep: &mut Keep<'_>,
    state: Result<RunState, Fault>,
    (restored, mut warnings): (Result<Vec<String>, Fault>, Vec<Warning>),
) -> Result<RunState, Fault> {
    let reasons = match &restored {
        Ok(left) => left.clone(),
        Err(fault) => vec![fault.to_string()],
    };
    warnings.extend(reasons.into_iter().map(|reason| Warning::NotRestored { reason }));
    let ending = |state| Ending { state, finished_at: process::now(), warnings: warnings.clone() };
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

fn new_run(plan: &Plan, (store, label): (&Store, &str)) -> Result<NewRun, Fault> {
    let started_at = process::now();
    let json = serde_json::to_value(plan)
        .map_err(|error| Fault::new("cannot write the plan as JSON").because(error))?;
    Ok(NewRun {
        header: RunHeader {
            id: store.free_id(&started_at, entropy)?,
            label: label.to_owned(),
            work: plan.work.clone(),
            state: RunState::Interrupted,
            started_at,
            finished_at: String::new(),
            plan_hash: plan.hash(),
            seed: plan.seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command_line(),
        },
        plan: json,
        environment: Environment::default(),
        owner: process::this_process(),
    })
}
