//! Agents that tell what the machine of a server does while users work at it.

use kneepoint_core::measure::metering::MeteredServer;
use kneepoint_core::words::fault::Fault;
use kneepoint_device::clock::monotonic;
use kneepoint_net::{AgentMeter, Reach, is_name};
use kneepoint_server::desktop::{DesktopTestbed, Metering};

use super::{Agents, Copies, Typed, Way, is_local};
use crate::session::this_process;
use crate::work::desktop_testbed;

/// Who meters the machine that measures, as typed, and what its agent in this process is called: hosts of
/// `local:N` are counted from 1.
pub(crate) const HERE: &str = "local";
const HERE_AGENT: &str = "local0";

/// The name of the agent that is meant.
fn agent_of(metering: &Metering) -> &str {
    if metering.host == HERE { HERE_AGENT } else { &metering.host }
}

/// The agents of a run, and who meters the server that they load, if someone does.
pub(super) struct MeteredAgents {
    agents: Agents,
    /// Who meters it on another way than the others are reached.
    apart: Option<Agents>,
    metering: Option<Metering>,
}

impl MeteredAgents {
    /// Those of the hosts with these targets.
    ///
    /// # Errors
    /// When one of them is not there, or would meter itself.
    pub(super) fn of(
        hosts: &[(String, Vec<String>)],
        typed: Typed<'_>,
        way: Way<'_>,
    ) -> Result<Self, Fault> {
        let targets = hosts.iter().flat_map(|(_, targets)| targets);
        let Some(metering) = metering(targets)? else {
            return Ok(Self {
                agents: Agents::of(hosts, typed, way)?,
                apart: None,
                metering: None,
            });
        };
        let host = agent_of(&metering);
        if hosts.iter().any(|(name, _)| name == host) {
            return Err(Fault::new(format!("{host} plays users and meters the server"))
                .because("what plays users does not belong on the machine of the server")
                .fix("leave it out of --hosts, or out of meter="));
        }
        let is_one_way = hosts.iter().all(|(name, _)| is_local(name)) == is_local(host);
        let own = (host.to_owned(), vec![metering.server.clone()]);
        let typed = Typed { meter: Some(host), ..typed };
        let (agents, apart) = match is_one_way {
            true => (Agents::of(&[hosts, &[own]].concat(), typed, way)?, None),
            false => (Agents::of(hosts, typed, way)?, Some(Agents::of(&[own], typed, way)?)),
        };
        Ok(Self { agents, apart, metering: Some(metering) })
    }

    /// How those who load the server are reached.
    pub(super) fn reach(&self) -> Result<Reach, Fault> {
        self.agents.reach()
    }

    /// The server, once whoever meters it has read what its machine does.
    ///
    /// # Errors
    /// When it cannot, or may not.
    pub(super) fn metered(&self) -> Result<Option<MeteredServer>, Fault> {
        let Some(metering) = &self.metering else { return Ok(None) };
        metered(self.apart.as_ref().unwrap_or(&self.agents), metering).map(Some)
    }
}

/// A desktop server at which users of this machine work, and the agent that meters it, which ends with it.
pub(crate) struct OwnDesktop {
    pub(crate) testbed: DesktopTestbed<'static>,
    _meter: Option<Agents>,
}

impl OwnDesktop {
    /// The server that is the only one of `names`.
    ///
    /// # Errors
    /// When it is none, or its machine cannot be metered.
    pub(crate) fn look(names: &[String], way: Way<'_>) -> Result<Self, Fault> {
        let mut testbed = desktop_testbed(names)?;
        let Some(metering) = metering(names)? else { return Ok(Self { testbed, _meter: None }) };
        let host = agent_of(&metering);
        let own = (host.to_owned(), vec![metering.server.clone()]);
        let typed = Typed { overwrite: &[], copies: Copies::None, meter: Some(host) };
        let agents = Agents::of(&[own], typed, way)?;
        testbed.meter_by(metered(&agents, &metering)?);
        Ok(Self { testbed, _meter: Some(agents) })
    }
}

/// Who meters the server that one of `targets` names.
fn metering<'a>(targets: impl IntoIterator<Item = &'a String>) -> Result<Option<Metering>, Fault> {
    let Some(found) = targets.into_iter().find_map(|target| Metering::of(target)) else {
        return Ok(None);
    };
    match is_name(&found.host) {
        true => Ok(Some(found)),
        false => Err(Fault::new(format!("'{}' names no host", found.host))
            .because("its agent is to meter the machine of the server")
            .fix("write meter=HOST, or meter=local for the machine that measures")),
    }
}

fn metered(agents: &Agents, metering: &Metering) -> Result<MeteredServer, Fault> {
    let names = (agent_of(metering), metering.server.as_str());
    let meter = AgentMeter::begin(agents.reach()?, monotonic, names)?;
    let shown = match metering.host == HERE {
        true => this_process().host,
        false => metering.host.clone(),
    };
    Ok(MeteredServer::new(&shown, Box::new(meter)))
}
