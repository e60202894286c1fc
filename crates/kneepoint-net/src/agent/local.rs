//! Agents in this process, for trying a fleet out and for tests.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use kneepoint_core::words::fault::Fault;

use super::{Agent, Workshop};
use crate::bus::{Bus, LocalBus};
use crate::fleet::Reach;
use crate::key::SecretKey;

/// Agents in this process, on a bus of their own. They end when this is dropped.
pub struct LocalAgents {
    bus: Arc<LocalBus>,
    fleet: String,
    key: Arc<SecretKey>,
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
        let mut agents = Self { bus, fleet: fleet.to_owned(), key, threads };
        for host in hosts {
            let Reach { bus, fleet, key } = agents.reach();
            let (host, workshop) = (host.clone(), Arc::clone(workshop));
            // Whoever starts it may speak to it at once.
            let subscribed = bus.subscribe(&crate::wire::command_subject(&fleet, &host))?;
            let thread = thread::Builder::new()
                .name(host.clone())
                .spawn(move || {
                    let agent = Agent::new((&fleet, &host), (bus, key.public()), &*workshop);
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
        Reach { bus, fleet: self.fleet.clone(), key }
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
