//! What an agent keeps of the fleet that it has joined.

use std::path::Path;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use kneepoint_net::{Door, JoinLine, Lock, PublicKey, SecretKey, write_private};
use serde::{Deserialize, Serialize};

use super::{private_folder, read_document, read_private, write_document};

/// File with the fleet.
const JOINED: &str = "joined.json";

/// File with the agent's key.
const KEY: &str = "agent.seed";

/// A server knows a host that was welcomed within this time: it reads its list of keys again, which takes it
/// seconds if a thousand hosts come at once.
const WELCOME: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Joined {
    host: String,
    address: String,
    fingerprint: String,
    controller: PublicKey,
    fleet: String,
    /// The public half of the token that it joined with.
    #[serde(default)]
    token: Option<PublicKey>,
}

/// A host's place in a fleet.
#[derive(Debug)]
pub(crate) struct Membership {
    joined: Joined,
    /// The key of the agent.
    key: SecretKey,
}

impl Membership {
    /// Joins the fleet of `line` as `host` with a new key. Nothing is kept yet.
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
            token: Some(line.token.public()),
        };
        Ok(Self { joined, key })
    }

    /// What is kept below `state` of having joined with `line` before. Joins with it again where the host
    /// was not heard after it had been welcomed; where that is not so, the line is used, and no one is told.
    ///
    /// # Errors
    /// When what is kept cannot be read.
    pub(crate) fn joined_before(state: &Path, line: &JoinLine) -> Result<Option<Self>, Fault> {
        let Some(kept) = Self::kept(state)? else { return Ok(None) };
        if kept.joined.token.as_ref() != Some(&line.token.public()) {
            return Ok(None);
        }
        let _ = line.enrol(&kept.joined.host, &kept.key.public());
        Ok(Some(kept))
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
        Self::kept(state)?.ok_or_else(|| {
            Fault::new("this host has not joined a fleet").fix(
                "let `kneepoint hosts join` print a line at the controller, and paste it: kneepoint \
                 agent --join LINE",
            )
        })
    }

    fn kept(state: &Path) -> Result<Option<Self>, Fault> {
        let folder = state.join("agent");
        match (read_document(&folder.join(JOINED))?, read_private(&folder.join(KEY))?) {
            (Some(joined), Some(seed)) => {
                Ok(Some(Self { joined, key: SecretKey::from_seed(&seed)? }))
            }
            _ => Ok(None),
        }
    }

    /// What the agent signs its answers with.
    ///
    /// # Errors
    /// Never: the key was read before.
    pub(crate) fn signing_key(&self) -> Result<SecretKey, Fault> {
        SecretKey::from_seed(&self.key.seed())
    }

    /// The host's name in the fleet.
    pub(crate) fn host(&self) -> &str {
        &self.joined.host
    }

    /// The key that commands are signed with.
    pub(crate) fn controller(&self) -> &PublicKey {
        &self.joined.controller
    }

    /// The way to the fleet's server, which may learn of this host only soon.
    ///
    /// # Errors
    /// When what is kept was changed.
    pub(crate) fn door(&self) -> Result<Door, Fault> {
        let key = Box::new(SecretKey::from_seed(&self.key.seed())?);
        let fingerprint = self.joined.fingerprint.parse()?;
        Ok(Door {
            address: self.joined.address.clone(),
            lock: Lock::Fleet { fingerprint, key },
            name: self.joined.host.clone(),
            refusals: WELCOME,
        })
    }
}
