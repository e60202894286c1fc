//! The devices below a target, as far as their counters are to be watched.

use kneepoint_core::measure::trust::Accounting;

use crate::facts::{BlockDevice, DeviceNumber, DeviceStack, TargetFacts};

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
