//! `kneepoint resume`: measures what an interrupted run lacks.

use std::path::{Path, PathBuf};

use kneepoint_core::measure::disturbed as disturbed_points;
use kneepoint_core::plan::{Plan, is_by_turns};
use kneepoint_core::result::{PointResult, RunState};
use kneepoint_core::spec::factor::Factor;
use kneepoint_core::words::fault::Fault;
use kneepoint_store::{RunFate, RunName, RunOverview, Store, StoreAccess};
use serde_json::Value;

use super::run::{check_outputs, finish};
use crate::Outcome;
use crate::cli::ResumeArgs;
use crate::fleet::Way;
use crate::output::print::{points, tell};
use crate::session::{
    Interrupt, LOOKING, MEASURING, Scope, Vigil, continue_run, restore, started_ticks,
    store_option, this_process,
};
use crate::work::{own_suite, prepare_again};

/// Continues the run with the plan and the seed that it began with.
pub(crate) fn resume(args: &ResumeArgs) -> anyhow::Result<Outcome> {
    if args.restore {
        restore(&args.output.store.store, &args.run.run, args.commands.as_deref())?;
        return Ok(Outcome::Done);
    }
    let mut store = Store::open(&args.output.store.store, StoreAccess::ReadWrite)?;
    let run = store.find(&args.run.run.parse::<RunName>()?)?;
    let scope = if args.disturbed { Scope::DisturbedAgain } else { Scope::Missing };
    let json = store.plan(&run.id)?;
    check_alone(&json, &run)?;
    match (scope, run.state) {
        (Scope::DisturbedAgain, _) => check_disturbed(disturbed(&store, &run)?, &run)?,
        (Scope::Missing, RunState::Complete) => {
            let disturbed = disturbed(&store, &run)?;
            tell(nothing_missing(&run, disturbed, &args.output.store.store));
            return Ok(Outcome::Done);
        }
        (Scope::Missing, RunState::Interrupted | RunState::Failed) => {}
    }
    check_not_running(&run, Unseen::of(args.abandoned), "resumed")?;
    let plan: Plan = serde_json::from_value(json).map_err(|error| {
        Fault::new(format!("the plan of run {} cannot be read", run.id))
            .because(error)
            .fix("resume it with the version of Kneepoint that began it")
    })?;
    let targets: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
    let inputs: Vec<PathBuf> = args.commands.iter().cloned().collect();
    let interrupt = Interrupt::listen(MEASURING)?;
    let vigil = Vigil::keep(LOOKING, Some(&interrupt));
    check_outputs(&args.output, (&targets, &inputs))?;
    check_commands(&plan, args.commands.as_deref())?;
    let server = args.nats.server()?;
    let root = args.root.consent();
    let way = Way { server: server.as_ref(), root, interrupt: Some(&interrupt) };
    let prepared = match prepare_again(plan, &args.overwrite, way) {
        Err(_) if interrupt.is_asked() => return finish(None, &args.output),
        prepared => prepared?,
    };
    drop(vigil);
    tell(beginning(&run, scope));
    let wait_quiet = args.patience.wait_quiet;
    let ended = continue_run(prepared, (&mut store, &run, scope), wait_quiet, &interrupt)?;
    drop(store);
    finish(ended, &args.output)
}

/// The message before the first point.
fn beginning(run: &RunOverview, scope: Scope) -> String {
    match scope {
        Scope::Missing => format!("resuming run {}: {} points are kept", run.id, run.points),
        Scope::DisturbedAgain => {
            format!("resuming run {}: its disturbed points are measured again", run.id)
        }
    }
}

/// How many points of a run `--disturbed` measures again.
fn disturbed(store: &Store, run: &RunOverview) -> Result<usize, Fault> {
    let points = store.points(&run.id)?.into_iter().map(|point| point.result);
    Ok(disturbed_points(&points.collect::<Vec<PointResult>>()).len())
}

/// The message on a complete run: that nothing is missing, and what could be measured again.
fn nothing_missing(run: &RunOverview, disturbed: usize, store: &Path) -> String {
    let again = match disturbed {
        0 => String::new(),
        count => format!(
            "; something disturbed {} of it, which `kneepoint resume {}{} --disturbed` measures again",
            points(count),
            run.id,
            store_option(store)
        ),
    };
    format!("run {} is complete: there is nothing to resume{again}", run.id)
}

/// Refuses a run that was measured by turns with another one.
fn check_alone(plan: &Value, run: &RunOverview) -> Result<(), Fault> {
    if !is_by_turns(plan) {
        return Ok(());
    }
    Err(Fault::new(format!("run {} cannot be resumed", run.id))
        .because("its loads were visited by turns with those of another run, and it would be alone")
        .fix("compare both targets again: `kneepoint compare --live A B`"))
}

/// Refuses a run without a disturbed point.
fn check_disturbed(disturbed: usize, run: &RunOverview) -> Result<(), Fault> {
    if disturbed > 0 {
        return Ok(());
    }
    Err(Fault::new(format!("cannot measure disturbed points of run {} again", run.id))
        .because("none of its points is disturbed")
        .fix("leave --disturbed out to measure what is missing"))
}

/// Refuses commands that stand only in the store: it may hold runs of other people. The user has to
/// name a file of their own that has the same ones.
fn check_commands(plan: &Plan, file: Option<&Path>) -> Result<(), Fault> {
    if !plan.has_commands() {
        return Ok(());
    }
    let what = match plan.external_members().next() {
        None => "the run sets its factors by commands",
        Some(_) => "the run starts programs of a file",
    };
    let Some(file) = file else {
        return Err(Fault::new(what)
            .because("commands are never taken from the store")
            .fix("name the suite that the run was begun with: --commands FILE.toml"));
    };
    let own = own_suite(file)?;
    let is_known = |factor: &&Factor| {
        let mut known = own.factors.factors.iter();
        known.any(|known| known.name == factor.name && known.commands == factor.commands)
    };
    let factors = plan.factors.iter().flat_map(|factors| &factors.factors);
    let mut with_commands = factors.filter(|factor| factor.commands.is_some());
    let factor = with_commands.find(|factor| !is_known(factor));
    let member = plan.external_members().find(|member| !own.members.contains(member));
    let other = match (factor, member) {
        (None, None) => return Ok(()),
        (Some(factor), _) => format!("commands for the factor '{}'", factor.name),
        (None, Some(member)) => format!("commands or values for the member '{}'", member.name),
    };
    Err(Fault::new(format!("{} has other {other}", file.display()))
        .because("the run was begun with different ones")
        .fix("name the suite as it was then, or begin a new run"))
}

/// The assumption about a process that cannot be seen from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unseen {
    /// It may still measure.
    MayLive,
    /// The user knows that it has ended.
    HasEnded,
}

impl Unseen {
    /// The assumption by `--abandoned`.
    pub(super) const fn of(abandoned: bool) -> Self {
        if abandoned { Self::HasEnded } else { Self::MayLive }
    }
}

/// Refuses a run that another process measures, or may measure.
pub(super) fn check_not_running(
    run: &RunOverview,
    unseen: Unseen,
    participle: &str,
) -> Result<(), Fault> {
    let Some(owner) = &run.owner else { return Ok(()) };
    let here = this_process();
    let refusal = || Fault::new(format!("run {} cannot be {participle}", run.id));
    let elsewhere = |place: &str| {
        refusal()
            .because(format!("it was begun {place}, where it may still go on"))
            .fix("if you know that it does not, say so with --abandoned")
    };
    match owner.fate(&here, started_ticks) {
        RunFate::Alive => Err(refusal()
            .because("another process is measuring it now")
            .fix(format!("wait for process {}, or end it", owner.pid))),
        RunFate::Gone => Ok(()),
        RunFate::Unknown if unseen == Unseen::HasEnded => Ok(()),
        RunFate::Unknown if owner.host != here.host => Err(elsewhere("on another host")),
        RunFate::Unknown => Err(elsewhere("in another container of this host")),
    }
}
