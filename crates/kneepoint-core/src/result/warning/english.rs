//! Warnings in English: a name, a colon, what was seen, and what to do about it.

use std::fmt;

use super::{
    ExpectedSetting, FoundSetting, LineAccess, Metered, Moved, PhaseEnding, PreconditionPhase,
    Rounds, SequentialLine, SettingChange, Spread, StallEnding, Uncounted, Unseen, UnsteadyRounds,
    Warning, WriteOrder, WrongPlace,
};
use crate::result::verdict_text;
use crate::words::number::{
    Difference, MibPerS, Percentage, Rate, ResponseTime, RoundedBytes, Span,
};
use crate::words::units::{Bytes, Nanos};

/// The text of a warning. `Warning::Kind { values }, written = as_text(value) => "Its words";`
/// gives the words with the values, and with those that are written in another way.
macro_rules! english {
    ($($pattern:pat $(, $written:ident = $text:expr)* => $words:literal;)+) => {
        impl Warning {
            /// The warning in English; one that was read from a document of another version as it
            /// stands there.
            pub fn text(&self) -> String {
                match self {
                    $($pattern => {
                        $(let $written = $text;)*
                        format!($words)
                    })+
                }
            }
        }
    };
}

english! {
    Warning::NotChecked { target, cause },
        why = match cause {
            Uncounted::NoDevice { file_system } => {
                format!("no counted device under it ({file_system})")
            }
            Uncounted::CountersOff => {
                "the kernel's counters of a device under it are off (queue/iostats)".to_owned()
            }
        } =>
        "not checked: nothing tells whether direct I/O on {target} reached a device, or whether \
         anything else used it: {why}; measure the device itself, or a file on a local disk, for \
         numbers that are checked";
    Warning::WriteCacheOn { device } =>
        "write cache on: {device} may answer writes from volatile memory; to measure without it, \
         change the setting of the drive itself (hdparm -W0 for ATA, sdparm --clear=WCE for SCSI \
         and SAS, nvme set-feature -f 6 -v 0 for NVMe) and measure again; the kernel's file \
         queue/write_cache leaves the drive's cache on and only makes the kernel stop flushing it, \
         which costs data at a power failure";
    Warning::IoScheduler { device, disk, scheduler } =>
        "I/O scheduler: {scheduler} orders the I/Os of {device}, which costs time and throughput \
         on a device without moving parts; write 'none' to /sys/class/block/{disk}/queue/scheduler \
         to measure the device alone";
    Warning::SmallWorkingSet { target, used_bytes, device_bytes },
        used = RoundedBytes(*used_bytes),
        device = RoundedBytes(*device_bytes) =>
        "small working set: {used} of {target} are used, of {device} on the device: a cache \
         between here and the medium may hold it all; use a larger --size for numbers of the \
         medium";
    Warning::FrequencyScaling { governor } =>
        "frequency scaling: the governor of the processors is {governor}, so they may run slow at \
         light load and response times are longer than they must be; set it to performance \
         (cpupower frequency-set -g performance)";
    Warning::IoLimited { limit, device, file }, limit = Warning::limit_with_unit(limit, file) =>
        "I/O limited: the control group of this process is held to {limit} for {device} in {file}; \
         these are numbers of the limit: lift it, or measure from another control group";
    Warning::InUse { device } =>
        "{device} is in use by something else: its load is in the measurement";
    Warning::NeverWritten { path, offset_bytes } =>
        "never written: {path} has no data from byte {offset_bytes} on, and reading there takes no \
         I/O of the device, so the numbers are too good; measure a file that Kneepoint made";
    Warning::MeasuredAgain(point),
        rate = point.unit.text(point.rate),
        verdict = verdict_text(point.verdict, point.disturbed_percent),
        load = point.load,
        series = &point.series =>
        "{series} at {load} was measured again: {rate}, {verdict}, before";
    Warning::FailedAgain { series, load, warnings }, warnings = Warning::joined(warnings) =>
        "{series} at {load} failed when it was measured again, and the point before is kept: \
         {warnings}";
    Warning::NotRestored { reason } => "not restored: {reason}";
    Warning::Imported { tool, file } =>
        "imported: {tool} measured this run; it was read from {file}, and what that file does not say is \
         left out";
    Warning::ImportedWith { note } => "{note}";
    Warning::Preconditioned(phase) => "{phase}";
    Warning::UnsteadyPreconditioning(phase) =>
        "preconditioning did not reach steady state: {phase}";
    Warning::Omission { omission } => "{omission}";
    Warning::NotSequential(sequence),
        lines = sequence.lines.iter().map(sequential_line).collect::<Vec<_>>(),
        words = if lines.len() == 1 { ["is", "its", "it"] } else { ["are", "their", "them"] },
        lines = lines.join(" and "),
        verb = words[0],
        its = words[1],
        it = words[2],
        profile = &sequence.profile,
        random = Percentage(sequence.random_percent) =>
        "not sequential: {lines} of {profile} {verb} sequential alone, but not in this mix: {its} \
         I/Os go on where the last I/O of any line ended, and {random} of all I/Os go to random \
         positions; measure {it} as a profile without random lines";
    Warning::IoErrors { errors, first } => "I/O errors: {errors} I/Os failed; the first: {first}";
    Warning::WrongData { places, more },
        places = places.iter().map(wrong_place).collect::<Vec<_>>().join(", "),
        more = if *more > 0 { format!(" and {more} more") } else { String::new() } =>
        "wrong data: reads did not bring what was written: {places}{more}; look for the rest with \
         `kneepoint verify`, and at the device and its cables before it is trusted with anything";
    Warning::TargetHangs { lost, waited_s }, waited = Nanos::from_secs_f64(*waited_s) =>
        "target hangs: {lost} I/Os did not come back within {waited} of the end";
    Warning::TransactionsRetried { retries, transactions },
        percent = 100.0 * *retries as f64 / (*transactions).max(1) as f64 =>
        "retried: of {transactions} transactions {retries} ({percent:.2} %) had to begin again, since \
         others had changed the same rows; the response time goes on meanwhile";
    Warning::TransactionFailed { first } => "the database failed: {first}";
    Warning::FileOperationFailed { first } => "a file operation failed: {first}";
    Warning::ResponsesMissing { lost, mismatched } =>
        "responses missing: {lost} responses did not appear on the screen in time, and in place of \
         {mismatched} more something else did; they count with the time for which they were waited for";
    Warning::SessionMemory { sessions, bytes, fit, of, machine_bytes },
        taken = memory_taken((*of, *sessions), (*bytes, *machine_bytes)),
        each_of = if of.is_own() { "sessions" } else { "users" },
        fit = fit.map_or_else(String::new, |fit| {
            let ((base, each), error) = (fit.mib(), fit.error_percent);
            format!("; as far as was measured, that is {base:.0} MiB + {each:.1} MiB x {each_of}, within {error:.1} %")
        }) =>
        "memory: {taken}{fit}";
    Warning::SessionProcessor { sessions, used, available, stalled_percent, of },
        who = processor_users(*of, *sessions),
        stalled = stalled_percent.map_or_else(String::new, |percent| {
            format!("; in {percent:.0} % of the time a process waited for one")
        }) =>
        "processors: {who} {used:.2} of {available} processors{stalled}";
    Warning::ServerNetwork { users, received_per_s, sent_per_s, interfaces },
        with = with_users(*users),
        received = RoundedBytes(*received_per_s as u64),
        sent = RoundedBytes(*sent_per_s as u64) =>
        "network: {with} the machine receives {received}/s and sends {sent}/s, all traffic of \
         {interfaces} counted";
    Warning::ServerNotMetered { reason } =>
        "server not metered: {reason}; this point has no numbers of the server's processors, memory and network";
    Warning::BesideFailed { series } =>
        "neighbour failed: {series}, which was measured at the same moment, failed";
    Warning::NothingCompleted =>
        "nothing completed: not one I/O ended in the measured time; measure longer with --time";
    Warning::SteadyStateNotAttained { rounds, window },
        found = window.map_or_else(
            || "there is no window of rounds to judge by".to_owned(),
            |Spread { range_percent, slope_percent }| {
                format!("the range is {range_percent:.1} % and the slope {slope_percent:.1} %")
            },
        ) =>
        "steady state not attained: after {rounds} rounds {found}; precondition the target \
         (--precondition), or use longer rounds";
    Warning::RoundsNotSteady(UnsteadyRounds { rounds, series }),
        found = match series.as_slice() {
            [] => format!(
                "{rounds} rounds are too few for the test, and the numbers are means over all of them"
            ),
            series => format!(
                "after {rounds} rounds the test for steady state still fails for {}; the numbers are \
                 means over the last rounds, and more rounds may change them",
                series.join(", ")
            ),
        } =>
        "rounds not steady: {found}";
    Warning::Overloaded { offered_rate, delivered_rate } =>
        "overloaded: {offered_rate:.0} IO/s were offered and {delivered_rate:.0} IO/s delivered, \
         so response times grow with the measured time; offer less";
    Warning::QueueNotFull { achieved, requested },
        is_short = achieved < requested,
        what = if is_short { "queue not full" } else { "queue too full" },
        why = match is_short {
            true => "the generator needs more CPU time (--workers), or single",
            false => "single",
        } =>
        "{what}: {achieved:.2} outstanding I/Os per target were achieved where {requested} \
         were asked for; {why} I/Os took a large part of the measured time (measure longer)";
    Warning::ZerosRead { zeros, reads } =>
        "zeros read: {zeros} of the last {reads} reads brought zeros alone; what is thin, sparse \
         or trimmed is answered without the medium, so these are not its numbers: write the target \
         from end to end first, or measure a file that Kneepoint makes";
    Warning::Uncalibrated { system } =>
        "uncalibrated: sim:{system} was never fitted to measurements; its parameters come from \
         data sheets and similar parts";
    Warning::ReadsBelowWrites { reads, writes, times }, times = Rate(*times) =>
        "implausible: {writes} writes {times} times as fast as {reads} reads, which storage hardly \
         ever does; look at read-ahead, at caches and, in a simulation, at the model before you rely \
         on either";
    Warning::SequentialBelowRandom { sequential, random, times }, times = Rate(*times) =>
        "implausible: the random access of {random} moves {times} times as much data as the \
         sequential access of {sequential}, which storage hardly ever does; look at read-ahead, at \
         caches and, in a simulation, at the model before you rely on either";
    Warning::ArrayBelowDrive { series, throughput_mib_s, drive_mib_s },
        throughput = MibPerS(*throughput_mib_s),
        drive = MibPerS(*drive_mib_s) =>
        "implausible: {series} reads a sequence with {throughput} from several drives, and the \
         medium of one alone gives at least {drive}; look at read-ahead and at the model before you \
         rely on it";
    Warning::ODirectNotHonoured(unseen @ Unseen { device, .. }), unseen = bytes_unseen(unseen) =>
        "O_DIRECT not honoured: {unseen} never reached {device}, and the target is in the page \
         cache although direct I/O was asked for; these are numbers of memory: measure the device \
         itself, or another file system";
    Warning::PageCacheSuspected(unseen @ Unseen { device, .. }), unseen = bytes_unseen(unseen) =>
        "page cache suspected: {unseen} never reached {device} although direct I/O was asked for: \
         a cache of the file system or parts that were never written answered; measure the device \
         itself, or a file that Kneepoint made on another file system";
    Warning::PageCache(unseen @ Unseen { device, .. }), unseen = bytes_unseen(unseen) =>
        "page cache: {unseen} did not reach {device} in the measured time but were served by \
         memory, as --buffered allows; leave it out to measure the device, or use a --size of \
         several times the memory";
    Warning::OtherDeviceLoad { device, disturbed_percent } =>
        "other load on the device: {disturbed_percent:.0} % of the I/O of {device} was not issued \
         here; stop whatever else uses it (iostat and iotop show it) and measure again";
    Warning::OtherCpuLoad(load),
        waited = load.waited_percent,
        judged = match (load.limit_percent, load.disturbed_percent) {
            (Some(limit), _) => format!(
                "more than the {limit:.0} % of --max-foreign-cpu; stop them and measure again"
            ),
            (None, Some(_)) => format!(
                "and the work that was measured waited for them for up to {waited:.0} % of the time; \
                 stop them and measure again"
            ),
            (None, None) => format!(
                "but the work that was measured had to wait for them for {waited:.1} % of the time at \
                 most"
            ),
        },
        used = load.used_percent =>
        "other load on the CPU: other programs used {used:.0} % of the machine's processor time, \
         {judged}";
    Warning::CpuStolen { stolen_percent, disturbed_percent },
        generator = match disturbed_percent {
            Some(percent) => format!("up to {percent:.0} % of the generator's"),
            None => "little of it the generator's".to_owned(),
        } =>
        "CPU stolen: the hypervisor gave {stolen_percent:.0} % of the machine's processor time to \
         other machines, {generator}; use dedicated processors, or measure when the host is quiet";
    Warning::RoundsLeftOut { left_out, rounds } =>
        "rounds left out: {left_out} of {rounds} rounds do not count, since a copy took more than 1.05 \
         times as long in them as it would have without other load; they were measured again";
    Warning::OutOfReach { measured_s, time_max_s, accuracy_percent } =>
        "ended early: after {measured_s:.1} s it was clear that {time_max_s:.0} s would not bring the \
         intervals within {accuracy_percent} %; let the target come to rest, or allow wider \
         intervals (--accuracy), or set the time yourself (--time)";
    Warning::CopiesWaited { disturbed_percent } =>
        "copies waited: for {disturbed_percent:.0} % of its time a copy had no processor, since other \
         programs or other machines had it; end them, or measure when the host is quiet";
    Warning::GeneratorBound { used_percent } =>
        "generator-bound: the load generator used {used_percent:.0} % of its CPUs, so the number \
         may be its own and not the target's; give it more --workers, or measure larger blocks or \
         fewer outstanding I/Os";
    Warning::GeneratorBusy { used_percent } =>
        "generator busy: the program that plays the users used {used_percent:.0} % of a processor, and what \
         appears on one screen while it looks at others is seen late; play fewer users from one machine";
    Warning::ClockStepped { step_s }, step = Difference(*step_s, 3) =>
        "clock stepped: the wall clock was moved by {step} s while measuring, or the machine \
         slept; let the time service settle, keep the machine awake, and measure again";
    Warning::LevelShift { at_s, before_rate, after_rate, unit },
        change = match after_rate < before_rate {
            true => [
                "fell",
                ", as under throttling; look for limits of the cgroup (io.max, blkio.throttle), \
                 spent burst credits of a cloud volume, a full write cache or heat, and measure \
                 longer (--min-time) to get the lower level alone",
            ],
            false => [
                "rose",
                "; something ended (a rebuild, a trim, other load) or a cache warmed up: use a \
                 longer --ramp",
            ],
        },
        verb = change[0],
        advice = change[1],
        unit = unit.symbol(),
        before = Rate(*before_rate),
        after = Rate(*after_rate) =>
        "level shift: {at_s:.1} s into the measured time {unit} {verb} from {before} to {after} \
         and stayed there{advice}";
    Warning::SubmittedLate { lag_mean_ms, lag_max_ms, disturbed_percent },
        mean = ResponseTime(*lag_mean_ms),
        max = ResponseTime(*lag_max_ms) =>
        "submitted late: I/Os were submitted {mean} after they were due on average, at most {max}, \
         which is {disturbed_percent:.0} % of the mean response time; use fewer --workers than \
         there are free CPUs, offer less, or measure on a quieter machine";
    Warning::Stopped { paused_s } =>
        "stopped: the load generator did not run for {paused_s:.1} s, so I/Os that were done \
         meanwhile were seen late; it was stopped by a signal, a debugger or a frozen control \
         group, or had no processor: measure again";
    Warning::Stalled { stalled_s, measured_s, ending },
        what = match ending {
            StallEnding::Completed => format!(
                ": an I/O took {stalled_s:.1} s of the {measured_s:.1} s that were measured"
            ),
            StallEnding::Outlasted => format!(
                ": an I/O that was in flight at the end of the {measured_s:.1} s that were \
                 measured took {stalled_s:.1} s"
            ),
            StallEnding::Lost => format!(
                " for at least {stalled_s:.1} s: an I/O that was in flight at the end of the \
                 {measured_s:.1} s that were measured did not come back"
            ),
        } =>
        "stalled{what}; something below the target stood still: look for resets and timeouts in \
         the kernel's log, and measure for longer (--time) if the target is like that";
    Warning::SettingChanged(change) => "setting changed: {change}";
    Warning::SourceNotCached { cached_percent } =>
        "page cache: only {cached_percent:.0} % of the source stayed in it after it was read, so \
         the cached copies read from the storage, too; use a smaller file set or more memory";
    Warning::SourceCached { cached_percent } =>
        "page cache: {cached_percent:.0} % of the source stayed in it although it was told to drop \
         it (a file system in memory, or someone else reads the files), so the uncached copies did \
         not read from the storage";
    Warning::DirectIoRefused =>
        "page cache: the file system refused direct I/O (O_DIRECT), so read-write went through the \
         page cache; the source was dropped from it, and every file was synchronised";
    Warning::HostLags { host, rate, median_rate, unit },
        rate = Rate(*rate),
        median = Rate(*median_rate),
        unit = unit.symbol() =>
        "straggler: each target of {host} did {rate} {unit} on average, those of the median host \
         {median}; look whether its link, its path to the storage or its processors differ from \
         those of the others";
    Warning::HostLost { host, series, load } =>
        "host lost: the connection to {host} was lost while {series} was measured at {load}; the \
         point was measured again with all hosts once {host} was back: look after its agent, its \
         network and its load";
    Warning::BeganLate { late_ms, interval_ms },
        late = ResponseTime(*late_ms),
        interval = ResponseTime(*interval_ms) =>
        "began late: its load began {late} after the common start, which is more than an interval of \
         {interval}; free its processors, and measure again";
    Warning::ClockUncertain { bound_ms, interval_ms },
        bound = ResponseTime(*bound_ms),
        interval = ResponseTime(*interval_ms) =>
        "clock uncertain: its clock is known to {bound} only, which is more than an interval of \
         {interval}, so the hosts may not have been measured at the same time; use a quicker or \
         quieter network between controller and agents, and measure again";
    Warning::OnHost { host, warning },
        text = warning.text() =>
        "on {host}: {text}";
    Warning::SharedBlocks =>
        "shared blocks: the file system did not copy the data but lets both files point to it, so \
         this is no rate of the storage";
    Warning::Other(recorded), text = &recorded.text => "{text}";
}

/// Where data is wrong, and how.
fn wrong_place(place: &WrongPlace) -> String {
    let WrongPlace { target, fault, offset_bytes, bytes } = place;
    format!("{} at byte {offset_bytes} of {target} ({bytes} bytes)", fault.name())
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

/// Memory that sessions or the machine of a server take.
fn memory_taken((of, users): (Metered, u64), (bytes, machine): (u64, Option<u64>)) -> String {
    let (bytes, once, with) =
        (RoundedBytes(bytes), "what they share counted once", with_users(users));
    match of {
        Metered::OwnSessions => {
            format!("the processes of the sessions ({users}) take {bytes}, {once}")
        }
        Metered::Sessions => {
            format!("{with} the processes of all sessions there take {bytes}, {once}")
        }
        Metered::Accounts => {
            format!("the processes of the users' accounts ({users}) take {bytes}, {once}")
        }
        Metered::Machine => {
            let all = machine.map_or_else(String::new, |all| format!(" of {}", RoundedBytes(all)));
            format!("{with} {bytes}{all} are used there, by all that runs on the machine")
        }
    }
}

/// `with 10 users`.
fn with_users(users: u64) -> String {
    format!("with {users} {}", if users == 1 { "user" } else { "users" })
}

/// Who uses processors, with the verb.
fn processor_users(of: Metered, users: u64) -> String {
    let with = with_users(users);
    match of {
        Metered::OwnSessions => format!("the sessions ({users}) use"),
        Metered::Sessions => format!("{with} all sessions there use"),
        Metered::Accounts => format!("the users' accounts ({users}) use"),
        Metered::Machine => format!("{with} all that runs on the machine uses"),
    }
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

/// `13% of the bytes read`.
fn bytes_unseen(unseen: &Unseen) -> String {
    let direction = match unseen.direction {
        Moved::Read => "read",
        Moved::Written => "written",
    };
    format!("{} of the bytes {direction}", Percentage(unseen.missing_percent.round()))
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
