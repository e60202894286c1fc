//! What a configuration says, as data.

/// A configuration.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Setup {
    /// As its first line has it: `1.1.0`.
    pub(super) version: String,
    pub(super) description: String,
    /// Line and seconds; 0 runs until it is stopped.
    pub(super) run_s: Option<(usize, u64)>,
    pub(super) ramp_s: Option<(usize, u64)>,
    pub(super) default_workers: Option<(usize, String)>,
    pub(super) test_type: Option<(usize, TestType)>,
    pub(super) worker_cycling: Option<Cycling>,
    pub(super) queue_cycling: Option<Cycling>,
    pub(super) specifications: Vec<Specification>,
    pub(super) workers: Vec<Worker>,
    /// Keys that no version known here has, with their lines.
    pub(super) unknown: Vec<(usize, String)>,
}

/// What changes from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestType {
    Normal,
    Targets,
    Workers,
    WorkersAndTargets,
    Outstanding,
    OutstandingAndTargets,
}

impl TestType {
    /// The type of a word; `None` if there is none.
    pub(super) fn of(word: &str) -> Option<Self> {
        match word.to_ascii_uppercase().as_str() {
            "NORMAL" => Some(Self::Normal),
            "CYCLE_TARGETS" | "INCREMENT_TARGETS_PARALLEL" | "INCREMENT_TARGETS_SERIAL" => {
                Some(Self::Targets)
            }
            "CYCLE_WORKERS" => Some(Self::Workers),
            "CYCLE_WORKERS_AND_TARGETS" => Some(Self::WorkersAndTargets),
            "CYCLE_OUTSTANDING_IOS" => Some(Self::Outstanding),
            "CYCLE_OUTSTANDING_IOS_AND_TARGETS" => Some(Self::OutstandingAndTargets),
            _ => None,
        }
    }

    /// Whether outstanding I/Os change.
    pub(super) const fn is_of_outstanding(self) -> bool {
        matches!(self, Self::Outstanding | Self::OutstandingAndTargets)
    }

    /// Whether the number of workers changes.
    pub(super) const fn is_of_workers(self) -> bool {
        matches!(self, Self::Workers | Self::WorkersAndTargets)
    }

    /// Whether the number of targets changes.
    pub(super) const fn is_of_targets(self) -> bool {
        matches!(self, Self::Targets | Self::WorkersAndTargets | Self::OutstandingAndTargets)
    }
}

/// Steps of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cycling {
    pub(super) line: usize,
    pub(super) start: u64,
    /// `None` where the number of workers is the end.
    pub(super) end: Option<u64>,
    pub(super) step: u64,
    pub(super) growth: Growth,
}

/// How a cycle goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth {
    Linear,
    Exponential,
}

impl Cycling {
    /// The steps up to `end`, at most one more than `most`.
    pub(super) fn steps(&self, end: u64, most: usize) -> Vec<u64> {
        let next = |step: &u64| match self.growth {
            Growth::Linear => step.checked_add(self.step.max(1)),
            Growth::Exponential => step.checked_mul(self.step.max(2)),
        };
        std::iter::successors(Some(self.start.max(1)), next)
            .take_while(|step| *step <= end)
            .take(most + 1)
            .collect()
    }
}

/// An access specification.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Specification {
    pub(super) line: usize,
    pub(super) name: String,
    pub(super) assignment: Assignment,
    pub(super) lines: Vec<SpecificationLine>,
}

/// Which new workers get a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assignment {
    None,
    All,
    Disk,
    Network,
}

/// A line of a specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpecificationLine {
    pub(super) line: usize,
    pub(super) size: u64,
    pub(super) share: u64,
    pub(super) reads: u64,
    pub(super) random: u64,
    pub(super) delay_ms: u64,
    pub(super) burst: u64,
    /// Bytes; 0 is a sector.
    pub(super) align: u64,
    /// Bytes; 0 is none.
    pub(super) reply: u64,
}

/// A worker of a manager.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Worker {
    pub(super) line: usize,
    /// The number of its manager, from 1; each has its own targets.
    pub(super) manager: usize,
    pub(super) name: String,
    pub(super) is_network: bool,
    pub(super) outstanding: Option<(usize, u64)>,
    /// Line and number of I/Os after which a target is closed and opened again, as it is typed; `None` if it stays open.
    pub(super) reopens: Option<(usize, String)>,
    /// Line and seed of random numbers, as it is typed, if it is fixed.
    pub(super) seed: Option<(usize, String)>,
    /// Line, sectors that are used (0 is all of them), first sector.
    pub(super) disk: Option<(usize, u64, u64)>,
    /// Line and number: 0 repeats a byte, 1 and 2 are random.
    pub(super) pattern: Option<(usize, u64)>,
    pub(super) specifications: Vec<(usize, String)>,
    pub(super) targets: Vec<(usize, String)>,
}
