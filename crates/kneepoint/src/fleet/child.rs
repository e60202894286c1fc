//! The server that a controller starts for as long as it works, and the watch over its connections.

use std::collections::BTreeMap;
use std::fs::File;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use kneepoint_net::wire::{disconnect_subject, gone_subject};
use kneepoint_net::{Access, Bus, Door, Knock, Lock, NatsBus, PublicKey, SecretKey, Server};
use serde::Deserialize;

use super::guests::Guests;
use super::kept::Roster;
use crate::output::print::tell;

/// The server listens within this time after it was started.
const START: Duration = Duration::from_secs(5);

/// A server that ends with the controller.
pub(super) struct ChildServer {
    server: Server,
    /// What tells which connections end.
    watch: NatsBus,
    /// No one else controls the fleet meanwhile.
    _claim: File,
    controller: PublicKey,
    watcher: PublicKey,
    /// The host of each key that is let in, as the watch needs it.
    hosts: Arc<Mutex<BTreeMap<String, String>>>,
}

impl ChildServer {
    /// Starts the server of the fleet `roster`, and connects to it.
    ///
    /// # Errors
    /// When there is no server to start, or it does not listen.
    pub(super) fn start(roster: &Roster) -> Result<(Self, Arc<NatsBus>), Fault> {
        let claim = roster.claim()?;
        // What these sign is chosen by the server, so they sign no commands.
        let (controller, watcher) = (SecretKey::generate(), SecretKey::generate());
        let keys = (controller.public(), watcher.public());
        let access = access(roster, (&keys.0, &keys.1), &Guests::default());
        let server = Server::start(roster.folder(), &roster.listen(), (&roster.identity, &access))?;
        let connect = |key: SecretKey, name: &str| {
            let (address, fingerprint) = (near(&roster.listen()), roster.identity.fingerprint);
            let lock = Lock::Fleet { fingerprint, key: Box::new(key) };
            let name = name.to_owned();
            let door = Door { address, lock, name, refusals: Duration::ZERO };
            // Why it does not listen, it says itself.
            NatsBus::connect(door, Knock::For(START), |text| tell(format!("note: {text}")))
                .map_err(|fault| server.check().err().unwrap_or(fault))
        };
        let bus = Arc::new(connect(controller, "controller")?);
        let watch = connect(watcher, "watcher")?;
        let (controller, watcher) = keys;
        let child =
            Self { server, watch, _claim: claim, controller, watcher, hosts: Arc::default() };
        child.note_hosts(roster, &Guests::default());
        child.watch_connections(&roster.name(), &bus)?;
        Ok((child, bus))
    }

    /// Says on the bus which agents have lost their connection, as the server tells it.
    fn watch_connections(&self, fleet: &str, bus: &Arc<NatsBus>) -> Result<(), Fault> {
        let ended = self.watch.subscribe(&disconnect_subject())?;
        let (bus, fleet) = (Arc::downgrade(bus), fleet.to_owned());
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

    /// Takes note of the host of each key.
    fn note_hosts(&self, roster: &Roster, guests: &Guests) {
        let known = roster.hosts().iter().map(|known| (known.key.to_string(), known.host.clone()));
        let guests = guests.agents().map(|guest| (guest.key.to_string(), guest.host.clone()));
        let hosts = known.chain(guests).collect();
        *self.hosts.lock().unwrap_or_else(PoisonError::into_inner) = hosts;
    }

    /// Lets the hosts of the list in, and `guests`, and no one else.
    ///
    /// # Errors
    /// When the server has ended.
    pub(super) fn admit(&mut self, roster: &Roster, guests: &Guests) -> Result<(), Fault> {
        self.note_hosts(roster, guests);
        self.server.admit(&access(roster, (&self.controller, &self.watcher), guests))
    }

    /// That the server has ended, if it has.
    ///
    /// # Errors
    /// When it has.
    pub(super) fn check(&self) -> Result<(), Fault> {
        self.server.check()
    }
}

impl Drop for ChildServer {
    fn drop(&mut self) {
        self.watch.close();
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

fn access(
    roster: &Roster,
    (controller, watcher): (&PublicKey, &PublicKey),
    guests: &Guests,
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
    access.extend(guests.agents().map(|guest| agent(&guest.host, &guest.key)));
    access.extend(guests.newcomers(&fleet));
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
