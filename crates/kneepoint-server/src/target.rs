//! The one target of a testbed for loads that are not block I/O.

use std::collections::BTreeMap;

use kneepoint_core::plan::resolve::{Durable, FoundTarget, Serves, Settable, Site, no_longer};
use kneepoint_core::plan::{Engine, Plan, TargetKind, TargetPlan};
use kneepoint_core::result::{Environment, TargetEnvironment};
use kneepoint_core::words::fault::Fault;

use crate::testbed::Surroundings;

/// A target that is measured alone.
#[derive(Debug)]
pub(crate) struct LoneTarget {
    plan: TargetPlan,
    serves: Serves,
}

/// What a result says of a target beside its name.
#[derive(Debug, Default)]
pub(crate) struct TargetFacts {
    /// What tells it from others.
    pub(crate) device: BTreeMap<String, String>,
    /// How it was set.
    pub(crate) settings: BTreeMap<String, String>,
}

impl LoneTarget {
    /// The target called `name`.
    pub(crate) fn new(name: &str, (kind, serves): (TargetKind, Serves)) -> Self {
        let plan = TargetPlan {
            target: name.to_owned(),
            host: String::new(),
            kind,
            size_bytes: 0,
            alignment_bytes: 1,
        };
        Self { plan, serves }
    }

    /// The place for a plan, on a machine that `surroundings` know.
    pub(crate) fn site(&self, surroundings: &dyn Surroundings) -> Site<'static> {
        let found = FoundTarget {
            plan: self.plan.clone(),
            serves: self.serves.clone(),
            durable: Durable::Unknown,
            settable: Settable::No,
        };
        let engine = |_: &_| Ok(Engine::Threads);
        Site { targets: vec![found], cpus: surroundings.cpus().len(), engine: Box::new(engine) }
    }

    /// That it is the target of `plan`.
    ///
    /// # Errors
    /// When the plan has another one.
    pub(crate) fn check(&self, plan: &Plan) -> Result<(), Fault> {
        match plan.targets.as_slice() {
            [planned] if *planned == self.plan => Ok(()),
            _ => Err(no_longer(&self.plan.target)),
        }
    }

    /// The environment of a result: the machine, and the target with its `facts`.
    pub(crate) fn environment(
        &self,
        surroundings: &dyn Surroundings,
        facts: TargetFacts,
    ) -> Environment {
        let host = surroundings.environment();
        let target = TargetEnvironment {
            target: self.plan.target.clone(),
            host: host.host.clone(),
            kind: self.plan.kind,
            size_bytes: self.plan.size_bytes,
            file_system: String::new(),
            device: facts.device,
            settings: facts.settings,
            class: None,
            model: None,
        };
        Environment {
            targets: vec![target],
            hosts: vec![host],
            published: Vec::new(),
            imported: None,
        }
    }
}
