//! Published tables against simulated systems: every row of a file with what a simulated system
//! puts in its place, the errors as JSON (`kneepoint.validate/1`) and on the terminal.

use std::collections::BTreeMap;

use kneepoint_core::spec::document::Document;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::{Difference, Rate};
use kneepoint_sim::System;
use kneepoint_sim::cells::{
    CLOSE_PERCENT, Cell, CellSeries, CellTable, DriveCatalog, Prediction, Published, Score,
    error_percent, group, predict,
};
use kneepoint_sim::trial::Effort;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::output::table::TextTable;
use crate::output::text::{Text, Width};
use crate::parallel::{Workers, in_parallel};

/// A row and its prediction.
#[derive(Debug, Clone)]
pub(crate) struct PredictedCell {
    /// The row's name.
    id: String,
    /// The table that it belongs to.
    table: String,
    /// The cell it describes; the reason if it could not be understood.
    cell: Result<Cell, String>,
    /// The prediction; the reason if there is none.
    outcome: Result<Prediction, String>,
}

impl PredictedCell {
    /// The error in percent of the published number.
    fn error_percent(&self) -> Option<f64> {
        let (Ok(cell), Ok(prediction)) = (&self.cell, &self.outcome) else { return None };
        Some(match cell.published {
            Published::Iops(iops) => error_percent(prediction.iops, iops),
            Published::MibPerS(mib_s) => error_percent(prediction.mib_s, mib_s),
        })
    }
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
    let mut tasks = Vec::new();
    for series in &series {
        // Its curve, and the one that its numbers are shares of.
        let targets = std::iter::once(&series.first.target).chain(&series.first.relative_to);
        tasks.extend(targets.map(|target| (system_of(target), series)));
    }
    let effort = Effort::validation();
    let curves = in_parallel(workers, &tasks, |(system, series)| {
        system.clone().and_then(|system| predict(&system, series, &effort))
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

type PredictedCurve = Result<Vec<Prediction>, Fault>;

/// The prediction of one cell.
fn outcome(
    cells: &[Option<Cell>],
    (series, index): (&CellSeries<'_>, usize),
    (curve, base): (&PredictedCurve, &Option<PredictedCurve>),
) -> Result<Prediction, String> {
    let criterion = cells[index].as_ref().map(|cell| cell.criterion);
    let place = series.criteria.iter().position(|asked| Some(*asked) == criterion);
    let place = place.expect("a series asks for the criteria of its cells");
    let at = |curve: &PredictedCurve| match curve {
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

/// Why cells were declared irregular, by their ids.
pub(crate) type Anomalies = BTreeMap<String, String>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnomalyFile {
    #[serde(default)]
    anomaly: Vec<AnomalyEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnomalyEntry {
    /// Ids of cells.
    cells: Vec<String>,
    /// Why they are irregular.
    reason: String,
}

/// Reads a declaration; `file_name` is what faults call it.
pub(crate) fn parse_anomalies(text: &str, file_name: &str) -> Result<Anomalies, Fault> {
    let file: AnomalyFile = Document::new(file_name, text).read()?;
    let mut reasons = Anomalies::new();
    for AnomalyEntry { cells, reason } in file.anomaly {
        if reason.trim().is_empty() {
            return Err(Fault::new(format!("{file_name}: an anomaly has no reason"))
                .fix("say why these cells are irregular"));
        }
        reasons.extend(cells.into_iter().map(|id| (id, reason.clone())));
    }
    Ok(reasons)
}

/// The version of the format.
pub const VALIDATE_SCHEMA: &str = "kneepoint.validate/1";

/// All predictions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ValidationDocument {
    /// `kneepoint.validate/1`.
    pub schema: &'static str,
    /// Every row, in the order of the file.
    pub cells: Vec<CellResult>,
    /// Errors by table, in the order in which the tables appear.
    pub tables: Vec<TableResult>,
    /// Errors of all cells, anomalies included.
    pub total: ScoreResult,
    /// The same without the cells that were declared irregular beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_without_anomalies: Option<ScoreResult>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CellResult {
    /// Name of the row; `line-N` where it has none.
    pub id: String,
    /// Source and table that it belongs to.
    pub table: String,
    /// The simulated system with its settings; `null` where none stands for the row.
    pub target: Option<String>,
    /// I/Os per second of all arrays, or the share that a multiplier is compared with; `null` where
    /// nothing was predicted.
    pub predicted_iops: Option<f64>,
    /// Throughput of all arrays, MiB/s; `null` where nothing was predicted.
    pub predicted_mib_s: Option<f64>,
    /// Where only MiB/s are published: those, divided by the block size. `null` where the row was
    /// not understood.
    pub published_iops: Option<f64>,
    /// Predicted over published, in percent; positive where the prediction is too high.
    pub error_percent: Option<f64>,
    /// Why nothing was predicted; `null` where something was.
    pub reason: Option<String>,
    /// A limit of the prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Why the cell was declared irregular beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anomaly: Option<String>,
}

/// Errors of one table.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TableResult {
    /// Source and table.
    pub table: String,
    /// Its errors.
    #[serde(flatten)]
    pub score: ScoreResult,
}

/// Errors of a set of cells; `null` where nothing was predicted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ScoreResult {
    /// Cells that were predicted.
    pub cells: usize,
    /// Cells that could not be.
    pub not_simulated: usize,
    /// Mean of the absolute errors.
    pub mean_abs_error_percent: Option<f64>,
    /// Median of the absolute errors.
    pub median_abs_error_percent: Option<f64>,
    /// Share of the predicted cells whose absolute error is at most 10 percent, in percent.
    pub within_10_percent: Option<f64>,
    /// The largest absolute error.
    pub max_abs_error_percent: Option<f64>,
}

const _: () = assert!(CLOSE_PERCENT == 10.0, "the name of a field says so");

/// The document of all predictions.
pub(crate) fn document(cells: &[PredictedCell], anomalies: &Anomalies) -> ValidationDocument {
    let results: Vec<CellResult> = cells.iter().map(|cell| cell_result(cell, anomalies)).collect();
    let names = distinct(results.iter().map(|result| result.table.as_str()));
    let table = |name: &&str| TableResult {
        table: (*name).to_owned(),
        score: score(results.iter().filter(|result| result.table == **name)),
    };
    let tables = names.iter().map(table).collect();
    let total = score(results.iter());
    let has_anomalies = results.iter().any(|result| result.anomaly.is_some());
    let total_without_anomalies =
        has_anomalies.then(|| score(results.iter().filter(|result| result.anomaly.is_none())));
    ValidationDocument {
        schema: VALIDATE_SCHEMA,
        cells: results,
        tables,
        total,
        total_without_anomalies,
    }
}

fn cell_result(predicted: &PredictedCell, anomalies: &Anomalies) -> CellResult {
    let cell = predicted.cell.as_ref().ok();
    let outcome = predicted.outcome.as_ref();
    let published = cell.map(|cell| cell.published.iops(cell.profile.block_bytes_mean()));
    CellResult {
        id: predicted.id.clone(),
        table: predicted.table.clone(),
        target: cell.map(|cell| cell.target.clone()),
        predicted_iops: outcome.ok().map(|prediction| prediction.iops),
        predicted_mib_s: outcome.ok().map(|prediction| prediction.mib_s),
        published_iops: published,
        error_percent: predicted.error_percent(),
        reason: outcome.err().cloned(),
        remark: outcome.ok().and_then(|prediction| prediction.remark.clone()),
        anomaly: anomalies.get(&predicted.id).cloned(),
    }
}

fn score<'a>(results: impl Iterator<Item = &'a CellResult>) -> ScoreResult {
    let errors: Vec<Option<f64>> = results.map(|result| result.error_percent).collect();
    let score = Score::of(errors.iter().copied().flatten());
    let known = |value: f64| (score.cells > 0).then_some(value);
    ScoreResult {
        cells: score.cells,
        not_simulated: errors.len() - score.cells,
        mean_abs_error_percent: known(score.mean_abs_error_percent),
        median_abs_error_percent: known(score.median_abs_error_percent),
        within_10_percent: known(score.within_10_percent),
        max_abs_error_percent: known(score.max_abs_error_percent),
    }
}

/// Every row, the rows that were not simulated, the errors by table and in total.
pub(crate) fn validation_text(
    cells: &[PredictedCell],
    document: &ValidationDocument,
    width: Width,
) -> Text {
    let remarks = Text::from(remarks(document));
    let parts = [rows(cells, document).fitted(width), remarks, scores(document).fitted(width)];
    Text::join(parts.into_iter().filter(|part| !part.is_empty()).collect(), "\n")
}

/// One line per row.
fn rows(cells: &[PredictedCell], document: &ValidationDocument) -> TextTable {
    let mut table = TextTable::of(
        &["cell", "published", "predicted", "", "error", ""],
        &["published", "predicted", "error"],
    );
    for (cell, result) in cells.iter().zip(&document.cells) {
        let mark = match (&result.reason, &result.anomaly, &result.remark) {
            (Some(_), ..) => "not simulated",
            (None, Some(_), _) => "anomaly",
            (None, None, Some(_)) => "remark",
            _ => "",
        };
        let [published, predicted, unit] = numbers(cell);
        let error = result
            .error_percent
            .map_or_else(String::new, |percent| format!("{} %", Difference(percent, 1)));
        table.row(vec![cell.id.clone(), published, predicted, unit, error, mark.to_owned()]);
    }
    table
}

/// Published and predicted number and their unit.
fn numbers(cell: &PredictedCell) -> [String; 3] {
    let Ok(understood) = &cell.cell else { return [String::new(), String::new(), String::new()] };
    let (published, unit) = match (understood.published, &understood.relative_to) {
        (Published::Iops(share), Some(_)) => (share, "of the base"),
        (Published::Iops(iops), None) => (iops, "IO/s"),
        (Published::MibPerS(mib_s), _) => (mib_s, "MiB/s"),
    };
    let predicted = cell.outcome.as_ref().ok().map(|prediction| match understood.published {
        Published::Iops(_) => prediction.iops,
        Published::MibPerS(_) => prediction.mib_s,
    });
    let predicted = predicted.map_or_else(String::new, |number| Rate(number).to_string());
    [Rate(published).to_string(), predicted, unit.to_owned()]
}

/// Reasons, anomalies and remarks, a line each.
fn remarks(document: &ValidationDocument) -> String {
    let mut text = String::new();
    for cell in &document.cells {
        let notes = [
            ("not simulated", &cell.reason),
            ("declared beforehand", &cell.anomaly),
            ("remark", &cell.remark),
        ];
        for (kind, note) in notes {
            if let Some(note) = note {
                text.push_str(&format!("{}: {kind}: {note}\n", cell.id));
            }
        }
    }
    text
}

/// Errors by table and in total.
fn scores(document: &ValidationDocument) -> TextTable {
    let mut table = TextTable::of(
        &["table", "cells", "not simulated", "mean error", "median", "within 10 %", "largest"],
        &["cells", "not simulated", "mean error", "median", "within 10 %", "largest"],
    );
    for result in &document.tables {
        table.row(score_row(&result.table, &result.score));
    }
    if let Some(score) = &document.total_without_anomalies {
        table.row(score_row("total without anomalies", score));
    }
    table.row(score_row("total", &document.total));
    table
}

fn score_row(name: &str, score: &ScoreResult) -> Vec<String> {
    let percent = |value: Option<f64>| {
        value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.1} %"))
    };
    vec![
        name.to_owned(),
        score.cells.to_string(),
        score.not_simulated.to_string(),
        percent(score.mean_abs_error_percent),
        percent(score.median_abs_error_percent),
        percent(score.within_10_percent),
        percent(score.max_abs_error_percent),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_name_cells_and_reasons() {
        let text = "[[anomaly]]\ncells = [\"a\", \"b\"]\nreason = \"falls\"\n";
        let anomalies = parse_anomalies(text, "x.toml").unwrap();
        assert_eq!(anomalies.get("b").map(String::as_str), Some("falls"));
        assert_eq!(anomalies.get("c"), None);
        let without = "[[anomaly]]\ncells = [\"a\"]\nreason = \" \"\n";
        assert!(parse_anomalies(without, "x.toml").unwrap_err().to_string().contains("no reason"));
    }
}
