//! Warnings in English: a name, a colon, what was seen, and what to do about it.

use std::fmt;

use super::{
    BrokenSequence, ExpectedSetting, FoundSetting, LineAccess, Moved, OtherCpuLoad, PhaseEnding,
    PreconditionPhase, ReplacedPoint, Rounds, SequentialLine, SettingChange, Spread, StallEnding,
    Uncounted, Unseen, Warning, WriteOrder,
};
use crate::result::{ThroughputUnit, verdict_text};
use crate::words::load::LoadLevel;
use crate::words::number::{Percentage, Rate, ResponseTime, RoundedBytes, Span};
use crate::words::units::{Bytes, Nanos};

impl Warning {
    /// The warning in English; one that was read from a document of another version as it stands
    /// there.
    pub fn text(&self) -> String {
        match self {
            Self::NotChecked { target, cause } => not_checked(target, cause),
            Self::WriteCacheOn { device } => write_cache_on(device),
            Self::IoScheduler { device, disk, scheduler } => io_scheduler(device, disk, scheduler),
            Self::SmallWorkingSet { target, used_bytes, device_bytes } => {
                small_working_set(target, *used_bytes, *device_bytes)
            }
            Self::FrequencyScaling { governor } => frequency_scaling(governor),
            Self::IoLimited { limit, device, file } => io_limited(limit, device, file),
            Self::InUse { device } => in_use(device),
            Self::NeverWritten { path, offset_bytes } => never_written(path, *offset_bytes),
            Self::MeasuredAgain(point) => measured_again(point),
            Self::FailedAgain { series, load, warnings } => failed_again(series, *load, warnings),
            Self::NotRestored { reason } => format!("not restored: {reason}"),
            Self::Preconditioned(phase) => phase.to_string(),
            Self::UnsteadyPreconditioning(phase) => unsteady_preconditioning(phase),
            Self::Omission { omission } => omission.clone(),
            Self::NotSequential(sequence) => not_sequential(sequence),
            Self::IoErrors { errors, first } => io_errors(*errors, first),
            Self::TargetHangs { lost, waited_s } => target_hangs(*lost, *waited_s),
            Self::NothingCompleted => nothing_completed(),
            Self::SteadyStateNotAttained { rounds, window } => not_attained(*rounds, *window),
            Self::Overloaded { offered_rate, delivered_rate } => {
                overloaded(*offered_rate, *delivered_rate)
            }
            Self::QueueNotFull { achieved, requested } => queue_not_full(*achieved, *requested),
            Self::ZerosRead { zeros, reads } => zeros_read(*zeros, *reads),
            Self::Uncalibrated { system } => uncalibrated(system),
            Self::ODirectNotHonoured(unseen) => not_honoured(unseen),
            Self::PageCacheSuspected(unseen) => page_cache_suspected(unseen),
            Self::PageCache(unseen) => page_cache(unseen),
            Self::OtherDeviceLoad { device, disturbed_percent } => {
                other_device_load(device, *disturbed_percent)
            }
            Self::OtherCpuLoad(load) => other_cpu_load(load),
            Self::CpuStolen { stolen_percent, disturbed_percent } => {
                cpu_stolen(*stolen_percent, *disturbed_percent)
            }
            Self::GeneratorBound { used_percent } => generator_bound(*used_percent),
            Self::ClockStepped { step_s } => clock_stepped(*step_s),
            Self::LevelShift { at_s, before_rate, after_rate, unit } => {
                level_shift(*at_s, (*before_rate, *after_rate), *unit)
            }
            Self::SubmittedLate { lag_mean_ms, lag_max_ms, disturbed_percent } => {
                submitted_late((*lag_mean_ms, *lag_max_ms), *disturbed_percent)
            }
            Self::Stopped { paused_s } => stopped(*paused_s),
            Self::Stalled { stalled_s, measured_s, ending } => {
                stalled((*stalled_s, *measured_s), *ending)
            }
            Self::SettingChanged(change) => format!("setting changed: {change}"),
            Self::SourceNotCached { cached_percent } => source_not_cached(*cached_percent),
            Self::SourceCached { cached_percent } => source_cached(*cached_percent),
            Self::DirectIoRefused => direct_io_refused(),
            Self::SharedBlocks => shared_blocks(),
            Self::Other(recorded) => recorded.text.clone(),
        }
    }
}

fn not_checked(target: &str, cause: &Uncounted) -> String {
    let why = match cause {
        Uncounted::NoDevice { file_system } => {
            format!("no counted device under it ({file_system})")
        }
        Uncounted::CountersOff => {
            "the kernel's counters of a device under it are off (queue/iostats)".to_owned()
        }
    };
    format!(
        "not checked: nothing tells whether direct I/O on {target} reached a device, or whether \
         anything else used it: {why}; measure the device itself, or a file on a local disk, \
         for numbers that are checked"
    )
}

fn write_cache_on(device: &str) -> String {
    format!(
        "write cache on: {device} may answer writes from volatile memory; to measure without it, \
         change the setting of the drive itself (hdparm -W0 for ATA, sdparm --clear=WCE for \
         SCSI and SAS, nvme set-feature -f 6 -v 0 for NVMe) and measure again; the kernel's \
         file queue/write_cache leaves the drive's cache on and only makes the kernel stop \
         flushing it, which costs data at a power failure"
    )
}

fn io_scheduler(device: &str, disk: &str, scheduler: &str) -> String {
    format!(
        "I/O scheduler: {scheduler} orders the I/Os of {device}, which costs time and throughput \
         on a device without moving parts; write 'none' to /sys/class/block/{disk}/queue/scheduler \
         to measure the device alone"
    )
}

fn small_working_set(target: &str, used_bytes: u64, device_bytes: u64) -> String {
    format!(
        "small working set: {} of {target} are used, of {} on the device: a cache between here and \
         the medium may hold it all; use a larger --size for numbers of the medium",
        RoundedBytes(used_bytes),
        RoundedBytes(device_bytes),
    )
}

fn frequency_scaling(governor: &str) -> String {
    format!(
        "frequency scaling: the governor of the processors is {governor}, so they may run slow \
         at light load and response times are longer than they must be; set it to performance \
         (cpupower frequency-set -g performance)"
    )
}

fn io_limited(limit: &str, device: &str, file: &str) -> String {
    format!(
        "I/O limited: the control group of this process is held to {limit} for {device} in {file}; \
         these are numbers of the limit: lift it, or measure from another control group"
    )
}

fn in_use(device: &str) -> String {
    format!("{device} is in use by something else: its load is in the measurement")
}

fn never_written(path: &str, offset_bytes: u64) -> String {
    format!(
        "never written: {path} has no data from byte {offset_bytes} on, and reading there takes no \
         I/O of the device, so the numbers are too good; measure a file that Kneepoint made"
    )
}

fn measured_again(point: &ReplacedPoint) -> String {
    format!(
        "{} at {} was measured again: {}, {}, before",
        point.series,
        point.load,
        point.unit.text(point.rate),
        verdict_text(point.verdict, point.disturbed_percent)
    )
}

fn failed_again(series: &str, load: LoadLevel, warnings: &[Warning]) -> String {
    format!(
        "{series} at {load} failed when it was measured again, and the point before is kept: {}",
        Warning::joined(warnings)
    )
}

impl fmt::Display for PreconditionPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match self.order {
            WriteOrder::Sequential => "sequential",
            WriteOrder::Random => "random",
        };
        let (written, block) = (RoundedBytes(self.written_bytes), Bytes(self.block_bytes));
        write!(f, "{written} of {order} writes of {block}, ")?;
        match &self.ending {
            PhaseEnding::Volume { seconds } => {
                write!(f, "in {}", Span(Nanos::from_secs_f64(*seconds)))
            }
            PhaseEnding::Steady(rounds) => write!(f, "steady after {rounds}"),
            PhaseEnding::Unsteady(rounds) => write!(f, "not steady after {rounds}"),
        }
    }
}

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rounds", self.rounds)?;
        let Some(Spread { range_percent, slope_percent }) = self.window else { return Ok(()) };
        let last = self.window_rounds;
        write!(f, " (range {range_percent:.1} %, slope {slope_percent:.1} % over the last {last})")
    }
}

fn unsteady_preconditioning(phase: &PreconditionPhase) -> String {
    format!("preconditioning did not reach steady state: {phase}")
}

fn not_sequential(sequence: &BrokenSequence) -> String {
    let lines: Vec<String> = sequence.lines.iter().map(sequential_line).collect();
    let (verb, its, it) = match lines.len() {
        1 => ("is", "its", "it"),
        _ => ("are", "their", "them"),
    };
    format!(
        "not sequential: {} of {} {verb} sequential alone, but not in this mix: {its} I/Os go on \
         where the last I/O of any line ended, and {} of all I/Os go to random positions; measure \
         {it} as a profile without random lines",
        lines.join(" and "),
        sequence.profile,
        Percentage(sequence.random_percent),
    )
}

/// `line 2 (64KiB writes)`.
fn sequential_line(line: &SequentialLine) -> String {
    let access = match line.access {
        LineAccess::Reads => "reads",
        LineAccess::Writes => "writes",
        LineAccess::ReadsAndWrites => "reads and writes",
    };
    format!("line {} ({} {access})", line.line, Bytes(line.block_bytes))
}

fn io_errors(errors: u64, first: &str) -> String {
    format!("I/O errors: {errors} I/Os failed; the first: {first}")
}

fn target_hangs(lost: u64, waited_s: f64) -> String {
    let waited = Nanos::from_secs_f64(waited_s);
    format!("target hangs: {lost} I/Os did not come back within {waited} of the end")
}

fn nothing_completed() -> String {
    "nothing completed: not one I/O ended in the measured time; measure longer with --time"
        .to_owned()
}

fn not_attained(rounds: u64, window: Option<Spread>) -> String {
    let found = window.map_or_else(
        || "there is no window of rounds to judge by".to_owned(),
        |Spread { range_percent, slope_percent }| {
            format!("the range is {range_percent:.1} % and the slope {slope_percent:.1} %")
        },
    );
    format!(
        "steady state not attained: after {rounds} rounds {found}; precondition the target \
         (--precondition), or use longer rounds"
    )
}

fn overloaded(offered_rate: f64, delivered_rate: f64) -> String {
    format!(
        "overloaded: {offered_rate:.0} IO/s were offered and {delivered_rate:.0} IO/s delivered, \
         so response times grow with the measured time; offer less"
    )
}

fn queue_not_full(achieved: f64, requested: f64) -> String {
    format!(
        "queue not full: {achieved:.2} outstanding I/Os per target were achieved where \
         {requested} were asked for; the generator needs more CPU time (--workers), or single \
         I/Os took a large part of the measured time (measure longer)"
    )
}

fn zeros_read(zeros: u32, reads: u32) -> String {
    format!(
        "zeros read: {zeros} of the last {reads} reads brought zeros alone; what is thin, sparse \
         or trimmed is answered without the medium, so these are not its numbers: write the \
         target from end to end first, or measure a file that Kneepoint makes"
    )
}

fn uncalibrated(system: &str) -> String {
    format!(
        "uncalibrated: sim:{system} was never fitted to measurements; its parameters come from \
         data sheets and similar parts"
    )
}

/// `13% of the bytes read`.
fn bytes_unseen(unseen: &Unseen) -> String {
    let direction = match unseen.direction {
        Moved::Read => "read",
        Moved::Written => "written",
    };
    format!("{} of the bytes {direction}", Percentage(unseen.missing_percent.round()))
}

fn not_honoured(unseen: &Unseen) -> String {
    format!(
        "O_DIRECT not honoured: {} never reached {}, \
         and the target is in the page cache although direct I/O was asked for; these \
         are numbers of memory: measure the device itself, or another file system",
        bytes_unseen(unseen),
        unseen.device
    )
}

fn page_cache_suspected(unseen: &Unseen) -> String {
    format!(
        "page cache suspected: {} never reached {} \
         although direct I/O was asked for: a cache of the file system or parts that were \
         never written answered; measure the device itself, or a file that Kneepoint made \
         on another file system",
        bytes_unseen(unseen),
        unseen.device
    )
}

fn page_cache(unseen: &Unseen) -> String {
    format!(
        "page cache: {} did not reach {} in the measured \
         time but were served by memory, as --buffered allows; leave it out to measure the \
         device, or use a --size of several times the memory",
        bytes_unseen(unseen),
        unseen.device
    )
}

fn other_device_load(device: &str, percent: f64) -> String {
    format!(
        "other load on the device: {percent:.0} % of the I/O of {device} was not issued here; stop \
         whatever else uses it (iostat and iotop show it) and measure again"
    )
}

fn other_cpu_load(load: &OtherCpuLoad) -> String {
    let seen = format!(
        "other load on the CPU: other programs used {:.0} % of the machine's processor time",
        load.used_percent
    );
    let waited = load.waited_percent;
    match (load.limit_percent, load.disturbed_percent) {
        (Some(limit), _) => format!(
            "{seen}, more than the {limit:.0} % of --max-foreign-cpu; stop them and measure again"
        ),
        (None, Some(_)) => format!(
            "{seen}, and the I/Os waited for them for up to {waited:.0} % of the time; stop \
             them and measure again"
        ),
        (None, None) => {
            format!(
                "{seen}, but the I/Os had to wait for them for {waited:.1} % of the time at most"
            )
        }
    }
}

fn cpu_stolen(stolen: f64, disturbed: Option<f64>) -> String {
    let generator = match disturbed {
        Some(percent) => format!("up to {percent:.0} % of the generator's"),
        None => "little of it the generator's".to_owned(),
    };
    format!(
        "CPU stolen: the hypervisor gave {stolen:.0} % of the machine's processor time to other \
         machines, {generator}; use dedicated processors, or measure when the host is quiet"
    )
}

fn generator_bound(used: f64) -> String {
    format!(
        "generator-bound: the load generator used {used:.0} % of its CPUs, so the number may be \
         its own and not the target's; give it more --workers, or measure larger blocks or \
         fewer outstanding I/Os"
    )
}

fn clock_stepped(step_s: f64) -> String {
    format!(
        "clock stepped: the wall clock was moved by {step_s:+.3} s while measuring, or the \
         machine slept; let the time service settle, keep the machine awake, and measure again"
    )
}

fn level_shift(at_s: f64, (before, after): (f64, f64), unit: ThroughputUnit) -> String {
    let (verb, advice) = match after < before {
        true => (
            "fell",
            ", as under throttling; look for limits of the cgroup (io.max, blkio.throttle), spent \
             burst credits of a cloud volume, a full write cache or heat, and measure longer \
             (--min-time) to get the lower level alone",
        ),
        false => (
            "rose",
            "; something ended (a rebuild, a trim, other load) or a cache warmed up: use a longer \
             --ramp",
        ),
    };
    format!(
        "level shift: {at_s:.1} s into the measured time {} {verb} from {} to {} and stayed \
         there{advice}",
        unit.symbol(),
        Rate(before),
        Rate(after)
    )
}

fn submitted_late((mean_ms, max_ms): (f64, f64), percent: f64) -> String {
    format!(
        "submitted late: I/Os were submitted {} after they were due on average, at most {}, \
         which is {percent:.0} % of the mean response time; use fewer --workers than there are free \
         CPUs, offer less, or measure on a quieter machine",
        ResponseTime(mean_ms),
        ResponseTime(max_ms),
    )
}

fn stopped(paused_s: f64) -> String {
    format!(
        "stopped: the load generator did not run for {paused_s:.1} s, so I/Os that were done \
         meanwhile were seen late; it was stopped by a signal, a debugger or a frozen control \
         group, or had no processor: measure again"
    )
}

fn stalled((stalled_s, measured_s): (f64, f64), ending: StallEnding) -> String {
    let what = match ending {
        StallEnding::Completed => format!(
            "stalled: an I/O took {stalled_s:.1} s of the {measured_s:.1} s that were measured"
        ),
        StallEnding::Outlasted => format!(
            "stalled: an I/O that was in flight at the end of the {measured_s:.1} s that were \
             measured took {stalled_s:.1} s"
        ),
        StallEnding::Lost => format!(
            "stalled for at least {stalled_s:.1} s: an I/O that was in flight at the end of the \
             {measured_s:.1} s that were measured did not come back"
        ),
    };
    format!(
        "{what}; something below the target stood still: look for resets and timeouts in the \
         kernel's log, and measure for longer (--time) if the target is like that"
    )
}

impl fmt::Display for SettingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = match &self.found {
            FoundSetting::Value(now) => format!("is '{now}'"),
            FoundSetting::Unreadable(why) => format!("can no longer be read ({why})"),
            FoundSetting::OtherDevice => {
                return write!(f, "{}: another device, or none, has that name now", self.setting);
            }
        };
        let expected = match &self.expected {
            ExpectedSetting::SetByRun(value) => format!("this run had set it to '{value}'"),
            ExpectedSetting::AsBefore(value) => format!("it was '{value}'"),
        };
        write!(f, "{} {found}: someone else changed it, {expected}", self.setting)
    }
}

fn source_not_cached(percent: f64) -> String {
    format!(
        "page cache: only {percent:.0} % of the source stayed in it after it was read, so the \
         cached copies read from the storage, too; use a smaller file set or more memory"
    )
}

fn source_cached(percent: f64) -> String {
    format!(
        "page cache: {percent:.0} % of the source stayed in it although it was told to drop it \
         (a file system in memory, or someone else reads the files), so the uncached copies \
         did not read from the storage"
    )
}

fn direct_io_refused() -> String {
    "page cache: the file system refused direct I/O (O_DIRECT), so read-write went through \
     the page cache; the source was dropped from it, and every file was synchronised"
        .to_owned()
}

fn shared_blocks() -> String {
    "shared blocks: the file system did not copy the data but lets both files point to it, so \
     this is no rate of the storage"
        .to_owned()
}
