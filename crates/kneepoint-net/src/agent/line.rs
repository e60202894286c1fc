//! The line between an agent and its controller: what goes on, and what each has said.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kneepoint_core::words::units::Nanos;

use super::Used;
use super::turn::Turn;
use crate::bus::Bus;
use crate::key::SecretKey;
use crate::order::Order;
use crate::seal::Caller;
use crate::transcript::{Transcript, digest};
use crate::wire::{
    AgentState, Command, Numbered, PROTOCOL, Packed, Presence, Refusal, Request, Word, encode,
    encode_records, encode_signed, presence_subject, word_subject,
};

/// How often an agent without a controller says that it is there.
const ALIVE_EVERY: Nanos = Nanos::from_millis(500);

/// How often it says so to a controller: this part of the lease.
const ALIVE_PER_LEASE: u64 = 20;

/// How often whoever waits for the controller looks whether it is still there.
const LOOK: Duration = Duration::from_millis(200);

/// After this number of leases without a word the targets are closed.
const LEASES: u64 = 6;

/// For how long a controller was not heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silence {
    /// It was.
    None,
    /// For the lease: what goes on is given up, and another controller may come.
    OfLease,
    /// For so long that it will not come back.
    Long,
}

/// The line between an agent and its controller.
pub(super) struct Line {
    bus: Arc<dyn Bus>,
    fleet: String,
    host: String,
    /// What the agent signs its answers with.
    key: Arc<SecretKey>,
    state: Mutex<LineState>,
    changed: Condvar,
}

/// What was said on the line.
#[derive(Debug, Default)]
struct LineState {
    /// The session; 0 before the first one.
    session: u64,
    /// The commands of the session.
    commands: Order<Command>,
    /// Words said in the session.
    words: u64,
    /// All of them.
    transcript: Transcript,
    /// Without a word from the controller for so long what goes on is given up.
    lease: Nanos,
    /// What goes on.
    turn: Turn,
    /// When the point begins.
    begin: Option<Option<Nanos>>,
    /// The interval up to which virtual time may go on.
    go_on: Option<u64>,
    /// The end of the point.
    end: Option<Option<Range<usize>>>,
    /// The ends of calls of the session that have not begun yet.
    early_ends: BTreeMap<u64, Option<Range<usize>>>,
    /// When the controller was heard last.
    heard: Nanos,
    /// When this agent said last that it is there.
    said: Nanos,
    /// Whether the controller was gone for the lease since the call began, or has closed the bus.
    is_abandoned: bool,
    /// Whether a command of the session is lost for good.
    is_broken: bool,
    /// The run that the agent serves.
    run: Option<RunLine>,
}

/// A run on the line.
#[derive(Debug)]
struct RunLine {
    /// What its controller calls it.
    name: String,
    /// What the agent chose for it.
    nonce: String,
    /// Bytes that were written in it.
    bytes_written: u64,
    /// When its first plan was taken.
    planned: Option<Nanos>,
}

impl LineState {
    /// Begins a session, which ends the one before. Their numbers rise.
    fn open(&mut self, session: u64, lease: Nanos, transcript: Transcript) {
        self.session = session;
        self.lease = lease;
        self.commands = Order::default();
        (self.words, self.transcript) = (0, transcript);
        self.early_ends.clear();
        self.is_broken = false;
    }

    /// Takes a command of the session; gives what is to be answered.
    fn take(&mut self, command: Command) -> Option<(Turn, Request)> {
        let session = self.session;
        let goes_on = |call| self.turn == Turn { session, call };
        match command {
            Command::Call { call, request } => return Some((Turn { session, call }, request)),
            Command::Begin { call, at } if goes_on(call) => self.begin = Some(at),
            Command::GoOn { call, interval } if goes_on(call) => self.go_on = Some(interval),
            Command::End { call, counted } if goes_on(call) => self.end = Some(counted),
            Command::End { call, counted }
                if self.turn.session != session || call > self.turn.call =>
            {
                self.early_ends.insert(call, counted);
            }
            // Of a point that is over.
            Command::Begin { .. } | Command::GoOn { .. } | Command::End { .. } => {}
            // Who hears has taken it.
            Command::Alive | Command::Leave => {}
        }
        None
    }

    /// Whether what goes on is of no use to anyone.
    fn is_given_up(&self) -> bool {
        self.is_abandoned || self.turn.session != self.session || self.end == Some(None)
    }

    fn alive_every(&self) -> Nanos {
        match self.run {
            None => ALIVE_EVERY,
            Some(_) => Nanos(self.lease.0 / ALIVE_PER_LEASE),
        }
    }
}

impl Line {
    pub(super) fn new(
        (bus, key): (Arc<dyn Bus>, Arc<SecretKey>),
        (fleet, host): (&str, &str),
    ) -> Self {
        let (fleet, host) = (fleet.to_owned(), host.to_owned());
        Self { bus, fleet, host, key, state: Mutex::default(), changed: Condvar::new() }
    }

    /// What is said in a session of `run`, as it begins.
    fn transcript(&self, run: &str, session: u64) -> Transcript {
        Transcript::new((&self.fleet, &self.host), run, session)
    }

    fn state(&self) -> MutexGuard<'_, LineState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, payload: Vec<u8>) {
        let run = self.state().run.as_ref().map(|run| run.name.clone());
        if let Some(run) = run {
            self.publish_in(&run, payload);
        }
    }

    /// Refuses a call. In the session that goes on, the call is answered like any other one, and what
    /// follows it is taken; in one that the agent need not serve, the answer is the first word.
    pub(super) fn refuse(&self, caller: &Caller, refusal: Refusal, now: Nanos) {
        let Caller { run, session, number, call } = caller;
        let (session, call) = (*session, *call);
        let message = &Word::Answer { call, answer: Err(refusal) };
        if self.skip(run, (session, *number), now) {
            return self.say(session, message);
        }
        let body = encode(&Numbered { session, number: 0, message });
        let mut transcript = self.transcript(run, session);
        transcript.add(&digest(&body));
        self.publish_in(run, encode_signed(&transcript.signed(&self.key), &body));
    }

    /// Does without a command of the session, which was refused; tells whether it is of that session.
    fn skip(&self, run: &str, (session, number): (u64, u64), now: Nanos) -> bool {
        let mut state = self.state();
        let is_own = state.run.as_ref().is_some_and(|own| own.name == run);
        let is_ours = is_own && state.session == session && !state.is_broken;
        if is_ours {
            state.heard = now;
            state.commands.put(number, Command::Alive, now);
        }
        is_ours
    }

    /// Publishes for the controller of a run that the agent need not serve.
    fn publish_in(&self, run: &str, payload: Vec<u8>) {
        // Out of reach: the lease ends what goes on.
        let _ = self.bus.publish(&word_subject((&self.fleet, run), &self.host), payload);
    }

    /// The agent serves a run from now on, and has chosen `nonce` for it.
    pub(super) fn begin_run(&self, name: &str, nonce: &str) {
        let (name, nonce) = (name.to_owned(), nonce.to_owned());
        self.state().run = Some(RunLine { name, nonce, bytes_written: 0, planned: None });
    }

    /// What goes on in the run is given up for good; gives the turn in which it is cleared away.
    pub(super) fn end_run(&self) -> Turn {
        let mut state = self.state();
        state.is_abandoned = true;
        // Also if someone is heard before this is noticed.
        state.end = Some(None);
        state.run = None;
        self.changed.notify_all();
        Turn { session: state.session, call: u64::MAX }
    }

    /// What the agent chose for its run.
    pub(super) fn nonce(&self) -> String {
        self.state().run.as_ref().map(|run| run.nonce.clone()).unwrap_or_default()
    }

    /// What the run has used by `now`.
    pub(super) fn used_at(&self, now: Nanos) -> Used {
        let mut state = self.state();
        let Some(run) = &mut state.run else { return Used::default() };
        let planned = *run.planned.get_or_insert(now);
        Used { bytes_written: run.bytes_written, time: now.since(planned) }
    }

    /// Bytes that the run has written.
    pub(super) fn bytes_written(&self) -> u64 {
        self.state().run.as_ref().map_or(0, |run| run.bytes_written)
    }

    /// Counts bytes that the run has written.
    pub(super) fn count_written(&self, bytes: u64) {
        if let Some(run) = &mut self.state().run {
            run.bytes_written += bytes;
        }
    }

    /// Says something in `session`, unless that is over. Answers are signed, with all that was said before.
    pub(super) fn say(&self, session: u64, word: &Word) {
        let said =
            self.utter(session, |number| encode(&Numbered { session, number, message: word }));
        let Some((body, transcript)) = said else { return };
        self.publish(match word {
            Word::Answer { .. } => encode_signed(&transcript.signed(&self.key), &body),
            _ => body,
        });
    }

    /// Hands on intervals in `session`, unless that is over.
    pub(super) fn hand_on(&self, session: u64, packed: Packed) {
        let said = self.utter(session, |number| {
            encode_records(&Numbered { session, number, message: packed })
        });
        if let Some((body, _)) = said {
            self.publish(body);
        }
    }

    /// The next word of `session` as bytes, and all that was said with it; `None` if the session is over.
    fn utter(
        &self,
        session: u64,
        encoded: impl FnOnce(u64) -> Vec<u8>,
    ) -> Option<(Vec<u8>, Transcript)> {
        let mut state = self.state();
        if session != state.session || state.is_broken {
            return None;
        }
        let body = encoded(state.words);
        state.words += 1;
        state.transcript.add(&digest(&body));
        Some((body, state.transcript.clone()))
    }

    /// Takes what came in from the controller at `now`; gives what is to be answered.
    pub(super) fn receive(&self, command: Numbered<Command>, now: Nanos) -> Vec<(Turn, Request)> {
        let Numbered { session, number, message } = command;
        let mut state = self.state();
        if let (0, Command::Call { request: Request::Greet { lease, .. }, .. }) = (number, &message)
            && session > state.session
        {
            let run = state.run.as_ref().map_or("", |run| &run.name);
            let transcript = self.transcript(run, session);
            state.open(session, *lease, transcript);
        }
        if session != state.session || state.is_broken {
            return Vec::new();
        }
        state.heard = now;
        match message {
            Command::Alive => state.commands.expect(number, now),
            message => state.commands.put(number, message, now),
        }
        let mut calls = Vec::new();
        while let Some(command) = state.commands.take(now) {
            calls.extend(state.take(command));
        }
        drop(state);
        self.changed.notify_all();
        calls
    }

    /// Gives up what goes on if the controller was not heard for the lease, or a command is missing for
    /// as long. In the second case nothing more is said in the session: the controller then knows. Tells
    /// for how long there was silence.
    pub(super) fn look(&self, now: Nanos) -> Silence {
        let mut state = self.state();
        state.is_broken |= state.commands.missing(now) > state.lease;
        let (silent, lease) = (now.since(state.heard), state.lease);
        let silence = match silent {
            silent if silent > Nanos(LEASES * lease.0) => Silence::Long,
            silent if silent > lease => Silence::OfLease,
            _ => Silence::None,
        };
        if state.is_broken || silence != Silence::None {
            state.is_abandoned = true;
            self.changed.notify_all();
        }
        silence
    }

    /// Gives up what goes on.
    pub(super) fn abandon(&self) {
        self.state().is_abandoned = true;
        self.changed.notify_all();
    }

    /// How often this agent says that it is there.
    pub(super) fn alive_every(&self) -> Duration {
        Duration::from_nanos(self.state().alive_every().0)
    }

    /// Says that the agent is there, if it is time for it.
    pub(super) fn say_alive(&self, now: Nanos, targets: impl FnOnce() -> Vec<String>) {
        let mut state = self.state();
        if now.since(state.said) < state.alive_every() {
            return;
        }
        state.said = now;
        let (session, number, is_broken) = (state.session, state.words, state.is_broken);
        let is_busy = state.run.is_some();
        drop(state);
        if !is_broken {
            self.publish(encode(&Numbered { session, number, message: &Word::Alive }));
        }
        let presence = Presence {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            key: self.key.public(),
            targets: targets(),
            state: if is_busy { AgentState::Busy } else { AgentState::Free },
        };
        let here = presence_subject(&self.fleet, &self.host);
        let _ = self.bus.publish(&here, encode(&presence));
    }

    /// Whether `session` goes on.
    pub(super) fn is_open(&self, session: u64) -> bool {
        self.state().session == session
    }

    /// Forgets what was said of other points than that of `turn`, unless that has begun.
    pub(super) fn begin(&self, turn: Turn) {
        let mut state = self.state();
        if state.turn == turn {
            return;
        }
        (state.turn, state.begin, state.go_on, state.end) = (turn, None, None, None);
        state.is_abandoned = state.is_broken;
        if turn.session == state.session {
            state.end = state.early_ends.remove(&turn.call);
            state.early_ends.retain(|call, _| *call > turn.call);
        }
    }

    /// Waits until `found` finds something, or the point ends or is given up.
    fn wait<T>(&self, found: impl Fn(&LineState) -> Option<T>) -> Option<T> {
        let mut state = self.state();
        loop {
            if let Some(found) = found(&state) {
                return Some(found);
            }
            if state.is_given_up() || state.end.is_some() {
                return None;
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until it is said when the point begins; nothing if it does not.
    pub(super) fn wait_for_begin(&self) -> Option<Option<Nanos>> {
        self.wait(|state| state.begin)
    }

    /// Waits until virtual time may go on after this interval; tells whether it may.
    pub(super) fn may_go_on_after(&self, interval: u64) -> bool {
        self.wait(|state| state.go_on.filter(|last| *last >= interval)).is_some()
    }

    /// The end of the point, if it was said: the intervals that count, if any do.
    pub(super) fn end(&self) -> Option<Option<Range<usize>>> {
        self.state().end.clone()
    }

    /// Waits for the end of the point; gives the intervals that count, if any do.
    pub(super) fn wait_for_end(&self) -> Option<Range<usize>> {
        self.wait(|_| None::<()>);
        self.end().flatten()
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.state().is_given_up()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::LocalBus;
    use crate::wire::PROTOCOL;

    const LEASE: Nanos = Nanos::from_secs(10);

    /// A line whose controller has begun a session and has said these commands in it.
    fn line(session: u64, commands: Vec<Command>) -> Line {
        let key = Arc::new(SecretKey::generate());
        let line = Line::new((Arc::new(LocalBus::default()), key), ("fleet", "host"));
        say(&line, session, 0, greet());
        for (number, command) in commands.into_iter().enumerate() {
            say(&line, session, number as u64 + 1, command);
        }
        line
    }

    const fn greet() -> Command {
        Command::Call { call: 0, request: Request::Greet { protocol: PROTOCOL, lease: LEASE } }
    }

    /// What is to be answered after a command.
    fn say(line: &Line, session: u64, number: u64, message: Command) -> usize {
        line.receive(Numbered { session, number, message }, Nanos(0)).len()
    }

    /// The number of the next word of `session`; `None` if that is over.
    fn next_number(line: &Line, session: u64) -> Option<u64> {
        let mut next = None;
        line.utter(session, |number| {
            next = Some(number);
            Vec::new()
        });
        next
    }

    const fn turn(call: u64) -> Turn {
        Turn { session: 1, call }
    }

    const fn given_up(call: u64) -> Command {
        Command::End { call, counted: None }
    }

    #[test]
    fn a_call_that_was_ended_before_it_began_is_given_up() {
        let line = line(1, vec![given_up(3)]);
        line.begin(turn(2));
        assert!(!line.is_given_up());
        say(&line, 1, 2, given_up(5));
        line.begin(turn(3));
        assert!(line.is_given_up());
        assert_eq!(line.wait(|state| state.begin), None);
        line.begin(turn(4));
        assert!(!line.is_given_up());
        line.begin(turn(5));
        assert!(line.is_given_up());
        line.begin(turn(5));
        assert!(line.is_given_up(), "it stays so");
    }

    #[test]
    fn what_is_said_of_another_point_is_not_heard() {
        let line = line(1, Vec::new());
        line.begin(turn(7));
        say(&line, 1, 1, Command::Begin { call: 6, at: None });
        say(&line, 1, 2, Command::GoOn { call: 6, interval: 1 });
        say(&line, 1, 3, Command::End { call: 6, counted: Some(0..1) });
        assert!(line.state().begin.is_none() && line.state().go_on.is_none());
        say(&line, 1, 4, Command::Begin { call: 7, at: Some(Nanos(5)) });
        assert_eq!(line.wait(|state| state.begin), Some(Some(Nanos(5))));
    }

    #[test]
    fn a_command_is_heard_once_and_after_those_before_it() {
        let line = line(1, Vec::new());
        assert_eq!(say(&line, 1, 0, greet()), 0, "again");
        let rest = |call| Command::Call { call, request: Request::Rest };
        assert_eq!(say(&line, 1, 2, rest(2)), 0, "too early");
        assert_eq!(say(&line, 1, 1, rest(1)), 2);
        assert_eq!(say(&line, 1, 2, rest(2)), 0, "again");
    }

    #[test]
    fn a_new_session_ends_what_goes_on_in_the_old_one_for_good() {
        let line = line(1, Vec::new());
        line.begin(turn(7));
        assert_eq!(say(&line, 2, 1, given_up(7)), 0, "no session begins so");
        assert!(!line.is_given_up());
        assert_eq!(say(&line, 2, 0, greet()), 1);
        assert!(line.is_given_up() && next_number(&line, 1).is_none());
        assert_eq!(say(&line, 1, 0, greet()), 0, "it is over");
        assert!(line.is_open(2));
        assert_eq!(next_number(&line, 2), Some(0));
    }

    #[test]
    fn without_a_controller_everything_is_given_up() {
        let line = line(1, Vec::new());
        line.begin(turn(1));
        line.look(LEASE);
        assert!(!line.is_given_up());
        line.look(LEASE + Nanos(1));
        assert!(line.is_given_up());
        let message = Command::Alive;
        line.receive(Numbered { session: 1, number: 1, message }, LEASE + Nanos(2));
        assert!(line.is_given_up(), "it is back, but was gone");
        line.begin(turn(2));
        assert!(!line.is_given_up());
    }

    #[test]
    fn a_session_that_lacks_a_command_is_given_up_in_silence() {
        let line = line(1, Vec::new());
        line.begin(turn(1));
        // It has said two commands, and one came in.
        for second in 0..=11 {
            let now = Nanos::from_secs(second);
            line.receive(Numbered { session: 1, number: 2, message: Command::Alive }, now);
            line.look(now);
        }
        assert!(line.is_given_up() && next_number(&line, 1).is_none());
        say(&line, 1, 1, Command::Alive);
        assert!(line.is_given_up(), "nothing mends it");
        say(&line, 2, 0, greet());
        line.begin(Turn { session: 2, call: 1 });
        assert!(!line.is_given_up() && next_number(&line, 2).is_some());
    }
}
