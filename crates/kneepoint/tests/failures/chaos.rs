//! A bus that does to messages what networks do, by a seed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::load::record::interval::Shape;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_net::wire::{decode_records, encode_records};
use kneepoint_net::{Bus, LocalBus, Message, PublicKey, Reach, SecretKey};

use super::HOSTS;

/// What happens to every message.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Weather {
    /// Shortest delay.
    pub(crate) delay_min: Duration,
    /// Longest delay beyond it. Messages overtake each other.
    pub(crate) delay_max: Duration,
    /// This part of the messages comes in twice, in percent.
    pub(crate) doubled_percent: u64,
    /// The second time it is so much later.
    pub(crate) echo: Duration,
}

/// What happens to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nothing comes in or goes out.
    Cut,
    /// Nothing comes in.
    Deaf,
    /// What it says comes in when the trouble is over.
    Late,
    /// It does not run.
    Frozen,
}

/// What whoever controls the bus makes of what the agent of a host says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forgery {
    /// Its intervals have twice as many I/Os.
    Doubled,
    /// Every interval repeats the one before it, under its own number.
    Replayed,
    /// Its answers come in without a signature.
    Unsigned,
}

/// A trouble that begins when the agent of `host` hands on its interval of this number, over all points.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) host: &'static str,
    pub(crate) interval: u64,
    pub(crate) trouble: Trouble,
    pub(crate) time: Duration,
}

/// The bus.
pub(crate) struct ChaosBus {
    inner: LocalBus,
    /// The key of the controller.
    key: Arc<SecretKey>,
    /// The key of all agents.
    pub(crate) agents: Arc<SecretKey>,
    seed: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    weather: Weather,
    events: Vec<Event>,
    /// What is made of the words of which host.
    forgery: Option<(&'static str, Forgery)>,
    /// The last intervals of that host.
    last: Option<Vec<u8>>,
    /// Intervals that each host handed on.
    intervals: BTreeMap<String, u64>,
    /// Messages of each kind from or to each host.
    counts: BTreeMap<String, u64>,
    /// The troubles of each host, and when they end.
    troubles: BTreeMap<String, (Trouble, Instant)>,
    /// Messages on their way, by the time when they come in.
    way: BTreeMap<(Instant, u64), (String, Vec<u8>)>,
    sent: u64,
    /// By how much the clock of each host has leapt, in seconds.
    leaps: BTreeMap<String, u64>,
    is_closed: bool,
    /// Hosts that were in trouble.
    troubled: BTreeSet<String>,
}

/// Messages of intervals begin so.
const PACKED: u8 = 0;

/// Signed words do so.
const SIGNED: u8 = 1;

impl ChaosBus {
    pub(crate) fn new(seed: u64, weather: Weather, events: Vec<Event>) -> Arc<Self> {
        let state = State { weather, events, ..State::default() };
        let (inner, state) = (LocalBus::default(), Mutex::new(state));
        let [key, agents] = [(), ()].map(|()| Arc::new(SecretKey::generate()));
        let bus = Arc::new(Self { inner, key, agents, seed, state, changed: Condvar::new() });
        let courier = Arc::clone(&bus);
        thread::Builder::new().spawn(move || courier.deliver()).unwrap();
        bus
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Brings `host` into trouble at once.
    pub(crate) fn trouble(&self, host: &str, trouble: Trouble, time: Duration) {
        self.state().troubles.insert(host.to_owned(), (trouble, Instant::now() + time));
    }

    /// Lets the clock of `host` leap.
    pub(crate) fn leap(&self, host: &str, seconds: u64) {
        self.state().leaps.insert(host.to_owned(), seconds);
    }

    /// By how much the clock of `host` has leapt, in seconds.
    pub(crate) fn leapt(&self, host: &str) -> u64 {
        self.state().leaps.get(host).copied().unwrap_or_default()
    }

    /// Forges the words of `host` from now on.
    pub(crate) fn forge(&self, host: &'static str, forgery: Forgery) {
        self.state().forgery = Some((host, forgery));
    }

    /// The key of the controller.
    pub(crate) fn key(&self) -> PublicKey {
        self.key.public()
    }

    /// How the controller reaches the agents of `fleet`.
    pub(crate) fn reach(self: &Arc<Self>, fleet: &str) -> Reach {
        let (bus, key) = (Arc::clone(self) as Arc<dyn Bus>, Arc::clone(&self.key));
        let agents = HOSTS.map(|host| (host.to_owned(), self.agents.public()));
        Reach { bus, fleet: fleet.to_owned(), key, agents: agents.into() }
    }

    /// Ends all troubles.
    pub(crate) fn heal(&self) {
        self.state().troubles.clear();
        self.changed.notify_all();
    }

    /// Whether this host ever was in trouble.
    pub(crate) fn was_troubled(&self, host: &str) -> bool {
        self.state().troubled.contains(host)
    }

    /// Waits while `host` is frozen.
    pub(crate) fn run(&self, host: &str) {
        let mut state = self.state();
        while state.trouble(host).is_some_and(|(trouble, _)| trouble == Trouble::Frozen) {
            state = self.changed.wait_timeout(state, Duration::from_millis(1)).unwrap().0;
        }
    }

    /// Lets a message through whatever the trouble.
    pub(crate) fn put_through(&self, subject: &str, payload: &[u8]) {
        let _ = self.inner.publish(subject, payload.to_vec());
    }

    /// Hands over what is due until the bus is closed.
    fn deliver(&self) {
        let mut state = self.state();
        while !state.is_closed {
            let now = Instant::now();
            let due = state.way.first_key_value().map(|((at, _), _)| *at);
            state = match due {
                Some(at) if at <= now => {
                    let (_, (subject, payload)) = state.way.pop_first().unwrap();
                    drop(state);
                    let _ = self.inner.publish(&subject, payload);
                    self.state()
                }
                due => {
                    let wait = due.map_or(Duration::from_millis(50), |at| at - now);
                    self.changed.wait_timeout(state, wait).unwrap().0
                }
            };
        }
    }

    /// A number that follows from the seed, for the next message of a kind from or to a host.
    fn chance(&self, state: &mut State, what: &str) -> u64 {
        let count = state.counts.entry(what.to_owned()).or_default();
        *count += 1;
        seed::derive(self.seed, what, *count)
    }
}

impl State {
    /// The trouble that `host` is in, and its end.
    fn trouble(&mut self, host: &str) -> Option<(Trouble, Instant)> {
        let now = Instant::now();
        self.troubles.retain(|_, (_, end)| *end > now);
        self.troubles.get(host).copied()
    }

    /// Notes an interval of `host`, with which a trouble may begin.
    fn note_interval(&mut self, host: &str) {
        let count = self.intervals.entry(host.to_owned()).or_default();
        *count += 1;
        let event = |event: &Event| event.host == host && event.interval == *count;
        if let Some(event) = self.events.iter().find(|known| event(known)) {
            self.troubles.insert(host.to_owned(), (event.trouble, Instant::now() + event.time));
            self.troubled.insert(host.to_owned());
        }
    }

    /// What becomes of a word of `host`.
    fn forged(&mut self, host: &str, payload: Vec<u8>) -> Vec<u8> {
        let Some((_, forgery)) = self.forgery.filter(|(known, _)| *known == host) else {
            return payload;
        };
        let shape = Shape::io(1);
        match (forgery, decode_records(&payload, shape)) {
            (Forgery::Doubled, Some(mut packed)) => {
                for record in &mut packed.message.records {
                    let same = record.clone();
                    record.merge(&same);
                }
                encode_records(&packed)
            }
            (Forgery::Replayed, Some(packed)) => {
                let before = self.last.replace(payload.clone());
                let Some(mut before) = before.and_then(|bytes| decode_records(&bytes, shape))
                else {
                    return payload;
                };
                before.number = packed.number;
                before.message.call = packed.message.call;
                let indices = packed.message.records.iter().map(|record| record.index);
                for (record, index) in before.message.records.iter_mut().zip(indices) {
                    record.index = index;
                }
                encode_records(&before)
            }
            (Forgery::Unsigned, None) if payload.first() == Some(&SIGNED) => payload[65..].to_vec(),
            _ => payload,
        }
    }

    fn put(&mut self, at: Instant, subject: &str, payload: &[u8]) {
        self.sent += 1;
        self.way.insert((at, self.sent), (subject.to_owned(), payload.to_vec()));
    }
}

impl Bus for ChaosBus {
    fn publish(&self, subject: &str, payload: Vec<u8>) -> Result<(), Fault> {
        let mut words = subject.split('.');
        let (kind, host) = (words.nth(2).unwrap(), words.next_back().unwrap());
        let is_word = kind != "command";
        if is_word {
            self.run(host);
        }
        let mut state = self.state();
        if state.is_closed {
            return Err(Fault::new("the bus is closed"));
        }
        if is_word && payload.first() == Some(&PACKED) {
            state.note_interval(host);
        }
        let payload = if is_word { state.forged(host, payload) } else { payload };
        let mut start = Instant::now();
        match state.trouble(host) {
            Some((Trouble::Cut, _)) => return Ok(()),
            Some((Trouble::Deaf, _)) if !is_word => return Ok(()),
            Some((Trouble::Late, end)) if is_word => start = end,
            _ => {}
        }
        let chance = self.chance(&mut state, &format!("{kind}.{host}"));
        let Weather { delay_min, delay_max, doubled_percent, echo } = state.weather;
        let longest = delay_max.as_micros() as u64 + 1;
        let delay = delay_min + Duration::from_micros(chance % longest);
        state.put(start + delay, subject, &payload);
        if (chance >> 32) % 100 < doubled_percent {
            state.put(start + delay + echo, subject, &payload);
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    fn subscribe(&self, subject: &str) -> Result<Receiver<Message>, Fault> {
        self.inner.subscribe(subject)
    }

    fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
        self.inner.close();
    }
}
