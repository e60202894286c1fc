//! Predictions and errors on the terminal.

use kneepoint_core::words::number::Rate;
use kneepoint_sim::cells::Published;

use super::document::{ScoreResult, ValidationDocument};
use super::predicted::PredictedCell;
use crate::output::table::{Align, TextTable};
use crate::output::text::Text;
use crate::output::width::Width;

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
    let mut table = TextTable::new(&[
        ("cell", Align::Left),
        ("published", Align::Right),
        ("predicted", Align::Right),
        ("", Align::Left),
        ("error", Align::Right),
        ("", Align::Left),
    ]);
    for (cell, result) in cells.iter().zip(&document.cells) {
        let mark = match (&result.reason, &result.anomaly, &result.remark) {
            (Some(_), ..) => "not simulated",
            (None, Some(_), _) => "anomaly",
            (None, None, Some(_)) => "remark",
            _ => "",
        };
        let [published, predicted, unit] = numbers(cell);
        let error = result.error_percent.map_or_else(String::new, signed_percent);
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
    let mut table = TextTable::new(&[
        ("table", Align::Left),
        ("cells", Align::Right),
        ("not simulated", Align::Right),
        ("mean error", Align::Right),
        ("median", Align::Right),
        ("within 10 %", Align::Right),
        ("largest", Align::Right),
    ]);
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

fn signed_percent(value: f64) -> String {
    format!("{value:+.1} %")
}
