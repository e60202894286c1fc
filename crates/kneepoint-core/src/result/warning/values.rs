//! Values of warnings that belong together.

use serde::{Deserialize, Serialize};

use super::Severity;
use crate::result::{ThroughputUnit, Verdict};
use crate::words::load::LoadLevel;
use crate::words::units::MIB;

/// Why no device counts the I/O of a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Uncounted {
    /// No device lies under its file system.
    NoDevice {
        /// The file system.
        file_system: String,
    },
    /// The kernel's counters of a device are off.
    CountersOff,
}

impl Severity {
    /// That of another load on the processors, which disturbs if its share of the numbers is known.
    pub(super) fn of_load(disturbed_percent: Option<f64>) -> Self {
        if disturbed_percent.is_some() { Self::Disturbs } else { Self::Note }
    }
}

/// Rounds over all series that are not steady.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsteadyRounds {
    /// How many there were.
    pub rounds: u64,
    /// The tracked series that are beyond a limit; empty if there are too few rounds for the test.
    pub series: Vec<String>,
}

/// A point that another measurement replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacedPoint {
    /// The series with its factors, as a reader sees it.
    pub series: String,
    /// The load.
    pub load: LoadLevel,
    /// The rate before.
    pub rate: f64,
    /// What it counts.
    pub unit: ThroughputUnit,
    /// The verdict before.
    pub verdict: Verdict,
    /// How far the numbers could be off, in percent; `null` if that is not known.
    pub disturbed_percent: Option<f64>,
}

/// A phase of preconditioning as it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreconditionPhase {
    /// Bytes that were written.
    pub written_bytes: u64,
    /// Where.
    pub order: WriteOrder,
    /// Largest block of a write.
    pub block_bytes: u64,
    /// How it ended.
    pub ending: PhaseEnding,
}

/// Where the writes of a phase go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteOrder {
    /// One behind the other.
    Sequential,
    /// Anywhere.
    Random,
}

/// How a phase of preconditioning ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PhaseEnding {
    /// Everything was written.
    Volume {
        /// Within this time.
        seconds: f64,
    },
    /// The rounds agreed.
    Steady(Rounds),
    /// There were enough rounds, but they did not agree.
    Unsteady(Rounds),
}

/// Rounds of a phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    /// How many there were.
    pub rounds: u64,
    /// How many the last window has.
    pub window_rounds: u64,
    /// The last window; `null` if there were too few rounds, or no I/O.
    pub window: Option<Spread>,
}

/// How the rounds of a window differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Largest less smallest, in percent of the mean.
    pub range_percent: f64,
    /// Change of the least-squares line, in percent of the mean.
    pub slope_percent: f64,
}

/// Memory as a base and a part for each session.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryFit {
    /// Without any session; below zero if the first ones take less than later ones.
    pub base_bytes: f64,
    /// Of each session.
    pub session_bytes: f64,
    /// The largest difference between the line and what was seen, in percent of that.
    pub error_percent: f64,
}

impl MemoryFit {
    /// The base and the part of a session in MiB.
    pub fn mib(&self) -> (f64, f64) {
        (self.base_bytes / MIB as f64, self.session_bytes / MIB as f64)
    }
}

/// What numbers of a server are those of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metered {
    /// The sessions that the run has started.
    #[default]
    OwnSessions,
    /// The sessions that `kneepoint sessions` has started there, with or without users.
    Sessions,
    /// The accounts of the users.
    Accounts,
    /// The machine, with all that runs on it.
    Machine,
}

impl Metered {
    /// Whether it is what results have without saying so.
    pub fn is_own(&self) -> bool {
        *self == Self::OwnSessions
    }
}

/// A profile whose sequential lines do not stay sequential.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrokenSequence {
    /// The profile.
    pub profile: String,
    /// The lines, at least one.
    pub lines: Vec<SequentialLine>,
    /// I/Os that go to random positions, in percent.
    pub random_percent: f64,
}

/// A sequential line of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequentialLine {
    /// Its place in the profile, from 1.
    pub line: u64,
    /// Bytes of an I/O.
    pub block_bytes: u64,
    /// What it does.
    pub access: LineAccess,
}

/// What the I/Os of a line do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineAccess {
    /// Read alone.
    Reads,
    /// Write alone.
    Writes,
    /// Both.
    ReadsAndWrites,
}

/// Bytes that never reached a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unseen {
    /// The devices.
    pub device: String,
    /// The direction of which more is missing.
    pub direction: Moved,
    /// The part of its bytes that is missing, in percent.
    pub missing_percent: f64,
}

/// What was done with bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moved {
    /// They were read.
    Read,
    /// They were written.
    Written,
}

/// Other programs on the processors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherCpuLoad {
    /// Their part of the machine's processor time, in percent.
    pub used_percent: f64,
    /// The part of the measured time for which the measured work can have waited for them, in percent.
    pub waited_percent: f64,
    /// The limit of `--max-foreign-cpu` that they broke, in percent; `null` if they broke none.
    pub limit_percent: Option<f64>,
    /// How far the numbers can be off, in percent; `null` if that is little.
    pub disturbed_percent: Option<f64>,
}

crate::named! {
    /// What is wrong with data that is not what was written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DataFault {
        /// It was written here, but bits of it have changed since: the checksum does not fit.
        BitFlip = "bit flip",
        /// What was there before the last write is still there.
        LostWrite = "lost write",
        /// Of the last write some sectors are there, and some are not.
        TornWrite = "torn write",
        /// What was to be written elsewhere is here, and not there.
        MisdirectedWrite = "misdirected write",
        /// It is older than what the last write was to replace, or of a run before.
        StaleData = "stale data",
        /// What was written elsewhere is there, and here as well.
        DuplicatedWrite = "duplicated write",
        /// It is nothing that the run has written.
        ForeignData = "foreign data",
    }
}

/// Adjoining data of a target that is wrong in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongPlace {
    /// The target, as the user named it.
    pub target: String,
    /// What is wrong.
    pub fault: DataFault,
    /// The first byte.
    pub offset_bytes: u64,
    /// How many bytes, whole sectors of 512.
    pub bytes: u64,
}

/// What became of an I/O that stood still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StallEnding {
    /// It completed within the measured time.
    Completed,
    /// It completed after it.
    Outlasted,
    /// It did not come back.
    Lost,
}

/// A setting that someone else changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingChange {
    /// The setting and its device.
    pub setting: String,
    /// What was found.
    pub found: FoundSetting,
    /// What it should be.
    pub expected: ExpectedSetting,
}

/// What a setting was found to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundSetting {
    /// This value.
    Value(String),
    /// It cannot be read, and why, in English.
    Unreadable(String),
    /// Another device, or none, has the name now.
    OtherDevice,
}

/// What a setting should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedSetting {
    /// What the run set it to.
    SetByRun(String),
    /// What it was before the run.
    AsBefore(String),
}
