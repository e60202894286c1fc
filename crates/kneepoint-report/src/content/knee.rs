//! How the knee of a series was found: the bracket of every rule, the loads probed, and why the
//! search ended.

use kneepoint_core::number::{Level, Rate};
use kneepoint_core::result::Summary;

use super::survey::SeriesView;
use super::words;
use crate::page::{Block, Cell, Column, ColumnGroup, Table, Text};

/// The table of a series that was searched; nothing for a grid.
pub(super) fn blocks(series: &SeriesView<'_>) -> Vec<Block> {
    let searched: Vec<&Summary> =
        series.summaries.iter().copied().filter(|summary| summary.search.is_some()).collect();
    if searched.is_empty() {
        return Vec::new();
    }
    let load = super::curves::sentence(words::load_noun(series.load_unit()));
    let columns = vec![Column::words("Rule"), Column::numbers("IO/s"), Column::numbers("±")];
    let at = [load, "Bracket".to_owned()].map(Column::numbers);
    let groups = vec![
        ColumnGroup::new("", columns),
        ColumnGroup::new("At the rule", at.into()),
        ColumnGroup::new("", vec![Column::words("Stopped because")]),
    ];
    let mut table =
        Table::new(Text::new().plain("Search for the knee of ").strong(series.name), groups);
    searched.iter().for_each(|summary| table.push(row(summary)));
    vec![Block::Table(table), Block::remark(probes(series))]
}

fn row(summary: &Summary) -> Vec<Cell> {
    let sustained = &summary.sustained;
    let number = |value: Option<f64>| {
        Cell::new(value.map_or_else(|| words::NOTHING.to_owned(), |value| Rate(value).to_string()))
    };
    let bracket = sustained.bracket.map_or_else(
        || words::NOTHING.to_owned(),
        |[low, high]| format!("{} to {}", Level(low), Level(high)),
    );
    let reason = summary.search.as_ref().map_or("", |search| search.stopped_because.as_str());
    vec![
        Cell::new(words::rule(&summary.rule)),
        number(sustained.iops),
        number(sustained.iops_ci95),
        number(sustained.outstanding),
        Cell::new(bracket),
        Cell::new(reason),
    ]
}

/// The loads in the order in which they were measured.
fn probes(series: &SeriesView<'_>) -> String {
    let loads: Vec<String> =
        series.in_order.iter().map(|point| Level(point.load().value).to_string()).collect();
    format!(
        "Loads in the order in which they were measured: {}. The load at the rule is interpolated \
         between the two sides of the bracket.",
        loads.join(", ")
    )
}
