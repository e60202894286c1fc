//! What an agent on this machine measures with.

use std::path::PathBuf;

use kneepoint_core::measure::Testbed;
use kneepoint_core::measure::metering::{MeterRequest, ServerReading};
use kneepoint_core::plan::resolve::Access;
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::clock::monotonic;
use kneepoint_device::consent::Overwrite;
use kneepoint_device::settings::{Loaded, VariedSetting, varied};
use kneepoint_device::testbed::{DeviceTestbed, NotedIn, Varying};
use kneepoint_net::wire::LookRequest;
use kneepoint_net::{AgentEvent, HostPoint, Looked, Used, Workshop};
use kneepoint_server::desktop::read_server;

use super::kept::{AgentRecord, PointsFile};
use super::{Allowance, Definitions};
use crate::output::print::tell;
use crate::session::{START_AGAIN, origin, restore_of_agent, this_process};
use crate::work::{
    desktop_testbed, is_desktop, is_simulated, largest, refuse_server, simulated_testbed,
};

/// This machine, and what is allowed on it.
pub(crate) struct Machine {
    permission: Permission,
}

/// Who says what may be done.
enum Permission {
    /// The user, who typed it here. These may be overwritten although Kneepoint did not make them.
    User(Vec<Overwrite>),
    /// The host.
    Host(Box<SharedMachine>),
}

/// What a host lets a controller elsewhere do, and where it keeps on record what was asked.
pub(crate) struct SharedMachine {
    /// The list of the host.
    pub(crate) allowance: Allowance,
    /// The settings that may be varied by commands.
    pub(crate) definitions: Definitions,
    /// What was asked.
    pub(crate) record: AgentRecord,
    /// Where settings are noted before they are changed.
    pub(crate) journal: PathBuf,
    /// Where it is kept what was measured of each point, if it is.
    pub(crate) points: Option<PointsFile>,
}

impl Machine {
    /// This machine for its own user, who lets these targets be overwritten.
    pub(crate) const fn own(overwrites: Vec<Overwrite>) -> Self {
        Self { permission: Permission::User(overwrites) }
    }

    /// This machine for a controller elsewhere.
    ///
    /// # Errors
    /// When settings that its agent changed are not what they were before.
    pub(crate) fn shared(host: SharedMachine) -> Result<Self, Fault> {
        restore_of_agent(&host.journal, host.definitions.factors())?;
        Ok(Self { permission: Permission::Host(Box::new(host)) })
    }

    /// The targets called `names` that may be overwritten.
    fn overwrites(&self, names: &[String]) -> Result<Vec<Overwrite>, Fault> {
        match &self.permission {
            Permission::User(overwrites) => Ok(overwrites.clone()),
            Permission::Host(host) => host.allowance.overwrites(names),
        }
    }
}

impl Workshop for Machine {
    fn look<'a>(&'a self, request: &LookRequest) -> Result<Looked<'a>, Fault> {
        let names = &request.targets;
        refuse_server(names.iter().map(String::as_str))?;
        let access = request.request.access;
        self.checked(|allowance| {
            names.iter().try_for_each(|name| allowance.check_target(name, access))
        })?;
        if is_desktop(names) {
            let testbed = Box::new(desktop_testbed(names)?);
            return Ok(Looked { testbed, layout_bytes: Vec::new() });
        }
        if is_simulated(names)? {
            let testbed = match &request.factors {
                None => simulated_testbed(names)?,
                Some(factors) => simulated_testbed(&largest(names, factors)?)?,
            };
            return Ok(Looked { testbed: Box::new(testbed), layout_bytes: Vec::new() });
        }
        let testbed = DeviceTestbed::look(names, &request.request, self.overwrites(names)?)?;
        let layout_bytes: Vec<u64> =
            testbed.real_targets().map(|real| real.layout.bytes().0).collect();
        self.check_layout(names, &layout_bytes)?;
        Ok(Looked { testbed: Box::new(testbed), layout_bytes })
    }

    fn look_again<'a>(&'a self, plan: &Plan) -> Result<Box<dyn Testbed + 'a>, Fault> {
        let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
        refuse_server(names.iter().map(String::as_str))?;
        if is_desktop(&names) {
            return Ok(Box::new(desktop_testbed(&names)?));
        }
        if is_simulated(&names)? {
            return Ok(Box::new(simulated_testbed(&names)?));
        }
        let testbed = DeviceTestbed::look_again(plan, self.overwrites(&names)?)?;
        let layout: Vec<u64> = testbed.real_targets().map(|real| real.layout.bytes().0).collect();
        self.check_layout(&names, &layout)?;
        if plan.factors.is_none() {
            return Ok(Box::new(testbed));
        }
        Ok(Box::new(self.varying(plan, testbed)?))
    }

    fn defined(&self, plan: Box<Plan>) -> Result<Box<Plan>, Fault> {
        let host = match &self.permission {
            Permission::Host(host) => &host.definitions,
            Permission::User(_) => &Definitions::default(),
        };
        let filled = host.fill(*plan);
        filled.map(Box::new)
    }

    fn settings(&self, plan: &Plan) -> Result<Vec<(String, String)>, Fault> {
        let has_none = |kind| matches!(kind, TargetKind::Sim | TargetKind::Desktop);
        if plan.targets.iter().all(|target| has_none(target.kind)) {
            return Ok(Vec::new());
        }
        let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
        let testbed = DeviceTestbed::look_again(plan, self.overwrites(&names)?)?;
        let varied = self.varied(plan, &testbed)?;
        Ok(varied.iter().map(|varied| (varied.factor.clone(), varied.place_text("its"))).collect())
    }

    fn now(&self) -> Nanos {
        monotonic()
    }

    fn machine(&self) -> String {
        this_process().boot_id
    }

    fn permit(&self, plan: &Plan, load: Option<LoadLevel>) -> Result<(), Fault> {
        self.checked(|allowance| allowance.check_plan(plan, load))
    }

    fn meter(&self, asked: &MeterRequest) -> Result<ServerReading, Fault> {
        self.checked(|allowance| allowance.check_meter(&asked.server))?;
        read_server(asked)
    }

    fn within_limits(&self, used: Used) -> Result<(), Fault> {
        self.checked(|allowance| allowance.check_used(used))
    }

    fn targets(&self) -> Vec<String> {
        match &self.permission {
            Permission::User(_) => Vec::new(),
            Permission::Host(host) => host.allowance.targets(),
        }
    }

    fn record(&self, event: &AgentEvent) {
        let Permission::Host(host) = &self.permission else { return };
        host.record.add(event);
        match event {
            AgentEvent::Joined { .. } => tell("a controller is here"),
            AgentEvent::Adopted { .. } => tell("a plan was taken"),
            AgentEvent::Metered { server } => tell(format!("the machine of {server} is metered")),
            AgentEvent::Left { .. } => tell("the controller has gone"),
            AgentEvent::NotPutBack { fault } => tell(format!("note: {fault}")),
            AgentEvent::Refused { fault } => tell(format!("refused: {fault}")),
        }
    }

    fn keeps_points(&self) -> bool {
        matches!(&self.permission, Permission::Host(host) if host.points.is_some())
    }

    fn keep_point(&self, point: &HostPoint) {
        if let Permission::Host(host) = &self.permission
            && let Some(points) = &host.points
        {
            points.add(point);
        }
    }
}

impl Machine {
    /// A test file that must be written first is a write, too.
    fn check_layout(&self, names: &[String], layout_bytes: &[u64]) -> Result<(), Fault> {
        let mut written = names.iter().zip(layout_bytes).filter(|(_, bytes)| **bytes > 0);
        self.checked(|allowance| {
            written.try_for_each(|(name, _)| allowance.check_target(name, Access::Writing))?;
            allowance.check_layout(layout_bytes.iter().sum())
        })
    }

    /// What the list of the host says.
    fn checked(&self, check: impl FnOnce(&Allowance) -> Result<(), Fault>) -> Result<(), Fault> {
        match &self.permission {
            Permission::Host(host) => check(&host.allowance),
            Permission::User(_) => Ok(()),
        }
    }

    /// Brings the settings of this machine to the levels of a plan that its agent has taken.
    fn varying(
        &self,
        plan: &Plan,
        testbed: DeviceTestbed,
    ) -> Result<Varying<DeviceTestbed>, Fault> {
        let varied = self.varied(plan, &testbed)?;
        let Permission::Host(host) = &self.permission else { return Err(in_one_process()) };
        // What could not be put back after another run is tried once more.
        restore_of_agent(&host.journal, host.definitions.factors())?;
        let name = format!("of the plan {}", &plan.hash()[..12]);
        let origin = || origin(&name);
        let noted = NotedIn { journal: &host.journal, origin: &origin, again: START_AGAIN };
        Varying::begin(testbed, varied, noted)
    }

    /// The settings that a plan varies here.
    fn varied(&self, plan: &Plan, testbed: &DeviceTestbed) -> Result<Vec<VariedSetting>, Fault> {
        match &self.permission {
            Permission::User(_) => Err(in_one_process()),
            Permission::Host(_) => {
                let facts: Vec<_> = testbed.real_targets().map(|real| &real.facts).collect();
                varied(plan, Loaded::Targets(&facts))
            }
        }
    }
}

/// That agents of one process do not vary settings: each would set what is that of all.
fn in_one_process() -> Fault {
    Fault::new("agents in one process vary no settings of their machine")
        .because("the settings of a machine are those of all of its agents")
        .fix("leave out --hosts, or let other hosts join")
}
