//! The factors of a run: what is varied, where it stands, and what it makes of simulated targets.

use kneepoint_core::factor::{Combination, Factor};
use kneepoint_core::fault::Fault;
use kneepoint_core::plan::{Plan, TargetKind, TargetPlan};
use kneepoint_device::facts::{SysRoot, TargetFacts};
use kneepoint_device::settings::{self, Varied};
use kneepoint_sim::SimTarget;

use super::definition::system_file;
use super::target::TargetSetup;

/// Whether the plan starts commands of the user's own.
pub(crate) fn has_commands(plan: &Plan) -> bool {
    let factors = plan.factors.iter().flat_map(|factors| &factors.factors);
    factors.into_iter().any(|factor| factor.commands.is_some())
}

/// Where the plan's factors stand; every level of a simulated system is tried.
pub(super) fn varied(plan: &Plan, targets: &[TargetSetup]) -> Result<Vec<Varied>, Fault> {
    let Some(factors) = &plan.factors else { return Ok(Vec::new()) };
    for combination in factors.combinations()? {
        block_plan(plan, &combination)?;
    }
    let facts: Vec<&TargetFacts> = targets.iter().filter_map(real_facts).collect();
    let names: Vec<&str> = plan.targets.iter().map(|target| target.target.as_str()).collect();
    let mut varied = Vec::new();
    for factor in &factors.factors {
        match &factor.commands {
            Some(commands) => varied.extend(Varied::by_commands(factor, commands, &names)),
            None if is_simulated(plan) => {}
            None => varied.extend(settings::find(&SysRoot::default(), factor, &facts)?),
        }
    }
    Ok(varied)
}

fn real_facts(setup: &TargetSetup) -> Option<&TargetFacts> {
    match setup {
        TargetSetup::Real(real) => Some(&real.facts),
        TargetSetup::Sim(_) | TargetSetup::Null => None,
    }
}

fn is_simulated(plan: &Plan) -> bool {
    plan.targets[0].kind == TargetKind::Sim
}

/// What the points of a block are measured by.
pub(crate) struct BlockPlan {
    /// The run's plan with the sizes that simulated targets have in this block.
    pub(crate) measured: Plan,
    /// The same with the targets' names as the simulator has to read them.
    pub(crate) simulated: Plan,
}

/// The plan of a block: a simulated system has its parameters at the levels of `combination`.
pub(crate) fn block_plan(plan: &Plan, combination: &Combination) -> Result<BlockPlan, Fault> {
    let levels = plan.factors.as_ref().filter(|_| is_simulated(plan));
    let is_parameter = |factor: &&Factor| factor.commands.is_none();
    let parameters: Combination = levels
        .iter()
        .flat_map(|factors| factors.factors.iter().filter(is_parameter))
        .filter_map(|factor| Some((factor.name.clone(), combination.get(&factor.name)?.clone())))
        .collect();
    let mut block = BlockPlan { measured: plan.clone(), simulated: plan.clone() };
    if parameters.is_empty() {
        return Ok(block);
    }
    for (index, target) in plan.targets.iter().enumerate() {
        let changed = simulated(target, &parameters)?;
        block.measured.targets[index].size_bytes = changed.size_bytes;
        block.simulated.targets[index] = changed;
    }
    Ok(block)
}

/// A simulated target with other parameters; it must stay one target.
fn simulated(target: &TargetPlan, parameters: &Combination) -> Result<TargetPlan, Fault> {
    let name = SimTarget::with_parameters(&target.target, parameters);
    let found = SimTarget::parse_with(&name, &system_file)?;
    let arrays = SimTarget::expand_with(&name, &system_file)?.len();
    if arrays != 1 {
        return Err(Fault::new(format!("'{name}' has {arrays} arrays instead of one"))
            .because("the levels of a factor must not change the number of targets")
            .fix("add drives_per_array=..., or name one array: sim:NAME#0"));
    }
    Ok(TargetPlan { target: name, size_bytes: found.size.0, ..target.clone() })
}
