//! What limits the trust in a point or a run, as data.
//!
//! A warning is its kind and its values. Words belong to a language: the English ones stand beside
//! the data in every result and on the terminal (`english`), reports write their own.

mod english;
mod recorded;
#[cfg(test)]
mod tests;
mod values;

use serde::{Deserialize, Serialize};

use super::{ImportNote, ThroughputUnit};
use crate::plan::Omission;
use crate::words::load::LoadLevel;
pub use recorded::{Recorded, Severity};
pub use values::*;

/// Something that limits the trust in a point or a run.
///
/// In results it has a `kind`, which is the variant's name and the same in all versions, a
/// [`Severity`], which follows from kind and values, the values as `data`, and its English `text`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "kind", content = "data", rename_all = "snake_case")]
#[serde(deny_unknown_fields)]
pub enum Warning {
    /// Nothing tells whether I/O reached a device, or whether anything else used it.
    NotChecked {
        /// The target, as the user named it.
        target: String,
        /// Why.
        cause: Uncounted,
    },
    /// A drive may answer writes from volatile memory.
    WriteCacheOn {
        /// The drive.
        device: String,
    },
    /// A device without moving parts is used through a scheduler.
    IoScheduler {
        /// The device.
        device: String,
        /// The disk that has the setting.
        disk: String,
        /// The scheduler.
        scheduler: String,
    },
    /// So little of a device is used that a cache may hold it all.
    SmallWorkingSet {
        /// The target, as the user named it.
        target: String,
        /// Bytes that are used.
        used_bytes: u64,
        /// Bytes of the device.
        device_bytes: u64,
    },
    /// The processors may run below their speed.
    FrequencyScaling {
        /// The governor, or several in a list.
        governor: String,
    },
    /// The control group limits the I/O of a device.
    IoLimited {
        /// What the file says: `rbps=max wbps=1048576`, or a number.
        limit: String,
        /// The device.
        device: String,
        /// The file that the limit stands in.
        file: String,
    },
    /// Something else has a device open that is read.
    InUse {
        /// The device.
        device: String,
    },
    /// A part of a file was never written.
    NeverWritten {
        /// The file.
        path: String,
        /// Where the part begins.
        offset_bytes: u64,
    },
    /// A disturbed point was measured again, and replaced.
    MeasuredAgain(ReplacedPoint),
    /// A point failed when it was measured again, and the one before was kept.
    FailedAgain {
        /// The series with its factors, as a reader sees it.
        series: String,
        /// The load.
        load: LoadLevel,
        /// The warnings of the point that failed.
        warnings: Vec<Warning>,
    },
    /// A setting is not what it was before the run.
    NotRestored {
        /// Which, and why, in English.
        reason: String,
    },
    /// What was written before the points, where the environment does not say it.
    Preconditioned(PreconditionPhase),
    /// What was written before the points did not end steady.
    UnsteadyPreconditioning(PreconditionPhase),
    /// The plan is not all that was asked for.
    Omission {
        /// What is not, and why.
        omission: Omission,
    },
    /// Sequential lines of a profile do not stay sequential in its mix.
    NotSequential(BrokenSequence),
    /// I/Os failed.
    IoErrors {
        /// How many.
        errors: u64,
        /// The first of them, in English; empty if it is not known.
        first: String,
    },
    /// Reads of a run that verifies its data brought other data than was written.
    WrongData {
        /// Where, and what is wrong there: the first places.
        places: Vec<WrongPlace>,
        /// How many more places are known.
        more: u64,
    },
    /// I/Os did not come back.
    TargetHangs {
        /// How many.
        lost: u64,
        /// How long they were waited for after the end, in seconds.
        waited_s: f64,
    },
    /// Transactions of a database began again, since others had changed the same rows at the same time.
    TransactionsRetried {
        /// How often that was.
        retries: u64,
        /// Transactions that were done in the whole point.
        transactions: u64,
    },
    /// A transaction of a database failed, and the point ended with it.
    TransactionFailed {
        /// Which, and why, in English.
        first: String,
    },
    /// An operation on a file failed, and the point ended with it.
    FileOperationFailed {
        /// Which, and why, in English.
        first: String,
    },
    /// Responses of users did not appear on their screens in time.
    ResponsesMissing {
        /// Nothing had changed where they were waited for.
        lost: u64,
        /// Something else was there.
        mismatched: u64,
    },
    /// How much memory desktop sessions took.
    SessionMemory {
        /// Sessions that were there.
        sessions: u64,
        /// Their proportional set size.
        bytes: u64,
        /// The line through this and the points before; `null` if there are too few.
        fit: Option<MemoryFit>,
        /// Whose memory it is; left out for sessions that the run has started.
        #[serde(default, skip_serializing_if = "Metered::is_own")]
        of: Metered,
        /// Memory of the machine; left out where it is that of the machine that measures.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        machine_bytes: Option<u64>,
    },
    /// How much processor time desktop sessions took.
    SessionProcessor {
        /// Sessions that were there.
        sessions: u64,
        /// Processors that they used on average.
        used: f64,
        /// Processors that they could use.
        available: f64,
        /// Share of the time in which a process waited for a processor, in percent: pressure stall
        /// information of the kernel; `null` where it has none.
        stalled_percent: Option<f64>,
        /// Who used them; left out for sessions that the run has started.
        #[serde(default, skip_serializing_if = "Metered::is_own")]
        of: Metered,
    },
    /// What the machine of a server received and sent.
    ServerNetwork {
        /// Users that worked there.
        users: u64,
        /// Bytes a second that came in.
        received_per_s: f64,
        /// Bytes a second that went out.
        sent_per_s: f64,
        /// The interfaces that were counted: `eth0, eth1`.
        interfaces: String,
    },
    /// The machine of a server was to be metered and was not.
    ServerNotMetered {
        /// Why, in English.
        reason: String,
    },
    /// A series that was measured at the same moment failed, and the point may have ended with it.
    BesideFailed {
        /// Which.
        series: String,
    },
    /// Not one I/O ended in the measured time.
    NothingCompleted,
    /// The rounds of a point never agreed.
    SteadyStateNotAttained {
        /// How many there were.
        rounds: u64,
        /// The last window of them; `null` if there were too few, or no I/O.
        window: Option<Spread>,
    },
    /// Rounds over all series never agreed.
    RoundsNotSteady(UnsteadyRounds),
    /// An offered rate was not delivered.
    Overloaded {
        /// IO/s of all targets.
        offered_rate: f64,
        /// IO/s of all targets.
        delivered_rate: f64,
    },
    /// Achieved and requested outstanding I/Os differ.
    QueueNotFull {
        /// I/Os per target.
        achieved: f64,
        /// I/Os per target.
        requested: f64,
    },
    /// Most of what was read last were zeros.
    ZerosRead {
        /// Reads that brought zeros alone.
        zeros: u32,
        /// Reads that were looked at.
        reads: u32,
    },
    /// A simulated system was never fitted to measurements.
    Uncalibrated {
        /// Its name.
        system: String,
    },
    /// Writes are much faster than reads that differ in nothing else.
    ReadsBelowWrites {
        /// The series that reads.
        reads: String,
        /// The series that writes.
        writes: String,
        /// Throughput of the writes as a multiple of that of the reads.
        times: f64,
    },
    /// Random access is faster than a sequence of the same blocks.
    SequentialBelowRandom {
        /// The series of sequential access.
        sequential: String,
        /// The series of random access.
        random: String,
        /// Throughput of the random access as a multiple of that of the sequential one.
        times: f64,
    },
    /// Several simulated drives read a sequence more slowly than one does.
    ArrayBelowDrive {
        /// The series.
        series: String,
        /// What it reaches, in MiB per second.
        throughput_mib_s: f64,
        /// What the medium of one drive gives, in MiB per second.
        drive_mib_s: f64,
    },
    /// Direct I/O was answered by the page cache.
    ODirectNotHonoured(Unseen),
    /// Direct I/O did not reach the device.
    PageCacheSuspected(Unseen),
    /// Buffered I/O did not reach the device.
    PageCache(Unseen),
    /// Someone else's I/O on a device.
    OtherDeviceLoad {
        /// The devices.
        device: String,
        /// Their part of all I/O, in percent: so far the numbers can be off.
        disturbed_percent: f64,
    },
    /// Other programs on the processors.
    OtherCpuLoad(OtherCpuLoad),
    /// The hypervisor gave processor time to other machines.
    CpuStolen {
        /// The part of all processor time, in percent.
        stolen_percent: f64,
        /// How far the numbers can be off, in percent; `null` if that is little.
        disturbed_percent: Option<f64>,
    },
    /// Rounds of copies were measured again, since something else had the processor of a copy, and do not count.
    RoundsLeftOut {
        /// How many.
        left_out: u32,
        /// How many rounds there were with them.
        rounds: u32,
    },
    /// A point ended before its time was up, since the rest would not have made it accurate.
    OutOfReach {
        /// How long it was measured, in seconds.
        measured_s: f64,
        /// How long it might have been, in seconds.
        time_max_s: f64,
        /// How far the intervals should have reached at most, in percent of the mean.
        accuracy_percent: f64,
    },
    /// Copies of a program had to wait for their processors.
    CopiesWaited {
        /// The part of their time, in percent: so far the numbers can be off.
        disturbed_percent: f64,
    },
    /// The load generator was the bottleneck.
    GeneratorBound {
        /// The part of its CPUs that it used, in percent.
        used_percent: f64,
    },
    /// The program that plays users was so busy that it may have seen their screens late.
    GeneratorBusy {
        /// The part of a processor that it used, in percent.
        used_percent: f64,
    },
    /// The wall clock was set, or the machine slept.
    ClockStepped {
        /// By how much it moved, in seconds.
        step_s: f64,
    },
    /// Throughput went over to another level for good.
    LevelShift {
        /// When, in seconds of the measured time.
        at_s: f64,
        /// The rate before.
        before_rate: f64,
        /// The rate from then on.
        after_rate: f64,
        /// What both count.
        unit: ThroughputUnit,
    },
    /// I/Os of an open loop were submitted late.
    SubmittedLate {
        /// On average, in milliseconds.
        lag_mean_ms: f64,
        /// At most, in milliseconds.
        lag_max_ms: f64,
        /// The part of the mean response time, in percent: so far the numbers can be off.
        disturbed_percent: f64,
    },
    /// The load generator did not run.
    Stopped {
        /// For how long, in seconds.
        paused_s: f64,
    },
    /// An I/O took a large part of the measured time.
    Stalled {
        /// How long it took, or at least took, in seconds.
        stalled_s: f64,
        /// The measured time, in seconds.
        measured_s: f64,
        /// What became of it.
        ending: StallEnding,
    },
    /// Someone else changed a setting during the run.
    SettingChanged(SettingChange),
    /// A source did not stay in the page cache, so that cached copies read from the storage.
    SourceNotCached {
        /// The part of it that stayed, in percent.
        cached_percent: f64,
    },
    /// A source stayed in the page cache, so that uncached copies did not read from the storage.
    SourceCached {
        /// The part of it that stayed, in percent.
        cached_percent: f64,
    },
    /// The file system refused direct I/O for copies.
    DirectIoRefused,
    /// The file system lets source and copy point to the same data.
    SharedBlocks,
    /// A host of a fleet does much less than the others.
    HostLags {
        /// Which one.
        host: String,
        /// The rate of each of its targets, on average.
        rate: f64,
        /// The same of the median host.
        median_rate: f64,
        /// What both count.
        unit: ThroughputUnit,
    },
    /// A point was measured again, because a host of the fleet was lost in it.
    HostLost {
        /// Which one; several in a list.
        host: String,
        /// The series with its factors, as a reader sees it.
        series: String,
        /// The load.
        load: LoadLevel,
    },
    /// A host of a fleet began much later than the others.
    BeganLate {
        /// How long after the common start its load began, in milliseconds.
        late_ms: f64,
        /// Length of an interval, in milliseconds.
        interval_ms: f64,
    },
    /// It is not well known when a host of a fleet began.
    ClockUncertain {
        /// Largest error of its clock against that of the controller, in milliseconds.
        bound_ms: f64,
        /// Length of an interval, in milliseconds.
        interval_ms: f64,
    },
    /// Another tool measured the run.
    Imported {
        /// The tool, with its version if it is known.
        tool: String,
        /// The file that it came from.
        file: String,
    },
    /// What a reader must know of an imported run.
    ImportedWith {
        /// What that is.
        note: ImportNote,
    },
    /// A host of a fleet has a warning.
    OnHost {
        /// Which one.
        host: String,
        /// What it warns of.
        warning: Box<Warning>,
    },
    /// A warning of an earlier version, which was a sentence, or of a later one: as it was written.
    #[serde(skip)]
    Other(Recorded),
}

impl Warning {
    /// What is warned of, on whichever host of a fleet: whoever looks for a kind looks here.
    pub fn bare(&self) -> &Self {
        match self {
            Self::OnHost { warning, .. } => warning.bare(),
            own => own,
        }
    }

    /// The limit of a control group with its unit, which the name of its file tells where the file has a
    /// number alone: `200 IO/s`.
    pub fn limit_with_unit(limit: &str, file: &str) -> String {
        let is_number = !limit.is_empty() && limit.bytes().all(|digit| digit.is_ascii_digit());
        match is_number {
            true if file.contains("_iops_") => format!("{limit} IO/s"),
            true if file.contains("_bps_") => format!("{limit} bytes/s"),
            _ => limit.to_owned(),
        }
    }

    /// The host of a fleet that it is about; `None` if it holds for all.
    pub fn host(&self) -> Option<&str> {
        match self {
            Self::OnHost { host, .. } => Some(host),
            _ => None,
        }
    }

    /// How much it takes from what was measured.
    pub fn severity(&self) -> Severity {
        match self {
            Self::OtherDeviceLoad { .. }
            | Self::CopiesWaited { .. }
            | Self::GeneratorBound { .. }
            | Self::GeneratorBusy { .. }
            | Self::ClockStepped { .. }
            | Self::SubmittedLate { .. }
            | Self::Stopped { .. }
            | Self::Stalled { .. }
            | Self::BeganLate { .. }
            | Self::ClockUncertain { .. }
            | Self::ResponsesMissing { .. }
            | Self::BesideFailed { .. }
            | Self::SettingChanged(_) => Severity::Disturbs,
            Self::IoErrors { .. }
            | Self::WrongData { .. }
            | Self::IoLimited { .. }
            | Self::InUse { .. }
            | Self::NeverWritten { .. }
            | Self::UnsteadyPreconditioning(_)
            | Self::ODirectNotHonoured(_)
            | Self::PageCacheSuspected(_)
            | Self::TargetHangs { .. }
            | Self::NothingCompleted
            | Self::SteadyStateNotAttained { .. }
            | Self::RoundsNotSteady(_)
            | Self::Overloaded { .. }
            | Self::QueueNotFull { .. }
            | Self::ZerosRead { .. }
            | Self::Uncalibrated { .. }
            | Self::ReadsBelowWrites { .. }
            | Self::SequentialBelowRandom { .. }
            | Self::ArrayBelowDrive { .. }
            | Self::SourceNotCached { .. }
            | Self::SourceCached { .. }
            | Self::DirectIoRefused
            | Self::SharedBlocks => Severity::Limits,
            Self::TransactionFailed { .. } | Self::FileOperationFailed { .. } => Severity::Limits,
            Self::NotChecked { .. }
            | Self::WriteCacheOn { .. }
            | Self::IoScheduler { .. }
            | Self::SmallWorkingSet { .. }
            | Self::FrequencyScaling { .. }
            | Self::MeasuredAgain(_)
            | Self::FailedAgain { .. }
            | Self::NotRestored { .. }
            | Self::TransactionsRetried { .. }
            | Self::RoundsLeftOut { .. }
            | Self::OutOfReach { .. }
            | Self::SessionMemory { .. }
            | Self::SessionProcessor { .. }
            | Self::ServerNetwork { .. }
            | Self::ServerNotMetered { .. }
            | Self::Preconditioned(_)
            | Self::Omission { .. }
            | Self::NotSequential(_)
            | Self::PageCache(_)
            | Self::LevelShift { .. }
            | Self::HostLags { .. }
            | Self::HostLost { .. }
            | Self::Imported { .. }
            | Self::ImportedWith { .. } => Severity::Note,
            Self::OtherCpuLoad(OtherCpuLoad { disturbed_percent, .. })
            | Self::CpuStolen { disturbed_percent, .. } => Severity::of_load(*disturbed_percent),
            Self::OnHost { warning, .. } => warning.severity(),
            Self::Other(recorded) => recorded.severity,
        }
    }

    /// The same as a warning of `host` of a fleet; as it is if that is empty, or if it is the same on all
    /// hosts.
    #[must_use]
    pub fn on_host(self, host: &str) -> Self {
        match self {
            Self::Uncalibrated { .. } | Self::OnHost { .. } => self,
            own if host.is_empty() => own,
            own => Self::OnHost { host: host.to_owned(), warning: Box::new(own) },
        }
    }

    /// The largest share by which it can have changed the numbers, in percent; `None` if it changed
    /// nothing, or nothing bounds the share.
    pub fn disturbed_percent(&self) -> Option<f64> {
        match self.bare() {
            Self::OtherDeviceLoad { disturbed_percent, .. }
            | Self::CopiesWaited { disturbed_percent }
            | Self::SubmittedLate { disturbed_percent, .. } => Some(*disturbed_percent),
            Self::OtherCpuLoad(OtherCpuLoad { disturbed_percent, .. })
            | Self::CpuStolen { disturbed_percent, .. } => *disturbed_percent,
            _ => None,
        }
    }

    /// Whether the numbers are those of a limit, a cache or the load generator in place of those of
    /// the storage: the reader must know it before any number.
    pub fn makes_the_numbers(&self) -> bool {
        matches!(
            self.bare(),
            Self::IoLimited { .. }
                | Self::NeverWritten { .. }
                | Self::ZerosRead { .. }
                | Self::ODirectNotHonoured(_)
                | Self::PageCacheSuspected(_)
                | Self::PageCache(_)
                | Self::GeneratorBound { .. }
        )
    }

    /// What it is, the same in all versions: `other_cpu_load`.
    pub fn kind(&self) -> String {
        Recorded::of(self).kind
    }

    /// All texts in one.
    pub fn joined(warnings: &[Self]) -> String {
        warnings.iter().map(Self::text).collect::<Vec<_>>().join("; ")
    }
}
