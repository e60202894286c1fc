//! The curves of a series in all runs over one another.

use kneepoint_core::analysis::comparison::{Quantity, SeriesComparison};
use kneepoint_core::result::{PointResult, RunDocument, Verdict};
use kneepoint_core::rule::{Metric, Rule};

use crate::content::curves::style;
use crate::content::judge::Judge;
use crate::content::words;
use crate::figure::{Axis, Chart, Drawing, Orientation, Point, RuleLine, Scale, Series};
use crate::language::Language;
use crate::page::Figure;

/// A rule further above the data than this would squeeze the curves.
const RULE_RATIO_MAX: f64 = 2.5;

/// Mean response time over throughput, a curve for each run; nothing where no curve has two points.
/// Repetitions of a load are points of their own, at their mean.
pub(super) fn figure(
    documents: &[&RunDocument],
    series: &SeriesComparison,
    (names, language): (&[&str], Language),
) -> Option<Figure> {
    let texts = &language.catalog().comparison;
    let judge = judge(series);
    let curves: Vec<Vec<&PointResult>> =
        documents.iter().map(|document| points(document, series)).collect();
    if curves.iter().all(|points| points.len() < 2) {
        return None;
    }
    let curve = |(name, points): (&&str, &Vec<&PointResult>)| Series {
        name: (*name).to_owned(),
        points: by_load(points, judge).into_iter().map(|place| point(&place, language)).collect(),
    };
    let caption = (texts.curves_caption)(&series.series);
    let mut y = Axis::new((texts.axis)(texts.mean, "ms"), Scale::Linear);
    let rules = rules((series, language), &curves);
    y.include = rules.iter().map(|rule| rule.value).collect();
    let chart = Chart {
        language,
        title: caption.clone(),
        source: documents.iter().map(|run| run.run.id.clone()).collect::<Vec<_>>().join(", "),
        x: Axis::new((texts.axis)(texts.throughput, judge.unit()), Scale::Linear),
        y,
        series: names.iter().zip(&curves).map(curve).collect(),
        rules,
        marks: Vec::new(),
    };
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

pub(super) fn judge(series: &SeriesComparison) -> Judge {
    let is_bytes =
        series.figures.iter().any(|figure| figure.measure.quantity == Quantity::Throughput);
    if is_bytes { Judge::MibPerS } else { Judge::Iops }
}

/// The usable points of the series in a run by rising load. A factor that differs between whole
/// runs is no other series.
fn points<'a>(document: &'a RunDocument, series: &SeriesComparison) -> Vec<&'a PointResult> {
    let named = || document.points.iter().filter(|point| point.series == series.series);
    let has_factors = named().any(|point| point.factors == series.factors);
    let mut points: Vec<&PointResult> = named()
        .filter(|point| !has_factors || point.factors == series.factors)
        .filter(|point| point.verdict != Verdict::Failed)
        .collect();
    points.sort_by(|a, b| a.load().value.total_cmp(&b.load().value));
    points
}

/// A load of a curve: throughput, response time in ms, the point with the worst verdict.
struct LoadPlace<'a> {
    throughput: f64,
    mean_ms: f64,
    point: &'a PointResult,
}

fn by_load<'a>(points: &[&'a PointResult], judge: Judge) -> Vec<LoadPlace<'a>> {
    let same = |a: &&PointResult, b: &&PointResult| a.load() == b.load();
    let place = |points: &[&'a PointResult]| {
        let count = points.len() as f64;
        let mean = |value: &dyn Fn(&PointResult) -> f64| {
            points.iter().map(|point| value(point)).sum::<f64>() / count
        };
        let doubtful =
            |point: &&&PointResult| matches!(point.verdict, Verdict::Drifting | Verdict::Disturbed);
        Some(LoadPlace {
            throughput: mean(&|point| judge.estimate(point).mean),
            mean_ms: mean(&|point| point.latency_ms.mean),
            point: points.iter().find(doubtful).or(points.first())?,
        })
    };
    points.chunk_by(same).filter_map(place).collect()
}

fn point(place: &LoadPlace<'_>, language: Language) -> Point {
    let load = place.point.load();
    let findings = &language.catalog().findings;
    let tooltip = format!(
        "{}: {}, {}",
        (findings.load)(&language.level(load.value), load.unit),
        language.iops(place.point.iops.mean),
        language.response_time(place.mean_ms)
    );
    Point {
        x: place.throughput,
        y: place.mean_ms,
        margin: None,
        x_margin: None,
        style: style(place.point),
        tooltip,
    }
}

/// The rules on the mean that lie near the data.
fn rules(
    (series, language): (&SeriesComparison, Language),
    curves: &[Vec<&PointResult>],
) -> Vec<RuleLine> {
    let largest = curves.iter().flatten().map(|point| point.latency_ms.mean).fold(0.0, f64::max);
    let typed = series.figures.iter().filter_map(|figure| figure.rule.as_deref());
    let mut lines = Vec::new();
    for text in typed {
        let rule = text.parse::<Rule>().ok().filter(|rule| rule.metric == Metric::Mean);
        let Some(limit) = rule.map(|rule| rule.limit.as_millis_f64()) else { continue };
        if limit <= largest * RULE_RATIO_MAX {
            lines.push(RuleLine {
                orientation: Orientation::Horizontal,
                value: limit,
                label: words::rule(language, text),
            });
        }
    }
    lines
}
