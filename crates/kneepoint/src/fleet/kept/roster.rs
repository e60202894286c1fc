//! The fleet as its controller keeps it: its keys, its server, its hosts.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::{PublicKey, SecretKey, ServerIdentity, is_name, write_private};
use serde::{Deserialize, Serialize};

use super::{private_folder, read_document, read_private, write_document};
use crate::fleet::is_local;
use crate::session::now;

/// File with the hosts.
const HOSTS: &str = "fleet.json";

/// File with the key that commands are signed with.
const CONTROLLER: &str = "controller.seed";

/// File that is locked by whoever controls the fleet.
const LOCK: &str = "lock";

/// Where the server listens if the user says nothing else.
const ADDRESS: &str = "127.0.0.1:4280";

/// A host that has joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KnownHost {
    /// Its name.
    pub(crate) host: String,
    /// The key of its agent.
    pub(crate) key: PublicKey,
    /// When it joined: RFC 3339, UTC.
    pub(crate) joined_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    address: String,
    hosts: Vec<KnownHost>,
}

/// A fleet.
pub(crate) struct Roster {
    folder: PathBuf,
    listed: Listed,
    /// What commands are signed with.
    pub(crate) key: SecretKey,
    /// What the server shows.
    pub(crate) identity: ServerIdentity,
}

impl Roster {
    /// The fleet that is kept below `state`; a new one without hosts if there is none.
    ///
    /// # Errors
    /// When it cannot be read or made.
    pub(crate) fn open(state: &Path) -> Result<Self, Fault> {
        let folder = state.join("fleet");
        private_folder(&folder)?;
        let key = match read_private(&folder.join(CONTROLLER))? {
            Some(seed) => SecretKey::from_seed(&seed)?,
            None => {
                let key = SecretKey::generate();
                write_private(&folder.join(CONTROLLER), &key.seed())?;
                key
            }
        };
        let identity = ServerIdentity::kept_in(&folder)?;
        let empty = Listed { address: ADDRESS.to_owned(), hosts: Vec::new() };
        let listed = read_document(&folder.join(HOSTS))?.unwrap_or(empty);
        Ok(Self { folder, listed, key, identity })
    }

    /// Lets no one else control this fleet as long as what it gives is there.
    ///
    /// # Errors
    /// When someone does.
    pub(crate) fn claim(&self) -> Result<File, Fault> {
        let path = self.folder.join(LOCK);
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| {
            Fault::new(format!("cannot open {}", path.display())).because(error)
        })?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(_) => Err(Fault::new("this fleet has a controller at work")
                .because("a run, `kneepoint hosts join` or another command of it has not ended")
                .fix(
                    "wait for its end. Controllers that work at once share a NATS server of your own \
                     (--nats), or have fleets of their own (--state, KNEEPOINT_STATE)",
                )),
        }
    }

    /// The folder, in which the server's files are, too.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name of the fleet.
    pub(crate) fn name(&self) -> String {
        self.key.public().fleet().to_owned()
    }

    /// Host and port at which agents reach the server.
    pub(crate) fn address(&self) -> &str {
        &self.listed.address
    }

    /// Where the server listens: on this machine alone if agents reach it here, otherwise everywhere.
    pub(crate) fn listen(&self) -> String {
        let (host, port) = self.listed.address.rsplit_once(':').unwrap_or(("127.0.0.1", "4280"));
        match host {
            "127.0.0.1" | "localhost" => format!("127.0.0.1:{port}"),
            "[::1]" => format!("[::1]:{port}"),
            _ => format!("0.0.0.0:{port}"),
        }
    }

    /// Agents reach the server at `address` from now on: host and port.
    ///
    /// # Errors
    /// When it has no port, or cannot be kept.
    pub(crate) fn set_address(&mut self, address: &str) -> Result<(), Fault> {
        let port = address.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            return Err(Fault::new(format!("'{address}' is no address"))
                .fix("write HOST:PORT as agents can reach it, for example storage.example:4280"));
        }
        self.listed.address = address.to_owned();
        self.save()
    }

    /// The hosts.
    pub(crate) fn hosts(&self) -> &[KnownHost] {
        &self.listed.hosts
    }

    /// Refuses a name that no new host can have.
    ///
    /// # Errors
    /// When it is none, or taken.
    pub(crate) fn check_new(&self, host: &str) -> Result<(), Fault> {
        if !is_name(host) || is_local(host) {
            return Err(Fault::new(format!("'{host}' cannot be the name of a host"))
                .because("letters, digits, '-', '_' and points are; local1, local2, … are taken")
                .fix("give it another one: kneepoint agent --name NAME"));
        }
        match self.listed.hosts.iter().any(|known| known.host == host) {
            false => Ok(()),
            true => Err(Fault::new(format!("there is a host {host} in this fleet already")).fix(
                format!(
                    "give this one another name (--name), or remove the other: kneepoint hosts remove {host}"
                ),
            )),
        }
    }

    /// Takes hosts in, each with the key of its agent: all of them are kept by one write, or none.
    ///
    /// # Errors
    /// When a name is none or taken, or the list cannot be kept.
    pub(crate) fn add(&mut self, hosts: Vec<(String, PublicKey)>) -> Result<(), Fault> {
        if hosts.is_empty() {
            return Ok(());
        }
        let before = self.listed.hosts.len();
        let added = hosts.into_iter().try_for_each(|(host, key)| {
            self.check_new(&host)?;
            self.listed.hosts.push(KnownHost { host, key, joined_at: now() });
            Ok(())
        });
        added.and_then(|()| self.save()).inspect_err(|_| self.listed.hosts.truncate(before))
    }

    /// Lets a host go.
    ///
    /// # Errors
    /// When there is no such host, or the list cannot be kept.
    pub(crate) fn remove(&mut self, host: &str) -> Result<(), Fault> {
        let before = self.listed.hosts.len();
        self.listed.hosts.retain(|known| known.host != host);
        match self.listed.hosts.len() < before {
            true => self.save(),
            false => Err(Fault::new(format!("there is no host {host} in this fleet"))
                .fix("`kneepoint hosts list` lists them")),
        }
    }

    fn save(&self) -> Result<(), Fault> {
        write_document(&self.folder.join(HOSTS), &self.listed)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_fleet_is_found_again_with_its_keys_and_hosts() {
        let state = tempfile::tempdir().unwrap();
        let mut roster = Roster::open(state.path()).unwrap();
        let agent = SecretKey::generate().public();
        roster.add(vec![("node-1".to_owned(), agent.clone())]).unwrap();
        roster.set_address("storage.example:4281").unwrap();
        let again = Roster::open(state.path()).unwrap();
        assert_eq!(again.hosts()[0].key, agent);
        assert_eq!(again.name(), roster.name());
        assert_eq!(again.identity.fingerprint, roster.identity.fingerprint);
        assert_eq!(again.listen(), "0.0.0.0:4281");
        for entry in std::fs::read_dir(again.folder()).unwrap() {
            let mode = entry.unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "no one else reads it");
        }
    }

    #[test]
    fn names_are_held_once_and_those_of_local_agents_never() {
        let state = tempfile::tempdir().unwrap();
        let mut roster = Roster::open(state.path()).unwrap();
        let host = |name: &str| (name.to_owned(), SecretKey::generate().public());
        roster.add(vec![host("a")]).unwrap();
        for wrong in ["a", "local1", "b c", "", "x"] {
            assert!(roster.add(vec![host("x"), host(wrong)]).is_err(), "{wrong}");
        }
        assert_eq!(roster.hosts().len(), 1, "those who come together are taken in together");
        assert!(roster.remove("b").is_err());
        roster.remove("a").unwrap();
        roster.add(vec![host("a")]).unwrap();
        for wrong in ["storage.example", "a:", "a:0", "a:70000"] {
            assert!(roster.set_address(wrong).is_err(), "{wrong}");
        }
        assert_eq!(roster.listen(), "127.0.0.1:4280", "by default no other machine reaches it");
    }

    #[test]
    fn a_fleet_has_one_controller() {
        let state = tempfile::tempdir().unwrap();
        let (first, second) = (Roster::open(state.path()), Roster::open(state.path()));
        let held = first.unwrap().claim().unwrap();
        assert!(second.as_ref().unwrap().claim().is_err());
        drop(held);
        second.unwrap().claim().unwrap();
    }

    #[test]
    fn a_folder_that_others_can_read_is_refused() {
        let state = tempfile::tempdir().unwrap();
        Roster::open(state.path()).unwrap();
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(state.path().join("fleet"), mode).unwrap();
        assert!(Roster::open(state.path()).is_err());
    }
}
