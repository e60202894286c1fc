//! What cannot be simulated, and why.

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::KIB;

use super::System;
use super::parameter::Key;
use super::setting::{Condition, DriveKind, RaidLevel};

/// Most drives of a system.
const DRIVES_MAX: u32 = 4096;
/// Most stripe rows behind write caches: half a gigabyte of memory.
const ROWS_MAX: u64 = 1 << 27;
/// Most pages of a solid-state drive: a gigabyte of memory.
const PAGES_MAX: f64 = 1.5e8;

impl System {
    /// Refuses what the model cannot be built from.
    ///
    /// # Errors
    /// With the first contradiction found.
    pub(super) fn check(&self) -> Result<(), Fault> {
        self.check_layout()?;
        self.check_condition()?;
        self.check_capacity()?;
        self.check_seek()
    }

    fn check_layout(&self) -> Result<(), Fault> {
        let layout = &self.layout;
        if !(1..=DRIVES_MAX).contains(&layout.drives) {
            return Err(Fault::new(format!("{} drives cannot be simulated", layout.drives))
                .fix(format!("use 1 to {DRIVES_MAX}")));
        }
        if layout.drives_per_array == 0 {
            return Err(Fault::new("an array without drives").fix("use drives_per_array=10"));
        }
        let fewest = self.array_drives(self.array_count() - 1);
        if fewest < layout.raid.drives_min() {
            return Err(Fault::new(format!(
                "{} needs at least {} drives per array, here an array has {fewest}",
                layout.raid,
                layout.raid.drives_min()
            ))
            .fix("use more drives, or another RAID level"));
        }
        if layout.raid == RaidLevel::Raid1 && self.array_drives(0) % 2 == 1 {
            return Err(Fault::new("raid1 needs pairs of drives").fix("use raid1e or raid10"));
        }
        let stripe = layout.stripe.0;
        if !(4 * KIB..=16_384 * KIB).contains(&stripe) || !stripe.is_multiple_of(512) {
            return Err(Fault::new(format!("a stripe unit of {} cannot be used", layout.stripe))
                .fix("use whole sectors from 4KiB to 16MiB"));
        }
        if layout.stroke_percent > 0.0 && layout.stroke_percent <= 100.0 {
            return Ok(());
        }
        Err(Fault::new(format!("a stroke of {} % cannot be used", layout.stroke_percent))
            .fix("use more than 0 and at most 100 %"))
    }

    fn check_condition(&self) -> Result<(), Fault> {
        let has_redundancy = !matches!(self.layout.raid, RaidLevel::Jbod | RaidLevel::Raid0);
        if self.settings.condition == Condition::Optimal || has_redundancy {
            return Ok(());
        }
        Err(Fault::new(format!("{} cannot be {}", self.layout.raid, self.settings.condition))
            .because("with a failed drive its data is lost")
            .fix("use a RAID level with redundancy, or condition=optimal"))
    }

    fn check_capacity(&self) -> Result<(), Fault> {
        let capacity = self.drive.capacity.0;
        let range = match self.drive.kind {
            DriveKind::Disk => 1_000_000_000..=100_000_000_000_000u64,
            DriveKind::Flash => 1_000_000_000..=4_000_000_000_000u64,
        };
        if !range.contains(&capacity) {
            return Err(Fault::new(format!("a drive of {capacity} bytes cannot be simulated"))
                .fix("use 1 GB to 100 TB for a disk, to 4 TB for flash"));
        }
        let flash_bytes_per_page = self.value(Key::FlashPage) * KIB as f64;
        if self.drive.kind == DriveKind::Flash && capacity as f64 / flash_bytes_per_page > PAGES_MAX
        {
            return Err(Fault::new("the flash drive has too many pages to be simulated")
                .fix("use a larger flash.page"));
        }
        if self.cached_rows() > ROWS_MAX {
            return Err(Fault::new("the arrays have too many stripe rows for a write cache")
                .because(format!(
                    "{} rows, at most {ROWS_MAX} can be simulated",
                    self.cached_rows()
                ))
                .fix("use a larger stripe, a smaller stroke or fewer drives"));
        }
        Ok(())
    }

    fn check_seek(&self) -> Result<(), Fault> {
        let times = [Key::DiskSeekTrack, Key::DiskSeekAverage, Key::DiskSeekFull];
        let [track, average, full] = times.map(|key| self.value(key));
        if track <= average && average <= full {
            return Ok(());
        }
        Err(Fault::new("the seek times contradict each other")
            .because(format!("track to track {track} ms, average {average} ms, full {full} ms"))
            .fix("seek_track <= seek_average <= seek_full"))
    }
}
