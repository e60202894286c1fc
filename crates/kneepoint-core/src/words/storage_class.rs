//! The class of storage that targets are of, and the rules that find something on it.
//!
//! A limit of 20 ms says where a disk gives way; flash never gets near it. So work that names no
//! rules takes those of the class of its targets, and the plan says which class and why.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::rule::{Metric, Rule};
use crate::words::units::Nanos;

crate::named! {
    /// What storage is made of, as far as it decides about response times.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum StorageClass {
        /// Disks that turn.
        Rotational = "rotational",
        /// Flash, and memory.
        Flash = "flash",
    }
}

impl StorageClass {
    /// The rules of work that names none. For disks the two limits of the published reports, 15 ms
    /// (ServeRAID M5025, 2011) and 20 ms (FAStT900, 2004) mean response time; for flash, of which
    /// one expects that hardly any I/O waits, the 99th percentile at 1 ms and 2 ms.
    pub fn rules(self) -> Vec<Rule> {
        let (metric, limits_ms) = match self {
            Self::Rotational => (Metric::Mean, [15, 20]),
            Self::Flash => (Metric::P99, [1, 2]),
        };
        limits_ms.map(|ms| Rule::on(metric, Nanos::from_millis(ms))).to_vec()
    }
}

/// The class that targets were taken to be of, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetClass {
    /// The class.
    pub class: StorageClass,
    /// What speaks for it, as a clause: `vda is not rotational`.
    pub because: String,
}

impl TargetClass {
    /// The class of targets that are measured together; `None` without targets.
    ///
    /// If they differ it is rotational: the response time of all together is that of the disks
    /// among them, and no load would meet the rules of flash.
    pub fn of_all(targets: &[Self]) -> Option<Self> {
        let rotational = targets.iter().find(|target| target.class == StorageClass::Rotational);
        let others = targets.iter().find(|target| target.class == StorageClass::Flash);
        match (rotational, others) {
            (Some(disk), Some(flash)) => Some(Self {
                class: StorageClass::Rotational,
                because: format!(
                    "{}; {}; together they are as slow as the disks",
                    disk.because, flash.because
                ),
            }),
            (one, other) => one.or(other).cloned(),
        }
    }
}

impl fmt::Display for TargetClass {
    /// `flash (vda is not rotational)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.class.name(), self.because)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(class: StorageClass, because: &str) -> TargetClass {
        TargetClass { class, because: because.to_owned() }
    }

    #[test]
    fn each_class_has_rules_that_find_something_on_it() {
        let rules = |class: StorageClass| -> Vec<String> {
            class.rules().iter().map(ToString::to_string).collect()
        };
        assert_eq!(rules(StorageClass::Rotational), ["mean<=15ms", "mean<=20ms"]);
        assert_eq!(rules(StorageClass::Flash), ["p99<=1ms", "p99<=2ms"]);
    }

    #[test]
    fn a_disk_among_flash_decides() {
        let flash = target(StorageClass::Flash, "nvme0n1 is not rotational");
        let disk = target(StorageClass::Rotational, "sda is rotational");
        let mixed = TargetClass::of_all(&[flash.clone(), disk.clone()]).unwrap();
        assert_eq!(
            mixed.to_string(),
            "rotational (sda is rotational; nvme0n1 is not rotational; together they are as slow \
             as the disks)"
        );
        let same = TargetClass::of_all(&[flash.clone(), flash.clone()]);
        assert_eq!(same.unwrap().to_string(), "flash (nvme0n1 is not rotational)");
        assert_eq!(TargetClass::of_all(&[]), None);
    }
}
