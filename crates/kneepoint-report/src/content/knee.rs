//! How the knee of a series was found: the bracket of every rule, the loads probed, and why the
//! search ended.

use kneepoint_core::result::Summary;

use super::judge::sign;
use super::survey::SeriesView;
use super::words;
use crate::language::texts;
use crate::page::{Block, Cell, Column, ColumnGroup, Table, Text};

/// The table of a series that was searched; nothing for a grid.
pub(super) fn blocks(series: &SeriesView<'_>) -> Vec<Block> {
    let searched: Vec<&Summary> =
        series.summaries.iter().copied().filter(|summary| summary.search.is_some()).collect();
    if searched.is_empty() {
        return Vec::new();
    }
    let load = texts::words::load_title(series.language, series.load_unit());
    let unit = series.rate_unit().symbol();
    let columns = vec![
        Column::words(texts::words::rule(series.language)),
        Column::numbers(unit),
        Column::numbers("±"),
    ];
    let groups = vec![
        ColumnGroup::new("", columns),
        ColumnGroup::new(
            texts::series::at_the_rule(series.language),
            [load, texts::series::bracket(series.language)].map(Column::numbers).into(),
        ),
        ColumnGroup::new("", vec![Column::words(texts::series::stopped_because(series.language))]),
    ];
    let mut table = Table::new(texts::series::knee(series.language, series.name), groups);
    searched.iter().for_each(|summary| table.push(row(series, summary)));
    vec![Block::Table(table), Block::remark(probes(series))]
}

fn row(series: &SeriesView<'_>, summary: &Summary) -> Vec<Cell> {
    let language = series.language;
    let sustained = &summary.sustained;
    let number = |value: Option<f64>| {
        Cell::new(value.map_or_else(|| words::NOTHING.to_owned(), |value| language.rate(value)))
    };
    let bracket = sustained.met().and_then(|found| found.bracket).map_or_else(
        || words::NOTHING.to_owned(),
        |[low, high]| texts::words::range(language, &language.level(low), &language.level(high)),
    );
    let recorded = summary.search.as_ref().map_or("", |search| search.stopped_because.as_str());
    let reason = match texts::series::reason(language, recorded) {
        Some(known) => Text::from(known),
        None => words::recorded(language, recorded),
    };
    vec![
        Cell::new(words::rule(language, &summary.rule)),
        match sustained.bound() {
            Some(bound) => {
                Cell::new(format!("{} {}", sign(sustained.status), language.rate(bound.rate)))
            }
            None => number(sustained.rate.map(|rate| rate.mean)),
        },
        number(sustained.met().and_then(|found| found.rate?.ci95)),
        number(sustained.met().and_then(|found| found.load)),
        Cell::new(bracket),
        Cell::new(reason),
    ]
}

/// The loads in the order in which they were measured.
fn probes(series: &SeriesView<'_>) -> String {
    let level = |value: f64| series.language.level(value);
    let loads: Vec<String> = series.in_order.iter().map(|p| level(p.load.value)).collect();
    texts::series::probes(series.language, &loads.join(", "))
}
