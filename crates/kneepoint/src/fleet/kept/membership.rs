//! What an agent keeps of the fleet that it has joined.

use std::path::Path;

use kneepoint_core::words::fault::Fault;
use kneepoint_net::{JoinLine, PublicKey, SecretKey};
use serde::{Deserialize, Serialize};

use super::{private_folder, read_document, read_private, write_document, write_private};

/// File with the fleet.
const JOINED: &str = "joined.json";

/// File with the agent's key.
const KEY: &str = "agent.seed";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Joined {
    host: String,
    address: String,
    fingerprint: String,
    controller: PublicKey,
    fleet: String,
}

/// A host's place in a fleet.
#[derive(Debug)]
pub(crate) struct Membership {
    joined: Joined,
    /// The key of the agent.
    pub(crate) key: SecretKey,
}

impl Membership {
    /// Joins the fleet of `line` as `host`. Nothing is kept yet.
    ///
    /// # Errors
    /// When the controller is out of reach, or refuses.
    pub(crate) fn join(line: &JoinLine, host: &str) -> Result<Self, Fault> {
        let key = SecretKey::generate();
        line.enrol(host, &key.public())?;
        let joined = Joined {
            host: host.to_owned(),
            address: line.address.clone(),
            fingerprint: line.fingerprint.to_string(),
            controller: line.controller.clone(),
            fleet: line.fleet.clone(),
        };
        Ok(Self { joined, key })
    }

    /// Refuses a folder in which nothing could be kept.
    ///
    /// # Errors
    /// When it cannot be made, or others can read it.
    pub(crate) fn check(state: &Path) -> Result<(), Fault> {
        private_folder(&state.join("agent"))
    }

    /// Keeps it below `state`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn save(&self, state: &Path) -> Result<(), Fault> {
        let folder = state.join("agent");
        private_folder(&folder)?;
        write_private(&folder.join(KEY), &self.key.seed())?;
        write_document(&folder.join(JOINED), &self.joined)
    }

    /// What is kept below `state`.
    ///
    /// # Errors
    /// When nothing is, or it cannot be read.
    pub(crate) fn load(state: &Path) -> Result<Self, Fault> {
        let folder = state.join("agent");
        match (read_document(&folder.join(JOINED))?, read_private(&folder.join(KEY))?) {
            (Some(joined), Some(seed)) => Ok(Self { joined, key: SecretKey::from_seed(&seed)? }),
            _ => Err(Fault::new("this host has not joined a fleet")
                .fix("let `kneepoint hosts join` print a line at the controller, and paste it: kneepoint agent --join LINE")),
        }
    }

    /// The host's name in the fleet.
    pub(crate) fn host(&self) -> &str {
        &self.joined.host
    }

    /// The fleet.
    pub(crate) fn fleet(&self) -> &str {
        &self.joined.fleet
    }

    /// Host and port of the server.
    pub(crate) fn address(&self) -> &str {
        &self.joined.address
    }

    /// The key that commands are signed with.
    pub(crate) fn controller(&self) -> &PublicKey {
        &self.joined.controller
    }

    /// The fingerprint of the server's certificate.
    ///
    /// # Errors
    /// When what is kept was changed.
    pub(crate) fn fingerprint(&self) -> Result<kneepoint_net::Fingerprint, Fault> {
        self.joined.fingerprint.parse()
    }
}
