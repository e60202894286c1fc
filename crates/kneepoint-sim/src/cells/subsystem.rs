//! The subsystem as a row calls it: which simulated system stands for it, with which drives, RAID
//! level and settings.

use super::cell::ServerLoads;
use super::drive::{DriveCatalog, DriveText};
use super::row::{
    CACHES, DISK_CACHE, HOSTS, MIRROR, READ_AHEAD, Row, SSD, Spellings, Token, WRITE_CACHE, has,
    is_unsaid, squash, tokens,
};
use super::stroke::Number;
use super::{cell, stroke};

/// Rate of an x4 link of 3 Gbit/s, MB/s: "a little more than 1,000" (m5025, streaming).
const M5025_SLOW_LINK_MB_S: f64 = 1_050.0;

/// Host ports of one controller of the FAStT900 ("two host ports each").
const FASTT_PORTS: u32 = 2;

/// The simulated system for a row's subsystem.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subsystem {
    /// The simulated system: `sim:fastt900?drives=60&raid=raid5&...`.
    pub(super) target: String,
    /// For a number that is a share: the system that it is a share of, where the row says which.
    pub(super) base: Option<String>,
    /// Who publishes it.
    pub(super) paper: Paper,
}

impl Subsystem {
    /// The subsystem of a row.
    ///
    /// # Errors
    /// A sentence's end that says what was not understood.
    pub(super) fn of(row: &Row, catalog: &DriveCatalog, number: Number) -> Result<Self, String> {
        let rival = Family::rivals(row).map(|[_, second]| second);
        // Of two systems each has its own drives, whichever of them the row names.
        let drive = match rival {
            Some(_) => DriveText::default(),
            None => DriveText::of(row.get("drive_type")),
        };
        let family = Family::of(row, &drive)?;
        if rival.is_some() && number == Number::Rate {
            return Err("the row names two subsystems, and its number is no ratio".to_owned());
        }
        let mut query = TargetQuery::default();
        query.add_layout(row, (family, number))?;
        query.add_caches(row, family)?;
        if family.paper() == Paper::Fastt {
            query.add_streaming(row);
        }
        query.add_host(row.get("os_tool"))?;
        if family.other_drive(&drive).is_some() {
            query.add("param.link.back_end", M5025_SLOW_LINK_MB_S);
        }
        let name = family.system(&drive, catalog)?;
        let stroke = stroke::of(row, number)?;
        let at = |percent: Option<f64>, (family, name): (Family, &str)| {
            let mut query = query.clone();
            if let Some(other) = family.other_drive(&drive) {
                query.add("drive", other);
            }
            if let Some(percent) = percent {
                query.add("stroke", format!("{percent}%"));
            }
            query.target(name)
        };
        let base = match (number, rival, stroke) {
            (Number::Rate, ..) | (Number::Share, None, None) => None,
            (_, Some(rival), _) => Some(at(stroke, (rival, rival.system(&drive, catalog)?))),
            (_, None, Some(_)) => Some(at(Some(stroke::BASE_PERCENT), (family, name))),
        };
        Ok(Self { target: at(stroke, (family, name)), base, paper: family.paper() })
    }
}

/// The part of a target after the question mark, under construction.
#[derive(Debug, Clone, Default)]
struct TargetQuery {
    pairs: Vec<String>,
}

impl TargetQuery {
    fn add(&mut self, key: &str, value: impl std::fmt::Display) {
        self.pairs.push(format!("{key}={value}"));
    }

    fn says(&self, key: &str) -> bool {
        self.pairs.iter().any(|pair| pair.split('=').next() == Some(key))
    }

    fn target(&self, system: &str) -> String {
        match self.pairs.is_empty() {
            true => format!("sim:{system}"),
            false => format!("sim:{system}?{}", self.pairs.join("&")),
        }
    }

    /// Adds drives and RAID level. A share may leave them open: it holds for the system as it is.
    fn add_layout(&mut self, row: &Row, (family, number): (Family, Number)) -> Result<(), String> {
        let is_open = |text: &str| {
            number == Number::Share
                && (is_unsaid(text) || ["any", "all", "various"].contains(&&*squash(text)))
        };
        let [drives_text, raid_text] = ["drives", "raid"].map(|column| row.get(column));
        let drives = match is_open(drives_text) {
            true => None,
            false => Some(drives(drives_text)?),
        };
        if family.is_single_drive() {
            return match drives {
                None | Some(1) => Ok(()),
                Some(drives) => Err(format!("a single disk is one drive, not {drives}")),
            };
        }
        if let Some(drives) = drives {
            self.add("drives", drives);
        }
        if !is_open(raid_text) {
            let raid = raid(raid_text, drives.unwrap_or(u32::MAX))?;
            // Mirrors over more than two drives are striped: the controllers of both papers call
            // that RAID-1 as well.
            let is_striped =
                drives.is_none_or(|drives| drives > 2) && family.paper() != Paper::Other;
            self.add("raid", if raid == "raid1" && is_striped { "raid10" } else { raid });
        }
        // Two controllers are the rule (fastt900, "dual controllers").
        let subsystem = squash(row.get("subsystem"));
        if family.paper() == Paper::Fastt
            && ["singlecontroller", "onecontroller"].iter().any(|one| subsystem.contains(one))
        {
            self.add("param.controller.count", 1);
            self.add("param.link.hosts", FASTT_PORTS);
        }
        Ok(())
    }

    /// Adds the settings of the caches that the row speaks of: `all_off`, `write_cache_on`, `Write
    /// Cache Enabled, no mirroring`.
    fn add_caches(&mut self, row: &Row, family: Family) -> Result<(), String> {
        let text = row.get("cache");
        let mut rest = squash(text);
        if is_unsaid(text) || rest == "default" {
            rest.clear();
        }
        let [mirror, disk, read_ahead, mut write] =
            [MIRROR, DISK_CACHE, READ_AHEAD, WRITE_CACHE].map(|cache| cache.take(&mut rest));
        if !rest.is_empty() && [mirror, disk, read_ahead, write] == [None; 4] {
            write = CACHES.within(&rest);
            write.ok_or_else(|| format!("the cache setting '{text}' is not understood"))?;
        }
        if family.is_single_drive() {
            // Without a controller's cache only the drive's own is left.
            self.add_if_said("disk_cache", disk.or(write));
            return Ok(());
        }
        let remarks = ["subsystem", "note", "table"].map(|column| squash(row.get(column)));
        let mirror = mirror.or_else(|| remarks.iter().find_map(|remark| MIRROR.within(remark)));
        let is_mirrored = (write, mirror) == (Some("on"), Some("on"));
        self.add_if_said("write_cache", if is_mirrored { Some("mirrored") } else { write });
        self.add_if_said("disk_cache", disk);
        let is_adaptive = read_ahead == Some("on") && squash(text).contains("adaptive");
        self.add_if_said("read_ahead", if is_adaptive { Some("adaptive") } else { read_ahead });
        Ok(())
    }

    fn add_if_said(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    /// Adds what the FAStT900 paper changed for its sequential runs: cache blocks of 16 KiB; for
    /// reads segments of 128 KiB and read-ahead, for writes the write cache where the row does not
    /// say.
    fn add_streaming(&mut self, row: &Row) {
        let Ok(load) = cell::profile(row, ServerLoads::Mixes) else { return };
        if !load.is_sequential() {
            return;
        }
        self.add("param.controller.block", 16);
        let key = match load.read_percent() >= 50.0 {
            true => "read_ahead",
            false => "write_cache",
        };
        if key == "read_ahead" {
            self.add("stripe", "128KiB");
        }
        if !self.says(key) {
            self.add(key, "on");
        }
    }

    /// Adds the operating system that issued the load, where it is not Windows.
    fn add_host(&mut self, text: &str) -> Result<(), String> {
        match HOSTS.within(&squash(text)) {
            Some("linux") => self.add("host", "linux"),
            Some(_) => {}
            None if is_unsaid(text) => {}
            None => {
                return Err(format!("'{text}' is neither Windows with Iometer nor Linux with fio"));
            }
        }
        Ok(())
    }
}

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

/// A family of published systems: the name of the simulated system after `sim:`, or
/// [`SINGLE_DRIVE`].
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
    fn rivals(row: &Row) -> Option<[Self; 2]> {
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

    /// The system where its drives, of this many rpm and GB, are those of the row as far as it
    /// says.
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
    fn other_drive(self, drive: &DriveText) -> Option<&'static str> {
        (self.0 == M5025 && drive.link_gbit == Some(3.0)).then_some(M5025_SLOW_DRIVE)
    }

    /// True if it is a drive on its own.
    fn is_single_drive(self) -> bool {
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
    /// The mean response time at which the paper reads its tables off, in ms (fastt900: "about 20
    /// ms"; m5025: "about 15 ms").
    pub(super) const fn table_ms(self) -> Option<f64> {
        match self {
            Self::Fastt => Some(20.0),
            Self::M5025 => Some(15.0),
            Self::Other => None,
        }
    }

    /// Most outstanding I/Os per array: 1 to 121 (m5025, "Iometer"), up to 512 (singledisk,
    /// "standard series"); the FAStT900 paper says only "up to and beyond what production has".
    pub(super) const fn outstanding_max(self) -> u32 {
        match self {
            Self::M5025 => 121,
            Self::Fastt | Self::Other => 512,
        }
    }

    /// The meaning of "file server" there.
    pub(super) const fn server_loads(self) -> ServerLoads {
        match self {
            Self::Fastt => ServerLoads::Mixes,
            Self::M5025 | Self::Other => ServerLoads::OneSize,
        }
    }
}

/// Most drives that a row may ask for.
const DRIVES_MAX: f64 = 4096.0;

/// Drives of all arrays: `60`, `60 drives`, `5 x 12`, `60 (6 arrays)`.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn drives(text: &str) -> Result<u32, String> {
    if is_unsaid(text) {
        return Err("the number of drives is not given".to_owned());
    }
    let plain = text.split(['(', '[', ',', '=']).next().unwrap_or(text);
    let is_product = plain.contains(['*', '\u{d7}']);
    let number = match tokens(plain).as_slice() {
        [Token::Number(arrays), times, Token::Number(each), ..]
            if times.is("x times") || is_product =>
        {
            Some(arrays * each)
        }
        [Token::Number(arrays), Token::Number(each)] if is_product => Some(arrays * each),
        // Several numbers are a range, or something else that is not one system.
        [Token::Number(number), rest @ ..] if rest.iter().all(|token| token.number().is_none()) => {
            Some(*number)
        }
        _ => None,
    };
    match number.filter(|_| !plain.trim_start().starts_with('-')) {
        Some(number) if number.fract() == 0.0 && (1.0..=DRIVES_MAX).contains(&number) => {
            Ok(number as u32)
        }
        _ => Err(format!("'{text}' is no number of drives")),
    }
}

/// The RAID level of `text`: `RAID-10`, `raid 1+0`, `r5`, `JBOD`; a single drive needs none.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn raid(text: &str, drives: u32) -> Result<&'static str, String> {
    // What is in brackets explains: `RAID-5 (9+P)`.
    let plain = text.split(['(', '[']).next().unwrap_or(text);
    let squashed = squash(plain);
    if is_unsaid(plain) || squashed.starts_with("single") {
        return match drives {
            1 => Ok("jbod"),
            _ => Err("the RAID level of several drives is not given".to_owned()),
        };
    }
    if ["jbod", "none", "noraid"].iter().any(|word| squashed.starts_with(word)) {
        return Ok("jbod");
    }
    let words = tokens(plain);
    let unknown = || format!("'{text}' is no RAID level that is known here");
    let level = words.iter().find(|token| !token.is("raid level r"));
    level.and_then(Token::number).ok_or_else(unknown)?;
    let levels: Vec<String> = words
        .iter()
        .filter_map(|token| token.number().map(|number| (number as u32).to_string()))
        .collect();
    match levels.concat().as_str() {
        _ if !is_one_level(plain, &levels) => Err(unknown()),
        "1" if has(&words[words.len() - 1..], "e") => Ok("raid1e"),
        // A mirror of stripes has the same drives at work.
        "10" | "01" => Ok("raid10"),
        "50" => Ok("raid50"),
        "60" => Ok("raid60"),
        "0" => Ok("raid0"),
        "1" => Ok("raid1"),
        "5" => Ok("raid5"),
        "6" => Ok("raid6"),
        _ => Err(unknown()),
    }
}

/// True if levels are one within the other, not one or the other: `1+0`, `1/0`.
fn is_one_level(text: &str, levels: &[String]) -> bool {
    let [outer, inner] = levels else { return true };
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    ['+', '/', '_', '-', '.'].iter().any(|sign| bare.contains(&format!("{outer}{sign}{inner}")))
}
