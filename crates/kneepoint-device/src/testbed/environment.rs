//! What a run is measured on.

use std::collections::BTreeMap;

use kneepoint_core::plan::Plan;
use kneepoint_core::result::{Environment, HostEnvironment, TargetEnvironment, Warning};

use super::target::{RealTarget, Target};
use crate::engine::engine_facts;
use crate::facts::{IoLimit, SysRoot, io_limits, machine};

/// The machine and the engine of `plan` as they are now.
pub fn machine_environment(plan: &Plan) -> HostEnvironment {
    let mut host = machine(&SysRoot::default());
    if let Some(profile) = plan.io_profiles().next() {
        host.engine = engine_facts(plan.engine.engine, profile);
        host.engine.insert("workers".to_owned(), plan.engine.workers.to_string());
        host.engine.insert("caching".to_owned(), plan.engine.caching.name().to_owned());
    }
    host
}

/// The same with the targets.
pub(super) fn capture(plan: &Plan, targets: &[Target]) -> Environment {
    let host = machine_environment(plan);
    let named = plan.targets.iter().zip(targets);
    let targets = named.map(|(planned, target)| {
        let name = &planned.target;
        let found = match target {
            Target::Real(real) => real.facts.environment(name),
            Target::Null => TargetEnvironment {
                target: name.clone(),
                host: String::new(),
                kind: planned.kind,
                size_bytes: 0,
                file_system: String::new(),
                device: BTreeMap::new(),
                settings: BTreeMap::new(),
                class: None,
            },
        };
        let class = Some(target.storage_class(name));
        let size_bytes = planned.size_bytes;
        TargetEnvironment { host: host.host.clone(), size_bytes, class, ..found }
    });
    Environment { targets: targets.collect(), hosts: vec![host] }
}

/// What limits the I/O of the whole run.
pub(super) fn limits<'a>(targets: impl Iterator<Item = &'a RealTarget>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for real in targets {
        let limits = real.facts.stack().map(|stack| io_limits(&SysRoot::default(), stack));
        for IoLimit { device, file, limit } in limits.into_iter().flatten() {
            let file = file.display().to_string();
            let warning = Warning::IoLimited { limit, device, file };
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    warnings
}
