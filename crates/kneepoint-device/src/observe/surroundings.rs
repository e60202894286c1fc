//! The machine while nothing is measured, and the devices below a target whose
//! counters are watched.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use kneepoint_core::measure::trust::{Accounting, Observation};

use super::waits::some_avg10;
use super::{DeviceGroup, Sampler, groups};
use crate::facts::{BlockDevice, DeviceNumber, DeviceStack, TargetFacts};

/// What other programs do on the processors and on the devices of targets.
#[derive(Debug)]
pub struct Surroundings {
    groups: Vec<DeviceGroup>,
}

impl Surroundings {
    /// Those of targets.
    pub fn of(targets: &[ObservedTarget]) -> Self {
        Self { groups: groups(targets) }
    }

    /// Watches for `time`, of at least 100 ms; `None` where the machine does not tell.
    pub fn watch(&self, time: Duration) -> Option<Observation> {
        let mut sampler = Sampler::new(&self.groups, Vec::new());
        sampler.read(0);
        sleep(time);
        sampler.read(1);
        sampler.finish(0, &[]).map(|(observation, _)| observation)
    }
}

/// The share of the last 10 s for which something waited for a processor, in percent (`some` in
/// `/proc/pressure/cpu`); `None` where the kernel does not tell.
pub fn processor_pressure() -> Option<f64> {
    some_avg10(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

/// File systems on which a byte of a file is a byte of the device: no copies on write, no
/// checksums of data, no data in the journal unless asked for.
const EXACT: [&str; 6] = ["ext2", "ext4", "xfs", "jfs", "vfat", "exfat"];

/// The devices whose counters see a target's I/O.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedTarget {
    pub(super) devices: Vec<(String, DeviceNumber)>,
    pub(super) accounting: Accounting,
}

impl ObservedTarget {
    /// The devices of a target; none where the kernel does not count on them.
    pub fn of(facts: &TargetFacts) -> Self {
        let tops = facts.stack().map_or(&[][..], DeviceStack::tops);
        let is_counted = tops.iter().all(counts);
        let named = tops.iter().filter(|_| is_counted);
        Self {
            devices: named.map(|device| (device.name.clone(), device.number)).collect(),
            accounting: accounting(facts),
        }
    }
}

/// Whether the device counts (`queue/iostats`).
fn counts(device: &BlockDevice) -> bool {
    device.settings.get("iostats").is_none_or(|setting| setting != "0")
}

fn accounting(facts: &TargetFacts) -> Accounting {
    match facts.file_system() {
        None => Accounting::Exact,
        Some(found) => {
            let mount = &found.mount;
            let is_exact = EXACT.contains(&mount.fs_type.as_str())
                && !found.describe().contains("data=journal");
            if is_exact { Accounting::Exact } else { Accounting::AtLeast }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_sees_the_processors() {
        let seen = Surroundings::of(&[]).watch(Duration::from_millis(100)).unwrap();
        assert!(seen.seconds >= 0.1);
        assert!(seen.processor.unwrap().capacity_s > 0.0);
        assert!(seen.devices.is_empty());
    }
}
