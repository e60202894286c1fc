//! The subsystem as a row calls it: which simulated system stands for it, with which settings.

use super::drive::{DriveCatalog, DriveText};
use super::family::{Family, Paper};
use super::layout;
use super::load::{self, ServerLoads};
use super::row::Row;
use super::stroke::{self, Number};
use super::words::{CACHES, DISK_CACHE, HOSTS, MIRROR, READ_AHEAD, WRITE_CACHE, is_unsaid, squash};

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
        let mut query = Query::default();
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
struct Query {
    pairs: Vec<String>,
}

impl Query {
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
            false => Some(layout::drives(drives_text)?),
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
            let raid = layout::raid(raid_text, drives.unwrap_or(u32::MAX))?;
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

    /// Adds what the FAStT900 paper changed for its sequential runs: cache blocks of 16 KiB; for reads
    /// segments of 128 KiB and read-ahead, for writes the write cache where the row does not say.
    fn add_streaming(&mut self, row: &Row) {
        let Ok(load) = load::profile(row, ServerLoads::Mixes) else { return };
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
