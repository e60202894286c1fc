//! Fleets as this program makes them: what its agents measure with, and how they are started.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use kneepoint_core::measure::Testbed;
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::clock::monotonic;
use kneepoint_device::consent::Overwrite;
use kneepoint_device::testbed::DeviceTestbed;
use kneepoint_net::wire::LookRequest;
use kneepoint_net::{Fleet, FleetRequest, LocalAgents, Looked, Now, Patience, Workshop, dealt};

use crate::session::this_process;
use crate::work::{is_simulated, simulated_testbed};

/// The hosts of a fleet, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hosts {
    /// This number of agents in this process.
    Local(usize),
}

/// More agents than this in one process measure each other.
const LOCAL_MAX: usize = 4096;

impl FromStr for Hosts {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let count = text.strip_prefix("local:").and_then(|count| count.parse().ok());
        match count {
            Some(count) if (1..=LOCAL_MAX).contains(&count) => Ok(Self::Local(count)),
            _ => Err(Fault::new(format!("'{text}' names no hosts"))
                .fix("write local:4 for four agents in this process")),
        }
    }
}

impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(count) => write!(f, "local:{count}"),
        }
    }
}

impl Hosts {
    /// Their names.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Local(count) => (1..=*count).map(|number| format!("local{number}")).collect(),
        }
    }
}

/// The name of the one fleet on a bus of this process.
const FLEET: &str = "local";

/// The clock of the controller, and how long it waits for hosts.
const TIME: (Now, Patience) = (monotonic, Patience::USUAL);

/// A fleet and its agents, which end with it.
pub(crate) struct OwnFleet {
    pub(crate) fleet: Fleet,
    _agents: LocalAgents,
}

impl OwnFleet {
    /// Starts agents, which look at the targets called `names` but change nothing.
    pub(crate) fn look(
        (names, overwrite): (&[String], &[Overwrite]),
        draft: &Draft<'_>,
        (wishes, hosts): (&Wishes, &Hosts),
    ) -> Result<Self, Fault> {
        let all = hosts.names();
        let request = FleetRequest {
            hosts: dealt(names, &all)?,
            request: draft.target_request(),
            engine: wishes.engine,
            caching: wishes.caching,
        };
        let agents = started(&all, overwrite)?;
        let fleet = Fleet::look((agents.bus(), FLEET), TIME, &request)?;
        Ok(Self { fleet, _agents: agents })
    }

    /// Starts the agents of `plan`, which look at their targets again.
    pub(crate) fn look_again(plan: &Plan, overwrite: &[Overwrite]) -> Result<Self, Fault> {
        let hosts: Vec<String> = plan.hosts().into_iter().map(str::to_owned).collect();
        let agents = started(&hosts, overwrite)?;
        let fleet = Fleet::look_again((agents.bus(), FLEET), TIME, plan)?;
        Ok(Self { fleet, _agents: agents })
    }
}

/// Starts an agent for each of `hosts` in this process.
fn started(hosts: &[String], overwrite: &[Overwrite]) -> Result<LocalAgents, Fault> {
    let machine = Machine { overwrites: overwrite.to_vec() };
    let workshop: Arc<dyn Workshop + Send + Sync> = Arc::new(machine);
    LocalAgents::start(FLEET, hosts, &workshop)
}

/// What an agent on this machine measures with.
struct Machine {
    /// Targets that may be written although Kneepoint did not make them.
    overwrites: Vec<Overwrite>,
}

impl Workshop for Machine {
    fn look<'a>(&'a self, request: &LookRequest) -> Result<Looked<'a>, Fault> {
        let names = &request.targets;
        if is_simulated(names)? {
            let testbed = simulated_testbed(names)?;
            return Ok(Looked { testbed: Box::new(testbed), layout_bytes: Vec::new() });
        }
        let testbed = DeviceTestbed::look(names, &request.request, self.overwrites.clone())?;
        let layout_bytes = testbed.real_targets().map(|real| real.layout.bytes().0).collect();
        Ok(Looked { testbed: Box::new(testbed), layout_bytes })
    }

    fn look_again<'a>(&'a self, plan: &Plan) -> Result<Box<dyn Testbed + 'a>, Fault> {
        let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
        match is_simulated(&names)? {
            true => Ok(Box::new(simulated_testbed(&names)?)),
            false => Ok(Box::new(DeviceTestbed::look_again(plan, self.overwrites.clone())?)),
        }
    }

    fn now(&self) -> Nanos {
        monotonic()
    }

    fn machine(&self) -> String {
        this_process().boot_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_as_written() {
        let hosts: Hosts = "local:3".parse().unwrap();
        assert_eq!((hosts.to_string().as_str(), hosts.names().len()), ("local:3", 3));
        for wrong in ["local:0", "local:x", "local", "", "local:100000"] {
            assert!(wrong.parse::<Hosts>().is_err(), "{wrong}");
        }
    }
}
