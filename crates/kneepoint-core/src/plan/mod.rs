//! The plan: what a run will do, with no defaults left.
//!
//! A profile or a suite is what the user wrote; a [`Plan`] is what that resolves to for the given
//! targets and options. Everything that influences a measurement is inside, the seed included, so
//! the plan's hash names the experiment, and a stored plan can be run again years later.

mod file_set;
pub mod omission;
mod part;
mod precondition;
mod reference;
pub mod resolve;
mod rounds;
mod series;
mod together;
mod verification;

pub use file_set::{FileSet, SetFile};
pub use omission::Omission;
pub use part::HostShare;
pub use precondition::{Precondition, RandomWrites, SequentialPass};
pub use reference::{Reference, ReferenceOrigin, ReferenceRun, ReferenceSeries, ReferenceValue};
pub use rounds::RoundPlan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub(crate) use series::shuffle;
pub use series::{Overrides, PlanBlock, SeriesPlan, TypedLoads, blocks};
use sha2::{Digest, Sha256};
pub use together::{Member, Together};
pub(crate) use together::{companions, outstanding_max};
pub use verification::Verification;

use crate::spec::factor::Factors;
use crate::spec::file_copy::FileCopy;
use crate::spec::grid::{KneeGoal, KneePlan, SearchPlan};
use crate::spec::profile::{ExternalMember, ResolvedProfile};
use crate::words::rule::Rule;
use crate::words::storage_class::TargetClass;
use crate::words::units::{Nanos, Percent};

/// Levels that a search by visits usually rises over.
const PROBES_USUAL: usize = 8;

/// Visits that each of its answers usually takes (docs/confidence.md).
const VISITS_USUAL: usize = 12;

/// The version of the plan's format.
pub const PLAN_SCHEMA: &str = "kneepoint.plan/1";

/// Everything that a run does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`PLAN_SCHEMA`].
    pub schema: String,
    /// Name of the suite or profile.
    pub work: String,
    /// Its title for people.
    pub title: String,
    /// All randomness of the run comes from here.
    pub seed: u64,
    /// What is measured; the targets of a host of a fleet stand together.
    pub targets: Vec<TargetPlan>,
    /// The number of the first target in the plan of the whole fleet, where this is a host's part of
    /// it; otherwise 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first_target: u32,
    /// What a host has of loads of the whole run, where this is its part of the plan of a fleet.
    #[serde(default = "whole", skip_serializing_if = "HostShare::is_whole")]
    pub share: HostShare,
    /// How I/O is issued.
    pub engine: EnginePlan,
    /// Series in the order in which they run.
    pub series: Vec<SeriesPlan>,
    /// Settings that are varied, and how; `None` where nothing is. Their combinations stand in the
    /// series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factors: Option<Factors>,
    /// How often everything is measured, at least once.
    pub repetitions: u32,
    /// When they end if each is a round over all series in their order; `None` if they are independent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<RoundPlan>,
    /// Conditions that the summaries are read off at.
    pub rules: Vec<Rule>,
    /// The reference of the rules, if another run has measured it; their limits are times then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// The class of storage that the rules were taken from; `None` where the user or the suite
    /// names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_class: Option<TargetClass>,
    /// How I/Os arrive where a rate is offered.
    pub open_loop: OpenLoop,
    /// Files that are copied after the last point; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_copy: Option<FileCopy>,
    /// What is written before the first point; `None` to measure the targets as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<Precondition>,
    /// How data is verified; `None` if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// Phases of each point.
    pub timing: Timing,
    /// A point with more I/O errors than this ends at once and has failed.
    pub errors_max: u64,
    /// A point is disturbed if other programs use more than this share of the processors, whatever
    /// they can have changed; `None` if only that is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign_cpu_max: Option<Percent>,
    /// What the plan left out of the suite, and why.
    pub omissions: Vec<Omission>,
}

impl Plan {
    /// SHA-256 of the plan's canonical JSON, in lower-case hexadecimal digits.
    pub fn hash(&self) -> String {
        let json = serde_json::to_vec(self).expect("a plan is plain data");
        Sha256::digest(&json).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The profiles of the series that do I/O.
    pub fn io_profiles(&self) -> impl Iterator<Item = &ResolvedProfile> {
        self.series.iter().filter_map(|series| series.profile.storage())
    }

    /// Whether any series writes.
    pub fn writes(&self) -> bool {
        self.series.iter().any(|series| series.profile.writes())
    }

    /// Whether the plan starts commands of the user's own.
    pub fn has_commands(&self) -> bool {
        let mut factors = self.factors.iter().flat_map(|factors| &factors.factors);
        factors.any(|factor| factor.commands.is_some()) || self.external_members().next().is_some()
    }

    /// The programs of the user's own that are run, each once.
    pub fn external_members(&self) -> impl Iterator<Item = &ExternalMember> {
        let members = || self.series.iter().filter_map(|series| series.profile.external());
        members().enumerate().filter_map(move |(index, work)| {
            let is_new = !members().take(index).any(|other| other.external == work.external);
            is_new.then_some(&work.external)
        })
    }

    /// Largest block that any series issues, in bytes.
    pub fn block_bytes_max(&self) -> u64 {
        self.series.iter().map(|series| series.profile.block_bytes_max()).max().unwrap_or(0)
    }

    /// Points of all series and repetitions; where the knee is searched for, the levels that the
    /// search rises over, without what it takes to narrow the brackets: at most these where only
    /// saturation is looked for; of a search by visits what it usually takes, and of passes the least.
    pub fn point_count(&self) -> usize {
        let once: usize = self.series.iter().map(|series| self.points_of(series)).sum();
        once * self.repetitions_min() as usize
    }

    /// How often everything is measured at the least.
    pub fn repetitions_min(&self) -> u32 {
        let most = self.repetitions.max(1);
        if let Some(rounds) = &self.rounds {
            return rounds.least().min(most);
        }
        match self.passes_min() {
            0 => most,
            least => least.min(most),
        }
    }

    /// Passes at the least; 0 if the plan has none.
    pub const fn passes_min(&self) -> u32 {
        match self.timing.stop {
            StopRule::Rounds { passes_min, .. } => passes_min,
            _ => 0,
        }
    }

    /// Points of a series in one repetition.
    fn points_of(&self, series: &SeriesPlan) -> usize {
        let levels = series.loads.levels.len();
        match self.answers_of(series) {
            None => levels,
            Some(answers) => levels.min(PROBES_USUAL) + answers * VISITS_USUAL,
        }
    }

    /// The numbers that a search by visits of a series looks for: a load for each rule, and the peak
    /// if that is a goal; `None` for a series that is measured otherwise.
    pub fn answers_of(&self, series: &SeriesPlan) -> Option<usize> {
        let SearchPlan::Knee(KneePlan { answer: Some(_), goal, .. }) = series.search else {
            return None;
        };
        let peaks = usize::from(goal == KneeGoal::RulesAndPeak);
        Some((self.rules.len() + peaks).max(1))
    }
}

/// Whether the loads of `plan`, the JSON of one, are visited by turns with those of another run; none of
/// another version were.
pub fn is_by_turns(plan: &Value) -> bool {
    let plan = Plan::deserialize(plan);
    plan.is_ok_and(|plan| plan.series.iter().any(|series| series.search == SearchPlan::ByTurns))
}

/// One target of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetPlan {
    /// As the user named it: a path, `null:` or `sim:...`; of a fleet, behind the host and a colon.
    pub target: String,
    /// The host of a fleet that drives it; empty for the machine that measures.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// What it is.
    pub kind: TargetKind,
    /// Bytes from the target's start that I/O may touch.
    pub size_bytes: u64,
    /// Smallest unit of offset and length that the target takes, in bytes.
    pub alignment_bytes: u64,
}

impl TargetPlan {
    /// Whether files can be copied beside the target.
    pub fn takes_copies(&self) -> bool {
        self.kind == TargetKind::File
    }
}

/// The load of a plan that is no part of another.
const fn whole() -> HostShare {
    HostShare::WHOLE
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What kind of thing a target is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A regular file on a file system.
    File,
    /// A block device.
    Block,
    /// A simulated storage system in virtual time.
    Sim,
    /// No I/O at all: measures the generator itself.
    Null,
    /// Something that does business operations: warehouses in memory.
    Database,
    /// The processors of this machine, on which copies of programs work.
    Processor,
    /// A server of desktops, at whose screens users work.
    Desktop,
    /// A directory of a file system, in which files are created, looked up and deleted.
    Directory,
}

/// How I/O is issued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnginePlan {
    /// Which system interface.
    pub engine: Engine,
    /// Past the page cache or through it.
    pub caching: Caching,
    /// Pages of memory that I/Os are read to and written from; `None` where nothing is read or written, and in
    /// results of versions that used huge pages once the buffers reached 2 MiB, and small ones below that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_pages: Option<MemoryPages>,
    /// Threads that drive the load; several are pinned to a CPU each as far as there are CPUs.
    pub workers: u32,
}

crate::named! {
    /// The system interface that issues I/O.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Engine {
        /// The kernel's submission and completion rings.
        IoUring = "io_uring",
        /// The same, and a kernel thread polls the submission ring: no system call submits.
        #[serde(rename = "io_uring_sqpoll")]
        IoUringSqPoll = "io_uring_sqpoll",
        /// The same, and completions are polled for on the device: no interrupt. Direct I/O only,
        /// on devices that have queues for it.
        #[serde(rename = "io_uring_iopoll")]
        IoUringIoPoll = "io_uring_iopoll",
        /// Linux native asynchronous I/O (`io_submit`, `io_getevents`).
        Libaio = "libaio",
        /// `pread` and `pwrite`, one thread per outstanding I/O.
        Sync = "sync",
        /// Completes at once without I/O.
        Null = "null",
        /// A simulated system in virtual time.
        Sim = "sim",
        /// Threads that do work other than I/O, one for each unit of the load.
        Threads = "threads",
        /// Programs that are started for each round, one for each unit of the load.
        Processes = "processes",
    }
}

/// How I/Os arrive in an open loop, where a rate is offered whatever the target answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenLoop {
    /// Spacing of the arrivals.
    pub arrivals: Arrivals,
    /// Most I/Os in flight per target; arrivals beyond wait their turn, and their response time
    /// runs all the same.
    pub in_flight_max: u32,
}

/// The spacing of arrivals in an open loop.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Always the same time between two arrivals.
    Constant,
    /// Exponentially distributed times: a Poisson process, as many independent users make it.
    Exponential,
    /// Those of a trace, times one factor: its bursts and pauses at another mean rate.
    Recorded,
}

crate::named! {
    /// Whether I/O passes the page cache.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Caching {
        /// `O_DIRECT`: past the page cache.
        Direct = "direct",
        /// Through the page cache.
        Buffered = "buffered",
    }
}

crate::named! {
    /// Pages of memory that buffers of I/Os lie in.
    ///
    /// The kernel hands a device a buffer in pieces that are contiguous in memory: of 64 KiB in small pages up to 16, in
    /// huge ones a single one. So the pages decide how fast large I/Os are, where the device is fast.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum MemoryPages {
        /// Those of the processor's least size, 4 KiB on most: what programs get that ask for nothing else.
        Small = "small",
        /// Of 2 MiB: what databases can be told to use.
        Huge = "huge",
    }
}

/// Phases of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Warm-up before anything counts; a multiple of `interval`. The shortest one where the stop
    /// rule lets the data decide how long it is.
    pub ramp: Nanos,
    /// Length of the intervals that the recorder keeps.
    pub interval: Nanos,
    /// When measuring ends.
    pub stop: StopRule,
    /// How long outstanding I/Os may take to come back after the end.
    pub drain_max: Nanos,
}

impl Timing {
    /// Shortest time that a point takes.
    pub fn point_min(&self) -> Nanos {
        self.ramp + self.stop.measure_min()
    }

    /// Longest time that a point takes apart from draining.
    pub fn point_max(&self) -> Nanos {
        self.ramp + self.stop.measure_max()
    }
}

/// When measuring ends: the replaceable axis of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StopRule {
    /// After a fixed time.
    FixedTime {
        /// How long to measure; a multiple of the interval.
        measure: Nanos,
    },
    /// As soon as the means are known as accurately as asked for.
    Confidence {
        /// Largest half-width of the 95 % confidence intervals of IO/s and of the mean response
        /// time, as a share of the mean.
        accuracy: Percent,
        /// Largest change of either from the start of the measured time to its end, as a share of
        /// the mean; it must be below with 95 % confidence.
        drift: Percent,
        /// Shortest time to measure, after the ramp; a multiple of the interval.
        measure_min: Nanos,
        /// Longest time to measure; what the ramp takes beyond its shortest time counts towards
        /// it. A multiple of the interval.
        measure_max: Nanos,
    },
    /// As soon as the last rounds are steady; they are what is measured, everything before them
    /// is the ramp.
    SteadyState(SteadyState),
    /// Once enough bytes have moved.
    Volume {
        /// Bytes for each target, in the plan's order.
        target_bytes: Vec<u64>,
        /// Longest time that this may take; a multiple of the interval.
        measure_max: Nanos,
    },
    /// After rounds of copies of a program: as soon as what is asked for is known as accurately as asked for.
    Rounds {
        /// Largest half-width of the 95 % confidence interval of the rate, as a share of it; with passes of every
        /// geometric mean.
        accuracy: Percent,
        /// Rounds of a point at the least.
        rounds_min: u32,
        /// Rounds of a point at the most.
        rounds_max: u32,
        /// Repetitions of the plan at the least, each of which is a pass: further ones only until all geometric
        /// means are accurate enough. None in plans in which all rounds of a point follow one another.
        #[serde(default, skip_serializing_if = "is_zero")]
        passes_min: u32,
        /// How long a round is expected to take, on a machine such as the reference: for the time left.
        round: Nanos,
    },
}

/// Rounds of fixed length until the last of them agree: the test of the SNIA Solid State Storage
/// Performance Test Specification, version 2.0.2, section 2.1.24, on the IO/s of the rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteadyState {
    /// Length of a round; a multiple of the interval.
    pub round: Nanos,
    /// Rounds that the test looks at: the last this many.
    pub window: u32,
    /// Largest difference between two rounds of the window, as a share of its mean.
    pub range: Percent,
    /// Largest change of the least-squares line over the window, as a share of its mean.
    pub slope: Percent,
    /// After this many rounds the point ends, steady or not; at least `window`.
    pub rounds_max: u32,
}

impl StopRule {
    /// Longest time that measuring takes.
    pub const fn measure_max(&self) -> Nanos {
        match self {
            Self::FixedTime { measure } => *measure,
            Self::Confidence { measure_max, .. } | Self::Volume { measure_max, .. } => *measure_max,
            Self::SteadyState(rule) => Nanos(rule.round.0 * rule.rounds_max as u64),
            Self::Rounds { round, rounds_max, .. } => Nanos(round.0 * *rounds_max as u64),
        }
    }

    /// Shortest time that measuring takes.
    pub const fn measure_min(&self) -> Nanos {
        match self {
            Self::FixedTime { measure } => *measure,
            Self::Confidence { measure_min, .. } => *measure_min,
            Self::SteadyState(rule) => Nanos(rule.round.0 * rule.window as u64),
            Self::Volume { .. } => Nanos::ZERO,
            Self::Rounds { round, rounds_min, .. } => Nanos(round.0 * *rounds_min as u64),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::spec::grid::{LoadGrid, SearchPlan};
    use crate::spec::profile::{
        AddressRange, DataPattern, Distribution, Durability, ResolvedLine, SeriesProfile,
    };
    use crate::words::load::LoadUnit;

    /// The profile of the first series.
    pub(crate) fn io_profile(plan: &mut Plan) -> &mut ResolvedProfile {
        match &mut plan.series[0].profile {
            SeriesProfile::Storage(profile) => profile,
            _ => panic!("the plan does no I/O"),
        }
    }

    /// A plan of one series, 4 KiB random reads with one outstanding I/O, on `target_count`
    /// targets of 1 MiB.
    pub(crate) fn plan_of(target: &str, target_count: u32) -> Plan {
        let target = TargetPlan {
            target: target.to_owned(),
            host: String::new(),
            kind: TargetKind::Null,
            size_bytes: 1 << 20,
            alignment_bytes: 512,
        };
        Plan {
            schema: PLAN_SCHEMA.to_owned(),
            work: "test".to_owned(),
            title: "Test".to_owned(),
            seed: 1,
            targets: vec![target; target_count as usize],
            first_target: 0,
            share: HostShare::WHOLE,
            engine: EnginePlan {
                engine: Engine::Null,
                caching: Caching::Direct,
                memory_pages: None,
                workers: 1,
            },
            series: vec![series_of("test/4KiB")],
            factors: None,
            repetitions: 1,
            rounds: None,
            rules: vec!["mean<=20ms".parse().unwrap()],
            reference: None,
            target_class: None,
            open_loop: OpenLoop { arrivals: Arrivals::Exponential, in_flight_max: 64 },
            file_copy: None,
            precondition: None,
            verification: None,
            timing: Timing {
                ramp: Nanos::ZERO,
                interval: Nanos::from_millis(100),
                stop: StopRule::FixedTime { measure: Nanos::from_secs(1) },
                drain_max: Nanos::from_secs(10),
            },
            errors_max: 10,
            foreign_cpu_max: None,
            omissions: Vec::new(),
        }
    }

    fn series_of(name: &str) -> SeriesPlan {
        let line = ResolvedLine {
            share: Percent::FULL,
            block_bytes: 4096,
            read: Percent::FULL,
            write: crate::spec::profile::WriteKind::Data,
            random: Percent::FULL,
            burst: 1,
            delay: Nanos::ZERO,
            align_bytes: 4096,
            gap_bytes: 0,
        };
        SeriesPlan {
            name: name.to_owned(),
            profile: SeriesProfile::Storage(ResolvedProfile {
                name: "test".to_owned(),
                title: "Test".to_owned(),
                lines: vec![line],
                range: AddressRange::WHOLE,
                distribution: Distribution::Uniform,
                data: DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO },
                durability: Durability::default(),
                think: Nanos::ZERO,
                trace: None,
            }),
            factors: BTreeMap::new(),
            settings: BTreeMap::new(),
            loads: LoadGrid { unit: LoadUnit::OutstandingIos, levels: vec![1.0] },
            search: SearchPlan::Grid,
            together: None,
        }
    }

    #[test]
    fn a_plan_survives_storage_and_its_hash_names_it() {
        let plan = plan_of("null:", 2);
        let json = serde_json::to_string(&plan).unwrap();
        let back: Plan = serde_json::from_str(&json).unwrap();
        assert_eq!(back, plan);
        assert_eq!(back.hash(), plan.hash());
        assert_eq!(plan.hash().len(), 64);
        let other = Plan { seed: 2, ..plan.clone() };
        assert_ne!(other.hash(), plan.hash());
    }
}
