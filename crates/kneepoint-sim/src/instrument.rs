//! Measures points on simulated systems.

use kneepoint_core::load::backend::Backend;
use kneepoint_core::load::drive::{WorkerTask, drive};
use kneepoint_core::load::stream::{Stream, WorkerPlan, assign};
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::Plan;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Nanos;

use crate::analytic::{AnalyticBackend, System as AnalyticSystem};
pub(crate) use crate::assembly::Assembly;
use crate::target::{Model, SimTarget};
use crate::users::{Desktop, Session};

/// Simulated systems as an instrument: one worker, virtual time, no randomness but the seed's.
#[derive(Debug, Clone)]
pub struct SimInstrument {
    kind: SimKind,
}

#[derive(Debug, Clone)]
enum SimKind {
    /// One reference system per target.
    Analytic(Vec<AnalyticSystem>),
    /// A reference system that serves users.
    Desktop(Desktop),
    /// Storage subsystems with their arrays.
    Systems(Assembly),
}

impl SimInstrument {
    /// The simulated targets of `plan`, all of them shipped systems.
    ///
    /// # Errors
    /// When a target's name cannot be read, or targets cannot be simulated together.
    pub fn new(plan: &Plan) -> Result<Self, Fault> {
        let names = plan.targets.iter().map(|target| SimTarget::parse(&target.target));
        Self::of_targets(&names.collect::<Result<Vec<_>, _>>()?)
    }

    /// These targets.
    ///
    /// # Errors
    /// When they cannot be simulated together.
    pub fn of_targets(targets: &[SimTarget]) -> Result<Self, Fault> {
        let mut analytic = Vec::new();
        let mut assembly = Assembly::default();
        for target in targets {
            match &target.model {
                Model::Desktop(desktop) => return Ok(Self { kind: SimKind::Desktop(*desktop) }),
                Model::Analytic(system) => analytic.push(*system),
                Model::Array { system, array } => {
                    let name = target.name.split('#').next().unwrap_or_default();
                    assembly.add(name, system, *array);
                }
            }
        }
        match (analytic.is_empty(), assembly.is_empty()) {
            (false, false) => Err(Fault::new(
                "reference systems and storage subsystems cannot be measured together",
            )
            .fix("measure them in runs of their own")),
            (_, true) => Ok(Self { kind: SimKind::Analytic(analytic) }),
            (true, false) => Ok(Self { kind: SimKind::Systems(assembly) }),
        }
    }
}

impl Instrument for SimInstrument {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        match &self.kind {
            SimKind::Desktop(desktop) => run_users(*desktop, point, observer),
            SimKind::Analytic(systems) => {
                let seed = seed::derive(point.seed(), "sim", 0);
                run(&mut AnalyticBackend::new(systems, seed), point, &worker(point)?, observer)
            }
            SimKind::Systems(assembly) => {
                let worker = worker(point)?;
                let mut backend = assembly.settled(point.io_profile()?, &worker)?;
                let mut outcome = run(&mut backend, point, &worker, observer)?;
                outcome.warnings.extend(assembly.warnings());
                outcome.simulated = Some(backend.simulated());
                Ok(outcome)
            }
        }
    }
}

/// The one worker that drives simulated targets.
fn worker(point: &Point<'_>) -> Result<WorkerPlan, Fault> {
    let workers: Vec<WorkerPlan> = assign(point.plan, point.load, point.seed());
    <[WorkerPlan; 1]>::try_from(workers).map(|[worker]| worker).map_err(|_| {
        Fault::new("a simulated system is driven by one worker")
            .fix("leave out --workers for sim: targets")
    })
}

/// Drives `backend` through the point.
fn run<B: Backend>(
    backend: &mut B,
    point: &Point<'_>,
    worker: &WorkerPlan,
    observer: &mut dyn Observer,
) -> Result<Outcome, Stop> {
    let mut overseer = Coordinator::new(point, observer);
    let profile = point.io_profile()?;
    let streams = worker.streams.iter().map(|stream| Stream::new(profile, stream));
    let streams = streams.collect::<Result<Vec<_>, _>>()?;
    let duty = WorkerTask::new(point.plan, worker, Nanos::ZERO);
    let driven = drive(backend, &duty, streams, &mut overseer);
    overseer.add_straddlers(driven.straddlers.clone());
    Ok(Outcome::new(overseer.finish()?, &[driven]))
}

/// Lets users work on `desktop`.
fn run_users(
    desktop: Desktop,
    point: &Point<'_>,
    observer: &mut dyn Observer,
) -> Result<Outcome, Stop> {
    let work = point.series.profile.users();
    let work = work.ok_or_else(|| Fault::new("the work of the series is not that of users"))?;
    let mut overseer = Coordinator::new(point, observer);
    let seed = seed::derive(point.seed(), "users", 0);
    let users = point.load.value as usize;
    Session::new(desktop, work, users, seed).run(point.plan.timing.interval, &mut overseer);
    Ok(Outcome::new(overseer.finish()?, &[]))
}
