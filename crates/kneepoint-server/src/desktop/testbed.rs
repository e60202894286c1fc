//! A desktop server as a testbed.

use std::collections::BTreeMap;
use std::sync::Arc;

use kneepoint_core::measure::metering::MeteredServer;
use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{Observer, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::{Serves, Site, Wishes};
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::Environment;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::address::{Address, Place, RdpServer};
use super::cgroup::Group;
use super::client::{Door, VncDoor};
use super::instrument::DesktopInstrument;
use crate::calm::Calm;
use crate::target::{LoneTarget, TargetFacts};
use crate::testbed::Surroundings;

/// The screens of a desktop server.
pub struct DesktopTestbed<'a> {
    address: Address,
    surroundings: &'a dyn Surroundings,
    instrument: DesktopInstrument<'a>,
    calm: Calm,
}

/// Makes the door of a server of RDP.
pub type RdpDoor = fn(&RdpServer) -> Arc<dyn Door>;

/// What opens desktop servers.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The password of VNC servers, if one is known.
    pub vnc_password: Option<String>,
    /// Makes the door of an RDP server; `None` in a program that does not speak RDP.
    pub rdp: Option<RdpDoor>,
}

impl Access {
    /// The door of a server.
    ///
    /// # Errors
    /// When this program does not speak its protocol.
    fn door(self, place: &Place) -> Result<Arc<dyn Door>, Fault> {
        match (place, self.rdp) {
            (Place::Running { .. } | Place::Temporary(_), _) => {
                Ok(Arc::new(VncDoor { password: self.vnc_password.map(String::into_bytes) }))
            }
            (Place::Accounts(server), Some(rdp)) => Ok(rdp(server)),
            (Place::Accounts(_), None) => Err(Fault::new("this program does not speak RDP")
                .because("it was built without the feature `rdp`, which takes minutes to compile")
                .fix("build one that does: cargo build --release --features rdp")),
        }
    }
}

impl<'a> DesktopTestbed<'a> {
    /// Whether `target` names sessions that a run starts for itself, on the machine that measures.
    pub fn is_temporary(target: &str) -> bool {
        Address::parse(target).is_ok_and(|address| matches!(address.place, Place::Temporary(_)))
    }

    /// Whether `target` names a desktop server.
    pub fn is_named_by(target: &str) -> bool {
        Address::is_named_by(target)
    }

    /// The server that is the only one of `names`, to be opened with `access`; does not look at it yet.
    ///
    /// # Errors
    /// When it is no such server, or not alone.
    pub fn look(
        names: &[String],
        access: Access,
        surroundings: &'a dyn Surroundings,
    ) -> Result<Self, Fault> {
        let [name] = names else {
            return Err(Fault::new("users at screens work on one target")
                .fix("measure each in its own run"));
        };
        let address = Address::parse(name)?;
        let door = access.door(&address.place)?;
        let instrument = DesktopInstrument::new(surroundings, address.place.clone(), door);
        Ok(Self { address, surroundings, instrument, calm: Calm::default() })
    }

    fn target(&self) -> LoneTarget {
        LoneTarget::new(&self.address.name, (TargetKind::Desktop, Serves::Screens))
    }

    /// Has the machine of the server metered while points are measured.
    pub fn meter_by(&mut self, metered: MeteredServer) {
        self.instrument.metered = Some(metered);
    }

    /// Where the screens are: `screens at host, from port 5901 on`.
    pub fn description(&self) -> String {
        match &self.address.place {
            Place::Running { host, port } => format!("screens at {host}, from port {port} on"),
            Place::Accounts(server) => {
                format!("sessions of RDP at {}, port {}", server.host, server.port)
            }
            Place::Temporary(wishes) => {
                format!("sessions with {} that are started for the run", wishes.application)
            }
        }
    }
}

/// Why the sessions of `target` cannot be bounded on this machine as it says; `None` if nothing is known to be in
/// the way, or it bounds none.
pub fn bound_obstacle(target: &str) -> Option<String> {
    match Address::parse(target).ok()?.place {
        Place::Temporary(wishes) => wishes.cpu.and_then(|_| Group::obstacle()),
        Place::Running { .. } | Place::Accounts(_) => None,
    }
}

impl Testbed for DesktopTestbed<'_> {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        self.target().site(self.surroundings)
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        self.target().check(plan)?;
        if plan.series.len() > 1 {
            return Err(Fault::new("users at screens play one script in a run")
                .because("an application that one script leaves open is in the way of the next")
                .fix("measure each profile in its own run"));
        }
        let mut factors = plan.factors.iter().flat_map(|factors| &factors.factors);
        match factors.find(|factor| factor.commands.is_none()) {
            None => Ok(()),
            Some(factor) => {
                Err(Fault::new(format!("{} has no setting {}", self.address.name, factor.name))
                    .because("Kneepoint varies nothing of a desktop server by itself")
                    .fix("set it by commands, in a suite of your own: docs/factors.md"))
            }
        }
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        observer.go_on()?;
        self.instrument.rehearse((next, plan.share), observer)?;
        self.calm.await_point(self.surroundings, observer)?;
        Ok(Ready { plan, instrument: &mut self.instrument })
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.calm = Calm::new(longest, self.surroundings);
    }

    fn environment(&self, _plan: &Plan) -> Environment {
        self.target().environment(self.surroundings, self.facts())
    }

    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        match self.instrument.dismiss(observer) {
            Ok(()) | Err(Stop::Asked) => Ok(Vec::new()),
            Err(stop) => Ok(vec![stop.to_string()]),
        }
    }
}

impl DesktopTestbed<'_> {
    /// What tells the server from others.
    fn facts(&self) -> TargetFacts {
        TargetFacts { device: BTreeMap::new(), settings: BTreeMap::new() }
    }
}
