//! Measures points on simulated systems.

use kneepoint_core::load::backend::Backend;
use kneepoint_core::load::drive::{WorkerTask, drive};
use kneepoint_core::load::stream::{Stream, WorkerPlan, assign};
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::Plan;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;

use crate::analytic::{AnalyticBackend, AnalyticSystem};
pub(crate) use crate::assembly::Assembly;
use crate::model::SystemBackend;
use crate::target::{Model, SimTarget};
use crate::users::{Desktop, Session};

/// Simulated systems as an instrument: one worker, virtual time, no randomness but the seed's.
#[derive(Debug)]
pub struct SimInstrument {
    kind: SimKind,
    /// The systems as the last visit of a series left them.
    left: Option<Left>,
}

/// Systems after a visit, and what they had settled to.
#[derive(Debug)]
struct Left {
    series: String,
    /// The load that they had settled to.
    load: f64,
    systems: Systems,
}

/// Systems that had settled to a load have settled to one that differs by no more than this share.
const SETTLED: f64 = 0.25;

/// Systems at work.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
enum Systems {
    Analytic(AnalyticBackend),
    Storage(SystemBackend),
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
                Model::Desktop(desktop) => return Ok(Self::new_of(SimKind::Desktop(*desktop))),
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
            (_, true) => Ok(Self::new_of(SimKind::Analytic(analytic))),
            (true, false) => Ok(Self::new_of(SimKind::Systems(assembly))),
        }
    }
}

impl Instrument for SimInstrument {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        if let SimKind::Desktop(desktop) = &self.kind {
            return run_users(*desktop, point, observer);
        }
        let worker = worker(point)?;
        let (load, mut systems) = self.systems(point, &worker)?;
        let outcome = match &mut systems {
            Systems::Analytic(backend) => run(backend, point, &worker, observer)?,
            Systems::Storage(backend) => {
                let outcome = run(backend, point, &worker, observer)?;
                Outcome { simulated: Some(backend.simulated()), ..outcome }
            }
        };
        let series = || point.series.key().to_string();
        self.left = point.visit.map(|_| Left { series: series(), load, systems });
        let warnings = match &self.kind {
            SimKind::Systems(assembly) => assembly.warnings(),
            SimKind::Analytic(_) | SimKind::Desktop(_) => Vec::new(),
        };
        Ok(Outcome { warnings: [outcome.warnings, warnings].concat(), ..outcome })
    }
}

impl SimInstrument {
    const fn new_of(kind: SimKind) -> Self {
        Self { kind, left: None }
    }

    /// The systems as `point` finds them, and the load that they have settled to: as the visit of a
    /// load like this one left them, or else as a long run would.
    fn systems(&mut self, point: &Point<'_>, worker: &WorkerPlan) -> Result<(f64, Systems), Fault> {
        let series = point.series.key().to_string();
        let load = point.load.value;
        let is_alike = |left: &Left| {
            let is_near = (load / left.load - 1.0).abs() <= SETTLED;
            point.visit.is_some() && left.series == series && is_near
        };
        if let Some(left) = self.left.take().filter(is_alike) {
            return Ok((left.load, left.systems));
        }
        let systems = match &self.kind {
            SimKind::Systems(assembly) => {
                Systems::Storage(assembly.settled(point.io_profile()?, worker)?)
            }
            SimKind::Analytic(systems) => {
                let seed = seed::derive(point.seed(), "sim", 0);
                Systems::Analytic(AnalyticBackend::new(systems, seed))
            }
            SimKind::Desktop(_) => return Err(Fault::new("a desktop serves no I/O")),
        };
        Ok((load, systems))
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
    let duty = WorkerTask::new(point.plan, worker, backend.now());
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
