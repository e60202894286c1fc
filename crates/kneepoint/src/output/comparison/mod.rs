//! Runs side by side as text.

mod gate;
mod junit;
mod rows;

use kneepoint_core::analysis::comparison::{Comparison, Gate, Significance};

use super::table::{Align, TextTable};
use gate::gate_text;
pub(crate) use junit::junit;

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Figures of whole series.
    Series,
    /// Every load as well.
    Points,
}

/// What becomes of a condition that cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undecided {
    /// It is reported.
    Passes,
    /// It counts as failed if it can be told nowhere: then nothing guards what it is about.
    FailsIfNowhere,
    /// It counts as failed, wherever it cannot be told.
    Fails,
}

impl Undecided {
    /// Whether a check that cannot be told, of the condition `condition`, counts as failed.
    pub(crate) fn fails(self, gate: &Gate, condition: &str) -> bool {
        match self {
            Self::Passes => false,
            Self::FailsIfNowhere => gate.undecided_conditions().contains(&condition),
            Self::Fails => true,
        }
    }
}

/// The whole comparison as text.
pub(crate) fn comparison_text(comparison: &Comparison, detail: Detail) -> String {
    let mut parts = vec![heading(comparison), factors_text(comparison)];
    parts.push(rows::figures_text(comparison));
    if detail == Detail::Points {
        parts.push(rows::points_text(comparison));
    }
    parts.extend(rows::reservations_text(comparison));
    parts.extend(unpaired_text(comparison));
    parts.push(reading_text(comparison));
    parts.extend(comparison.gate.as_ref().map(|gate| gate_text(comparison, gate)));
    parts.join("\n")
}

/// The letter that stands for a run in the tables.
fn letter(run: usize) -> String {
    let letter = u8::try_from(run).ok().filter(|run| *run < 26).map(|run| char::from(b'A' + run));
    letter.map_or_else(|| format!("run {}", run + 1), String::from)
}

fn heading(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (index, run) in comparison.runs.iter().enumerate() {
        let label =
            if run.label.is_empty() { String::new() } else { format!(" \"{}\"", run.label) };
        let role = if index == 0 { ", the reference" } else { "" };
        let targets = run.targets.join(", ");
        let letter = letter(index);
        text.push_str(&format!(
            "{letter}: run {}{label}, {} on {targets}{role}\n",
            run.id, run.work
        ));
    }
    text
}

/// What differs apart from what was measured.
fn factors_text(comparison: &Comparison) -> String {
    if comparison.factors.is_empty() {
        return "Plans, environments and targets say of no difference: the same was measured again.\n"
            .to_owned();
    }
    let mut columns = vec![("What differs".to_owned(), Align::Left)];
    columns.extend((0..comparison.runs.len()).map(|run| (letter(run), Align::Left)));
    let mut table = table(&columns);
    for factor in &comparison.factors {
        let values = factor.values.iter();
        let values = values.map(|value| value.clone().unwrap_or_else(|| "-".to_owned()));
        table.row([factor.name.clone()].into_iter().chain(values).collect());
    }
    table.text()
}

fn table(columns: &[(String, Align)]) -> TextTable {
    let borrowed: Vec<(&str, Align)> =
        columns.iter().map(|(title, align)| (title.as_str(), *align)).collect();
    TextTable::new(&borrowed)
}

/// Series that stand in the tables of only some runs, or in none.
fn unpaired_text(comparison: &Comparison) -> Option<String> {
    let lines: Vec<String> = comparison
        .unpaired
        .iter()
        .map(|series| {
            let missing: Vec<String> =
                series.missing_in.iter().map(|run| letter(*run as usize)).collect();
            format!("{} was not measured in {}\n", series.series, missing.join(", "))
        })
        .chain(comparison.series.iter().flat_map(|series| {
            series.profile_differences.iter().map(|difference| {
                format!("{}: the load profiles differ: {difference}\n", series.series)
            })
        }))
        .collect();
    (!lines.is_empty()).then(|| lines.concat())
}

/// How the columns are to be read.
fn reading_text(comparison: &Comparison) -> String {
    let series = comparison.series.iter();
    let figures = series.flat_map(|series| series.figures.iter().chain(&series.points));
    let significant = figures
        .flat_map(|figure| figure.differences.iter().flatten())
        .filter(|difference| difference.significance == Significance::Significant)
        .count();
    let tests = comparison.tests.figures + comparison.tests.points;
    format!(
        "{significant} of {tests} tested differences are significant ({} of series, {} of single loads): \
         with 95 % confidence\nnone of them is chance. An interval holds for its own number alone.\n",
        comparison.tests.figures, comparison.tests.points
    )
}
