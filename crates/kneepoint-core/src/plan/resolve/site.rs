//! Where a plan is to be measured, as data.

use crate::plan::{Engine, TargetKind, TargetPlan};
use crate::spec::profile::ResolvedProfile;
use crate::words::fault::Fault;
use crate::words::storage_class::TargetClass;
use crate::words::units::Bytes;

/// What is asked of every target before it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetRequest {
    /// Bytes to use, if the user says.
    pub size: Option<Bytes>,
    /// Size of a test file that has none yet.
    pub test_file: Bytes,
    /// What the series do to it.
    pub access: Access,
}

/// What the series do to the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// They only read.
    ReadOnly,
    /// They write, too.
    Writing,
}

/// A target as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTarget {
    /// Its entry in the plan.
    pub plan: TargetPlan,
    /// What it serves.
    pub serves: Serves,
}

/// What a target serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Serves {
    /// I/O, as storage of this class.
    Io(TargetClass),
    /// Users.
    Users,
}

impl Serves {
    /// The class of storage; `None` for what is none.
    pub const fn class(&self) -> Option<&TargetClass> {
        match self {
            Self::Io(class) => Some(class),
            Self::Users => None,
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
