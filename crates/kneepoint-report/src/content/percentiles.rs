//! Figures of the response-time distribution: percentiles over load, and by nines.

use kneepoint_core::result::PointResult;
use kneepoint_core::words::rule::Metric;

use super::curves::{Targets, load_axis, style};
use super::judge::TimeUnit;
use super::survey::{RunView, SeriesView};
use super::words;
use crate::figure::{Axis, Chart, Drawing, Point, Scale, Series, Tick, Ticks};
use crate::language::texts;
use crate::page::Figure;

/// The percentiles that are shown, with the share of I/Os that take longer.
const PERCENTILES: [(Metric, f64); 6] = [
    (Metric::P50, 0.5),
    (Metric::P90, 0.1),
    (Metric::P95, 0.05),
    (Metric::P99, 0.01),
    (Metric::P999, 0.001),
    (Metric::P9999, 0.0001),
];

/// Curves over load; the others would lie too close.
const OVER_LOAD: [Metric; 5] = [Metric::P50, Metric::P90, Metric::P99, Metric::P999, Metric::Max];

/// At most this many loads in the figure by nines.
const LOADS_MAX: usize = 5;

/// Percentiles over load; nothing where there are fewer than three loads.
pub(super) fn over_load(survey: &RunView<'_>, series: &SeriesView<'_>) -> Option<Figure> {
    let curve = series.curve();
    if curve.len() < 3 {
        return None;
    }
    let unit = unit(&curve);
    let title = texts::figures::percentiles_over_load(survey.language, series.name);
    let line = |metric: Metric| Series {
        name: metric_name(survey, metric),
        points: curve.iter().map(|result| point(series, result, (metric, unit))).collect(),
    };
    let chart = Chart {
        language: survey.language,
        title: title.clone(),
        source: survey.source(),
        x: load_axis(
            survey.language,
            (series.load_unit(), Targets::of(survey)),
            curve.iter().copied(),
        ),
        y: response_axis(survey, unit),
        series: OVER_LOAD.map(line).into(),
        rules: Vec::new(),
        marks: Vec::new(),
    };
    Some(Figure::new(format!("{title}."), Drawing::Chart(chart)))
}

/// Percentiles of a few loads, with the nines evenly spaced.
pub(super) fn by_nines(survey: &RunView<'_>, series: &SeriesView<'_>) -> Option<Figure> {
    let curve = series.curve();
    let chosen = spread(&curve);
    if chosen.is_empty() {
        return None;
    }
    let unit = unit(&chosen);
    let title = texts::figures::distribution(survey.language, series.name);
    let line = |result: &&PointResult| Series {
        name: words::level(survey.language, result.load),
        points: PERCENTILES
            .iter()
            .filter(|(_, beyond)| result.operations as f64 * beyond >= 1.0)
            .map(|(metric, beyond)| Point {
                x: nines(*beyond),
                ..point(series, result, (*metric, unit))
            })
            .collect(),
    };
    let tick = |metric: Metric, beyond: f64| Tick {
        value: nines(beyond),
        label: metric_name(survey, metric),
    };
    let mut x = Axis::new(texts::figures::percentile(survey.language), Scale::Linear);
    x.ticks = Ticks::At(
        PERCENTILES
            .iter()
            .filter(|(metric, _)| *metric != Metric::P95)
            .map(|(metric, beyond)| tick(*metric, *beyond))
            .collect(),
    );
    let chart = Chart {
        language: survey.language,
        title: title.clone(),
        source: survey.source(),
        x,
        y: response_axis(survey, unit),
        series: chosen.iter().map(line).collect(),
        rules: Vec::new(),
        marks: Vec::new(),
    };
    let loads = match (chosen.as_slice(), chosen.len() < curve.len()) {
        ([only], _) => texts::figures::distribution_at(
            survey.language,
            &words::at_level(survey.language, only.load),
        ),
        (_, true) => texts::figures::distribution_at_some(survey.language).to_owned(),
        (_, false) => texts::figures::distribution_at_each(survey.language).to_owned(),
    };
    let caption = format!("{title}{loads}{}", texts::figures::ten_times_rarer(survey.language));
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

/// The first, the last and evenly many between.
fn spread<'a>(curve: &[&'a PointResult]) -> Vec<&'a PointResult> {
    let count = curve.len().min(LOADS_MAX);
    let last = curve.len().saturating_sub(1);
    let steps = count.saturating_sub(1).max(1);
    (0..count).map(|step| curve[(step * last + steps / 2) / steps]).collect()
}

/// Distance along the axis: one for every nine.
fn nines(beyond: f64) -> f64 {
    -libm::log10(beyond)
}

fn unit(points: &[&PointResult]) -> TimeUnit {
    TimeUnit::of(points.iter().map(|point| point.latency_ms.p99))
}

fn response_axis(survey: &RunView<'_>, unit: TimeUnit) -> Axis {
    Axis::new(unit.title(texts::words::response_time(survey.language)), Scale::Log10)
}

/// A percentile as its name is in a figure.
fn metric_name(survey: &RunView<'_>, metric: Metric) -> String {
    texts::words::metric(survey.language, metric)
}

/// A percentile of one point of the series, at the point's load.
fn point(
    series: &SeriesView<'_>,
    result: &PointResult,
    (metric, unit): (Metric, TimeUnit),
) -> Point {
    let language = series.language;
    let time = result.latency_ms.of(metric);
    Point {
        x: result.load.value,
        y: unit.convert(time),
        margin: None,
        x_margin: None,
        style: style(result),
        tooltip: format!(
            "{}: {} {}",
            words::level(language, result.load),
            texts::words::metric(language, metric),
            language.response_time(time)
        ),
    }
}
