//! What limits the trust in the results.

use kneepoint_core::number::{Count, Level};
use kneepoint_core::result::{DoubtAbout, PointResult, Verdict};

use super::standing;
use super::survey::{SeriesView, Survey};
use super::words;
use crate::page::{Block, Cell, Column, ColumnGroup, Note, Section, Table, Text, Tone};

const VERDICTS: [Verdict; 5] =
    [Verdict::Steady, Verdict::TimeLimit, Verdict::Drifting, Verdict::Failed, Verdict::Invalid];

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let mut blocks = Vec::new();
    if !survey.document.points.is_empty() {
        blocks.push(Block::Table(verdicts(survey)));
    }
    blocks.extend(reservations(survey));
    blocks.extend(run_warnings(survey));
    blocks.extend(point_warnings(survey));
    blocks.extend(errors(survey));
    blocks.extend(omissions(survey));
    Section::new("trust", "Trust", blocks)
}

fn verdicts(survey: &Survey<'_>) -> Table {
    let columns =
        vec![Column::words("Verdict"), Column::numbers("Points"), Column::words("Meaning")];
    let mut table = Table::new("Verdicts on the points", vec![ColumnGroup::new("", columns)]);
    for verdict in VERDICTS {
        let count = survey.count(verdict);
        let tone = if count > 0 { words::verdict_tone(verdict) } else { Tone::Muted };
        table.push(vec![
            Cell::new(words::verdict(verdict)).tone(tone),
            Cell::new(Count(count as u64).to_string()),
            Cell::new(words::verdict_meaning(verdict)),
        ]);
    }
    table
}

/// Key figures that rest on points with a reservation.
fn reservations(survey: &Survey<'_>) -> Option<Block> {
    let mut found = Vec::new();
    for series in &survey.series {
        for summary in &series.summaries {
            if let Some(doubt) = standing::doubtful(summary, DoubtAbout::Sustained) {
                found.push(format!("{} at {}: {doubt}", series.name, words::rule(&summary.rule)));
            }
        }
        let peak = series.summaries.iter().find(|summary| summary.peak.is_some());
        if let Some(doubt) = peak.and_then(|peak| standing::doubtful(peak, DoubtAbout::Peak)) {
            found.push(format!("{} at its peak: {doubt}", series.name));
        }
    }
    (!found.is_empty()).then(|| {
        Block::Note(Note {
            tone: Tone::Caution,
            title: "Some key figures rest on points with a reservation".to_owned(),
            text: format!("{}.", found.join("; ")).into(),
        })
    })
}

/// Warnings of the run as a whole.
fn run_warnings(survey: &Survey<'_>) -> Vec<Block> {
    match survey.document.warnings.as_slice() {
        [] => {
            vec![Block::Paragraph(Text::new().strong("Warnings on the whole run: ").plain("none."))]
        }
        warnings => vec![
            Block::Paragraph(Text::new().strong("Warnings on the whole run:")),
            Block::List(warnings.iter().map(|warning| warning.as_str().into()).collect()),
        ],
    }
}

/// Warnings of points, each with the points that it belongs to.
fn point_warnings(survey: &Survey<'_>) -> Vec<Block> {
    let mut table = series_table("Warnings on points", "Warning");
    for series in &survey.series {
        for (text, points) in by_text(series, |point| &point.warnings) {
            table.push(vec![series_cell(series), Cell::new(loads(&points)), Cell::new(text)]);
        }
    }
    if table.rows.is_empty() {
        return vec![Block::Paragraph(Text::new().strong("Warnings on points: ").plain("none."))];
    }
    vec![Block::Table(table)]
}

/// I/O errors of points, with the first of them by name.
fn errors(survey: &Survey<'_>) -> Vec<Block> {
    let mut table = series_table("I/O errors", "Errors");
    for series in &survey.series {
        for point in series.points.iter().filter(|point| point.errors > 0) {
            let samples = match point.error_samples.as_slice() {
                [] => String::new(),
                samples => format!("; the first: {}", samples.join("; ")),
            };
            let text = format!("{}{samples}", Count(point.errors));
            table.push(vec![series_cell(series), Cell::new(loads(&[point])), Cell::new(text)]);
        }
    }
    if table.rows.is_empty() {
        return vec![Block::Paragraph(Text::new().strong("I/O errors: ").plain("none."))];
    }
    vec![Block::Table(table)]
}

/// What the plan left out of the suite.
fn omissions(survey: &Survey<'_>) -> Vec<Block> {
    if survey.plan.omissions.is_empty() {
        return Vec::new();
    }
    let items = survey.plan.omissions.iter().map(|omission| omission.as_str().into());
    vec![
        Block::Paragraph(Text::new().strong("Left out of the suite by the plan:")),
        Block::List(items.collect()),
    ]
}

fn series_table(caption: &str, last: &str) -> Table {
    let columns = ["Series", "Load", last].map(Column::words);
    Table::new(caption, vec![ColumnGroup::new("", columns.into())])
}

fn series_cell(series: &SeriesView<'_>) -> Cell {
    Cell::new(Text::new().link(series.name, &series.id))
}

/// The texts of a series' points, each once, with the points that it belongs to.
fn by_text<'a>(
    series: &SeriesView<'a>,
    texts: impl Fn(&'a PointResult) -> &'a [String],
) -> Vec<(&'a str, Vec<&'a PointResult>)> {
    let mut found: Vec<(&str, Vec<&PointResult>)> = Vec::new();
    for point in &series.points {
        for text in texts(point) {
            match found.iter_mut().find(|(known, _)| *known == text) {
                Some((_, points)) => points.push(point),
                None => found.push((text, vec![point])),
            }
        }
    }
    found
}

/// `1, 2 and 4 outstanding`.
fn loads(points: &[&PointResult]) -> String {
    let mut values: Vec<String> =
        points.iter().map(|point| Level(point.load().value).to_string()).collect();
    values.dedup();
    let unit = points.first().map_or("", |point| words::load_noun(point.load().unit));
    format!("{} {unit}", words::listed(&values))
}
