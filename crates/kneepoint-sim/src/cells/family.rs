//! Families of published systems: which simulated system stands for a row's subsystem.

use super::drive::{DriveKind, DriveText, Interface};
use super::row::Row;
use super::single_drive::DriveCatalog;
use super::words::squash;
use super::workload::ServerLoads;

/// Outstanding I/Os per array of the ServeRAID paper: 1 to 121 (m5025, "Iometer").
const M5025_OUTSTANDING_MAX: u32 = 121;

/// Outstanding I/Os of the other papers: up to 512 (singledisk, "standard series"); the FAStT900
/// paper says only "up to and beyond what production has".
const OUTSTANDING_MAX: u32 = 512;

/// A family of published systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Fastt900,
    Fastt700,
    M5025,
    Sx940Lsi1064,
    Sx940Lsi1078,
    Rx100Sata,
    Rx100Sas,
    SingleDrive,
}

/// Names of families in squashed text; the first that occurs counts.
const FAMILIES: [(&str, Family); 17] = [
    ("fastt900", Family::Fastt900),
    ("fastt700", Family::Fastt700),
    ("m5025", Family::M5025),
    ("sas1064", Family::Sx940Lsi1064),
    ("lsi1064", Family::Sx940Lsi1064),
    ("lsisas1064", Family::Sx940Lsi1064),
    ("raid01sas", Family::Sx940Lsi1064),
    ("sas1078", Family::Sx940Lsi1078),
    ("lsi1078", Family::Sx940Lsi1078),
    ("raid56sas", Family::Sx940Lsi1078),
    ("ich7", Family::Rx100Sata),
    ("singledisk", Family::SingleDrive),
    ("singledrive", Family::SingleDrive),
    ("singlehdd", Family::SingleDrive),
    ("singlessd", Family::SingleDrive),
    ("sas1068", Family::SingleDrive),
    ("lsi1068", Family::SingleDrive),
];

/// The drive of the ServeRAID paper's comparison with 3 Gbit/s.
const M5025_SLOW_DRIVE: &str = "m5025-15k-146-3g";

/// The two storage servers of one paper: their ratio may be published.
const RIVALS: [&str; 2] = ["fastt900", "fastt700"];

impl Family {
    /// The family of a row, from its subsystem, or else from its source.
    ///
    /// # Errors
    /// A sentence that says what was not understood.
    pub(super) fn of(row: &Row, drive: &DriveText) -> Result<Self, String> {
        let subsystem = squash(row.get("subsystem"));
        if let Some((first, _)) = rivals(&subsystem) {
            return Ok(first);
        }
        let texts = [subsystem, squash(row.get("source"))];
        let named = texts.iter().find_map(|text| {
            FAMILIES.iter().find(|(name, _)| text.contains(name)).map(|(_, family)| *family)
        });
        if let Some(family) = named {
            return Ok(family);
        }
        if texts.iter().any(|text| text.contains("rx100")) {
            return match drive.interface {
                Some(Interface::Sata) => Ok(Self::Rx100Sata),
                _ => Ok(Self::Rx100Sas),
            };
        }
        if texts.iter().any(|text| text.contains("sx940")) {
            return of_sx940(row);
        }
        Err(format!("no simulated system stands for the subsystem '{}'", row.get("subsystem")))
    }

    /// The family that a row's ratio is relative to: the second of two that its subsystem names.
    pub(super) fn rival(row: &Row) -> Option<Self> {
        rivals(&squash(row.get("subsystem"))).map(|(_, second)| second)
    }

    /// The name of the simulated system after `sim:`.
    ///
    /// # Errors
    /// A sentence that says why none has such drives.
    pub(super) fn system(
        self,
        drive: &DriveText,
        catalog: &DriveCatalog,
    ) -> Result<&'static str, String> {
        let name = match self {
            Self::Fastt900 => fits(drive, ("fastt900", 15_000.0, Some(18.2)))?,
            Self::Fastt700 => fits(drive, ("fastt700", 10_000.0, Some(36.4)))?,
            Self::M5025 => fits(drive, ("serveraid-m5025", 15_000.0, None))?,
            Self::Sx940Lsi1064 => "sx940-lsi1064",
            Self::Sx940Lsi1078 => "sx940-lsi1078",
            Self::Rx100Sata => "rx100s4-sata",
            Self::Rx100Sas => "rx100s4-sas",
            Self::SingleDrive => catalog.find(drive)?,
        };
        Ok(name)
    }

    /// The drive of the catalog that a row has in place of the system's own.
    pub(super) fn other_drive(self, drive: &DriveText) -> Option<&'static str> {
        match (self, drive.link_gbit) {
            (Self::M5025, Some(3.0)) => Some(M5025_SLOW_DRIVE),
            _ => None,
        }
    }

    /// Whether it is one of the two storage servers of the FAStT900 paper.
    pub(super) const fn is_fastt(self) -> bool {
        matches!(self, Self::Fastt900 | Self::Fastt700)
    }

    /// The mean response time at which the paper reads its tables off, in ms (fastt900: "about 20 ms";
    /// m5025: "about 15 ms"); the others read at fixed loads.
    pub(super) const fn table_ms(self) -> Option<f64> {
        match self {
            Self::Fastt900 | Self::Fastt700 => Some(20.0),
            Self::M5025 => Some(15.0),
            _ => None,
        }
    }

    /// Most outstanding I/Os per array of the paper.
    pub(super) const fn outstanding_max(self) -> u32 {
        match self {
            Self::M5025 => M5025_OUTSTANDING_MAX,
            _ => OUTSTANDING_MAX,
        }
    }

    /// What "file server" means there.
    pub(super) const fn server_loads(self) -> ServerLoads {
        match self {
            Self::Fastt900 | Self::Fastt700 => ServerLoads::Mixes,
            _ => ServerLoads::OneSize,
        }
    }
}

/// Both storage servers of the FAStT900 paper in the order in which a text names them.
fn rivals(subsystem: &str) -> Option<(Family, Family)> {
    let [place_900, place_700] = RIVALS.map(|name| subsystem.find(name));
    match place_900? < place_700? {
        true => Some((Family::Fastt900, Family::Fastt700)),
        false => Some((Family::Fastt700, Family::Fastt900)),
    }
}

/// The controller of the SX940 that a RAID level needs; both have levels 0 and 1.
fn of_sx940(row: &Row) -> Result<Family, String> {
    let raid = squash(row.get("raid"));
    match ["5", "6"].iter().any(|level| raid.contains(level)) {
        true => Ok(Family::Sx940Lsi1078),
        false => Err("the SX940 has two controllers, and the row does not say which".to_owned()),
    }
}

/// The system where its drives are those of the row, as far as the row says.
fn fits(
    drive: &DriveText,
    (name, rpm, capacity_gb): (&'static str, f64, Option<f64>),
) -> Result<&'static str, String> {
    if drive.kind == Some(DriveKind::Ssd) {
        return Err(format!("{name} has hard disks, not solid-state drives"));
    }
    if let Some(given) = drive.rpm.filter(|given| *given != rpm) {
        return Err(format!("{name} has drives of {rpm} rpm, not of {given} rpm"));
    }
    match (drive.capacity_gb, capacity_gb) {
        (Some(given), Some(own)) if (given / own - 1.0).abs() > 0.1 => {
            Err(format!("{name} has drives of {own} GB, not of {given} GB"))
        }
        _ => Ok(name),
    }
}
