//! Measures points on simulated systems.

use kneepoint_core::load::backend::Backend;
use kneepoint_core::load::drive::{Driver, WorkerTask};
use kneepoint_core::load::stream::{Stream, StreamPlan, WorkerPlan};
use kneepoint_core::measure::{Coordinator, Instrument, LastVisit, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::Plan;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;

use crate::analytic::{AnalyticBackend, AnalyticSystem};
pub(crate) use crate::assembly::Assembly;
use crate::assembly::settles;
use crate::model::SystemBackend;
use crate::target::{Model, SimTarget};
use crate::users::{Desktop, Session};

/// Simulated systems as an instrument: one worker, virtual time, no randomness but the seed's.
#[derive(Debug)]
pub struct SimInstrument {
    kind: SimKind,
    /// What the last visit of a search left at work.
    left: Option<Left>,
    history: History,
}

/// What the systems bring along to a point.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
enum History {
    /// A point finds them as a long run of it would.
    OfEachPoint,
    /// A point finds them as the one before left them, if there was one.
    OfAllPoints(Option<AtWork>),
}

/// Systems at work. Time stands still for them between two visits.
#[derive(Debug)]
struct AtWork {
    systems: Systems,
    /// What they have in flight; `None` if nothing is.
    flight: Option<Driver<Stream>>,
    /// The load that they had settled to.
    settled: f64,
}

/// What the last visit left at work.
type Left = (LastVisit, AtWork);

/// Write caches that had settled to a load have settled to one that differs by no more than this
/// share.
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
        let before = match &mut self.history {
            History::OfEachPoint => None,
            History::OfAllPoints(before) => before.take(),
        };
        let mut at_work = match before {
            Some(before) => before,
            None => self.at_work(point, &worker)?,
        };
        let from_rest = point.plan_from_rest().filter(|_| at_work.flight.is_none());
        let point = &Point { plan: from_rest.as_ref().unwrap_or(point.plan), ..*point };
        let flight = &mut at_work.flight;
        let outcome = match &mut at_work.systems {
            Systems::Analytic(backend) => run(backend, flight, (point, &worker), observer)?,
            Systems::Storage(backend) => {
                backend.begin_account();
                let outcome = run(backend, flight, (point, &worker), observer)?;
                Outcome { simulated: Some(backend.simulated()), ..outcome }
            }
        };
        // What never came back is still there: its place must not be taken.
        match &mut self.history {
            History::OfAllPoints(before) if outcome.lost == 0 => *before = Some(at_work),
            _ => self.left = LastVisit::of(point).filter(|_| outcome.lost == 0).zip(Some(at_work)),
        }
        let warnings = match &self.kind {
            SimKind::Systems(assembly) => assembly.warnings(),
            SimKind::Analytic(_) | SimKind::Desktop(_) => Vec::new(),
        };
        Ok(Outcome { warnings: [outcome.warnings, warnings].concat(), ..outcome })
    }
}

impl SimInstrument {
    /// The same, and every point after the first finds the systems as the one before left them.
    #[must_use]
    pub fn with_history(self) -> Self {
        Self { history: History::OfAllPoints(None), ..self }
    }

    const fn new_of(kind: SimKind) -> Self {
        Self { kind, left: None, history: History::OfEachPoint }
    }

    /// The systems as the last visit of the series left them, with what is in flight, or else as a
    /// long run would find them, with nothing in flight.
    fn at_work(&mut self, point: &Point<'_>, worker: &WorkerPlan) -> Result<AtWork, Fault> {
        if let Some((last, at_work)) = self.left.take()
            && last.leads_to(point)
            && at_work.is_settled(point)
        {
            return Ok(at_work);
        }
        let systems = match &self.kind {
            SimKind::Systems(assembly) => {
                Systems::Storage(assembly.settled(&point.io_profiles()?, worker)?)
            }
            SimKind::Analytic(systems) => {
                let seed = seed::derive(point.seed(), "sim", 0);
                let first = point.plan.first_target;
                Systems::Analytic(AnalyticBackend::new((systems, first), seed))
            }
            SimKind::Desktop(_) => return Err(Fault::new("a desktop serves no I/O")),
        };
        Ok(AtWork { systems, flight: None, settled: point.load.value })
    }
}

impl AtWork {
    /// Whether the systems have settled to a load like that of `point`, or need not.
    fn is_settled(&self, point: &Point<'_>) -> bool {
        let is_near = (point.load.value / self.settled - 1.0).abs() <= SETTLED;
        let settles = match &self.systems {
            Systems::Storage(backend) => point.io_profile().is_ok_and(|io| settles(backend, io)),
            Systems::Analytic(_) => false,
        };
        is_near || !settles
    }
}

/// The one worker that drives simulated targets.
fn worker(point: &Point<'_>) -> Result<WorkerPlan, Fault> {
    let workers: Vec<WorkerPlan> = point.workers();
    <[WorkerPlan; 1]>::try_from(workers).map(|[worker]| worker).map_err(|_| {
        Fault::new("a simulated system is driven by one worker")
            .fix("leave out --workers for sim: targets")
    })
}

/// Drives `backend` through the point; what is in flight at the end of a visit stays in `flight`.
fn run<B: Backend>(
    backend: &mut B,
    flight: &mut Option<Driver<Stream>>,
    (point, worker): (&Point<'_>, &WorkerPlan),
    observer: &mut dyn Observer,
) -> Result<Outcome, Stop> {
    let mut overseer = Coordinator::new(point, observer);
    // Virtual time begins when it is told to.
    overseer.ready()?;
    let task = WorkerTask::new(point.plan, worker, backend.now());
    let mut driver = match flight.take() {
        Some(mut driver) => {
            driver.change(&task);
            driver
        }
        None => Driver::new(&task, streams(point, worker)?),
    };
    driver.run(backend, &mut overseer);
    let driven = match point.visit {
        Some(_)
            if !driver.is_exhausted() && !overseer.is_stalled(&driver.in_flight(backend.now())) =>
        {
            let driven = driver.pause(backend.now());
            *flight = Some(driver);
            driven
        }
        _ => driver.drain(backend),
    };
    overseer.add_straddlers(driven.straddlers.clone());
    Ok(overseer.finish_all()?.outcome(&[driven]))
}

/// The streams that `worker` drives.
fn streams(point: &Point<'_>, worker: &WorkerPlan) -> Result<Vec<Stream>, Fault> {
    let profiles = point.io_profiles()?;
    let stream = |plan: &StreamPlan| Stream::new(profiles[plan.seat.member as usize], plan);
    worker.streams.iter().map(stream).collect()
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
    overseer.ready()?;
    let seed = seed::derive(point.seed(), "users", 0);
    let users = point.load.value as usize;
    Session::new(desktop, work, users, seed).run(point.plan.timing.interval, &mut overseer);
    Ok(Outcome::new(overseer.finish()?, &[]))
}
