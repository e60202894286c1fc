//! The workers of a point as its overseer knows them. Those of a visit go on after it, at its load,
//! and wait for the next visit, but not for long.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use kneepoint_core::load::drive::WorkerTask;
use kneepoint_core::load::stream::{StreamPlan, WorkerPlan};
use kneepoint_core::measure::{LastVisit, Observer, Point};
use kneepoint_core::plan::Timing;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use crate::clock::monotonic;
use crate::observe::ThreadClock;
use crate::worker::Report;

/// What a worker does next.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Its part of the load.
    pub(crate) plan: WorkerPlan,
    /// Phases and interval length.
    pub(crate) timing: Timing,
    /// More failed I/Os than this end its part at once.
    pub(crate) errors_max: u64,
    /// Start of interval 0.
    pub(crate) epoch: Nanos,
    /// Intervals of a visit, after which it goes on and waits for the next order; `None` to go on until
    /// it is stopped, and to drain then.
    pub(crate) visit: Option<u64>,
}

impl Order {
    /// The same as the loop takes it.
    pub(crate) const fn task(&self) -> WorkerTask<'_> {
        let Self { plan, timing, errors_max, epoch, .. } = self;
        WorkerTask { worker: plan, timing, errors_max: *errors_max, epoch: *epoch }
    }
}

/// Whether the workers of a crew are to go on; they look at the ends of their intervals.
#[derive(Debug)]
pub(crate) struct Gate(AtomicU8);

/// The overseer needs them.
const NEEDED: u8 = 0;
/// They wait for an order, and may end if none comes.
const WAITING: u8 = 1;
/// They drain and end.
const ENDED: u8 = 2;

impl Gate {
    const fn new() -> Self {
        Self(AtomicU8::new(NEEDED))
    }

    /// Lets the workers drain and end.
    pub(crate) fn end(&self) {
        self.0.store(ENDED, Ordering::Relaxed);
    }

    /// Whether the workers are to end.
    pub(crate) fn is_ended(&self) -> bool {
        self.0.load(Ordering::Relaxed) == ENDED
    }

    /// Ends workers that wait; those that the overseer needs again go on.
    pub(crate) fn end_waiting(&self) {
        self.pass(WAITING, ENDED);
    }

    fn pass(&self, from: u8, to: u8) -> bool {
        self.0.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// A worker's ends of what it shares with the overseer.
pub(crate) struct Channels {
    /// To the overseer.
    pub(crate) reports: SyncSender<Report>,
    /// What to do, from the overseer; closed if there is nothing more.
    pub(crate) orders: Receiver<Order>,
    /// Whether to go on.
    pub(crate) gate: Arc<Gate>,
}

/// The overseer's ends.
#[derive(Debug)]
pub(crate) struct Crew {
    pub(crate) reports: Receiver<Report>,
    orders: Vec<Sender<Order>>,
    gate: Arc<Gate>,
    /// The workers by their numbers.
    hands: Vec<Hand>,
    /// Their CPU clocks.
    pub(crate) clocks: Vec<Option<ThreadClock>>,
    /// Targets of the point.
    pub(crate) target_count: usize,
    drain_max: Nanos,
    /// The visit that they wait after.
    last: Option<LastVisit>,
}

/// A worker as the overseer knows it.
#[derive(Debug)]
struct Hand {
    /// The load that it has room for.
    room: WorkerPlan,
    /// I/Os that it has in flight at the most.
    slots: u32,
    /// `None` once it was joined or left behind.
    thread: Option<JoinHandle<()>>,
}

/// Reports of a worker that wait to be heard; beyond them it waits itself.
const REPORTS_PER_WORKER: usize = 16;

/// Lines for `count` workers on `target_count` targets, and the overseer's ends of them.
pub(crate) fn connect(count: usize, target_count: usize) -> (Vec<Channels>, Crew) {
    let (reports, receiver) = sync_channel(REPORTS_PER_WORKER * count);
    let gate = Arc::new(Gate::new());
    let (lines, orders) = (0..count)
        .map(|_| {
            let (sender, orders) = channel();
            (Channels { reports: reports.clone(), orders, gate: Arc::clone(&gate) }, sender)
        })
        .unzip();
    let crew = Crew {
        reports: receiver,
        orders,
        gate,
        hands: Vec::with_capacity(count),
        clocks: Vec::new(),
        target_count,
        drain_max: Nanos::ZERO,
        last: None,
    };
    (lines, crew)
}

/// Workers have so long to drain once the user has stopped the point.
pub(crate) const GRACE: Nanos = Nanos::from_secs(3);

/// How much later than the end of the drain a worker may end that is only slow.
pub(crate) const SLOW: Nanos = Nanos::from_secs(5);

/// How often the overseer looks around, at least.
pub(crate) const LOOK: Nanos = Nanos::from_millis(100);

/// What is left of a crew that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Remains {
    /// I/Os that never came back.
    pub(crate) lost: u32,
    /// Workers that were left behind.
    pub(crate) stuck: usize,
}

impl Crew {
    /// Adds the next worker, which has room for the load of `room`.
    pub(crate) fn add(&mut self, room: WorkerPlan, thread: JoinHandle<()>) {
        self.hands.push(Hand { room, slots: 0, thread: Some(thread) });
    }

    /// Number of workers.
    pub(crate) const fn len(&self) -> usize {
        self.orders.len()
    }

    /// Waits until every worker has its backend.
    pub(crate) fn await_ready(&mut self) -> Result<(), Fault> {
        while self.clocks.len() < self.len() {
            match self.reports.recv() {
                Ok(Report::Refused(fault)) => return Err(fault),
                Ok(Report::Ready(clock)) => self.clocks.push(clock),
                Ok(_) => {}
                Err(_) => return Err(Fault::new("a worker ended before it began")),
            }
        }
        Ok(())
    }

    /// Lets the workers begin with `point`, a visit of that many intervals or a point that stands
    /// alone, at the time that is given or at once; gives its start.
    pub(crate) fn begin(
        &mut self,
        point: &Point<'_>,
        (plans, epoch): (Vec<WorkerPlan>, Option<Nanos>),
        visit: Option<u64>,
    ) -> Nanos {
        let epoch = epoch.unwrap_or_else(monotonic);
        let timing = &point.plan.timing;
        self.drain_max = timing.drain_max;
        for ((plan, hand), line) in plans.into_iter().zip(&mut self.hands).zip(&self.orders) {
            // Those that its last load had in flight are still there.
            hand.slots = hand.slots.max(plan.slot_count());
            let (timing, errors_max) = (timing.clone(), point.plan.errors_max);
            // A worker that has ended says so in its own report.
            let _ = line.send(Order { plan, timing, errors_max, epoch, visit });
        }
        epoch
    }

    /// Whether the workers are to end.
    pub(crate) fn is_ended(&self) -> bool {
        self.gate.is_ended()
    }

    /// Lets the workers drain and end.
    pub(crate) fn end(&self) {
        self.gate.end();
    }

    /// Lets the workers go on after `last` and wait for the next visit.
    pub(crate) fn wait_after(&mut self, last: LastVisit) {
        self.last = Some(last);
        self.gate.pass(NEEDED, WAITING);
    }

    /// Whether the workers still wait and can go on with `point`; if so they are needed from now on.
    pub(crate) fn goes_on(&self, point: &Point<'_>, plans: &[WorkerPlan]) -> bool {
        let leads = self.last.as_ref().is_some_and(|last| last.leads_to(point));
        let rooms = self.hands.iter().map(|hand| &hand.room);
        let has_room =
            plans.len() == self.len() && rooms.zip(plans).all(|(room, plan)| has_room(room, plan));
        leads && has_room && self.gate.pass(WAITING, NEEDED)
    }

    /// Takes leave of the workers, of which `lost` says how many I/Os each has lost in the end, `None` if
    /// it has not ended: of those that have when they are gone, of the others at once. Gives how many
    /// I/Os each of the others may have in flight.
    pub(crate) fn part(mut self, lost: &[Option<u32>]) -> Vec<u32> {
        self.end();
        let mut stuck = Vec::new();
        for (hand, lost) in self.hands.iter_mut().zip(lost) {
            let thread = hand.thread.take();
            match lost {
                // What it has lost can keep it from closing its backend.
                Some(0) => drop(thread.map(JoinHandle::join)),
                Some(_) => {}
                None => stuck.push(hand.slots),
            }
        }
        stuck
    }

    /// Ends workers that wait; not later than when they must have ended, or soon after the user asked
    /// to stop.
    pub(crate) fn rest(self, observer: &mut dyn Observer) -> Remains {
        self.end();
        let begun = monotonic();
        let mut give_up = begun + self.drain_max + SLOW;
        let mut lost: Vec<Option<u32>> = vec![None; self.len()];
        while lost.iter().any(Option::is_none) && monotonic() < give_up {
            match self.reports.recv_timeout(Duration::from_nanos(LOOK.0)) {
                Ok(Report::Ended(number, driven, _)) => lost[number] = Some(driven.lost),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                // A worker that panicked has ended as well.
                Err(RecvTimeoutError::Disconnected) => lost.iter_mut().for_each(|lost| {
                    lost.get_or_insert(0);
                }),
            }
            observer.silence(monotonic().since(begun));
            if observer.is_stop_asked() {
                give_up = give_up.min(monotonic() + GRACE);
            }
        }
        let of_ended = lost.iter().flatten().sum();
        let stuck = self.part(&lost);
        Remains { lost: of_ended, stuck: stuck.len() }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.gate.end();
    }
}

/// Whether a worker with `room` can take the load of `plan`: the same streams, none of them larger.
pub(crate) fn has_room(room: &WorkerPlan, plan: &WorkerPlan) -> bool {
    let fits = |(room, plan): (&StreamPlan, &StreamPlan)| {
        let place = |stream: &StreamPlan| (stream.number, stream.target, stream.share);
        place(room) == place(plan)
            && room.share_count == plan.share_count
            && room.seat == plan.seat
            && room.slots >= plan.slots
            && room.arrivals.is_some() == plan.arrivals.is_some()
    };
    room.streams.len() == plan.streams.len() && room.streams.iter().zip(&plan.streams).all(fits)
}

#[cfg(test)]
mod tests {
    use kneepoint_core::load::stream::Seat;

    use super::*;

    #[test]
    fn workers_that_are_needed_do_not_end_by_themselves() {
        let gate = Gate::new();
        gate.end_waiting();
        assert!(!gate.is_ended());
        assert!(gate.pass(NEEDED, WAITING) && gate.pass(WAITING, NEEDED));
        gate.end_waiting();
        assert!(!gate.is_ended(), "needed again");
        gate.pass(NEEDED, WAITING);
        gate.end_waiting();
        assert!(gate.is_ended());
        assert!(!gate.pass(WAITING, NEEDED), "too late");
    }

    /// One stream of `slots` on target `target`.
    fn plan(target: u32, slots: u32) -> WorkerPlan {
        let stream = StreamPlan {
            seat: Seat::alone(target),
            number: target,
            target,
            size_bytes: 1 << 20,
            share: 0,
            share_count: 1,
            slots,
            arrivals: None,
            seed: u64::from(slots),
        };
        WorkerPlan::of(vec![stream])
    }

    #[test]
    fn there_is_room_for_the_same_streams_that_are_not_larger() {
        let room = plan(0, 8);
        assert!(has_room(&room, &plan(0, 8)) && has_room(&room, &plan(0, 1)));
        assert!(!has_room(&room, &plan(0, 9)), "too large");
        assert!(!has_room(&room, &plan(1, 8)), "another target");
        assert!(!has_room(&room, &WorkerPlan::of(Vec::new())), "fewer streams");
    }

    #[test]
    fn a_crew_whose_threads_are_gone_is_not_waited_for() {
        let (lines, mut crew) = connect(1, 1);
        crew.drain_max = Nanos::from_secs(3600);
        let thread = std::thread::Builder::new().spawn(|| drop(lines)).unwrap();
        crew.add(plan(0, 1), thread);
        let remains = crew.rest(&mut kneepoint_core::measure::Unwatched);
        assert_eq!(remains, Remains::default());
    }
}
