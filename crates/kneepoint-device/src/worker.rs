//! Worker threads: each builds its backend, waits for the common start and runs the load loop. After a
//! visit of a search it goes on at the same load, unheard, until it is told the next one.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};

use kneepoint_core::load::drive::{Driven, Driver, Flow, Watch};
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::Straddler;
use kneepoint_core::load::stream::{Drawn, Mix, Replay, Source, Stream, StreamHabits, WorkerPlan};
use kneepoint_core::measure::Point;
use kneepoint_core::plan::{Engine, MemoryPages};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Nanos;

use crate::buffer::{BufferNeeds, ReadSample};
use crate::clock::{Clock, TickScale, monotonic, sharpen_timers};
use crate::crew::{Channels, Gate, Order};
use crate::engine::{
    AioBackend, Descriptors, NullBackend, Polling, SyncBackend, UringBackend, WorkerBackend,
};
use crate::observe::ThreadClock;
use crate::process::pin_to;
use crate::verification::{Ledgers, Verifying};

/// A message of a worker to the thread that oversees the point.
#[allow(clippy::large_enum_variant, reason = "intervals are most of what is told")]
pub(crate) enum Report {
    /// The backend is there, and this is the thread's CPU clock.
    Ready(Option<ThreadClock>),
    /// The backend could not be had.
    Refused(Fault),
    /// A worker begins so long after the start of the point.
    Begun(Nanos),
    /// An interval has ended.
    Interval(IntervalRecord),
    /// The worker of this number has come to the end of a visit, with what is in flight still there;
    /// what its last reads brought.
    Paused(usize, Driven, ReadSample),
    /// It has drained and ended.
    Ended(usize, Driven, ReadSample),
}

/// A stream that several workers draw from, or that belongs to one.
pub(crate) enum StreamHandle {
    /// Drawn from by one worker.
    Own(Box<Mix>),
    /// A trace, which one worker replays.
    Replayed(Box<Replay>),
    /// Drawn from by several; held for the few nanoseconds that a draw takes.
    Shared(Arc<Mutex<Stream>>),
}

impl Source for StreamHandle {
    #[inline]
    fn draw(&mut self) -> Drawn {
        match self {
            Self::Own(mix) => mix.draw(),
            Self::Replayed(replay) => replay.draw(),
            Self::Shared(stream) => stream.lock().unwrap_or_else(PoisonError::into_inner).draw(),
        }
    }

    fn habits(&self) -> StreamHabits {
        match self {
            Self::Own(mix) => mix.habits(),
            Self::Replayed(replay) => replay.habits(),
            Self::Shared(stream) => stream.lock().unwrap_or_else(PoisonError::into_inner).habits(),
        }
    }
}

/// The streams of all workers: one for every stream number, shared where workers carry the same.
pub(crate) fn stream_handles(
    point: &Point<'_>,
    workers: &[WorkerPlan],
) -> Result<Vec<Vec<StreamHandle>>, Fault> {
    let profiles = point.io_profiles()?;
    let mut shared: BTreeMap<u32, Arc<Mutex<Stream>>> = BTreeMap::new();
    let carriers = |number: u32| {
        let streams = workers.iter().flat_map(|worker| &worker.streams);
        streams.filter(|stream| stream.number == number).count()
    };
    let mut all = Vec::with_capacity(workers.len());
    for worker in workers {
        let mut own = Vec::with_capacity(worker.streams.len());
        for plan in &worker.streams {
            let profile = profiles[plan.seat.member as usize];
            own.push(match shared.get(&plan.number) {
                Some(stream) => StreamHandle::Shared(Arc::clone(stream)),
                None if carriers(plan.number) > 1 => {
                    let stream = Arc::new(Mutex::new(Stream::new(profile, plan)?));
                    shared.insert(plan.number, Arc::clone(&stream));
                    StreamHandle::Shared(stream)
                }
                None => match Stream::new(profile, plan)? {
                    Stream::Drawn(mix) => StreamHandle::Own(Box::new(mix)),
                    Stream::Replayed(replay) => StreamHandle::Replayed(Box::new(replay)),
                },
            });
        }
        all.push(own);
    }
    Ok(all)
}

/// The knowledge of a point, and of the visits that go on after it, that all workers share. They own it
/// together: a worker that hangs in the kernel outlives its point.
#[derive(Debug)]
pub(crate) struct Task {
    engine: Engine,
    pages: MemoryPages,
    /// Those of the series that are measured at the same moment, by their numbers.
    profiles: Vec<ResolvedProfile>,
    seed: u64,
    /// The open targets in the plan's order; they stay open for as long as a worker uses them.
    files: Arc<Vec<File>>,
    ticks: Option<TickScale>,
    /// Of the targets, if their data is verified.
    ledgers: Option<Ledgers>,
}

impl Task {
    /// The task of `point` on open targets.
    pub(crate) fn new(
        point: &Point<'_>,
        files: &Arc<Vec<File>>,
        (ticks, ledgers): (Option<TickScale>, Option<Ledgers>),
    ) -> Result<Arc<Self>, Fault> {
        Ok(Arc::new(Self {
            engine: point.plan.engine.engine,
            pages: point.plan.engine.memory_pages.unwrap_or(MemoryPages::Small),
            profiles: point.io_profiles()?.into_iter().cloned().collect(),
            seed: point.seed(),
            files: Arc::clone(files),
            ticks,
            ledgers,
        }))
    }
}

impl Task {
    /// What each I/O of `worker` looks like: all of its streams are of one series.
    fn profile_of(&self, worker: &WorkerPlan) -> &ResolvedProfile {
        let member = worker.streams.first().map_or(0, |stream| stream.seat.member);
        &self.profiles[member as usize]
    }
}

/// One worker, ready to run on its own thread.
pub(crate) struct Worker {
    pub(crate) number: usize,
    pub(crate) task: Arc<Task>,
    /// The load that it has room for.
    pub(crate) room: WorkerPlan,
    pub(crate) stream_handles: Vec<StreamHandle>,
    pub(crate) cpu: Option<usize>,
    pub(crate) line: Channels,
}

impl Worker {
    /// Runs the worker's part of the point, and of the visits that go on after it, from the backend's
    /// birth to the end of the drain.
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
            slots: self.room.slot_count(),
            profile: task.profile_of(&self.room),
            pages: task.pages,
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
            Engine::Threads | Engine::Processes => self.with::<NullBackend>(Err(
                std::io::Error::other("work other than I/O is not measured by workers"),
            )),
        }
    }

    /// Drives the backend, behind one that verifies its data if that is asked for; tells the overseer if
    /// there is none.
    fn with<B: WorkerBackend>(self, backend: std::io::Result<B>) {
        let backend = match backend {
            Ok(backend) => backend,
            Err(error) => {
                let engine = self.task.engine.name();
                let other = match self.task.pages {
                    MemoryPages::Small => "another --engine",
                    MemoryPages::Huge => "small pages (leave out --huge-pages)",
                };
                let fault = Fault::new(format!("cannot set up {engine} for a worker"))
                    .because(error)
                    .fix(format!(
                        "use fewer outstanding I/Os or workers, smaller blocks, or {other}"
                    ));
                let _ = self.line.reports.send(Report::Refused(fault));
                return;
            }
        };
        match &self.task.ledgers {
            None => self.drive(backend),
            Some(ledgers) => {
                let room =
                    (self.room.slot_count(), self.task.profile_of(&self.room).block_bytes_max());
                let verifying = Verifying::new(backend, ledgers, room);
                self.drive(verifying);
            }
        }
    }

    /// Reports the backend and, once the start is given, drives it.
    fn drive<B: WorkerBackend>(self, mut backend: B) {
        let Channels { reports, orders, gate } = self.line;
        let _ = reports.send(Report::Ready(ThreadClock::of_this_thread()));
        let Ok(first) = orders.recv() else { return };
        backend.change_load(first.plan.slot_count());
        let _ = reports.send(Report::Begun(monotonic().since(first.epoch)));
        let driver = Driver::new(&first.task(), self.stream_handles);
        let mut flight = Flight { number: self.number, backend, driver, reports, orders, gate };
        let since_pause = flight.go(first);
        flight.end(since_pause);
    }
}

/// A worker in the air: its backend with what is in flight.
struct Flight<B> {
    number: usize,
    backend: B,
    driver: Driver<StreamHandle>,
    reports: SyncSender<Report>,
    orders: Receiver<Order>,
    gate: Arc<Gate>,
}

impl<B: WorkerBackend> Flight<B> {
    /// Drives `order`, and those that come while it waits after a visit; gives what ended since the
    /// last visit and was in flight at its end.
    fn go(&mut self, mut order: Order) -> Vec<Straddler> {
        loop {
            let reports = self.reports.clone();
            let mut watch = Reporter { reports, gate: &self.gate, visit: order.visit };
            self.driver.run(&mut self.backend, &mut watch);
            if watch.visit != Some(0) || self.gate.is_ended() || self.driver.is_exhausted() {
                return Vec::new();
            }
            let driven = self.driver.pause(self.backend.now());
            let sample = self.backend.read_sample();
            let _ = self.reports.send(Report::Paused(self.number, driven, sample));
            let mut pause = Pause {
                gate: &self.gate,
                orders: &self.orders,
                end: order.timing.interval.0 * order.visit.unwrap_or_default(),
                longest: monotonic() + WAIT_MAX,
                next: None,
                straddlers: Vec::new(),
            };
            self.driver.run(&mut self.backend, &mut pause);
            let Pause { next, straddlers, .. } = pause;
            match next {
                Some(next) if !self.driver.is_exhausted() => order = next,
                _ => return straddlers,
            }
            self.backend.change_load(order.plan.slot_count());
            self.driver.change(&order.task());
        }
    }

    /// Drains, and tells how it ended.
    fn end(mut self, since_pause: Vec<Straddler>) {
        let mut driven = self.driver.drain(&mut self.backend);
        driven.straddlers.extend(since_pause);
        // I/Os that never came back may still be written into the buffers.
        let sample = match driven.lost {
            0 => self.backend.read_sample(),
            _ => ReadSample::default(),
        };
        let _ = self.reports.send(Report::Ended(self.number, driven, sample));
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

/// Sends intervals to the overseer, and stops when it says so or a visit is over.
struct Reporter<'a> {
    reports: SyncSender<Report>,
    gate: &'a Gate,
    /// Intervals that a visit still has.
    visit: Option<u64>,
}

impl Watch for Reporter<'_> {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        let heard = self.reports.send(Report::Interval(record)).is_ok();
        self.visit = self.visit.map(|left| left.saturating_sub(1));
        match heard && !self.gate.is_ended() && self.visit != Some(0) {
            true => Flow::Continue,
            false => Flow::Stop,
        }
    }
}

/// A worker waits for the next visit no longer than this.
const WAIT_MAX: Nanos = Nanos::from_secs(1);

/// Waits for the next visit; what completes meanwhile counts nowhere.
struct Pause<'a> {
    gate: &'a Gate,
    orders: &'a Receiver<Order>,
    /// The end of the visit, in nanoseconds since its start.
    end: u64,
    longest: Nanos,
    next: Option<Order>,
    /// What was in flight at the end of the visit and has ended.
    straddlers: Vec<Straddler>,
}

impl Watch for Pause<'_> {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        let was_there = |io: &Straddler| io.age_at(Nanos(self.end)).is_some();
        self.straddlers.extend(record.straddlers.into_iter().filter(was_there));
        match self.orders.try_recv() {
            Ok(next) => {
                self.next = Some(next);
                return Flow::Stop;
            }
            Err(TryRecvError::Disconnected) => return Flow::Stop,
            Err(TryRecvError::Empty) => {}
        }
        if monotonic() >= self.longest {
            self.gate.end_waiting();
        }
        if self.gate.is_ended() { Flow::Stop } else { Flow::Continue }
    }
}
