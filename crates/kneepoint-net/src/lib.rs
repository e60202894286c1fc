//! Many hosts, one measurement.
//!
//! A [`Fleet`] is a testbed whose targets belong to several hosts. On each of them an [`Agent`]
//! measures its part of every point with the testbed of its host, and hands on what completes, interval by
//! interval. The fleet merges the intervals as one machine merges those of its workers; search,
//! confidence, rules and the end of a point follow from the sum over all hosts and never learn that there
//! is more than one. Messages go over a [`Bus`].

#![forbid(unsafe_code)]

mod agent;
mod bus;
mod fleet;
mod join;
mod key;
mod order;
mod priority;
mod seal;
mod server;
mod transcript;
mod version;
pub mod wire;

pub use agent::{Agent, AgentEvent, HostPoint, Listening, LocalAgents, Looked, Used, Workshop};
pub use bus::{
    Bus, Credentials, Door, Fingerprint, Knock, LocalBus, Lock, Message, NatsBus, OwnServer,
    ServerUrl,
};
pub use fleet::{AgentMeter, Fleet, FleetRequest, Now, Patience, Reach, clocks, dealt, split_host};
pub use join::{JoinLine, is_name};
pub use key::{PublicKey, SecretKey};
pub use seal::Sealed;
pub use server::{Access, GUARD, Rights, Server, ServerIdentity, guard, write_private};
pub use version::{OtherVersion, There};
