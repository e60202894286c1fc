//! Measures points on real targets: starts the workers of a point and watches over them.
//!
//! Workers block in the kernel for as long as a target likes. Nothing here waits for one without a
//! limit: a worker that does not end in time is left behind, with its threads, buffers and
//! descriptors, for the kernel holds on to them anyway.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::Duration;

use kneepoint_core::load::drive::{Driven, Flow, Watch};
use kneepoint_core::load::record::interval::{IntervalRecord, Merger};
use kneepoint_core::load::stream::{WorkerPlan, assign};
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Nanos, Percent};

use crate::buffer::ReadSample;
use crate::clock::{Anchor, monotonic};
use crate::observe::{DeviceGroup, ObservedTarget, Sampler, ThreadClock, groups};
use crate::process::allowed_cpus;
use crate::worker::{Hand, Report, Task, Worker, WorkerHandles, connect, stream_handles};

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
}

impl DeviceInstrument {
    /// An instrument for open targets, in the plan's order; no device is watched.
    pub fn new(files: Vec<File>) -> Self {
        Self {
            files: Arc::new(files),
            cpus: allowed_cpus(),
            anchor: Anchor::new(),
            observed: Vec::new(),
        }
    }

    /// The same instrument, which also watches the devices below the targets, in the plan's order.
    #[must_use]
    pub fn observing(self, targets: &[ObservedTarget]) -> Self {
        Self { observed: groups(targets), ..self }
    }

    /// The CPU of each of several workers. A single worker is left to the kernel, which moves it
    /// to the CPU that the device interrupts; so are more workers than there are CPUs.
    fn cpu_of(&self, number: usize, worker_count: usize) -> Option<usize> {
        (2..=self.cpus.len()).contains(&worker_count).then(|| self.cpus[number])
    }

    /// Starts a thread for every worker.
    fn spawn_workers(
        &self,
        point: &Point<'_>,
        plans: Vec<WorkerPlan>,
    ) -> Result<WorkerHandles, Fault> {
        let count = plans.len();
        let (lines, mut crew) = connect(count, point.plan.targets.len());
        let stream_handles = stream_handles(point, &plans)?;
        let task = Task::new(point, &self.files, self.anchor.and_then(Anchor::scale))?;
        let parts = plans.into_iter().zip(stream_handles).zip(lines).enumerate();
        for (number, ((plan, stream_handles), line)) in parts {
            let cpu = self.cpu_of(number, count);
            let task = Arc::clone(&task);
            let slots = plan.slot_count();
            let worker = Worker { number, task, plan, stream_handles, cpu, line };
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
            crew.hands.push(Hand { slots, thread });
        }
        Ok(crew)
    }
}

impl Instrument for DeviceInstrument {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let from_rest = point.plan_from_rest();
        let point = &Point { plan: from_rest.as_ref().unwrap_or(point.plan), ..*point };
        let plans = assign(point.plan, point.load, point.seed());
        let mut overseer = Coordinator::new(point, observer);
        let crew = self.spawn_workers(point, plans)?;
        let sampler = Sampler::new(&self.observed, await_ready(&crew)?);
        let timing = &point.plan.timing;
        let end = timing.point_max() + timing.drain_max;
        let overseen = oversee(crew, (sampler, end), &mut overseer)?;
        let measurement = overseer.finish();
        if overseen.stuck > 0 {
            observer.note(LEFT_BEHIND);
        }
        let measurement = measurement?;
        let joined = measurement.joined;
        let seen = overseen.sampler.finish(measurement.ramp_count * joined, &self.files);
        let Overseen { ended, stuck, paused, sample, .. } = overseen;
        let outcome = Outcome::new(measurement, &ended);
        let warnings = zeros_read(point, sample).into_iter().collect();
        let outcome = Outcome { stuck, paused, warnings, ..outcome };
        Ok(match seen {
            Some((mut observation, cpu_percent)) => {
                let Range { start, end } = observation.window;
                observation.window = start.div_ceil(joined)..end / joined;
                Outcome { cpu_percent, observation: Some(observation), ..outcome }
            }
            None => outcome,
        })
    }
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

/// How often the monitor looks, at least.
const LOOK: Nanos = Nanos::from_millis(100);

/// Workers have so long to drain once the user has stopped the point.
const GRACE: Nanos = Nanos::from_secs(3);

/// How much later than the end of the drain a worker may end that is only slow.
const SLOW: Nanos = Nanos::from_secs(5);

/// A wait for a message that takes so much longer than it may says that this process was stopped.
const PAUSE_MIN: Nanos = Nanos::from_millis(500);

/// The end of a crew.
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
}

/// Waits until every worker has its backend; gives their CPU clocks.
fn await_ready(crew: &WorkerHandles) -> Result<Vec<Option<ThreadClock>>, Fault> {
    let mut clocks = Vec::with_capacity(crew.starts.len());
    for _ in &crew.starts {
        match crew.reports.recv() {
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(Report::Ready(clock)) => clocks.push(clock),
            Ok(_) => {}
            Err(_) => return Err(Fault::new("a worker ended before it began")),
        }
    }
    Ok(clocks)
}

/// Starts the workers together and watches over them until they have ended, or until `longest`
/// after the start, which is when they must have.
fn oversee<'a>(
    crew: WorkerHandles,
    (mut sampler, longest): (Sampler<'a>, Nanos),
    overseer: &mut Coordinator<'_>,
) -> Result<Overseen<'a>, Fault> {
    sampler.read(0);
    let epoch = monotonic();
    for start in &crew.starts {
        let _ = start.send(epoch);
    }
    let count = crew.starts.len();
    let mut watch = Oversight {
        sampler,
        overseer,
        merger: Merger::new(count, crew.target_count),
        ended: (0..count).map(|_| None).collect(),
        sample: ReadSample::default(),
        give_up: epoch + longest + SLOW,
        last_completion: epoch,
        last_look: epoch,
        paused: Nanos::ZERO,
        crew,
    };
    while watch.ended.iter().any(Option::is_none) && monotonic() < watch.give_up {
        watch.turn()?;
    }
    Ok(watch.finish())
}

struct Oversight<'a, 'o, 'm> {
    crew: WorkerHandles,
    sampler: Sampler<'a>,
    overseer: &'o mut Coordinator<'m>,
    merger: Merger,
    ended: Vec<Option<Driven>>,
    sample: ReadSample,
    /// When workers that have not ended are left behind.
    give_up: Nanos,
    last_completion: Nanos,
    last_look: Nanos,
    paused: Nanos,
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
            Ok(Report::Ended(number, driven, sample)) => {
                self.sample = self.sample.plus(sample);
                self.end(number, driven);
            }
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(Report::Ready(_)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::new("a worker ended without a word"));
            }
        }
        if now.since(self.last_look) >= LOOK {
            self.last_look = now;
            if self.overseer.look(now.since(self.last_completion)) == Flow::Stop {
                self.stop();
                self.give_up = self.give_up.min(now + GRACE);
            }
        }
        Ok(())
    }

    /// Notes that a wait took so much longer than asked for that this process can't have run.
    fn note_pause(&mut self, waited: Nanos) {
        let late = waited.since(LOOK);
        if late >= PAUSE_MIN && !self.is_stopped() {
            self.paused = self.paused + late;
        }
    }

    fn interval(&mut self, record: IntervalRecord, now: Nanos) {
        if record.total().operations + record.error_count() > 0 {
            self.last_completion = now;
        }
        if self.is_stopped() {
            self.overseer.add_straddlers(record.straddlers);
            return;
        }
        let whole = self.merger.push(record);
        if let Some(last) = whole.last() {
            self.sampler.read(last.index as usize + 1);
        }
        for record in whole {
            // Those behind the last one that counts are over.
            if self.is_stopped() {
                self.overseer.add_straddlers(record.straddlers);
            } else if self.overseer.interval(record) == Flow::Stop {
                self.stop();
            }
        }
    }

    fn end(&mut self, number: usize, mut driven: Driven) {
        self.stop();
        self.overseer.add_straddlers(std::mem::take(&mut driven.straddlers));
        self.ended[number] = Some(driven);
    }

    fn is_stopped(&self) -> bool {
        self.crew.stop.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        self.crew.stop.store(true, Ordering::Relaxed);
    }

    /// Takes leave of the workers: of those that have ended when they are gone, of the others at
    /// once.
    fn finish(self) -> Overseen<'a> {
        self.stop();
        for record in self.merger.into_partial() {
            self.overseer.add_straddlers(record.straddlers);
        }
        let mut stuck = 0;
        let mut ended = Vec::with_capacity(self.ended.len());
        for (hand, driven) in self.crew.hands.into_iter().zip(self.ended) {
            match driven {
                // What it has lost can keep it from closing its backend.
                Some(driven) if driven.lost == 0 => {
                    let _ = hand.thread.join();
                    ended.push(driven);
                }
                Some(driven) => ended.push(driven),
                None => {
                    stuck += 1;
                    ended.push(Driven::abandoned(hand.slots));
                }
            }
        }
        let (sampler, sample, paused) = (self.sampler, self.sample, self.paused);
        Overseen { ended, sampler, sample, stuck, paused }
    }
}
