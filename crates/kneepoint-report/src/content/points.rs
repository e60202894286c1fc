//! The points of a series as tables: the essential numbers of the curve, every measurement, and
//! the split into reads and writes.

use std::collections::BTreeSet;

use kneepoint_core::measure::search::is_visited;
use kneepoint_core::result::{
    ClassResult, Estimate, Latency, PointResult, READ, Throughput, Verdict, WRITE,
};
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::Measured;

use super::view::{SeriesView, TimeUnit};
use crate::language::Language;
use crate::language::texts::{classes, common, series};
use crate::page::{Block, Column, ColumnGroup, Inline, Table, TableCell, Tone};

/// A percentile beyond which fewer I/Os lie is printed in grey.
const BEYOND_MIN: f64 = 10.0;

/// The means of the loads that were measured more than once; the others are in the table of every measurement
/// alone.
pub(super) fn means(series: &SeriesView<'_>) -> Option<Table> {
    let language = series.language;
    let is_repeated = |point: &&PointResult| {
        series.points.iter().filter(|other| other.load == point.load).count() > 1
    };
    let points: Vec<&PointResult> = series.curve().into_iter().filter(is_repeated).collect();
    let margins = Margins::of(&points);
    let groups = vec![
        loads(series),
        ColumnGroup::new(common::throughput(language), rates(series, margins)),
        ColumnGroup::new(
            series.unit.title(common::response_time(language)),
            responses(common::mean(language), ["p99"], margins),
        ),
        Column::words(common::verdict_word(language)).into(),
    ];
    let mut table = Table::new(series::caption(language, series.name), groups);
    for point in points {
        let print = Print { series, point };
        let mut cells = print.loads();
        cells.extend(print.throughput(margins));
        cells.extend(print.response(margins));
        let [_, _, p99, _, _] = print.percentiles(&point.latency_ms, point.operations);
        cells.extend([p99, print.verdict_of_all()]);
        table.push(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The tables of every measurement, with a remark on what is grey in them.
pub(super) fn complete(series: &SeriesView<'_>) -> Vec<Block> {
    if series.points.is_empty() {
        return Vec::new();
    }
    let mut tables = vec![all(series)];
    tables.extend(split(series));
    let is_grey = |table: &Table| table.rows.iter().flatten().any(|cell| cell.tone == Tone::Muted);
    let remark = match series.points.iter().any(|point| point.storage.is_some()) {
        true => series::grey(series.language),
        false => series::grey_of_operations(series.language),
    };
    let grey = tables.iter().any(is_grey).then(|| Block::remark(remark));
    let late = Margins::of(&series.points).lateness;
    let late = late.then(|| Block::remark(series::lateness(series.language)));
    let is_closed = series.points.iter().all(|point| !point.load.unit.is_offered());
    let visited = is_visited(&series.points) && is_closed;
    let visited = visited.then(|| Block::remark(series::times_of_visits(series.language)));
    tables.into_iter().map(Block::Table).chain(grey).chain(late).chain(visited).collect()
}

/// One row for each point.
fn all(series: &SeriesView<'_>) -> Table {
    let margins = Margins::of(&series.points);
    let caption = series::all_points(series.language, series.name);
    Table::new(caption, groups(series, margins))
        .filled(series.points.iter().map(|point| row(&Print { series, point }, margins)))
}

/// Which columns the points of a series have beyond those of every series.
#[derive(Debug, Clone, Copy)]
struct Margins {
    /// Confidence intervals of the throughput.
    throughput: bool,
    /// Bytes per second beside operations per second.
    volume: bool,
    /// Outstanding I/Os that were achieved.
    achieved: bool,
    /// Confidence intervals of the response time.
    response: bool,
    /// How late I/Os of an open loop were submitted.
    lateness: bool,
}

impl Margins {
    fn of(points: &[&PointResult]) -> Self {
        let any = |has: fn(&PointResult) -> bool| points.iter().any(|point| has(point));
        Self {
            throughput: any(|point| point.rate.ci95.is_some()),
            volume: any(|point| point.mib_s().is_some()),
            achieved: any(|point| point.storage.is_some()),
            response: any(|point| point.latency_ms.ci95.is_some()),
            lateness: any(|point| point.open_loop.is_some_and(|open| open.is_late())),
        }
    }
}

/// The column of the load; with several targets that of each and that of all.
fn loads(series: &SeriesView<'_>) -> ColumnGroup {
    let title = common::load_title(series.language, series.load_unit());
    match series.target_count() {
        None => Column::numbers(title).into(),
        Some(_) => {
            let heads = [common::per_target(series.language), common::in_total(series.language)];
            ColumnGroup::new(title, heads.map(Column::numbers))
        }
    }
}

/// Columns of throughput.
fn rates(series: &SeriesView<'_>, margins: Margins) -> impl Iterator<Item = Column> {
    let rate = [series.rate_unit().symbol()].into_iter();
    let rates = rate.chain(margins.throughput.then_some("±"));
    rates.chain(margins.volume.then_some("MiB/s")).map(Column::numbers)
}

/// Columns of response times: the mean, and `others`.
fn responses<'t>(
    mean: &'t str,
    others: impl IntoIterator<Item = &'t str>,
    margins: Margins,
) -> impl Iterator<Item = Column> {
    let mean = [mean].into_iter().chain(margins.response.then_some("±"));
    mean.chain(others).map(Column::numbers)
}

fn groups(series: &SeriesView<'_>, margins: Margins) -> Vec<ColumnGroup> {
    let language = series.language;
    let load = match series.load_unit() {
        LoadUnit::OutstandingIos => {
            (common::load_title(language, LoadUnit::OutstandingIos), series::set(language))
        }
        unit => (common::load_word(language), common::load_title(language, unit)),
    };
    let achieved = margins.achieved.then_some(match series.load_unit() {
        LoadUnit::OutstandingIos => series::achieved(language),
        // Beside a rate it must say what was achieved.
        _ => common::load_title(language, LoadUnit::OutstandingIos),
    });
    let is_each = series.target_count().is_some();
    let each =
        |title: &str| if is_each { common::each_target(language, title) } else { title.to_owned() };
    let total = is_each.then(|| common::in_total(language).to_owned());
    let loads = [each(load.1)].into_iter().chain(total).chain(achieved.map(each));
    let loads = loads.map(Column::numbers);
    let nines = language.written("p99.9");
    let tail = language.written("p99.99");
    let late = margins.lateness.then_some(series::late(language));
    let percentiles = ["p50", "p90", "p99", &nines, &tail, "Max"].into_iter().chain(late);
    vec![
        ColumnGroup::new(load.0, loads),
        ColumnGroup::new(common::throughput(language), rates(series, margins)),
        ColumnGroup::new(
            series.unit.title(common::response_time(language)),
            responses(common::mean(language), percentiles, margins),
        ),
        ColumnGroup::new(
            "",
            [series::cpu(language), common::errors(language)].map(Column::numbers),
        ),
        Column::words(common::verdict_word(language)).into(),
    ]
}

fn row(print: &Print<'_>, margins: Margins) -> Vec<TableCell> {
    let (point, language) = (print.point, print.language());
    let mut cells = print.loads();
    if margins.achieved {
        cells.push(print.known(point.storage.map(|storage| storage.achieved_outstanding)));
    }
    cells.extend(print.throughput(margins));
    cells.extend(print.response(margins));
    cells.extend(print.percentiles(&point.latency_ms, point.operations));
    cells.push(print.number(print.time(point.latency_ms.max)));
    if margins.lateness {
        cells.push(print.lateness());
    }
    let cpu = point.cpu_percent.map(|percent| language.percent(percent));
    cells.push(TableCell::new(common::known(cpu)));
    let errors = if point.errors > 0 { Tone::Bad } else { Tone::Plain };
    cells.push(TableCell::new(language.count_u64(point.errors)).tone(errors));
    cells.push(print.verdict());
    cells
}

/// Prints the numbers of one point.
#[derive(Debug)]
struct Print<'p> {
    series: &'p SeriesView<'p>,
    point: &'p PointResult,
}

impl Print<'_> {
    const fn language(&self) -> Language {
        self.series.language
    }

    /// The load, and with several targets that of all of them.
    fn loads(&self) -> Vec<TableCell> {
        let load = self.point.load.value;
        let total = self.series.total_load(load).map(TableCell::new);
        [TableCell::new(self.language().level(load))].into_iter().chain(total).collect()
    }

    fn verdict(&self) -> TableCell {
        let verdict = self.point.verdict;
        let text = common::verdict_of(self.language(), self.point);
        TableCell::new(text).tone(common::verdict_tone(verdict))
    }

    /// The verdict of several measurements together.
    fn verdict_of_all(&self) -> TableCell {
        match (self.point.verdict, self.point.load.unit) {
            (Verdict::Fixed, LoadUnit::Copies) => {
                TableCell::new(common::one_round_each(self.language()))
            }
            _ => self.verdict(),
        }
    }

    fn time(&self, ms: impl Into<Measured>) -> String {
        self.series.unit.print(self.language(), ms)
    }

    /// How late I/Os were submitted, or a dash in a closed loop.
    fn lateness(&self) -> TableCell {
        let lateness = self.point.open_loop.map(|open| self.time(open.lag_mean_ms));
        self.number(common::known(lateness))
    }

    /// A number of the point, or a dash where nothing completed.
    fn number(&self, text: String) -> TableCell {
        measured(text, self.point.operations)
    }

    /// A number of the point, or a dash if it has none.
    fn known(&self, number: Option<impl Into<Measured>>) -> TableCell {
        self.number(common::volume(self.language(), number))
    }

    fn throughput(&self, margins: Margins) -> Vec<TableCell> {
        let language = self.language();
        let mut cells = vec![self.number(language.rate(self.point.rate.estimate()))];
        if margins.throughput {
            cells.push(margin(language, self.point.rate.estimate()));
        }
        if margins.volume {
            cells.push(self.known(self.point.volume.map(Throughput::estimate)));
        }
        cells
    }

    fn response(&self, margins: Margins) -> Vec<TableCell> {
        let mean = self.point.latency_ms.estimate();
        let mut cells = vec![strong(self.number(self.time(mean)))];
        if margins.response {
            cells.push(margin(self.language(), mean));
        }
        cells
    }

    /// p50, p90, p99, p99.9 and p99.99; grey where too few I/Os lie beyond.
    fn percentiles(&self, latency: &Latency, operations: u64) -> [TableCell; 5] {
        let unit: TimeUnit = self.series.unit;
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
            let text = value.map(|value| unit.print(self.language(), value));
            measured(common::known(text), operations).tone(tone)
        })
    }

    /// The numbers of one class.
    fn class(&self, class: &ClassResult, margins: Margins) -> Vec<TableCell> {
        let language = self.language();
        let latency = &class.latency_ms;
        let number = |text: String| measured(text, class.operations);
        let [p50, _, p99, p99_9, _] = self.percentiles(latency, class.operations);
        let mut cells = vec![number(language.rate(class.rate))];
        if margins.volume {
            cells.push(number(common::volume(language, class.volume)));
        }
        let mean = strong(number(self.time(latency.estimate())));
        cells.extend([mean, p50, p99, p99_9, number(self.time(latency.max))]);
        cells
    }
}

/// A number, or a dash where nothing completed that it could be a number of.
fn measured(text: String, operations: u64) -> TableCell {
    if operations > 0 { TableCell::new(text) } else { TableCell::new(common::NOTHING) }
}

fn strong(mut cell: TableCell) -> TableCell {
    for inline in &mut cell.text.0 {
        if let Inline::Plain(words) = inline {
            *inline = Inline::Strong(std::mem::take(words));
        }
    }
    cell
}

/// The 95 % confidence half-width in percent of the mean.
pub(super) fn margin(language: Language, estimate: Estimate) -> TableCell {
    let ci95 = estimate.ci95.filter(|_| estimate.mean > 0.0);
    TableCell::new(common::known(ci95.map(|ci95| language.percent(ci95 / estimate.mean * 100.0))))
}

/// The response classes of each point, if the series has several: reads and writes side by side, others, which are
/// many, below each other.
fn split(series: &SeriesView<'_>) -> Option<Table> {
    let names: BTreeSet<&String> =
        series.points.iter().flat_map(|point| point.classes.keys()).collect();
    if names.len() < 2 {
        return None;
    }
    let names: Vec<&String> = names.into_iter().collect();
    Some(match names.iter().all(|name| [READ, WRITE].contains(&name.as_str())) {
        true => side_by_side(series, &names),
        false => below_each_other(series, &names),
    })
}

fn side_by_side(series: &SeriesView<'_>, names: &[&String]) -> Table {
    let margins = Margins::of(&series.points);
    let volume = margins.volume.then_some("MiB/s");
    let times = times(series.language);
    let columns = [series.rate_unit().symbol()].into_iter().chain(volume);
    let columns = columns.chain(times.iter().map(String::as_str));
    let columns: Vec<Column> = columns.map(Column::numbers).collect();
    let unit = series.unit.symbol();
    let class = |name: &&String| {
        ColumnGroup::new(series::class(series.language, name, unit), columns.clone())
    };
    let groups = [loads(series)].into_iter().chain(names.iter().map(class));
    let caption = series::reads_and_writes(series.language, series.name);
    Table::new(caption, groups).filled(series.points.iter().map(|point| {
        let print = Print { series, point };
        let classes = names.iter().flat_map(|name| {
            let class = point.class(name).copied().unwrap_or_default();
            print.class(&class, margins)
        });
        print.loads().into_iter().chain(classes).collect()
    }))
}

fn below_each_other(series: &SeriesView<'_>, names: &[&String]) -> Table {
    let language = series.language;
    let margins = Margins::of(&series.points);
    let volume = margins.volume.then_some("MiB/s");
    let rates = [series.rate_unit().symbol()].into_iter().chain(volume);
    let response = series.unit.title(common::response_time(language));
    let groups = [
        loads(series),
        ColumnGroup::new("", [Column::words(series::response_class(language))]),
        ColumnGroup::new(common::throughput(language), rates.map(Column::numbers)),
        ColumnGroup::new(response, times(language).map(Column::numbers)),
    ];
    let rows = series.points.iter().flat_map(|point| {
        let print = Print { series, point };
        names.iter().map(move |name| {
            let class = point.class(name).copied().unwrap_or_default();
            let head = TableCell::new(classes::name_in_full(language, name));
            let numbers = print.class(&class, margins);
            print.loads().into_iter().chain([head]).chain(numbers).collect()
        })
    });
    Table::new(series::classes(language, series.name), groups).filled(rows)
}

/// The response times that a class has.
fn times(language: Language) -> [String; 5] {
    let nines = language.written("p99.9");
    [common::mean(language), "p50", "p99", &nines, "Max"].map(str::to_owned)
}
