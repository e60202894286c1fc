//! Measures points on simulated systems.

use kneepoint_core::backend::{Backend, Direction};
use kneepoint_core::drive::{Duty, drive};
use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Monitor, Outcome, Overseer, Point};
use kneepoint_core::plan::{Plan, ResolvedProfile};
use kneepoint_core::seed;
use kneepoint_core::stream::{Source, Stream, StreamPlan, WorkerPlan, assign};
use kneepoint_core::units::Nanos;

use crate::analytic::{AnalyticBackend, System as AnalyticSystem};
use crate::model::{SystemBackend, Wear};
use crate::system::System;
use crate::target::{Files, Model, SimTarget, no_files};

/// A write cache is filled by at most this many writes per target before a point begins.
const PREFILL_DRAWS_MAX: u32 = 4_000_000;

/// Simulated systems as an instrument: one worker, virtual time, no randomness but the seed's.
#[derive(Debug, Clone)]
pub struct SimInstrument {
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// One reference system per target.
    Analytic(Vec<AnalyticSystem>),
    /// Storage subsystems with their arrays.
    Systems(Assembly),
}

/// Storage subsystems, and which array of which of them each target is.
#[derive(Debug, Clone, Default)]
pub struct Assembly {
    systems: Vec<(String, System)>,
    targets: Vec<(usize, u32)>,
}

impl Assembly {
    /// Adds a target: array `array` of the system called `name`. Targets that name the same
    /// system share its parts.
    pub fn add(&mut self, name: &str, system: &System, array: u32) {
        let known = self.systems.iter().position(|(known, _)| known == name);
        let index = known.unwrap_or_else(|| {
            self.systems.push((name.to_owned(), system.clone()));
            self.systems.len() - 1
        });
        self.targets.push((index, array));
    }

    /// All arrays of one system, each a target.
    pub fn of_system(system: &System) -> Self {
        let mut assembly = Self::default();
        for array in 0..system.array_count() {
            assembly.add(&system.name, system, array);
        }
        assembly
    }

    /// The systems with their parts at rest, at time zero; solid-state drives are as `profile`
    /// would have left them.
    pub fn backend(&self, profile: &ResolvedProfile) -> SystemBackend {
        let wear = match profile.is_sequential() {
            true => Wear::Sequential,
            false => Wear::Random,
        };
        let mut backend = SystemBackend::new();
        let first: Vec<u32> =
            self.systems.iter().map(|(_, system)| backend.add_system(system, wear)).collect();
        for (index, array) in &self.targets {
            backend.add_target(first[*index] + array);
        }
        backend
    }

    /// Fills write caches with what `profile` would have left there.
    ///
    /// # Errors
    /// When a target is too small for the profile's blocks.
    pub fn prefill(
        &self,
        backend: &mut SystemBackend,
        profile: &ResolvedProfile,
        worker: &WorkerPlan,
    ) -> Result<(), Fault> {
        if profile.is_sequential() || !profile.writes() {
            return Ok(());
        }
        let seeded = worker.streams.iter().map(|plan| {
            let seed = seed::derive(plan.seed, "prefill", 0);
            Stream::new(profile, &StreamPlan { seed, ..plan.clone() })
        });
        let mut streams = seeded.collect::<Result<Vec<_>, _>>()?;
        for _ in 0..PREFILL_DRAWS_MAX {
            let mut is_full = true;
            for (stream, plan) in streams.iter_mut().zip(&worker.streams) {
                let drawn = stream.draw();
                if drawn.direction == Direction::Write && backend.wants_prefill(plan.target) {
                    backend.prefill(plan.target, drawn.offset, drawn.bytes);
                }
                is_full &= !backend.wants_prefill(plan.target);
            }
            if is_full {
                break;
            }
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.systems.iter().filter_map(|(_, system)| system.warning()).collect()
    }
}

impl SimInstrument {
    /// The simulated targets of `plan`, all of them shipped systems.
    ///
    /// # Errors
    /// When a target's name cannot be read, or targets cannot be simulated together.
    pub fn new(plan: &Plan) -> Result<Self, Fault> {
        Self::with_files(plan, &no_files)
    }

    /// The simulated targets of `plan`; the files of systems that are not shipped come from
    /// `files`.
    ///
    /// # Errors
    /// When a target's name cannot be read, or targets cannot be simulated together.
    pub fn with_files(plan: &Plan, files: Files<'_>) -> Result<Self, Fault> {
        let names = plan.targets.iter().map(|target| SimTarget::parse_with(&target.target, files));
        let targets = names.collect::<Result<Vec<_>, _>>()?;
        let mut analytic = Vec::new();
        let mut assembly = Assembly::default();
        for target in &targets {
            match &target.model {
                Model::Analytic(system) => analytic.push(*system),
                Model::Array { system, array } => {
                    let name = target.name.split('#').next().unwrap_or_default();
                    assembly.add(name, system, *array);
                }
            }
        }
        match (analytic.is_empty(), assembly.targets.is_empty()) {
            (false, false) => Err(Fault::new(
                "reference systems and storage subsystems cannot be measured together",
            )
            .fix("measure them in runs of their own")),
            (_, true) => Ok(Self { kind: Kind::Analytic(analytic) }),
            (true, false) => Ok(Self { kind: Kind::Systems(assembly) }),
        }
    }

    /// Measures points on `assembly`, whatever the plan's targets are called.
    pub const fn of(assembly: Assembly) -> Self {
        Self { kind: Kind::Systems(assembly) }
    }
}

impl Instrument for SimInstrument {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<Outcome, Fault> {
        let workers = assign(point.plan, point.load, point.seed());
        let [worker] = workers.as_slice() else {
            return Err(Fault::new("a simulated system is driven by one worker")
                .fix("leave out --workers for sim: targets"));
        };
        match &self.kind {
            Kind::Analytic(systems) => {
                let seed = seed::derive(point.seed(), "sim", 0);
                run(&mut AnalyticBackend::new(systems, seed), point, worker, monitor)
            }
            Kind::Systems(assembly) => {
                let mut backend = assembly.backend(&point.series.profile);
                assembly.prefill(&mut backend, &point.series.profile, worker)?;
                let mut outcome = run(&mut backend, point, worker, monitor)?;
                outcome.warnings.extend(assembly.warnings());
                outcome.simulated = Some(backend.simulated());
                Ok(outcome)
            }
        }
    }
}

/// Drives `backend` through the point.
fn run<B: Backend>(
    backend: &mut B,
    point: &Point<'_>,
    worker: &WorkerPlan,
    monitor: &mut dyn Monitor,
) -> Result<Outcome, Fault> {
    let mut overseer = Overseer::new(point.plan, monitor);
    let profile = &point.series.profile;
    let streams = worker.streams.iter().map(|stream| Stream::new(profile, stream));
    let streams = streams.collect::<Result<Vec<_>, _>>()?;
    let duty = Duty::new(point.plan, worker, Nanos::ZERO);
    let driven = drive(backend, &duty, streams, &mut overseer);
    let (measurement, interrupted) = overseer.finish();
    Ok(Outcome::new(measurement, &[driven], interrupted))
}
