//! Agents in this process, for trying a fleet out and for tests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use kneepoint_core::words::fault::Fault;

use super::{Agent, Workshop};
use crate::bus::{Bus, LocalBus};
use crate::fleet::Reach;
use crate::key::{PublicKey, SecretKey};

/// Agents in this process, on a bus of their own. They end when this is dropped.
pub struct LocalAgents {
    bus: Arc<LocalBus>,
    fleet: String,
    key: Arc<SecretKey>,
    /// The key of each agent.
    agents: BTreeMap<String, PublicKey>,
    threads: Vec<JoinHandle<Result<(), Fault>>>,
}

impl LocalAgents {
    /// Starts an agent for each of `hosts` of `fleet`.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(
        fleet: &str,
        hosts: &[String],
        workshop: &Arc<dyn Workshop + Send + Sync>,
    ) -> Result<Self, Fault> {
        let bus = Arc::new(LocalBus::default());
        let (key, threads) = (Arc::new(SecretKey::generate()), Vec::new());
        let (fleet, keys) = (fleet.to_owned(), BTreeMap::new());
        let mut agents = Self { bus, fleet, key, agents: keys, threads };
        for host in hosts {
            let own = Arc::new(SecretKey::generate());
            agents.agents.insert(host.clone(), own.public());
            let (bus, fleet) = (Arc::clone(&agents.bus) as Arc<dyn Bus>, agents.fleet.clone());
            let controller = agents.key.public();
            let (host, workshop) = (host.clone(), Arc::clone(workshop));
            // Whoever starts it may speak to it at once.
            let subscribed = bus.subscribe(&crate::wire::command_subject(&fleet, &host))?;
            let thread = thread::Builder::new()
                .name(host.clone())
                .spawn(move || {
                    let agent = Agent::new((&fleet, &host), (bus, controller, own), &*workshop);
                    agent.hearing(subscribed).serve()
                })
                .map_err(|error| {
                    Fault::new("cannot start an agent").because(error).fix("use fewer of them")
                })?;
            agents.threads.push(thread);
        }
        Ok(agents)
    }

    /// How their controller reaches them.
    pub fn reach(&self) -> Reach {
        let (bus, key) = (Arc::clone(&self.bus) as Arc<dyn Bus>, Arc::clone(&self.key));
        Reach { bus, fleet: self.fleet.clone(), key, agents: self.agents.clone() }
    }
}

impl Drop for LocalAgents {
    fn drop(&mut self) {
        self.bus.close();
        for thread in self.threads.drain(..) {
            // What an agent found wrong, it has said.
            let _ = thread.join();
        }
    }
}
