//! The subsystem as a row calls it: which simulated system stands for it, with which drives, RAID
//! level and settings.

use std::fmt::Display;

use super::cell;
use super::drive::{DriveCatalog, DriveText, SSD};
use super::row::{
    CACHES, DISK_CACHE, HOSTS, MIRROR, READ_AHEAD, Row, Token, WRITE_CACHE, has, is_among,
    is_unsaid, squash, tokens,
};
use super::stroke;

/// Rate of an x4 link of 3 Gbit/s, MB/s: "a little more than 1,000" (m5025, streaming).
const M5025_SLOW_LINK_MB_S: f64 = 1_050.0;

/// The drive of the ServeRAID paper's comparison with 3 Gbit/s.
const M5025_SLOW_DRIVE: &str = "m5025-15k-146-3g";

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
    pub(super) paper: &'static Paper,
}

impl Subsystem {
    /// The subsystem of a row, whose number is `share` where it is one; or what was not understood.
    pub(super) fn of(
        row: &Row,
        catalog: &DriveCatalog,
        share: Option<f64>,
    ) -> Result<Self, String> {
        let rivals = Family::rivals(row);
        // Of two systems each has its own drives, whichever of them the row names.
        let drive = match rivals {
            Some(_) => DriveText::default(),
            None => DriveText::of(row.get("drive_type")),
        };
        let family = match rivals {
            Some([first, _]) => first,
            None => Family::of(row, &drive)?,
        };
        if rivals.is_some() && share.is_none() {
            return Err("the row names two subsystems, and its number is no ratio".to_owned());
        }
        let mut query = TargetQuery::default();
        query.add_layout(row, (family, share))?;
        query.add_caches(row, family)?;
        if family.paper == &FASTT {
            query.add_streaming(row);
        }
        query.add_host(row.get("os_tool"))?;
        // The drive of the catalog that a row has in place of the system's own.
        let is_slow = |family: &Family| family.paper == &M5025 && drive.link_gbit == Some(3.0);
        if is_slow(family) {
            query.add("param.link.back_end", M5025_SLOW_LINK_MB_S);
        }
        let name = family.system(&drive, catalog)?;
        let stroke = stroke::of(row, share)?;
        let at = |percent: Option<f64>, (family, name): (&Family, &str)| {
            let mut query = query.clone();
            if is_slow(family) {
                query.add("drive", M5025_SLOW_DRIVE);
            }
            query.add_if_said("stroke", percent.map(|percent| format!("{percent}%")));
            let mark = if query.pairs.is_empty() { "" } else { "?" };
            format!("sim:{name}{mark}{}", query.pairs.join("&"))
        };
        let base = match (share, rivals, stroke) {
            (None, ..) | (_, None, None) => None,
            (_, Some([_, rival]), _) => Some(at(stroke, (rival, rival.system(&drive, catalog)?))),
            (_, None, Some(_)) => Some(at(Some(stroke::BASE_PERCENT), (family, name))),
        };
        Ok(Self { target: at(stroke, (family, name)), base, paper: family.paper })
    }
}

/// The part of a target after the question mark, under construction.
#[derive(Debug, Clone, Default)]
struct TargetQuery {
    pairs: Vec<String>,
}

impl TargetQuery {
    fn add(&mut self, key: &str, value: impl Display) {
        self.pairs.push(format!("{key}={value}"));
    }

    fn add_if_said(&mut self, key: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    /// Adds drives and RAID level. A share may leave them open: it holds for the system as it is.
    fn add_layout(
        &mut self,
        row: &Row,
        (family, share): (&Family, Option<f64>),
    ) -> Result<(), String> {
        let is_said = |text: &&str| {
            share.is_none() || !(is_unsaid(text) || is_among("any all various", &squash(text)))
        };
        let [drives_text, raid_text] =
            ["drives", "raid"].map(|column| Some(row.get(column)).filter(is_said));
        let drives = drives_text.map(drives).transpose()?;
        if family.is_single_drive() {
            return match drives {
                None | Some(1) => Ok(()),
                Some(drives) => Err(format!("a single disk is one drive, not {drives}")),
            };
        }
        self.add_if_said("drives", drives);
        if let Some(text) = raid_text {
            let raid = raid(text, drives.unwrap_or(u32::MAX))?;
            // Mirrors over more than two drives are striped: the controllers of both papers call
            // that RAID-1 as well.
            let is_striped = drives.is_none_or(|drives| drives > 2) && family.paper != &OTHER;
            self.add("raid", if raid == "raid1" && is_striped { "raid10" } else { &raid });
        }
        // Two controllers are the rule (fastt900, "dual controllers").
        let subsystem = squash(row.get("subsystem"));
        if family.paper == &FASTT
            && ["singlecontroller", "onecontroller"].iter().any(|one| subsystem.contains(one))
        {
            self.add("param.controller.count", 1);
            self.add("param.link.hosts", FASTT_PORTS);
        }
        Ok(())
    }

    /// Adds the settings of the caches that the row speaks of: `all_off`, `write_cache_on`, `Write
    /// Cache Enabled, no mirroring`.
    fn add_caches(&mut self, row: &Row, family: &Family) -> Result<(), String> {
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

    /// Adds what the FAStT900 paper changed for its sequential runs: cache blocks of 16 KiB; for
    /// reads segments of 128 KiB and read-ahead, for writes the write cache where the row does not
    /// say.
    fn add_streaming(&mut self, row: &Row) {
        let Ok(load) = cell::profile(row, &FASTT) else { return };
        if !load.is_sequential() {
            return;
        }
        self.add("param.controller.block", 16);
        let mut key = "write_cache=";
        if load.read_percent() >= 50.0 {
            self.add("stripe", "128KiB");
            key = "read_ahead=";
        }
        if !self.pairs.iter().any(|pair| pair.starts_with(key)) {
            self.pairs.push(format!("{key}on"));
        }
    }

    /// Adds the operating system that issued the load, where it is not Windows.
    fn add_host(&mut self, text: &str) -> Result<(), String> {
        match HOSTS.within(&squash(text)) {
            Some("linux") => self.add("host", "linux"),
            None if !is_unsaid(text) => {
                return Err(format!("'{text}' is neither Windows with Iometer nor Linux with fio"));
            }
            _ => {}
        }
        Ok(())
    }
}

/// A family of published systems.
#[derive(Debug)]
struct Family {
    /// The name of the simulated system after `sim:`, or [`SINGLE_DRIVE`].
    name: &'static str,
    /// What rows call it: squashed, parted by spaces.
    spellings: &'static str,
    paper: &'static Paper,
    /// Speed in 1/min and capacity in GB of its drives, where no others can stand for them.
    drive: Option<(f64, Option<f64>)>,
}

/// A drive on its own, any of the catalog.
const SINGLE_DRIVE: &str = "drive";

/// The families; the first whose spelling occurs in a row counts. The last has no spelling.
static FAMILIES: [Family; 8] = [
    Family::new("fastt900", "fastt900", &FASTT, Some((15_000.0, Some(18.2)))),
    Family::new("fastt700", "fastt700", &FASTT, Some((10_000.0, Some(36.4)))),
    Family::new("serveraid-m5025", "m5025", &M5025, Some((15_000.0, None))),
    Family::new("sx940-lsi1064", "sas1064 lsi1064 lsisas1064 raid01sas", &OTHER, None),
    Family::new("sx940-lsi1078", "sas1078 lsi1078 raid56sas", &OTHER, None),
    Family::new("rx100s4-sata", "ich7", &OTHER, None),
    Family::new(
        SINGLE_DRIVE,
        "singledisk singledrive singlehdd singlessd sas1068 lsi1068",
        &OTHER,
        None,
    ),
    Family::new("rx100s4-sas", "", &OTHER, None),
];

impl Family {
    const fn new(
        name: &'static str,
        spellings: &'static str,
        paper: &'static Paper,
        drive: Option<(f64, Option<f64>)>,
    ) -> Self {
        Self { name, spellings, paper, drive }
    }

    /// The family of a row, from its subsystem, or else from its source; or what was not understood.
    fn of(row: &Row, drive: &DriveText) -> Result<&'static Self, String> {
        let texts = [squash(row.get("subsystem")), squash(row.get("source"))];
        let says = |name: &str| texts.iter().any(|text| text.contains(name));
        let is_spelt = |text: &str, spelling: &str| !spelling.is_empty() && text.contains(spelling);
        let spelt = texts.iter().find_map(|text| {
            let spells =
                |family: &&Self| family.spellings.split(' ').any(|word| is_spelt(text, word));
            FAMILIES.iter().find(spells)
        });
        if let Some(family) = spelt {
            return Ok(family);
        }
        let called = |name: &str| FAMILIES.iter().find(|family| family.name == name);
        let found = match says("rx100") {
            true if drive.interface == Some("SATA") => called("rx100s4-sata"),
            true => called("rx100s4-sas"),
            // The controller that a RAID level needs; both have levels 0 and 1.
            false if says("sx940") && squash(row.get("raid")).contains(['5', '6']) => {
                called("sx940-lsi1078")
            }
            false => None,
        };
        found.ok_or_else(|| match says("sx940") {
            true => "the SX940 has two controllers, and the row does not say which".to_owned(),
            false => {
                format!("no simulated system stands for the subsystem '{}'", row.get("subsystem"))
            }
        })
    }

    /// Both storage servers of the FAStT900 paper in the order in which the row's subsystem names
    /// them: their ratio may be published.
    fn rivals(row: &Row) -> Option<[&'static Self; 2]> {
        let subsystem = squash(row.get("subsystem"));
        let mut named =
            [&FAMILIES[0], &FAMILIES[1]].map(|family| (subsystem.find(family.name), family));
        named.sort_by_key(|(place, _)| *place);
        named[0].0.map(|_| named.map(|(_, family)| family))
    }

    /// The name of the simulated system after `sim:`, or why none has such drives as the row's, as
    /// far as it says.
    fn system(&self, drive: &DriveText, catalog: &DriveCatalog) -> Result<&'static str, String> {
        let name = self.name;
        if self.is_single_drive() {
            return catalog.find(drive);
        }
        let Some((rpm, capacity_gb)) = self.drive else { return Ok(name) };
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

    fn is_single_drive(&self) -> bool {
        self.name == SINGLE_DRIVE
    }
}

/// Who publishes the numbers of a family: papers differ in how they measured.
#[derive(Debug, PartialEq)]
pub(super) struct Paper {
    /// The mean response time at which the paper reads its tables off, in ms.
    pub(super) table_ms: Option<f64>,
    /// Most outstanding I/Os per array.
    pub(super) outstanding_max: u32,
    /// If a row does not give a block size: file and web server are mixes of sizes, not 64 KiB.
    pub(super) has_mixes: bool,
}

/// The paper of both FAStT storage servers: "about 20 ms"; of the loads it says only "up to and
/// beyond what production has".
static FASTT: Paper = Paper { table_ms: Some(20.0), outstanding_max: 512, has_mixes: true };

/// The paper of the ServeRAID M5025: "about 15 ms"; 1 to 121 (m5025, "Iometer").
static M5025: Paper = Paper { table_ms: Some(15.0), outstanding_max: 121, has_mixes: false };

/// Others, which read at fixed loads up to 512 (singledisk, "standard series").
static OTHER: Paper = Paper { table_ms: None, outstanding_max: 512, has_mixes: false };

/// Most drives that a row may ask for.
const DRIVES_MAX: f64 = 4096.0;

/// Drives of all arrays: `60`, `60 drives`, `5 x 12`, `60 (6 arrays)`.
fn drives(text: &str) -> Result<u32, String> {
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
fn raid(text: &str, drives: u32) -> Result<String, String> {
    // What is in brackets explains: `RAID-5 (9+P)`.
    let plain = text.split(['(', '[']).next().unwrap_or(text);
    let squashed = squash(plain);
    if is_unsaid(plain) || squashed.starts_with("single") {
        return match drives {
            1 => Ok("jbod".to_owned()),
            _ => Err("the RAID level of several drives is not given".to_owned()),
        };
    }
    if ["jbod", "none", "noraid"].iter().any(|word| squashed.starts_with(word)) {
        return Ok("jbod".to_owned());
    }
    let words = tokens(plain);
    let unknown = || format!("'{text}' is no RAID level that is known here");
    let level = words.iter().find(|token| !token.is("raid level r"));
    level.and_then(Token::number).ok_or_else(unknown)?;
    let levels: Vec<String> = words
        .iter()
        .filter_map(|token| token.number().map(|number| (number as u32).to_string()))
        .collect();
    let level = match levels.concat().as_str() {
        _ if !is_one_level(plain, &levels) => None,
        "1" if has(&words[words.len() - 1..], "e") => Some("1e"),
        // A mirror of stripes has the same drives at work.
        "01" => Some("10"),
        other => "0 1 5 6 10 50 60".split(' ').find(|level| *level == other),
    };
    level.map(|level| format!("raid{level}")).ok_or_else(unknown)
}

/// True if levels are one within the other, not one or the other: `1+0`, `1/0`.
fn is_one_level(text: &str, levels: &[String]) -> bool {
    let [outer, inner] = levels else { return true };
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    ['+', '/', '_', '-', '.'].iter().any(|sign| bare.contains(&format!("{outer}{sign}{inner}")))
}
