//! The results, profile by profile and series by series; in the appendix every measurement.

use kneepoint_core::measure::search::is_visited;
use kneepoint_core::result::{
    IntervalResult, PointResult, SteadyStateResult, Summary, ThroughputUnit,
};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::number::{Difference, Measured};
use kneepoint_core::words::rule::Metric;

use super::curves::{CurveSet, style};
use super::view::{Group, RunView, SeriesView, line_ms, sign};
use super::{curves, grid, points, profile};
use crate::figure::{Drawing, Interval, PointStyle, Strip};
use crate::language::texts::{common, figures, series};
use crate::page::{
    Block, Column, ColumnGroup, Figure, Section, Table, TableCell, Text, numbered_id,
};

/// The figures of every profile; nothing where there are none.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let mut section = Section::new("results", series::heading(survey.language), Vec::new());
    for (index, group) in survey.groups().iter().enumerate() {
        let id = numbered_id("profile", index, group.profile);
        let blocks = Block::figures(figures(survey, group)).into_iter().collect();
        section.sections.push(Section::new(id, group.profile, blocks));
    }
    section.sections.retain(|part| !part.blocks.is_empty());
    (!section.sections.is_empty()).then_some(section)
}

/// What tells the most of a profile: the response time that the first rule looks at, and the grid.
fn figures(survey: &RunView<'_>, group: &Group<'_, '_>) -> Vec<Figure> {
    if group.series.iter().all(|series| series.curve.len() < 2) {
        return Vec::new();
    }
    let subject = subject(survey, &group.series);
    let curves = CurveSet::new(survey, group.series.clone(), &subject);
    let rule = survey.rules.first().and_then(|rule| line_ms(rule));
    let metric = rule.map_or(Metric::Mean, |(metric, _)| metric);
    curves.response(metric).into_iter().chain(grid::heat_map(survey, group)).collect()
}

/// Id of the details.
const DETAILS_ID: &str = "series";

/// Every profile and series in detail, where anything was measured.
pub(super) fn details(survey: &RunView<'_>) -> Option<Section> {
    if survey.series.is_empty() {
        return None;
    }
    let loads = survey.loads_of_each().map(|loads| format!(" {loads}")).unwrap_or_default();
    let intro = Block::paragraph(format!("{}{loads}", series::data_intro(survey.language)));
    let mut section = Section::new(DETAILS_ID, series::data_heading(survey.language), vec![intro]);
    for (index, group) in survey.groups().iter().enumerate() {
        section.sections.push(group_details(survey, group, index));
    }
    Some(section)
}

/// A profile; the figures of its only series stand together.
fn group_details(survey: &RunView<'_>, group: &Group<'_, '_>, index: usize) -> Section {
    if let [only] = group.series.as_slice() {
        let mut figures = shared(survey, &[only], only.name);
        if survey.groups().len() <= SERIES_WITH_DISTRIBUTIONS_MAX {
            figures.extend(own(survey, only));
        }
        return assemble(survey, only, figures);
    }
    let id = numbered_id("details", index, group.profile);
    let mut section = Section::new(id, group.profile, Vec::new());
    let mut figures = shared(survey, &group.series, &subject(survey, &group.series));
    figures.extend(grid::over_block_size(survey, group));
    section.blocks.extend(Block::figures(figures));
    for (place, series) in group.series.iter().enumerate() {
        let is_drawn = place == 0 || survey.series.len() <= SERIES_WITH_DISTRIBUTIONS_MAX;
        let figures = if is_drawn { own(survey, series) } else { Vec::new() };
        section.sections.push(assemble(survey, series, figures));
    }
    section
}

/// Several series as a caption calls them.
fn subject(survey: &RunView<'_>, series: &[&SeriesView<'_>]) -> String {
    match series {
        [first, .., last] if series.len() > 3 => {
            let count = survey.language.count(series.len());
            figures::series_between(survey.language, &count, first.name, last.name)
        }
        _ => {
            let names: Vec<String> = series.iter().map(|series| series.name.to_owned()).collect();
            common::listed(survey.language, &names)
        }
    }
}

fn assemble(survey: &RunView<'_>, series: &SeriesView<'_>, figures: Vec<Figure>) -> Section {
    let mut blocks = profile::blocks(survey, series);
    blocks.extend(Block::figures(figures));
    blocks.extend(knee(series));
    blocks.extend(means(survey, series));
    blocks.extend(points::complete(series));
    blocks.extend(rounds(series));
    blocks.extend(strips(series));
    if survey.series.len() <= SERIES_WITH_KEY_STRIPS_MAX {
        blocks.extend(key_strips(series));
    }
    Section::new(&series.id, series.name, blocks)
}

/// The means of repeated measurements, where there are any.
fn means(survey: &RunView<'_>, series: &SeriesView<'_>) -> Vec<Block> {
    let language = series.language;
    let Some(table) = points::means(series) else { return Vec::new() };
    let variation = series.summaries.iter().find_map(|summary| summary.variation);
    let variation = variation.map(|variation| {
        let percent = language.percent(variation.between_percent);
        let repetitions = common::repetitions(language, variation.repetitions as usize);
        let said = match (series.rate_unit(), series.curve.len()) {
            (ThroughputUnit::Ratio, 1) => series::ratios_differ,
            (ThroughputUnit::Ratio, _) => series::variation_of_ratios,
            (_, 1) => series::differ,
            (_, _) => series::variation,
        };
        said(language, &percent, &repetitions)
    });
    let repeated = match survey.has_passes() {
        true => series::passed(language, series.repetitions()),
        false => {
            let of_percentiles = match has_histograms(series) {
                true => series::percentiles_of_all(language),
                false => series::percentiles_of_slowest(language),
            };
            let weighted = match is_visited(&series.points) {
                true => series::weighted(language),
                false => "",
            };
            series::repeated(language, series.repetitions()) + weighted + of_percentiles
        }
    };
    let remark = repeated + &variation.unwrap_or_default();
    vec![Block::Table(table), Block::remark(remark)]
}

/// Whether all response times are known of the loads that were measured several times.
fn has_histograms(series: &SeriesView<'_>) -> bool {
    let is_repeated = |point: &&&PointResult| {
        series.points.iter().filter(|other| other.load == point.load).count() > 1
    };
    series.points.iter().filter(is_repeated).all(|point| point.histograms.is_some())
}

/// Figures that several series can share, other than those of the chapter on results.
fn shared(survey: &RunView<'_>, series: &[&SeriesView<'_>], subject: &str) -> Vec<Figure> {
    let curves = CurveSet::new(survey, series.to_vec(), subject);
    let shown = survey.rules.first().and_then(|rule| line_ms(rule));
    let shown = shown.map_or(Metric::Mean, |(metric, _)| metric);
    let others = metrics(series).into_iter().filter(|metric| *metric != shown);
    let response = others.filter_map(|metric| curves.response(metric));
    curves.throughput().into_iter().chain(response).collect()
}

/// With more series than this, their percentiles over load are left to the tables.
const SERIES_WITH_PERCENTILES_MAX: usize = 12;

/// With more series than this, the distribution of response times is drawn for the first series of each profile, and
/// with more profiles for none; the tables have the percentiles of all. A page of hundreds of points would be larger
/// than a megabyte.
const SERIES_WITH_DISTRIBUTIONS_MAX: usize = 20;

/// Figures of one series alone.
fn own(survey: &RunView<'_>, series: &SeriesView<'_>) -> Vec<Figure> {
    let few = survey.series.len() <= SERIES_WITH_PERCENTILES_MAX;
    let over_load = few.then(|| curves::over_load(survey, series)).flatten();
    over_load.into_iter().chain(curves::by_nines(survey, series)).collect()
}

/// The response times that rules look at; the mean always.
fn metrics(series: &[&SeriesView<'_>]) -> Vec<Metric> {
    let mut metrics = vec![Metric::Mean];
    for summary in series.iter().flat_map(|series| &series.summaries) {
        metrics.extend(line_ms(&summary.rule).map(|(metric, _)| metric));
    }
    distinct(metrics)
}

/// The table of a series that was searched; nothing for a grid.
pub(super) fn knee(series: &SeriesView<'_>) -> Vec<Block> {
    let searched: Vec<&Summary> =
        series.summaries.iter().copied().filter(|summary| summary.search.is_some()).collect();
    if searched.is_empty() {
        return Vec::new();
    }
    let load = series.load_title();
    let unit = series.rate_unit().symbol();
    let columns = vec![
        Column::words(common::rule_word(series.language)),
        Column::numbers(unit),
        Column::numbers("±"),
    ];
    let groups = vec![
        ColumnGroup::new("", columns),
        ColumnGroup::new(
            series::at_the_rule(series.language),
            [load.as_str(), series::bracket(series.language)].map(Column::numbers),
        ),
        Column::words(series::stopped_because(series.language)).into(),
    ];
    let mut table = Table::new(series::knee(series.language, series.name), groups);
    searched.iter().for_each(|summary| table.push(knee_row(series, summary)));
    vec![Block::Table(table), Block::remark(probes(series))]
}

fn knee_row(series: &SeriesView<'_>, summary: &Summary) -> Vec<TableCell> {
    let language = series.language;
    let sustained = &summary.sustained;
    let met_load = sustained.met().and_then(|found| found.load);
    let total = met_load.and_then(|load| series.total_load(load));
    let total = total.map(|total| common::total_of(language, &total));
    let number = |value: Option<Measured>| TableCell::new(common::volume(language, value));
    let bracket = sustained.met().and_then(|found| found.bracket).map(|ends| {
        let [low, high] = ends.map(|end| language.level(end));
        common::range(language, &low, &high)
    });
    let recorded = summary.search.as_ref().map_or("", |search| search.stopped_because.as_str());
    let reason = match series::reason(language, recorded) {
        Some(known) => Text::from(known),
        None => common::recorded(language, recorded),
    };
    vec![
        TableCell::new(common::within_title(language, &summary.rule)),
        match sustained.bound() {
            Some(bound) => TableCell::new(format!(
                "{} {}",
                sign(sustained.status),
                language.rate(
                    Measured::from(bound.throughput().0).rounded(sustained.status.rounding())
                )
            )),
            None => number(sustained.rate.map(Measured::from)),
        },
        points::margin(language, sustained.met().and_then(|found| found.rate).unwrap_or_default()),
        number(met_load.map(Measured::from)).detail(total.unwrap_or_default()),
        TableCell::new(common::known(bracket)),
        TableCell::new(reason),
    ]
}

/// The loads in the order in which they were measured, and how the one at the rule was found.
fn probes(series: &SeriesView<'_>) -> String {
    let level = |value: f64| series.language.level(value);
    let loads: Vec<String> = series.in_order.iter().map(|p| level(p.load.value)).collect();
    let probes = series::probes(series.language, &loads.join(", "));
    let is_between = |summary: &&Summary| {
        let bracket = summary.sustained.met().and_then(|found| found.bracket);
        summary.search.is_some() && bracket.is_some_and(|[low, high]| low < high)
    };
    // Of loads that were visited, the chapter on the method says how.
    match series.summaries.iter().any(is_between) && !is_visited(&series.points) {
        true => probes + series::interpolated(series.language),
        false => probes,
    }
}

/// More strips than this per series would not be looked at.
const STRIPS_MAX: usize = 6;

/// Strips of the points whose verdict is neither steady nor time limit.
pub(super) fn strips(series: &SeriesView<'_>) -> Vec<Block> {
    let is_shown =
        |point: &&PointResult| style(point) == PointStyle::Hollow && !point.intervals.is_empty();
    let doubtful: Vec<&PointResult> = series.points.iter().copied().filter(is_shown).collect();
    if doubtful.is_empty() {
        return Vec::new();
    }
    let shown = doubtful.len().min(STRIPS_MAX);
    let language = series.language;
    let text = match doubtful.len() {
        all if all == shown => figures::strips_of_all(language).to_owned(),
        all => figures::strips_of_some(language, &language.count(shown), &language.count(all)),
    };
    let strips = doubtful[..shown].iter().map(|point| strip(series, point)).collect();
    vec![Block::paragraph(text), Block::Strips(strips)]
}

/// With more series than this, what their key points did over time is left to the data.
const SERIES_WITH_KEY_STRIPS_MAX: usize = 8;
/// Fewer intervals than this show nothing of how a point went.
const INTERVALS_MIN: usize = 4;

/// Strips of the points that the numbers rest on: the highest load within each rule, and the peak.
fn key_strips(series: &SeriesView<'_>) -> Vec<Block> {
    let within = |summary: &&Summary| {
        let load = summary.sustained.met().and_then(|found| found.load)?;
        let loads = series.points.iter().map(|point| point.load.value);
        loads.filter(|value| *value <= load).max_by(f64::total_cmp)
    };
    let loads = series.summaries.iter().filter_map(within);
    let loads = distinct(loads.chain(series.peak().map(|peak| peak.load)).map(f64::to_bits));
    let is_shown = |point: &&&PointResult| {
        style(point) == PointStyle::Filled && point.intervals.len() >= INTERVALS_MIN
    };
    let of_load = |load: u64| {
        let mut points = series.points.iter().filter(is_shown);
        points.find(|point| point.load.value.to_bits() == load).copied()
    };
    let strips: Vec<Figure> =
        loads.into_iter().filter_map(of_load).map(|point| strip(series, point)).collect();
    match strips.is_empty() {
        true => Vec::new(),
        false => {
            let text = match series.curve.len() {
                1 => figures::key_strips_of_one(series.language),
                _ => figures::key_strips(series.language),
            };
            vec![Block::paragraph(text), Block::Strips(strips)]
        }
    }
}

fn strip(series: &SeriesView<'_>, point: &PointResult) -> Figure {
    let (judge, language) = (series.judge, series.language);
    let load = common::level(language, point.load);
    let verdict = &common::verdict_of(language, point);
    let estimate = judge.estimate(point);
    let strip = Strip {
        language: series.language,
        title: figures::strip(language, series.name, &load),
        heading: figures::strip_heading(language, &load, verdict, &judge.print(language, estimate)),
        value: figures::throughput_in(language, judge.unit()),
        intervals: point.intervals.iter().map(|interval| bar(series, interval)).collect(),
        mean: estimate.mean,
        margin: estimate.ci95,
        verdict: verdict.to_owned(),
        style: style(point),
    };
    Figure::new("", Drawing::Strip(strip))
}

fn bar(series: &SeriesView<'_>, interval: &IntervalResult) -> Interval {
    let (judge, language) = (series.judge, series.language);
    let response = language.response_time(interval.latency_mean_ms);
    let value = judge.interval(interval);
    Interval {
        start_s: interval.start_s,
        length_s: interval.length_s,
        value,
        tooltip: format!(
            "{} s: {}, {}",
            language.rate(interval.start_s),
            judge.print(language, value),
            figures::mean(language, &response)
        ),
    }
}

/// Strips of the rounds of every point that has them.
pub(super) fn rounds(series: &SeriesView<'_>) -> Vec<Block> {
    let strips: Vec<Figure> =
        series.points.iter().filter_map(|point| round_strip(series, point)).collect();
    if strips.is_empty() {
        return Vec::new();
    }
    vec![Block::paragraph(figures::rounds(series.language)), Block::Strips(strips)]
}

fn round_strip(series: &SeriesView<'_>, point: &PointResult) -> Option<Figure> {
    let steady = point.steady_state.as_ref()?;
    let load = common::level(series.language, point.load);
    let strip = Strip {
        language: series.language,
        title: figures::rounds_strip(series.language, series.name, &load),
        heading: format!("{load}: {}", outcome(series, steady)),
        value: figures::throughput_in(series.language, "IO/s"),
        intervals: bars(series, steady),
        mean: steady.window.map_or(point.rate.mean, |window| window.rate_mean),
        margin: None,
        verdict: common::verdict(series.language, point.verdict).to_owned(),
        style: style(point),
    };
    Some(Figure::new("", Drawing::Strip(strip)))
}

/// `range 3.1 %, slope -0.4 %` of the last rounds, or how many there were too few of.
fn outcome(series: &SeriesView<'_>, steady: &SteadyStateResult) -> String {
    let language = series.language;
    let Some(window) = steady.window else {
        return figures::few_rounds(language, &common::rounds(language, steady.rounds.len()));
    };
    let range = language.written(&format!("{:.1}%", window.range_percent));
    let slope = language.written(&format!("{}%", Difference(window.slope_percent, 1)));
    figures::steady(language, &range, &slope)
}

fn bars(series: &SeriesView<'_>, steady: &SteadyStateResult) -> Vec<Interval> {
    let language = series.language;
    let bar = |(index, round): (usize, &kneepoint_core::result::RoundResult)| Interval {
        start_s: round.start_s,
        length_s: steady.round_s,
        value: round.rate,
        tooltip: figures::round(
            language,
            &language.count(index + 1),
            &language.iops(round.rate),
            &language.response_time(round.latency_mean_ms),
        ),
    };
    steady.rounds.iter().enumerate().map(bar).collect()
}
