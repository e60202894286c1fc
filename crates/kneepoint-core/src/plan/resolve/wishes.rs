//! The two things that a plan is resolved from: what the user wishes, and the place where it is to
//! be measured, as data.

use serde::{Deserialize, Serialize};

use super::defaults;
use crate::plan::{
    Arrivals, Caching, Engine, MemoryPages, ReferenceRun, TargetKind, TargetPlan, TypedLoads,
};
use crate::spec::factor::{Combination, CombinationOrder, Design, Factor};
use crate::spec::profile::ResolvedProfile;
use crate::spec::trace::{TraceFit, TracePart};
use crate::words::fault::Fault;
use crate::words::rule::Rule;
use crate::words::storage_class::TargetClass;
use crate::words::units::{Bytes, Nanos, Percent};

/// What a user asks of a run; `None` and empty lists leave it to the suite, or else to the
/// defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct Wishes {
    /// Bytes of each target to use.
    pub size: Option<Bytes>,
    /// Block sizes instead of the profiles'.
    pub blocks: Vec<Bytes>,
    /// Load levels of every series.
    pub loads: Option<TypedLoads>,
    /// The number of warehouses at which business operations are expected to be fastest.
    pub peak_warehouses: Option<u32>,
    /// Spacing of I/Os that are offered at a rate.
    pub arrivals: Arrivals,
    /// Conditions that summaries are read off at.
    pub rules: Vec<Rule>,
    /// Half-width of the confidence intervals at which a point ends.
    pub accuracy: Option<Percent>,
    /// Shortest time to measure a point.
    pub min_time: Option<Nanos>,
    /// Longest time to measure a point.
    pub max_time: Option<Nanos>,
    /// The time to measure each point, whatever the accuracy.
    pub time: Option<Nanos>,
    /// Length of rounds in which a point is measured until steady state.
    pub steady_state: Option<Nanos>,
    /// Warm-up of each point.
    pub ramp: Option<Nanos>,
    /// How often everything is measured.
    pub repeat: Option<u32>,
    /// Settings that are varied beside those of the suite.
    pub factors: Vec<Factor>,
    /// Which of their combinations are measured.
    pub design: Option<Design>,
    /// In which order.
    pub order: Option<CombinationOrder>,
    /// How the load levels are used.
    pub search: Search,
    /// How much is measured.
    pub extent: Extent,
    /// Whether the targets are written over before the first point.
    pub is_preconditioned: bool,
    /// What is replayed of a trace, and how.
    pub trace: TraceWishes,
    /// Whether all data is verified.
    pub is_verified: bool,
    /// How I/O is issued; `None` for the best that works.
    pub engine: Option<Engine>,
    /// Past the page cache or through it.
    pub caching: Caching,
    /// Pages of memory that the buffers of I/Os lie in.
    pub memory_pages: MemoryPages,
    /// Threads that drive the load.
    pub workers: Option<u32>,
    /// The seed of all randomness.
    pub seed: u64,
    /// A point with more failed I/Os than this ends at once.
    pub errors_max: u64,
    /// Share of the processors whose use by other programs disturbs a point.
    pub foreign_cpu_max: Option<Percent>,
    /// The stored run whose response times rules refer to; `None` to measure them.
    pub reference: Option<Box<ReferenceRun>>,
}

impl Default for Wishes {
    /// Nothing in particular.
    fn default() -> Self {
        Self {
            size: None,
            blocks: Vec::new(),
            loads: None,
            peak_warehouses: None,
            arrivals: Arrivals::Exponential,
            rules: Vec::new(),
            accuracy: None,
            min_time: None,
            max_time: None,
            time: None,
            steady_state: None,
            ramp: None,
            repeat: None,
            factors: Vec::new(),
            design: None,
            order: None,
            search: Search::AsGiven,
            extent: Extent::Whole,
            is_preconditioned: false,
            trace: TraceWishes::default(),
            is_verified: false,
            engine: None,
            caching: Caching::Direct,
            memory_pages: MemoryPages::Small,
            workers: None,
            seed: defaults::SEED,
            errors_max: defaults::ERRORS_MAX,
            foreign_cpu_max: None,
            reference: None,
        }
    }
}

impl Wishes {
    /// Whether a first impression is enough.
    pub(super) fn is_quick(&self) -> bool {
        self.extent == Extent::Quick
    }
}

/// What is replayed of a trace, and how; by default all of it, at its own rate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TraceWishes {
    /// The part of it.
    pub part: TracePart,
    /// How its addresses come onto targets of other sizes.
    pub fit: TraceFit,
    /// Load levels as multiples of its own rate; empty for that rate alone.
    pub speeds: Vec<f64>,
}

/// How the load levels are to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// As the work and the other wishes say.
    AsGiven,
    /// Only as far as it takes to find where each rule is met.
    Knee,
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// A first impression.
    Quick,
}

/// What is asked of every target before it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetRequest {
    /// Bytes to use, if the user says.
    pub size: Option<Bytes>,
    /// Size of a test file that has none yet.
    pub test_file: Bytes,
    /// What the series do to it.
    pub access: Access,
    /// What it holds before the first point.
    #[serde(default)]
    pub contents: Contents,
}

/// What a target holds before the first point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Contents {
    /// What is there, where it is enough.
    #[default]
    AsFound,
    /// Data that can be verified, written again in any case.
    Verified,
}

/// What the series do to the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// They only read.
    ReadOnly,
    /// They write, too.
    Writing,
}

/// A target as it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTarget {
    /// Its entry in the plan.
    pub plan: TargetPlan,
    /// What it serves.
    pub serves: Serves,
    /// What it can make durable.
    pub durable: Durable,
    /// Whether a series can choose its settings.
    #[serde(default)]
    pub settable: Settable,
}

/// Whether a series can choose the settings of a target.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Settable {
    /// It keeps its settings for the whole run, apart from factors.
    #[default]
    No,
    /// It is built again for each series, and these are the settings that its name says.
    BySeries(Combination),
}

/// What a target can make durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Durable {
    /// Writes one by one, and all together by a flush.
    WritesAndFlushes,
    /// All together by a flush.
    Flushes,
    /// It does not know what that costs.
    Unknown,
}

impl Durable {
    /// Whether it knows writes that are durable at once.
    pub const fn knows_sync(self) -> bool {
        matches!(self, Self::WritesAndFlushes)
    }

    /// Whether it knows flushes.
    pub const fn knows_flushes(self) -> bool {
        matches!(self, Self::WritesAndFlushes | Self::Flushes)
    }
}

/// What a target serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Serves {
    /// I/O, as storage of this class.
    Io(TargetClass),
    /// Users.
    Users,
    /// Users at screens.
    Screens,
    /// Business operations.
    Business,
    /// Copies of programs.
    Copies,
    /// Operations on files.
    Files,
}

impl Serves {
    /// The class of storage; `None` for what is none.
    pub const fn class(&self) -> Option<&TargetClass> {
        match self {
            Self::Io(class) => Some(class),
            Self::Users | Self::Screens | Self::Business | Self::Copies | Self::Files => None,
        }
    }
}

/// Chooses the engine for a profile, if the user has not.
pub type ChooseEngine<'a> = Box<dyn Fn(&ResolvedProfile) -> Result<Engine, Fault> + 'a>;

/// Where a plan is to be measured.
pub struct Site<'a> {
    /// The targets, at least one.
    pub targets: Vec<FoundTarget>,
    /// CPUs that the generator may use.
    pub cpus: usize,
    /// What issues I/O here.
    pub engine: ChooseEngine<'a>,
}

impl Site<'_> {
    /// The kind of all targets: real, simulated and null targets cannot be mixed.
    pub(super) fn kind(&self) -> Result<TargetKind, Fault> {
        let group = |found: &FoundTarget| match found.plan.kind {
            TargetKind::File | TargetKind::Block => TargetKind::Block,
            other => other,
        };
        let first = group(&self.targets[0]);
        match self.targets.iter().find(|target| group(target) != first) {
            None => Ok(first),
            Some(other) => Err(not_together(&self.targets[0].plan.target, &other.plan.target)),
        }
    }
}

/// That a target is not what it was when its plan was made.
pub fn no_longer(target: &str) -> Fault {
    Fault::new(format!("{target} is no longer what the run was begun on"))
        .because("its kind, size or alignment has changed")
        .fix("begin a new run")
}

/// That a target is named twice.
pub fn named_twice(what: String) -> Fault {
    Fault::new(what).fix("name each target once; --workers spreads one target over several threads")
}

/// That two targets cannot be measured in one run.
pub fn not_together(first: &str, other: &str) -> Fault {
    Fault::new(format!("{first} and {other} cannot be measured together"))
        .because("real, simulated and null targets have different clocks")
        .fix("measure them in runs of their own")
}
