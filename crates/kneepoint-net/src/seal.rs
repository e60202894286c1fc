//! Commands, sealed: an agent does only what its controller has signed for it, once and in time. The bus
//! that carries them is not trusted.

use std::collections::BTreeSet;

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use serde::{Deserialize, Serialize};

use crate::key::{PublicKey, SecretKey, nonce};
use crate::version::AnyGreeting;
use crate::wire::{Command, Numbered, PROTOCOL, Refusal, Request, SIGNATURE};

/// What is signed begins with it, so that no signature made for something else holds for a command.
const PURPOSE: &[u8] = b"kneepoint command 1\n";

/// A sealed command is refused when it comes in so much later than it was sent.
pub(crate) const EXPIRES_AFTER: Nanos = Nanos::from_secs(30);

/// A command with all that it is bound to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The fleet.
    pub fleet: String,
    /// The host that it is for.
    pub host: String,
    /// What the controller calls its run.
    pub run: String,
    /// What the agent chose for the run, once the controller knows it: a run that is played to it again has
    /// another one.
    pub nonce: Option<String>,
    /// By the agent's clock, once that is known.
    pub expires: Option<Nanos>,
    /// The hash of the plan that the agent has, once it has one.
    pub plan: Option<String>,
    /// What is to be done, with its number in its session.
    pub command: Numbered<Command>,
}

impl Sealed {
    /// The bytes of it, signed.
    pub fn encode(&self, key: &SecretKey) -> Vec<u8> {
        let body = serde_json::to_vec(self).expect("commands are plain data");
        [key.sign(&signed(&body)), body].concat()
    }
}

/// What was signed, if `key` has signed it.
fn opened<'a>(bytes: &'a [u8], key: &PublicKey) -> Result<&'a [u8], Fault> {
    let split = bytes.split_at_checked(SIGNATURE);
    let split = split.filter(|(signature, body)| key.has_signed(&signed(body), signature));
    split.map(|(_, body)| body).ok_or_else(|| {
        Fault::new("a command is not signed by the controller of this agent")
            .because("it is forged, damaged, or from a controller that this agent has not joined")
            .fix("`kneepoint hosts join` at that controller lets this host join it")
    })
}

fn signed(body: &[u8]) -> Vec<u8> {
    [PURPOSE, body].concat()
}

/// How firmly a run keeps other controllers out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Its controller is there.
    Firm,
    /// Its controller was not heard for the lease: another one may take its place.
    Loose,
}

/// Why a command is not done.
#[derive(Debug)]
enum Rejection {
    /// It is of no use to tell: the controller has said it before, or someone plays it again.
    Replay(Fault),
    /// The controller is told.
    Told(Refusal),
}

impl From<Fault> for Rejection {
    fn from(fault: Fault) -> Self {
        Self::Told(Refusal::Fault(fault))
    }
}

/// A command that an agent does not do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refused {
    /// The call that it was, if its controller is to be told.
    pub(crate) caller: Option<Box<Caller>>,
    /// Why.
    pub(crate) refusal: Refusal,
}

/// A call, as whoever made it knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The run.
    pub(crate) run: String,
    /// The session.
    pub(crate) session: u64,
    /// The number of the command in it.
    pub(crate) number: u64,
    /// The number of the call.
    pub(crate) call: u64,
}

/// The commands of a session that came in.
#[derive(Debug, Default)]
struct Seen {
    session: u64,
    /// All numbers below it came in.
    next: u64,
    /// Numbers above it that did.
    ahead: BTreeSet<u64>,
}

impl Seen {
    /// Whether this command of the session came in.
    fn has(&self, session: u64, number: u64) -> bool {
        session == self.session && (number < self.next || self.ahead.contains(&number))
    }

    /// Notes a command; tells whether it is the first time.
    fn note(&mut self, session: u64, number: u64) -> bool {
        if session > self.session {
            *self = Self { session, ..Self::default() };
        }
        if session < self.session || number < self.next || !self.ahead.insert(number) {
            return false;
        }
        while self.ahead.remove(&self.next) {
            self.next += 1;
        }
        true
    }
}

/// A run that the agent serves.
#[derive(Debug)]
struct Served {
    name: String,
    nonce: String,
    plan: Option<String>,
}

/// Where commands come in to an agent, and are refused.
#[derive(Debug)]
pub(crate) struct Gate {
    controller: PublicKey,
    fleet: String,
    host: String,
    seen: Seen,
    run: Option<Served>,
}

impl Gate {
    /// Lets in what `controller` has signed for `host` of `fleet`.
    pub(crate) fn new(controller: PublicKey, (fleet, host): (&str, &str)) -> Self {
        let (fleet, host) = (fleet.to_owned(), host.to_owned());
        Self { controller, fleet, host, seen: Seen::default(), run: None }
    }

    /// The name of the run that the agent serves, and what it chose for it.
    pub(crate) fn run(&self) -> Option<(&str, &str)> {
        self.run.as_ref().map(|run| (run.name.as_str(), run.nonce.as_str()))
    }

    /// The run is over: another controller may begin one.
    pub(crate) fn leave(&mut self) {
        self.run = None;
    }

    /// The command in `bytes`, which came in at `now`.
    ///
    /// # Errors
    /// When it must not be done.
    pub(crate) fn open(
        &mut self,
        bytes: &[u8],
        (now, hold): (Nanos, Hold),
    ) -> Result<Numbered<Command>, Refused> {
        let sealed = self.decode(bytes)?;
        let Numbered { session, number, ref message } = sealed.command;
        let caller = match *message {
            Command::Call { call, .. } => {
                Some(Box::new(Caller { run: sealed.run.clone(), session, number, call }))
            }
            _ => None,
        };
        self.admit(sealed, (now, hold)).map_err(|rejection| match rejection {
            Rejection::Replay(fault) => Refused { caller: None, refusal: Refusal::Fault(fault) },
            Rejection::Told(refusal) => Refused { caller, refusal },
        })
    }

    /// What was sealed for an agent of this version. A greeting of another one is answered, and begins no run:
    /// whoever speaks this version finds the agent free.
    fn decode(&self, bytes: &[u8]) -> Result<Sealed, Refused> {
        let silent = |fault| Refused { caller: None, refusal: Refusal::Fault(fault) };
        let body = opened(bytes, &self.controller).map_err(silent)?;
        let sealed = serde_json::from_slice::<Sealed>(body);
        let is_work = sealed.as_ref().is_ok_and(|sealed| !is_greeting(&sealed.command.message));
        let is_other = |greeting: &AnyGreeting| {
            (greeting.fleet == self.fleet && greeting.host == self.host)
                && greeting.protocol != PROTOCOL
        };
        if !is_work && let Some(greeting) = AnyGreeting::decode(body).filter(is_other) {
            let refusal = Refusal::Fault(greeting.fault());
            return Err(Refused { caller: Some(Box::new(greeting.caller)), refusal });
        }
        sealed.map_err(|error| {
            silent(
                Fault::new("a command of the controller cannot be understood")
                    .because(error)
                    .fix("use the same version of Kneepoint on all hosts"),
            )
        })
    }

    fn admit(
        &mut self,
        sealed: Sealed,
        (now, hold): (Nanos, Hold),
    ) -> Result<Numbered<Command>, Rejection> {
        if sealed.fleet != self.fleet || sealed.host != self.host {
            let (fleet, host) = (&sealed.fleet, &sealed.host);
            let what = format!(
                "a command for {host} of the fleet {fleet} came to {} of the fleet {}",
                self.host, self.fleet
            );
            return Err(Rejection::Replay(Fault::new(what)));
        }
        let is_greeting = is_greeting(&sealed.command.message);
        match &self.run {
            Some(run) if run.name == sealed.run => {}
            // It knows the nonce of no run: a greeting is all that it can say.
            Some(_) if is_greeting && hold == Hold::Loose => self.run = None,
            Some(_) => {
                let fault = Fault::new("the agent serves another run")
                    .because("an agent has one controller at a time")
                    .fix("wait until that run has ended");
                return Err(Rejection::Told(Refusal::Busy(fault)));
            }
            None if is_greeting => {}
            None => {
                let fault = replayed("it belongs to a run that this agent does not serve");
                return Err(Rejection::Replay(fault));
            }
        }
        let Numbered { session, number, ref message } = sealed.command;
        // It may have expired since it came in, of which its controller must not be told.
        if *message != Command::Alive && self.run.is_some() && self.seen.has(session, number) {
            return Err(Rejection::Replay(replayed("it came in before")));
        }
        if let Some(run) = self.run.as_ref().filter(|_| !is_greeting) {
            run.check(&sealed, &self.seen, now)?;
        }
        if let Some(run) = self.run.as_mut().filter(|_| session > self.seen.session) {
            // Only a greeting gets here: a new session begins without a plan.
            run.plan = None;
        }
        // That the controller is there may be heard at any time until it expires.
        if *message != Command::Alive && !self.seen.note(session, number) {
            return Err(Rejection::Replay(replayed("it came in before")));
        }
        let run = self.run.get_or_insert_with(|| {
            let (name, nonce) = (sealed.run.clone(), nonce());
            Served { name, nonce, plan: None }
        });
        if let Command::Call { request: Request::Adopt(plan), .. } = message {
            run.plan = Some(plan.hash());
        }
        Ok(sealed.command)
    }
}

impl Served {
    /// What every command but a greeting must have.
    fn check(&self, sealed: &Sealed, seen: &Seen, now: Nanos) -> Result<(), Rejection> {
        if sealed.command.session != seen.session {
            let fault = replayed("it is of a session that this agent is not in");
            return Err(Rejection::Replay(fault));
        }
        if sealed.nonce.as_deref() != Some(&self.nonce) {
            let fault = replayed("it does not know what this agent chose for the run");
            return Err(Rejection::Replay(fault));
        }
        if sealed.expires.is_none_or(|expires| expires < now) {
            return Err(Fault::new("a command came in too late")
                .because("the bus held it back")
                .fix("look after the network between controller and agent")
                .into());
        }
        let plan = match &sealed.command.message {
            Command::Call { request: Request::Adopt(plan), .. } => Some(plan.hash()),
            _ => self.plan.clone(),
        };
        if sealed.plan != plan {
            return Err(Fault::new("a command is for another plan than this agent has")
                .because("the hash that was signed is another one")
                .into());
        }
        Ok(())
    }
}

const fn is_greeting(command: &Command) -> bool {
    matches!(command, Command::Call { request: Request::Greet { .. }, .. })
}

fn replayed(why: &str) -> Fault {
    Fault::new("a command was played again").because(why)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A controller's end of a session with the agent of the host a of the fleet lab.
    struct Controller {
        key: SecretKey,
        sealed: Sealed,
    }

    fn greeting() -> Command {
        let lease = Nanos::from_secs(10);
        Command::Call { call: 7, request: Request::Greet { protocol: PROTOCOL, lease } }
    }

    impl Controller {
        fn new(key: SecretKey, run: &str) -> Self {
            let sealed = Sealed {
                fleet: "lab".to_owned(),
                host: "a".to_owned(),
                run: run.to_owned(),
                nonce: None,
                expires: None,
                plan: None,
                command: Numbered { session: 1, number: 0, message: Command::Alive },
            };
            Self { key, sealed }
        }

        /// The next command, after `change` has changed what it is bound to.
        fn says(&mut self, command: Command, change: impl FnOnce(&mut Sealed)) -> Vec<u8> {
            let mut sealed = self.sealed.clone();
            sealed.command.message = command;
            self.sealed.command.number += 1;
            change(&mut sealed);
            sealed.encode(&self.key)
        }

        /// Greets the agent behind `gate`, and takes note of what it chose.
        fn greet(&mut self, gate: &mut Gate) {
            let bytes = self.says(greeting(), |_| {});
            assert_eq!(gate.open(&bytes, (Nanos(100), Hold::Firm)).unwrap().message, greeting());
            self.sealed.nonce = gate.run().map(|(_, nonce)| nonce.to_owned());
            self.sealed.expires = Some(Nanos(1000));
        }
    }

    fn joined() -> (Controller, Gate) {
        let key = SecretKey::generate();
        let mut gate = Gate::new(key.public(), ("lab", "a"));
        let mut controller = Controller::new(key, "first");
        controller.greet(&mut gate);
        (controller, gate)
    }

    fn why_refused(opened: Result<Numbered<Command>, Refused>) -> String {
        match opened.unwrap_err().refusal {
            Refusal::Fault(fault) => fault.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_is_served_until_it_is_left() {
        let (mut controller, mut gate) = joined();
        for command in [Command::Alive, greeting(), Command::Begin { call: 8, at: None }] {
            let bytes = controller.says(command.clone(), |_| {});
            assert_eq!(gate.open(&bytes, (Nanos(200), Hold::Firm)).unwrap().message, command);
        }
        gate.leave();
        let bytes = controller.says(Command::Alive, |_| {});
        assert!(why_refused(gate.open(&bytes, (Nanos(300), Hold::Firm))).contains("played again"));
    }

    #[test]
    fn what_the_controller_has_not_signed_is_refused() {
        let (mut controller, mut gate) = joined();
        let bytes = controller.says(Command::Leave, |_| {});
        let mut stranger = Controller::new(SecretKey::generate(), "first");
        let forged = stranger.says(greeting(), |_| {});
        let plain = serde_json::to_vec(&controller.sealed).unwrap();
        for wrong in [&bytes[1..], &bytes[..64], &[], &forged, &plain] {
            let refused = gate.open(wrong, (Nanos(200), Hold::Firm)).unwrap_err();
            assert!(format!("{refused:?}").contains("not signed"), "{refused:?}");
            assert_eq!(refused.caller, None, "no one is answered");
        }
        let mut changed = bytes.clone();
        let last = changed.len() - 3;
        changed[last] ^= 1;
        assert!(gate.open(&changed, (Nanos(200), Hold::Firm)).is_err());
        assert!(gate.open(&bytes, (Nanos(200), Hold::Firm)).is_ok());
    }

    #[test]
    fn what_is_signed_and_not_understood_is_of_another_version() {
        let (controller, mut gate) = joined();
        let body = b"{\"command\": \"of the next version\"}";
        let bytes = [controller.key.sign(&signed(body)), body.to_vec()].concat();
        let refused = gate.open(&bytes, (Nanos(200), Hold::Firm));
        assert_eq!(refused.as_ref().unwrap_err().caller, None);
        assert!(why_refused(refused).contains("cannot be understood"));
    }

    /// Greetings of another version: one that is read like those of this version, and one that is not.
    fn other_greetings(controller: &Controller) -> [Vec<u8>; 2] {
        let mut sealed = controller.sealed.clone();
        let lease = Nanos::from_secs(10);
        let request = Request::Greet { protocol: PROTOCOL + 1, lease };
        sealed.command.message = Command::Call { call: 7, request };
        let mut newer = serde_json::to_value(&sealed).unwrap();
        newer["priority"] = serde_json::json!("high");
        newer["command"]["message"]["call"]["request"]["greet"]["lease"] = serde_json::json!("10s");
        let newer = serde_json::to_vec(&newer).unwrap();
        let signature = controller.key.sign(&signed(&newer));
        [sealed.encode(&controller.key), [signature, newer].concat()]
    }

    #[test]
    fn a_controller_of_another_version_is_told_and_leaves_the_agent_free() {
        let key = SecretKey::generate();
        let mut gate = Gate::new(key.public(), ("lab", "a"));
        let mut controller = Controller::new(key, "first");
        controller.sealed.command.session = 9;
        let why = format!("it speaks protocol {PROTOCOL}, the controller {}", PROTOCOL + 1);
        let check = |gate: &mut Gate, controller: &Controller| {
            for bytes in other_greetings(controller) {
                let refused = gate.open(&bytes, (Nanos(100), Hold::Firm));
                let session = controller.sealed.command.session;
                let run = controller.sealed.run.clone();
                let caller = Caller { run, session, number: 0, call: 7 };
                assert_eq!(refused.as_ref().unwrap_err().caller, Some(Box::new(caller)));
                assert!(why_refused(refused).contains(&why));
            }
        };
        check(&mut gate, &controller);
        assert_eq!(gate.run(), None, "no run has begun");
        // At once, and in a session of a lower number.
        let key = SecretKey::from_seed(&controller.key.seed()).unwrap();
        let mut same = Controller::new(key, "second");
        same.greet(&mut gate);
        check(&mut gate, &controller);
        assert_eq!(gate.run().unwrap().0, "second", "and goes on with it");
        let bytes = same.says(Command::Begin { call: 8, at: None }, |_| {});
        assert!(gate.open(&bytes, (Nanos(200), Hold::Firm)).is_ok());

        "b".clone_into(&mut controller.sealed.host);
        for bytes in other_greetings(&controller) {
            let refused = gate.open(&bytes, (Nanos(100), Hold::Firm)).unwrap_err();
            assert_eq!(refused.caller, None, "the agent of b answers it");
        }
    }

    #[test]
    fn a_command_is_done_once_and_for_one_host() {
        let (mut controller, mut gate) = joined();
        let begin = |call| Command::Begin { call, at: None };
        let first = controller.says(begin(1), |_| {});
        let second = controller.says(begin(2), |_| {});
        assert!(gate.open(&second, (Nanos(200), Hold::Firm)).is_ok(), "out of order");
        assert!(gate.open(&first, (Nanos(200), Hold::Firm)).is_ok());
        for bytes in [&first, &second] {
            let refused = gate.open(bytes, (Nanos(200), Hold::Firm));
            assert_eq!(refused.as_ref().unwrap_err().caller, None, "it was answered before");
            assert!(why_refused(refused).contains("came in before"));
            let refused = gate.open(bytes, (Nanos(5000), Hold::Firm)).unwrap_err();
            assert_eq!(refused.caller, None, "also when it has expired");
        }
        let alive = controller.says(Command::Alive, |_| {});
        assert!(
            gate.open(&alive, (Nanos(200), Hold::Firm)).is_ok()
                && gate.open(&alive, (Nanos(200), Hold::Firm)).is_ok()
        );
        for change in
            [(|sealed: &mut Sealed| sealed.host = "b".to_owned()) as fn(&mut Sealed), |sealed| {
                sealed.fleet = "other".to_owned();
            }]
        {
            let bytes = controller.says(Command::Alive, change);
            assert!(why_refused(gate.open(&bytes, (Nanos(200), Hold::Firm))).contains("came to"));
        }
    }

    #[test]
    fn a_whole_run_that_is_played_again_gets_nowhere() {
        let key = SecretKey::generate();
        let mut gate = Gate::new(key.public(), ("lab", "a"));
        let mut controller = Controller::new(key, "first");
        let mut session = vec![controller.says(greeting(), |_| {})];
        gate.open(&session[0], (Nanos(100), Hold::Firm)).unwrap();
        controller.sealed.nonce = gate.run().map(|(_, nonce)| nonce.to_owned());
        controller.sealed.expires = Some(Nanos(1_000_000));
        session.push(controller.says(Command::Begin { call: 1, at: None }, |_| {}));
        gate.open(&session[1], (Nanos(100), Hold::Firm)).unwrap();
        gate.leave();
        for bytes in &session {
            assert!(
                why_refused(gate.open(bytes, (Nanos(200), Hold::Firm))).contains("played again")
            );
        }
        // An agent that was started again does not know what it has seen.
        let mut gate = Gate::new(controller.key.public(), ("lab", "a"));
        assert!(
            gate.open(&session[0], (Nanos(200), Hold::Firm)).is_ok(),
            "it only says who is there"
        );
        assert!(
            why_refused(gate.open(&session[1], (Nanos(200), Hold::Firm)))
                .contains("chose for the run")
        );
    }

    #[test]
    fn what_was_held_back_is_refused() {
        let (mut controller, mut gate) = joined();
        let late = controller.says(Command::Alive, |_| {});
        assert!(why_refused(gate.open(&late, (Nanos(1001), Hold::Firm))).contains("too late"));
        let endless = controller.says(Command::Alive, |sealed| sealed.expires = None);
        assert!(why_refused(gate.open(&endless, (Nanos(200), Hold::Firm))).contains("too late"));
    }

    #[test]
    fn a_second_controller_is_told_that_the_agent_is_taken() {
        let (controller, mut gate) = joined();
        let key = SecretKey::from_seed(&controller.key.seed()).unwrap();
        let mut second = Controller::new(key, "second");
        second.sealed.command.session = 2;
        let refused =
            gate.open(&second.says(greeting(), |_| {}), (Nanos(200), Hold::Firm)).unwrap_err();
        assert!(matches!(refused.refusal, Refusal::Busy(_)), "{refused:?}");
        let caller = Caller { run: "second".to_owned(), session: 2, number: 0, call: 7 };
        assert_eq!(refused.caller, Some(Box::new(caller)), "it can be answered");
        gate.leave();
        second.greet(&mut gate);
    }

    #[test]
    fn a_run_whose_controller_is_silent_gives_way_to_another_one() {
        let (mut controller, mut gate) = joined();
        let key = SecretKey::from_seed(&controller.key.seed()).unwrap();
        let mut second = Controller::new(key, "second");
        second.sealed.command.session = 2;
        let bytes = second.says(Command::Leave, |_| {});
        assert!(gate.open(&bytes, (Nanos(200), Hold::Loose)).is_err(), "only by a greeting");
        let bytes = second.says(greeting(), |_| {});
        assert!(gate.open(&bytes, (Nanos(200), Hold::Loose)).is_ok());
        assert_eq!(gate.run().unwrap().0, "second");
        let bytes = controller.says(Command::Alive, |_| {});
        assert!(gate.open(&bytes, (Nanos(200), Hold::Loose)).is_err(), "it comes too late");
    }

    #[test]
    fn a_new_session_of_the_same_run_begins_without_a_plan() {
        let (mut controller, mut gate) = joined();
        gate.run.as_mut().unwrap().plan = Some("0".to_owned());
        let old = controller.says(Command::Alive, |sealed| sealed.plan = Some("0".to_owned()));
        (controller.sealed.command.session, controller.sealed.command.number) = (2, 0);
        let bytes = controller.says(greeting(), |_| {});
        assert!(gate.open(&bytes, (Nanos(200), Hold::Firm)).is_ok());
        let bytes = controller.says(Command::Alive, |_| {});
        assert!(gate.open(&bytes, (Nanos(200), Hold::Firm)).is_ok());
        assert!(why_refused(gate.open(&old, (Nanos(200), Hold::Firm))).contains("session"));
    }

    #[test]
    fn a_command_for_another_plan_is_refused() {
        let (mut controller, mut gate) = joined();
        let other = controller.says(Command::Alive, |sealed| sealed.plan = Some("0".to_owned()));
        assert!(why_refused(gate.open(&other, (Nanos(200), Hold::Firm))).contains("another plan"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused(bytes: Vec<u8>) {
            let (_, mut gate) = joined();
            prop_assert!(gate.open(&bytes, (Nanos(200), Hold::Firm)).is_err());
        }
    }
}
