//! The subsystem as a row calls it: which simulated system stands for it, with which settings.

use super::cache::{Caches, Switch};
use super::drive::DriveText;
use super::family::Family;
use super::row::Row;
use super::single_drive::DriveCatalog;
use super::words::{Token, is_unsaid, squash, tokens};
use super::workload::ServerLoads;
use super::{raid, share, stroke, workload};

/// Most drives that a row may ask for.
const DRIVES_MAX: f64 = 4096.0;

/// What an x4 link of 3 Gbit/s carries, MB/s: "a little more than 1,000" (m5025, streaming).
const M5025_SLOW_LINK_MB_S: f64 = 1_050.0;

/// Host ports of one controller of the FAStT900 ("two host ports each").
const FASTT_PORTS: u32 = 2;

/// What a row's subsystem comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subsystem {
    /// The simulated system: `sim:fastt900?drives=60&raid=raid5&...`.
    pub(super) target: String,
    /// For a number that is a share: the system that it is a share of, where the row says which.
    pub(super) base: Option<String>,
    /// Most outstanding I/Os per array of its paper.
    pub(super) outstanding_max: u32,
    /// The response time at which its paper reads its tables off, ms.
    pub(super) table_ms: Option<f64>,
    /// What "file server" means there.
    pub(super) server_loads: ServerLoads,
}

/// What a row publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// A rate.
    Rate,
    /// A share of what another system does.
    Share,
}

impl Subsystem {
    /// The subsystem of a row.
    ///
    /// # Errors
    /// A sentence's end that says what was not understood.
    pub(super) fn of(row: &Row, catalog: &DriveCatalog, number: Number) -> Result<Self, String> {
        let rival = Family::rival(row);
        // Of two systems each has its own drives, whichever of them the row names.
        let drive = match rival {
            Some(_) => DriveText::default(),
            None => DriveText::of(row.get("drive_type")),
        };
        let family = Family::of(row, &drive)?;
        if rival.is_some() && number == Number::Rate {
            return Err("the row names two subsystems, and its number is no ratio".to_owned());
        }
        let mut query = Query::default();
        add_layout(&mut query, row, (family, number))?;
        add_caches(&mut query, row, family)?;
        if family.is_fastt() {
            add_streaming(&mut query, row);
        }
        if host(row.get("os_tool"))? == Host::Linux {
            query.add("host", "linux");
        }
        if family == Family::M5025 && drive.link_gbit == Some(3.0) {
            query.add("param.link.back_end", M5025_SLOW_LINK_MB_S);
        }
        let name = family.system(&drive, catalog)?;
        let stroke = stroke_percent(row, number)?;
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
            (_, Some(rival), _) => {
                let name = rival.system(&drive, catalog)?;
                Some(at(stroke, (rival, name)))
            }
            (_, None, Some(_)) => Some(at(Some(share::BASE_STROKE_PERCENT), (family, name))),
        };
        Ok(Self {
            target: at(stroke, (family, name)),
            base,
            outstanding_max: family.outstanding_max(),
            table_ms: family.table_ms(),
            server_loads: family.server_loads(),
        })
    }
}

/// The part of a target after the question mark, under construction.
#[derive(Debug, Clone, Default)]
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

/// Adds drives and RAID level. A share may leave them open: it holds for the system as it is.
fn add_layout(
    query: &mut Query,
    row: &Row,
    (family, number): (Family, Number),
) -> Result<(), String> {
    let may_be_open = number == Number::Share;
    let [drives_text, raid_text] = ["drives", "raid"].map(|column| row.get(column));
    let is_open = |text: &str| {
        may_be_open && (is_unsaid(text) || ["any", "all", "various"].contains(&&*squash(text)))
    };
    let drives = match is_open(drives_text) {
        true => None,
        false => Some(drives(drives_text)?),
    };
    if family == Family::SingleDrive {
        return match drives {
            None | Some(1) => Ok(()),
            Some(drives) => Err(format!("a single disk is one drive, not {drives}")),
        };
    }
    if let Some(drives) = drives {
        query.add("drives", drives);
    }
    if !is_open(raid_text) {
        let raid = raid::level(raid_text, drives.unwrap_or(u32::MAX))?;
        query.add("raid", striped(raid, (family, drives)));
    }
    // Two controllers are the rule (fastt900, "dual controllers").
    let subsystem = squash(row.get("subsystem"));
    if family.is_fastt()
        && ["singlecontroller", "onecontroller"].iter().any(|one| subsystem.contains(one))
    {
        query.add("param.controller.count", 1);
        query.add("param.link.hosts", FASTT_PORTS);
    }
    Ok(())
}

/// Mirrors over more than two drives are striped: the controllers of both papers call that RAID-1
/// as well.
fn striped(raid: &'static str, (family, drives): (Family, Option<u32>)) -> &'static str {
    let has_many = drives.is_none_or(|drives| drives > 2);
    match raid {
        "raid1" if has_many && (family.is_fastt() || family == Family::M5025) => "raid10",
        raid => raid,
    }
}

/// Drives of all arrays: `60`, `60 drives`, `5 x 12`, `60 (6 arrays)`.
fn drives(text: &str) -> Result<u32, String> {
    if is_unsaid(text) {
        return Err("the number of drives is not given".to_owned());
    }
    let plain = text.split(['(', '[', ',', '=']).next().unwrap_or(text);
    let words = tokens(plain);
    let number = match words.as_slice() {
        [Token::Number(arrays), times, Token::Number(each), ..]
            if times.is_any(&["x", "times"]) || plain.contains(['*', '\u{d7}']) =>
        {
            Some(arrays * each)
        }
        [Token::Number(arrays), Token::Number(each)] if plain.contains(['*', '\u{d7}']) => {
            Some(arrays * each)
        }
        // Several numbers are a range, or something else that is not one system.
        [Token::Number(number), rest @ ..] if !rest.iter().any(is_number) => Some(*number),
        _ => None,
    };
    match number.filter(|_| !plain.trim_start().starts_with('-')) {
        Some(number) if number.fract() == 0.0 && (1.0..=DRIVES_MAX).contains(&number) => {
            Ok(number as u32)
        }
        _ => Err(format!("'{text}' is no number of drives")),
    }
}

fn is_number(token: &Token) -> bool {
    token.number().is_some()
}

/// Columns for the stroke alone.
const STROKE_COLUMNS: [&str; 3] = ["stroke", "stroke_pct", "stroke_percent"];

/// Other columns that may speak of the stroke, the plainest first.
const SPEAKING_COLUMNS: [&str; 9] =
    ["access", "workload", "subsystem", "drives", "cache", "drive_type", "criterion", "note", "id"];

/// The stroke that a row names, in percent of the drives' capacity.
fn stroke_percent(row: &Row, number: Number) -> Result<Option<f64>, String> {
    let own = STROKE_COLUMNS.iter().map(|column| row.get(column)).find(|text| !is_unsaid(text));
    if let Some(own) = own {
        return stroke::of_column(own).map(Some);
    }
    let named = SPEAKING_COLUMNS.iter().find_map(|column| stroke::percent(row.get(column)));
    Ok(match number {
        Number::Share => share::stroke_percent(row).or(named),
        Number::Rate => named,
    })
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
    match caches.read_ahead {
        Some(Switch::On) if squash(row.get("cache")).contains("adaptive") => {
            query.add("read_ahead", "adaptive");
        }
        Some(read_ahead) => query.add("read_ahead", read_ahead.name()),
        None => {}
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
    if is_unsaid(text) || has(&["windows", "win", "iometer"]) {
        return Ok(Host::Windows);
    }
    Err(format!("'{text}' is neither Windows with Iometer nor Linux with fio"))
}
