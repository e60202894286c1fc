//! The figures of a comparison: the ratios of all series to the reference, and the curves of a series in all
//! runs over one another.

use std::collections::BTreeMap;

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, Difference, Overall, OverallDifference, Reading, SeriesComparison,
};
use kneepoint_core::analysis::merged_points;
use kneepoint_core::result::series_key::{SeriesKey, by_series};
use kneepoint_core::result::{
    PRACTICAL_PERCENT, Place, PointResult, Quantity, RunDocument, ThroughputUnit,
};
use kneepoint_core::words::rule::Metric;

use super::{ComparisonWriter, printed, series_title};
use crate::content::curves::{axis_limit, style};
use crate::content::view::{PrimaryMetric, TimeUnit, by_name, line_ms};
use crate::figure::{
    Axis, Chart, ChartPoint, ChartSeries, Dot, DotRow, Dots, Drawing, Lanes, PointStyle, Reach,
    RowWeight, RuleLine, Scale,
};
use crate::language::Language;
use crate::language::texts::{common, comparison, figures, findings};
use crate::page::Figure;

/// More dots than this would make a figure too high for its page.
pub(super) const DOTS_MAX: usize = 40;
/// More runs than this cannot be told apart in a row.
const RUNS_MAX: usize = 8;
/// Between these ratios there is no practical difference.
const BAND: [f64; 2] = [1.0 - PRACTICAL_PERCENT / 100.0, 1.0 + PRACTICAL_PERCENT / 100.0];

/// A number of every series: sustained at a rule, or the peak where there is none.
pub(super) type ComparedNumber<'a> = (Place, Option<&'a str>);

/// The number in a series, where it has it.
pub(super) fn find<'a>(
    series: &'a SeriesComparison,
    number: ComparedNumber<'_>,
) -> Option<&'a ComparedFigure> {
    series.figures.iter().find(|figure| of(figure) == number)
}

fn of(figure: &ComparedFigure) -> ComparedNumber<'_> {
    (figure.measure.place, figure.rule.as_deref())
}

/// Whether a mean over all series is that of a number.
pub(super) fn is_of(overall: &Overall, (place, rule): ComparedNumber<'_>) -> bool {
    (overall.rule.is_none() == (place == Place::Peak)) && overall.rule.as_deref() == rule
}

/// The number that most series have; of equals the first.
pub(super) fn number<'a>(alike: &[&'a SeriesComparison]) -> Option<ComparedNumber<'a>> {
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
pub(super) fn is_measured(figure: &ComparedFigure) -> bool {
    figure.readings.first().is_some_and(Option::is_some)
        && figure.readings.iter().flatten().count() > 1
}

/// A series of which a number is compared.
struct ComparedRow<'a> {
    name: String,
    judge: PrimaryMetric,
    figure: &'a ComparedFigure,
}

impl ComparisonWriter<'_> {
    /// The ratios of all series to the reference, and their mean.
    pub(super) fn forest_figures(&self) -> Vec<Figure> {
        let all: Vec<&SeriesComparison> = self.comparison.series.iter().collect();
        let Some(number) = number(&all).filter(|_| self.names.len() <= RUNS_MAX) else {
            return Vec::new();
        };
        let rows = self.rows(&all, number);
        let others = self.names.len().saturating_sub(1).max(1);
        let chunks: Vec<&[ComparedRow<'_>]> = rows.chunks((DOTS_MAX / others).max(1)).collect();
        let last = chunks.len().saturating_sub(1);
        let overall = self.overall(number);
        let part = |(index, rows): (usize, &&[ComparedRow<'_>])| {
            self.forest(rows, number, overall.filter(|_| index == last))
        };
        chunks.iter().enumerate().filter_map(part).collect()
    }

    /// The ratios of some series, and the mean of all.
    pub(super) fn forest_figure(
        &self,
        series: &[&SeriesComparison],
        number: ComparedNumber<'_>,
    ) -> Option<Figure> {
        let rows = self.rows(series, number);
        let is_readable = self.names.len() <= RUNS_MAX;
        self.forest(&rows, number, self.overall(number)).filter(|_| is_readable)
    }

    fn rows<'s>(
        &self,
        series: &[&'s SeriesComparison],
        number: ComparedNumber<'_>,
    ) -> Vec<ComparedRow<'s>> {
        let row = |series: &&'s SeriesComparison| {
            let figure = find(series, number).filter(|figure| is_measured(figure))?;
            Some(ComparedRow { name: series_title(series), judge: judge_of(series), figure })
        };
        series.iter().filter_map(row).collect()
    }

    /// The mean over all series at a number.
    pub(super) fn overall(&self, (place, rule): ComparedNumber<'_>) -> Option<&Overall> {
        self.comparison.overall.iter().find(|overall| is_of(overall, (place, rule)))
    }

    fn forest(
        &self,
        part: &[ComparedRow<'_>],
        (place, rule): ComparedNumber<'_>,
        overall: Option<&Overall>,
    ) -> Option<Figure> {
        let language = self.language;
        let what = match (place, rule) {
            (Place::Sustained, Some(rule)) => {
                comparison::sustained(language, &common::within(language, rule))
            }
            _ => common::peak(language).to_owned(),
        };
        let row = |row: &ComparedRow<'_>| DotRow {
            name: row.name.clone(),
            weight: RowWeight::One,
            dots: self.dots(row.figure, row.judge),
        };
        let rows = part.iter().map(row).chain(overall.map(|overall| self.overall_row(overall)));
        let rows: Vec<DotRow> = rows.filter(|row| !row.dots.is_empty()).collect();
        let dots = || rows.iter().flat_map(|row| &row.dots);
        dots().next()?;
        let (reference, others) = self.names.split_first()?;
        let title = comparison::ratio_of(language, &what);
        let mut caption = format!("{title}. {}", comparison::dots_note(language, reference));
        if dots().any(|dot| dot.interval.is_some()) {
            caption += comparison::dots_margins(language);
        }
        if dots().any(|dot| dot.style == PointStyle::Hollow || dot.reach != Reach::Exact) {
            caption += comparison::dots_hollow(language);
        }
        caption += &overall.map(|overall| self.partial_means(overall)).unwrap_or_default();
        let runs: Vec<&str> = self.comparison.runs.iter().map(|run| run.id.as_str()).collect();
        let drawing = Dots {
            language,
            title,
            source: source(language, &runs),
            value: Axis::new(comparison::ratio_axis(language, reference), Scale::Ratio),
            series: others.iter().map(|name| (*name).to_owned()).collect(),
            reference: Some(1.0),
            band: Some(BAND),
            lanes: Lanes::Own,
            rows,
        };
        Some(Figure::new(caption, Drawing::Dots(drawing)))
    }

    /// Which of the means are over some of the series alone.
    fn partial_means(&self, overall: &Overall) -> String {
        let language = self.language;
        let told = |(index, difference): (usize, &Option<OverallDifference>)| {
            let bounded = difference.as_ref()?.bounded();
            let series = common::all_series(language, bounded as usize);
            (bounded > 0).then(|| comparison::partial_mean(language, self.names[index], &series))
        };
        overall.differences.iter().enumerate().filter_map(told).collect()
    }

    /// The geometric mean over all series.
    fn overall_row(&self, overall: &Overall) -> DotRow {
        let dot = |(index, difference): (usize, &Option<OverallDifference>)| {
            let difference = difference.as_ref()?;
            let interval = difference.interval_percent.map(|ends| ends.map(ratio));
            let label = self.ratio_text(ratio(difference.percent), interval);
            let mut series = self.comparison.series.iter();
            let is_partial = difference.bounded() > 0;
            let style = match is_partial || series.any(|series| series.is_disturbed(index)) {
                true => PointStyle::Hollow,
                false => PointStyle::Filled,
            };
            Some(Dot {
                series: index.checked_sub(1)?,
                value: ratio(difference.percent),
                interval,
                style,
                tooltip: format!("{}: {label}", self.names[index]),
                label,
                ..Dot::default()
            })
        };
        DotRow {
            name: comparison::geometric_mean(self.language).to_owned(),
            weight: RowWeight::Overall,
            dots: overall.differences.iter().enumerate().filter_map(dot).collect(),
        }
    }

    /// `1.59 (1.57 to 1.61)`.
    fn ratio_text(&self, value: f64, interval: Option<[f64; 2]>) -> String {
        let number = self.factor(value);
        match interval.map(|ends| ends.map(|end| self.factor(end))) {
            Some([low, high]) => {
                format!("{number} ({})", common::range(self.language, &low, &high))
            }
            None => number,
        }
    }

    /// The ratio of every other run to the reference.
    fn dots(&self, figure: &ComparedFigure, judge: PrimaryMetric) -> Vec<Dot> {
        let runs = figure.readings.iter().zip(&figure.differences).enumerate().skip(1);
        let dot = |(index, (reading, difference)): (usize, Run<'_>)| {
            let (reading, difference) = (reading.as_ref()?, difference.as_ref()?);
            let reach = match difference.bound {
                Bound::Exact => Reach::Exact,
                Bound::AtMost => Reach::AtMost,
                Bound::AtLeast => Reach::AtLeast,
            };
            let interval = difference.interval_percent.filter(|_| reach == Reach::Exact);
            let value = ratio(difference.percent);
            let text = match reach {
                Reach::Exact => self.ratio_text(value, interval.map(|ends| ends.map(ratio))),
                _ => {
                    let value = difference.bound.rounding().at(value, FACTOR_DECIMALS);
                    self.bounded(difference.bound, &self.factor(value))
                }
            };
            let absolute = judge.print(self.language, printed(reading));
            let reservations = figure.readings.first().into_iter().flatten().chain([reading]);
            let is_doubtful = reservations.flat_map(|reading| &reading.reservations).count() > 0;
            Some(Dot {
                series: index - 1,
                value,
                interval: interval.map(|ends| ends.map(ratio)),
                reach,
                style: if is_doubtful { PointStyle::Hollow } else { PointStyle::Filled },
                label: text,
                tooltip: format!(
                    "{}: {}",
                    self.names[index],
                    self.bounded(reading.bound, &absolute)
                ),
            })
        };
        runs.filter_map(dot).collect()
    }

    /// A ratio as it is printed.
    fn factor(&self, ratio: f64) -> String {
        self.language.written(&format!("{ratio:.2}"))
    }
}

/// Decimals of a ratio.
const FACTOR_DECIMALS: i32 = 2;

/// A number in a run, and how it differs from the reference.
type Run<'a> = (&'a Option<Reading>, &'a Option<Difference>);

/// A change in percent as a ratio.
fn ratio(percent: f64) -> f64 {
    1.0 + percent / 100.0
}

/// A rule further above the data than this would squeeze the curves.
const RULE_RATIO_MAX: f64 = 2.5;

/// Mean response time over throughput, a curve for each run; nothing where no curve has two points.
/// All measurements of a load are one point, the one that the tables are read off.
pub(super) fn figure(
    runs: &[RunPoints<'_>],
    series: &SeriesComparison,
    (names, language): (&[&str], Language),
) -> Option<Figure> {
    let judge = judge_of(series);
    let curves: Vec<Vec<PointResult>> = runs.iter().map(|run| run.of_series(series)).collect();
    if curves.iter().all(|points| points.len() < 2) {
        return None;
    }
    let curve = |(name, points): (&&str, &Vec<PointResult>)| {
        ChartSeries::new(*name, points.iter().map(|one| point(one, judge, language)).collect())
    };
    let caption = comparison::curves_caption(language, &series.series);
    let mut y =
        Axis::new(comparison::axis(language, common::mean_response(language), "ms"), Scale::Linear);
    let rules = rules((series, language), &curves);
    y.include = rules.iter().map(|rule| rule.value).collect();
    let responses = curves.iter().flatten().map(|point| point.latency_ms.mean).collect::<Vec<_>>();
    y.limit = axis_limit(&rules, &responses, TimeUnit::Ms);
    let caption = match y.limit {
        Some(_) => caption + figures::beyond(language),
        None => caption,
    };
    let chart = Chart {
        language,
        title: comparison::curves_caption(language, &series.series),
        source: source(language, &runs.iter().map(|run| run.id).collect::<Vec<_>>()),
        x: throughput_axis(judge, language),
        y,
        series: names.iter().zip(&curves).map(curve).collect(),
        rules,
        marks: Vec::new(),
        zones: Vec::new(),
    };
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

/// The axis of the throughput, in the unit that the runs are judged by.
/// As many ids are readable in small print.
const SOURCES_MAX: usize = 2;

/// Where the numbers of a figure are from.
fn source(language: Language, ids: &[&str]) -> String {
    match ids {
        [first, ..] if ids.len() > SOURCES_MAX => {
            figures::sources(language, &language.count(ids.len()), first)
        }
        few => few.join(", "),
    }
}

fn throughput_axis(judge: PrimaryMetric, language: Language) -> Axis {
    let throughput = common::throughput(language);
    Axis::new(comparison::axis(language, throughput, judge.unit()), Scale::Linear)
}

pub(super) fn judge_of(series: &SeriesComparison) -> PrimaryMetric {
    let is_bytes =
        series.figures.iter().any(|figure| figure.measure.quantity == Quantity::Throughput);
    if is_bytes {
        PrimaryMetric::Volume
    } else {
        PrimaryMetric::Rate(ThroughputUnit::under(series.load_unit))
    }
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

    /// The usable points of a series by rising load, one for each. A factor that differs between whole
    /// runs is no other series.
    fn of_series(&self, series: &SeriesComparison) -> Vec<PointResult> {
        let key = SeriesKey { name: &series.series, factors: &series.factors };
        let named = || self.by_name.get(key.name);
        let found = self.by_key.get(&key).or_else(named).into_iter().flatten().copied();
        merged_points(&found.collect::<Vec<_>>())
    }
}

fn point(point: &PointResult, judge: PrimaryMetric, language: Language) -> ChartPoint {
    let load = point.load;
    let (throughput, mean_ms) = (judge.estimate(point).mean, point.latency_ms.mean);
    let tooltip = format!(
        "{}: {}, {}",
        findings::load(language, load.value, load.unit),
        judge.print(language, throughput),
        language.response_time(mean_ms)
    );
    ChartPoint { x: throughput, y: mean_ms, style: style(point), tooltip, ..ChartPoint::default() }
}

/// The rules on the mean that lie near the data.
fn rules(
    (series, language): (&SeriesComparison, Language),
    curves: &[Vec<PointResult>],
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
