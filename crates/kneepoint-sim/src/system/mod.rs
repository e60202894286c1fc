//! Simulated systems as data: parts, settings and free parameters, resolved and checked.
//!
//! A [`System`] is what a system file and the overrides of a target's name resolve to. The model
//! (see the module `model`) is built from it and from nothing else.

mod file;
pub mod overrides;
pub mod parameter;
pub mod setting;
pub mod shipped;

use kneepoint_core::result::{Links, SystemParts};
use kneepoint_core::spec::document::Document;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::{Bytes, KIB};
use serde::Deserialize;

use file::SystemFile;
use parameter::Key;
pub use parameter::{Parameter, Parameters};
use setting::{
    Calibration, Condition, DiskCache, DriveKind, FlashState, Host, IoPolicy, RaidLevel, ReadAhead,
    WriteCache,
};

/// A storage subsystem that can be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// Name that it is called by.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Its description.
    pub description: String,
    /// Where the facts come from.
    pub source: String,
    /// The calibration of its parameters.
    pub calibration: Calibration,
    /// Drives and how they form arrays.
    pub layout: Layout,
    /// Settings that can be switched.
    pub settings: Settings,
    /// The drive.
    pub drive: Drive,
    /// Free parameters.
    pub parameters: Parameters,
    /// A calibration's account of its result.
    pub validation: Option<Validation>,
}

/// Drives and how they form arrays; as in a file, where sizes bear their units.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Drives of all arrays.
    pub drives: u32,
    /// Drives of each array; where `drives` is no multiple, some arrays have one less.
    pub drives_per_array: u32,
    /// How an array holds its data.
    pub raid: RaidLevel,
    /// Bytes on one drive before the next one follows.
    #[serde(rename = "stripe_kib", default = "file::stripe", deserialize_with = "file::kib")]
    pub stripe: Bytes,
    /// Share of each drive's capacity that is used, in percent, from its outer edge on.
    #[serde(default = "file::stroke_percent")]
    pub stroke_percent: f64,
    /// Size of the measurement file on each array, where it is smaller than the stroke.
    #[serde(rename = "file_gib", default, deserialize_with = "file::gib")]
    pub file: Option<Bytes>,
}

/// Settings that can be switched; a system's file sets all but the last two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The controllers' handling of writes.
    pub write_cache: WriteCache,
    /// Reading ahead by the controllers.
    pub read_ahead: ReadAhead,
    /// The path of reads: through the controllers' cache or past it.
    pub io_policy: IoPolicy,
    /// The write cache of the drives.
    pub disk_cache: DiskCache,
    /// Who issues the I/O.
    pub host: Host,
    /// The condition of the arrays.
    #[serde(skip)]
    pub condition: Condition,
    /// The state of solid-state drives.
    #[serde(skip)]
    pub flash_state: FlashState,
}

impl Settings {
    /// The settings by the names of a target's query, those of a file first.
    fn words(&self) -> [(&'static str, &'static str); 7] {
        [
            ("write_cache", self.write_cache.name()),
            ("read_ahead", self.read_ahead.name()),
            ("io_policy", self.io_policy.name()),
            ("disk_cache", self.disk_cache.name()),
            ("host", self.host.name()),
            ("condition", self.condition.name()),
            ("flash_state", self.flash_state.name()),
        ]
    }
}

/// The drive of a system.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// The medium that stores the data.
    pub kind: DriveKind,
    /// Usable capacity.
    #[serde(rename = "capacity_gb", deserialize_with = "file::gb")]
    pub capacity: Bytes,
    /// `fc`, `sas` or `sata`; of no meaning for the model.
    #[serde(default)]
    pub interface: String,
    /// Inches; of no meaning for the model.
    pub form_factor_in: Option<f64>,
}

/// A calibration's account of its result.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Validation {
    /// Cells that the parameters were fitted to.
    pub fitted_cells: u32,
    /// Their mean absolute error in percent.
    pub mean_error_percent: f64,
    /// The cells that were held out, in words.
    pub held_out: String,
}

impl System {
    /// Reads a system file; `file` is what faults call it.
    ///
    /// # Errors
    /// When the text is no system file, or describes what cannot be simulated.
    pub fn parse(text: &str, file: &str) -> Result<Self, Fault> {
        let document = Document::new(file, text);
        let read: SystemFile = document.read()?;
        let in_file = |fault: Fault| {
            let placed = Fault::new(format!("{file}: {}", fault.what()));
            let placed = fault.why().map_or(placed.clone(), |why| placed.because(why));
            fault.fix_hint().map_or(placed.clone(), |fix| placed.fix(fix))
        };
        let system = Self::resolve(read).map_err(in_file)?;
        system.check().map_err(in_file)?;
        Ok(system)
    }

    /// The shipped system called `name`, without `sim:`.
    ///
    /// # Errors
    /// When there is none.
    pub fn shipped(name: &str) -> Result<Self, Fault> {
        match shipped::ShippedSystem::find(name) {
            Some(shipped) => shipped.system(),
            None => Err(Fault::new(format!("there is no simulated system '{name}'"))
                .fix("`kneepoint catalog systems` lists them")),
        }
    }

    fn resolve(file: SystemFile) -> Result<Self, Fault> {
        Ok(Self {
            name: file.name,
            title: file.title,
            description: file.description,
            source: file.source,
            calibration: file.calibration,
            layout: file.layout,
            settings: file.settings,
            drive: file.drive,
            parameters: Parameters::resolve(file.parameters)?,
            validation: file.validation,
        })
    }

    /// The same system with other values of free parameters.
    ///
    /// Any parameter of the model can be set, whether the file names it or not.
    ///
    /// # Errors
    /// When a name is not known, or a value is outside of the model's limits.
    pub fn with_parameters(&self, values: &[(&str, f64)]) -> Result<Self, Fault> {
        let mut system = self.clone();
        for (name, value) in values {
            system.parameters.set(name, *value)?;
        }
        system.check()?;
        Ok(system)
    }

    /// The value of a free parameter.
    pub fn value(&self, key: Key) -> f64 {
        self.parameters.get(key)
    }

    /// Number of arrays: each is its own target.
    pub fn array_count(&self) -> u32 {
        self.layout.drives.div_ceil(self.layout.drives_per_array.max(1)).max(1)
    }

    /// What the system is put together from.
    pub fn parts(&self) -> SystemParts {
        let count = |key: Key| self.value(key) as u32;
        let links =
            |number: Key, rate: Key| Links { count: count(number), mb_per_s: self.value(rate) };
        SystemParts {
            host_links: links(Key::LinkHosts, Key::LinkHost),
            controllers: count(Key::ControllerCount),
            write_cache_mib: self.value(Key::CachePool),
            back_end_links: links(Key::LinkBackEnds, Key::LinkBackEnd),
            arrays: self.array_count(),
            drives_per_array: self.array_drives(0),
            drives: self.layout.drives,
            medium: self.drive.kind.name().to_owned(),
            raid: self.layout.raid.name().to_owned(),
            stripe_bytes: self.layout.stripe.0,
        }
    }

    /// Drives of array `index`.
    pub fn array_drives(&self, index: u32) -> u32 {
        let arrays = self.array_count();
        self.layout.drives / arrays + u32::from(index < self.layout.drives % arrays)
    }

    /// Bytes of array `index` that I/O may touch, a multiple of 4 KiB.
    pub fn array_bytes(&self, index: u32) -> Bytes {
        let data_drives = self.layout.raid.data_drives(self.array_drives(index));
        let used = self.drive.capacity.0 as f64 * self.layout.stroke_percent / 100.0;
        let strips = (used as u64 / self.layout.stripe.0.max(1)).max(1);
        let start = self.start_sectors() * 512;
        let whole = (strips * self.layout.stripe.0 * u64::from(data_drives)).saturating_sub(start);
        let size = self.layout.file.map_or(whole, |file| file.0.min(whole));
        Bytes((size / 4096 * 4096).max(4096))
    }

    /// Sectors before the first byte that I/O may touch.
    pub fn start_sectors(&self) -> u64 {
        let key = match self.settings.host {
            Host::Windows => Key::HostOffset,
            Host::Linux => Key::HostOffsetLinux,
        };
        self.value(key) as u64
    }

    /// Rows of all arrays: what a write cache keeps account of.
    fn cached_rows(&self) -> u64 {
        if self.settings.write_cache == WriteCache::Off {
            return 0;
        }
        let strips = match self.layout.raid {
            RaidLevel::Jbod | RaidLevel::Raid1 => 1,
            raid => u64::from(raid.data_drives(self.array_drives(0)).max(1)),
        };
        let rows = self.array_bytes(0).0 / (strips * self.layout.stripe.0.max(1));
        rows.saturating_mul(u64::from(self.array_count()))
    }
}

/// Redundancy of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redundancy {
    /// None.
    Nothing,
    /// A second copy of every strip.
    Mirror,
    /// This many parity strips per row and group.
    Parity(u32),
}

impl RaidLevel {
    /// The redundancy that protects the data.
    pub const fn redundancy(self) -> Redundancy {
        match self {
            Self::Jbod | Self::Raid0 => Redundancy::Nothing,
            Self::Raid1 | Self::Raid1E | Self::Raid10 => Redundancy::Mirror,
            Self::Raid5 | Self::Raid50 => Redundancy::Parity(1),
            Self::Raid6 | Self::Raid60 => Redundancy::Parity(2),
        }
    }

    /// Drives' worth of data of an array of `drives`.
    pub const fn data_drives(self, drives: u32) -> u32 {
        let groups = self.groups(drives);
        match self.redundancy() {
            Redundancy::Nothing => drives,
            // Two copies of everything, on any number of drives.
            Redundancy::Mirror => drives / 2,
            Redundancy::Parity(count) => (drives / groups - count) * groups,
        }
    }

    /// RAID-5 or RAID-6 groups that an array of `drives` is striped over.
    pub const fn groups(self, drives: u32) -> u32 {
        match self {
            Self::Raid50 | Self::Raid60 => match drives {
                0..16 => 2,
                _ => drives / 8,
            },
            _ => 1,
        }
    }

    /// Fewest drives of an array.
    pub const fn drives_min(self) -> u32 {
        match self {
            Self::Jbod | Self::Raid0 => 1,
            Self::Raid1 | Self::Raid10 => 2,
            Self::Raid1E | Self::Raid5 => 3,
            Self::Raid6 => 4,
            Self::Raid50 => 6,
            Self::Raid60 => 8,
        }
    }
}

/// Most drives of a system.
const DRIVES_MAX: u32 = 4096;
/// Most stripe rows behind write caches: half a gigabyte of memory.
const ROWS_MAX: u64 = 1 << 27;
/// Most pages of a solid-state drive: a gigabyte of memory.
const PAGES_MAX: f64 = 1.5e8;

impl System {
    /// Refuses what the model cannot be built from, with the first contradiction found.
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
        let redundancy = self.layout.raid.redundancy();
        if self.settings.condition == Condition::Optimal || redundancy != Redundancy::Nothing {
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
