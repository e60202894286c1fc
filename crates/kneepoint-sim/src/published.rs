//! Published numbers of what a plan simulates: those that the shipped systems were fitted to.

use kneepoint_core::plan::{Plan, SeriesPlan};
use kneepoint_core::result::{
    ModelFit, ModelOrigin, PublishedNumber, PublishedPlace, ThroughputUnit,
};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;

use crate::cells::{Cell, CellTable, Criterion, DriveCatalog, Published, Row, parse};
use crate::system::System;
use crate::system::parameter::Key;
use crate::system::setting::{Calibration, DriveKind};
use crate::target::{Model, SimTarget};

/// The published numbers that are shipped.
const SHIPPED_CELLS: &str = include_str!("../../../systems/data/calibration.csv");

/// The model of `target`; `None` for a reference system, whose answers are exact.
pub(crate) fn origin(target: &SimTarget) -> Option<ModelOrigin> {
    let Model::Array { system, .. } = &target.model else { return None };
    let fitted =
        (system.calibration == Calibration::Calibrated).then_some(match &system.validation {
            Some(validation) => ModelFit {
                cells: validation.fitted_cells,
                mean_error_percent: Some(validation.mean_error_percent),
            },
            None => ModelFit { cells: 0, mean_error_percent: None },
        });
    Some(ModelOrigin {
        system: system.name.clone(),
        title: system.title.clone(),
        source: system.source.trim().to_owned(),
        drive: system.drive.words(),
        drive_mib_s: (system.drive.kind == DriveKind::Disk).then(|| {
            let innermost = system.value(Key::DiskRate) * system.value(Key::DiskInner);
            innermost * 1e6 / 1_048_576.0
        }),
        parts: Some(system.parts()),
        fit: fitted,
    })
}

/// A shipped number with the system that it is of.
struct ShippedCell {
    source: String,
    cell: Cell,
    system: Box<System>,
}

/// The numbers that were published of the systems of a plan: of exactly what its series simulate, in
/// their order.
pub(crate) struct PublishedCells(Vec<ShippedCell>);

impl PublishedCells {
    /// The numbers of the shipped systems among `targets`.
    ///
    /// # Errors
    /// Never: a test reads all rows that are shipped.
    pub(crate) fn of(targets: &[SimTarget]) -> Result<Self, Fault> {
        if !targets.iter().any(|target| matches!(target.model, Model::Array { .. })) {
            return Ok(Self(Vec::new()));
        }
        let is_named = |row: &&Row| {
            let name = base(row.get("target"));
            targets.iter().any(|target| base(&target.name) == name)
        };
        let CellTable { rows, .. } = parse(SHIPPED_CELLS, "calibration.csv")?;
        let rows: Vec<&Row> = rows.iter().filter(is_named).collect();
        if rows.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let catalog = DriveCatalog::shipped()?;
        let cells = rows.into_iter().filter_map(|row| shipped(row, &catalog));
        Ok(Self(cells.collect()))
    }

    /// Whether nothing is known of these systems.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those of `series` on `targets`, which must be all arrays of one system.
    pub(crate) fn of_series(
        &self,
        plan: &Plan,
        series: &SeriesPlan,
        targets: &[SimTarget],
    ) -> Vec<PublishedNumber> {
        let Some(system) = whole_system(targets) else { return Vec::new() };
        let Some(profile) = series.profile.storage() else { return Vec::new() };
        if series.loads.unit != LoadUnit::OutstandingIos {
            return Vec::new();
        }
        let is_of_series = |shipped: &&ShippedCell| {
            let of_cell = &shipped.cell.profile;
            *shipped.system == *system
                && of_cell.lines == profile.lines
                && of_cell.range == profile.range
                && of_cell.distribution == profile.distribution
        };
        let found = self.0.iter().filter(is_of_series);
        found.filter_map(|shipped| number(shipped, plan, series)).collect()
    }
}

/// The name of a target without its settings: `sim:fastt900`.
fn base(name: &str) -> &str {
    name.split(['?', '#']).next().unwrap_or(name)
}

/// The row as an absolute number; `None` if it is given relative to another row.
fn shipped(row: &Row, catalog: &DriveCatalog) -> Option<ShippedCell> {
    let cell = Cell::of(row, catalog).ok().filter(|cell| cell.relative_to.is_none())?;
    let Model::Array { system, .. } = SimTarget::parse(&cell.target).ok()?.model else {
        return None;
    };
    Some(ShippedCell { source: row.table(), cell, system })
}

/// The system whose arrays `targets` are, if they are all arrays of one.
fn whole_system(targets: &[SimTarget]) -> Option<&System> {
    let arrays: Option<Vec<(&System, u32)>> = targets
        .iter()
        .map(|target| match &target.model {
            Model::Array { system, array } => Some((&**system, *array)),
            Model::Analytic(_) | Model::Desktop(_) => None,
        })
        .collect();
    let arrays = arrays?;
    let (first, _) = *arrays.first()?;
    let is_whole = arrays.len() == first.array_count() as usize
        && arrays
            .iter()
            .zip(0..)
            .all(|((system, array), index)| *array == index && *system == first);
    is_whole.then_some(first)
}

/// The number, if the plan asks for it.
fn number(shipped: &ShippedCell, plan: &Plan, series: &SeriesPlan) -> Option<PublishedNumber> {
    let cell = &shipped.cell;
    let place = match cell.criterion {
        Criterion::Rule(rule) => {
            plan.rules.contains(&rule).then(|| PublishedPlace::Rule(rule.to_string()))?
        }
        Criterion::Peak => PublishedPlace::Peak(cell.outstanding_max),
        Criterion::Outstanding(load) => PublishedPlace::Outstanding(load),
    };
    let (value, unit) = match cell.published {
        Published::Iops(iops) => (iops, ThroughputUnit::Iops),
        Published::MibPerS(mib_s) => (mib_s, ThroughputUnit::MibPerS),
    };
    let factors = series.factors.clone();
    Some(PublishedNumber {
        source: shipped.source.clone(),
        series: series.name.clone(),
        factors,
        place,
        value,
        unit,
    })
}
