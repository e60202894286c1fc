//! A row, understood; and rows that are read off one curve.

use std::collections::BTreeMap;

use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::rule::Rule;

use super::criterion::Criterion;
use super::drive::DriveCatalog;
use super::load;
use super::row::Row;
use super::stroke::{self, Number};
use super::subsystem::Subsystem;
use super::words::is_unsaid;

/// A number of a published table that can be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The simulated system with its settings: `sim:fastt900?drives=60&raid=raid5&...`.
    pub target: String,
    /// The load.
    pub profile: ResolvedProfile,
    /// The condition that the number was read off at.
    pub criterion: Criterion,
    /// Most outstanding I/Os per array of the paper.
    pub outstanding_max: u32,
    /// The number.
    pub published: Published,
    /// Where the published number is a share of what another target does: that target.
    pub relative_to: Option<String>,
}

/// The published number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Published {
    /// I/Os per second.
    Iops(f64),
    /// Throughput, MiB/s; for rows that publish nothing else.
    MibPerS(f64),
}

impl Cell {
    /// What a row describes.
    ///
    /// # Errors
    /// A sentence that says what in the row was not understood or cannot be simulated.
    pub fn of(row: &Row, catalog: &DriveCatalog) -> Result<Self, String> {
        let share = stroke::share(row);
        let number = if share.is_some() { Number::Share } else { Number::Rate };
        let subsystem = Subsystem::of(row, catalog, number)?;
        let criterion = Criterion::of(row, subsystem.paper.table_ms())?;
        let published =
            share.map_or_else(|| Published::of(row), |share| Ok(Published::Iops(share)))?;
        if share.is_some() && subsystem.base.is_none() {
            return Err(
                "the number is a share of another, but the row does not say of which".to_owned()
            );
        }
        Ok(Self {
            profile: load::profile(row, subsystem.paper.server_loads())?,
            target: subsystem.target,
            outstanding_max: subsystem.paper.outstanding_max(),
            criterion,
            published,
            relative_to: subsystem.base,
        })
    }
}

impl Published {
    /// The number of a row: `iops`, or else `mbps`.
    fn of(row: &Row) -> Result<Self, String> {
        match (number(row, "iops")?, number(row, "mbps")?) {
            (Some(iops), _) => Ok(Self::Iops(iops)),
            (None, Some(mib_s)) => Ok(Self::MibPerS(mib_s)),
            (None, None) => Err("there is no published number".to_owned()),
        }
    }

    /// The number as I/Os per second, for a load of this mean block size.
    pub fn iops(self, block_bytes_mean: f64) -> f64 {
        match self {
            Self::Iops(iops) => iops,
            Self::MibPerS(mib_s) => mib_s * 1_048_576.0 / block_bytes_mean,
        }
    }
}

/// A positive number of a column, if there is one.
fn number(row: &Row, column: &str) -> Result<Option<f64>, String> {
    let text = row.get(column);
    if is_unsaid(text) {
        return Ok(None);
    }
    let plain: String = text.chars().filter(|c| !matches!(c, ',' | ' ' | '_' | '~')).collect();
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(Some(number)),
        _ => Err(format!("'{text}' in the column {column} is no positive number")),
    }
}

/// Cells that differ only in their criterion (all are shares of the same, or none of anything), and
/// are read off one curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CellSeries<'a> {
    /// One of the cells: its target and its profile are those of all.
    pub first: &'a Cell,
    /// Indices of the cells in the caller's list.
    pub cells: Vec<usize>,
    /// What is asked of the curve, in order and without repetition.
    pub criteria: Vec<Criterion>,
}

impl CellSeries<'_> {
    /// The rules among the criteria.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |criterion: &Criterion| match criterion {
            Criterion::Rule(rule) => Some(*rule),
            Criterion::Peak | Criterion::Outstanding(_) => None,
        };
        self.criteria.iter().filter_map(rule).collect()
    }

    /// The fixed loads among the criteria, rising.
    pub fn loads(&self) -> Vec<u32> {
        let load = |criterion: &Criterion| match criterion {
            Criterion::Outstanding(load) => Some(*load),
            Criterion::Peak | Criterion::Rule(_) => None,
        };
        self.criteria.iter().filter_map(load).collect()
    }

    /// Whether the peak is asked for.
    pub fn wants_peak(&self) -> bool {
        self.criteria.contains(&Criterion::Peak)
    }
}

/// Groups cells into series, in the order in which their first cells stand.
pub fn group(cells: &[Option<Cell>]) -> Vec<CellSeries<'_>> {
    let mut places: BTreeMap<(&str, Option<&str>, String), usize> = BTreeMap::new();
    let mut series: Vec<CellSeries<'_>> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let load = format!("{} {:?}", cell.outstanding_max, cell.profile);
        let place = *places
            .entry((cell.target.as_str(), cell.relative_to.as_deref(), load))
            .or_insert_with(|| {
                series.push(CellSeries { first: cell, cells: Vec::new(), criteria: Vec::new() });
                series.len() - 1
            });
        series[place].cells.push(index);
        series[place].criteria.push(cell.criterion);
    }
    for group in &mut series {
        group.criteria.sort_unstable();
        group.criteria.dedup();
    }
    series
}
