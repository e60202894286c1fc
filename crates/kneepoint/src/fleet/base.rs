//! The controller's end of a fleet of several machines: the server, the way to the agents, and who of them
//! is there.

use std::collections::BTreeMap;
use std::fs::File;
use std::net::IpAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::wire::{
    Enrolled, Enrolment, PROTOCOL, Presence, disconnect_subject, encode, enrol_subject,
    enrolled_subject, gone_subject, host_of_word, presence_subject,
};
use kneepoint_net::{
    Access, Bus, Door, JoinLine, Knock, Message, NatsBus, PublicKey, Reach, SecretKey, Server,
};
use serde::Deserialize;

use super::kept::Roster;
use crate::output::print::tell;

/// The server listens within this time after it was started.
const START: Duration = Duration::from_secs(5);

/// How long one wait for a message is.
const LOOK: Duration = Duration::from_millis(100);

/// Someone who was given a token.
#[derive(Debug)]
pub(crate) struct Newcomer {
    /// The public half of the token.
    pub(crate) token: PublicKey,
    /// The name that it must have, and for how long it stays.
    pub(crate) stay: Stay,
}

/// For how long a host belongs to the fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stay {
    /// Until it is removed, under the name that it gives itself.
    Lasting,
    /// For this run, under this name.
    Run(String),
}

/// A host that is in the fleet for one run.
#[derive(Debug)]
struct Guest {
    host: String,
    key: PublicKey,
}

/// The controller's end of a fleet. The server ends with it.
pub(crate) struct Base {
    roster: Roster,
    bus: Arc<NatsBus>,
    /// What tells which connections end.
    watch: NatsBus,
    server: Server,
    /// No one else controls the fleet meanwhile.
    _claim: File,
    controller: PublicKey,
    watcher: PublicKey,
    newcomers: Vec<Newcomer>,
    guests: Vec<Guest>,
    /// The host of each key that is let in, as the watch needs it.
    hosts: Arc<Mutex<BTreeMap<String, String>>>,
    enrolments: Receiver<Message>,
    presence: Receiver<Message>,
}

impl Base {
    /// Starts the server of the fleet `roster` and connects to it.
    ///
    /// # Errors
    /// When there is no server to start, or it does not listen.
    pub(crate) fn start(roster: Roster) -> Result<Self, Fault> {
        let claim = roster.claim()?;
        // What these sign is chosen by the server, so they sign no commands.
        let (controller, watcher) = (SecretKey::generate(), SecretKey::generate());
        let keys = (controller.public(), watcher.public());
        let access = access(&roster, (&keys.0, &keys.1), (&[], &[]));
        let server = Server::start(roster.folder(), &roster.listen(), (&roster.identity, &access))?;
        let connect = |key: SecretKey, name: &str| {
            let (address, fingerprint) = (near(&roster.listen()), roster.identity.fingerprint);
            let door = Door { address, fingerprint, key, name: name.to_owned() };
            let notes = |text: &str| tell(format!("note: {text}"));
            // Why it does not listen, it says itself.
            NatsBus::connect(door, Knock::For(START), notes)
                .map_err(|fault| server.check().err().unwrap_or(fault))
        };
        let bus = Arc::new(connect(controller, "controller")?);
        let watch = connect(watcher, "watcher")?;
        let enrolments = bus.subscribe(&enrol_subject(&roster.name(), "*"))?;
        let presence = bus.subscribe(&presence_subject(&roster.name(), "*"))?;
        let (controller, watcher) = keys;
        let (newcomers, guests) = (Vec::new(), Vec::new());
        let base = Self {
            roster,
            bus,
            watch,
            server,
            _claim: claim,
            controller,
            watcher,
            newcomers,
            guests,
            hosts: Arc::default(),
            enrolments,
            presence,
        };
        base.note_hosts();
        base.watch_connections()?;
        Ok(base)
    }

    /// Says on the bus which agents have lost their connection, as the server tells it.
    fn watch_connections(&self) -> Result<(), Fault> {
        let ended = self.watch.subscribe(&disconnect_subject())?;
        let (bus, fleet) = (Arc::downgrade(&self.bus), self.roster.name());
        let hosts = Arc::clone(&self.hosts);
        let watching = move || {
            for message in ended {
                let Some(bus) = bus.upgrade() else { return };
                let event: Result<Disconnect, _> = serde_json::from_slice(&message.payload);
                let Ok(Disconnect { client }) = event else { continue };
                let hosts = hosts.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(host) = hosts.get(&client.user) {
                    let _ = bus.publish(&gone_subject(&fleet, host), Vec::new());
                }
            }
        };
        let started = thread::Builder::new().name("presence".to_owned()).spawn(watching);
        started.map(drop).map_err(|error| Fault::new("cannot watch the agents").because(error))
    }

    /// The fleet.
    pub(crate) const fn roster(&self) -> &Roster {
        &self.roster
    }

    /// How the agents are reached.
    pub(crate) fn reach(&self) -> Result<Reach, Fault> {
        let key = Arc::new(SecretKey::from_seed(&self.roster.key.seed())?);
        Ok(Reach { bus: Arc::clone(&self.bus) as Arc<dyn Bus>, fleet: self.roster.name(), key })
    }

    /// Takes note of the host of each key.
    fn note_hosts(&self) {
        let known =
            self.roster.hosts().iter().map(|known| (known.key.to_string(), known.host.clone()));
        let guests = self.guests.iter().map(|guest| (guest.key.to_string(), guest.host.clone()));
        let hosts = known.chain(guests).collect();
        *self.hosts.lock().unwrap_or_else(PoisonError::into_inner) = hosts;
    }

    /// Lets those on the list into the server.
    fn admit(&self) -> Result<(), Fault> {
        self.note_hosts();
        let keys = (&self.controller, &self.watcher);
        self.server.admit(&access(&self.roster, keys, (&self.guests, &self.newcomers)))
    }

    /// Lets someone in who comes with the line that it gives, once.
    ///
    /// # Errors
    /// When the server has ended.
    pub(crate) fn invite(&mut self, stay: Stay) -> Result<JoinLine, Fault> {
        let token = SecretKey::generate();
        self.newcomers.push(Newcomer { token: token.public(), stay });
        self.admit()?;
        Ok(JoinLine {
            address: self.roster.address().to_owned(),
            fingerprint: self.roster.identity.fingerprint,
            controller: self.roster.key.public(),
            fleet: self.roster.name(),
            token,
        })
    }

    /// Takes in one of those who were invited, if someone asks before long; gives its name.
    ///
    /// # Errors
    /// When the server has ended, or the list of hosts cannot be kept.
    pub(crate) fn receive(&mut self) -> Result<Option<String>, Fault> {
        let message = match self.enrolments.recv_timeout(LOOK) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return self.server.check().map(|()| None),
            Err(RecvTimeoutError::Disconnected) => return Err(closed()),
        };
        let token = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
        let place = self.newcomers.iter().position(|one| one.token.to_string() == token);
        // Whoever used a token has no right to use it again, even while the server still lets it in.
        let Some(place) = place else { return Ok(None) };
        let subject = enrolled_subject(&self.roster.name(), &token);
        let enrolment = serde_json::from_slice::<Enrolment>(&message.payload);
        let taken_in = match enrolment {
            Ok(enrolment) => self.take_in(place, enrolment),
            Err(_) => Err(Fault::new("the controller does not understand this host")
                .fix("use the same version of Kneepoint on all hosts")),
        };
        let answer = match &taken_in {
            Ok(_) => Enrolled::Welcome,
            Err(fault) => Enrolled::Refused(fault.clone()),
        };
        if taken_in.is_ok() {
            // First it is let in as an agent; then its token ends.
            self.admit()?;
            self.bus.publish(&subject, encode(&answer))?;
            thread::sleep(LOOK);
            self.newcomers.remove(place);
            self.admit()?;
        } else {
            self.bus.publish(&subject, encode(&answer))?;
        }
        match taken_in {
            Ok(host) => Ok(Some(host)),
            Err(fault) => {
                tell(format!("refused: {fault}"));
                Ok(None)
            }
        }
    }

    fn take_in(&mut self, place: usize, enrolment: Enrolment) -> Result<String, Fault> {
        let Enrolment { protocol, host, key } = enrolment;
        if protocol != PROTOCOL {
            return Err(Fault::new(format!(
                "{host} speaks protocol {protocol}, this controller {PROTOCOL}"
            ))
            .fix("use the same version of Kneepoint on all hosts"));
        }
        match &self.newcomers[place].stay {
            Stay::Lasting => self.roster.add(&host, key)?,
            Stay::Run(expected) if *expected == host => {
                self.guests.push(Guest { host: host.clone(), key });
            }
            Stay::Run(expected) => {
                return Err(Fault::new(format!("{host} came in place of {expected}")));
            }
        }
        Ok(host)
    }

    /// What those say of themselves who are there: all of `expected`, or as many as come within `time`.
    ///
    /// # Errors
    /// When the server has ended.
    pub(crate) fn present(
        &self,
        expected: &[String],
        time: Duration,
    ) -> Result<BTreeMap<String, Presence>, Fault> {
        let until = Instant::now() + time;
        let mut present = BTreeMap::new();
        while Instant::now() < until && !expected.iter().all(|host| present.contains_key(host)) {
            match self.presence.recv_timeout(LOOK) {
                Ok(message) => {
                    let word = message.subject.rsplit('.').next().unwrap_or_default();
                    if let Ok(presence) = serde_json::from_slice(&message.payload) {
                        present.insert(host_of_word(word), presence);
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.server.check()?,
                Err(RecvTimeoutError::Disconnected) => return Err(closed()),
            }
        }
        Ok(present)
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        self.watch.close();
        self.bus.close();
    }
}

/// What a server says of a connection that has ended.
#[derive(Debug, Deserialize)]
struct Disconnect {
    client: EndedClient,
}

#[derive(Debug, Deserialize)]
struct EndedClient {
    /// The key that it connected with.
    #[serde(default)]
    user: String,
}

fn closed() -> Fault {
    Fault::new("the bus of the fleet was closed")
}

fn access(
    roster: &Roster,
    (controller, watcher): (&PublicKey, &PublicKey),
    (guests, newcomers): (&[Guest], &[Newcomer]),
) -> Vec<Access> {
    let fleet = roster.name();
    let agent = |host: &str, key: &PublicKey| Access::Agent {
        fleet: fleet.clone(),
        host: host.to_owned(),
        key: key.clone(),
    };
    let mut access = vec![
        Access::Controller { fleet: fleet.clone(), key: controller.clone() },
        Access::Watcher { key: watcher.clone() },
    ];
    access.extend(roster.hosts().iter().map(|known| agent(&known.host, &known.key)));
    access.extend(guests.iter().map(|guest| agent(&guest.host, &guest.key)));
    access.extend(
        newcomers.iter().map(|newcomer| Access::Newcomer {
            fleet: fleet.clone(),
            token: newcomer.token.clone(),
        }),
    );
    access
}

/// Where this machine reaches what listens at `listen`.
fn near(listen: &str) -> String {
    match listen.rsplit_once(':') {
        Some((host, port)) if host.parse().is_ok_and(|ip: IpAddr| ip.is_unspecified()) => {
            format!("127.0.0.1:{port}")
        }
        _ => listen.to_owned(),
    }
}
