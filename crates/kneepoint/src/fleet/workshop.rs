//! What an agent on this machine measures with.

use kneepoint_core::measure::Testbed;
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::Access;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::clock::monotonic;
use kneepoint_device::consent::Overwrite;
use kneepoint_device::testbed::DeviceTestbed;
use kneepoint_net::wire::LookRequest;
use kneepoint_net::{AgentEvent, Looked, Used, Workshop};

use super::Allowance;
use super::kept::AgentRecord;
use crate::output::print::tell;
use crate::session::this_process;
use crate::work::{is_simulated, simulated_testbed};

/// This machine, and what is allowed on it.
pub(crate) struct Machine {
    permission: Permission,
}

/// Who says what may be done.
enum Permission {
    /// The user, who typed it here. These may be overwritten although Kneepoint did not make them.
    User(Vec<Overwrite>),
    /// The list of the host, and where it is kept on record what was asked.
    Host(Allowance, AgentRecord),
}

impl Machine {
    /// This machine for its own user, who lets these targets be overwritten.
    pub(crate) const fn own(overwrites: Vec<Overwrite>) -> Self {
        Self { permission: Permission::User(overwrites) }
    }

    /// This machine for a controller elsewhere.
    pub(crate) const fn shared(allowance: Allowance, record: AgentRecord) -> Self {
        Self { permission: Permission::Host(allowance, record) }
    }

    /// The targets called `names` that may be overwritten.
    fn overwrites(&self, names: &[String]) -> Result<Vec<Overwrite>, Fault> {
        match &self.permission {
            Permission::User(overwrites) => Ok(overwrites.clone()),
            Permission::Host(allowance, _) => allowance.overwrites(names),
        }
    }
}

impl Workshop for Machine {
    fn look<'a>(&'a self, request: &LookRequest) -> Result<Looked<'a>, Fault> {
        let names = &request.targets;
        let access = request.request.access;
        self.checked(|allowance| {
            names.iter().try_for_each(|name| allowance.check_target(name, access))
        })?;
        if is_simulated(names)? {
            let testbed = simulated_testbed(names)?;
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
        if is_simulated(&names)? {
            return Ok(Box::new(simulated_testbed(&names)?));
        }
        let testbed = DeviceTestbed::look_again(plan, self.overwrites(&names)?)?;
        let layout: Vec<u64> = testbed.real_targets().map(|real| real.layout.bytes().0).collect();
        self.check_layout(&names, &layout)?;
        Ok(Box::new(testbed))
    }

    fn now(&self) -> Nanos {
        monotonic()
    }

    fn machine(&self) -> String {
        this_process().boot_id
    }

    fn permit(&self, plan: &Plan, load: Option<LoadLevel>, used: Used) -> Result<(), Fault> {
        self.checked(|allowance| allowance.check_load(plan, load, used))
    }

    fn targets(&self) -> Vec<String> {
        match &self.permission {
            Permission::User(_) => Vec::new(),
            Permission::Host(allowance, _) => allowance.targets(),
        }
    }

    fn record(&self, event: &AgentEvent) {
        let Permission::Host(_, record) = &self.permission else { return };
        record.add(event);
        match event {
            AgentEvent::Joined { .. } => tell("a controller is here"),
            AgentEvent::Adopted { .. } => tell("a plan was taken"),
            AgentEvent::Left { .. } => tell("the controller has gone"),
            AgentEvent::Refused { fault } => tell(format!("refused: {fault}")),
        }
    }
}

impl Machine {
    /// A test file that must be written first is a write, too.
    fn check_layout(&self, names: &[String], layout_bytes: &[u64]) -> Result<(), Fault> {
        let mut written = names.iter().zip(layout_bytes).filter(|(_, bytes)| **bytes > 0);
        self.checked(|allowance| {
            written.try_for_each(|(name, _)| allowance.check_target(name, Access::Writing))
        })
    }

    /// What the list of the host says; a refusal is put on record.
    fn checked(&self, mut check: impl FnMut(&Allowance) -> Result<(), Fault>) -> Result<(), Fault> {
        let Permission::Host(allowance, _) = &self.permission else { return Ok(()) };
        check(allowance)
            .inspect_err(|fault| self.record(&AgentEvent::Refused { fault: fault.clone() }))
    }
}
