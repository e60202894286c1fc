//! Runs side by side as text.

mod gate;
mod junit;
mod rows;

use std::collections::BTreeSet;
use std::ops::Range;

use kneepoint_core::analysis::comparison::{Check, Comparison, Gate, GateOutcome};
use kneepoint_core::result::Significance;

use super::table::{Align, TextTable};
use super::text::Text;
use super::width::Width;
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

/// What becomes of the checks of a gate.
#[derive(Debug)]
pub(crate) struct Judgement<'a> {
    undecided: Undecided,
    /// The conditions that could be told nowhere.
    nowhere: BTreeSet<&'a str>,
}

impl<'a> Judgement<'a> {
    pub(crate) fn of(gate: &'a Gate, undecided: Undecided) -> Self {
        Self { undecided, nowhere: gate.undecided_conditions().into_iter().collect() }
    }

    /// Whether a check counts as failed.
    pub(crate) fn fails(&self, check: &Check) -> bool {
        match (check.outcome, self.undecided) {
            (GateOutcome::Failed, _) | (GateOutcome::Undecided, Undecided::Fails) => true,
            (GateOutcome::Undecided, Undecided::FailsIfNowhere) => {
                self.nowhere.contains(check.condition.as_str())
            }
            (GateOutcome::Passed, _) | (GateOutcome::Undecided, Undecided::Passes) => false,
        }
    }
}

/// The whole comparison as text.
pub(crate) fn comparison_text(comparison: &Comparison, detail: Detail, width: Width) -> Text {
    let mut parts = vec![heading(comparison).into(), factors_text(comparison, width)];
    parts.push(rows::figures_text(comparison, width));
    if detail == Detail::Points {
        parts.push(rows::points_text(comparison, width));
    }
    parts.extend(rows::reservations_text(comparison).map(Text::from));
    parts.extend(unpaired_text(comparison).map(Text::from));
    parts.push(reading_text(comparison).into());
    parts.extend(comparison.gate.as_ref().map(|gate| gate_text(comparison, gate).into()));
    Text::join(parts, "\n")
}

/// A table over several runs, which `of` makes for some of them: all in one where they fit side by
/// side, otherwise one below the other.
fn side_by_side(runs: Range<usize>, width: Width, of: impl Fn(Range<usize>) -> TextTable) -> Text {
    let chunks = |size: usize| -> Vec<TextTable> {
        runs.clone().step_by(size).map(|run| of(run..(run + size).min(runs.end))).collect()
    };
    let sizes = (1..=runs.len().max(1)).rev();
    let fits = |size: &usize| chunks(*size).iter().all(|table| table.fits(width));
    let tables = chunks(sizes.clone().find(fits).unwrap_or(1));
    Text::join(tables.iter().map(|table| table.fitted(width)).collect(), "\n")
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
fn factors_text(comparison: &Comparison, width: Width) -> Text {
    if comparison.factors.is_empty() {
        return "Plans, environments and targets show no difference: the same was measured again.\n"
            .into();
    }
    side_by_side(0..comparison.runs.len(), width, |runs| {
        let mut columns = vec![("What differs".to_owned(), Align::Left)];
        columns.extend(runs.clone().map(|run| (letter(run), Align::Left)));
        let mut table = table(&columns);
        for factor in &comparison.factors {
            let values = factor.values[runs.clone()].iter();
            let values = values.map(|value| value.clone().unwrap_or_else(|| "-".to_owned()));
            table.row([factor.name.clone()].into_iter().chain(values).collect());
        }
        table
    })
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
        .filter(|figure| figure.tested_by.is_none())
        .flat_map(|figure| figure.differences.iter().flatten())
        .filter(|difference| difference.significance == Significance::Significant)
        .count();
    let tests = comparison.tests.figures + comparison.tests.points;
    format!(
        "{significant} of {tests} tested differences are significant ({} of series, {} of single \
         loads).\nWith 95 % confidence none of them is chance.\nAn interval holds for its own number \
         alone.\n",
        comparison.tests.figures, comparison.tests.points
    )
}
