//! Agents in this process, for trying a fleet out and for tests.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use kneepoint_core::words::fault::Fault;

use super::{Agent, Workshop};
use crate::bus::{Bus, LocalBus};

/// Agents in this process, on a bus of their own. They end when this is dropped.
pub struct LocalAgents {
    bus: Arc<LocalBus>,
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
        let mut agents = Self { bus, threads: Vec::new() };
        for host in hosts {
            let (bus, workshop) = (agents.bus(), Arc::clone(workshop));
            let (fleet, host) = (fleet.to_owned(), host.clone());
            // Whoever starts it may speak to it at once.
            let subscribed = bus.subscribe(&crate::wire::command_subject(&fleet, &host))?;
            let thread = thread::Builder::new()
                .name(host.clone())
                .spawn(move || {
                    let agent = Agent::new((&fleet, &host), bus, &*workshop);
                    agent.hearing(subscribed).serve()
                })
                .map_err(|error| {
                    Fault::new("cannot start an agent").because(error).fix("use fewer of them")
                })?;
            agents.threads.push(thread);
        }
        Ok(agents)
    }

    /// Their bus.
    pub fn bus(&self) -> Arc<dyn Bus> {
        Arc::clone(&self.bus) as Arc<dyn Bus>
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
