//! What a drawing shows, in a line, for readers who cannot see it: its result, not its subject.

use kneepoint_core::words::number::Measured;

use super::axis::{Axis, Ticks};
use super::chart::{Chart, ChartMark, ChartSeries};
use super::diagram::Diagram;
use super::dots::{Dot, DotRow, Dots, RowWeight};
use super::heat::{HeatCell, HeatMap};
use super::multiples::Multiples;
use super::strip::Strip;
use crate::language::Language;
use crate::language::texts::figures;

/// More facts than this would be no line any more.
const FACTS_MAX: usize = 6;

/// The marks of a chart, or without any the highest value of each curve.
pub(super) fn of_chart(chart: &Chart) -> String {
    of_planes(chart.language, (&chart.x, &chart.y), &[("", &chart.series, &chart.marks)])
}

/// The same of all panels.
pub(super) fn of_multiples(figure: &Multiples) -> String {
    let plane = |panel: &'_ super::multiples::Panel| {
        (panel.heading.clone(), panel.series.clone(), panel.marks.clone())
    };
    let planes: Vec<_> = figure.panels.iter().map(plane).collect();
    let planes: Vec<_> = planes
        .iter()
        .map(|(heading, series, marks)| (heading.as_str(), series.as_slice(), marks.as_slice()))
        .collect();
    of_planes(figure.language, (&figure.x, &figure.y), &planes)
}

/// Curves and marks under a heading.
type Plane<'a> = (&'a str, &'a [ChartSeries], &'a [ChartMark]);

fn of_planes(language: Language, (x, y): (&Axis, &Axis), planes: &[Plane<'_>]) -> String {
    let marks = planes.iter().flat_map(|(_, _, marks)| *marks);
    let said: Vec<String> =
        marks.map(|mark| mark.tooltip.clone()).filter(|text| !text.is_empty()).collect();
    if !said.is_empty() {
        return listed(language, said);
    }
    let highest = planes.iter().flat_map(|(heading, series, _)| {
        series.iter().filter_map(|series| highest(language, (heading, series), (x, y)))
    });
    let highest: Vec<String> = highest.collect();
    match highest.is_empty() {
        true => String::new(),
        false => figures::highest_of(language, &y.title, &listed(language, highest)),
    }
}

/// `database/8KiB 42.1 at 1,520`.
fn highest(
    language: Language,
    (heading, series): (&str, &ChartSeries),
    (x, y): (&Axis, &Axis),
) -> Option<String> {
    let shown =
        series.points.iter().filter(|point| x.scale.shows(point.x) && y.scale.shows(point.y));
    let point = shown.max_by(|a, b| a.y.total_cmp(&b.y))?;
    let name = [heading, &series.name].join(" ");
    let value = language.rate(Measured { value: point.y, ci95: point.margin });
    let place = match point.place.is_empty() {
        true => place(language, x, point.x),
        false => point.place.clone(),
    };
    let at = figures::value_at(language, &value, &place);
    Some(format!("{} {at}", name.trim()).trim().to_owned())
}

/// A place on an axis by the label that it has there, or as a number.
fn place(language: Language, axis: &Axis, value: f64) -> String {
    let known = match &axis.ticks {
        Ticks::At(ticks) => ticks.iter().find(|tick| tick.value == value),
        Ticks::Auto => None,
    };
    known.map_or_else(|| language.level(value), |tick| tick.label.clone())
}

/// What holds for all rows together, and the greatest and the least of the rows.
pub(super) fn of_dots(dots: &Dots) -> String {
    let language = dots.language;
    let text = |(row, dot): &(&DotRow, &Dot)| {
        let series = dots.series.get(dot.series).filter(|_| dots.series.len() > 1);
        let words = [row.name.as_str(), series.map_or("", String::as_str), dot.label.as_str()];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let all = || dots.rows.iter().flat_map(|row| row.dots.iter().map(move |dot| (row, dot)));
    let of = |weight: RowWeight| all().filter(move |(row, _)| row.weight == weight);
    let overall: Vec<String> = of(RowWeight::Overall).map(|one| text(&one)).collect();
    let shown = || of(RowWeight::One).filter(|(_, dot)| dots.value.scale.shows(dot.value));
    let by_value = |a: &(&DotRow, &Dot), b: &(&DotRow, &Dot)| a.1.value.total_cmp(&b.1.value);
    let ends = shown().max_by(by_value).zip(shown().min_by(by_value));
    let ends = ends.map(|(most, least)| match shown().count() {
        1 => text(&most),
        _ => figures::from_to(language, &text(&least), &text(&most)),
    });
    overall.into_iter().chain(ends).collect::<Vec<_>>().join("; ")
}

/// The greatest and the least of the cells.
pub(super) fn of_heat_map(map: &HeatMap) -> String {
    let name = |names: &[String], index: usize| names.get(index).cloned().unwrap_or_default();
    let text = |cell: &HeatCell| {
        let (row, column) = (name(&map.y.names, cell.row), name(&map.x.names, cell.column));
        figures::cell_at(map.language, &cell.label, &row, &column)
    };
    let shown = || map.cells.iter().filter(|cell| map.scale.shows(cell.value));
    let by_value = |a: &&HeatCell, b: &&HeatCell| a.value.total_cmp(&b.value);
    let ends = shown().max_by(by_value).zip(shown().min_by(by_value));
    ends.map_or_else(String::new, |(most, least)| match shown().count() {
        1 => text(most),
        _ => figures::from_to(map.language, &text(least), &text(most)),
    })
}

/// The mean, and between what the bars lie.
pub(super) fn of_strip(strip: &Strip) -> String {
    let values = strip.intervals.iter().map(|interval| interval.value);
    let ends = values.map(|value| (value, value)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let Some((low, high)) = ends else { return String::new() };
    let rate = |value: f64| strip.language.rate(value);
    let mean = Measured { value: strip.mean, ci95: strip.margin };
    figures::strip_result(
        strip.language,
        &strip.value,
        (&strip.language.rate(mean), &rate(low), &rate(high)),
    )
}

/// The parts of a system with what is known of them.
pub(super) fn of_diagram(diagram: &Diagram) -> String {
    let layer = |layer: &super::diagram::Layer| {
        let details: Vec<&str> = layer.details.iter().map(String::as_str).collect();
        format!("{}: {}", layer.name, details.join(", "))
    };
    let layers: Vec<String> = diagram.layers.iter().map(layer).collect();
    layers.join("; ")
}

/// Facts behind each other, the first ones if they are many.
fn listed(language: Language, mut facts: Vec<String>) -> String {
    let rest = facts.len().saturating_sub(FACTS_MAX);
    facts.truncate(FACTS_MAX);
    let mut line = facts.join("; ");
    if rest > 0 {
        line += &figures::and_more(language, rest);
    }
    line
}
