//! The machine while nothing is measured, and the devices below targets whose counters are watched:
//! targets that share devices are counted together.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::thread::sleep;
use std::time::Duration;

use kneepoint_core::measure::trust::{Accounting, Observation};

use super::Sampler;
use super::sampler::some_avg10;
use crate::facts::{BlockDevice, DeviceNumber, DeviceStack, TargetFacts};

/// The activity of other programs on the processors and on the devices of targets.
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
        sampler.finish(0..usize::MAX, &[]).map(|(observation, _)| observation)
    }
}

/// The processors and the clock while something other than I/O is measured.
#[derive(Debug)]
pub struct ProcessorWatch(Sampler<'static>);

impl ProcessorWatch {
    /// Begins to watch. Programs that this process starts do its work, and count once they have ended.
    pub fn begin() -> Self {
        Self(Sampler::new(&[], Vec::new()).with_children())
    }

    /// Takes a reading after that many whole intervals of the point, unless the last one is very young.
    pub fn read(&mut self, intervals: usize) {
        self.0.read(intervals);
    }

    /// The observation over the intervals that counted, and the processor time of this process and of the
    /// programs that it ran, in percent of one processor; `None` for a point that was too short for two readings.
    pub fn finish(self, counted: Range<usize>) -> Option<(Observation, f64)> {
        self.0.finish(counted, &[])
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
        let counts =
            |device: &BlockDevice| device.settings.get("iostats").is_none_or(|set| set != "0");
        let is_counted = tops.iter().all(counts);
        let named = tops.iter().filter(|_| is_counted);
        Self {
            devices: named.map(|device| (device.name.clone(), device.number)).collect(),
            accounting: accounting(facts),
        }
    }
}

fn accounting(facts: &TargetFacts) -> Accounting {
    let is_exact = facts.file_system().is_none_or(|found| {
        EXACT.contains(&found.mount.fs_type.as_str()) && !found.describe().contains("data=journal")
    });
    if is_exact { Accounting::Exact } else { Accounting::AtLeast }
}

/// Drivers that hand I/Os to threads of the kernel.
const SERVED_BY_THREADS: [&str; 8] = ["loop", "md", "dm-", "nbd", "rbd", "drbd", "bcache", "zd"];

/// Devices and all the targets on them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeviceGroup {
    /// Places of the targets in the plan.
    pub(crate) targets: Vec<usize>,
    /// Kernel names and numbers, each once.
    pub(crate) devices: BTreeSet<(String, DeviceNumber)>,
    /// The loosest of the targets'.
    pub(crate) accounting: Accounting,
}

impl DeviceGroup {
    /// Kernel names of the devices.
    pub(crate) fn name(&self) -> String {
        self.devices.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// True if threads of the kernel carry out I/Os of the devices: those of loop, md and dm
    /// devices and of disks behind a network do, where drives are served by interrupts.
    pub(crate) fn needs_kernel_threads(&self) -> bool {
        self.devices
            .iter()
            .any(|(name, _)| SERVED_BY_THREADS.iter().any(|driver| name.starts_with(driver)))
    }

    fn absorb(&mut self, other: Self) {
        self.targets.extend(other.targets);
        self.targets.sort_unstable();
        self.devices.extend(other.devices);
        if other.accounting == Accounting::AtLeast {
            self.accounting = Accounting::AtLeast;
        }
    }
}

/// The groups of targets; targets without devices are in none.
pub(crate) fn groups(targets: &[ObservedTarget]) -> Vec<DeviceGroup> {
    let mut groups: Vec<DeviceGroup> = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        if target.devices.is_empty() {
            continue;
        }
        let mut merged = DeviceGroup {
            targets: vec![number],
            devices: target.devices.iter().cloned().collect(),
            accounting: target.accounting,
        };
        let (touched, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.devices.is_disjoint(&merged.devices));
        groups = apart;
        touched.into_iter().for_each(|group| merged.absorb(group));
        groups.push(merged);
    }
    groups.sort_by_key(|group| group.targets[0]);
    groups
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

#[cfg(test)]
mod group_tests {
    use super::*;

    #[test]
    fn stacked_devices_need_threads_of_the_kernel() {
        let needs = |name: &str| groups(&[target(&[name])])[0].needs_kernel_threads();
        assert!(["loop0", "md127", "dm-3", "nbd1"].into_iter().all(needs));
        assert!(!["sda", "nvme0n1", "vda", "mmcblk0"].into_iter().any(needs));
    }

    fn target(names: &[&str]) -> ObservedTarget {
        let device = |name: &&str| {
            let minor = name.bytes().map(u32::from).sum();
            ((*name).to_owned(), DeviceNumber { major: 8, minor })
        };
        ObservedTarget {
            devices: names.iter().map(device).collect(),
            accounting: Accounting::Exact,
        }
    }

    #[test]
    fn targets_on_common_devices_belong_together() {
        let check = |targets: &[ObservedTarget], expected: &[(&[usize], &str)]| {
            let found = groups(targets);
            let found: Vec<_> =
                found.iter().map(|group| (&group.targets[..], group.name())).collect();
            let expected: Vec<_> =
                expected.iter().map(|(targets, name)| (*targets, (*name).to_owned())).collect();
            assert_eq!(found, expected);
        };
        check(&[], &[]);
        check(&[target(&["a"]), target(&["b"])], &[(&[0], "a"), (&[1], "b")]);
        check(&[target(&["a"]), target(&[]), target(&["a"])], &[(&[0, 2], "a")]);
        let chain = [target(&["a"]), target(&["b"]), target(&["a", "b"])];
        check(&chain, &[(&[0, 1, 2], "a, b")]);
    }
}
