//! This machine as a testbed for loads that are not block I/O.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::trust::Observation;
use kneepoint_core::measure::{Instrument, Observer, Patience, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::{FoundTarget, Serves, Site, Wishes, no_longer};
use kneepoint_core::plan::{Engine, Plan, TargetKind, TargetPlan};
use kneepoint_core::result::{Environment, HostEnvironment, TargetEnvironment};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use crate::instrument::BusinessInstrument;
use crate::processor::{ProcessorInstrument, Programs};

/// The target of business operations in memory, as the command line has it.
pub const MEMORY: &str = "memory:";

/// The target of copies of programs, as the command line has it.
pub const PROCESSOR: &str = "cpu:";

/// The machine around a load, as only its kernel knows it.
pub trait Surroundings {
    /// Begins to watch the machine.
    fn watch(&self) -> Box<dyn Watcher>;

    /// The machine as it is now.
    fn environment(&self) -> HostEnvironment;

    /// Processors that this program may use, those of different cores first.
    fn cpus(&self) -> Vec<usize>;

    /// Keeps the process `child` on one processor.
    ///
    /// # Errors
    /// When the kernel refuses.
    fn pin(&self, child: u32, cpu: usize) -> Result<(), Fault>;

    /// Watches for `time`; says what keeps the machine from being quiet, if something does.
    fn unrest(&self, time: Duration) -> Option<String>;

    /// A note on a machine whose processors are wanted by others right now.
    fn pressure(&self) -> Option<String>;
}

/// Watches the machine during a point.
pub trait Watcher {
    /// Takes a reading after that many whole intervals of the point.
    fn read(&mut self, intervals: usize);

    /// What was seen over the intervals that counted, and the processor time of this process, in percent of
    /// one processor; `None` for a point that was too short.
    fn finish(self: Box<Self>, counted: Range<usize>) -> Option<(Observation, f64)>;
}

/// Something of this machine that is loaded with work other than I/O.
pub struct ServerTestbed<'a> {
    surroundings: &'a dyn Surroundings,
    load: Load<'a>,
    /// How much longer it waits for a quiet machine; `None` if it does not.
    patience: Option<Patience>,
    /// The note on a machine that was busy before anything was done, until it is told.
    busy: Option<String>,
}

/// What is loaded, with what.
enum Load<'a> {
    /// Memory with business operations.
    Business(BusinessInstrument<'a>),
    /// The processors with copies of programs.
    Processor(Box<ProcessorInstrument<'a>>),
}

impl Load<'_> {
    fn instrument(&mut self) -> &mut dyn Instrument {
        match self {
            Self::Business(instrument) => instrument,
            Self::Processor(instrument) => &mut **instrument,
        }
    }

    /// The target as a plan has it.
    fn target(&self) -> TargetPlan {
        let (name, kind) = match self {
            Self::Business(_) => (MEMORY, TargetKind::Database),
            Self::Processor(_) => (PROCESSOR, TargetKind::Processor),
        };
        TargetPlan {
            target: name.to_owned(),
            host: String::new(),
            kind,
            size_bytes: 0,
            alignment_bytes: 1,
        }
    }

    const fn serves(&self) -> Serves {
        match self {
            Self::Business(_) => Serves::Business,
            Self::Processor(_) => Serves::Copies,
        }
    }

    /// What a result says of how it was set.
    fn settings(&self) -> BTreeMap<String, String> {
        match self {
            Self::Business(_) => BTreeMap::new(),
            Self::Processor(instrument) => instrument.programs().facts(),
        }
    }
}

impl<'a> ServerTestbed<'a> {
    /// Whether `target` names one of these.
    pub fn is_named_by(target: &str) -> bool {
        [MEMORY, PROCESSOR].contains(&target)
    }

    /// The targets called `names` on a machine that `surroundings` watch.
    ///
    /// # Errors
    /// When there is another, or more than one, or the programs for it are missing.
    pub fn look(names: &[String], surroundings: &'a dyn Surroundings) -> Result<Self, Fault> {
        let load = match names {
            [name] if name == MEMORY => Load::Business(BusinessInstrument::new(surroundings)),
            [name] if name == PROCESSOR => {
                let instrument = ProcessorInstrument::new(surroundings, Programs::find()?);
                Load::Processor(Box::new(instrument))
            }
            _ => {
                return Err(Fault::new(format!(
                    "{} cannot be measured together",
                    names.join(" and ")
                ))
                .because("work that is no I/O uses the processors of the whole machine")
                .fix(format!("name {MEMORY} or {PROCESSOR} alone")));
            }
        };
        Ok(Self { surroundings, load, patience: None, busy: None })
    }
}

impl Testbed for ServerTestbed<'_> {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        let found = FoundTarget { plan: self.load.target(), serves: self.load.serves() };
        let engine = |_: &_| Ok(Engine::Threads);
        let cpus = self.surroundings.cpus().len();
        Site { targets: vec![found], cpus, engine: Box::new(engine) }
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        let target = self.load.target();
        match plan.targets.as_slice() {
            [planned] if *planned == target => Ok(()),
            _ => Err(no_longer(&target.target)),
        }
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        _next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        if let Some(note) = self.busy.take() {
            observer.note(&format!("note: {note}"));
        }
        if let Some(patience) = &mut self.patience {
            patience.wait_by(observer, |time| self.surroundings.unrest(time));
        }
        observer.go_on()?;
        Ok(Ready { plan, instrument: self.load.instrument() })
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.patience = longest.map(Patience::new);
        self.busy = if longest.is_none() { self.surroundings.pressure() } else { None };
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
            settings: self.load.settings(),
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
