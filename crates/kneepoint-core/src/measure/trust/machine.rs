//! The machine under a point: our I/Os against those that the kernel counted on the devices, who
//! used the processors, and what keeps the machine from being quiet.

use super::observation::{Accounting, DeviceTraffic, Observation, ProcessorTime, Traffic};
use super::{Issued, OTHERS_SHARE_MAX, disturbed_by, together};
use crate::plan::{Caching, Engine};
use crate::result::Warning;
use crate::result::warning::{Moved, OtherCpuLoad, Unseen};
use crate::words::load::LoadUnit;
use crate::words::units::KIB;

/// Fewer bytes than these are put down to what a machine does by itself: a commit of the file
/// system's journal for the times of the test file and for this program's own store every few
/// seconds, a directory read by someone.
const BYTES_MIN: f64 = 512.0 * KIB as f64;

/// The same in I/Os.
pub(super) const OPERATIONS_MIN: f64 = 64.0;

/// Above this size the kernel may split an I/O, and numbers of I/Os cannot be compared; no driver
/// in use takes less at once.
const UNSPLIT_BYTES_MAX: f64 = 64.0 * KIB as f64;

/// An I/O of someone else has at least this many bytes; one that the kernel made by splitting
/// ours adds none.
const OTHER_BYTES_MIN: f64 = 2.0 * KIB as f64;

/// Observations shorter than this say nothing of devices, in seconds.
const SECONDS_MIN: f64 = 0.15;

/// What the devices' counters say.
pub(super) fn traffic_findings(issued: &Issued, observation: &Observation) -> Vec<Warning> {
    if issued.errors > 0 || observation.seconds < SECONDS_MIN || issued.seconds < SECONDS_MIN {
        return Vec::new();
    }
    let pace = issued.seconds / observation.seconds;
    let devices = observation.devices.iter();
    devices.flat_map(|device| Comparison::of(device, issued, pace).findings(issued)).collect()
}

/// One group of devices and the targets on them.
struct Comparison<'a> {
    device: &'a DeviceTraffic,
    /// Reads and writes that we saw complete.
    ours: [Traffic; 2],
    /// Reads and writes that the kernel saw, brought to the same length of time.
    kernel: [Traffic; 2],
    /// Differences up to this occur without other load.
    slack: Traffic,
}

impl<'a> Comparison<'a> {
    fn of(device: &'a DeviceTraffic, issued: &Issued, pace: f64) -> Self {
        let mut ours = [Traffic::default(); 2];
        // The readings are up to about one interval off its ends.
        let mut slack = Traffic::default();
        for target in &device.targets {
            for (sum, own) in ours.iter_mut().zip(&issued.targets[*target]) {
                sum.add(*own);
            }
            slack.add(issued.busiest[*target]);
        }
        slack.bytes = slack.bytes.max(BYTES_MIN);
        slack.operations = slack.operations.max(OPERATIONS_MIN);
        let kernel = [device.read.times(pace), device.written.times(pace)];
        Self { device, ours, kernel, slack }
    }

    fn findings(&self, issued: &Issued) -> Vec<Warning> {
        match issued.caching {
            // To be expected, and to be known.
            Caching::Buffered => self.unseen().map(Warning::PageCache).into_iter().collect(),
            Caching::Direct => self.shortfall().into_iter().chain(self.others(issued)).collect(),
        }
    }

    /// The direction with the larger part of its bytes that the kernel did not see, and that part,
    /// where it is more than chance.
    fn unseen(&self) -> Option<Unseen> {
        let directions = [Moved::Read, Moved::Written];
        let directions = directions.into_iter().zip(self.ours.iter().zip(&self.kernel));
        let (direction, share) = directions
            .filter_map(|(direction, (ours, kernel))| {
                let missing = ours.bytes - kernel.bytes;
                let is_missing =
                    missing > self.slack.bytes && missing > OTHERS_SHARE_MAX * ours.bytes;
                is_missing.then(|| (direction, missing / ours.bytes))
            })
            .max_by(|left, right| left.1.total_cmp(&right.1))?;
        let device = self.device.name.clone();
        Some(Unseen { device, direction, missing_percent: 100.0 * share })
    }

    /// Direct I/O that did not reach the device.
    fn shortfall(&self) -> Option<Warning> {
        let unseen = self.unseen()?;
        let cached = self.device.cached_bytes.unwrap_or(0) as f64;
        Some(match cached > BYTES_MIN.max(OTHERS_SHARE_MAX * self.bytes()) {
            true => Warning::ODirectNotHonoured(unseen),
            false => Warning::PageCacheSuspected(unseen),
        })
    }

    /// Bytes of both directions that were ours.
    fn bytes(&self) -> f64 {
        self.ours[0].bytes + self.ours[1].bytes
    }

    /// I/O of someone else on the devices: by bytes, or by I/Os where these are small.
    fn others(&self, issued: &Issued) -> Option<Warning> {
        if self.device.accounting == Accounting::AtLeast {
            return None;
        }
        let operations_ours = self.ours[0].operations + self.ours[1].operations;
        let bytes = self.excess(issued, |traffic| traffic.bytes);
        let operations = self.excess(issued, |traffic| traffic.operations);
        let is_byte_load = bytes > self.slack.bytes && bytes > OTHERS_SHARE_MAX * self.bytes();
        let is_comparable = self.bytes() <= UNSPLIT_BYTES_MAX * operations_ours;
        let is_operation_load = is_comparable
            && operations > self.slack.operations
            && operations > OTHERS_SHARE_MAX * operations_ours
            && bytes > OTHER_BYTES_MIN * operations;
        (is_byte_load || is_operation_load).then(|| {
            let by_bytes = bytes / self.bytes().max(1.0);
            let by_operations = match is_operation_load {
                true => operations / operations_ours.max(1.0),
                false => 0.0,
            };
            let excess = by_bytes.max(by_operations);
            Warning::OtherDeviceLoad {
                device: self.device.name.clone(),
                disturbed_percent: disturbed_by(excess / (1.0 + excess)),
            }
        })
    }

    /// What the kernel saw beyond ours; where it saw less of one direction, that hides nothing of
    /// the other. If writes are made durable, others' cannot be told from what the file system writes.
    fn excess(&self, issued: &Issued, part: impl Fn(&Traffic) -> f64) -> f64 {
        let judged = if issued.is_durable { 1 } else { 2 };
        let both = self.ours.iter().zip(&self.kernel).take(judged);
        both.map(|(ours, kernel)| (part(kernel) - part(ours)).max(0.0)).sum()
    }
}

/// The generator used this share of its CPUs: it limits what it measures.
const GENERATOR_SHARE_MAX: f64 = 0.90;

/// The same where it plays users: it looks at their screens in turn, and what appears on one while it looks at
/// others is seen late, the more often the busier it is.
const PLAYER_SHARE_MAX: f64 = 0.50;

/// No one has to wait long for a processor on a machine that is less busy than this.
const BUSY_SHARE_MIN: f64 = 0.90;

/// Processor time below this is not judged, in seconds: the kernel books it in ticks
/// of up to 10 ms, so ten of them are the least that can be told from none.
const PROCESSOR_S_MIN: f64 = 0.1;

/// Workers are judged over at least this many seconds.
const GENERATOR_S_MIN: f64 = 0.05;

/// Other programs on the processors: what they can have changed, or that they changed nothing.
pub(super) fn others(issued: &Issued, observation: &Observation) -> Option<Warning> {
    let time = observation.processor.as_ref()?;
    if time.others_s() <= PROCESSOR_S_MIN || time.capacity_s <= 0.0 {
        return None;
    }
    let foreign = (time.others_s() / time.capacity_s).min(1.0);
    let waited = waited(observation, time);
    let limit = issued.foreign_cpu_max.filter(|limit| foreign > *limit);
    let disturbed = match limit {
        Some(_) => Some(foreign.max(waited)),
        None => (waited > OTHERS_SHARE_MAX).then_some(waited),
    };
    (disturbed.is_some() || foreign > OTHERS_SHARE_MAX).then(|| {
        Warning::OtherCpuLoad(OtherCpuLoad {
            used_percent: 100.0 * foreign,
            waited_percent: 100.0 * waited,
            limit_percent: limit.map(|limit| 100.0 * limit),
            disturbed_percent: disturbed.map(disturbed_by),
        })
    })
}

/// The share of the measured time for which the generator, or the kernel's part of the I/Os, can
/// have waited for other programs, from 0 to 1.
///
/// While a thread waits, none of its I/Os is submitted or seen to complete; so by Little's law
/// throughput and mean response time are off by this share at the most. Nothing waits for other
/// programs longer than they ran.
fn waited(observation: &Observation, time: &ProcessorTime) -> f64 {
    if observation.seconds <= 0.0 {
        return 0.0;
    }
    let waits = &observation.waits;
    let share = |waited_s: f64| waited_s.min(time.others_s()) / observation.seconds;
    // If the kernel does not tell who waited, only a busy machine makes the generator wait, and no one
    // waits longer than any program did.
    let unseen = match time.busy_share() > BUSY_SHARE_MIN {
        true => share(waits.any_s.unwrap_or(f64::INFINITY)),
        false => 0.0,
    };
    let generator = waits.workers_s.map_or(unseen, share);
    let needs_kernel = observation.devices.iter().any(|device| device.needs_kernel_threads);
    let kernel = match needs_kernel {
        true => waits.kernel_threads_s.map_or(unseen, share),
        false => 0.0,
    };
    together([generator, kernel])
}

/// Processor time that the hypervisor gave to other machines. Of it, the generator lost as much as
/// it has of all time that programs used.
pub(super) fn stolen(observation: &Observation) -> Option<Warning> {
    let time = observation.processor.as_ref()?;
    let used_s = time.user_s + time.system_s;
    if time.stolen_s <= PROCESSOR_S_MIN || time.capacity_s <= 0.0 || used_s <= 0.0 {
        return None;
    }
    let ours_s = used_s - time.others_s().clamp(0.0, used_s);
    let threads = observation.workers_s.len().min(observation.worker_cpus).max(1) as f64;
    let lost_s = time.stolen_s * ours_s / used_s;
    let share = (lost_s / (observation.seconds * threads)).clamp(0.0, 1.0);
    let disturbed = (share > OTHERS_SHARE_MAX).then_some(share);
    let is_told = disturbed.is_some() || time.stolen_s > OTHERS_SHARE_MAX * time.capacity_s;
    is_told.then(|| Warning::CpuStolen {
        stolen_percent: 100.0 * time.stolen_s / time.capacity_s,
        disturbed_percent: disturbed.map(disturbed_by),
    })
}

/// Whether the load generator itself was the bottleneck: one of its threads, or all of them on the
/// CPUs that they share.
///
/// In an open loop it spins between arrivals, and lateness tells; with the null target it is what
/// is being measured.
pub(super) fn generator(issued: &Issued, observation: &Observation) -> Option<Warning> {
    let share_max = match issued.load_unit {
        LoadUnit::OutstandingIos => GENERATOR_SHARE_MAX,
        LoadUnit::Users => PLAYER_SHARE_MAX,
        _ => return None,
    };
    let is_judged = issued.engine != Engine::Null
        && observation.seconds >= GENERATOR_S_MIN
        && !observation.workers_s.is_empty();
    if !is_judged {
        return None;
    }
    let workers = &observation.workers_s;
    let busiest = workers.iter().copied().fold(0.0, f64::max) / observation.seconds;
    let cpus = workers.len().min(observation.worker_cpus.max(1)) as f64;
    let together = workers.iter().sum::<f64>() / (observation.seconds * cpus);
    let share = busiest.max(together);
    let used_percent = 100.0 * share.min(1.0);
    (share > share_max).then_some(match issued.load_unit {
        LoadUnit::Users => Warning::GeneratorBusy { used_percent },
        _ => Warning::GeneratorBound { used_percent },
    })
}

/// In the last 10 s something waited for a processor for more than this share of the time, in
/// percent: points that begin now are likely to be disturbed.
const PRESSURE_PERCENT_MAX: f64 = 10.0;

/// What other programs do on a machine on which nothing is measured, in words; `None` if that can
/// disturb a point by no more than points tolerate.
///
/// Quiet is a machine whose processors others use for at most 5 % of their time, and whose devices
/// serve fewer I/Os per second than a machine makes by itself.
pub fn unrest(observation: &Observation) -> Option<String> {
    let processor = observation.processor.as_ref().filter(|time| time.capacity_s > 0.0);
    let share = processor.map_or(0.0, |time| (time.others_s() / time.capacity_s).min(1.0));
    let mut seen = Vec::new();
    if share > OTHERS_SHARE_MAX {
        let percent = 100.0 * share;
        seen.push(format!("other programs use {percent:.0} % of the processor time"));
    }
    for device in observation.devices.iter().filter(|_| observation.seconds > 0.0) {
        let rate = (device.read.operations + device.written.operations) / observation.seconds;
        if rate > OPERATIONS_MIN {
            seen.push(format!("{} serves {rate:.0} IO/s of others", device.name));
        }
    }
    (!seen.is_empty()).then(|| seen.join(", "))
}

/// What is said before the first point of a machine on which programs waited for a processor for
/// this share of the last 10 s, in percent; `None` if that was little.
pub fn pressure_note(waited_percent: f64) -> Option<String> {
    (waited_percent > PRESSURE_PERCENT_MAX).then(|| {
        format!(
            "the machine is busy: in the last 10 s programs waited for a processor for \
             {waited_percent:.0} % of the time, and points may be disturbed; --wait-quiet 60s waits \
             until it is quiet"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two seconds on two processors of which others used `user_s`, with `operations` of others.
    fn watched(user_s: f64, operations: f64) -> Observation {
        let read = Traffic { operations, bytes: operations * 4096.0 };
        let processor = ProcessorTime { capacity_s: 4.0, user_s, ..ProcessorTime::default() };
        let device = DeviceTraffic {
            name: "sda".to_owned(),
            targets: vec![0],
            read,
            written: Traffic::default(),
            accounting: Accounting::Exact,
            needs_kernel_threads: false,
            cached_bytes: None,
        };
        Observation {
            seconds: 2.0,
            processor: Some(processor),
            devices: vec![device],
            ..Observation::default()
        }
    }

    #[test]
    fn a_quiet_machine_is_one_with_little_of_others() {
        let check = |user_s, operations, expected: Option<&str>| {
            assert_eq!(unrest(&watched(user_s, operations)).as_deref(), expected);
        };
        check(0.0, 0.0, None);
        check(0.19, 100.0, None);
        check(1.0, 0.0, Some("other programs use 25 % of the processor time"));
        check(0.0, 400.0, Some("sda serves 200 IO/s of others"));
        let both = "other programs use 50 % of the processor time, sda serves 100 IO/s of others";
        check(2.0, 200.0, Some(both));
        assert_eq!(unrest(&Observation::default()), None);
    }

    #[test]
    fn only_a_busy_machine_is_told_of() {
        assert_eq!(pressure_note(0.0), None);
        assert_eq!(pressure_note(10.0), None);
        let note = pressure_note(43.2).unwrap();
        assert!(note.contains("for 43 % of the time"), "{note}");
    }
}
