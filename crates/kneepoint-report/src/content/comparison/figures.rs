//! The figures of a comparison: the series of all runs as bars, and the curves of a series in all
//! runs over one another.

use std::collections::BTreeMap;

use kneepoint_core::analysis::comparison::{Bound, ComparedFigure, Reading, SeriesComparison};
use kneepoint_core::result::series_key::{SeriesKey, by_series};
use kneepoint_core::result::{Place, PointResult, Quantity, RunDocument, ThroughputUnit, Verdict};
use kneepoint_core::words::rule::Metric;

use super::{ComparisonWriter, series_title};
use crate::content::curves::style;
use crate::content::view::{PrimaryMetric, by_name, line_ms};
use crate::figure::{
    Axis, Bar, BarGroup, Bars, Chart, ChartPoint, ChartSeries, Drawing, PointStyle, RuleLine, Scale,
};
use crate::language::Language;
use crate::language::texts::{common, comparison, figures, findings};
use crate::page::Figure;

/// More bars than this would make a figure too high for its page.
const BARS_MAX: usize = 48;
/// More runs than this cannot be told apart in a group.
const RUNS_MAX: usize = 12;

/// A number of every series: sustained at a rule, or the peak where there is none.
type ComparedNumber<'a> = (Place, Option<&'a str>);

/// The number in a series, where it has it.
fn find<'a>(
    series: &'a SeriesComparison,
    number: ComparedNumber<'_>,
) -> Option<&'a ComparedFigure> {
    series.figures.iter().find(|figure| of(figure) == number)
}

fn of(figure: &ComparedFigure) -> ComparedNumber<'_> {
    (figure.measure.place, figure.rule.as_deref())
}

/// The number that most series have; of equals the first.
fn number<'a>(alike: &[&'a SeriesComparison]) -> Option<ComparedNumber<'a>> {
    let numbers = || {
        let all = alike.iter().flat_map(|series| &series.figures).map(of);
        all.filter(|(place, _)| *place != Place::EqualLoad)
    };
    let count = |number: ComparedNumber<'_>| {
        alike.iter().filter(|series| find(series, number).is_some_and(is_measured)).count()
    };
    let sustained = numbers().filter(|(place, _)| *place == Place::Sustained);
    let peak = numbers().filter(|(place, _)| *place == Place::Peak);
    let mut best: Option<(usize, ComparedNumber<'a>)> = None;
    for number in sustained.chain(peak) {
        let count = count(number);
        if count > best.map_or(0, |(most, _)| most) {
            best = Some((count, number));
        }
    }
    best.map(|(_, number)| number)
}

/// True if the reference and another run have it.
fn is_measured(figure: &ComparedFigure) -> bool {
    figure.readings.first().is_some_and(Option::is_some)
        && figure.readings.iter().flatten().count() > 1
}

impl ComparisonWriter<'_> {
    /// Bars of the series with random access, and of those with sequential access.
    pub(super) fn bar_figures(self) -> Vec<Figure> {
        if self.names.len() > RUNS_MAX {
            return Vec::new();
        }
        PrimaryMetric::ALL.into_iter().flat_map(|judge| self.of(judge)).collect()
    }

    fn of(&self, judge: PrimaryMetric) -> Vec<Figure> {
        let all = self.comparison.series.iter();
        let alike: Vec<_> = all.filter(|series| judge_of(series) == judge).collect();
        let Some(number) = number(&alike) else { return Vec::new() };
        let found: Vec<(String, &ComparedFigure)> = alike
            .iter()
            .filter_map(|series| Some((series_title(series), find(series, number)?)))
            .filter(|(_, figure)| is_measured(figure))
            .collect();
        let chunks = found.chunks((BARS_MAX / self.names.len().max(1)).max(1));
        chunks.map(|part| self.figure(part, (number, judge))).collect()
    }

    fn figure(
        &self,
        part: &[(String, &ComparedFigure)],
        ((place, rule), judge): (ComparedNumber<'_>, PrimaryMetric),
    ) -> Figure {
        let language = self.language;
        let what = match (place, rule) {
            (Place::Sustained, Some(rule)) => {
                comparison::sustained(language, &common::rule(language, rule))
            }
            _ => common::peak(language).to_owned(),
        };
        let groups: Vec<BarGroup> = part
            .iter()
            .map(|(title, figure)| BarGroup { name: title.clone(), bars: self.bars(figure, judge) })
            .collect();
        let bars = || groups.iter().flat_map(|group| &group.bars);
        let title = comparison::side_by_side(language, &what);
        let mut caption = format!("{title}. {}", comparison::bars_note(language, self.names[0]));
        if bars().any(|bar| bar.margin.is_some()) {
            caption += figures::margins(language);
        }
        if bars().any(|bar| bar.style == PointStyle::Hollow) {
            caption += comparison::bars_hollow(language);
        }
        let runs = self.comparison.runs.iter().map(|run| run.id.clone());
        let drawing = Bars {
            language,
            title,
            source: runs.collect::<Vec<_>>().join(", "),
            value: throughput_axis(judge, language),
            series: self.names.iter().map(|name| (*name).to_owned()).collect(),
            reference: Some(0),
            groups,
        };
        Figure::new(caption, Drawing::Bars(drawing))
    }

    fn bars(&self, figure: &ComparedFigure, judge: PrimaryMetric) -> Vec<Bar> {
        let bar = |(index, reading): (usize, &Option<Reading>)| {
            let reading = reading.as_ref()?;
            let difference = figure.differences.get(index).and_then(Option::as_ref);
            let note = difference.map(|difference| {
                let change = self.language.change(difference.percent);
                self.bounded(difference.bound, &change)
            });
            let is_doubtful = reading.bound != Bound::Exact || !reading.reservations.is_empty();
            Some(Bar {
                series: index,
                value: reading.value,
                margin: reading.ci95,
                label: self.bounded(reading.bound, &self.language.rate(reading.value)),
                note: note.unwrap_or_default(),
                style: if is_doubtful { PointStyle::Hollow } else { PointStyle::Filled },
                tooltip: format!(
                    "{}: {}",
                    self.names[index],
                    self.bounded(reading.bound, &judge.print(self.language, reading.value))
                ),
            })
        };
        figure.readings.iter().enumerate().filter_map(bar).collect()
    }
}

/// A rule further above the data than this would squeeze the curves.
const RULE_RATIO_MAX: f64 = 2.5;

/// Mean response time over throughput, a curve for each run; nothing where no curve has two points.
/// Repetitions of a load are points of their own, at their mean.
pub(super) fn figure(
    runs: &[RunPoints<'_>],
    series: &SeriesComparison,
    (names, language): (&[&str], Language),
) -> Option<Figure> {
    let judge = judge_of(series);
    let curves: Vec<Vec<&PointResult>> = runs.iter().map(|run| run.of_series(series)).collect();
    if curves.iter().all(|points| points.len() < 2) {
        return None;
    }
    let curve = |(name, points): (&&str, &Vec<&PointResult>)| ChartSeries {
        name: (*name).to_owned(),
        points: by_load(points, judge).into_iter().map(|place| point(&place, language)).collect(),
    };
    let caption = comparison::curves_caption(language, &series.series);
    let mut y =
        Axis::new(comparison::axis(language, common::mean_response(language), "ms"), Scale::Linear);
    let rules = rules((series, language), &curves);
    y.include = rules.iter().map(|rule| rule.value).collect();
    let chart = Chart {
        language,
        title: caption.clone(),
        source: runs.iter().map(|run| run.id).collect::<Vec<_>>().join(", "),
        x: throughput_axis(judge, language),
        y,
        series: names.iter().zip(&curves).map(curve).collect(),
        rules,
        marks: Vec::new(),
    };
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

/// The axis of the throughput, in the unit that the runs are judged by.
fn throughput_axis(judge: PrimaryMetric, language: Language) -> Axis {
    let throughput = common::throughput(language);
    Axis::new(comparison::axis(language, throughput, judge.unit()), Scale::Linear)
}

fn judge_of(series: &SeriesComparison) -> PrimaryMetric {
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

fn point(place: &LoadPlace<'_>, language: Language) -> ChartPoint {
    let load = place.point.load;
    let tooltip = format!(
        "{}: {}, {}",
        findings::load(language, load.value, load.unit),
        language.throughput(place.point.rate.mean, place.point.rate.unit),
        language.response_time(place.mean_ms)
    );
    let (x, y, style) = (place.throughput, place.mean_ms, style(place.point));
    ChartPoint { x, y, style, tooltip, ..ChartPoint::default() }
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
        let Some((Metric::Mean, limit)) = line_ms(text) else { continue };
        if limit <= largest * RULE_RATIO_MAX {
            lines.push(RuleLine { value: limit, label: common::rule(language, text) });
        }
    }
    lines
}
