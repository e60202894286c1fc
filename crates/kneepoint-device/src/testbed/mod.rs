//! This machine as a testbed: files, block devices and the null target.

mod target;
mod varying;

pub use target::{RealTarget, inspect_target, refuse_misspelt};
pub use varying::{NotedIn, Varying, tell_restoration};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::trust::{pressure_note, unrest};
use kneepoint_core::measure::{Copied, NextCopy, Observer, Patience, Ready, Stop, Task, Testbed};
use kneepoint_core::plan::resolve::{
    Access, Contents, Durable, FoundTarget, Serves, Settable, Site, TargetRequest, Wishes,
    named_twice, no_longer,
};
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::{Environment, HostEnvironment, TargetEnvironment, Warning};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, Nanos};

use crate::consent::Overwrite;
use crate::engine::{choose_engine, engine_facts};
use crate::facts::{IoLimit, SysRoot, io_limits, machine};
use crate::file_copy::{CopyGround, look};
use crate::instrument::DeviceInstrument;
use crate::observe::{Surroundings, processor_pressure};
use crate::process::allowed_cpus;
use crate::verification::{Ledger, Ledgers};
use target::{Before, Target, open_targets};

/// Targets of this machine.
pub struct DeviceTestbed {
    names: Vec<String>,
    targets: Vec<Target>,
    overwrites: Vec<Overwrite>,
    /// How much longer it waits for a quiet machine; `None` if it does not.
    patience: Option<Patience>,
    /// The note on a machine that was busy before anything was done, until it is told.
    busy: Option<String>,
    open: Option<Open>,
    /// Where files are copied.
    ground: CopyGround,
    /// Warnings from opening the targets, until they are taken.
    warnings: Vec<Warning>,
    /// What was measured of the plan before.
    before: Before,
    /// Where the journals of devices are whose data is verified.
    journals: PathBuf,
    /// Of the targets, once they are laid out, if their data is verified.
    ledgers: Option<Ledgers>,
    /// What went wrong with the data, or its journals, when the targets were closed.
    unclosed: Option<Fault>,
}

/// Targets laid out and opened.
struct Open {
    instrument: DeviceInstrument,
    /// Other users of the machine and the devices.
    surroundings: Surroundings,
}

impl DeviceTestbed {
    /// Looks at the targets called `names` but changes nothing.
    ///
    /// # Errors
    /// When one of them can't be measured so, or is there twice.
    pub fn look(
        names: &[String],
        wishes: &TargetRequest,
        overwrites: Vec<Overwrite>,
    ) -> Result<Self, Fault> {
        Ok(Self::of(names.to_vec(), find_targets(names, wishes, &overwrites)?, overwrites))
    }

    /// Looks at the targets of `plan` again but changes nothing.
    ///
    /// # Errors
    /// When one of them is no longer what it was.
    pub fn look_again(plan: &Plan, overwrites: Vec<Overwrite>) -> Result<Self, Fault> {
        let names = plan.targets.iter().map(|target| target.target.clone()).collect();
        let targets = look_again(plan, &overwrites)?;
        Ok(Self { before: Before::Kept, ..Self::of(names, targets, overwrites) })
    }

    /// From now on the journals of devices whose data is verified are in `folder`.
    pub fn keep_journals_in(&mut self, folder: &Path) {
        self.journals = folder.to_owned();
    }

    fn of(names: Vec<String>, targets: Vec<Target>, overwrites: Vec<Overwrite>) -> Self {
        let (ground, warnings) = (CopyGround::default(), Vec::new());
        let (patience, busy, open) = (None, None, None);
        let (before, journals) = (Before::Nothing, PathBuf::from("."));
        let (ledgers, unclosed) = (None, None);
        Self {
            names,
            targets,
            overwrites,
            patience,
            busy,
            open,
            ground,
            warnings,
            before,
            journals,
            ledgers,
            unclosed,
        }
    }

    /// The files and devices, in the plan's order; none for null targets.
    pub fn real_targets(&self) -> impl Iterator<Item = &RealTarget> {
        self.targets.iter().filter_map(|target| match target {
            Target::Real(real) => Some(&**real),
            Target::Null => None,
        })
    }

    /// Looks at the targets again after a command, which may have put another file system there.
    fn look_after_command(&mut self, plan: &Plan) -> Result<(), Fault> {
        let again = look_again(plan, &self.overwrites)?;
        check_same_devices(plan, (&self.targets, &again))?;
        self.targets = again;
        Ok(())
    }

    /// Lays out and opens the targets.
    fn open(&mut self, plan: &Plan, observer: &mut dyn Observer) -> Result<Open, Stop> {
        if plan.has_commands() {
            observer.task(&Task::Look);
            let looked = self.look_after_command(plan);
            observer.task_ended();
            looked?;
        }
        let real: Vec<&RealTarget> = self.real_targets().collect();
        match (plan.verification, &self.ledgers) {
            (None, _) => {
                target::lay_out(plan, &real, &self.journals, observer)?;
            }
            (Some(_), Some(ledgers)) => ledgers.iter().try_for_each(Ledger::reopen)?,
            (Some(verification), None) => {
                let place = (&*self.journals, self.before);
                let laid_out =
                    target::lay_out_verified((plan, verification), &real, place, observer)?;
                self.ledgers = Some(laid_out);
            }
        }
        observer.task(&Task::Open);
        let opened = open_targets(plan, self.real_targets());
        observer.task_ended();
        let opened = opened?;
        let instrument = DeviceInstrument::new(opened.files)
            .observing(&opened.observed)
            .verifying(self.ledgers.clone());
        self.warnings.extend(opened.warnings);
        Ok(Open { instrument, surroundings: Surroundings::of(&opened.observed) })
    }
}

impl Testbed for DeviceTestbed {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        let found = self.names.iter().zip(&self.targets).map(|(name, target)| FoundTarget {
            plan: target.plan(name, wishes.caching),
            serves: Serves::Io(target.storage_class(name)),
            durable: Durable::WritesAndFlushes,
            settable: Settable::No,
        });
        Site {
            targets: found.collect(),
            cpus: allowed_cpus().len(),
            engine: Box::new(|profile| choose_engine(wishes.engine, wishes.caching, profile)),
        }
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        match plan.file_copy {
            Some(_) => self.real_targets().try_for_each(|real| look(&real.ground()).map(|_| ())),
            None => Ok(()),
        }
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        _next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        let open = match self.open.take() {
            Some(open) => open,
            None => self.open(plan, observer)?,
        };
        let open = self.open.insert(open);
        if let Some(note) = self.busy.take() {
            observer.note(&format!("note: {note}"));
        }
        if let Some(patience) = &mut self.patience {
            if patience.is_left() {
                // What is in flight after the last visit would not be quiet.
                open.instrument.rest(observer);
            }
            let look = |time| open.surroundings.watch(time).and_then(|seen| unrest(&seen));
            patience.wait_by(observer, look);
        }
        observer.go_on()?;
        Ok(Ready { plan, instrument: &mut open.instrument })
    }

    fn environment(&self, plan: &Plan) -> Environment {
        let host = machine_environment(plan);
        let named = plan.targets.iter().zip(&self.targets);
        let targets = named.map(|(planned, target)| {
            let name = &planned.target;
            let found = match target {
                Target::Real(real) => real.facts.environment(name),
                Target::Null => TargetEnvironment {
                    target: name.clone(),
                    host: String::new(),
                    kind: planned.kind,
                    size_bytes: 0,
                    file_system: String::new(),
                    device: BTreeMap::new(),
                    settings: BTreeMap::new(),
                    class: None,
                    model: None,
                },
            };
            let class = Some(target.storage_class(name));
            let size_bytes = planned.size_bytes;
            TargetEnvironment { host: host.host.clone(), size_bytes, class, ..found }
        });
        Environment {
            targets: targets.collect(),
            hosts: vec![host],
            published: Vec::new(),
            imported: None,
        }
    }

    fn limits(&self) -> Vec<Warning> {
        let stacks = self.real_targets().filter_map(|real| real.facts.stack());
        let limits = stacks.flat_map(|stack| io_limits(&SysRoot::default(), stack));
        let mut warnings = Vec::new();
        for IoLimit { device, file, limit } in limits {
            let warning = Warning::IoLimited { limit, device, file: file.display().to_string() };
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        warnings
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.patience = longest.map(Patience::new);
        let is_patient = longest.is_some();
        self.busy = processor_pressure().filter(|_| !is_patient).and_then(pressure_note);
    }

    fn rest(&mut self, observer: &mut dyn Observer) {
        if let Some(open) = &mut self.open {
            open.instrument.rest(observer);
        }
    }

    fn copy_files(
        &mut self,
        plan: &Plan,
        next: &NextCopy<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Copied, Stop> {
        let Some(Target::Real(real)) = self.targets.get(next.target) else {
            return Err(Fault::new("files can only be copied beside a file").into());
        };
        self.ground.copy(&real.ground(), (plan, next), observer)
    }

    fn release(&mut self, observer: &mut dyn Observer) {
        if self.open.is_some() {
            observer.task(&Task::Close);
            self.rest(observer);
            if let Some(mut open) = self.open.take() {
                self.unclosed = open.instrument.close().err();
            }
            observer.task_ended();
        }
    }

    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        self.release(observer);
        self.ledgers = None;
        match self.unclosed.take() {
            None => Ok(Vec::new()),
            Some(fault) => Err(fault),
        }
    }
}

fn find_targets(
    names: &[String],
    wishes: &TargetRequest,
    overwrites: &[Overwrite],
) -> Result<Vec<Target>, Fault> {
    let mut targets = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(named_twice(format!("{name} is named twice")));
        }
        targets.push(Target::find(name, wishes, overwrites)?);
    }
    check_distinct(names, &targets)?;
    Ok(targets)
}

/// Refuses a file or device that is there under two names: it would count twice.
fn check_distinct(names: &[String], targets: &[Target]) -> Result<(), Fault> {
    for (index, target) in targets.iter().enumerate() {
        if let Some(first) = targets[..index].iter().position(|other| other.is_same_as(target)) {
            let (first, second) = (&names[first], &names[index]);
            return Err(named_twice(format!("{first} and {second} are the same file or device")));
        }
    }
    Ok(())
}

/// Looks at the targets of a plan again: they must be what they were.
fn look_again(plan: &Plan, overwrites: &[Overwrite]) -> Result<Vec<Target>, Fault> {
    let mut targets = Vec::with_capacity(plan.targets.len());
    for planned in &plan.targets {
        let name = &planned.target;
        let size = match planned.kind {
            TargetKind::File | TargetKind::Block => Some(Bytes(planned.size_bytes)),
            TargetKind::Sim
            | TargetKind::Null
            | TargetKind::Database
            | TargetKind::Processor
            | TargetKind::Desktop
            | TargetKind::Directory => None,
        };
        let contents = match plan.verification {
            None => Contents::AsFound,
            Some(_) => Contents::Verified,
        };
        let access = Access::of(&plan.series);
        let wishes = TargetRequest { size, test_file: Bytes(0), access, contents };
        let mut found = find_targets(std::slice::from_ref(name), &wishes, overwrites)?;
        let setup = found.remove(0);
        let mut now = setup.plan(name, plan.engine.caching);
        if plan.has_commands() && is_aligned(plan, now.alignment_bytes) {
            // A command may have put another file system there.
            now.alignment_bytes = planned.alignment_bytes;
        }
        if now != *planned {
            return Err(no_longer(name));
        }
        targets.push(setup);
    }
    let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
    check_distinct(&names, &targets)?;
    Ok(targets)
}

/// True if every I/O of the plan suits that alignment.
fn is_aligned(plan: &Plan, alignment_bytes: u64) -> bool {
    let mut lines = plan.io_profiles().flat_map(|profile| &profile.lines);
    lines.all(|line| {
        line.block_bytes.is_multiple_of(alignment_bytes)
            && line.align_bytes.is_multiple_of(alignment_bytes)
    })
}

/// Refuses targets that have come to lie on other devices than those whose settings are varied.
fn check_same_devices(plan: &Plan, (before, now): (&[Target], &[Target])) -> Result<(), Fault> {
    let mut factors = plan.factors.iter().flat_map(|factors| &factors.factors);
    if factors.all(|factor| factor.commands.is_some()) {
        return Ok(());
    }
    let devices = |target: &Target| match target {
        Target::Real(real) => real.facts.counted_devices(),
        Target::Null => Vec::new(),
    };
    for (planned, (before, now)) in plan.targets.iter().zip(before.iter().zip(now)) {
        if devices(before) != devices(now) {
            return Err(Fault::new(format!("{} has moved to another device", planned.target))
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

/// The machine as it is now.
pub fn host_environment() -> HostEnvironment {
    machine(&SysRoot::default())
}

/// The machine and the engine of `plan` as they are now.
pub fn machine_environment(plan: &Plan) -> HostEnvironment {
    let mut host = host_environment();
    if let Some(profile) = plan.io_profiles().next() {
        host.engine = engine_facts(plan.engine.engine, profile);
        host.engine.insert("workers".to_owned(), plan.engine.workers.to_string());
        host.engine.insert("caching".to_owned(), plan.engine.caching.name().to_owned());
        if let Some(pages) = plan.engine.memory_pages {
            host.engine.insert("memory_pages".to_owned(), pages.name().to_owned());
        }
    }
    host
}
