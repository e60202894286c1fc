//! What the points of a run are measured by: targets laid out and opened, settings at their levels.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kneepoint_core::factor::journal::{JOURNAL_SCHEMA, Origin};
use kneepoint_core::factor::{Combination, Factor, combination_text};
use kneepoint_core::fault::Fault;
use kneepoint_core::measure::{Instrument, Observer, Ready, Stop, Task, Testbed};
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::{AGAIN_FROM, Environment};
use kneepoint_core::search::NextPoint;
use kneepoint_core::units::Nanos;
use kneepoint_device::facts::SysRoot;
use kneepoint_device::settings::{Changes, Renewal, Restoration};
use kneepoint_device::{DeviceInstrument, ObservedTarget, Surroundings};
use kneepoint_sim::SimInstrument;

use super::leftover::journal_path;
use super::patience::{Patience, busy_note};
use super::{Conduct, environment, open, owner, test_file};
use crate::work::{
    BlockPlan, Prepared, TargetSetup, block_plan, has_commands, system_file, targets_again,
};

/// How often a pause looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// The instrument of the current block of points, and the settings that hold for it.
pub(super) struct Stage<'a> {
    prepared: &'a Prepared,
    conduct: Conduct<'a>,
    /// How much longer it waits for a quiet machine; `None` if it does not.
    patience: Option<Patience>,
    /// What is to be said of a machine that was busy before anything was done, until it was said.
    busy: Option<String>,
    /// Settings that are varied; `None` where none are.
    changes: Option<Changes>,
    /// The block that the settings are those of.
    block: Option<(Combination, u32)>,
    ready: Option<Block>,
    /// The targets as they were found after a command; `None` where no command was run.
    again: Option<Vec<TargetSetup>>,
    /// What was noticed while opening the targets, not yet kept.
    warnings: Vec<String>,
}

/// Targets laid out and opened, with what measures them.
struct Block {
    instrument: Box<dyn Instrument>,
    plan: Plan,
    /// What else uses the machine and the devices; `None` on simulated systems.
    surroundings: Option<Surroundings>,
}

impl<'a> Stage<'a> {
    /// The targets as they were found last.
    fn targets(&self) -> &[TargetSetup] {
        self.again.as_deref().unwrap_or(&self.prepared.targets)
    }

    /// A stage for the run `run`; notes what the settings are before it changes any.
    pub(super) fn begin(
        prepared: &'a Prepared,
        conduct: Conduct<'a>,
        (store, run): (&Path, &str),
    ) -> Result<Self, Fault> {
        let changes = match prepared.varied.is_empty() {
            true => None,
            false => {
                let varied = prepared.varied.clone();
                let path = journal_path(store);
                Some(Changes::begin(&SysRoot::default(), &path, origin(run)?, varied)?)
            }
        };
        let patience = conduct.wait_quiet.map(Patience::new);
        let is_told = patience.is_none() && !is_simulated(prepared);
        let busy = if is_told { busy_note() } else { None };
        let (block, ready, again, warnings) = (None, None, None, Vec::new());
        Ok(Self { prepared, conduct, patience, busy, changes, block, ready, again, warnings })
    }

    fn enter_block(
        &mut self,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let block = match self.prepared.plan.factors {
            None => (Combination::new(), 0),
            // What is measured again belongs to its repetition.
            Some(_) => (next.series.factors.clone(), next.repetition % AGAIN_FROM),
        };
        if self.block.as_ref() == Some(&block) && self.ready.is_some() {
            return Ok(());
        }
        self.leave_block(observer);
        self.set(&block, observer)?;
        if self.ready.is_none() {
            self.ready = Some(self.make_ready(&block.0, observer)?);
        }
        self.block = Some(block);
        Ok(())
    }

    /// Closes the targets where the next block may be measured on others.
    fn leave_block(&mut self, observer: &mut dyn Observer) {
        if is_simulated(self.prepared) || has_commands(&self.prepared.plan) {
            self.close(observer);
        }
    }

    /// Closes the targets.
    fn close(&mut self, observer: &mut dyn Observer) {
        observer.task(&Task::Close);
        self.ready = None;
        observer.task_ended();
    }

    fn set(
        &mut self,
        (combination, repetition): &(Combination, u32),
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        if combination.is_empty() {
            return Ok(());
        }
        observer.go_on()?;
        observer.note(&format!("at {}", combination_text(combination)));
        let Some(changes) = &mut self.changes else { return Ok(()) };
        let is_next_repetition = self.block.as_ref().is_some_and(|(_, last)| last != repetition);
        let renewal = if is_next_repetition { Renewal::All } else { Renewal::Changed };
        let done = changes.set(combination, renewal)?;
        let factors = self.prepared.plan.factors.iter().flat_map(|factors| &factors.factors);
        let settle = |factor: &Factor| done.contains(&factor.name).then_some(factor.settle);
        let pause = factors.filter_map(settle).max().unwrap_or(Nanos::ZERO);
        wait(pause, observer)
    }

    /// Lays out and opens the targets.
    fn make_ready(
        &mut self,
        combination: &Combination,
        observer: &mut dyn Observer,
    ) -> Result<Block, Stop> {
        let plan = &self.prepared.plan;
        let BlockPlan { measured, simulated } = block_plan(plan, combination)?;
        if has_commands(plan) {
            observer.task(&Task::Look);
            let again = targets_again(plan, self.conduct.overwrite);
            observer.task_ended();
            self.again = Some(again?);
        }
        let targets = self.again.as_deref().unwrap_or(&self.prepared.targets);
        check_same_devices(self.prepared, targets)?;
        test_file::lay_out(plan, targets, observer)?;
        observer.task(&Task::Open);
        let opened = open::open_targets(plan, targets);
        observer.task_ended();
        let opened = opened?;
        self.warnings.extend(opened.warnings);
        let instrument = instrument(&simulated, opened.files, &opened.observed)?;
        let surroundings =
            (!is_simulated(self.prepared)).then(|| Surroundings::of(&opened.observed));
        let sizes = measured.targets;
        Ok(Block { instrument, plan: Plan { targets: sizes, ..plan.clone() }, surroundings })
    }
}

impl Testbed for Stage<'_> {
    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        self.enter_block(next, observer)?;
        if let Some(note) = self.busy.take() {
            observer.note(&format!("note: {note}"));
        }
        let Some(block) = &mut self.ready else { return Err(Stop::Asked) };
        if let (Some(patience), Some(surroundings)) = (&mut self.patience, &block.surroundings) {
            patience.wait(surroundings, observer);
        }
        observer.go_on()?;
        // Real targets have the sizes of the plan.
        let plan = if is_simulated(self.prepared) { &block.plan } else { plan };
        Ok(Ready { plan, instrument: &mut *block.instrument })
    }

    fn environment(&self, plan: &Plan) -> Environment {
        environment::capture(plan, self.targets())
    }

    fn limits(&self) -> Vec<String> {
        environment::limits(self.targets())
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn foreign_settings(&self) -> Vec<String> {
        self.changes.as_ref().map_or_else(Vec::new, Changes::foreign)
    }

    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        self.close(observer);
        let Some(changes) = self.changes.take() else { return Ok(Vec::new()) };
        report(changes.restore(), observer)
    }
}

fn is_simulated(prepared: &Prepared) -> bool {
    prepared.plan.targets[0].kind == TargetKind::Sim
}

/// Says what was put back; gives what was left alone.
pub(super) fn report(
    restoration: Restoration,
    observer: &mut dyn Observer,
) -> Result<Vec<String>, Fault> {
    for text in &restoration.restored {
        observer.note(&format!("restored: {text}"));
    }
    for text in &restoration.left {
        observer.note(&format!("not restored: {text}"));
    }
    let Some(first) = restoration.failed.first() else { return Ok(restoration.left) };
    for fault in &restoration.failed {
        observer.note(&format!("not restored: {fault}"));
    }
    Err(Fault::new("not every setting is what it was before the run")
        .because(first)
        .fix("`kneepoint resume --restore` with the same --store tries again"))
}

/// The directory in which commands run.
pub(super) fn working_directory() -> Result<PathBuf, Fault> {
    std::env::current_dir()
        .map_err(|error| Fault::new("cannot tell the working directory").because(error))
}

/// Which run changes settings.
fn origin(run: &str) -> Result<Origin, Fault> {
    let directory = working_directory()?;
    let here = owner::this_process();
    Ok(Origin {
        schema: JOURNAL_SCHEMA.to_owned(),
        run: run.to_owned(),
        host: here.host,
        boot_id: here.boot_id,
        started_at: owner::now(),
        directory: directory.to_string_lossy().into_owned(),
    })
}

/// Waits until a change has settled.
fn wait(pause: Nanos, observer: &dyn Observer) -> Result<(), Stop> {
    let end = Instant::now() + Duration::from_nanos(pause.0);
    loop {
        observer.go_on()?;
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        sleep(left.min(LOOK));
    }
}

/// Refuses targets that have come to lie on other devices than those whose settings are varied.
fn check_same_devices(prepared: &Prepared, targets: &[TargetSetup]) -> Result<(), Fault> {
    let factors = prepared.plan.factors.iter().flat_map(|factors| &factors.factors);
    if factors.into_iter().all(|factor| factor.commands.is_some()) {
        return Ok(());
    }
    let devices = |setup: &TargetSetup| match setup {
        TargetSetup::Real(real) => real.facts.counted_devices(),
        TargetSetup::Sim(_) | TargetSetup::Null => Vec::new(),
    };
    let pairs = prepared.plan.targets.iter().zip(prepared.targets.iter().zip(targets));
    for (target, (before, now)) in pairs {
        if devices(before) != devices(now) {
            return Err(Fault::new(format!("{} has moved to another device", target.target))
                .because(
                    "a command put another file system there, and the settings that the run \
                          varies are those of the former device",
                )
                .fix(
                    "set these through commands as well, or bring the file system there before \
                      the run",
                ));
        }
    }
    Ok(())
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
