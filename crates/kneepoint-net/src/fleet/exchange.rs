//! What the controller says to the agents, and what it hears from them.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use kneepoint_core::load::record::interval::Shape;
use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::plan::resolve::FoundTarget;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::Span;
use kneepoint_core::words::units::Nanos;

use super::clock::{Offset, Reading};
use super::{Now, out_of_step};
use crate::bus::{Bus, Message};
use crate::wire::{
    Answer, Command, Heard, PROTOCOL, Refusal, Request, Word, command_subject, decode_word, encode,
    word_subject,
};

/// An agent that was not heard for so long is lost.
const LEASE: Nanos = Nanos::from_secs(10);

/// How often the agents hear that their controller is there.
const ALIVE_EVERY: Nanos = Nanos::from_secs(1);

/// How long a wait for the agents is at a stretch.
const LOOK: Duration = Duration::from_millis(100);

/// Agents that were asked to stop are waited for so long.
const GRACE: Nanos = Nanos::from_secs(10);

/// Exchanges that a clock is compared by.
const READINGS: usize = 16;

/// Clocks are compared again after so long: quartz drifts by some 50 µs in a second at the most.
const CLOCKS_HOLD: Nanos = Nanos::from_secs(5);

/// A host of the fleet.
#[derive(Debug, Clone)]
pub(super) struct Member {
    /// Its place among the hosts.
    pub(super) number: usize,
    /// Its name.
    pub(super) name: String,
    /// The number of its first target.
    pub(super) first_target: u32,
    /// How many it has.
    pub(super) target_count: usize,
    /// Its clock.
    pub(super) clock: Offset,
    /// When it was heard last.
    heard: Nanos,
}

/// The line to all agents.
pub(super) struct Exchange {
    bus: Arc<dyn Bus>,
    fleet: String,
    inbox: Receiver<Message>,
    members: Vec<Member>,
    /// Response classes of the point that is measured.
    classes: usize,
    now: Now,
    next_call: u64,
    said: Nanos,
    clocks_set: Option<Nanos>,
}

impl Exchange {
    /// Greets the agents, each with its number of targets.
    ///
    /// # Errors
    /// When one of them does not answer, or is of another version.
    pub(super) fn greet(
        (bus, fleet): (Arc<dyn Bus>, &str),
        now: Now,
        hosts: Vec<(&str, usize)>,
    ) -> Result<Self, Fault> {
        let inbox = bus.subscribe(&word_subject(fleet, "*"))?;
        let mut first_target = 0;
        let members = hosts.into_iter().enumerate().map(|(number, (name, target_count))| {
            let first = first_target;
            first_target += target_count as u32;
            let name = name.to_owned();
            let (clock, heard) = (Offset::default(), now());
            Member { number, name, first_target: first, target_count, clock, heard }
        });
        let mut exchange = Self {
            bus,
            fleet: fleet.to_owned(),
            inbox,
            members: members.collect(),
            classes: 0,
            now,
            next_call: 0,
            said: Nanos::ZERO,
            clocks_set: None,
        };
        exchange.set_clocks()?;
        Ok(exchange)
    }

    /// The hosts.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Their names.
    pub(super) fn hosts(&self) -> Vec<String> {
        self.members.iter().map(|member| member.name.clone()).collect()
    }

    /// The clock here.
    pub(super) fn now(&self) -> Nanos {
        (self.now)()
    }

    /// Takes the number of targets from what the hosts found: one name can stand for several.
    pub(super) fn count_targets(&mut self, found: &[FoundTarget]) {
        let mut first = 0;
        for member in &mut self.members {
            let own = found.iter().filter(|target| target.plan.host == member.name);
            member.first_target = first;
            member.target_count = own.count();
            first += member.target_count as u32;
        }
    }

    /// Expects intervals with this number of response classes.
    pub(super) fn expect_classes(&mut self, classes: usize) {
        self.classes = classes;
    }

    /// Compares the clocks, if that was not done lately.
    ///
    /// # Errors
    /// When an agent does not answer.
    pub(super) fn set_clocks(&mut self) -> Result<(), Fault> {
        if self.clocks_set.is_some_and(|at| self.now().since(at) < CLOCKS_HOLD) {
            return Ok(());
        }
        let mut readings = vec![Vec::with_capacity(READINGS); self.members.len()];
        for _ in 0..READINGS {
            for (number, readings) in readings.iter_mut().enumerate() {
                readings.push(self.reading(number)?);
            }
        }
        for (member, readings) in self.members.iter_mut().zip(&readings) {
            member.clock = Offset::of(readings).unwrap_or_default();
        }
        self.clocks_set = Some(self.now());
        Ok(())
    }

    fn reading(&mut self, number: usize) -> Result<Reading, Fault> {
        let sent = self.now();
        let call = self.call();
        self.send(number, &Command::Call { call, request: Request::Greet { protocol: PROTOCOL } })?;
        loop {
            let heard = self.hear()?;
            let received = self.now();
            let Some((from, Heard::Word(Word::Answer { call: of, answer }))) = heard else {
                continue;
            };
            if from != number || of != call {
                continue;
            }
            let name = &self.members[number].name;
            return match answer {
                Ok(Answer::Greeting(greeting)) => {
                    Ok(Reading { sent, there: greeting.now, received })
                }
                Ok(_) => Err(out_of_step(name)),
                Err(Refusal::Fault(fault)) => Err(fault.behind(name)),
                Err(Refusal::Stopped) => Err(out_of_step(name)),
            };
        }
    }

    /// A number for a call.
    pub(super) fn call(&mut self) -> u64 {
        self.next_call += 1;
        self.next_call
    }

    /// Says something to one host.
    pub(super) fn send(&self, number: usize, command: &Command) -> Result<(), Fault> {
        let subject = command_subject(&self.fleet, &self.members[number].name);
        self.bus.publish(&subject, encode(command))
    }

    /// Says something to all hosts.
    pub(super) fn send_all(&self, command: &Command) -> Result<(), Fault> {
        (0..self.members.len()).try_for_each(|number| self.send(number, command))
    }

    /// What one of the hosts says, if it does so soon.
    ///
    /// # Errors
    /// When a host is lost, or the bus is closed.
    pub(super) fn hear(&mut self) -> Result<Option<(usize, Heard)>, Fault> {
        let now = self.now();
        if now.since(self.said) >= ALIVE_EVERY {
            self.said = now;
            self.send_all(&Command::Alive)?;
        }
        match self.inbox.recv_timeout(LOOK) {
            Ok(message) => Ok(self.known(&message)),
            Err(RecvTimeoutError::Timeout) => self.look_for_lost().map(|()| None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Fault::new("the bus of the fleet was closed")
                    .fix("`kneepoint resume` measures the rest"))
            }
        }
    }

    /// What is in a message, and from which of the hosts.
    fn known(&mut self, message: &Message) -> Option<(usize, Heard)> {
        let name = message.subject.rsplit('.').next()?;
        let (now, classes) = (self.now(), self.classes);
        let member = self.members.iter_mut().find(|member| member.name == name)?;
        member.heard = now;
        let shape = Shape { targets: member.target_count, classes };
        Some((member.number, decode_word(&message.payload, shape)?))
    }

    /// Nothing has come in for a while: is someone lost?
    fn look_for_lost(&self) -> Result<(), Fault> {
        let now = self.now();
        let lost = self.members.iter().find(|member| now.since(member.heard) > LEASE);
        lost.map_or(Ok(()), |member| Err(lost_host(&member.name, now.since(member.heard))))
    }

    /// Asks every host, and waits for all of their answers, which are in the order of the hosts.
    ///
    /// # Errors
    /// When a host refuses or is lost, or the observer asks to stop.
    pub(super) fn ask(
        &mut self,
        mut request: impl FnMut(&Member) -> Request,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Answer>, Stop> {
        let call = self.call();
        for number in 0..self.members.len() {
            let request = request(&self.members[number]);
            self.send(number, &Command::Call { call, request })?;
        }
        let mut answers: Vec<Option<Answer>> = vec![None; self.members.len()];
        let mut stop: Option<(Stop, Nanos)> = None;
        let mut missing = self.members.len();
        while missing > 0 {
            if stop.is_none() && observer.is_stop_asked() {
                stop = Some((self.stop(call, Stop::Asked)?, self.now() + GRACE));
            }
            if stop.as_ref().is_some_and(|(_, until)| self.now() > *until) {
                break;
            }
            let Some((number, Heard::Word(word))) = self.hear()? else { continue };
            match word {
                Word::Answer { call: of, answer } if of == call => {
                    missing -= 1;
                    match answer {
                        Ok(answer) => answers[number] = Some(answer),
                        Err(Refusal::Fault(fault)) if stop.is_none() => {
                            let fault = fault.behind(&self.members[number].name);
                            let why = self.stop(call, fault.into())?;
                            stop = Some((why, self.now() + GRACE));
                        }
                        Err(_) => {}
                    }
                }
                other => tell(observer, &self.members[number].name, &other),
            }
        }
        match stop {
            Some((stop, _)) => Err(stop),
            None => Ok(answers.into_iter().flatten().collect()),
        }
    }

    /// Lets all hosts give up a call.
    fn stop(&self, call: u64, why: Stop) -> Result<Stop, Fault> {
        self.send_all(&Command::End { call, counted: None })?;
        Ok(why)
    }
}

/// Tells the observer what a host says beside its answers.
pub(super) fn tell(observer: &mut dyn Observer, host: &str, word: &Word) {
    match word {
        Word::Note(text) => observer.note(&format!("{host}: {text}")),
        Word::Busy { what, bytes: Some([done, all]) } if *done == 0 => {
            let size = kneepoint_core::words::number::RoundedBytes(*all);
            observer.note(&format!("{host}: {what} ({size})"));
        }
        Word::Busy { .. }
        | Word::Answer { .. }
        | Word::Ready { .. }
        | Word::Straddlers { .. }
        | Word::Alive => {}
    }
}

/// That a host is lost.
fn lost_host(host: &str, silent: Nanos) -> Fault {
    Fault::new(format!("{host} is lost"))
        .because(format!("its agent was not heard for {}", Span(silent)))
        .fix(
            "look after that host and its agent; `kneepoint resume` measures the rest with all of \
              them",
        )
}
