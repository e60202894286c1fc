//! `kneepoint.validate/1`: predictions and errors as JSON.

use kneepoint_sim::cells::{CLOSE_PERCENT, Score};
use schemars::JsonSchema;
use serde::Serialize;

use super::anomaly::Anomalies;
use super::predicted::PredictedCell;

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
    /// What limits the prediction.
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
    let mut names: Vec<&str> = Vec::new();
    for result in &results {
        if !names.contains(&result.table.as_str()) {
            names.push(&result.table);
        }
    }
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
        anomaly: anomalies.reason(&predicted.id).map(str::to_owned),
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
