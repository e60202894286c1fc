//! Simulated systems as a testbed.

use std::collections::BTreeMap;

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{Observer, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::{FoundTarget, Site, Wishes, named_twice, no_longer};
use kneepoint_core::plan::{Engine, Plan, SeriesPlan, TargetKind, TargetPlan};
use kneepoint_core::result::{Environment, HostEnvironment, PublishedNumber, TargetEnvironment};
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::fault::Fault;

use crate::instrument::SimInstrument;
use crate::published::{PublishedCells, origin};
use crate::system::System;
use crate::target::{Files, Model, SimTarget, refuse_files};

/// Simulated systems; each of their arrays is a target.
pub struct SimTestbed<'a> {
    targets: Vec<SimTarget>,
    files: Files<'a>,
    host: Host<'a>,
    built: Option<Built>,
}

/// The machine on which the systems of a plan are simulated.
pub type Host<'a> = &'a dyn Fn(&Plan) -> HostEnvironment;

/// The systems with their parameters at the levels of a point.
struct Built {
    parameters: Combination,
    /// The plan with these targets' sizes.
    plan: Option<Plan>,
    instrument: SimInstrument,
}

impl<'a> SimTestbed<'a> {
    /// The systems called `names`, all of them shipped.
    ///
    /// # Errors
    /// When a name cannot be read, or stands for what is there twice.
    pub fn new(names: &[String]) -> Result<Self, Fault> {
        Self::with_files(names, &refuse_files)
    }

    /// The systems called `names`; the files of systems that are not shipped come from `files`.
    ///
    /// # Errors
    /// As [`Self::new`], and whatever `files` finds wrong.
    pub fn with_files(names: &[String], files: Files<'a>) -> Result<Self, Fault> {
        let mut targets: Vec<SimTarget> = Vec::new();
        for name in names {
            for name in SimTarget::expand(name, files)? {
                if targets.iter().any(|known| known.name == name) {
                    return Err(named_twice(format!("{name} is named twice")));
                }
                targets.push(SimTarget::parse_with(&name, files)?);
            }
        }
        Ok(Self { targets, files, host: &unknown, built: None })
    }

    /// All arrays of one system.
    ///
    /// # Errors
    /// Never: the arrays are those that it has.
    pub fn of_system(system: &System) -> Result<Self, Fault> {
        let target = |array: u32| {
            let name = format!("sim:{}#{array}", system.name);
            SimTarget::of_system(&name, system.clone(), array)
        };
        let targets = (0..system.array_count()).map(target).collect::<Result<_, _>>()?;
        Ok(Self { targets, files: &refuse_files, host: &unknown, built: None })
    }

    /// The same, and environments say which machine simulates.
    #[must_use]
    pub fn on(self, host: Host<'a>) -> Self {
        Self { host, ..self }
    }

    /// The targets with `parameters`: those of the arrays that there are then.
    fn changed(&self, parameters: &Combination) -> Result<Vec<SimTarget>, Fault> {
        if parameters.is_empty() {
            return Ok(self.targets.clone());
        }
        let mut changed = Vec::new();
        for target in &self.targets {
            let name = SimTarget::with_parameters(&target.name, parameters);
            let arrays = SimTarget::arrays(&name, self.files)?;
            if arrays as usize > self.arrays_of(target) {
                return Err(Fault::new(format!(
                    "'{name}' has more arrays than the plan: {arrays}"
                ))
                .because("the targets of a plan are those of its largest level")
                .fix("name the target with its largest number of drives, and vary smaller ones"));
            }
            if SimTarget::array_number(&name)? < arrays {
                changed.push(SimTarget::parse_with(&name, self.files)?);
            }
        }
        Ok(changed)
    }

    /// How many arrays the system of `target` may have at any level: those that are targets, or any
    /// number where the user has chosen among them.
    fn arrays_of(&self, target: &SimTarget) -> usize {
        let Model::Array { system, .. } = &target.model else { return 1 };
        let base = |name: &str| name.split('#').next().unwrap_or_default().to_owned();
        let named = self.targets.iter().filter(|other| base(&other.name) == base(&target.name));
        match named.count() {
            all if all == system.array_count() as usize => all,
            _ => usize::MAX,
        }
    }

    /// What was published of what the series of `plan` simulate.
    fn published(&self, plan: &Plan) -> Result<Vec<PublishedNumber>, Fault> {
        let cells = PublishedCells::of(&self.targets)?;
        if cells.is_empty() {
            return Ok(Vec::new());
        }
        let of_series = |series: &SeriesPlan| {
            let targets = self.changed(&parameters(plan, series))?;
            Ok(cells.of_series(plan, series, &targets))
        };
        // What was published was measured by itself.
        let alone = plan.series.iter().filter(|series| series.together.is_none());
        let numbers: Result<Vec<_>, Fault> = alone.map(of_series).collect();
        Ok(numbers?.concat())
    }

    /// Builds the systems for `next`; those of rounds keep what each point does to them, and are not built in
    /// the middle of the rounds.
    fn build_for(
        &self,
        plan: &Plan,
        next: &NextPoint<'_>,
        parameters: Combination,
    ) -> Result<Built, Fault> {
        let built = self.build(plan, parameters)?;
        if plan.rounds.is_none() {
            return Ok(built);
        }
        let is_first = plan.series.first().is_some_and(|first| first.name == next.series.name);
        if next.repetition > 0 || !is_first {
            return Err(Fault::new("the rounds of a simulated system cannot be resumed")
                .because("what the rounds before did to its drives is lost")
                .fix("run it again: with the same seed it measures the same numbers"));
        }
        Ok(Built { instrument: built.instrument.with_history(), ..built })
    }

    /// Builds the systems as the point wants them.
    fn build(&self, plan: &Plan, parameters: Combination) -> Result<Built, Fault> {
        let targets = self.changed(&parameters)?;
        let plan = (!parameters.is_empty()).then(|| {
            let mut plan = plan.clone();
            plan.targets.retain(|planned| is_among(&targets, &planned.target, &parameters));
            for (planned, target) in plan.targets.iter_mut().zip(&targets) {
                planned.size_bytes = target.size.0;
            }
            plan
        });
        Ok(Built { parameters, plan, instrument: SimInstrument::of_targets(&targets)? })
    }
}

/// Whether the target called `name` is one of `targets`, which have these parameters.
fn is_among(targets: &[SimTarget], name: &str, parameters: &Combination) -> bool {
    let name = SimTarget::with_parameters(name, parameters);
    targets.iter().any(|target| target.name == name)
}

/// The settings of a series that are parameters of the system: its own, and its factors apart from those that
/// the user's commands set.
fn parameters(plan: &Plan, series: &SeriesPlan) -> Combination {
    let factors = plan.factors.iter().flat_map(|factors| &factors.factors);
    let varied = factors.filter(|factor| factor.commands.is_none());
    let levels = varied.filter_map(|factor| {
        Some((factor.name.clone(), series.factors.get(&factor.name)?.clone()))
    });
    series.settings.clone().into_iter().chain(levels).collect()
}

impl Testbed for SimTestbed<'_> {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        Site {
            targets: self.targets.iter().map(found).collect(),
            cpus: 1,
            engine: Box::new(|_| Ok(Engine::Sim)),
        }
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        for (planned, target) in plan.targets.iter().zip(&self.targets) {
            if found(target).plan != *planned {
                return Err(no_longer(&planned.target));
            }
        }
        let all = plan.series.iter().map(|series| parameters(plan, series));
        distinct(all).iter().try_for_each(|parameters| self.changed(parameters).map(|_| ()))
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        observer.go_on()?;
        let parameters = parameters(plan, next.series);
        let built = match self.built.take().filter(|built| built.parameters == parameters) {
            Some(built) => built,
            None => self.build_for(plan, next, parameters)?,
        };
        let built = self.built.insert(built);
        Ok(Ready { plan: built.plan.as_ref().unwrap_or(plan), instrument: &mut built.instrument })
    }

    fn environment(&self, plan: &Plan) -> Environment {
        let host = (self.host)(plan);
        let named = plan.targets.iter().zip(&self.targets);
        let targets = named.map(|(planned, target)| TargetEnvironment {
            target: planned.target.clone(),
            host: host.host.clone(),
            kind: planned.kind,
            size_bytes: planned.size_bytes,
            file_system: String::new(),
            device: BTreeMap::new(),
            settings: target.settings(),
            class: target.serves().class().cloned(),
            model: origin(target),
        });
        Environment {
            targets: targets.collect(),
            hosts: vec![host],
            published: self.published(plan).unwrap_or_default(),
            imported: None,
        }
    }
}

fn unknown(_plan: &Plan) -> HostEnvironment {
    HostEnvironment::default()
}

/// The target as a plan is resolved for it.
fn found(target: &SimTarget) -> FoundTarget {
    let plan = TargetPlan {
        target: target.name.clone(),
        host: String::new(),
        kind: TargetKind::Sim,
        size_bytes: target.size.0,
        alignment_bytes: 1,
    };
    let (serves, durable) = (target.serves(), target.durable());
    FoundTarget { plan, serves, durable, settable: target.settable() }
}
