//! Systems but for their number of drives.

use kneepoint_core::words::fault::Fault;

use crate::system::System;
use crate::system::setting::{DriveKind, RaidLevel, WriteCache};
use crate::target::{Model, SimTarget};

/// Flash that is tried at most, in bytes: every page of it is simulated.
const FLASH_BYTES_MAX: u64 = 256_000_000_000;

/// What may be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Names of systems whose controllers and links are used.
    pub systems: Vec<String>,
    /// Names of drives of the catalog, without `drive/`; the system's own where it is empty.
    pub drives: Vec<String>,
    /// RAID levels.
    pub raid: Vec<RaidLevel>,
    /// Settings of the write cache.
    pub write_cache: Vec<WriteCache>,
}

/// A system but for its number of drives.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The name of its target, without the number of drives.
    pub target: String,
    /// The drive's name.
    pub drive: String,
    /// The system with all settings but the number of drives.
    pub system: System,
}

impl Shape {
    /// The shape of a system with a drive of the catalog and with settings; `None` where the
    /// system does not come at that RAID level.
    fn new(base: &str, drive: Option<&str>, settings: (RaidLevel, WriteCache)) -> Option<Self> {
        let (raid, write_cache) = settings;
        let changed = drive.map_or_else(String::new, |drive| format!("&drive={drive}"));
        let target = format!("sim:{base}?raid={raid}&write_cache={write_cache}{changed}");
        // What is built first must be a system: two full arrays are one at every RAID level.
        let own = System::shipped(base).ok()?;
        let first = format!("{target}&drives={}", 2 * own.layout.drives_per_array);
        match SimTarget::parse(&first).ok()?.model {
            Model::Array { system, .. } => {
                Some(Self { drive: drive.unwrap_or("its own").to_owned(), system: *system, target })
            }
            Model::Analytic(_) | Model::Desktop(_) => None,
        }
    }

    /// The system with `drives` drives that use `stroke_percent` of their capacity; `None` where
    /// that is none at this RAID level.
    pub fn with(&self, drives: u32, stroke_percent: f64) -> Option<System> {
        let query = format!("drives={drives}&stroke={stroke_percent}%");
        self.system.with_query(&self.target, &query).ok()
    }

    /// The name of that system as a target.
    pub fn target_with(&self, drives: u32, stroke_percent: f64) -> String {
        format!("{}&drives={drives}&stroke={stroke_percent:.1}%", self.target)
    }

    /// Numbers of drives worth trying, rising, up to `drives_max`: one array of any size that the
    /// level takes, then whole arrays.
    pub fn counts(&self, drives_max: u32) -> Vec<u32> {
        let drives_max = match self.system.drive.kind {
            DriveKind::Disk => drives_max,
            DriveKind::Flash => {
                drives_max.min((FLASH_BYTES_MAX / self.system.drive.capacity.0.max(1)) as u32)
            }
        };
        let full = self.system.layout.drives_per_array.max(1);
        let raid = self.system.layout.raid;
        let fits = |drives: &u32| match raid {
            RaidLevel::Raid1 => *drives == 2,
            RaidLevel::Raid10 => drives.is_multiple_of(2),
            _ => true,
        };
        let first = (raid.drives_min()..full).filter(fits);
        let whole = (1..).map(|arrays| arrays * full).take_while(|drives| *drives <= drives_max);
        let whole = whole.filter(|_| raid != RaidLevel::Raid1);
        first.chain(whole).filter(|drives| *drives <= drives_max).collect()
    }
}

/// Every combination of a choice that there is.
///
/// # Errors
/// When a system or a drive is not known.
pub fn shapes(choice: &Choice) -> Result<Vec<Shape>, Fault> {
    let mut shapes = Vec::new();
    for base in &choice.systems {
        System::shipped(base)?;
        let drives: Vec<Option<&str>> = match choice.drives.is_empty() {
            true => vec![None],
            false => choice.drives.iter().map(|drive| Some(drive.as_str())).collect(),
        };
        for drive in drives {
            if let Some(drive) = drive {
                System::shipped(&format!("drive/{drive}"))?;
            }
            for raid in &choice.raid {
                for write_cache in &choice.write_cache {
                    shapes.extend(Shape::new(base, drive, (*raid, *write_cache)));
                }
            }
        }
    }
    Ok(shapes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_shape() {
        let choice = Choice {
            systems: vec!["serveraid-m5025".to_owned()],
            drives: vec!["hdd-sas25-10k-600".to_owned(), "hdd-sas25-15k-146".to_owned()],
            raid: vec![RaidLevel::Raid5, RaidLevel::Raid10],
            write_cache: vec![WriteCache::On],
        };
        let shapes = shapes(&choice).unwrap();
        assert_eq!(shapes.len(), 4);
        assert_eq!(
            shapes[0].target_with(24, 8.0),
            "sim:serveraid-m5025?raid=raid5&write_cache=on&drive=hdd-sas25-10k-600&drives=24&stroke=8.0%"
        );
        assert_eq!(shapes[0].with(24, 8.0).unwrap().layout.drives, 24);
        assert_eq!(shapes[0].counts(40), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 24, 36]);
        assert_eq!(shapes[1].counts(12), [2, 4, 6, 8, 10, 12]);
    }
}
