//! Rounds over all series until steady state: the test with its plots, and the table of what counts.

use std::borrow::Cow;

use kneepoint_core::analysis::counted_points;
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{PointResult, RoundCell, RoundsAnalysis, RunDocument, TrackedSeries};
use kneepoint_core::spec::suite::TrackedQuantity;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::units::Bytes;

use super::curves::{chart, style};
use super::factors;
use super::setup::targets_are;
use super::view::RunView;
use crate::figure::{Axis, ChartPoint, ChartSeries, Drawing, RuleLine, Scale, SeriesLook};
use crate::language::Language;
use crate::language::texts::rounds;
use crate::page::{Block, Column, Figure, Section, Table, TableCell};

/// How long each series is measured in a round of the specification, in seconds.
const MINUTE_S: f64 = 60.0;

/// The run with the points that its numbers rest on: of rounds those of their window.
pub(super) fn counted(document: &RunDocument) -> Cow<'_, RunDocument> {
    match counted_points(&document.points, document.analysis.rounds.as_ref()) {
        Cow::Borrowed(_) => Cow::Borrowed(document),
        Cow::Owned(points) => Cow::Owned(RunDocument { points, ..document.clone() }),
    }
}

/// The chapter, from all points of `document`; nothing for a run without rounds.
pub(super) fn section(document: &RunDocument, survey: &RunView<'_>) -> Option<Section> {
    let found = document.analysis.rounds.as_ref()?;
    let language = survey.language;
    let mut blocks = vec![Block::paragraph(rounds::outcome(language, found))];
    if !found.window.is_empty() {
        blocks.push(Block::paragraph(rounds::others(language)));
    }
    if !found.tracked.is_empty() {
        blocks.push(Block::Table(determination(language, found)));
        blocks.push(Block::remark(rounds::reading(language)));
        let all = Tracked { document, survey, found };
        blocks.extend(Block::figures(std::iter::once(all.convergence()).collect()));
        blocks.extend(Block::figures(found.tracked.iter().map(|one| all.window(one)).collect()));
    }
    blocks.extend(Block::figures(over_written(document, survey).into_iter().collect()));
    blocks.extend(tables(language, found).into_iter().map(Block::Table));
    blocks.extend(conditions(document, survey).into_iter().map(Block::paragraph));
    Some(Section::new("steady-state", rounds::heading(language), blocks))
}

/// What the numbers rest on beside the rounds.
fn conditions(document: &RunDocument, survey: &RunView<'_>) -> Vec<String> {
    let language = survey.language;
    let past = match (targets_are(survey, TargetKind::Sim), set_by_commands(document)) {
        (true, _) => rounds::simulated(language).to_owned(),
        (false, Some(settings)) => rounds::set_before(language, &settings),
        (false, None) => rounds::not_purged(language).to_owned(),
    };
    let measured_s = document.points.first().map_or(MINUTE_S, |point| point.measured_s);
    let is_short = measured_s < 0.99 * MINUTE_S;
    let short = is_short.then(|| rounds::shortened(language, &language.span(measured_s)));
    short.into_iter().chain([past, rounds::method(language).to_owned()]).collect()
}

/// The settings that commands brought to their levels, as `purge=format`; nothing without commands.
fn set_by_commands(document: &RunDocument) -> Option<String> {
    let factors = factors::of_plan(document)?;
    let by_command = factors.factors.iter().filter(|factor| factor.commands.is_some());
    let named = by_command
        .flat_map(|factor| factor.levels.iter().map(|level| format!("{}={level}", factor.name)));
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// A row for each tracked series; its mean is in the list of all series, if there is one.
fn determination(language: Language, found: &RoundsAnalysis) -> Table {
    let has_mean = Matrix::of(&found.cells).is_some();
    let percent = |value: f64| language.written(&format!("{value:.1}%"));
    let row = |one: &TrackedSeries| {
        let mean = has_mean.then(|| value(language, found.quantity, one.mean));
        let numbers = [
            percent(one.range_percent),
            percent(found.range_percent_max),
            percent(one.slope_percent),
            percent(found.slope_percent_max),
        ];
        let verdict = if one.is_steady { rounds::yes(language) } else { rounds::no(language) };
        let cells = std::iter::once(one.series.clone()).chain(mean).chain(numbers);
        cells.chain([verdict.to_owned()]).map(TableCell::new).collect()
    };
    let mean = has_mean.then(|| Column::numbers(rounds::mean(language)));
    let columns = std::iter::once(Column::words(rounds::series(language))).chain(mean).chain([
        Column::numbers(rounds::range(language)),
        Column::numbers(rounds::range_max(language)),
        Column::numbers(rounds::slope(language)),
        Column::numbers(rounds::slope_max(language)),
        Column::words(rounds::verdict(language)),
    ]);
    Table::plain(rounds::determination(language), columns).filled(found.tracked.iter().map(row))
}

/// The tracked quantity of a series with its unit.
fn value(language: Language, quantity: TrackedQuantity, value: f64) -> String {
    match quantity {
        TrackedQuantity::Rate => language.iops(value),
        TrackedQuantity::Mean => language.response_time(value),
    }
}

/// The figures of the tracked series.
struct Tracked<'a> {
    document: &'a RunDocument,
    survey: &'a RunView<'a>,
    found: &'a RoundsAnalysis,
}

impl Tracked<'_> {
    /// Rounds of a series, as shares of the mean of its window less `origin`, in percent.
    fn points(
        &self,
        one: &TrackedSeries,
        origin: f64,
        is_drawn: impl Fn(u32) -> bool,
    ) -> Vec<ChartPoint> {
        let language = self.survey.language;
        let own = self.document.points.iter().filter(|point| point.series == one.series);
        let own = own.filter(|point| is_drawn(point.repetition_of_plan()));
        let drawn = |point: &PointResult| {
            let number = match self.found.quantity {
                TrackedQuantity::Rate => point.rate.mean,
                TrackedQuantity::Mean => point.latency_ms.mean,
            };
            let round = point.repetition_of_plan() + 1;
            let told = value(language, self.found.quantity, number);
            let count = language.count_u64(round.into());
            ChartPoint {
                x: f64::from(round),
                y: 100.0 * number / one.mean - origin,
                style: style(point),
                tooltip: rounds::in_round(language, &one.series, &count, &told),
                ..ChartPoint::default()
            }
        };
        own.map(drawn).collect()
    }

    fn axes(&self) -> (Axis, Axis) {
        let language = self.survey.language;
        let x = Axis::new(rounds::round(language), Scale::Linear);
        let mut y = Axis::new(rounds::share_of_mean(language), Scale::Linear);
        y.include = vec![0.0];
        (x, y)
    }

    /// All rounds of all tracked series.
    fn convergence(&self) -> Figure {
        let language = self.survey.language;
        let curve = |one: &TrackedSeries| {
            ChartSeries::new(one.series.clone(), self.points(one, 0.0, |_| true))
        };
        let curves = self.found.tracked.iter().map(curve).collect();
        let title = rounds::convergence(language);
        let chart = chart(self.survey, title, self.axes(), curves);
        Figure::new(format!("{title}."), Drawing::Chart(chart))
    }

    /// The window of one series with its mean, the band around it, and the line through it.
    fn window(&self, one: &TrackedSeries) -> Figure {
        let language = self.survey.language;
        let window = &self.found.window;
        let points = self.points(one, 100.0, |round| window.contains(&round));
        let ends = [window.first(), window.last()].map(|end| end.map_or(0, |round| round + 1));
        let half_change = one.slope_percent / 2.0;
        let at =
            |(round, y): (u32, f64)| ChartPoint { x: f64::from(round), y, ..ChartPoint::default() };
        let line = [(ends[0], -half_change), (ends[1], half_change)];
        let guide = ChartSeries {
            name: rounds::line(language).to_owned(),
            points: line.map(at).to_vec(),
            look: SeriesLook::Guide,
        };
        let curves = vec![ChartSeries::new(one.series.clone(), points), guide];
        let title = rounds::window_of(language, &one.series);
        let (x, mut y) = self.axes();
        let half = self.found.range_percent_max / 2.0;
        let half_text = language.percent(half);
        y.title = rounds::beside_mean(language).to_owned();
        y.include = vec![-1.5 * half, 1.5 * half];
        let mut chart = chart(self.survey, &title, (x, y), curves);
        let rule = |value: f64, label: String| RuleLine { value, label };
        chart.rules = vec![
            rule(0.0, rounds::mean_line(language).to_owned()),
            rule(half, rounds::upper(language, &half_text)),
            rule(-half, rounds::lower(language, &half_text)),
        ];
        let caption = format!("{title}. {}", rounds::band(language, &half_text));
        Figure::new(caption, Drawing::Chart(chart))
    }
}

/// Throughput over what was written, of a run that does nothing but write one series.
fn over_written(document: &RunDocument, survey: &RunView<'_>) -> Option<Figure> {
    let language = survey.language;
    let [series] = survey.series.as_slice() else { return None };
    let is_write =
        |point: &&PointResult| point.storage.is_some_and(|storage| storage.read_percent == 0.0);
    let points: Vec<&PointResult> = document.points.iter().filter(is_write).collect();
    if points.len() != document.points.len() || points.len() < 2 {
        return None;
    }
    let mut written_bytes = 0.0;
    let drawn = |point: &&PointResult| {
        written_bytes += point.mib_s().unwrap_or(0.0) * point.measured_s * 1_048_576.0;
        let (written, rate) =
            (language.bytes(written_bytes as u64), language.iops(point.rate.mean));
        ChartPoint {
            x: written_bytes / 1_073_741_824.0,
            y: point.rate.mean,
            style: style(point),
            tooltip: rounds::after_writing(language, &written, &rate),
            ..ChartPoint::default()
        }
    };
    let curve = ChartSeries::new(series.name, points.iter().map(drawn).collect());
    let title = rounds::over_written(language, series.name);
    let mut y = Axis::new("IO/s", Scale::Linear);
    y.include = vec![0.0];
    let axes = (Axis::new(rounds::written(language), Scale::Linear), y);
    let chart = chart(survey, &title, axes, vec![curve]);
    Some(Figure::new(format!("{title}."), Drawing::Chart(chart)))
}

/// The results of the series: load profiles by block sizes, or one table if they are no such grid.
fn tables(language: Language, found: &RoundsAnalysis) -> Vec<Table> {
    let Some(matrix) = Matrix::of(&found.cells) else { return vec![list(language, found)] };
    let rate = |cell: &RoundCell| language.rate(cell.rate);
    let mean = |cell: &RoundCell| language.rate(cell.latency_mean_ms);
    let longest = |cell: &RoundCell| language.rate(cell.latency_max_ms);
    match found.quantity {
        TrackedQuantity::Rate => vec![matrix.table(language, rounds::rates(language), rate)],
        TrackedQuantity::Mean => vec![
            matrix.table(language, rounds::means(language), mean),
            matrix.table(language, rounds::longest(language), longest),
            matrix.table(language, rounds::rates(language), rate),
        ],
    }
}

/// A row for each series.
fn list(language: Language, found: &RoundsAnalysis) -> Table {
    let columns = [
        Column::words(rounds::series(language)),
        Column::numbers("IO/s"),
        Column::numbers("MiB/s"),
        Column::numbers(rounds::mean_ms(language)),
        Column::numbers(rounds::max_ms(language)),
    ];
    let row = |cell: &RoundCell| {
        let numbers =
            [Some(cell.rate), cell.volume, Some(cell.latency_mean_ms), Some(cell.latency_max_ms)];
        let numbers =
            numbers.map(|number| number.map_or_else(String::new, |number| language.rate(number)));
        let cells = numbers.into_iter().map(TableCell::new);
        std::iter::once(TableCell::new(cell.series.clone())).chain(cells).collect()
    };
    Table::plain(rounds::cells(language), columns).filled(found.cells.iter().map(row))
}

/// Load profiles by block sizes, after the names of the series.
struct Matrix<'a> {
    cells: &'a [RoundCell],
    profiles: Vec<&'a str>,
    /// As they are in the names.
    blocks: Vec<&'a str>,
}

impl<'a> Matrix<'a> {
    /// The grid of `cells`; nothing if they are not several profiles at several block sizes.
    fn of(cells: &'a [RoundCell]) -> Option<Self> {
        let parts: Vec<(&str, &str)> =
            cells.iter().map(|cell| cell.series.split_once('/')).collect::<Option<_>>()?;
        let are_sizes = parts.iter().all(|(_, block)| block.parse::<Bytes>().is_ok());
        let profiles = distinct(parts.iter().map(|(profile, _)| *profile));
        let blocks = distinct(parts.iter().map(|(_, block)| *block));
        let is_grid = are_sizes && profiles.len() > 1 && blocks.len() > 1;
        is_grid.then_some(Self { cells, profiles, blocks })
    }

    fn table(
        &self,
        language: Language,
        caption: &str,
        number: impl Fn(&RoundCell) -> String,
    ) -> Table {
        let size = |block: &str| {
            block.parse().map_or_else(|_| block.to_owned(), |Bytes(bytes)| language.bytes(bytes))
        };
        let columns = self.blocks.iter().map(|block| Column::numbers(size(block)));
        let columns = std::iter::once(Column::words(rounds::profile(language))).chain(columns);
        let row = |profile: &&str| {
            let cell = |block: &&str| {
                let name = format!("{profile}/{block}");
                let own = self.cells.iter().find(|cell| cell.series == name);
                TableCell::new(own.map_or_else(String::new, &number))
            };
            let cells = self.blocks.iter().map(cell);
            std::iter::once(TableCell::new((*profile).to_owned())).chain(cells).collect()
        };
        Table::plain(caption.to_owned(), columns).filled(self.profiles.iter().map(row))
    }
}
