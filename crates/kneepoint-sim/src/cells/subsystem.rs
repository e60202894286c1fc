//! The subsystem as a row calls it: which simulated system stands for it, with which settings.

use super::cache::{Caches, Switch};
use super::drive::{DriveKind, DriveText, Interface};
use super::row::Row;
use super::single_drive::DriveCatalog;
use super::words::{Token, squash, tokens};
use super::workload::ServerLoads;
use super::{raid, stroke, workload};

/// Most drives that a row may ask for.
const DRIVES_MAX: f64 = 4096.0;

/// Outstanding I/Os per array of the ServeRAID paper: 1 to 121 (m5025, "Iometer").
const M5025_OUTSTANDING_MAX: u32 = 121;

/// Outstanding I/Os of the other papers: up to 512 (singledisk, "standard series"); the FAStT900
/// paper says only "up to and beyond what production has".
const OUTSTANDING_MAX: u32 = 512;

/// The drive of the ServeRAID paper's comparison with 3 Gbit/s.
const M5025_SLOW_DRIVE: &str = "m5025-15k-146-3g";

/// What an x4 link of 3 Gbit/s carries, MB/s: "a little more than 1,000" (m5025, streaming).
const M5025_SLOW_LINK_MB_S: f64 = 1_050.0;

/// A family of published systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
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
const FAMILIES: [(&str, Family); 12] = [
    ("fastt900", Family::Fastt900),
    ("fastt700", Family::Fastt700),
    ("m5025", Family::M5025),
    ("sas1064", Family::Sx940Lsi1064),
    ("lsi1064", Family::Sx940Lsi1064),
    ("raid01sas", Family::Sx940Lsi1064),
    ("sas1078", Family::Sx940Lsi1078),
    ("lsi1078", Family::Sx940Lsi1078),
    ("raid56sas", Family::Sx940Lsi1078),
    ("ich7", Family::Rx100Sata),
    ("singledisk", Family::SingleDrive),
    ("singledrive", Family::SingleDrive),
];

/// What a row's subsystem comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subsystem {
    /// The simulated system: `sim:fastt900?drives=60&raid=raid5&...`.
    pub(super) target: String,
    /// Most outstanding I/Os per array of its paper.
    pub(super) outstanding_max: u32,
    /// What "file server" means there.
    pub(super) server_loads: ServerLoads,
    /// The stroke that the row names, in percent of the drives' capacity.
    pub(super) stroke_percent: Option<f64>,
}

impl Subsystem {
    /// The subsystem of a row whose load is `access`.
    ///
    /// # Errors
    /// A sentence's end that says what was not understood.
    pub(super) fn of(row: &Row, catalog: &DriveCatalog) -> Result<Self, String> {
        let drive = DriveText::of(row.get("drive_type"));
        let family = family(row, &drive)?;
        let drives = drives(row.get("drives"))?;
        let raid = raid::level(row.get("raid"), drives)?;
        let stroke_percent = stroke_percent(row);
        let mut query = Query::default();
        if family != Family::SingleDrive {
            query.add("drives", drives);
            query.add("raid", raid);
        } else if drives != 1 {
            return Err(format!("a single disk is one drive, not {drives}"));
        }
        add_caches(&mut query, row, family)?;
        if matches!(family, Family::Fastt900 | Family::Fastt700) {
            add_streaming(&mut query, row);
        }
        if let Some(percent) = stroke_percent {
            query.add("stroke", format!("{percent}%"));
        }
        if host(row.get("os_tool"))? == Host::Linux {
            query.add("host", "linux");
        }
        if family == Family::M5025 && drive.link_gbit == Some(3.0) {
            query.add("drive", M5025_SLOW_DRIVE);
            query.add("param.link.back_end", M5025_SLOW_LINK_MB_S);
        }
        let name = system(family, &drive, catalog)?;
        Ok(Self {
            target: query.target(name),
            outstanding_max: match family {
                Family::M5025 => M5025_OUTSTANDING_MAX,
                _ => OUTSTANDING_MAX,
            },
            server_loads: match family {
                Family::Fastt900 | Family::Fastt700 => ServerLoads::Mixes,
                _ => ServerLoads::OneSize,
            },
            stroke_percent,
        })
    }
}

/// The part of a target after the question mark, under construction.
#[derive(Debug, Default)]
struct Query {
    pairs: Vec<String>,
}

impl Query {
    fn add(&mut self, key: &str, value: impl std::fmt::Display) {
        self.pairs.push(format!("{key}={value}"));
    }

    fn target(&self, system: &str) -> String {
        match self.pairs.is_empty() {
            true => format!("sim:{system}"),
            false => format!("sim:{system}?{}", self.pairs.join("&")),
        }
    }
}

/// The family of a row, from its subsystem, or else from its source.
fn family(row: &Row, drive: &DriveText) -> Result<Family, String> {
    let texts = [squash(row.get("subsystem")), squash(row.get("source"))];
    let named = texts.iter().find_map(|text| {
        FAMILIES.iter().find(|(name, _)| text.contains(name)).map(|(_, family)| *family)
    });
    if let Some(family) = named {
        return Ok(family);
    }
    if texts.iter().any(|text| text.contains("rx100")) {
        return match drive.interface {
            Some(Interface::Sata) => Ok(Family::Rx100Sata),
            _ => Ok(Family::Rx100Sas),
        };
    }
    Err(format!("no simulated system stands for the subsystem '{}'", row.get("subsystem")))
}

/// The name of the simulated system after `sim:`.
fn system(
    family: Family,
    drive: &DriveText,
    catalog: &DriveCatalog,
) -> Result<&'static str, String> {
    let name = match family {
        Family::Fastt900 => fits(drive, ("fastt900", 15_000.0, Some(18.2)))?,
        Family::Fastt700 => fits(drive, ("fastt700", 15_000.0, Some(18.2)))?,
        Family::M5025 => fits(drive, ("serveraid-m5025", 15_000.0, None))?,
        Family::Sx940Lsi1064 => "sx940-lsi1064",
        Family::Sx940Lsi1078 => "sx940-lsi1078",
        Family::Rx100Sata => "rx100s4-sata",
        Family::Rx100Sas => "rx100s4-sas",
        Family::SingleDrive => catalog.find(drive)?,
    };
    Ok(name)
}

/// The system where its drives are those of the row, as far as the row says.
fn fits(
    drive: &DriveText,
    (name, rpm, capacity_gb): (&'static str, f64, Option<f64>),
) -> Result<&'static str, String> {
    if drive.kind == Some(DriveKind::Ssd) {
        return Err(format!("{name} has hard disks, not solid-state drives"));
    }
    if drive.rpm.is_some_and(|given| given != rpm) {
        return Err(format!(
            "{name} has drives of {rpm} rpm, not of {} rpm",
            drive.rpm.unwrap_or(0.0)
        ));
    }
    match (drive.capacity_gb, capacity_gb) {
        (Some(given), Some(own)) if (given / own - 1.0).abs() > 0.1 => {
            Err(format!("{name} has drives of {own} GB, not of {given} GB"))
        }
        _ => Ok(name),
    }
}

fn drives(text: &str) -> Result<u32, String> {
    match tokens(text).first().and_then(Token::number) {
        Some(number) if number.fract() == 0.0 && (1.0..=DRIVES_MAX).contains(&number) => {
            Ok(number as u32)
        }
        _ if text.is_empty() => Err("the number of drives is not given".to_owned()),
        _ => Err(format!("'{text}' is no number of drives")),
    }
}

/// Which column may speak of the stroke, the plainest first.
const STROKE_COLUMNS: [&str; 9] =
    ["access", "workload", "subsystem", "drives", "cache", "drive_type", "criterion", "note", "id"];

fn stroke_percent(row: &Row) -> Option<f64> {
    STROKE_COLUMNS.iter().find_map(|column| stroke::percent(row.get(column)))
}

/// Adds the settings of the caches that the row speaks of.
fn add_caches(query: &mut Query, row: &Row, family: Family) -> Result<(), String> {
    let mut caches = Caches::of(row.get("cache"))?;
    let remarks = ["subsystem", "note", "table"];
    caches.mirror = caches
        .mirror
        .or_else(|| remarks.iter().find_map(|column| Caches::mirror_of(row.get(column))));
    if family == Family::SingleDrive {
        // Without a controller's cache only the drive's own is left.
        if let Some(disk) = caches.disk.or(caches.write) {
            query.add("disk_cache", disk.name());
        }
        return Ok(());
    }
    match (caches.write, caches.mirror) {
        (Some(Switch::On), Some(Switch::On)) => query.add("write_cache", "mirrored"),
        (Some(write), _) => query.add("write_cache", write.name()),
        (None, _) => {}
    }
    if let Some(disk) = caches.disk {
        query.add("disk_cache", disk.name());
    }
    if let Some(read_ahead) = caches.read_ahead {
        query.add("read_ahead", read_ahead.name());
    }
    Ok(())
}

/// Adds what the FAStT900 paper changed for its sequential runs: cache blocks of 16 KiB; for reads
/// segments of 128 KiB and read-ahead, for writes the write cache where the row does not say.
fn add_streaming(query: &mut Query, row: &Row) {
    let Ok(load) = workload::profile(row, ServerLoads::Mixes) else { return };
    if !load.is_sequential() {
        return;
    }
    query.add("param.controller.block", 16);
    let says = |query: &Query, key: &str| query.pairs.iter().any(|pair| pair.starts_with(key));
    if load.read_percent() >= 50.0 {
        query.add("stripe", "128KiB");
        if !says(query, "read_ahead=") {
            query.add("read_ahead", "on");
        }
    } else if !says(query, "write_cache=") {
        query.add("write_cache", "on");
    }
}

/// The operating system that issued the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Host {
    Windows,
    Linux,
}

fn host(text: &str) -> Result<Host, String> {
    let squashed = squash(text);
    let has = |words: &[&str]| words.iter().any(|word| squashed.contains(word));
    if has(&["linux", "fio", "sles", "rhel"]) {
        return Ok(Host::Linux);
    }
    if squashed.is_empty() || has(&["windows", "win", "iometer"]) {
        return Ok(Host::Windows);
    }
    Err(format!("'{text}' is neither Windows with Iometer nor Linux with fio"))
}
