//! The controller's end of a fleet of several machines: the server, the way to the agents, and who of them
//! is there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::wire::{
    Enrolled, encode, enrol_subject, enrolled_subject, host_of_word, presence_subject,
};
use kneepoint_net::{Bus, JoinLine, Knock, Message, NatsBus, OwnServer, Reach, SecretKey, There};

use super::child::ChildServer;
use super::guests::{Guests, Joined, Stay};
use super::kept::Roster;
use crate::output::print::tell;

/// A server of the user's own answers within this time.
const OWN_SERVER: Duration = Duration::from_secs(5);

/// How long one wait for a message is.
const LOOK: Duration = Duration::from_millis(100);

/// Hosts that ask to join within this time of each other are taken in together: for each time the server reads
/// its whole list again.
const FOLLOW: Duration = Duration::from_millis(20);

/// None of them is kept waiting by the others for longer than this.
const GATHER: Duration = Duration::from_millis(500);

/// The controller's end of a fleet. A server that was started ends with it.
pub(crate) struct Base {
    roster: Roster,
    bus: Arc<NatsBus>,
    /// The server that was started; `None` if the user has one.
    child: Option<ChildServer>,
    guests: Guests,
    enrolments: Option<Receiver<Message>>,
    presence: Receiver<Message>,
}

impl Base {
    /// Starts the server of the fleet `roster` and connects to it, or goes to that of the user's own.
    ///
    /// # Errors
    /// When there is no server to start, or it is out of reach.
    pub(crate) fn start(roster: Roster, own: Option<&OwnServer>) -> Result<Self, Fault> {
        let (child, bus) = match own {
            None => {
                let (child, bus) = ChildServer::start(&roster)?;
                (Some(child), bus)
            }
            Some(own) => {
                let notes = |text: &str| tell(format!("note: {text}"));
                let door = own.door("kneepoint-controller");
                (None, Arc::new(NatsBus::connect(door, Knock::For(OWN_SERVER), notes)?))
            }
        };
        let name = roster.name();
        let enrolments = child.as_ref().map(|_| bus.subscribe(&enrol_subject(&name, ("*", "*"))));
        let enrolments = enrolments.transpose()?;
        let presence = bus.subscribe(&presence_subject(&name, "*"))?;
        Ok(Self { roster, bus, child, guests: Guests::default(), enrolments, presence })
    }

    /// The fleet.
    pub(crate) const fn roster(&self) -> &Roster {
        &self.roster
    }

    /// How the agents are reached. Those who have joined are known by their keys; on a server of the user's own,
    /// which decides who speaks for a host, each is known by the key that it names in `present`.
    pub(crate) fn reach(&self, present: &BTreeMap<String, There>) -> Result<Reach, Fault> {
        let key = Arc::new(SecretKey::from_seed(&self.roster.key.seed())?);
        let agents = match self.child {
            Some(_) => {
                let known = self.roster.hosts().iter();
                let known = known.map(|known| (known.host.clone(), known.key.clone()));
                known.chain(self.guests.keys()).collect()
            }
            None => {
                let named = |(host, there): (&String, &There)| {
                    Some((host.clone(), there.same()?.key.clone()))
                };
                present.iter().filter_map(named).collect()
            }
        };
        let bus = Arc::clone(&self.bus) as Arc<dyn Bus>;
        Ok(Reach { bus, fleet: self.roster.name(), key, agents })
    }

    /// Listens no longer to who is there: all whom a run needs are known, and what they say as long as it goes
    /// on would pile up.
    pub(crate) fn close_list(&mut self) {
        self.presence = channel().1;
    }

    /// Lets those on the list into the server.
    fn admit(&mut self) -> Result<(), Fault> {
        let child = self.child.as_mut();
        child.map_or(Ok(()), |child| child.admit(&self.roster, &self.guests))
    }

    /// That the server has ended, if it is known.
    fn check(&self) -> Result<(), Fault> {
        self.child.as_ref().map_or(Ok(()), ChildServer::check)
    }

    /// Gives a line for each of `stays`, with which that number of hosts can join.
    ///
    /// # Errors
    /// When the server has ended.
    pub(crate) fn invite(&mut self, stays: Vec<(Stay, usize)>) -> Result<Vec<JoinLine>, Fault> {
        let tokens: Vec<SecretKey> = stays.iter().map(|_| SecretKey::generate()).collect();
        for (token, stay) in tokens.iter().zip(stays) {
            self.guests.invite(token.public(), stay);
        }
        self.admit()?;
        let line = |token| JoinLine {
            address: self.roster.address().to_owned(),
            fingerprint: self.roster.identity.fingerprint,
            controller: self.roster.key.public(),
            fleet: self.roster.name(),
            token,
        };
        Ok(tokens.into_iter().map(line).collect())
    }

    /// Takes in those of the invited who ask before long; gives the hosts that have joined since. However many
    /// they are, the list is kept once and the server is told once.
    ///
    /// # Errors
    /// When the server has ended, or the list of hosts cannot be kept.
    pub(crate) fn receive(&mut self) -> Result<Vec<String>, Fault> {
        let asking = self.asking()?;
        let joined: Vec<Joined> =
            self.presence.try_iter().filter_map(|said| self.guests.hear(&sender(&said))).collect();
        let silent = self.guests.forget_silent(Instant::now());
        for host in &silent {
            tell(format!("{host} asked to join and was not heard again; its line is still good"));
        }
        let is_changed = !(joined.is_empty() && silent.is_empty());
        let hosts = self.keep(joined)?;
        let answers = self.welcome(&asking);
        if is_changed || answers.iter().any(|(_, welcome)| welcome.is_ok()) {
            // Tokens that were used end with it.
            self.admit()?;
        }
        for (subject, welcome) in answers {
            let answer = welcome.map_or_else(Enrolled::Refused, |()| Enrolled::Welcome);
            self.bus.publish(&subject, encode(&answer))?;
        }
        Ok(hosts)
    }

    /// Puts hosts on the list that have joined; gives their names.
    fn keep(&mut self, joined: Vec<Joined>) -> Result<Vec<String>, Fault> {
        let names = joined.iter().map(|joined| joined.guest.host.clone()).collect();
        let lasting = joined.into_iter().filter(|joined| joined.stay == Stay::Lasting);
        self.roster.add(lasting.map(|joined| (joined.guest.host, joined.guest.key)).collect())?;
        Ok(names)
    }

    /// The answer to each who asks to join, with its subject.
    fn welcome(&mut self, asking: &[Message]) -> Vec<(String, Result<(), Fault>)> {
        let mut answers = Vec::new();
        for message in asking {
            let Some(own @ (token, _)) = last_two_words(message) else { continue };
            let asked = (serde_json::from_slice(&message.payload).ok(), &self.roster);
            let Some(welcome) = self.guests.welcome(token, asked, Instant::now()) else { continue };
            if let Err(fault) = &welcome {
                tell(format!("refused: {fault}"));
            }
            answers.push((enrolled_subject(&self.roster.name(), own), welcome));
        }
        answers
    }

    /// Those who ask to join. The first is waited for; then as many as follow each other closely.
    fn asking(&self) -> Result<Vec<Message>, Fault> {
        let Some(enrolments) = &self.enrolments else { return Ok(Vec::new()) };
        let (mut asking, until) = (Vec::new(), Instant::now() + GATHER);
        loop {
            let wait = if asking.is_empty() { LOOK } else { FOLLOW };
            match enrolments.recv_timeout(wait) {
                Ok(message) => asking.push(message),
                Err(RecvTimeoutError::Timeout) => return self.check().map(|()| asking),
                Err(RecvTimeoutError::Disconnected) => return Err(closed()),
            }
            if Instant::now() > until {
                return Ok(asking);
            }
        }
    }

    /// What those say of themselves who are heard before `is_enough` says so, or no other was for `time`.
    ///
    /// # Errors
    /// When the server has ended.
    pub(crate) fn present(
        &self,
        is_enough: impl Fn(&BTreeMap<String, There>) -> bool,
        time: Duration,
    ) -> Result<BTreeMap<String, There>, Fault> {
        let mut until = Instant::now() + time;
        let mut present = BTreeMap::new();
        while Instant::now() < until && !is_enough(&present) {
            match self.presence.recv_timeout(LOOK) {
                Ok(message) => {
                    if let Some(there) = There::decode(&message.payload)
                        && present.insert(sender(&message), there).is_none()
                    {
                        until = Instant::now() + time;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.check()?,
                Err(RecvTimeoutError::Disconnected) => return Err(closed()),
            }
        }
        Ok(present)
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        // Before the server ends: what was said last is out by then.
        self.bus.close();
    }
}

/// The host that a message is from.
fn sender(message: &Message) -> String {
    host_of_word(last_word(message))
}

fn last_word(message: &Message) -> &str {
    message.subject.rsplit('.').next().unwrap_or_default()
}

fn last_two_words(message: &Message) -> Option<(&str, &str)> {
    let (rest, last) = message.subject.rsplit_once('.')?;
    Some((rest.rsplit('.').next()?, last))
}

fn closed() -> Fault {
    Fault::new("the bus of the fleet was closed")
}
