//! The tables of a comparison: a row for every number.

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, Comparison, Difference, Measure, Place, Quantity, Reading,
    SeriesComparison, Significance,
};
use kneepoint_core::number::{Change, Iops, Level, MibPerS, Percentage, ResponseTime};
use kneepoint_core::rule::Metric;

use super::{letter, table};
use crate::output::table::Align;

/// Figures of whole series.
pub(super) fn figures_text(comparison: &Comparison) -> String {
    text(comparison, |series| &series.figures)
}

/// Single loads.
pub(super) fn points_text(comparison: &Comparison) -> String {
    text(comparison, |series| &series.points)
}

fn text(comparison: &Comparison, figures: fn(&SeriesComparison) -> &Vec<ComparedFigure>) -> String {
    let mut columns = vec![
        ("Series".to_owned(), Align::Left),
        ("Number".to_owned(), Align::Left),
        (letter(0), Align::Right),
    ];
    for run in 1..comparison.runs.len() {
        columns.push((letter(run), Align::Right));
        columns.push(("change".to_owned(), Align::Right));
        columns.push(("95 % interval".to_owned(), Align::Left));
        columns.push(("significant".to_owned(), Align::Left));
    }
    let mut table = table(&columns);
    for series in &comparison.series {
        for figure in figures(series) {
            table.row(row(series, figure));
        }
    }
    table.text()
}

fn row(series: &SeriesComparison, figure: &ComparedFigure) -> Vec<String> {
    let mut row = vec![series_name(series), figure_name(series, figure)];
    let runs = figure.readings.iter().zip(&figure.differences);
    for (index, (reading, difference)) in runs.enumerate() {
        row.push(reading.as_ref().map_or_else(nothing, |reading| value(figure.measure, reading)));
        if index == 0 {
            continue;
        }
        match difference {
            Some(difference) => {
                row.extend([change(difference), interval(difference), significance(difference)]);
            }
            None => row.extend([nothing(), nothing(), nothing()]),
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

fn value(measure: Measure, reading: &Reading) -> String {
    let number = match measure.quantity {
        Quantity::Iops => Iops(reading.value).to_string(),
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

fn significance(difference: &Difference) -> String {
    let detectable = difference.detectable_percent;
    match difference.significance {
        Significance::Significant => "yes".to_owned(),
        Significance::NotSignificant => match detectable {
            Some(percent) => format!("no; from {} on it would be", Percentage(percent)),
            None => "no".to_owned(),
        },
        Significance::Disturbed => "disturbed".to_owned(),
        Significance::Unknown => "unknown".to_owned(),
    }
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
                    if !lines.contains(&line) {
                        lines.push(line);
                    }
                }
            }
        }
    }
    (!lines.is_empty()).then(|| lines.concat())
}
