//! Fits the free parameters of a simulated system to measurements: the observations, and the fit on
//! the terminal and as a system file.

mod fit;

pub(crate) use fit::{Fit, FitPlan, fit};

use std::fmt::Write as _;

use kneepoint_core::plan::{Plan, SeriesPlan};
use kneepoint_core::result::{PointResult, RunDocument, Verdict};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::Difference;
use kneepoint_sim::System;
use kneepoint_sim::cells::{Cell, CellTable, Criterion, DriveCatalog, Published, Score};

use crate::output::table::TextTable;
use crate::output::text::{Text, Width};

/// Measurements of one system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observations {
    /// Names, in the order of `cells`.
    pub(crate) ids: Vec<String>,
    /// The measurements.
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
fn parts_of(target: &str) -> (&str, &str) {
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
    let alone = |planned: &&SeriesPlan| planned.name == point.series && planned.together.is_none();
    let planned = plan.series.iter().find(alone)?;
    let profile = planned.profile.storage().cloned()?;
    (usable && point.rate.mean > 0.0).then(|| Cell {
        target: format!("sim:{}", system.name),
        profile,
        criterion: Criterion::Outstanding(outstanding),
        outstanding_max: outstanding,
        published: Published::Iops(point.rate.mean),
        relative_to: None,
    })
}

/// The parameters before and after, the residuals, and the errors in total.
pub(crate) fn fit_text(
    fit: &Fit,
    (fitted, held_out): (&Observations, &Observations),
    width: Width,
) -> Text {
    let mut parts = vec![
        format!("sim:{}\n", fit.system.name).into(),
        parameters(fit).fitted(width),
        residuals(&fitted.ids, &fit.errors_percent).fitted(width),
    ];
    if held_out.len() > 0 {
        let mut apart = Text::from("held out\n");
        apart.append(residuals(&held_out.ids, &fit.held_out_percent).fitted(width));
        parts.push(apart);
    }
    parts.push(scores(fit).fitted(width));
    Text::join(parts, "\n")
}

fn parameters(fit: &Fit) -> TextTable {
    let mut table = TextTable::of(
        &["parameter", "before", "after", "unit", "bounds", ""],
        &["before", "after"],
    );
    table.can_spare(&["bounds"]);
    for (free, value) in fit.free.iter().zip(&fit.values) {
        table.row(vec![
            free.name.to_owned(),
            short(free.start),
            short(*value),
            free.unit.to_owned(),
            format!("{} to {}", free.min, free.max),
            if free.is_at_bound(*value) { "at its bound".to_owned() } else { String::new() },
        ]);
    }
    table
}

fn residuals(ids: &[String], errors_percent: &[f64]) -> TextTable {
    let mut table = TextTable::of(&["measurement", "error"], &["error"]);
    for (id, error) in ids.iter().zip(errors_percent) {
        table.row(vec![id.clone(), format!("{} %", Difference(*error, 1))]);
    }
    table
}

fn scores(fit: &Fit) -> TextTable {
    let mut table = TextTable::of(
        &["errors", "cells", "mean error", "median", "within 10 %", "largest"],
        &["cells", "mean error", "median", "within 10 %", "largest"],
    );
    let rows = [
        ("before the fit", &fit.errors_before_percent),
        ("after the fit", &fit.errors_percent),
        ("held out", &fit.held_out_percent),
    ];
    for (name, errors) in rows.into_iter().filter(|(_, errors)| !errors.is_empty()) {
        let score = Score::of(errors.iter().copied());
        let percent = |value: f64| format!("{value:.2} %");
        table.row(vec![
            name.to_owned(),
            score.cells.to_string(),
            percent(score.mean_abs_error_percent),
            percent(score.median_abs_error_percent),
            percent(score.within_10_percent),
            percent(score.max_abs_error_percent),
        ]);
    }
    table
}

/// Four significant digits.
fn short(value: f64) -> String {
    let digits = if value == 0.0 { 0 } else { 3 - value.abs().log10().floor() as i32 };
    format!("{value:.*}", digits.clamp(0, 6) as usize)
}

/// The system file with the fitted values, and the residuals as a comment at its end.
pub(crate) fn fitted_text(fit: &Fit, fitted: &Observations, held_out: &Observations) -> String {
    let mut text = fit.system.to_toml();
    let _ = writeln!(text, "\n# Residuals of the calibration, in percent of the measured number:");
    for (id, error) in fitted.ids.iter().zip(&fit.errors_percent) {
        let _ = writeln!(text, "# {error:+6.1}  {id}");
    }
    if held_out.len() > 0 {
        let _ = writeln!(text, "#\n# Held out of the calibration:");
    }
    for (id, error) in held_out.ids.iter().zip(&fit.held_out_percent) {
        let _ = writeln!(text, "# {error:+6.1}  {id}");
    }
    text
}
