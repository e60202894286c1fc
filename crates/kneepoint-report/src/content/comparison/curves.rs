//! The curves of a series in all runs over one another.

use std::collections::BTreeMap;

use kneepoint_core::analysis::comparison::SeriesComparison;
use kneepoint_core::result::series_key::{SeriesKey, by_series};
use kneepoint_core::result::{PointResult, Quantity, RunDocument, ThroughputUnit, Verdict};
use kneepoint_core::words::rule::{Metric, Rule};

use crate::content::curves::style;
use crate::content::judge::PrimaryMetric;
use crate::content::survey::by_name;
use crate::content::words;
use crate::figure::{Axis, Chart, Drawing, Point, RuleLine, Scale, Series};
use crate::language::Language;
use crate::language::texts;
use crate::page::Figure;

/// A rule further above the data than this would squeeze the curves.
const RULE_RATIO_MAX: f64 = 2.5;

/// Mean response time over throughput, a curve for each run; nothing where no curve has two points.
/// Repetitions of a load are points of their own, at their mean.
pub(super) fn figure(
    runs: &[RunPoints<'_>],
    series: &SeriesComparison,
    (names, language): (&[&str], Language),
) -> Option<Figure> {
    let judge = judge(series);
    let curves: Vec<Vec<&PointResult>> = runs.iter().map(|run| run.of_series(series)).collect();
    if curves.iter().all(|points| points.len() < 2) {
        return None;
    }
    let curve = |(name, points): (&&str, &Vec<&PointResult>)| Series {
        name: (*name).to_owned(),
        points: by_load(points, judge).into_iter().map(|place| point(&place, language)).collect(),
    };
    let caption = texts::comparison::curves_caption(language, &series.series);
    let mut y = Axis::new(
        texts::comparison::axis(language, texts::comparison::mean(language), "ms"),
        Scale::Linear,
    );
    let rules = rules((series, language), &curves);
    y.include = rules.iter().map(|rule| rule.value).collect();
    let chart = Chart {
        language,
        title: caption.clone(),
        source: runs.iter().map(|run| run.id).collect::<Vec<_>>().join(", "),
        x: Axis::new(
            texts::comparison::axis(
                language,
                texts::comparison::throughput(language),
                judge.unit(),
            ),
            Scale::Linear,
        ),
        y,
        series: names.iter().zip(&curves).map(curve).collect(),
        rules,
        marks: Vec::new(),
    };
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

pub(super) fn judge(series: &SeriesComparison) -> PrimaryMetric {
    let is_bytes =
        series.figures.iter().any(|figure| figure.measure.quantity == Quantity::Throughput);
    if is_bytes { PrimaryMetric::Volume } else { PrimaryMetric::Rate(ThroughputUnit::Iops) }
}

/// The points of a run by their series.
#[derive(Debug)]
pub(super) struct RunPoints<'a> {
    id: &'a str,
    by_key: BTreeMap<SeriesKey<'a>, Vec<&'a PointResult>>,
    by_name: BTreeMap<&'a str, Vec<&'a PointResult>>,
}

impl<'a> RunPoints<'a> {
    pub(super) fn of(document: &'a RunDocument) -> Self {
        let series = by_series(&document.points).into_iter();
        Self {
            id: &document.run.id,
            by_key: series.map(|series| (series.key, series.points)).collect(),
            by_name: by_name(&document.points, |point| &point.series),
        }
    }

    /// The usable points of a series by rising load. A factor that differs between whole runs is no
    /// other series.
    fn of_series(&self, series: &SeriesComparison) -> Vec<&'a PointResult> {
        let key = SeriesKey { name: &series.series, factors: &series.factors };
        let named = || self.by_name.get(key.name);
        let found = self.by_key.get(&key).or_else(named).into_iter().flatten().copied();
        let mut points: Vec<&PointResult> =
            found.filter(|point| point.verdict != Verdict::Failed).collect();
        points.sort_by(|a, b| a.load.value.total_cmp(&b.load.value));
        points
    }
}

/// A load of a curve: throughput, response time in ms, the point with the worst verdict.
struct LoadPlace<'a> {
    throughput: f64,
    mean_ms: f64,
    point: &'a PointResult,
}

fn by_load<'a>(points: &[&'a PointResult], judge: PrimaryMetric) -> Vec<LoadPlace<'a>> {
    let same = |a: &&PointResult, b: &&PointResult| a.load == b.load;
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
    let load = place.point.load;
    let tooltip = format!(
        "{}: {}, {}",
        texts::findings::load(language, &language.level(load.value), load.unit),
        language.throughput(place.point.rate.mean, place.point.rate.unit),
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
        let line = text.parse::<Rule>().ok().and_then(|rule| rule.line_ms());
        let Some((Metric::Mean, limit)) = line else { continue };
        if limit <= largest * RULE_RATIO_MAX {
            lines.push(RuleLine { value: limit, label: words::rule(language, text) });
        }
    }
    lines
}
