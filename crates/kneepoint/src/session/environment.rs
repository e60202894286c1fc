//! What a run was measured on.

use std::collections::BTreeMap;

use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::{Environment, TargetEnvironment};
use kneepoint_device::engine::engine_facts;
use kneepoint_device::facts::{SysRoot, io_limits, machine};

use crate::work::TargetSetup;

/// The machine, the engine and the targets as they are now.
pub(super) fn capture(plan: &Plan, targets: &[TargetSetup]) -> Environment {
    let mut environment = machine(&SysRoot::default());
    environment.engine = engine_facts(plan.engine.engine, &plan.series[0].profile);
    environment.engine.insert("workers".to_owned(), plan.engine.workers.to_string());
    environment.engine.insert("caching".to_owned(), plan.engine.caching.name().to_owned());
    let named = plan.targets.iter().zip(targets);
    environment.targets = named
        .map(|(target, setup)| {
            let found = match setup {
                TargetSetup::Real(real) => real.facts.environment(&target.target),
                TargetSetup::Sim(sim) => TargetEnvironment {
                    settings: sim.settings(),
                    ..nothing_known(&target.target, target.kind)
                },
                TargetSetup::Null => nothing_known(&target.target, target.kind),
            };
            let class = Some(setup.storage_class(&target.target));
            TargetEnvironment { size_bytes: target.size_bytes, class, ..found }
        })
        .collect();
    environment
}

/// A target that is no part of the machine.
fn nothing_known(target: &str, kind: TargetKind) -> TargetEnvironment {
    TargetEnvironment {
        target: target.to_owned(),
        kind,
        size_bytes: 0,
        file_system: String::new(),
        device: BTreeMap::new(),
        settings: BTreeMap::new(),
        class: None,
    }
}

/// What limits the I/O of the whole run, a sentence each.
pub(super) fn limits(targets: &[TargetSetup]) -> Vec<String> {
    let mut warnings = Vec::new();
    for setup in targets {
        let TargetSetup::Real(real) = setup else { continue };
        let limits = real.facts.stack().map(|stack| io_limits(&SysRoot::default(), stack));
        for limit in limits.into_iter().flatten() {
            let warning = format!(
                "I/O limited: the control group of this process is held to {limit}; these are \
                 numbers of the limit: lift it, or measure from another control group"
            );
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    warnings
}
