//! The complete table of a series, and its split into reads and writes.

use kneepoint_core::number::{Count, Level, Percentage, Rate};
use kneepoint_core::result::{DirectionResult, Estimate, Latency, PointResult};

use super::judge::TimeUnit;
use super::survey::SeriesView;
use super::words;
use crate::page::{Block, Cell, Column, ColumnGroup, Inline, Table, Text, Tone};

/// A percentile beyond which fewer I/Os lie is printed in grey.
const BEYOND_MIN: f64 = 10.0;

/// The tables, with a remark on what is grey in them.
pub(super) fn blocks(series: &SeriesView<'_>) -> Vec<Block> {
    if series.points.is_empty() {
        return Vec::new();
    }
    let mut tables = vec![complete(series)];
    tables.extend(split(series));
    let is_grey = |table: &Table| {
        table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.tone == Tone::Muted)
    };
    let remark = tables
        .iter()
        .any(is_grey)
        .then(|| Block::remark("Grey percentiles rest on fewer than ten I/Os beyond them."));
    tables.into_iter().map(Block::Table).chain(remark).collect()
}

/// One row for each point.
fn complete(series: &SeriesView<'_>) -> Table {
    let margins = Margins::of(&series.points);
    let caption = Text::new().plain("All points of ").strong(series.name);
    let mut table = Table::new(caption, groups(series, margins));
    for point in &series.points {
        table.push(row(point, series.unit, margins));
    }
    table
}

/// Which confidence intervals the points of a series have.
#[derive(Debug, Clone, Copy)]
struct Margins {
    throughput: bool,
    response: bool,
}

impl Margins {
    fn of(points: &[&PointResult]) -> Self {
        Self {
            throughput: points.iter().any(|point| point.iops.ci95.is_some()),
            response: points.iter().any(|point| point.latency_ms.ci95.is_some()),
        }
    }
}

fn groups(series: &SeriesView<'_>, margins: Margins) -> Vec<ColumnGroup> {
    let with_margin = |names: [&str; 2], margin: bool| {
        let [first, second] = names.map(Column::numbers);
        if margin { vec![first, Column::numbers("±"), second] } else { vec![first, second] }
    };
    let mut response = with_margin(["Mean", "p50"], margins.response);
    response.extend(["p90", "p99", "p99.9", "p99.99", "Max"].map(Column::numbers));
    let load = match series.load_unit() {
        kneepoint_core::load::LoadUnit::OutstandingIos => ("Outstanding I/Os", "Set"),
        kneepoint_core::load::LoadUnit::OfferedIops => ("Load", "Offered IO/s"),
    };
    vec![
        ColumnGroup::new(load.0, [load.1, "Achieved"].map(Column::numbers).into()),
        ColumnGroup::new("Throughput", with_margin(["IO/s", "MiB/s"], margins.throughput)),
        ColumnGroup::new(format!("Response time in {}", series.unit.symbol()), response),
        ColumnGroup::new("", ["CPU", "Errors"].map(Column::numbers).into()),
        ColumnGroup::new("", vec![Column::words("Verdict")]),
    ]
}

fn row(point: &PointResult, unit: TimeUnit, margins: Margins) -> Vec<Cell> {
    let latency = &point.latency_ms;
    let mean = Estimate { mean: latency.mean, ci95: latency.ci95 };
    let number = |text: String| measured(text, point.operations);
    let mut cells = vec![
        Cell::new(Level(point.load().value).to_string()),
        number(Rate(point.achieved_outstanding).to_string()),
        number(Rate(point.iops.mean).to_string()),
    ];
    cells.extend(margins.throughput.then(|| margin(point.iops)));
    cells.push(number(Rate(point.throughput_mib_s.mean).to_string()));
    cells.push(strong(number(unit.print(latency.mean))));
    cells.extend(margins.response.then(|| margin(mean)));
    cells.extend(percentiles(latency, point.operations, unit));
    cells.push(number(unit.print(latency.max)));
    cells.push(Cell::new(Percentage(point.cpu_percent).to_string()));
    let errors = if point.errors > 0 { Tone::Bad } else { Tone::Plain };
    cells.push(Cell::new(Count(point.errors).to_string()).tone(errors));
    let verdict = Cell::new(words::verdict(point.verdict));
    cells.push(verdict.tone(words::verdict_tone(point.verdict)));
    cells
}

/// A number, or a dash where nothing completed that it could be a number of.
fn measured(text: String, operations: u64) -> Cell {
    if operations > 0 { Cell::new(text) } else { Cell::new(words::NOTHING) }
}

fn strong(mut cell: Cell) -> Cell {
    for inline in &mut cell.text.0 {
        if let Inline::Plain(words) = inline {
            *inline = Inline::Strong(std::mem::take(words));
        }
    }
    cell
}

/// The 95 % confidence half-width in percent of the mean.
fn margin(estimate: Estimate) -> Cell {
    match estimate.ci95 {
        Some(ci95) if estimate.mean > 0.0 => {
            Cell::new(Percentage(ci95 / estimate.mean * 100.0).to_string())
        }
        _ => Cell::new(words::NOTHING),
    }
}

/// p50, p90, p99, p99.9 and p99.99; grey where too few I/Os lie beyond.
fn percentiles(latency: &Latency, operations: u64, unit: TimeUnit) -> [Cell; 5] {
    let values = [
        (latency.p50, 0.5),
        (latency.p90, 0.1),
        (latency.p99, 0.01),
        (latency.p99_9, 0.001),
        (latency.p99_99, 0.0001),
    ];
    values.map(|(value, beyond)| {
        let is_rare = operations > 0 && operations as f64 * beyond < BEYOND_MIN;
        let tone = if is_rare { Tone::Muted } else { Tone::Plain };
        measured(unit.print(value), operations).tone(tone)
    })
}

/// Reads and writes of each point side by side, where the series has both.
fn split(series: &SeriesView<'_>) -> Option<Table> {
    let has_both = |point: &&PointResult| point.read.operations > 0 && point.write.operations > 0;
    if !series.points.iter().any(has_both) {
        return None;
    }
    let columns = ["IO/s", "MiB/s", "Mean", "p50", "p99", "p99.9", "Max"];
    let direction = |name: &str| {
        let title = format!("{name}, response time in {}", series.unit.symbol());
        ColumnGroup::new(title, columns.map(Column::numbers).into())
    };
    let load = Column::numbers(super::curves::sentence(words::load_noun(series.load_unit())));
    let groups = vec![ColumnGroup::new("", vec![load]), direction("Reads"), direction("Writes")];
    let caption = Text::new().plain("Reads and writes of ").strong(series.name);
    let mut table = Table::new(caption, groups);
    for point in &series.points {
        let mut cells = vec![Cell::new(Level(point.load().value).to_string())];
        cells.extend(direction_cells(&point.read, series.unit));
        cells.extend(direction_cells(&point.write, series.unit));
        table.push(cells);
    }
    Some(table)
}

fn direction_cells(direction: &DirectionResult, unit: TimeUnit) -> Vec<Cell> {
    let latency = &direction.latency_ms;
    let number = |text: String| measured(text, direction.operations);
    let [p50, _, p99, p99_9, _] = percentiles(latency, direction.operations, unit);
    vec![
        number(Rate(direction.iops).to_string()),
        number(Rate(direction.throughput_mib_s).to_string()),
        strong(number(unit.print(latency.mean))),
        p50,
        p99,
        p99_9,
        number(unit.print(latency.max)),
    ]
}
