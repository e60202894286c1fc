//! Curves of a series or of several: throughput over load, response time over throughput, and the
//! distribution of the response time.

use kneepoint_core::result::{Peak, PointResult, Summary, Throughput, ThroughputUnit, Verdict};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Metric;

use super::encoding::Encoding;
use super::view::{PrimaryMetric, RunView, SeriesView, TimeUnit, line_ms};
use crate::figure::{
    Axis, AxisLimit, Categories, Chart, ChartMark, ChartPoint, ChartSeries, Drawing, HeatCell,
    HeatMap, MarkKind, PointStyle, RuleLine, Scale, Tick, Ticks,
};
use crate::language::Language;
use crate::language::texts::{common, figures};
use crate::page::{Figure, Text};

/// From this ratio of the largest to the smallest on, counted loads are shown by doublings.
const COUNT_RATIO_LOG: f64 = 2.0;
/// The same for offered rates, where the bend shows better on even steps.
const RATE_RATIO_LOG: f64 = 16.0;
/// From this ratio of the slowest to the fastest point on, response times are shown by decades.
const RESPONSE_RATIO_LOG: f64 = 60.0;
/// A rule further above the data than this would squeeze the curve, and is left to the caption.
const RULE_RATIO_MAX: f64 = 2.5;

/// Series that share their figures.
#[derive(Debug)]
pub(super) struct CurveSet<'s, 'a> {
    survey: &'s RunView<'a>,
    pub(super) series: Vec<&'s SeriesView<'a>>,
    /// Their name in captions.
    subject: &'s str,
    language: Language,
    judge: PrimaryMetric,
    load_unit: LoadUnit,
    time: TimeUnit,
}

impl<'s, 'a> CurveSet<'s, 'a> {
    /// The series, and what a caption calls them.
    pub(super) fn new(
        survey: &'s RunView<'a>,
        series: Vec<&'s SeriesView<'a>>,
        subject: &'s str,
    ) -> Self {
        let first = series.first();
        let means = series.iter().flat_map(|series| series.curve()).map(|p| p.latency_ms.mean);
        Self {
            survey,
            subject,
            language: survey.language,
            judge: first.map_or(PrimaryMetric::Rate(ThroughputUnit::Iops), |series| series.judge),
            load_unit: first.map_or(LoadUnit::OutstandingIos, |series| series.load_unit()),
            time: TimeUnit::of(means),
            series,
        }
    }

    /// Throughput over load; nothing where no curve has two points.
    pub(super) fn throughput(&self) -> Option<Figure> {
        if !self.series.iter().any(|series| series.curve().len() > 1) {
            return None;
        }
        let judge = self.judge;
        let title = figures::throughput_over_load(self.language, self.subject);
        let x = load_axis(self.survey, self.load_unit, self.points());
        let y = Axis::new(self.throughput_title(), Scale::Linear);
        let curves = self.curves(|point| {
            let estimate = judge.estimate(point);
            let (x, y) = (point.load.value, estimate.mean);
            ChartPoint { x, y, margin: estimate.ci95, ..ChartPoint::default() }
        });
        let marks = self.throughput_marks();
        let chart = Chart { marks, ..chart(self.survey, &title, (x, y), curves) };
        let mut caption = format!("{title}.");
        if self.points().any(|point| judge.estimate(point).ci95.is_some()) {
            caption += figures::margins(self.language);
        }
        Some(self.figure(chart, caption))
    }

    /// Response time over throughput, with the rules that look at this response time and the
    /// confidence intervals of throughput and, of the mean alone, of the response time; nothing
    /// where there is a single point, or a point of which this response time is not known.
    pub(super) fn response(&self, metric: Metric) -> Option<Figure> {
        let known: Option<Vec<f64>> =
            self.points().map(|point| point.latency_ms.of(metric)).collect();
        if known?.len() < 2 {
            return None;
        }
        let (judge, time) = (self.judge, self.time);
        let response = |point: &PointResult| {
            time.convert(point.latency_ms.of(metric).unwrap_or(point.latency_ms.mean))
        };
        let (rules, outside) = self.rules(metric);
        let response_name = common::response_of(self.language, metric);
        let title = figures::response_over_throughput(self.language, &response_name, self.subject);
        let x = Axis::new(self.throughput_title(), Scale::Linear);
        let responses: Vec<f64> = self.points().map(response).collect();
        let limit = axis_limit(&rules, &responses, time);
        let scale = match rules.is_empty() {
            true => response_scale(responses.into_iter()),
            false => Scale::Linear,
        };
        let mut y = Axis::new(time.title(&response_name), scale);
        y.include = rules.iter().map(|rule| rule.value).collect();
        y.limit = limit;
        let curves = self.curves(|point| {
            let estimate = judge.estimate(point);
            let margin = point.latency_ms.ci95.filter(|_| metric == Metric::Mean);
            ChartPoint {
                x: estimate.mean,
                y: response(point),
                margin: margin.map(|half| time.convert(half)),
                x_margin: estimate.ci95,
                ..ChartPoint::default()
            }
        });
        let marks = self.response_marks(metric);
        let chart = Chart { rules, marks, ..chart(self.survey, &title, (x, y), curves) };
        let mut caption = title + figures::each_point(self.language);
        let has_margin = |point: &&PointResult| {
            judge.estimate(point).ci95.is_some()
                || metric == Metric::Mean && point.latency_ms.ci95.is_some()
        };
        if self.points().any(|point| has_margin(&point)) {
            caption += figures::margins(self.language);
        }
        if limit.is_some() {
            caption += figures::beyond(self.language);
        }
        if !outside.is_empty() {
            caption += &figures::outside(self.language, &common::listed(self.language, &outside));
        }
        Some(self.figure(chart, caption))
    }

    fn throughput_title(&self) -> String {
        format!("{} in {}", common::throughput(self.language), self.judge.unit())
    }

    fn figure(&self, chart: Chart, mut caption: String) -> Figure {
        let sustained = chart.marks.iter().any(|mark| mark.kind == MarkKind::Sustained);
        let peak = chart.marks.iter().any(|mark| mark.kind == MarkKind::Peak);
        caption += match (sustained, peak) {
            (true, true) => figures::ring_and_star(self.language),
            (true, false) => figures::ring(self.language),
            (false, true) => figures::star(self.language),
            (false, false) => "",
        };
        if self.points().any(|point| style(point) == PointStyle::Hollow) {
            caption += figures::hollow(self.language);
        }
        if self.series.iter().any(|series| series.repetitions()[1] > 1) {
            caption += match self.survey.has_passes() {
                true => figures::passed(self.language),
                false => figures::repeated(self.language),
            };
        }
        let encoding = Encoding::of(self.survey, &self.series);
        caption += &encoding.note(self.language);
        Figure::new(Text::from(caption), encoding.drawing(chart))
    }

    fn points(&self) -> impl Iterator<Item = &'s PointResult> + use<'_, 's, 'a> {
        self.series.iter().flat_map(|series| series.curve())
    }

    /// A curve for each series; `place` gives the numbers of a point.
    fn curves(&self, place: impl Fn(&PointResult) -> ChartPoint) -> Vec<ChartSeries> {
        let point = |series: &SeriesView<'_>, result: &PointResult| ChartPoint {
            style: style(result),
            tooltip: self.tooltip(series, result),
            ..place(result)
        };
        let curve = |series: &&SeriesView<'_>| {
            let points = series.curve().into_iter().map(|result| point(series, result));
            ChartSeries::new(series.name, points.collect())
        };
        self.series.iter().map(curve).collect()
    }

    fn tooltip(&self, series: &SeriesView<'_>, point: &PointResult) -> String {
        let name = if self.series.len() > 1 { format!("{}, ", series.name) } else { String::new() };
        let volume = point.volume.map(Throughput::estimate);
        let volume = volume.map(|volume| format!(", {}", self.language.mib_per_s(volume)));
        let volume = volume.unwrap_or_default();
        let reservation = match style(point) {
            PointStyle::Filled => String::new(),
            PointStyle::Hollow => format!(" ({})", common::verdict_of(self.language, point)),
        };
        format!(
            "{name}{}: {}{volume}, {}{reservation}",
            match series.target_count() {
                Some(_) =>
                    common::each_target(self.language, &common::level(self.language, point.load),),
                None => common::level(self.language, point.load),
            },
            self.language.throughput(point.rate.estimate(), point.rate.unit),
            figures::mean(self.language, &self.language.response_time(point.latency_ms.estimate())),
        )
    }

    /// The rules on `metric` that fit into the figure, and those that don't.
    fn rules(&self, metric: Metric) -> (Vec<RuleLine>, Vec<String>) {
        let largest =
            self.points().filter_map(|point| point.latency_ms.of(metric)).fold(0.0, f64::max);
        let texts =
            self.series.iter().flat_map(|series| &series.summaries).map(|s| s.rule.as_str());
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for text in distinct(texts) {
            let Some((_, limit)) = line_ms(text).filter(|(of, _)| *of == metric) else { continue };
            if limit > largest * RULE_RATIO_MAX {
                outside.push(common::rule(self.language, text));
                continue;
            }
            let label = common::rule(self.language, text);
            inside.push(RuleLine { value: self.time.convert(limit), label });
        }
        (inside, outside)
    }
}

/// Points with a reservation are hollow.
pub(super) fn style(point: &PointResult) -> PointStyle {
    match point.verdict {
        Verdict::Steady | Verdict::TimeLimit | Verdict::Fixed => PointStyle::Filled,
        Verdict::Drifting | Verdict::Failed | Verdict::Disturbed => PointStyle::Hollow,
    }
}

/// A chart of a run without rules and marks.
pub(super) fn chart(
    survey: &RunView<'_>,
    title: &str,
    (x, y): (Axis, Axis),
    series: Vec<ChartSeries>,
) -> Chart {
    let (rules, marks, zones) = (Vec::new(), Vec::new(), Vec::new());
    let (language, title, source) = (survey.language, title.to_owned(), survey.source());
    Chart { language, title, source, x, y, series, rules, marks, zones }
}

/// An axis for the loads of `points`; with several targets, loads are those of each.
fn load_axis<'p>(
    survey: &RunView<'_>,
    unit: LoadUnit,
    points: impl Iterator<Item = &'p PointResult>,
) -> Axis {
    let name = common::load_title(survey.language, unit);
    let title = match survey.targets() {
        [_, _, ..] => common::each_target(survey.language, name),
        _ => name.to_owned(),
    };
    let ratio_log = if unit.is_whole() { COUNT_RATIO_LOG } else { RATE_RATIO_LOG };
    let is_log = ratio(points.map(|point| point.load.value)) >= ratio_log;
    Axis::new(title, if is_log { Scale::Log2 } else { Scale::Linear })
}

/// Up to this multiple of the largest rule the axis of response times is drawn, so that the bend at
/// the rules can be seen.
const RULE_MULTIPLE_SHOWN: f64 = 3.0;

/// The end of an axis of response times that would squeeze its rules; nothing if all points lie
/// near them, or fewer than two would be left.
pub(super) fn axis_limit(
    rules: &[RuleLine],
    responses: &[f64],
    unit: TimeUnit,
) -> Option<AxisLimit> {
    let rule = rules.iter().map(|rule| rule.value).reduce(f64::max)?;
    let value = rule * RULE_MULTIPLE_SHOWN;
    let within = responses.iter().filter(|response| **response <= value).count();
    let is_short = (2..responses.len()).contains(&within);
    is_short.then_some(AxisLimit { value, unit: unit.symbol() })
}

/// Response times over many decades need a logarithmic axis.
fn response_scale(times: impl Iterator<Item = f64>) -> Scale {
    if ratio(times) >= RESPONSE_RATIO_LOG { Scale::Log10 } else { Scale::Linear }
}

/// The largest of the positive `values` over the smallest, 1 where there is none.
pub(super) fn ratio(values: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = extent(values.filter(|value| *value > 0.0));
    if high > 0.0 { high / low } else { 1.0 }
}

/// The smallest and the largest of the positive `values`.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(low, high), value| (low.min(value), high.max(value)))
}

/// The response time at the load that sustains a rule, where it was measured and not interpolated.
fn measured_ms(series: &SeriesView<'_>, summary: &Summary, metric: Metric) -> Option<f64> {
    let load = summary.sustained.load?;
    let curve = series.curve();
    curve.iter().find(|point| point.load.value == load)?.latency_ms.of(metric)
}

/// Where a mark stands, and the text beside it.
type MarkPlace = (f64, f64, String);

impl CurveSet<'_, '_> {
    /// Sustained at every rule, and the peak, over load.
    fn throughput_marks(&self) -> Vec<ChartMark> {
        let place = |_: &SeriesView<'_>, summary: &Summary| {
            let y = self.judge.sustained(&summary.sustained)?;
            Some((summary.sustained.load?, y.mean, self.sustained_text(summary)))
        };
        let peak = |_: &SeriesView<'_>, peak: &Peak| {
            Some((peak.load, self.judge.peak(peak).mean, self.peak_text(peak)))
        };
        self.marks(place, peak)
    }

    /// Sustained at the rules on `metric`, and the peak, over throughput.
    fn response_marks(&self, metric: Metric) -> Vec<ChartMark> {
        let place = |series: &SeriesView<'_>, summary: &Summary| {
            let (_, limit) = line_ms(&summary.rule).filter(|(of, _)| *of == metric)?;
            let x = self.judge.sustained(&summary.sustained)?;
            // Where the peak meets the rule, it is what is sustained, at its own response time.
            let y = measured_ms(series, summary, metric).unwrap_or(limit).min(limit);
            Some((x.mean, self.time.convert(y), self.judge.print(self.language, x)))
        };
        let peak = |series: &SeriesView<'_>, peak: &Peak| {
            let mut curve = series.curve().into_iter();
            let point = curve.find(|point| point.load.value == peak.load)?;
            let y = self.time.convert(point.latency_ms.of(metric)?);
            Some((self.judge.peak(peak).mean, y, self.peak_text(peak)))
        };
        self.marks(place, peak)
    }

    /// Marks of all series; they carry labels where there is only one series.
    fn marks(
        &self,
        place: impl Fn(&SeriesView<'_>, &Summary) -> Option<MarkPlace>,
        place_peak: impl Fn(&SeriesView<'_>, &Peak) -> Option<MarkPlace>,
    ) -> Vec<ChartMark> {
        let mut marks = Vec::new();
        for (index, series) in self.series.iter().enumerate() {
            let mark = |kind: MarkKind, (x, y, label): MarkPlace, text: String| ChartMark {
                kind,
                series: index,
                x,
                y,
                label: if self.series.len() == 1 { label } else { String::new() },
                tooltip: format!("{}: {text}", series.name),
            };
            for summary in &series.summaries {
                let text = || self.sustained_text(summary);
                let place = place(series, summary);
                marks.extend(place.map(|place| mark(MarkKind::Sustained, place, text())));
            }
            let peak = series.peak().and_then(|peak| Some((peak, place_peak(series, &peak)?)));
            marks.extend(
                peak.map(|(peak, place)| mark(MarkKind::Peak, place, self.peak_text(&peak))),
            );
        }
        marks
    }

    /// `14,320 IO/s within 20 ms`.
    fn sustained_text(&self, summary: &Summary) -> String {
        let language = self.language;
        let value = self.judge.sustained(&summary.sustained).unwrap_or_default();
        let throughput = self.judge.print(language, value);
        format!("{throughput} {}", common::within(language, &summary.rule))
    }

    /// `peak 15,200 IO/s`.
    fn peak_text(&self, peak: &Peak) -> String {
        figures::peak(self.language, &self.judge.print(self.language, self.judge.peak(peak)))
    }
}

/// The percentiles that are shown, with the share of I/Os that take longer.
const PERCENTILES: [(Metric, f64); 6] = [
    (Metric::P50, 0.5),
    (Metric::P90, 0.1),
    (Metric::P95, 0.05),
    (Metric::P99, 0.01),
    (Metric::P999, 0.001),
    (Metric::P9999, 0.0001),
];

/// At most this many loads side by side.
const COLUMNS_MAX: usize = 16;

/// At most this many loads in the figure by nines.
const LOADS_MAX: usize = 5;

/// Percentiles over load as a strip of shades; nothing where there are fewer than three loads, or none of
/// them has percentiles.
pub(super) fn over_load(survey: &RunView<'_>, series: &SeriesView<'_>) -> Option<Figure> {
    let language = survey.language;
    let curve = series.curve();
    if curve.len() < 3 {
        return None;
    }
    let shown = spread(&curve, COLUMNS_MAX);
    let unit = unit(&shown);
    let title = figures::percentiles_over_load(language, series.name);
    let names = PERCENTILES.iter().map(|(metric, _)| common::metric(language, *metric));
    let cell = |(row, column): (usize, usize)| {
        let (metric, beyond) = PERCENTILES[row];
        let result = shown[column];
        let is_known = result.operations as f64 * beyond >= 1.0;
        let place = point(series, result, (metric, unit)).filter(|_| is_known)?;
        Some(HeatCell {
            column,
            row,
            value: place.y,
            label: language.rate(place.y),
            style: place.style,
            tooltip: place.tooltip,
        })
    };
    let places =
        (0..PERCENTILES.len()).flat_map(|row| (0..shown.len()).map(move |column| (row, column)));
    let cells: Vec<HeatCell> = places.filter_map(cell).collect();
    if cells.is_empty() {
        return None;
    }
    let map = HeatMap {
        language,
        title: title.clone(),
        source: survey.source(),
        x: Categories {
            title: load_axis(survey, series.load_unit(), curve.iter().copied()).title,
            names: shown.iter().map(|result| language.level(result.load.value)).collect(),
        },
        y: Categories { title: figures::percentile(language).to_owned(), names: names.collect() },
        value: unit.title(common::response_time(language)),
        scale: Scale::Log10,
        cells,
    };
    let left_out = match shown.len() < curve.len() {
        true => figures::some_loads(language, shown.len(), curve.len()),
        false => String::new(),
    };
    let caption = format!("{title}. {}{left_out}", figures::heat_percentiles(language));
    Some(Figure::new(caption, Drawing::HeatMap(map)))
}

/// Percentiles of a few loads, with the nines evenly spaced; nothing where none are known.
pub(super) fn by_nines(survey: &RunView<'_>, series: &SeriesView<'_>) -> Option<Figure> {
    let language = survey.language;
    let curve: Vec<&PointResult> =
        series.curve().into_iter().filter(|point| point.latency_ms.p99.is_some()).collect();
    let chosen = spread(&curve, LOADS_MAX);
    if chosen.is_empty() {
        return None;
    }
    let unit = unit(&chosen);
    let title = figures::distribution(language, series.name);
    let line = |result: &&PointResult| {
        let known = PERCENTILES
            .iter()
            .filter(|(_, beyond)| result.operations as f64 * beyond >= 1.0)
            .filter_map(|(metric, beyond)| {
                let place = point(series, result, (*metric, unit))?;
                let place_name = common::metric(language, *metric);
                Some(ChartPoint { x: nines(*beyond), place: place_name, ..place })
            });
        ChartSeries::new(common::level(language, result.load), known.collect())
    };
    let tick = |metric: Metric, beyond: f64| Tick {
        value: nines(beyond),
        label: common::metric(language, metric),
    };
    let mut x = Axis::new(figures::percentile(language), Scale::Linear);
    let shown = PERCENTILES.iter().filter(|(metric, _)| *metric != Metric::P95);
    x.ticks = Ticks::At(shown.map(|(metric, beyond)| tick(*metric, *beyond)).collect());
    let lines = chosen.iter().map(line).collect();
    let chart = chart(survey, &title, (x, response_axis(survey, unit)), lines);
    let loads = match (chosen.as_slice(), chosen.len() < curve.len()) {
        ([only], _) => figures::distribution_at(language, &common::at_level(language, only.load)),
        (_, true) => figures::distribution_at_some(language).to_owned(),
        (_, false) => figures::distribution_at_each(language).to_owned(),
    };
    let caption = format!("{title}{loads}{}", figures::ten_times_rarer(language));
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

/// At most `most` of the values: the first, the last and evenly many between.
pub(super) fn spread<T: Copy>(values: &[T], most: usize) -> Vec<T> {
    let count = values.len().min(most);
    let last = values.len().saturating_sub(1);
    let steps = count.saturating_sub(1).max(1);
    (0..count).map(|step| values[(step * last + steps / 2) / steps]).collect()
}

/// Distance along the axis: one for every nine.
fn nines(beyond: f64) -> f64 {
    -libm::log10(beyond)
}

fn unit(points: &[&PointResult]) -> TimeUnit {
    TimeUnit::of(points.iter().filter_map(|point| point.latency_ms.p99))
}

fn response_axis(survey: &RunView<'_>, unit: TimeUnit) -> Axis {
    Axis::new(unit.title(common::response_time(survey.language)), Scale::Log10)
}

/// A percentile of one point of the series, at the point's load; `None` if it is not known.
fn point(
    series: &SeriesView<'_>,
    result: &PointResult,
    (metric, unit): (Metric, TimeUnit),
) -> Option<ChartPoint> {
    let language = series.language;
    let time = result.latency_ms.of(metric)?;
    Some(ChartPoint {
        x: result.load.value,
        y: unit.convert(time),
        style: style(result),
        tooltip: format!(
            "{}: {} {}",
            common::level(language, result.load),
            common::metric(language, metric),
            language.response_time(time)
        ),
        ..ChartPoint::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_at_three_times_the_largest_rule_if_it_must() {
        let rule = |value: f64| RuleLine { value, label: String::new() };
        let limit = |rules: &[f64], responses: &[f64]| {
            let rules: Vec<RuleLine> = rules.iter().copied().map(rule).collect();
            axis_limit(&rules, responses, TimeUnit::Ms).map(|limit| limit.value)
        };
        assert_eq!(limit(&[15.0, 20.0], &[5.0, 10.0, 300.0]), Some(60.0));
        assert_eq!(limit(&[15.0, 20.0], &[5.0, 10.0, 60.0]), None, "all are near the rules");
        assert_eq!(limit(&[20.0], &[50.0, 200.0, 300.0]), None, "one point is no curve");
        assert_eq!(limit(&[], &[5.0, 10.0, 300.0]), None, "there is no rule");
    }
}
