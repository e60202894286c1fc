//! Our I/Os against those that the kernel counted on the devices.

use super::observation::{Accounting, DeviceTraffic, Observation, Traffic};
use super::{Issued, OTHERS_SHARE_MAX, disturbed_by};
use crate::plan::Caching;
use crate::result::Warning;
use crate::result::warning::{Moved, Unseen};
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
pub(super) fn findings(issued: &Issued, observation: &Observation) -> Vec<Warning> {
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
    /// Differences up to this come about without anybody else.
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
            Caching::Buffered => self.cached().into_iter().collect(),
            Caching::Direct => self.shortfall().into_iter().chain(self.others()).collect(),
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

    /// Buffered I/O that did not reach the device: to be expected, and to be known.
    fn cached(&self) -> Option<Warning> {
        self.unseen().map(Warning::PageCache)
    }

    /// Bytes of both directions that were ours.
    fn bytes(&self) -> f64 {
        self.ours[0].bytes + self.ours[1].bytes
    }

    /// I/O of someone else on the devices: by bytes, or by I/Os where these are small.
    fn others(&self) -> Option<Warning> {
        if self.device.accounting == Accounting::AtLeast {
            return None;
        }
        let operations_ours = self.ours[0].operations + self.ours[1].operations;
        let bytes = self.excess(|traffic| traffic.bytes);
        let operations = self.excess(|traffic| traffic.operations);
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
    /// the other.
    fn excess(&self, part: impl Fn(&Traffic) -> f64) -> f64 {
        let both = self.ours.iter().zip(&self.kernel);
        both.map(|(ours, kernel)| (part(kernel) - part(ours)).max(0.0)).sum()
    }
}
