//! A run from the plan to the last point.

mod command_line;
mod environment;
mod interrupt;
mod monitor;
mod open;
mod owner;
mod points;
mod test_file;

use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::Instrument;
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::RunState;
use kneepoint_device::DeviceInstrument;
use kneepoint_sim::SimInstrument;
use kneepoint_store::{Access, Ending, NewRun, Store, run_id};

pub(crate) use interrupt::Interrupt;
pub(crate) use owner::{started_ticks, this_process};

use crate::cli::OutputArgs;
use crate::output::print::tell;
use crate::work::Prepared;

/// How a run ended, and under which name it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Name of the run in the store.
    pub(crate) id: String,
    /// How it ended.
    pub(crate) state: RunState,
}

/// Measures the points of a plan that was prepared, and keeps each of them.
pub(crate) fn measure(
    prepared: &Prepared,
    output: &OutputArgs,
    interrupt: &Interrupt,
) -> Result<Option<Ended>, Fault> {
    let plan = &prepared.plan;
    let mut store = Store::open(&output.store.store, Access::ReadWrite)?;
    for omission in &plan.omissions {
        tell(&format!("note: {omission}"));
    }
    if test_file::lay_out(prepared, interrupt)? == test_file::Layout::Interrupted {
        return Ok(None);
    }
    let opened = open::open_targets(prepared)?;
    let mut warnings = plan.omissions.clone();
    warnings.extend(opened.warnings);
    let run = new_run(prepared, &output.label)?;
    store.begin(&run)?;
    store.add_warnings(&run.id, &warnings)?;
    let mut instrument = instrument(plan, opened.files)?;
    let state = points::measure_all(plan, &mut *instrument, (&mut store, &run.id), interrupt);
    let ending = |state| Ending { state, finished_at: owner::now(), warnings: Vec::new() };
    match state {
        Ok(state) => {
            store.finish(&run.id, &ending(state))?;
            Ok(Some(Ended { id: run.id, state }))
        }
        Err(fault) => {
            // The first error is the one to show; what was measured is in the store already.
            let _ = store.finish(&run.id, &ending(RunState::Failed));
            Err(fault)
        }
    }
}

/// What measures the targets of `plan`.
fn instrument(plan: &Plan, files: Vec<std::fs::File>) -> Result<Box<dyn Instrument>, Fault> {
    Ok(match plan.targets[0].kind {
        TargetKind::Sim => Box::new(SimInstrument::new(plan)?),
        TargetKind::File | TargetKind::Block | TargetKind::Null => {
            Box::new(DeviceInstrument::new(files))
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
        command: command_line::command_line(),
        environment: environment::capture(prepared),
        owner: owner::this_process(),
    })
}
