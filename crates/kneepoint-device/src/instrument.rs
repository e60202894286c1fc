//! Measures points on real targets: starts the workers of a point and watches over them.
//!
//! Workers block in the kernel for as long as a target likes. Nothing here waits for one without a
//! limit: a worker that does not end in time is left behind, with its threads, buffers and
//! descriptors, for the kernel holds on to them anyway.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::Duration;

use kneepoint_core::load::drive::{Driven, Flow, Watch};
use kneepoint_core::load::record::interval::{IntervalRecord, Merger};
use kneepoint_core::load::record::recorder::Straddler;
use kneepoint_core::load::stream::{WorkerPlan, assign};
use kneepoint_core::measure::{Coordinator, Instrument, LastVisit, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::{Engine, Plan};
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::{Nanos, Percent};

use crate::buffer::{ReadSample, length};
use crate::clock::{Anchor, monotonic};
use crate::crew::{Crew, GRACE, LOOK, Remains, SLOW, connect, has_room};
use crate::observe::{DeviceGroup, ObservedTarget, Sampler, groups};
use crate::process::allowed_cpus;
use crate::verification::Ledgers;
use crate::worker::{Report, Task, Worker, stream_handles};

/// The note on threads that the kernel does not let go.
pub const LEFT_BEHIND: &str = "the target hangs: what waits for it is left behind. If this \
    process does not end, the kernel holds it until the target answers, is reset or unmounted";

/// Files, block devices and the null target as an instrument.
#[derive(Debug)]
pub struct DeviceInstrument {
    /// The open targets in the plan's order; none for the null target.
    files: Arc<Vec<File>>,
    cpus: Vec<usize>,
    /// From when on the processor's counter is compared with the kernel's clock.
    anchor: Option<Anchor>,
    /// The devices below them whose counters are watched.
    observed: Vec<DeviceGroup>,
    /// The workers of the last visit, which wait for the next one.
    waiting: Option<Crew>,
    /// Of the targets, if their data is verified.
    ledgers: Option<Ledgers>,
    /// Why what the last point wrote is not known to be durable.
    unsecured: Option<Fault>,
    /// Whether workers were left behind that a target does not let go.
    hangs: bool,
}

impl DeviceInstrument {
    /// An instrument for open targets, in the plan's order; no device is watched.
    pub fn new(files: Vec<File>) -> Self {
        Self {
            files: Arc::new(files),
            cpus: allowed_cpus(),
            anchor: Anchor::new(),
            observed: Vec::new(),
            waiting: None,
            ledgers: None,
            unsecured: None,
            hangs: false,
        }
    }

    /// The same instrument, which verifies the data of the targets, in the plan's order.
    #[must_use]
    pub(crate) fn verifying(self, ledgers: Option<Ledgers>) -> Self {
        Self { ledgers, ..self }
    }

    /// The same instrument, which also watches the devices below the targets, in the plan's order.
    #[must_use]
    pub fn observing(self, targets: &[ObservedTarget]) -> Self {
        Self { observed: groups(targets), ..self }
    }

    /// Lets what is in flight after a visit come back, and its workers end; the observer is told of
    /// what does not.
    pub fn rest(&mut self, observer: &mut dyn Observer) {
        self.end_waiting(observer);
    }

    fn end_waiting(&mut self, observer: &mut dyn Observer) -> Remains {
        let remains = self.waiting.take().map(|crew| crew.rest(observer)).unwrap_or_default();
        self.hangs |= remains.stuck > 0;
        if remains.stuck > 0 {
            observer.note(LEFT_BEHIND);
        }
        remains
    }

    /// The workers of the last visit if they can go on with `point`; otherwise they end.
    fn go_on(
        &mut self,
        point: &Point<'_>,
        plans: &[WorkerPlan],
        observer: &mut dyn Observer,
    ) -> Result<Option<Crew>, Stop> {
        if self.waiting.as_ref().is_some_and(|crew| crew.goes_on(point, plans)) {
            return Ok(self.waiting.take());
        }
        match self.end_waiting(observer) {
            Remains { lost: 0, stuck: 0 } => Ok(None),
            Remains { .. } if observer.is_stop_asked() => Err(Stop::Asked),
            Remains { .. } => Err(Fault::new("the target hangs")
                .because("I/Os that were in flight after the last point did not come back")
                .fix("look at the kernel's messages (dmesg); `kneepoint resume` measures the rest")
                .into()),
        }
    }

    /// What was wrong with the data of a point, if it is verified. If nothing is in flight any more, makes
    /// durable what was written.
    fn verified(&mut self) -> Option<Warning> {
        let ledgers = self.ledgers.as_ref()?;
        if self.waiting.is_none() && !self.hangs {
            // What was measured is kept first.
            self.unsecured = ledgers.secure(&self.files).err();
        }
        ledgers.wrong_data()
    }

    /// Notes that nothing more is written.
    ///
    /// # Errors
    /// When that cannot be noted, or wrong data was read since the last point.
    pub(crate) fn close(&mut self) -> Result<(), Fault> {
        let Some(ledgers) = &self.ledgers else { return Ok(()) };
        // A target that hangs would not make anything durable; the journal stays open.
        if !self.hangs {
            ledgers.close(&self.files)?;
        }
        match ledgers.wrong_data() {
            None => Ok(()),
            Some(wrong) => {
                Err(Fault::new("data was wrong after the last point").because(wrong.text()))
            }
        }
    }

    /// The CPU of each of several workers. A single worker is left to the kernel, which moves it
    /// to the CPU that the device interrupts; so are more workers than there are CPUs.
    fn cpu_of(&self, number: usize, worker_count: usize) -> Option<usize> {
        (2..=self.cpus.len()).contains(&worker_count).then(|| self.cpus[number])
    }

    /// Starts a thread for every worker.
    fn spawn_workers(&self, point: &Point<'_>, rooms: Vec<WorkerPlan>) -> Result<Crew, Fault> {
        let count = rooms.len();
        let (lines, mut crew) = connect(count, seats(&rooms));
        let stream_handles = stream_handles(point, &rooms)?;
        let ticks = self.anchor.and_then(Anchor::scale);
        let task = Task::new(point, &self.files, (ticks, self.ledgers.clone()))?;
        let parts = rooms.into_iter().zip(stream_handles).zip(lines).enumerate();
        for (number, ((room, stream_handles), line)) in parts {
            let cpu = self.cpu_of(number, count);
            let task = Arc::clone(&task);
            let worker = Worker { number, task, room: room.clone(), stream_handles, cpu, line };
            let thread = thread::Builder::new()
                .name(format!("worker-{number}"))
                .spawn(|| worker.run())
                .map_err(|error| {
                    Fault::new(format!("cannot start worker {number}"))
                        .because(format!("no thread can be started: {error}"))
                        .fix(
                            "use fewer outstanding I/Os with the sync engine or fewer --workers, \
                             raise the limit of processes (ulimit -u), or end other programs",
                        )
                })?;
            crew.add(room, thread);
        }
        crew.await_ready()?;
        Ok(crew)
    }
}

impl Instrument for DeviceInstrument {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        if let Some(fault) = self.unsecured.take() {
            return Err(fault.into());
        }
        let plans = point.workers();
        let going_on = self.go_on(point, &plans, observer)?;
        let plan = match &going_on {
            Some(_) => told_late(point.plan),
            None => point.plan_from_rest().unwrap_or_else(|| point.plan.clone()),
        };
        let point = &Point { plan: &plan, ..*point };
        let crew = match going_on {
            Some(crew) => crew,
            None => self.spawn_workers(point, rooms(point, &plans))?,
        };
        let mut overseer = Coordinator::new(point, observer);
        let sampler = Sampler::new(&self.observed, crew.clocks.clone());
        let overseen = oversee((crew, plans), sampler, (point, &mut overseer))?;
        let counted = overseer.counted();
        let measured = overseer.finish_all();
        self.waiting = overseen.waiting;
        self.hangs |= overseen.stuck > 0;
        if overseen.stuck > 0 {
            observer.note(LEFT_BEHIND);
        }
        let measured = measured?;
        let measurement = &measured.measurement;
        // Whoever oversees from elsewhere joins intervals as well.
        let joined = if counted.is_some() { 1 } else { measurement.joined };
        let counted = counted.unwrap_or(measurement.ramp_count * joined..usize::MAX);
        let seen = overseen.sampler.finish(counted, &self.files);
        let Overseen { ended, stuck, paused, late, sample, .. } = overseen;
        let outcome = measured.outcome(&ended);
        let zeros = zeros_read(point, sample).into_iter();
        let warnings = zeros.chain(self.verified()).collect();
        let outcome = Outcome { stuck, paused, late, warnings, ..outcome };
        Ok(match seen {
            Some((mut observation, cpu_percent)) => {
                let Range { start, end } = observation.window;
                observation.window = start.div_ceil(joined)..end / joined;
                Outcome { cpu_percent, observations: vec![observation], ..outcome }
            }
            None => outcome,
        })
    }
}

/// Number of targets under which `workers` record together.
fn seats(workers: &[WorkerPlan]) -> usize {
    workers.iter().map(|worker| worker.seats().end as usize).max().unwrap_or(0)
}

/// Fewer last reads than this say nothing of a target: a few places may well hold zeros.
const READS_MIN: u32 = 4;

/// That most of what was read is zeros, unless the profile itself writes such data.
fn zeros_read(point: &Point<'_>, sample: ReadSample) -> Option<Warning> {
    let ReadSample { read, zero } = sample;
    let mut profiles = point.plan.io_profiles();
    let is_ours = profiles.any(|profile| profile.data.compressible > Percent::ZERO);
    (read >= READS_MIN && 2 * zero > read && !is_ours)
        .then_some(Warning::ZerosRead { zeros: zero, reads: read })
}

/// The plan of a visit whose workers are at work: they hear of it at the end of an interval.
fn told_late(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    plan.timing.ramp = plan.timing.ramp + plan.timing.interval;
    plan
}

/// The workers of a visit have room for one of these multiples of its load, if ...
const ROOM: [f64; 3] = [4.0, 2.0, 1.25];

/// ... the buffers of a worker take no more memory for it than this, in bytes: registered buffers are
/// locked, and how much may be locked is limited.
const ROOM_BYTES: usize = 2 << 20;

/// The load that the workers of `point` have room for: its own part in `plans`, or more if a visit with
/// a higher load may follow it.
fn rooms(point: &Point<'_>, plans: &[WorkerPlan]) -> Vec<WorkerPlan> {
    let highest = point.series.loads.levels.last().copied().unwrap_or_default();
    let larger = ROOM.iter().filter(|_| can_go_on(point)).find_map(|times| {
        let value = (times * point.load.value).min(highest);
        let load = LoadLevel { value, ..point.load };
        let rooms = assign(point.plan, load, point.seed());
        let bytes = |plan: &WorkerPlan| {
            point.io_profile().map_or(usize::MAX, |io| length(plan.slot_count(), io))
        };
        let fits = |(room, plan): (&WorkerPlan, &WorkerPlan)| {
            has_room(room, plan) && bytes(room) <= bytes(plan).saturating_add(ROOM_BYTES)
        };
        let fits = rooms.len() == plans.len() && rooms.iter().zip(plans).all(fits);
        fits.then_some(rooms)
    });
    larger.unwrap_or_else(|| plans.to_vec())
}

/// Whether workers can go on after `point`: those of the synchronous engine have a single I/O in flight
/// each, and another load takes others.
fn can_go_on(point: &Point<'_>) -> bool {
    point.visit.is_some() && point.plan.engine.engine != Engine::Sync
}

/// A wait for a message that takes so much longer than it may says that this process was stopped.
const PAUSE_MIN: Nanos = Nanos::from_millis(500);

/// The end of a point.
struct Overseen<'a> {
    /// How the workers ended.
    ended: Vec<Driven>,
    /// Readings of the machine at the start and after the intervals.
    sampler: Sampler<'a>,
    /// The last reads of all workers.
    sample: ReadSample,
    /// Workers that were left behind.
    stuck: usize,
    /// Time for which this process did not run.
    paused: Nanos,
    /// How long after the start the last worker began.
    late: Nanos,
    /// The workers of a visit, which wait for the next one.
    waiting: Option<Crew>,
}

/// Starts the workers together and watches over them until the visit is over or they have ended, but
/// not beyond the time by which they must have.
fn oversee<'a>(
    (mut crew, plans): (Crew, Vec<WorkerPlan>),
    mut sampler: Sampler<'a>,
    (point, overseer): (&Point<'_>, &mut Coordinator<'_>),
) -> Result<Overseen<'a>, Stop> {
    let timing = &point.plan.timing;
    let is_visit = can_go_on(point);
    let visit = is_visit.then_some(overseer.intervals() as u64);
    let epoch = overseer.ready()?;
    sampler.read(0);
    let epoch = crew.begin(point, (plans, epoch), visit);
    let mut watch = Oversight {
        sampler,
        overseer,
        merger: Merger::new(crew.len(), crew.target_count),
        workers: (0..crew.len()).map(|_| Progress::default()).collect(),
        sample: ReadSample::default(),
        give_up: epoch + timing.point_max() + timing.drain_max + SLOW,
        last_completion: epoch,
        last_look: epoch,
        paused: Nanos::ZERO,
        late: Nanos::ZERO,
        is_visit,
        crew,
    };
    while !watch.is_over() && monotonic() < watch.give_up {
        watch.turn()?;
    }
    Ok(watch.finish(LastVisit::of(point)))
}

/// How far a worker is.
#[derive(Default)]
struct Progress {
    /// How its part went, and after a visit the drain.
    driven: Vec<Driven>,
    /// What was in flight at the end of a visit, until it is known how that ended.
    in_flight: Option<Vec<Straddler>>,
    /// I/Os that it has lost in the end; `None` as long as it has not ended.
    lost: Option<u32>,
}

struct Oversight<'a, 'o, 'm> {
    crew: Crew,
    sampler: Sampler<'a>,
    overseer: &'o mut Coordinator<'m>,
    merger: Merger,
    /// The workers by their numbers.
    workers: Vec<Progress>,
    sample: ReadSample,
    /// When workers that have not ended are left behind.
    give_up: Nanos,
    last_completion: Nanos,
    last_look: Nanos,
    paused: Nanos,
    /// How long after the start the last worker began.
    late: Nanos,
    /// Whether the workers wait for the next visit at its end.
    is_visit: bool,
}

impl<'a> Oversight<'a, '_, '_> {
    /// Waits for a message, but not for long, and lets the monitor look.
    fn turn(&mut self) -> Result<(), Fault> {
        let before = monotonic();
        let report = self.crew.reports.recv_timeout(Duration::from_nanos(LOOK.0));
        let now = monotonic();
        self.note_pause(now.since(before));
        match report {
            Ok(Report::Interval(record)) => self.interval(record, now),
            Ok(Report::Begun(late)) => self.late = self.late.max(late),
            Ok(Report::Paused(number, driven, sample)) => self.pause(number, driven, sample),
            Ok(Report::Ended(number, driven, sample)) => self.end(number, driven, sample),
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(Report::Ready(_)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::new("a worker ended without a word"));
            }
        }
        if now.since(self.last_look) >= LOOK {
            self.last_look = now;
            if self.overseer.look(now.since(self.last_completion)) == Flow::Stop {
                self.crew.end();
                self.give_up = self.give_up.min(now + GRACE);
            }
        }
        Ok(())
    }

    /// Notes that a wait took so much longer than asked for that this process can't have run.
    fn note_pause(&mut self, waited: Nanos) {
        let late = waited.since(LOOK);
        if late >= PAUSE_MIN && !self.crew.is_ended() {
            self.paused = self.paused + late;
        }
    }

    fn interval(&mut self, record: IntervalRecord, now: Nanos) {
        if record.total().operations + record.error_count() > 0 {
            self.last_completion = now;
        }
        if self.crew.is_ended() {
            self.overseer.add_straddlers(record.straddlers);
            return;
        }
        let whole = self.merger.push(record);
        if let Some(last) = whole.last() {
            self.sampler.read(last.index as usize + 1);
        }
        for record in whole {
            // Those behind the last one that counts are over.
            if self.crew.is_ended() {
                self.overseer.add_straddlers(record.straddlers);
            } else if self.overseer.interval(record) == Flow::Stop && !self.pauses() {
                self.crew.end();
            }
        }
    }

    /// Whether the point ends with its workers waiting for the next one.
    fn pauses(&self) -> bool {
        self.is_visit && !self.overseer.is_stopped()
    }

    /// A worker has come to the end of a visit. Once all have, what stalls is waited for: only then is
    /// it known how long it takes.
    fn pause(&mut self, number: usize, mut driven: Driven, sample: ReadSample) {
        self.sample = self.sample.plus(sample);
        let worker = &mut self.workers[number];
        worker.in_flight = Some(std::mem::take(&mut driven.straddlers));
        worker.driven.push(driven);
        let in_flight = || self.workers.iter().filter_map(|worker| worker.in_flight.as_ref());
        let is_whole = in_flight().count() == self.workers.len();
        if is_whole && in_flight().any(|in_flight| self.overseer.is_stalled(in_flight)) {
            self.crew.end();
        }
    }

    fn end(&mut self, number: usize, mut driven: Driven, sample: ReadSample) {
        self.crew.end();
        self.sample = self.sample.plus(sample);
        self.overseer.add_straddlers(std::mem::take(&mut driven.straddlers));
        let worker = &mut self.workers[number];
        worker.in_flight = None;
        worker.lost = Some(driven.lost);
        worker.driven.push(driven);
    }

    /// Whether there is nothing more to wait for.
    fn is_over(&self) -> bool {
        match self.crew.is_ended() {
            true => self.workers.iter().all(|worker| worker.lost.is_some()),
            false => self.workers.iter().all(|worker| worker.in_flight.is_some()),
        }
    }

    /// Takes leave of the workers, unless they wait for the visit after `visit`.
    fn finish(mut self, visit: Option<LastVisit>) -> Overseen<'a> {
        let waits = self.is_over() && !self.crew.is_ended();
        for record in self.merger.into_partial() {
            self.overseer.add_straddlers(record.straddlers);
        }
        let lost: Vec<Option<u32>> = self.workers.iter().map(|worker| worker.lost).collect();
        let mut ended = Vec::with_capacity(self.workers.len());
        for worker in self.workers {
            self.overseer.add_straddlers(worker.in_flight.unwrap_or_default());
            ended.extend(worker.driven);
        }
        let (waiting, stuck) = match visit.filter(|_| waits) {
            Some(visit) => {
                self.crew.wait_after(visit);
                (Some(self.crew), Vec::new())
            }
            None => (None, self.crew.part(&lost)),
        };
        ended.extend(stuck.iter().map(|slots| Driven::abandoned(*slots)));
        let (sampler, sample) = (self.sampler, self.sample);
        let (paused, late) = (self.paused, self.late);
        Overseen { ended, sampler, sample, stuck: stuck.len(), paused, late, waiting }
    }
}
