//! This machine as a testbed for loads that are not block I/O.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::process::ExitStatus;
use std::time::Duration;

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::trust::Observation;
use kneepoint_core::measure::{Instrument, Observer, Ready, Stop, Testbed};
use kneepoint_core::plan::resolve::{Serves, Site, Wishes};
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::{Environment, HostEnvironment};
use kneepoint_core::spec::factor::Factor;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use crate::calm::Calm;
use crate::instrument::BusinessInstrument;
use crate::processor::{CPUS, ProcessorInstrument, check_cpus};
use crate::target::{LoneTarget, TargetFacts};

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

    /// Those of them that are second threads of a core, each with the first one of it.
    fn hyper_threads(&self) -> Vec<(usize, usize)>;

    /// Whether the machine has a setting that a factor of that name varies; it is then set before each point.
    fn sets(&self, factor: &str) -> bool;

    /// Keeps the process `child` on one processor.
    ///
    /// # Errors
    /// When the kernel refuses.
    fn pin(&self, child: u32, cpu: usize) -> Result<(), Fault>;

    /// What waits for a child of this process that has ended.
    fn reaper(&self) -> Reap;

    /// Watches for `time`; says what keeps the machine from being quiet, if something does.
    fn unrest(&self, time: Duration) -> Option<String>;

    /// A note on a machine whose processors are wanted by others right now.
    fn pressure(&self) -> Option<String>;
}

/// Waits until a child of this process has ended, by its number.
pub type Reap = fn(u32) -> io::Result<EndedChild>;

/// A child that has ended.
#[derive(Debug, Clone, Copy)]
pub struct EndedChild {
    /// How.
    pub status: ExitStatus,
    /// Processor time that it used, and its own children for which it waited.
    pub processor: Nanos,
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
    target: LoneTarget,
    load: Load<'a>,
    calm: Calm,
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

    /// The target.
    fn target(&self) -> LoneTarget {
        match self {
            Self::Business(_) => LoneTarget::new(MEMORY, (TargetKind::Database, Serves::Business)),
            Self::Processor(_) => {
                LoneTarget::new(PROCESSOR, (TargetKind::Processor, Serves::Copies))
            }
        }
    }

    /// What a result says of it.
    fn facts(&self, surroundings: &dyn Surroundings) -> TargetFacts {
        match self {
            Self::Business(_) => TargetFacts::default(),
            Self::Processor(instrument) => {
                let settings = instrument.facts().into_iter().chain(topology(surroundings));
                TargetFacts { settings: settings.collect(), ..TargetFacts::default() }
            }
        }
    }
}

/// The processors that copies are kept on: how many, of how many cores, and which are hyper-threads.
fn topology(surroundings: &dyn Surroundings) -> BTreeMap<String, String> {
    let (cpus, threads) = (surroundings.cpus().len(), surroundings.hyper_threads());
    let shared: Vec<String> =
        threads.iter().map(|(thread, first)| format!("{first}+{thread}")).collect();
    let shared = if shared.is_empty() { "none".to_owned() } else { shared.join(", ") };
    [
        ("processors", cpus.to_string()),
        ("cores", cpus.saturating_sub(threads.len()).to_string()),
        ("hyper_threads", shared),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

impl<'a> ServerTestbed<'a> {
    /// Whether `target` names one of these.
    pub fn is_named_by(target: &str) -> bool {
        [MEMORY, PROCESSOR].contains(&target)
    }

    /// The targets called `names` on a machine that `surroundings` watch.
    ///
    /// # Errors
    /// When there is another, or more than one.
    pub fn look(names: &[String], surroundings: &'a dyn Surroundings) -> Result<Self, Fault> {
        let load = match names {
            [name] if name == MEMORY => Load::Business(BusinessInstrument::new(surroundings)),
            [name] if name == PROCESSOR => {
                Load::Processor(Box::new(ProcessorInstrument::new(surroundings)))
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
        Ok(Self { surroundings, target: load.target(), load, calm: Calm::default() })
    }
}

impl ServerTestbed<'_> {
    /// Refuses a factor that nothing would set.
    ///
    /// # Errors
    /// When nothing sets it, or not to one of its levels.
    fn check_factor(&self, plan: &Plan, factor: &Factor) -> Result<(), Fault> {
        if factor.commands.is_some() || self.surroundings.sets(&factor.name) {
            return Ok(());
        }
        match (&self.load, factor.name.as_str()) {
            (Load::Processor(_), CPUS) => check_cpus(factor, self.surroundings.cpus().len()),
            (load, name) => {
                let target = &plan.targets[0].target;
                let known = match load {
                    Load::Business(_) => "cgroup.cpu_quota and frequency",
                    Load::Processor(_) => "cpus, cgroup.cpu_quota and frequency",
                };
                Err(Fault::new(format!("{target} has no setting {name}"))
                    .because(format!("what Kneepoint varies there by itself is {known}"))
                    .fix("set it by commands, in a suite of your own: docs/factors.md"))
            }
        }
    }
}

impl Testbed for ServerTestbed<'_> {
    fn site<'a>(&'a self, _wishes: &'a Wishes) -> Site<'a> {
        self.target.site(self.surroundings)
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        self.target.check(plan)?;
        let mut factors = plan.factors.iter().flat_map(|factors| &factors.factors);
        factors.try_for_each(|factor| self.check_factor(plan, factor))?;
        match &self.load {
            Load::Business(_) => Ok(()),
            Load::Processor(instrument) => instrument.check(plan),
        }
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        _next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        self.calm.await_point(self.surroundings, observer)?;
        if let Load::Processor(instrument) = &mut self.load {
            instrument.make_ready(plan, observer)?;
        }
        Ok(Ready { plan, instrument: self.load.instrument() })
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        self.calm = Calm::new(longest, self.surroundings);
    }

    fn environment(&self, _plan: &Plan) -> Environment {
        self.target.environment(self.surroundings, self.load.facts(self.surroundings))
    }
}
