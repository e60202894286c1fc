//! What measures a point: one level above the backend.
//!
//! A real machine and a simulated system differ in how a point comes about; what they are asked
//! and what they answer is the same.
use std::ops::Range;

use super::observer::{Observer, Stop};
use super::together::{Group, Measured, errors};
use crate::load::drive::{Driven, Flow, IoFault};
use crate::load::record::interval::{IntervalRecord, Tally};
use crate::load::record::recorder::Straddler;
use crate::load::stream::{WorkerPlan, assign_members};
use crate::measure::confidence::{DriftBefore, Occupancy};
use crate::measure::measurement::{Collector, Measurement};
use crate::measure::search::{Visit, VisitStart};
use crate::measure::trust::{HostStart, Observation};
use crate::plan::{Engine, Plan, SeriesPlan};
use crate::result::simulated::Simulated;
use crate::result::{AGAIN_FROM, Warning};
use crate::spec::profile::ResolvedProfile;
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::load::{LoadLevel, LoadUnit};
use crate::words::seed;
use crate::words::units::Nanos;

/// One point to be measured.
#[derive(Debug, Clone, Copy)]
pub struct Point<'a> {
    /// The plan that it belongs to.
    pub plan: &'a Plan,
    /// The series that it belongs to.
    pub series: &'a SeriesPlan,
    /// The load level.
    pub load: LoadLevel,
    /// Which repetition it belongs to, from 0; a load that is measured again counts on in steps of
    /// [`AGAIN_FROM`].
    pub repetition: u32,
    /// The visit of a search that it is: it continues where the last point of the series ended.
    /// `None` for a point that stands alone.
    pub visit: Option<Visit>,
    /// How fast the target changed at the points before of the series.
    pub before: DriftBefore,
}

impl Point<'_> {
    /// The point's own seed: the same for the same plan, series, load and repetition.
    pub fn seed(&self) -> u64 {
        let series = seed::derive(self.plan.seed, &self.series.name, u64::from(self.repetition));
        seed::derive(series, self.load.unit.label(), self.load.value.to_bits())
    }

    /// Which repetition of the plan it belongs to, from 0, however often its load was measured there.
    pub const fn repetition_of_plan(&self) -> u32 {
        self.repetition % AGAIN_FROM
    }

    /// The plan of a visit that begins with nothing in flight; `None` if the point is no visit.
    pub fn plan_from_rest(&self) -> Option<Plan> {
        self.visit.map(|visit| visit.from_rest().planned(self.plan))
    }

    /// The response classes of its operations, in the order in which they are recorded.
    pub fn classes(&self) -> Vec<ClassName> {
        self.series.profile.classes()
    }

    /// What each I/O of the series looks like.
    ///
    /// # Errors
    /// When its work is no I/O.
    pub fn io_profile(&self) -> Result<&ResolvedProfile, Fault> {
        io_profile(self.series)
    }

    /// The streams of its series, and of those that are measured at the same moment, over workers.
    pub fn workers(&self) -> Vec<WorkerPlan> {
        let seeded = |member| {
            let seed = self.seed_of(&member);
            (member, seed)
        };
        let members: Vec<_> = self.members().into_iter().map(seeded).collect();
        assign_members(self.plan, &members)
    }

    /// The I/Os in flight over an interval of the plan.
    fn occupancy(&self) -> Occupancy {
        match self.load.unit {
            LoadUnit::OfferedIops
            | LoadUnit::Users
            | LoadUnit::Warehouses
            | LoadUnit::Copies
            | LoadUnit::OutstandingOperations => Occupancy::Varying,
            // Flushes are in flight, too, and their time is in no response time of I/Os.
            LoadUnit::OutstandingIos if self.classes().iter().any(|class| !class.is_counted()) => {
                Occupancy::Varying
            }
            LoadUnit::OutstandingIos => {
                let outstanding = self.load.value * self.plan.targets.len() as f64;
                let ns_per_interval = outstanding * self.plan.timing.interval.0 as f64;
                Occupancy::Constant { outstanding, ns_per_interval }
            }
        }
    }
}

/// What each I/O of `series` looks like.
pub(super) fn io_profile(series: &SeriesPlan) -> Result<&ResolvedProfile, Fault> {
    let missing = || Fault::new(format!("the series {} does no I/O", series.name));
    series.profile.storage().ok_or_else(missing)
}

/// The visit of a search that was measured last: what is in flight may stay there for the next one.
#[derive(Debug, Clone, PartialEq)]
pub struct LastVisit {
    series: String,
    repetition: u32,
}

impl LastVisit {
    /// What is remembered of `point`; `None` if it is no visit.
    pub fn of(point: &Point<'_>) -> Option<Self> {
        point.visit.map(|_| Self {
            series: point.series.key().to_string(),
            repetition: point.repetition_of_plan(),
        })
    }

    /// Whether `point` goes on with what is in flight: it is a visit of the same series in the same
    /// repetition, and does not want to begin at rest.
    pub fn leads_to(&self, point: &Point<'_>) -> bool {
        let goes_on = point.visit.is_some_and(|visit| visit.start == VisitStart::InFlight);
        goes_on && Self::of(point).as_ref() == Some(self)
    }
}

/// What a point gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What was measured.
    pub measurement: Measurement,
    /// Failed I/Os of each target over the whole point.
    pub errors: Vec<u64>,
    /// The first of them.
    pub error_samples: Vec<IoFault>,
    /// I/Os that never came back.
    pub lost: u64,
    /// Workers that hang in the kernel and were left behind.
    pub stuck: usize,
    /// Time for which the generator did not run at all while measuring, at a stretch of half a
    /// second or more.
    pub paused: Nanos,
    /// How long after its start the load of the point began, where time is real.
    pub late: Nanos,
    /// How the hosts of a fleet began, where time is real; empty without a fleet.
    pub starts: Vec<HostStart>,
    /// When it began, RFC 3339, UTC; empty for simulated systems.
    pub started_at: String,
    /// CPU time of the generator in the measured time, in percent of one CPU; with that of the copies where
    /// programs are the load.
    pub cpu_percent: f64,
    /// What was seen meanwhile of each machine that measured; nothing for simulated systems.
    pub observations: Vec<Observation>,
    /// Why a simulated system was as fast as it was; `None` for real targets.
    pub simulated: Option<Simulated>,
    /// What was measured at the same moment of the series beside the point's own, in their order.
    pub beside: Vec<Beside>,
    /// What the observations say, if that was judged already; `None` to judge them by the measurement.
    pub judged: Option<Vec<Warning>>,
    /// What limits the trust in the point.
    pub warnings: Vec<Warning>,
}

/// What a series beside another gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// What was measured.
    pub measurement: Measurement,
    /// Failed I/Os of each of its targets over the whole point.
    pub errors: Vec<u64>,
    /// The first of them, by the places of its targets.
    pub error_samples: Vec<IoFault>,
}

impl Outcome {
    /// An outcome without warnings, from what was collected and how the workers ended.
    pub fn new(measurement: Measurement, driven: &[Driven]) -> Self {
        let (errors, error_samples) = errors(driven, (0, measurement.targets.len()));
        Self {
            measurement,
            errors,
            error_samples,
            lost: driven.iter().map(|end| u64::from(end.lost)).sum(),
            stuck: 0,
            paused: Nanos::ZERO,
            late: Nanos::ZERO,
            starts: Vec::new(),
            started_at: String::new(),
            cpu_percent: 0.0,
            observations: Vec::new(),
            simulated: None,
            beside: Vec::new(),
            judged: None,
            warnings: Vec::new(),
        }
    }

    /// Failed I/Os over the whole point.
    pub fn error_count(&self) -> u64 {
        self.errors.iter().sum()
    }
}

/// Where a point is, once per interval.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Operations that completed in the interval.
    pub total: Tally,
    /// Everything so far.
    pub collector: &'a Collector,
}

/// Something that measures points.
pub trait Instrument {
    /// Measures one point.
    ///
    /// # Errors
    /// When the point cannot be run at all, or the observer asks to stop; failed I/Os are part of
    /// the outcome.
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop>;
}

/// Feeds merged intervals to the collector and tells the observer; both can end the point.
pub struct Coordinator<'a> {
    point: Point<'a>,
    collector: Collector,
    /// The series beside that of the point; `None` if there are none.
    group: Option<Group>,
    observer: &'a mut dyn Observer,
    straddlers: Vec<Straddler>,
    is_stopped: bool,
}

impl<'a> Coordinator<'a> {
    /// Oversees a point with an empty collector.
    pub fn new(point: &Point<'a>, observer: &'a mut dyn Observer) -> Self {
        let group = Group::of(point, collector_of);
        let collector = match &group {
            None => collector_of(point),
            Some(_) => {
                let own = &point.members()[0];
                let before = DriftBefore::default();
                let plan = point.plan.of_targets(&own.targets);
                collector_of(&Point { plan: &plan, before, ..*point })
            }
        };
        let (point, straddlers) = (*point, Vec::new());
        Self { point, collector, group, observer, straddlers, is_stopped: false }
    }

    /// Lets the observer have its say although no interval has ended; `quiet` is the time for which
    /// no I/O has completed.
    pub fn look(&mut self, quiet: Nanos) -> Flow {
        self.observer.silence(quiet);
        self.ask()
    }

    /// Tells whoever oversees the point from elsewhere that it can begin; gives when it does, by this
    /// machine's monotonic clock, or nothing for at once.
    ///
    /// # Errors
    /// When it is not to begin.
    pub fn ready(&mut self) -> Result<Option<Nanos>, Stop> {
        match self.observer.overseer() {
            Some(overseer) => overseer.ready(self.point.plan),
            None => Ok(None),
        }
    }

    /// The intervals that count, if someone oversees the point from elsewhere.
    pub fn counted(&mut self) -> Option<Range<usize>> {
        self.observer.overseer().and_then(|overseer| overseer.counted())
    }

    /// The intervals that would count if the point ended now.
    pub fn counted_so_far(&self) -> Range<usize> {
        self.collector.counted_so_far()
    }

    /// Whether the observer has asked to stop.
    pub const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Intervals that the point has at the most.
    pub fn intervals(&self) -> usize {
        self.collector.progress().1
    }

    /// Whether the observer lets the point go on.
    fn ask(&mut self) -> Flow {
        self.is_stopped |= self.observer.is_stop_asked();
        if self.is_stopped { Flow::Stop } else { Flow::Continue }
    }

    /// Takes I/Os that were in flight at the end of an interval and ended after it; those that were
    /// so at the end of the last interval count.
    pub fn add_straddlers(&mut self, straddlers: Vec<Straddler>) {
        if let Some(overseer) = self.observer.overseer() {
            overseer.straddlers(&straddlers);
        }
        self.straddlers.extend(straddlers);
    }

    /// Whether one of the I/Os that are still in flight at the end has been there for so long that it
    /// stalls: how long it takes is known only once it is back.
    pub fn is_stalled(&self, in_flight: &[Straddler]) -> bool {
        in_flight.iter().any(|io| self.collector.is_stall(io.latency))
    }

    /// What was measured.
    ///
    /// # Errors
    /// [`Stop::Asked`] if the observer ended the point early.
    pub fn finish(self) -> Result<Measurement, Stop> {
        self.finish_all().map(|measured| measured.measurement)
    }

    /// What was measured of the series of the point and of those beside it.
    ///
    /// # Errors
    /// [`Stop::Asked`] if the observer ended the point early.
    pub fn finish_all(self) -> Result<Measured, Stop> {
        if self.is_stopped {
            return Err(Stop::Asked);
        }
        let (measurement, beside) = match self.group {
            Some(group) => group.finish(self.collector, &self.straddlers),
            None => (self.collector.finish().with_unfinished(&self.straddlers), Vec::new()),
        };
        Ok(Measured { measurement, beside })
    }
}

/// The collector of a point of one series.
fn collector_of(point: &Point<'_>) -> Collector {
    let plan = point.plan;
    let collector =
        Collector::new(&plan.timing, point.occupancy(), plan.targets.len(), &point.classes())
            .after(point.before);
    match plan.engine.engine {
        Engine::Sim => collector,
        _ => collector.ending_early(),
    }
}

impl crate::load::drive::Watch for Coordinator<'_> {
    fn interval(&mut self, mut record: IntervalRecord) -> Flow {
        let elsewhere = self.observer.overseer().map(|overseer| overseer.record(&record));
        // They ended in an interval that counts.
        record.straddlers = Vec::new();
        let flow = match &mut self.group {
            None => self.collector.push(record),
            Some(group) => group.push(&mut self.collector, &record),
        };
        if flow == Flow::Stop || elsewhere == Some(Flow::Stop) {
            return Flow::Stop;
        }
        self.observer.interval(&self.point, &self.collector.progress_of_last());
        self.ask()
    }
}
