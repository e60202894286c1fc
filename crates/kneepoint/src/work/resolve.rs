//! The plan of a run, and the testbed that it was resolved for.

use kneepoint_core::measure::Testbed;
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Draft, TargetRequest, Wishes, not_together};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::consent::Overwrite;
use kneepoint_device::settings::{VariedSetting, varied};
use kneepoint_device::testbed::{DeviceTestbed, RealTarget, machine_environment};
use kneepoint_sim::{SimTarget, SimTestbed};

use super::definition;

/// A plan, and what it is measured on.
pub(crate) struct ResolvedRun {
    /// What the run will do.
    pub(crate) plan: Plan,
    /// Where.
    pub(crate) place: Place,
    /// The settings of this machine that are varied.
    pub(crate) varied: Vec<VariedSetting>,
}

/// Where this program measures.
pub(crate) enum Place {
    /// On this machine.
    Device(Box<DeviceTestbed>),
    /// On simulated systems.
    Sim(Box<SimTestbed<'static>>),
}

impl Place {
    /// Looks at the targets called `names` but changes nothing.
    fn look(names: &[String], wishes: &TargetRequest, overwrite: &[String]) -> Result<Self, Fault> {
        match is_simulated(names)? {
            true => simulated(names),
            false => DeviceTestbed::look(names, wishes, parsed(overwrite)?).map(Self::device),
        }
    }

    /// Looks at the targets of `plan` again but changes nothing.
    fn look_again(plan: &Plan, overwrite: &[String]) -> Result<Self, Fault> {
        let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
        match is_simulated(&names)? {
            true => simulated(&names),
            false => DeviceTestbed::look_again(plan, parsed(overwrite)?).map(Self::device),
        }
    }

    fn device(testbed: DeviceTestbed) -> Self {
        Self::Device(Box::new(testbed))
    }

    /// The place as whatever measures sees it.
    pub(crate) fn testbed(&mut self) -> &mut dyn Testbed {
        match self {
            Self::Device(device) => &mut **device,
            Self::Sim(sim) => &mut **sim,
        }
    }

    /// Waits before each point for a quiet machine, if the clock is real.
    pub(crate) fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        if let Self::Device(device) = self {
            device.wait_for_quiet(longest);
        }
    }

    /// The files and devices, in the plan's order; none if nothing is real.
    pub(crate) fn real_targets(&self) -> Vec<&RealTarget> {
        match self {
            Self::Device(device) => device.real_targets().collect(),
            Self::Sim(_) => Vec::new(),
        }
    }
}

fn parsed(overwrite: &[String]) -> Result<Vec<Overwrite>, Fault> {
    overwrite.iter().map(|text| text.parse()).collect()
}

fn simulated(names: &[String]) -> Result<Place, Fault> {
    let systems = SimTestbed::with_files(names, &definition::system_file)?;
    Ok(Place::Sim(Box::new(systems.on(&machine_environment))))
}

/// Whether all targets are simulated; some alone cannot be.
fn is_simulated(names: &[String]) -> Result<bool, Fault> {
    let is_simulated = |name: &str| SimTarget::is_named_by(name);
    let first = is_simulated(&names[0]);
    match names.iter().find(|name| is_simulated(name) != first) {
        None => Ok(first),
        Some(other) => Err(not_together(&names[0], other)),
    }
}

/// Resolves what the user asks of `work` on the targets called `names`; looks at them but changes
/// nothing.
pub(crate) fn prepare(
    work: &str,
    (names, overwrite): (&[String], &[String]),
    wishes: &Wishes,
) -> Result<ResolvedRun, Fault> {
    let suite = definition::find(work)?;
    let draft = Draft::new(&suite, wishes)?;
    let mut place = Place::look(names, &draft.target_request(), overwrite)?;
    let plan = draft.resolve(&place.testbed().site(wishes))?;
    checked(plan, place)
}

/// Takes a stored plan up again; looks at the targets but changes nothing.
pub(crate) fn prepare_again(plan: Plan, overwrite: &[String]) -> Result<ResolvedRun, Fault> {
    let place = Place::look_again(&plan, overwrite)?;
    checked(plan, place)
}

fn checked(plan: Plan, mut place: Place) -> Result<ResolvedRun, Fault> {
    place.testbed().check(&plan)?;
    let facts: Vec<_> = place.real_targets().into_iter().map(|real| &real.facts).collect();
    let varied = varied(&plan, &facts)?;
    Ok(ResolvedRun { plan, place, varied })
}
