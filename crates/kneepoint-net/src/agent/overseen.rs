//! A point as the controller of the fleet oversees it: the line to it, and what an instrument hears.

use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use kneepoint_core::load::drive::Flow;
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::Straddler;
use kneepoint_core::measure::{Observer, Overseer, Stop, Task};
use kneepoint_core::plan::{Engine, Plan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, Nanos};

use super::Workshop;
use crate::bus::Bus;
use crate::wire::{Command, Packed, Request, Word, encode_records};

/// Without a word from its controller for so long an agent gives up what it does.
pub(super) const LEASE: Nanos = Nanos::from_secs(10);

/// How often an agent says that it is there, whatever it does.
const ALIVE_EVERY: Nanos = Nanos::from_millis(500);

/// How often whoever waits for the controller looks whether it is still there.
const LOOK: Duration = Duration::from_millis(200);

/// The line between an agent and its controller.
pub(super) struct Line {
    bus: Arc<dyn Bus>,
    subject: String,
    state: Mutex<LineState>,
    changed: Condvar,
}

/// What the controller has said that is no call.
#[derive(Debug, Default)]
struct LineState {
    /// The call that it belongs to.
    call: u64,
    /// When the point begins.
    begin: Option<Option<Nanos>>,
    /// The interval up to which virtual time may go on.
    go_on: Option<u64>,
    /// The end of the point.
    end: Option<Option<Range<usize>>>,
    /// The end of a call that has not begun yet.
    early_end: Option<(u64, Option<Range<usize>>)>,
    /// When the controller was heard last.
    heard: Nanos,
    /// When this agent said last that it is there.
    said: Nanos,
    /// Whether the controller is gone, or has closed the bus.
    is_abandoned: bool,
}

impl Line {
    pub(super) fn new(bus: Arc<dyn Bus>, subject: String) -> Self {
        Self { bus, subject, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, LineState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn publish(&self, payload: Vec<u8>) {
        // Out of reach: the lease ends what goes on.
        let _ = self.bus.publish(&self.subject, payload);
    }

    /// The controller was heard at `now`.
    pub(super) fn heard(&self, now: Nanos) {
        let mut state = self.state();
        state.heard = now;
        state.is_abandoned = false;
    }

    /// Gives up what goes on if the controller was not heard for the lease.
    pub(super) fn look(&self, now: Nanos) {
        let mut state = self.state();
        if now.since(state.heard) > LEASE {
            state.is_abandoned = true;
            self.changed.notify_all();
        }
    }

    /// Gives up what goes on.
    pub(super) fn abandon(&self) {
        self.state().is_abandoned = true;
        self.changed.notify_all();
    }

    /// Says that the agent is there, if it is time for it.
    pub(super) fn say_alive(&self, now: Nanos) {
        let mut state = self.state();
        let is_due = now.since(state.said) >= ALIVE_EVERY;
        if is_due {
            state.said = now;
            drop(state);
            self.say(&Word::Alive);
        }
    }

    /// Takes what the controller says; gives what is to be answered.
    pub(super) fn take(&self, command: Command) -> Option<(u64, Request)> {
        let mut state = self.state();
        match command {
            Command::Call { call, request } => return Some((call, request)),
            Command::Begin { call, at } if call == state.call => state.begin = Some(at),
            Command::GoOn { call, interval } if call == state.call => state.go_on = Some(interval),
            Command::End { call, counted } if call == state.call => state.end = Some(counted),
            Command::End { call, counted } if call > state.call => {
                state.early_end = Some((call, counted));
            }
            // Of a point that is over.
            Command::Begin { .. } | Command::GoOn { .. } | Command::End { .. } => {}
            Command::Alive => {}
        }
        self.changed.notify_all();
        None
    }

    /// Forgets what was said of other points than that of `call`.
    fn begin(&self, call: u64) {
        let mut state = self.state();
        let early_end = state.early_end.take();
        *state = LineState {
            call,
            end: early_end.filter(|(of, _)| *of == call).map(|(_, counted)| counted),
            heard: state.heard,
            said: state.said,
            is_abandoned: state.is_abandoned,
            ..LineState::default()
        };
    }

    /// Waits until `found` finds something, or the point ends or is given up.
    fn wait<T>(&self, found: impl Fn(&LineState) -> Option<T>) -> Option<T> {
        let mut state = self.state();
        loop {
            if let Some(found) = found(&state) {
                return Some(found);
            }
            if state.is_abandoned || state.end.is_some() {
                return None;
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn is_given_up(&self) -> bool {
        let state = self.state();
        state.is_abandoned || state.end == Some(None)
    }
}

/// What an agent tells its controller while it works on a call, and hears from it.
pub(super) struct Reporter<'a> {
    call: u64,
    line: &'a Line,
    workshop: &'a dyn Workshop,
    /// What takes long, and bytes of it in all.
    task: Option<(String, u64)>,
    told: Nanos,
    /// The point that is overseen.
    point: Option<PointLine>,
}

/// A point on the line.
struct PointLine {
    /// Whether time is virtual: it waits for the other hosts.
    is_virtual: bool,
    /// Operations that completed so far.
    operations: u64,
}

impl<'a> Reporter<'a> {
    /// Tells what goes on during `call`.
    pub(super) fn new(call: u64, line: &'a Line, workshop: &'a dyn Workshop) -> Self {
        line.begin(call);
        Self { call, line, workshop, task: None, told: Nanos::ZERO, point: None }
    }

    /// The same while a point is measured.
    pub(super) fn of_point(call: u64, line: &'a Line, workshop: &'a dyn Workshop) -> Self {
        let point = Some(PointLine { is_virtual: false, operations: 0 });
        Self { point, ..Self::new(call, line, workshop) }
    }
}

impl Reporter<'_> {
    /// Operations that completed in the intervals of the point.
    pub(super) fn operations(&self) -> u64 {
        self.point.as_ref().map_or(0, |point| point.operations)
    }
}

impl Observer for Reporter<'_> {
    fn is_stop_asked(&self) -> bool {
        self.line.is_given_up()
    }

    fn note(&mut self, text: &str) {
        self.line.say(&Word::Note(text.to_owned()));
    }

    fn task(&mut self, task: &Task<'_>) {
        let (what, bytes) = match task {
            Task::Write { path, bytes } => (format!("writing {}", path.display()), bytes.0),
            Task::Look => ("looking at the targets".to_owned(), 0),
            Task::Open => ("opening the targets".to_owned(), 0),
            Task::Close => ("closing the targets".to_owned(), 0),
        };
        self.line.say(&Word::Busy { what: what.clone(), bytes: (bytes > 0).then_some([0, bytes]) });
        self.task = Some((what, bytes));
    }

    fn task_moved(&mut self, done: Bytes) {
        let now = self.workshop.now();
        if now.since(self.told) < ALIVE_EVERY {
            return;
        }
        self.told = now;
        if let Some((what, bytes)) = &self.task {
            self.line.say(&Word::Busy { what: what.clone(), bytes: Some([done.0, *bytes]) });
        }
    }

    fn overseer(&mut self) -> Option<&mut dyn Overseer> {
        self.point.is_some().then_some(self)
    }
}

impl Overseer for Reporter<'_> {
    fn ready(&mut self, plan: &Plan) -> Result<Option<Nanos>, Stop> {
        let is_virtual = plan.engine.engine == Engine::Sim;
        self.point = Some(PointLine { is_virtual, operations: 0 });
        self.line.say(&Word::Ready { call: self.call, ramp: plan.timing.ramp });
        let at = self.line.wait(|state| state.begin).ok_or(Stop::Asked)?;
        if let Some(at) = at {
            thread::sleep(Duration::from_nanos(at.since(self.workshop.now()).0));
        }
        Ok(at)
    }

    fn record(&mut self, record: &IntervalRecord) -> Flow {
        let packed = Packed { call: self.call, records: vec![record.clone()] };
        self.line.publish(encode_records(&packed));
        let Some(point) = &mut self.point else { return Flow::Stop };
        point.operations += record.total().operations;
        let is_over = match point.is_virtual {
            false => self.line.state().end.is_some(),
            true => {
                let index = record.index;
                self.line.wait(|state| state.go_on.filter(|last| *last >= index)).is_none()
            }
        };
        if is_over || self.is_stop_asked() { Flow::Stop } else { Flow::Continue }
    }

    fn straddlers(&mut self, straddlers: &[Straddler]) {
        if !straddlers.is_empty() {
            let straddlers = straddlers.to_vec();
            self.line.say(&Word::Straddlers { call: self.call, straddlers });
        }
    }

    fn counted(&self) -> Option<Range<usize>> {
        let mut state = self.line.state();
        loop {
            if let Some(counted) = &state.end {
                return counted.clone().or(Some(0..0));
            }
            if state.is_abandoned {
                return Some(0..0);
            }
            let waited = self.line.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// That a request came at the wrong time.
pub(super) fn out_of_turn(what: &str) -> Fault {
    Fault::new(format!("the agent was asked to {what} before it was told of what"))
        .because("its controller and it do not speak the same protocol")
        .fix("use the same version of Kneepoint on all hosts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::LocalBus;

    fn line() -> Line {
        Line::new(Arc::new(LocalBus::default()), "word".to_owned())
    }

    #[test]
    fn a_call_that_was_ended_before_it_began_is_given_up() {
        let line = line();
        assert_eq!(line.take(Command::End { call: 3, counted: None }), None);
        line.begin(2);
        assert!(!line.is_given_up());
        line.take(Command::End { call: 3, counted: None });
        line.begin(3);
        assert!(line.is_given_up());
        assert_eq!(line.wait(|state| state.begin), None);
        line.begin(4);
        assert!(!line.is_given_up());
    }

    #[test]
    fn what_is_said_of_another_point_is_not_heard() {
        let line = line();
        line.begin(7);
        line.take(Command::Begin { call: 6, at: None });
        line.take(Command::GoOn { call: 6, interval: 1 });
        line.take(Command::End { call: 6, counted: Some(0..1) });
        assert!(line.state().begin.is_none() && line.state().go_on.is_none());
        line.take(Command::Begin { call: 7, at: Some(Nanos(5)) });
        assert_eq!(line.wait(|state| state.begin), Some(Some(Nanos(5))));
    }

    #[test]
    fn without_a_controller_everything_is_given_up() {
        let line = line();
        line.heard(Nanos(0));
        line.begin(1);
        line.look(LEASE);
        assert!(!line.is_given_up());
        line.look(LEASE + Nanos(1));
        assert!(line.is_given_up());
        line.heard(LEASE + Nanos(2));
        assert!(!line.is_given_up(), "it is back");
    }
}
