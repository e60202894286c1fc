//! What a system is fitted to: cells of tables, or the points of a stored run.

use kneepoint_core::plan::Plan;
use kneepoint_core::result::{PointResult, RunDocument, Verdict};
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_sim::System;
use kneepoint_sim::cells::{Cell, CellTable, Criterion, DriveCatalog, Published};

/// Measurements of one system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observations {
    /// Names, in the order of `cells`.
    pub(crate) ids: Vec<String>,
    /// What was measured.
    pub(crate) cells: Vec<Option<Cell>>,
}

impl Observations {
    fn push(&mut self, id: String, cell: Cell) {
        self.ids.push(id);
        self.cells.push(Some(cell));
    }

    /// Number of measurements.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Parts with those whose name contains one of `patterns`.
    pub(crate) fn split(self, patterns: &[String]) -> (Self, Self) {
        let (mut kept, mut held) = (Self::default(), Self::default());
        for (id, cell) in self.ids.into_iter().zip(self.cells.into_iter().flatten()) {
            let part = match patterns.iter().any(|pattern| id.contains(pattern.as_str())) {
                true => &mut held,
                false => &mut kept,
            };
            part.push(id, cell);
        }
        (kept, held)
    }
}

/// The system's name and the settings of a target, `sim:NAME?SETTINGS`.
pub(crate) fn parts_of(target: &str) -> (&str, &str) {
    let rest = target.strip_prefix("sim:").unwrap_or(target);
    rest.split_once('?').unwrap_or((rest, ""))
}

/// The rows of a file that were measured on `system`.
pub(crate) fn of_cells(system: &System, table: &CellTable, catalog: &DriveCatalog) -> Observations {
    let mut observations = Observations::default();
    for row in &table.rows {
        if let Ok(cell) = Cell::of(row, catalog)
            && cell.relative_to.is_none()
            && parts_of(&cell.target).0 == system.name
        {
            observations.push(row.id(), cell);
        }
    }
    observations
}

/// The points of a run, as if `system` had been measured.
///
/// # Errors
/// When the run's plan cannot be read, or it had not one target for each array of the system.
pub(crate) fn of_run(system: &System, run: &RunDocument) -> Result<Observations, Fault> {
    let plan: Plan = serde_json::from_value(run.plan.clone()).map_err(|error| {
        Fault::new(format!("the plan of run {} cannot be read", run.run.id)).because(error)
    })?;
    let arrays = system.array_count() as usize;
    if plan.targets.len() != arrays {
        return Err(Fault::new(format!(
            "run {} loaded {} targets, but the system has {arrays} arrays",
            run.run.id,
            plan.targets.len()
        ))
        .fix("set drives and drives_per_array in the system file so that there is one array per target"));
    }
    let mut observations = Observations::default();
    for point in &run.points {
        if let Some(cell) = cell_of(system, &plan, point) {
            observations.push(format!("{}@{}", point.series, point.load.value), cell);
        }
    }
    Ok(observations)
}

/// A point in a closed loop that can be relied on.
fn cell_of(system: &System, plan: &Plan, point: &PointResult) -> Option<Cell> {
    let is_closed = point.load.unit == LoadUnit::OutstandingIos;
    let outstanding = is_closed.then_some(point.load.value as u32)?;
    let usable = matches!(point.verdict, Verdict::Steady | Verdict::TimeLimit | Verdict::Fixed);
    let profile = profile_of(plan, &point.series)?;
    (usable && point.rate.mean > 0.0).then(|| Cell {
        target: format!("sim:{}", system.name),
        profile,
        criterion: Criterion::Outstanding(outstanding),
        outstanding_max: outstanding,
        published: Published::Iops(point.rate.mean),
        relative_to: None,
    })
}

fn profile_of(plan: &Plan, series: &str) -> Option<ResolvedProfile> {
    let planned = plan.series.iter().find(|planned| planned.name == series)?;
    planned.profile.storage().cloned()
}
