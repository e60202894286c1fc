//! The tables of a comparison: a row for every number.

use std::ops::Range;

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, Comparison, Difference, Reading, SeriesComparison,
};
use kneepoint_core::result::{Measure, Place, Quantity, Significance, ThroughputUnit};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::{Change, Level, MibPerS, Percentage, ResponseTime};
use kneepoint_core::words::rule::Metric;

use super::{letter, side_by_side, table};
use crate::output::table::{Align, TextTable};
use crate::output::text::Text;
use crate::output::width::Width;

/// Column of what is compared.
const NUMBER: &str = "Number";

/// Column of the confidence intervals.
const INTERVAL: &str = "95 % interval";

/// Column of the changes that could have been told.
const DETECTABLE: &str = "would be from";

/// Figures of whole series.
pub(super) fn figures_text(comparison: &Comparison, width: Width) -> Text {
    text(comparison, width, |series| &series.figures)
}

/// Single loads.
pub(super) fn points_text(comparison: &Comparison, width: Width) -> Text {
    text(comparison, width, |series| &series.points)
}

/// The figures of all runs, each against the first.
fn text(
    comparison: &Comparison,
    width: Width,
    figures: fn(&SeriesComparison) -> &Vec<ComparedFigure>,
) -> Text {
    side_by_side(1..comparison.runs.len(), width, |runs| {
        let mut table = empty(&runs);
        for series in comparison.series.iter().filter(|series| !figures(series).is_empty()) {
            table.row(vec![series_name(series)]);
            figures(series).iter().for_each(|figure| table.row(row(series, figure, &runs)));
        }
        table
    })
}

/// The table for some runs and the reference.
fn empty(runs: &Range<usize>) -> TextTable {
    let mut columns = vec![(NUMBER.to_owned(), Align::Left), (letter(0), Align::Right)];
    for run in runs.clone() {
        columns.push((letter(run), Align::Right));
        columns.push(("change".to_owned(), Align::Right));
        columns.push((INTERVAL.to_owned(), Align::Left));
        columns.push(("significant".to_owned(), Align::Left));
        columns.push((DETECTABLE.to_owned(), Align::Right));
    }
    let mut table = table(&columns);
    if runs.len() == 1 {
        table.can_spare(&[DETECTABLE, INTERVAL]);
        table.may_break(&[NUMBER]);
    }
    table
}

fn row(series: &SeriesComparison, figure: &ComparedFigure, runs: &Range<usize>) -> Vec<String> {
    let reading = |run: usize| {
        let reading = figure.readings.get(run).and_then(Option::as_ref);
        let what = (figure.measure, series.load_unit);
        reading.map_or_else(nothing, |reading| value(what, reading))
    };
    let mut row = vec![format!("  {}", figure_name(series, figure)), reading(0)];
    for run in runs.clone() {
        row.push(reading(run));
        match figure.differences.get(run).and_then(Option::as_ref) {
            Some(difference) => row.extend([
                change(difference),
                interval(difference),
                significance(difference).to_owned(),
                detectable(difference),
            ]),
            None => row.extend([nothing(), nothing(), nothing(), String::new()]),
        }
    }
    row
}

fn nothing() -> String {
    "-".to_owned()
}

/// The series, with its factors where the plan gave it some.
pub(super) fn series_name(series: &SeriesComparison) -> String {
    let factors: Vec<String> =
        series.factors.iter().map(|(name, level)| format!("{name}={level}")).collect();
    match factors.is_empty() {
        true => series.series.clone(),
        false => format!("{} ({})", series.series, factors.join(", ")),
    }
}

/// What is compared, in words.
fn figure_name(series: &SeriesComparison, figure: &ComparedFigure) -> String {
    let quantity = match figure.measure.quantity {
        Quantity::Iops | Quantity::Throughput => "throughput".to_owned(),
        Quantity::Latency(Metric::Mean) => "mean response time".to_owned(),
        Quantity::Latency(metric) => metric.to_string(),
    };
    match (figure.measure.place, &figure.rule, figure.load) {
        (Place::Sustained, Some(rule), _) => format!("sustained at {rule}"),
        (Place::Sustained, None, _) => "sustained".to_owned(),
        (Place::Peak, ..) => "peak".to_owned(),
        (Place::EqualLoad, _, Some(load)) => {
            format!("{quantity} at {} {}", Level(load), series.load_unit.label_of(load))
        }
        (Place::EqualLoad, _, None) => match figure.load_count.unwrap_or(0) {
            1 => format!("{quantity} at 1 equal load"),
            count => format!("{quantity}, mean of {count} equal loads"),
        },
    }
}

fn value((measure, unit): (Measure, LoadUnit), reading: &Reading) -> String {
    let number = match measure.quantity {
        Quantity::Iops => ThroughputUnit::under(unit).text(reading.value),
        Quantity::Throughput => MibPerS(reading.value).to_string(),
        Quantity::Latency(_) => ResponseTime(reading.value).to_string(),
    };
    let mark = if reading.reservations.is_empty() { "" } else { " !" };
    format!("{}{number}{mark}", bound(reading.bound))
}

const fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::AtMost => "<= ",
        Bound::AtLeast => ">= ",
    }
}

/// The change in percent.
pub(super) fn change(difference: &Difference) -> String {
    format!("{}{}", bound(difference.bound), Change(difference.percent))
}

fn interval(difference: &Difference) -> String {
    difference.interval_percent.map_or_else(|| "unknown".to_owned(), interval_text)
}

/// An interval of a change.
pub(super) fn interval_text([low, high]: [f64; 2]) -> String {
    format!("{} .. {}", Change(low), Change(high))
}

const fn significance(difference: &Difference) -> &'static str {
    match difference.significance {
        Significance::Significant => "yes",
        Significance::NotSignificant => "no",
        Significance::Disturbed => "disturbed",
        Significance::Unknown => "unknown",
    }
}

/// The smallest change that would have been significant, where none was.
fn detectable(difference: &Difference) -> String {
    let is_none = difference.significance == Significance::NotSignificant;
    let percent = difference.detectable_percent.filter(|_| is_none);
    percent.map_or_else(String::new, |percent| Percentage(percent).to_string())
}

/// The points that numbers rest on although their verdict speaks against it, each once.
pub(super) fn reservations_text(comparison: &Comparison) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for series in &comparison.series {
        for figure in series.figures.iter().chain(&series.points) {
            for (run, reading) in figure.readings.iter().enumerate() {
                for reservation in reading.iter().flat_map(|reading| &reading.reservations) {
                    let line = format!(
                        "! {}: numbers of {} rest on the point at {} {}, which is {}\n",
                        series_name(series),
                        letter(run),
                        Level(reservation.load),
                        series.load_unit.label_of(reservation.load),
                        reservation.verdict.name(),
                    );
                    lines.push(line);
                }
            }
        }
    }
    (!lines.is_empty()).then(|| distinct(lines).concat())
}
