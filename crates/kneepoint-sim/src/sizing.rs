//! Which simulated system sustains a load: the smallest number of drives of every kind of drive,
//! RAID level and cache setting.
//!
//! A candidate is tried with the load that is asked for, offered at random intervals whatever the
//! system answers, with the model's own error on top as a margin. The smallest number of drives
//! that meets the rule and holds the capacity is found by bisection, and what that system sustains
//! beyond is measured by the same search as everywhere.

use kneepoint_core::analysis::summarize;
use kneepoint_core::plan::SeriesPlan;
use kneepoint_core::result::PointResult;
use kneepoint_core::result::sizing::{Candidate, Demand, GrowthPoint, StrokeRow};
use kneepoint_core::spec::document::Document;
use kneepoint_core::spec::grid::{KneeGoal, KneePlan, LoadGrid, SearchPlan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Bytes, Percent};
use serde::Deserialize;

use super::system::System;
use super::system::setting::{Calibration, DriveKind, RaidLevel, WriteCache};
use super::target::{Model, SimTarget};
use super::trial::{Effort, Trial, rising, series_plan};

/// Margin where the model of a system was never compared with measurements, in percent.
const MARGIN_UNCALIBRATED_PERCENT: f64 = 20.0;

/// Flash that is tried at most, in bytes: every page of it is simulated.
const FLASH_BYTES_MAX: u64 = 256_000_000_000;

/// Choices for the systems to try.
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
pub struct ArrayShape {
    /// The name of its target, without the number of drives.
    pub target: String,
    /// The drive's name; `None` for the system's own.
    pub drive: Option<String>,
    /// The system with all settings but the number of drives.
    pub system: System,
}

impl ArrayShape {
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
                Some(Self { drive: drive.map(str::to_owned), system: *system, target })
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
        let stroke = format!("{stroke_percent:.1}");
        let stroke = stroke.strip_suffix(".0").unwrap_or(&stroke);
        format!("{}&drives={drives}&stroke={stroke}%", self.target)
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
pub fn shapes(choice: &Choice) -> Result<Vec<ArrayShape>, Fault> {
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
                    shapes.extend(ArrayShape::new(base, drive, (*raid, *write_cache)));
                }
            }
        }
    }
    Ok(shapes)
}

/// Outstanding I/Os per array up to which it is measured what a candidate sustains.
const OUTSTANDING_MAX: f64 = 512.0;

/// The smallest system of a shape that does what is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Everything but its number of drives.
    pub shape: ArrayShape,
    /// The system.
    pub system: System,
    /// All drives.
    pub drives: u32,
    /// Bytes that can be stored on all of them.
    pub usable: Bytes,
    /// Share of each drive's capacity that holds the data, percent.
    pub stroke_percent: f64,
    /// Added to the load before it was tried, percent.
    pub margin_percent: f64,
}

/// The smallest system of `shape` with at most `drives_max` drives that does what `demand` asks;
/// `None` where there is none.
///
/// # Errors
/// When the load does not fit the system.
pub fn smallest(
    shape: &ArrayShape,
    demand: &Demand,
    drives_max: u32,
) -> Result<Option<Found>, Fault> {
    let counts = shape.counts(drives_max);
    let mut failing = 0;
    let mut meeting = counts.len();
    while failing < meeting {
        let middle = usize::midpoint(failing, meeting);
        match meets(shape, demand, counts[middle])? {
            true => meeting = middle,
            false => failing = middle + 1,
        }
    }
    Ok(counts.get(meeting).and_then(|drives| found(shape, demand, *drives)))
}

/// True if this many drives hold the capacity and meet the rule at the load and its margin.
fn meets(shape: &ArrayShape, demand: &Demand, drives: u32) -> Result<bool, Fault> {
    let Some(found) = found(shape, demand, drives) else { return Ok(false) };
    let rate = demand.iops * (1.0 + found.margin_percent / 100.0);
    let point = offered(&found.system, demand, rate)?;
    Ok(point.is_some_and(|point| sustains(&point, demand)))
}

/// The system with `drives` drives; `None` where the data do not fit.
fn found(shape: &ArrayShape, demand: &Demand, drives: u32) -> Option<Found> {
    let mut whole = shape.with(drives, 100.0)?;
    whole.layout.file = None;
    let usable: u64 = (0..whole.array_count()).map(|array| whole.array_bytes(array).0).sum();
    let needed = demand.capacity.map(|capacity| 100.0 * capacity.0 as f64 / usable as f64);
    if needed.is_some_and(|percent| percent > 100.0) {
        return None;
    }
    let stroke_percent = demand.stroke_percent.or(needed).unwrap_or(100.0).clamp(0.1, 100.0);
    let mut system = shape.with(drives, stroke_percent)?;
    system.layout.file = None;
    // The model's own error.
    let own_margin_percent = match (&system.validation, system.calibration) {
        (Some(validation), Calibration::Calibrated) => validation.mean_error_percent,
        _ => MARGIN_UNCALIBRATED_PERCENT,
    };
    let margin_percent = demand.margin_percent.unwrap_or(own_margin_percent);
    Some(Found {
        shape: shape.clone(),
        drives,
        usable: Bytes(usable),
        stroke_percent,
        margin_percent,
        system,
    })
}

/// The point at which `rate` I/Os per second are offered to all arrays together.
fn offered(system: &System, demand: &Demand, rate: f64) -> Result<Option<PointResult>, Fault> {
    let arrays = f64::from(system.array_count());
    let loads = LoadGrid { unit: LoadUnit::OfferedIops, levels: vec![rate / arrays] };
    let plan = series_plan("offered", &demand.profile, Vec::new(), SearchPlan::Grid);
    let series = vec![SeriesPlan { loads, ..plan }];
    let points = Trial { system, series, rules: Vec::new() }.measure(&Effort::comparison())?;
    Ok(points.into_iter().next())
}

/// True if a point meets the rule without falling behind.
fn sustains(point: &PointResult, demand: &Demand) -> bool {
    let is_overloaded = point.open_loop.is_some_and(|open| open.overloaded);
    let limit = demand.rule.line_ms();
    !is_overloaded
        && limit.is_some_and(|(metric, limit)| {
            point.latency_ms.of(metric).is_some_and(|value| value <= limit)
        })
}

/// Measures what a system does beyond what is asked.
///
/// # Errors
/// When the load does not fit the system.
pub fn candidate(found: &Found, demand: &Demand) -> Result<Candidate, Fault> {
    let asked = offered(&found.system, demand, demand.iops)?;
    let (sustained_iops, limit) = sustained(&found.system, demand)?;
    let Found { shape, system, drives, usable, stroke_percent, margin_percent } = found;
    let (servers, more_servers) = servers_with_room(found)?;
    Ok(Candidate {
        target: shape.target_with(*drives, *stroke_percent),
        system: system.name.clone(),
        drives: *drives,
        arrays: system.array_count(),
        drive: shape.drive.clone(),
        raid: system.layout.raid.to_string(),
        write_cache: system.settings.write_cache.to_string(),
        usable: *usable,
        stroke_percent: *stroke_percent,
        margin_percent: *margin_percent,
        is_calibrated: system.calibration == Calibration::Calibrated,
        response_ms: asked.and_then(|point| demand.rule.value_ms(&point)).unwrap_or(f64::NAN),
        sustained_iops,
        headroom_percent: 100.0 * (sustained_iops / demand.iops - 1.0),
        limit,
        servers,
        more_servers,
    })
}

/// The highest throughput in a closed loop that meets the rule of `demand`, in I/Os per second (the
/// highest that was measured where no load breaks the rule), and the busiest kind of part there.
fn sustained(system: &System, demand: &Demand) -> Result<(f64, String), Fault> {
    let effort = Effort::comparison();
    let tolerance = Percent::new(3.0 * effort.accuracy.get()).unwrap_or(Percent::FULL);
    let search = SearchPlan::Knee(KneePlan { goal: KneeGoal::Rules, tolerance, answer: None });
    let levels = [&[1.0], &rising(OUTSTANDING_MAX)[..]].concat();
    let series = vec![series_plan("sustained", &demand.profile, levels, search)];
    let points = Trial { system, series, rules: vec![demand.rule] }.measure(&effort)?;
    let summaries = summarize(&points, &[demand.rule]);
    let crossing = summaries.first().and_then(|summary| summary.sustained.met()?.rate);
    let best = points.iter().max_by(|a, b| a.rate.mean.total_cmp(&b.rate.mean));
    let iops = crossing.map_or_else(|| best.map_or(0.0, |point| point.rate.mean), |rate| rate.mean);
    // The busiest part shows best at the point nearest to the crossing.
    let nearest = points
        .iter()
        .min_by(|a, b| (a.rate.mean - iops).abs().total_cmp(&(b.rate.mean - iops).abs()));
    let part = nearest.and_then(|point| point.simulated.as_ref()?.bottleneck());
    let limit = part.map(|part| format!("{} {:.0} %", part.name, part.highest_percent));
    Ok((iops, limit.unwrap_or_default()))
}

/// Numbers of drives that are measured besides the candidate's own, as shares of it.
const SHARES: [f64; 4] = [0.5, 0.75, 1.5, 2.0];

/// Measures a candidate with about half to twice its number of drives, at most `drives_max`,
/// rising. The data are spread over the drives that there are; numbers of drives that do not hold
/// them are left out.
///
/// # Errors
/// When the load does not fit the system.
pub fn growth(
    candidate: &Found,
    demand: &Demand,
    drives_max: u32,
) -> Result<Vec<GrowthPoint>, Fault> {
    let counts = candidate.shape.counts(drives_max);
    let nearest = |share: &f64| {
        let wanted = share * f64::from(candidate.drives);
        let distance = |drives: &&u32| (f64::from(**drives) - wanted).abs();
        counts.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied()
    };
    let mut drives: Vec<u32> = SHARES.iter().filter_map(nearest).collect();
    drives.push(candidate.drives);
    drives.sort_unstable();
    drives.dedup();
    let mut points = Vec::new();
    for drives in drives {
        let Some(found) = found(&candidate.shape, demand, drives) else { continue };
        let (sustained_iops, _) = sustained(&found.system, demand)?;
        points.push(GrowthPoint { drives, sustained_iops });
    }
    Ok(points)
}

/// Measures `system` at each of `strokes_percent`, as in the tables of multipliers of the
/// FAStT900 paper (fastt900, tables 2 and 6).
///
/// # Errors
/// When the load does not fit the system.
pub fn stroke_table(
    system: &System,
    demand: &Demand,
    strokes_percent: &[f64],
) -> Result<Vec<StrokeRow>, Fault> {
    let mut rows: Vec<StrokeRow> = Vec::new();
    for stroke_percent in strokes_percent {
        let spread = system.with_query(&system.name, &format!("stroke={stroke_percent}%"))?;
        let data = (0..spread.array_count()).map(|array| spread.array_bytes(array).0).sum();
        let (iops, _) = sustained(&spread, demand)?;
        let first = rows.first().map_or(iops, |row| row.sustained_iops);
        rows.push(StrokeRow {
            stroke_percent: *stroke_percent,
            data: Bytes(data),
            sustained_iops: iops,
            multiplier: iops / first,
        });
    }
    Ok(rows)
}

/// The shipped table of servers.
const SERVERS: &str = include_str!("../../../systems/data/servers.toml");

/// A server and what fits into it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Blade, rack, tower.
    pub group: String,
    /// Bays for 3.5-inch drives.
    #[serde(default)]
    pub bays_3_5: u32,
    /// Largest capacity with SAS drives in them, decimal TB.
    pub sas_tb_3_5: Option<f64>,
    /// The same with SATA drives.
    pub sata_tb_3_5: Option<f64>,
    /// Bays for 2.5-inch drives.
    #[serde(default)]
    pub bays_2_5: u32,
    /// Largest capacity with SAS drives in them, decimal TB.
    pub sas_tb_2_5: Option<f64>,
    /// The same with SATA drives.
    pub sata_tb_2_5: Option<f64>,
    /// Its peculiarities.
    #[serde(default)]
    pub note: String,
}

/// All shipped servers.
///
/// # Errors
/// Never for the shipped table; a test reads it.
pub fn servers() -> Result<Vec<Server>, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        server: Vec<Server>,
    }
    let file: File = Document::new("systems/data/servers.toml", SERVERS).read()?;
    Ok(file.server)
}

/// Servers of a candidate that are named.
const SERVERS_NAMED: usize = 3;

/// The smallest servers with room for the drives of a system, and how many more there are.
fn servers_with_room(found: &Found) -> Result<(Vec<String>, usize), Fault> {
    let mut fitting: Vec<(u32, String)> = servers()?
        .into_iter()
        .map(|server| (server.drives_max(&found.system), server.name))
        .filter(|(most, _)| *most >= found.drives)
        .collect();
    fitting.sort();
    let more = fitting.len().saturating_sub(SERVERS_NAMED);
    Ok((fitting.into_iter().map(|(_, name)| name).take(SERVERS_NAMED).collect(), more))
}

impl Server {
    /// Most drives of the kind of `system`'s that fit; zero where that kind is not offered.
    pub fn drives_max(&self, system: &System) -> u32 {
        let is_small = system.drive.form_factor_in.is_some_and(|inches| inches < 3.0);
        let (bays, sas_tb, sata_tb) = match is_small {
            true => (self.bays_2_5, self.sas_tb_2_5, self.sata_tb_2_5),
            false => (self.bays_3_5, self.sas_tb_3_5, self.sata_tb_3_5),
        };
        let largest_tb = match system.drive.interface.as_str() {
            "sas" => sas_tb,
            "sata" => sata_tb,
            _ => None,
        };
        let capacity_tb = system.drive.capacity.0 as f64 / 1e12;
        // Capacities are printed with two digits: a little more than printed still fits.
        let by_capacity = largest_tb.map_or(0.0, |tb| ((tb * 1.05) / capacity_tb).floor());
        bays.min(by_capacity as u32)
    }
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
            "sim:serveraid-m5025?raid=raid5&write_cache=on&drive=hdd-sas25-10k-600&drives=24&stroke=8%"
        );
        assert_eq!(shapes[0].with(24, 8.0).unwrap().layout.drives, 24);
        assert_eq!(shapes[0].counts(40), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 24, 36]);
        assert_eq!(shapes[1].counts(12), [2, 4, 6, 8, 10, 12]);
    }

    #[test]
    fn the_shipped_table_can_be_read() {
        let servers = servers().unwrap();
        assert_eq!(servers.len(), 24);
        let tower = servers.iter().find(|server| server.name == "TX300 S6").unwrap();
        assert_eq!((tower.bays_2_5, tower.bays_3_5), (20, 8));
    }

    #[test]
    fn bays_and_capacities_limit_the_drives() {
        let servers = servers().unwrap();
        let most = |server: &str, drive: &str| {
            let server = servers.iter().find(|found| found.name == server).unwrap();
            server.drives_max(&System::shipped(drive).unwrap())
        };
        assert_eq!(most("TX300 S6", "drive/hdd-sas25-10k-600"), 20);
        assert_eq!(most("TX300 S6", "drive/hdd-sata35-7k2-2000"), 8);
        assert_eq!(most("BX922 S2", "drive/hdd-sas25-10k-600"), 0);
        assert_eq!(most("RX600 S6", "drive/hdd-sata25-7k2-1000"), 0);
        assert_eq!(most("RX600 S6", "drive/hdd-sata25-7k2-500"), 1);
        assert_eq!(most("TX300 S6", "fastt900"), 0);
    }
}
