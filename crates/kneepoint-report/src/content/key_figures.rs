//! The key figures: every series at every rule and at its peak, in one table.

use kneepoint_core::rule::Metric;

use super::curves::CurveSet;
use super::judge::Judge;
use super::side_by_side;
use super::standing;
use super::survey::{SeriesView, Survey};
use super::words;
use crate::page::{Block, Cell, Column, ColumnGroup, Section, Table, Text, Tone};

/// Rules side by side in one table.
const RULES_PER_TABLE: usize = 3;
/// More curves than this in one overview figure would be a tangle.
const CURVES_MAX: usize = 12;

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let mut blocks = Vec::new();
    if survey.series.is_empty() {
        blocks.push(Block::paragraph("There are none: no series has a point."));
        return Section::new("key-figures", "Key figures", blocks);
    }
    let mut chunks: Vec<&[&str]> = survey.rules.chunks(RULES_PER_TABLE).collect();
    if chunks.is_empty() {
        blocks.push(Block::paragraph("The run has no rule, so no throughput is called sustained."));
        chunks.push(&[]);
    }
    blocks.extend(chunks.into_iter().map(|rules| Block::Table(table(survey, rules))));
    blocks.push(Block::Remark(remark()));
    let overviews = [Judge::Iops, Judge::MibPerS].map(|judge| overview(survey, judge));
    let figures: Vec<_> =
        side_by_side::figures(survey).into_iter().chain(overviews.into_iter().flatten()).collect();
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    Section::new("key-figures", "Key figures", blocks)
}

fn remark() -> Text {
    Text::new()
        .plain("Sustained throughput is interpolated between the two measured points on either side of the rule. What the words mean is told under ")
        .link("Method", "method")
        .plain(".")
}

fn table(survey: &Survey<'_>, rules: &[&str]) -> Table {
    let mut groups = vec![ColumnGroup::new("", vec![Column::words("Series")])];
    if !rules.is_empty() {
        let columns = rules.iter().map(|rule| Column::numbers(words::rule(rule))).collect();
        groups.push(ColumnGroup::new("Sustained throughput at", columns));
    }
    let peak = ["Throughput", "Load", "Mean response time"].map(Column::numbers);
    groups.push(ColumnGroup::new("Peak", peak.into()));
    let mut table = Table::new("Sustained and peak throughput", groups);
    for series in &survey.series {
        table.push(row(series, rules));
    }
    table
}

fn row(series: &SeriesView<'_>, rules: &[&str]) -> Vec<Cell> {
    let name = Text::new().link(series.name, &series.id);
    let mut cells = vec![Cell::new(name)];
    for rule in rules {
        let summary = series.summaries.iter().find(|summary| summary.rule == *rule);
        cells.push(match summary {
            Some(summary) => {
                let standing = standing::sustained(series, summary);
                Cell::new(standing.headline).detail(standing.detail).tone(standing.tone)
            }
            None => Cell::new(words::NOTHING).tone(Tone::Muted),
        });
    }
    match standing::peak(series) {
        Some((peak, load, response)) => {
            cells.push(
                Cell::new(Text::new().strong(peak.headline)).detail(peak.detail).tone(peak.tone),
            );
            cells.extend([load, response].map(Cell::new));
        }
        None => cells.extend([words::NOTHING; 3].map(|text| Cell::new(text).tone(Tone::Muted))),
    }
    cells
}

/// Response time over throughput of all series that are judged alike, where that compares any.
fn overview(survey: &Survey<'_>, judge: Judge) -> Option<crate::page::Figure> {
    let alike: Vec<&SeriesView<'_>> = survey
        .series
        .iter()
        .filter(|series| series.judge == judge && !series.curve().is_empty())
        .collect();
    let of_several_profiles = survey.groups().len() > 1;
    if !of_several_profiles || !(2..=CURVES_MAX).contains(&alike.len()) {
        return None;
    }
    let subject = match judge {
        Judge::Iops => "the series with random access",
        Judge::MibPerS => "the series with sequential access",
    };
    CurveSet::new(survey, alike, subject).response(Metric::Mean)
}
