//! This machine as a testbed for loads that are not block I/O.

use std::collections::BTreeMap;
use std::ops::Range;

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::trust::Observation;
use kneepoint_core::measure::{Observer, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::{FoundTarget, Serves, Site, Wishes, no_longer};
use kneepoint_core::plan::{Engine, Plan, TargetKind, TargetPlan};
use kneepoint_core::result::{Environment, HostEnvironment, TargetEnvironment};
use kneepoint_core::words::fault::Fault;

use crate::instrument::BusinessInstrument;

/// The target of business operations in memory, as the command line has it.
pub const MEMORY: &str = "memory:";

/// The machine around a load, as only its kernel knows it.
pub trait Surroundings {
    /// Begins to watch the machine.
    fn watch(&self) -> Box<dyn Watcher>;

    /// The machine as it is now.
    fn environment(&self) -> HostEnvironment;

    /// Processors that this program may use.
    fn cpus(&self) -> usize;
}

/// Watches the machine during a point.
pub trait Watcher {
    /// Takes a reading after that many whole intervals of the point.
    fn read(&mut self, intervals: usize);

    /// What was seen over the intervals that counted, and the processor time of this process, in percent of
    /// one processor; `None` for a point that was too short.
    fn finish(self: Box<Self>, counted: Range<usize>) -> Option<(Observation, f64)>;
}

/// Warehouses in the memory of this machine.
pub struct ServerTestbed<'a> {
    surroundings: &'a dyn Surroundings,
    instrument: BusinessInstrument<'a>,
}

impl<'a> ServerTestbed<'a> {
    /// Whether `target` names one of these.
    pub fn is_named_by(target: &str) -> bool {
        target == MEMORY
    }

    /// The targets called `names` on a machine that `surroundings` watch.
    ///
    /// # Errors
    /// When there is another, or more than one.
    pub fn look(names: &[String], surroundings: &'a dyn Surroundings) -> Result<Self, Fault> {
        match names {
            [name] if Self::is_named_by(name) => {
                Ok(Self { surroundings, instrument: BusinessInstrument::new(surroundings) })
            }
            _ => Err(Fault::new("business operations are measured on one target")
                .because("they use the processors and the memory of the whole machine")
                .fix(format!("name {MEMORY} alone"))),
        }
    }
}

impl Testbed for ServerTestbed<'_> {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        let found = FoundTarget { plan: target(), serves: Serves::Business };
        let engine = |_: &_| Ok(Engine::Threads);
        Site { targets: vec![found], cpus: self.surroundings.cpus(), engine: Box::new(engine) }
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        match plan.targets.as_slice() {
            [planned] if *planned == target() => Ok(()),
            _ => Err(no_longer(MEMORY)),
        }
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        _next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        observer.go_on()?;
        Ok(Ready { plan, instrument: &mut self.instrument })
    }

    fn environment(&self, plan: &Plan) -> Environment {
        let host = self.surroundings.environment();
        let target = |planned: &TargetPlan| TargetEnvironment {
            target: planned.target.clone(),
            host: host.host.clone(),
            kind: planned.kind,
            size_bytes: planned.size_bytes,
            file_system: String::new(),
            device: BTreeMap::new(),
            settings: BTreeMap::new(),
            class: None,
            model: None,
        };
        Environment {
            targets: plan.targets.iter().map(target).collect(),
            hosts: vec![host.clone()],
            published: Vec::new(),
        }
    }
}

/// The target as a plan has it.
fn target() -> TargetPlan {
    TargetPlan {
        target: MEMORY.to_owned(),
        host: String::new(),
        kind: TargetKind::Database,
        size_bytes: 0,
        alignment_bytes: 1,
    }
}
