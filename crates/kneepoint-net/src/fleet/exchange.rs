//! What the controller says to the agents, and what it hears from them.

mod clocks;
mod lost;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kneepoint_core::load::record::interval::Shape;
use kneepoint_core::measure::{Observer, Stop, Unwatched};
use kneepoint_core::plan::TargetPlan;
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::Span;
use kneepoint_core::words::units::Nanos;

use super::clock::{Offset, Reading, WatchedClock};
use super::member::{Member, Said};
use super::{Now, Patience, out_of_step};
use crate::bus::{Bus, Message};
use crate::key::{PublicKey, SecretKey, nonce};
use crate::order::Order;
use crate::seal::{EXPIRES_AFTER, Sealed};
use crate::transcript::{Transcript, digest};
use crate::wire::{
    Answer, Command, Greeting, Heard, Numbered, PROTOCOL, Refusal, Request, Word, command_subject,
    decode_word, gone_subject, host_of_word, presence_subject, split_signature, word_subject,
};

/// How a controller reaches the agents of its fleet.
#[derive(Clone)]
pub struct Reach {
    /// Where its messages go.
    pub bus: Arc<dyn Bus>,
    /// The name of the fleet.
    pub fleet: String,
    /// What it signs its commands with.
    pub key: Arc<SecretKey>,
    /// The key of each host's agent, by which its answers are known.
    pub agents: BTreeMap<String, PublicKey>,
}

/// The line to all agents.
pub(super) struct Exchange {
    reach: Reach,
    /// What this run is called on the bus.
    run: String,
    inbox: Receiver<Message>,
    /// Who has left the bus.
    gone: Receiver<Message>,
    /// Who is there, of whatever version.
    here: Receiver<Message>,
    members: Vec<Member>,
    /// The number of each by its name.
    numbers: BTreeMap<String, usize>,
    /// What was heard and waits to be taken.
    heard: VecDeque<(usize, Heard)>,
    /// The response classes of the point that is measured, of no target.
    classes: Shape,
    now: Now,
    patience: Patience,
    next_call: u64,
    last_session: u64,
    /// When the agents were last told that their controller is there.
    said: Nanos,
    /// When it was last looked whether someone is lost.
    looked: Nanos,
    clocks_set: Option<Nanos>,
}

/// What is done about hosts that are lost while answers are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lost {
    /// The wait ends.
    Fails,
    /// The answers of the others are waited for.
    IsLeftOut,
}

/// An answer, and when it came in.
type Given = (Answer, Nanos);

impl Exchange {
    /// Greets the agents, each with its number of targets.
    ///
    /// # Errors
    /// When one of them does not answer, or is of another version.
    pub(super) fn greet(
        reach: Reach,
        (now, patience): (Now, Patience),
        hosts: Vec<(&str, usize)>,
    ) -> Result<Self, Stop> {
        let run = nonce();
        let inbox = reach.bus.subscribe(&word_subject((&reach.fleet, &run), "*"))?;
        let gone = reach.bus.subscribe(&gone_subject(&reach.fleet, "*"))?;
        let here = reach.bus.subscribe(&presence_subject(&reach.fleet, "*"))?;
        let mut first_target = 0;
        let mut members = Vec::with_capacity(hosts.len());
        for (number, (name, target_count)) in hosts.into_iter().enumerate() {
            let key = reach.agents.get(name).ok_or_else(|| stranger(name))?;
            members.push(Member {
                number,
                first_target,
                target_count,
                ..Member::new((name, key), now())
            });
            first_target += target_count as u32;
        }
        let mut exchange = Self {
            reach,
            run,
            inbox,
            gone,
            here,
            numbers: members.iter().map(|member| (member.name.clone(), member.number)).collect(),
            members,
            heard: VecDeque::new(),
            classes: Shape::of_classes(0, &[]),
            now,
            patience,
            next_call: 0,
            last_session: 0,
            said: now(),
            looked: now(),
            clocks_set: None,
        };
        exchange.greet_all(patience.lease, &mut Unwatched)?;
        exchange.set_clocks()?;
        Ok(exchange)
    }

    /// Greets all agents again once those that are lost are back: whatever went on is given up.
    ///
    /// # Errors
    /// When one of them does not come back in time, or the observer asks to stop.
    pub(super) fn greet_again(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        self.greet_all(self.patience.back, observer)?;
        self.clocks_set = None;
        Ok(())
    }

    /// The hosts.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Their names.
    pub(super) fn hosts(&self) -> Vec<String> {
        self.members.iter().map(|member| member.name.clone()).collect()
    }

    /// How long a host is waited for, and how long it may be silent.
    pub(super) const fn patience(&self) -> Patience {
        self.patience
    }

    /// The clock here.
    pub(super) fn now(&self) -> Nanos {
        (self.now)()
    }

    /// Takes the number of targets of each host from what the hosts found: one name can stand for several,
    /// and their number may differ from level to level of what is varied.
    pub(super) fn count_targets<'a>(&mut self, found: impl Iterator<Item = &'a TargetPlan>) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        found.for_each(|target| *counts.entry(&target.host).or_default() += 1);
        let mut first = 0;
        for member in &mut self.members {
            member.first_target = first;
            member.target_count = counts.get(&*member.name).copied().unwrap_or_default();
            first += member.target_count as u32;
        }
    }

    /// Expects intervals with these response classes.
    pub(super) fn expect_classes(&mut self, classes: &[ClassName]) {
        self.classes = Shape::of_classes(0, classes);
    }

    fn send_greeting(&mut self, number: usize, call: u64) -> Result<(), Fault> {
        let request = Request::Greet { protocol: PROTOCOL, lease: self.patience.lease };
        self.send(number, &Command::Call { call, request })
    }

    /// Begins a session with every agent.
    fn greet_all(&mut self, wait: Nanos, observer: &mut dyn Observer) -> Result<(), Stop> {
        let call = self.call();
        let until = self.now() + wait;
        let (mut next_try, mut pause) = (self.now(), self.patience.alive_every());
        let mut missing = self.everyone();
        let mut busy: Option<Fault> = None;
        while !missing.is_empty() {
            observer.go_on()?;
            self.refuse_other_versions(&missing)?;
            let now = self.now();
            if now > until {
                // A host that serves another run has answered.
                return Err(busy.map_or_else(|| self.unanswered(&missing, wait), Stop::from));
            }
            if now >= next_try {
                // Only the answer to the last greeting is heard: it must have the time to come in.
                next_try = now + pause;
                pause = Nanos(2 * pause.0).min(Nanos(self.patience.lease.0 / 2));
                for number in missing.clone() {
                    self.open(number);
                    self.send_greeting(number, call)?;
                }
            }
            match self.hear() {
                Ok(Some((number, Heard::Word(Word::Answer { answer: Ok(answer), .. })))) => {
                    if let Answer::Greeting(greeting) = answer {
                        self.take_greeting(number, greeting);
                        missing.remove(&number);
                    }
                }
                Ok(Some((number, Heard::Word(Word::Answer { answer: Err(refusal), .. })))) => {
                    let is_busy = matches!(refusal, Refusal::Busy(_));
                    let fault = refused(refusal, &self.members[number].name);
                    if !is_busy {
                        return Err(fault.into());
                    }
                    busy = Some(fault);
                }
                // It went away again.
                Err(Stop::Lost { .. }) => {
                    missing.extend(
                        self.members
                            .iter()
                            .filter_map(|member| member.lost.is_some().then_some(member.number)),
                    );
                }
                heard => drop(heard?),
            }
        }
        Ok(())
    }

    /// Begins a session with a number that none had before.
    fn open(&mut self, number: usize) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let session = u64::try_from(since.as_nanos()).unwrap_or_default();
        self.last_session = session.max(self.last_session + 1);
        let heard = self.now();
        let member = &mut self.members[number];
        member.session = self.last_session;
        (member.nonce, member.plan) = (None, None);
        (member.sent, member.heard, member.greeted) = (0, heard, heard);
        member.words = Order::default();
        let names = (self.reach.fleet.as_str(), member.name.as_str());
        member.transcript = Transcript::new(names, &self.run, member.session);
        (member.lost, member.is_forged) = (None, false);
    }

    /// An agent has answered the greeting of its session: from now on it takes commands.
    fn take_greeting(&mut self, number: usize, greeting: Greeting) {
        let received = self.now();
        let member = &mut self.members[number];
        let reading = Reading { sent: member.greeted, there: greeting.now, received };
        // It is compared better before anything is measured.
        member.clock = WatchedClock::glanced_at(Offset::of(&[reading]).unwrap_or_default());
        member.nonce = Some(greeting.nonce);
    }

    /// A number for a call.
    pub(super) fn call(&mut self) -> u64 {
        self.next_call += 1;
        self.next_call
    }

    /// Says something to one host.
    pub(super) fn send(&mut self, number: usize, command: &Command) -> Result<(), Fault> {
        let now = self.now();
        let member = &mut self.members[number];
        let is_greeting = matches!(command, Command::Call { request: Request::Greet { .. }, .. });
        if member.nonce.is_none() && !is_greeting {
            // It has not answered the greeting yet, and would take nothing else.
            return Ok(());
        }
        if let Command::Call { request: Request::Adopt(plan), .. } = command {
            member.plan = Some(plan.hash());
        }
        let Member { session, sent, .. } = *member;
        if *command != Command::Alive {
            member.sent += 1;
        }
        let Reach { bus, fleet, key, .. } = &self.reach;
        let sealed = Sealed {
            fleet: fleet.clone(),
            host: member.name.clone(),
            run: self.run.clone(),
            nonce: member.nonce.clone(),
            expires: member.nonce.as_ref().map(|_| member.clock.offset.there(now + EXPIRES_AFTER)),
            plan: member.plan.clone(),
            command: Numbered { session, number: sent, message: command.clone() },
        };
        bus.publish(&command_subject(fleet, &member.name), sealed.encode(key))
    }

    /// Says something to all hosts.
    pub(super) fn send_all(&mut self, command: &Command) -> Result<(), Fault> {
        (0..self.members.len()).try_for_each(|number| self.send(number, command))
    }

    /// What one of the hosts says, if it does so soon.
    ///
    /// # Errors
    /// When a host is lost, for which it is the first time to say so, or the bus is closed.
    pub(super) fn hear(&mut self) -> Result<Option<(usize, Heard)>, Stop> {
        if let Some(heard) = self.heard.pop_front() {
            return Ok(Some(heard));
        }
        let now = self.now();
        if now.since(self.said) >= self.patience.alive_every() {
            self.said = now;
            self.send_all(&Command::Alive)?;
        }
        // Only while someone is waited for does it matter what hosts say of themselves.
        self.here.try_iter().for_each(drop);
        self.look_for_gone()?;
        self.look_for_lost(now)?;
        match self.inbox.recv_timeout(Duration::from_nanos(self.patience.look().0)) {
            Ok(message) => self.receive(&message)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::new("the bus of the fleet was closed")
                    .fix("`kneepoint resume` measures the rest")
                    .into());
            }
        }
        Ok(self.heard.pop_front())
    }

    /// Takes what came in; nothing if it is of no host, or of a session that is over.
    ///
    /// # Errors
    /// When an answer is not signed by the agent of its host, with all that came in before it.
    fn receive(&mut self, message: &Message) -> Result<(), Fault> {
        let (now, classes) = (self.now(), self.classes);
        let Some(number) = self.sender_of(message) else { return Ok(()) };
        let member = &mut self.members[number];
        let shape = Shape { targets: member.target_count, ..classes };
        let Some(said) = decode_word(&message.payload, shape) else { return Ok(()) };
        if said.session != member.session || member.is_forged {
            return Ok(());
        }
        member.heard = now;
        match said.message {
            Heard::Word(Word::Alive) => member.words.expect(said.number, now),
            heard => {
                let (signature, body) = split_signature(&message.payload);
                let signature = signature.map(<[u8]>::to_vec);
                member.words.put(said.number, Said { heard, digest: digest(body), signature }, now);
            }
        }
        while let Some(Said { heard, digest, signature }) = member.words.take(now) {
            member.transcript.add(&digest);
            if matches!(heard, Heard::Word(Word::Answer { .. })) {
                member.check_signature(signature.as_deref()).inspect_err(|fault| {
                    (member.is_forged, member.lost) = (true, Some(fault.clone()));
                })?;
            }
            self.heard.push_back((member.number, heard));
        }
        Ok(())
    }

    /// The number of the host that a message is from or about.
    fn sender_of(&self, message: &Message) -> Option<usize> {
        self.numbers.get(&host_of_word(message.subject.rsplit('.').next()?)).copied()
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
        self.refuse_lost()?;
        let call = self.call();
        for number in 0..self.members.len() {
            let request = request(&self.members[number]);
            self.send(number, &Command::Call { call, request })?;
        }
        let answers = self.answers((call, self.everyone()), Lost::Fails, observer)?;
        Ok(answers.into_iter().flatten().map(|(answer, _)| answer).collect())
    }

    /// Asks one host, and waits for its answer.
    ///
    /// # Errors
    /// When it refuses, a host is lost, or the observer asks to stop.
    pub(super) fn ask_one(
        &mut self,
        number: usize,
        request: Request,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        self.refuse_lost()?;
        let call = self.call();
        self.send(number, &Command::Call { call, request })?;
        let asked = BTreeSet::from([number]);
        let mut answers = self.answers((call, asked), Lost::Fails, observer)?;
        let given = answers.get_mut(number).and_then(Option::take);
        given
            .map(|(answer, _)| answer)
            .ok_or_else(|| out_of_step(&self.members[number].name).into())
    }

    /// Asks the hosts that are there, and waits for all of their answers, which stand with their names. The
    /// observer hears what they say, and cannot stop it.
    ///
    /// # Errors
    /// When a host refuses.
    pub(super) fn ask_present(
        &mut self,
        request: &Request,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(String, Answer)>, Stop> {
        let call = self.call();
        for number in 0..self.members.len() {
            if self.members[number].lost.is_none() {
                self.send(number, &Command::Call { call, request: request.clone() })?;
            }
        }
        let asked = (call, self.everyone());
        let answers = self.answers(asked, Lost::IsLeftOut, &mut Unstoppable(observer))?;
        let named = self.members.iter().zip(answers);
        Ok(named
            .filter_map(|(member, given)| given.map(|(answer, _)| (member.name.clone(), answer)))
            .collect())
    }

    /// All hosts, by their numbers.
    fn everyone(&self) -> BTreeSet<usize> {
        (0..self.members.len()).collect()
    }

    /// Waits for the answers to a call of those who were asked, as long as they are there.
    fn answers(
        &mut self,
        (call, mut missing): (u64, BTreeSet<usize>),
        lost: Lost,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Given>>, Stop> {
        let mut answers: Vec<Option<Given>> = vec![None; self.members.len()];
        let mut stop: Option<(Stop, Nanos)> = None;
        loop {
            missing.retain(|number| self.members[*number].lost.is_none());
            if missing.is_empty() || stop.as_ref().is_some_and(|(_, until)| self.now() > *until) {
                break;
            }
            if stop.is_none() && observer.is_stop_asked() {
                stop = Some(self.stop(call, Stop::Asked)?);
            }
            let heard = match self.hear() {
                Ok(heard) => heard,
                Err(Stop::Lost { .. }) if lost == Lost::IsLeftOut || stop.is_some() => None,
                Err(ended) => {
                    stop = Some(self.stop(call, ended)?);
                    break;
                }
            };
            let Some((number, Heard::Word(word))) = heard else { continue };
            match word {
                Word::Answer { call: of, answer } if of == call => {
                    missing.remove(&number);
                    match answer {
                        Ok(answer) => answers[number] = Some((answer, self.now())),
                        Err(_) if stop.is_some() => {}
                        Err(refusal) => {
                            let why = self.given_up(number, refusal);
                            stop = Some(self.stop(call, why)?);
                        }
                    }
                }
                other => tell(observer, &self.members[number].name, &other),
            }
        }
        stop.map_or(Ok(answers), |(stop, _)| Err(stop))
    }

    /// Why a host did not do what was asked although no one had asked it to stop.
    pub(super) fn given_up(&mut self, number: usize, refusal: Refusal) -> Stop {
        match refusal {
            Refusal::Fault(fault) | Refusal::Busy(fault) => {
                fault.behind(&self.members[number].name).into()
            }
            Refusal::Stopped => {
                let lease = Span(self.patience.lease);
                self.lose(number, format!("its agent did not hear its controller for {lease}"))
            }
        }
    }

    /// Lets all hosts give up a call; gives why, and until when they are waited for.
    fn stop(&mut self, call: u64, why: Stop) -> Result<(Stop, Nanos), Fault> {
        self.send_all(&Command::End { call, counted: None })?;
        Ok((why, self.now() + self.patience.lease))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // Whoever does not hear it gives up after the lease.
        let _ = self.send_all(&Command::Leave);
    }
}

/// Hears what hosts say, and does not ask to stop.
struct Unstoppable<'a>(&'a mut dyn Observer);

impl Observer for Unstoppable<'_> {
    fn note(&mut self, text: &str) {
        self.0.note(text);
    }
}

/// That a host has no key here.
fn stranger(host: &str) -> Fault {
    Fault::new(format!("the key of {host} is not known here"))
        .because("its answers could not be told from those of others")
        .fix("let it join: kneepoint hosts join")
}

/// That a host does not want to be greeted.
fn refused(refusal: Refusal, host: &str) -> Fault {
    match refusal {
        Refusal::Fault(fault) | Refusal::Busy(fault) => fault.behind(host),
        Refusal::Stopped => out_of_step(host),
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
        | Word::Ended { .. }
        | Word::Alive => {}
    }
}
