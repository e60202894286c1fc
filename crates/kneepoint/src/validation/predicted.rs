//! Every row of a file with what a simulated system puts in its place.

use kneepoint_core::words::fault::Fault;
use kneepoint_sim::System;
use kneepoint_sim::cells::{
    Cell, CellSeries, CellTable, DriveCatalog, Prediction, Published, error_percent, group, predict,
};
use kneepoint_sim::trial::Effort;

use super::parallel::{Workers, in_parallel};

/// A row and its prediction.
#[derive(Debug, Clone)]
pub(crate) struct PredictedCell {
    /// The row's name.
    pub(crate) id: String,
    /// The table that it belongs to.
    pub(crate) table: String,
    /// What it describes; the reason where it could not be understood.
    pub(crate) cell: Result<Cell, String>,
    /// What was predicted; the reason where nothing was.
    pub(crate) outcome: Result<Prediction, String>,
}

impl PredictedCell {
    /// The error in percent of the published number.
    pub(crate) fn error_percent(&self) -> Option<f64> {
        let (Ok(cell), Ok(prediction)) = (&self.cell, &self.outcome) else { return None };
        Some(match cell.published {
            Published::Iops(iops) => error_percent(prediction.iops, iops),
            Published::MibPerS(mib_s) => error_percent(prediction.mib_s, mib_s),
        })
    }
}

/// A curve to be measured: a series of cells, or the curve that their numbers are shares of.
struct Task<'a> {
    system: Result<System, Fault>,
    series: &'a CellSeries<'a>,
}

/// Predicts every row of `table` on the systems that `system_of` finds.
pub(crate) fn predict_all(
    (table, catalog): (&CellTable, &DriveCatalog),
    workers: &Workers,
    system_of: impl Fn(&str) -> Result<System, Fault>,
) -> Vec<PredictedCell> {
    let cells: Vec<Result<Cell, String>> =
        table.rows.iter().map(|row| Cell::of(row, catalog)).collect();
    let understood: Vec<Option<Cell>> = cells.iter().map(|cell| cell.clone().ok()).collect();
    let series = group(&understood);
    let tasks: Vec<Task<'_>> =
        series.iter().flat_map(|series| tasks_of(series, &system_of)).collect();
    let effort = Effort::validation();
    let curves = in_parallel(workers, &tasks, |task| {
        task.system.clone().and_then(|system| predict(&system, task.series, &effort))
    });
    let mut outcomes: Vec<Option<Result<Prediction, String>>> = vec![None; cells.len()];
    let mut curves = curves.into_iter();
    for series in &series {
        let curve = curves.next().expect("each series has a curve");
        let base = series.first.relative_to.as_ref().and_then(|_| curves.next());
        for index in &series.cells {
            outcomes[*index] = Some(outcome(&understood, (series, *index), (&curve, &base)));
        }
    }
    let rows = table.rows.iter().zip(cells).zip(outcomes);
    rows.map(|((row, cell), outcome)| {
        let reason = cell.as_ref().err().cloned().unwrap_or_default();
        let outcome = outcome.unwrap_or(Err(reason));
        PredictedCell { id: row.id(), table: row.table(), cell, outcome }
    })
    .collect()
}

/// The curve of a series, and the one that it is relative to.
fn tasks_of<'a>(
    series: &'a CellSeries<'a>,
    system_of: &impl Fn(&str) -> Result<System, Fault>,
) -> Vec<Task<'a>> {
    let targets = std::iter::once(&series.first.target).chain(&series.first.relative_to);
    targets.map(|target| Task { system: system_of(target), series }).collect()
}

type Curve = Result<Vec<Prediction>, Fault>;

/// What one cell is predicted to be.
fn outcome(
    cells: &[Option<Cell>],
    (series, index): (&CellSeries<'_>, usize),
    (curve, base): (&Curve, &Option<Curve>),
) -> Result<Prediction, String> {
    let criterion = cells[index].as_ref().map(|cell| cell.criterion);
    let place = series.criteria.iter().position(|asked| Some(*asked) == criterion);
    let place = place.expect("a series asks for the criteria of its cells");
    let at = |curve: &Curve| match curve {
        Ok(predictions) => Ok(predictions[place].clone()),
        Err(fault) => Err(fault.to_string()),
    };
    let prediction = at(curve)?;
    let Some(base) = base else { return Ok(prediction) };
    let base = at(base)?;
    Ok(Prediction {
        iops: prediction.iops / base.iops,
        mib_s: prediction.mib_s / base.mib_s,
        remark: prediction.remark,
    })
}
