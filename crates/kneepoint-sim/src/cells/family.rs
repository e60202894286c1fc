//! Families of published systems: which simulated system stands for a row's subsystem.

use super::drive::{DriveCatalog, DriveText};
use super::load::ServerLoads;
use super::row::Row;
use super::words::{SSD, Spellings, squash};

/// The systems by their names in squashed text; the first that occurs counts.
const FAMILIES: Spellings = Spellings(&[
    (FASTT900, FASTT900),
    (FASTT700, FASTT700),
    (M5025, "m5025"),
    ("sx940-lsi1064", "sas1064 lsi1064 lsisas1064 raid01sas"),
    (SX940_LSI1078, "sas1078 lsi1078 raid56sas"),
    ("rx100s4-sata", "ich7"),
    (SINGLE_DRIVE, "singledisk singledrive singlehdd singlessd sas1068 lsi1068"),
]);

const FASTT900: &str = "fastt900";
const FASTT700: &str = "fastt700";
const M5025: &str = "serveraid-m5025";
const SX940_LSI1078: &str = "sx940-lsi1078";
const SINGLE_DRIVE: &str = "drive";

/// The drive of the ServeRAID paper's comparison with 3 Gbit/s.
const M5025_SLOW_DRIVE: &str = "m5025-15k-146-3g";

/// A family of published systems: the name of the simulated system after `sim:`, or [`SINGLE_DRIVE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Family(&'static str);

impl Family {
    /// The family of a row, from its subsystem, or else from its source.
    ///
    /// # Errors
    /// A sentence that says what was not understood.
    pub(super) fn of(row: &Row, drive: &DriveText) -> Result<Self, String> {
        if let Some([first, _]) = Self::rivals(row) {
            return Ok(first);
        }
        let texts = [squash(row.get("subsystem")), squash(row.get("source"))];
        let says = |name: &str| texts.iter().any(|text| text.contains(name));
        if let Some(system) = texts.iter().find_map(|text| FAMILIES.within(text)) {
            return Ok(Self(system));
        }
        if says("rx100") {
            let is_sata = drive.interface == Some("SATA");
            return Ok(Self(if is_sata { "rx100s4-sata" } else { "rx100s4-sas" }));
        }
        // The controller that a RAID level needs; both have levels 0 and 1.
        match says("sx940") {
            true if squash(row.get("raid")).contains(['5', '6']) => Ok(Self(SX940_LSI1078)),
            true => Err("the SX940 has two controllers, and the row does not say which".to_owned()),
            false => Err(format!(
                "no simulated system stands for the subsystem '{}'",
                row.get("subsystem")
            )),
        }
    }

    /// Both storage servers of the FAStT900 paper in the order in which the row's subsystem names
    /// them: their ratio may be published.
    pub(super) fn rivals(row: &Row) -> Option<[Self; 2]> {
        let subsystem = squash(row.get("subsystem"));
        let mut named = [FASTT900, FASTT700].map(|name| (subsystem.find(name), Self(name)));
        named.sort_by_key(|(place, _)| *place);
        named[0].0.map(|_| named.map(|(_, family)| family))
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
        match self.0 {
            FASTT900 => self.fits(drive, (15_000.0, Some(18.2))),
            FASTT700 => self.fits(drive, (10_000.0, Some(36.4))),
            M5025 => self.fits(drive, (15_000.0, None)),
            SINGLE_DRIVE => catalog.find(drive),
            name => Ok(name),
        }
    }

    /// The system where its drives, of this many rpm and GB, are those of the row as far as it says.
    fn fits(
        self,
        drive: &DriveText,
        (rpm, capacity_gb): (f64, Option<f64>),
    ) -> Result<&'static str, String> {
        let Self(name) = self;
        if drive.kind == Some(SSD) {
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

    /// The drive of the catalog that a row has in place of the system's own.
    pub(super) fn other_drive(self, drive: &DriveText) -> Option<&'static str> {
        (self.0 == M5025 && drive.link_gbit == Some(3.0)).then_some(M5025_SLOW_DRIVE)
    }

    /// Whether it is a drive on its own.
    pub(super) fn is_single_drive(self) -> bool {
        self.0 == SINGLE_DRIVE
    }

    /// The paper that publishes it.
    pub(super) fn paper(self) -> Paper {
        match self.0 {
            FASTT900 | FASTT700 => Paper::Fastt,
            M5025 => Paper::M5025,
            _ => Paper::Other,
        }
    }
}

/// Who publishes the numbers of a family: papers differ in how they measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paper {
    /// The paper of both FAStT storage servers.
    Fastt,
    /// The paper of the ServeRAID M5025.
    M5025,
    /// Others, which read at fixed loads.
    Other,
}

impl Paper {
    /// The mean response time at which the paper reads its tables off, in ms (fastt900: "about 20 ms";
    /// m5025: "about 15 ms").
    pub(super) const fn table_ms(self) -> Option<f64> {
        match self {
            Self::Fastt => Some(20.0),
            Self::M5025 => Some(15.0),
            Self::Other => None,
        }
    }

    /// Most outstanding I/Os per array: 1 to 121 (m5025, "Iometer"), up to 512 (singledisk, "standard
    /// series"); the FAStT900 paper says only "up to and beyond what production has".
    pub(super) const fn outstanding_max(self) -> u32 {
        match self {
            Self::M5025 => 121,
            Self::Fastt | Self::Other => 512,
        }
    }

    /// What "file server" means there.
    pub(super) const fn server_loads(self) -> ServerLoads {
        match self {
            Self::Fastt => ServerLoads::Mixes,
            Self::M5025 | Self::Other => ServerLoads::OneSize,
        }
    }
}
