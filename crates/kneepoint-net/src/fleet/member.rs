//! A host as its controller knows it.

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::clock::WatchedClock;
use crate::key::PublicKey;
use crate::order::Order;
use crate::transcript::{MessageDigest, Transcript};
use crate::wire::Heard;

/// A host of the fleet.
#[derive(Debug)]
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
    pub(super) clock: WatchedClock,
    /// The session with its agent.
    pub(super) session: u64,
    /// When it was greeted in it.
    pub(super) greeted: Nanos,
    /// What its agent chose for the run, once it has answered.
    pub(super) nonce: Option<String>,
    /// The hash of the plan that it has.
    pub(super) plan: Option<String>,
    /// Commands that were sent in the session.
    pub(super) sent: u64,
    /// What it says in the session.
    pub(super) words: Order<Said>,
    /// All of it that was taken.
    pub(super) transcript: Transcript,
    /// The key of its agent.
    pub(super) key: PublicKey,
    /// When it was heard last.
    pub(super) heard: Nanos,
    /// Why it is lost; `None` if it is not.
    pub(super) lost: Option<Fault>,
    /// Whether something came in under its name that its agent has not signed: nothing more is believed in
    /// the session.
    pub(super) is_forged: bool,
}

/// A message of an agent.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) heard: Heard,
    pub(super) digest: MessageDigest,
    pub(super) signature: Option<Vec<u8>>,
}

impl Member {
    /// A host that was not greeted yet, without targets.
    pub(super) fn new((name, key): (&str, &PublicKey), now: Nanos) -> Self {
        Self {
            number: 0,
            name: name.to_owned(),
            first_target: 0,
            target_count: 0,
            clock: WatchedClock::default(),
            session: 0,
            greeted: now,
            nonce: None,
            plan: None,
            sent: 0,
            words: Order::default(),
            transcript: Transcript::default(),
            key: key.clone(),
            heard: now,
            lost: None,
            is_forged: false,
        }
    }

    /// Refuses an answer that the agent has not signed with all that came in before it.
    pub(super) fn check_signature(&self, signature: Option<&[u8]>) -> Result<(), Fault> {
        let why = match signature {
            None => "an answer came in without a signature",
            Some(signature) if !self.transcript.has_signature(&self.key, signature) => {
                "something was changed, left out, put in or played again on the way"
            }
            Some(_) => return Ok(()),
        };
        Err(Fault::new(format!("what came in from {} is not what its agent has signed", self.name))
            .because(why)
            .fix(
                "look after the server of the bus, which others may control; what was measured before \
                 is kept, and this point is not",
            ))
    }
}
