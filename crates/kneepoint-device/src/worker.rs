//! Worker threads: each builds its backend, waits for the common start and runs the load loop.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use kneepoint_core::load::backend::Backend;
use kneepoint_core::load::drive::{Driven, Flow, Watch, WorkerTask, drive};
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::stream::{Drawn, Source, Stream, WorkerPlan};
use kneepoint_core::measure::Point;
use kneepoint_core::plan::{Engine, Timing};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Nanos;

use crate::buffer::{BufferNeeds, ReadSample};
use crate::clock::{Clock, TickScale, sharpen_timers};
use crate::engine::{
    AioBackend, Descriptors, NullBackend, Polling, Readable, SyncBackend, UringBackend,
};
use crate::observe::ThreadClock;
use crate::process::pin_to;

/// A message of a worker to the thread that oversees the point.
#[allow(clippy::large_enum_variant, reason = "intervals are most of what is told")]
pub(crate) enum Report {
    /// The backend is there, and this is the thread's CPU clock.
    Ready(Option<ThreadClock>),
    /// The backend could not be had.
    Refused(Fault),
    /// An interval has ended.
    Interval(IntervalRecord),
    /// The worker of this number has drained and ended; what its last reads brought.
    Ended(usize, Driven, ReadSample),
}

/// A worker's ends of what it shares with the overseer.
pub(crate) struct Channels {
    /// To the overseer.
    pub(crate) reports: SyncSender<Report>,
    /// The common start, from the overseer; closed without one where the point is called off.
    pub(crate) start: Receiver<Nanos>,
    /// Set once the point is over.
    pub(crate) stop: Arc<AtomicBool>,
}

/// The overseer's ends.
pub(crate) struct WorkerHandles {
    /// Targets of the point.
    pub(crate) target_count: usize,
    pub(crate) reports: Receiver<Report>,
    pub(crate) starts: Vec<Sender<Nanos>>,
    /// The workers by their numbers.
    pub(crate) hands: Vec<Hand>,
    /// Set once the point is over.
    pub(crate) stop: Arc<AtomicBool>,
}

/// A worker as the overseer knows it.
pub(crate) struct Hand {
    /// I/Os that it has in flight at the most.
    pub(crate) slots: u32,
    pub(crate) thread: JoinHandle<()>,
}

/// Reports of a worker that wait to be heard; beyond them it waits itself.
const REPORTS_PER_WORKER: usize = 16;

/// Lines for `count` workers on `target_count` targets, and the overseer's ends of them.
pub(crate) fn connect(count: usize, target_count: usize) -> (Vec<Channels>, WorkerHandles) {
    let (reports, receiver) = sync_channel(REPORTS_PER_WORKER * count);
    let stop = Arc::new(AtomicBool::new(false));
    let (lines, starts) = (0..count)
        .map(|_| {
            let (sender, start) = channel();
            (Channels { reports: reports.clone(), start, stop: Arc::clone(&stop) }, sender)
        })
        .unzip();
    let hands = Vec::with_capacity(count);
    (lines, WorkerHandles { target_count, reports: receiver, starts, hands, stop })
}

/// A stream that several workers draw from, or that belongs to one.
pub(crate) enum StreamHandle {
    /// Drawn from by one worker.
    Own(Box<Stream>),
    /// Drawn from by several; held for the few nanoseconds that a draw takes.
    Shared(Arc<Mutex<Stream>>),
}

impl Source for StreamHandle {
    #[inline]
    fn draw(&mut self) -> Drawn {
        match self {
            Self::Own(stream) => stream.draw(),
            Self::Shared(stream) => stream.lock().unwrap_or_else(PoisonError::into_inner).draw(),
        }
    }
}

/// The streams of all workers: one for every stream number, shared where workers carry the same.
pub(crate) fn stream_handles(
    point: &Point<'_>,
    workers: &[WorkerPlan],
) -> Result<Vec<Vec<StreamHandle>>, Fault> {
    let profile = point.io_profile()?;
    let mut shared: BTreeMap<u32, Arc<Mutex<Stream>>> = BTreeMap::new();
    let carriers = |number: u32| {
        let streams = workers.iter().flat_map(|worker| &worker.streams);
        streams.filter(|stream| stream.number == number).count()
    };
    let mut all = Vec::with_capacity(workers.len());
    for worker in workers {
        let mut own = Vec::with_capacity(worker.streams.len());
        for plan in &worker.streams {
            own.push(match shared.get(&plan.number) {
                Some(stream) => StreamHandle::Shared(Arc::clone(stream)),
                None if carriers(plan.number) > 1 => {
                    let stream = Arc::new(Mutex::new(Stream::new(profile, plan)?));
                    shared.insert(plan.number, Arc::clone(&stream));
                    StreamHandle::Shared(stream)
                }
                None => StreamHandle::Own(Box::new(Stream::new(profile, plan)?)),
            });
        }
        all.push(own);
    }
    Ok(all)
}

/// The knowledge of a point that all its workers share. They own it together: a worker that hangs
/// in the kernel outlives its point.
#[derive(Debug)]
pub(crate) struct Task {
    engine: Engine,
    timing: Timing,
    errors_max: u64,
    profile: ResolvedProfile,
    seed: u64,
    /// The open targets in the plan's order; they stay open for as long as a worker uses them.
    files: Arc<Vec<File>>,
    ticks: Option<TickScale>,
}

impl Task {
    /// The task of `point` on open targets.
    pub(crate) fn new(
        point: &Point<'_>,
        files: &Arc<Vec<File>>,
        ticks: Option<TickScale>,
    ) -> Result<Arc<Self>, Fault> {
        Ok(Arc::new(Self {
            engine: point.plan.engine.engine,
            timing: point.plan.timing.clone(),
            errors_max: point.plan.errors_max,
            profile: point.io_profile()?.clone(),
            seed: point.seed(),
            files: Arc::clone(files),
            ticks,
        }))
    }
}

/// One worker, ready to run on its own thread.
pub(crate) struct Worker {
    pub(crate) number: usize,
    pub(crate) task: Arc<Task>,
    pub(crate) plan: WorkerPlan,
    pub(crate) stream_handles: Vec<StreamHandle>,
    pub(crate) cpu: Option<usize>,
    pub(crate) line: Channels,
}

impl Worker {
    /// Runs the worker's part of the point from the backend's birth to the end of the drain.
    pub(crate) fn run(self) {
        let _alarm = PanicGuard(self.line.reports.clone());
        sharpen_timers();
        if let Some(cpu) = self.cpu {
            pin_to(cpu);
        }
        let task = Arc::clone(&self.task);
        let descriptors: Vec<RawFd> = task.files.iter().map(AsRawFd::as_raw_fd).collect();
        let descriptors = Descriptors(&descriptors);
        let needs = BufferNeeds {
            slots: self.plan.slot_count(),
            profile: &task.profile,
            seed: seed::derive(task.seed, "buffers", self.number as u64),
        };
        let clock = Clock::new(task.ticks);
        match task.engine {
            engine @ (Engine::IoUring | Engine::IoUringSqPoll | Engine::IoUringIoPoll) => {
                let polling = Polling::of(engine);
                self.with(UringBackend::new(descriptors, needs, clock, polling));
            }
            Engine::Libaio => self.with(AioBackend::new(descriptors, needs, clock)),
            Engine::Sync => self.with(SyncBackend::new(descriptors, needs, clock)),
            Engine::Null => self.with(Ok(NullBackend::new(clock))),
            // A plan for a simulated system that strayed here would be measured on nothing.
            Engine::Sim => self.with::<NullBackend>(Err(std::io::Error::other(
                "a simulated system is measured in virtual time, not on this machine",
            ))),
        }
    }

    /// Reports the backend and, once the start is given, drives it.
    fn with<B: Backend + Readable>(self, backend: std::io::Result<B>) {
        let Channels { reports, start, stop } = self.line;
        let task = self.task;
        let mut backend = match backend {
            Ok(backend) => backend,
            Err(error) => {
                let engine = task.engine.name();
                let fault = Fault::new(format!("cannot set up {engine} for a worker"))
                    .because(error)
                    .fix("use fewer outstanding I/Os or workers, smaller blocks, or another --engine");
                let _ = reports.send(Report::Refused(fault));
                return;
            }
        };
        let _ = reports.send(Report::Ready(ThreadClock::of_this_thread()));
        let Ok(epoch) = start.recv() else { return };
        let duty = WorkerTask {
            worker: &self.plan,
            timing: &task.timing,
            errors_max: task.errors_max,
            epoch,
        };
        let mut watch = Reporter { reports: reports.clone(), stop };
        let driven = drive(&mut backend, &duty, self.stream_handles, &mut watch);
        // I/Os that never came back may still be written into the buffers.
        let sample = match driven.lost {
            0 => backend.read_sample(),
            _ => ReadSample::default(),
        };
        let _ = reports.send(Report::Ended(self.number, driven, sample));
    }
}

/// Tells the overseer when a worker panics, so that it does not wait for it forever.
struct PanicGuard(SyncSender<Report>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Report::Refused(Fault::new("a worker panicked")));
        }
    }
}

/// Sends intervals to the overseer and stops when it says so.
struct Reporter {
    reports: SyncSender<Report>,
    stop: Arc<AtomicBool>,
}

impl Watch for Reporter {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        let heard = self.reports.send(Report::Interval(record)).is_ok();
        if heard && !self.stop.load(Ordering::Relaxed) { Flow::Continue } else { Flow::Stop }
    }
}
