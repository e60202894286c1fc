//! The key figures: every series at every rule, at its saturation knee and at its peak, as words,
//! in one table, and as dots.

use kneepoint_core::result::{
    Doubt, DoubtAbout, Estimate, PRACTICAL_PERCENT, PointResult, Saturation, SaturationStatus,
    Summary, SustainedStatus, ThroughputUnit, Verdict,
};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::{Measured, Rounding};
use kneepoint_core::words::rule::{Metric, Rule};

use super::curves::CurveSet;
use super::view::{PrimaryMetric, RunView, SeriesView, TimeUnit, sign};
use super::{processor, reference, summary};
use crate::figure::{Axis, Dot, DotRow, Dots, Drawing, Lanes, Reach, RowWeight, Scale};
use crate::language::Language;
use crate::language::texts::{common, figures, key_figures};
use crate::page::{Block, Column, ColumnGroup, Figure, Section, Table, TableCell, Text, Tone};

/// Id of the chapter.
pub(super) const ID: &str = "key-figures";

/// Rules side by side in one table.
const RULES_PER_TABLE: usize = 3;
/// More curves than this in one overview figure would be a tangle.
const CURVES_MAX: usize = 12;

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let mut blocks = Vec::new();
    if survey.series.is_empty() {
        blocks.push(Block::paragraph(key_figures::none(survey.language)));
        return Section::new(ID, key_figures::heading(survey.language), blocks);
    }
    if summary::is_single_load(survey) {
        let tables = PrimaryMetric::ALL.map(|judge| at_set_load(survey, judge));
        blocks.extend(scores(survey));
        blocks.extend(tables.into_iter().flatten().map(Block::Table));
        blocks.extend(Block::figures(figures(survey)));
        return Section::new(ID, key_figures::heading(survey.language), blocks);
    }
    blocks.extend(scores(survey));
    blocks.extend(Block::figures(processor::over_copies(survey).into_iter().collect()));
    blocks.extend(reference::stored(survey));
    let mut chunks: Vec<&[&str]> = survey.rules.chunks(RULES_PER_TABLE).collect();
    if chunks.is_empty() {
        blocks.push(Block::paragraph(key_figures::no_rule(survey.language)));
        chunks.push(&[]);
    }
    let tables = chunks.into_iter().flat_map(|rules| {
        PrimaryMetric::ALL.into_iter().filter_map(|judge| table(survey, judge, rules))
    });
    blocks.extend(tables.map(Block::Table));
    let found = match survey.is_visited() {
        true => key_figures::through_visits(survey.language),
        false => key_figures::between_points(survey.language),
    };
    let reading = match survey.is_io() {
        true => key_figures::reading(survey.language),
        false => key_figures::reading_work(survey.language),
    };
    let mut remark = key_figures::remark(survey.language, (reading, found));
    match multiples(survey).as_slice() {
        [] => {}
        [2] => remark = remark.plain(key_figures::overload_twice(survey.language)),
        _ => remark = remark.plain(key_figures::overload(survey.language)),
    }
    if let Some(loads) = survey.loads_of_each() {
        remark = remark.plain(format!(" {loads}"));
    }
    blocks.push(Block::Remark(remark));
    let overviews = PrimaryMetric::ALL.map(|judge| overview(survey, judge));
    let figures = figures(survey).into_iter().chain(overviews.into_iter().flatten());
    blocks.extend(Block::figures(figures.collect()));
    Section::new(ID, key_figures::heading(survey.language), blocks)
}

/// The scores of business operations, and how far they are to be trusted.
fn scores(survey: &RunView<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> =
        survey.series.iter().filter_map(score).map(Block::paragraph).collect();
    if !blocks.is_empty() {
        blocks.extend(disturbed_scores(survey));
    }
    blocks
}

/// How many of the points that scores take were disturbed, if any.
pub(super) fn disturbed_scores(survey: &RunView<'_>) -> Option<Block> {
    let language = survey.language;
    let points: Vec<&PointResult> = survey.document.points_of_scores().collect();
    let disturbed = points.iter().filter(|point| point.verdict == Verdict::Disturbed).count();
    (disturbed > 0).then(|| {
        let [disturbed, all] = [disturbed, points.len()].map(|count| language.count(count));
        Block::paragraph(key_figures::score_disturbed(language, &disturbed, &all))
    })
}

/// The score of a series of business operations, or that it has none.
fn score(series: &SeriesView<'_>) -> Option<String> {
    let (language, summary) = (series.language, series.summaries.first()?);
    if summary.load_unit != LoadUnit::Warehouses {
        return None;
    }
    Some(match summary.score {
        Some(score) => {
            let rate = format!("{} {}", language.rate(score.rate), series.judge.unit());
            let [from, to] = [score.from, score.to].map(|count| language.count_u64(count.into()));
            let range = key_figures::range(language, &from, &to);
            key_figures::score(language, series.name, &rate, &range)
        }
        None => key_figures::no_score(language, series.name),
    })
}

/// The series that are judged alike.
fn judged_by<'s, 'a>(survey: &'s RunView<'a>, judge: PrimaryMetric) -> Vec<&'s SeriesView<'a>> {
    survey.series.iter().filter(|series| series.judge == judge).collect()
}

/// What series reach that were measured at one load each: there is no curve, and no rule to meet.
fn at_set_load(survey: &RunView<'_>, judge: PrimaryMetric) -> Option<Table> {
    let language = survey.language;
    let alike = judged_by(survey, judge);
    let response = common::response_time(language);
    let times = alike.iter().flat_map(|series| &series.curve).map(|point| point.latency_ms.mean);
    let unit = TimeUnit::of(times);
    let columns = vec![
        Column::words(common::series(language)),
        Column::numbers(common::load_word(language)),
        Column::numbers(judge.unit()),
        Column::numbers("±"),
        Column::numbers(unit.title(common::mean_response(language))),
        Column::numbers(unit.title(&format!("{response} p99"))),
    ];
    let row = |series: &SeriesView<'_>| {
        let point = series.curve.first()?;
        let estimate = series.at_only_load()?;
        let half = estimate.ci95.filter(|_| estimate.mean > 0.0);
        let margin = half.map(|half| language.percent(100.0 * half / estimate.mean));
        let throughput = Text::new().strong(language.rate(estimate));
        Some(vec![
            TableCell::new(series.link()),
            TableCell::new(common::level(language, point.load))
                .detail(total(series, point.load.value)),
            TableCell::new(throughput),
            TableCell::new(common::known(margin)),
            TableCell::new(time(language, unit, point.latency_ms.estimate())),
            TableCell::new(common::known(
                point.latency_ms.p99.map(|p99| time(language, unit, p99)),
            )),
        ])
    };
    let rows: Vec<Vec<TableCell>> = alike.into_iter().filter_map(row).collect();
    let caption = key_figures::at_set_load(language, judge.unit());
    (!rows.is_empty()).then(|| Table::plain(caption, columns).filled(rows))
}

/// A time in milliseconds as a number of a unit.
fn time(language: Language, unit: TimeUnit, ms: impl Into<Measured>) -> String {
    language.rate(ms.into().scaled(unit.convert(1.0)))
}

/// The rules that series can meet: none if each was measured at one load only.
fn rules<'s>(survey: &'s RunView<'_>) -> &'s [&'s str] {
    match summary::is_single_load(survey) {
        true => &[],
        false => &survey.rules,
    }
}

/// What the highest throughput of a series is called.
fn of_peak(survey: &RunView<'_>) -> &'static str {
    match summary::is_single_load(survey) {
        true => common::throughput(survey.language),
        false => figures::peak_dot(survey.language),
    }
}

/// The series that are judged alike, all numbers of a column in one unit.
fn table(survey: &RunView<'_>, judge: PrimaryMetric, rules: &[&str]) -> Option<Table> {
    let language = survey.language;
    let alike = judged_by(survey, judge);
    let mut groups = vec![Column::words(common::series(language)).into()];
    if !rules.is_empty() {
        let rule = |rule: &&str| Column::numbers(common::within_title(language, rule));
        let rules = rules.iter().map(rule);
        groups.push(ColumnGroup::new(key_figures::sustained_at(language), rules));
    }
    let unit = common_unit(&alike);
    let load = unit.map_or(common::load_word(language), |unit| common::load_title(language, unit));
    let load = match alike.iter().any(|series| series.target_count().is_some()) {
        true => &common::each_target(language, load),
        false => load,
    };
    let knees = alike.iter().filter_map(|series| knee_of(series)?.latency_ms);
    let times = TimeUnit::of(knees);
    let response = times.title(common::mean_response(language));
    let saturation = [common::throughput(language), load, &response].map(Column::numbers);
    groups.push(ColumnGroup::new(key_figures::saturation(language), saturation));
    groups.push(ColumnGroup::new("", [Column::numbers(common::peak(language))]));
    let multiples = multiples_of(&alike);
    if !multiples.is_empty() {
        let column = |times: &u32| Column::numbers(key_figures::times_the_knee(language, *times));
        let columns = multiples.iter().map(column);
        groups.push(ColumnGroup::new(key_figures::of_the_peak(language), columns));
    }
    let row = |series: &&SeriesView<'_>| {
        let cells = row(series, rules, (unit, times));
        cells.into_iter().chain(overload(series, &multiples)).collect()
    };
    let table = Table::new(key_figures::caption(language, judge.unit()), groups);
    (!alike.is_empty()).then(|| table.filled(alike.iter().map(row)))
}

/// The multiples of the knee's load at which the throughput of a series is known.
fn multiples(survey: &RunView<'_>) -> Vec<u32> {
    multiples_of(&survey.series.iter().collect::<Vec<_>>())
}

fn multiples_of(series: &[&SeriesView<'_>]) -> Vec<u32> {
    let all = series.iter().flat_map(|series| series.overload());
    let mut multiples = distinct(all.map(|found| found.times));
    multiples.sort_unstable();
    multiples
}

/// How much of the peak is left at multiples of the knee's load.
fn overload(series: &SeriesView<'_>, multiples: &[u32]) -> Vec<TableCell> {
    let cell = |times: &u32| match series.overload().iter().find(|found| found.times == *times) {
        Some(found) => TableCell::new(series.language.percent(found.peak_percent.round())),
        None => common::nothing(),
    };
    multiples.iter().map(cell).collect()
}

/// The units of the loads of a table, if it is one, and of its times.
type Units = (Option<LoadUnit>, TimeUnit);

fn row(series: &SeriesView<'_>, rules: &[&str], units: Units) -> Vec<TableCell> {
    let mut cells = vec![TableCell::new(series.link())];
    for rule in rules {
        let summary = series.summaries.iter().find(|summary| summary.rule == *rule);
        cells.push(match summary {
            Some(summary) => {
                let standing = sustained(series, summary);
                let headline = Text::new().strong(standing.headline);
                TableCell::new(headline).detail(standing.detail).tone(standing.tone)
            }
            None => common::nothing(),
        });
    }
    cells.extend(saturation(series, units));
    cells.push(match peak(series) {
        Some((peak, load)) => {
            TableCell::new(peak.headline).detail(common::at(series.language, &load)).tone(peak.tone)
        }
        None => common::nothing(),
    });
    cells
}

/// Throughput, load and response time of the saturation knee.
fn saturation(series: &SeriesView<'_>, (unit, times): Units) -> [TableCell; 3] {
    let Some((standing, found)) = saturation_of(series) else {
        return std::array::from_fn(|_| common::nothing());
    };
    let response = found.latency_ms.map(|ms| time(series.language, times, found.ci95.latency(ms)));
    let throughput = TableCell::new(standing.headline);
    // A number alone if the head of the column says the unit.
    let load = match unit {
        Some(_) => series.language.level(found.load),
        None => common::load(series.language, found.load, series.load_unit()),
    };
    [
        throughput.detail(standing.detail).tone(standing.tone),
        TableCell::new(load).detail(total(series, found.load)),
        TableCell::new(common::known(response)),
    ]
}

/// The load of all targets together, if there are several.
fn total(series: &SeriesView<'_>, load: f64) -> String {
    let total = series.total_load(load);
    total.map(|total| common::total_of(series.language, &total)).unwrap_or_default()
}

/// The unit of the loads of all series, if it is the same.
fn common_unit(alike: &[&SeriesView<'_>]) -> Option<LoadUnit> {
    let unit = alike.first()?.load_unit();
    alike.iter().all(|series| series.load_unit() == unit).then_some(unit)
}

/// Response time over throughput of all series that are judged alike, where that compares any.
fn overview(survey: &RunView<'_>, judge: PrimaryMetric) -> Option<Figure> {
    let language = survey.language;
    let alike: Vec<&SeriesView<'_>> = survey
        .series
        .iter()
        .filter(|series| series.judge == judge && !series.curve().is_empty())
        .collect();
    let of_several_profiles = survey.groups().len() > 1;
    if !of_several_profiles || !(2..=CURVES_MAX).contains(&alike.len()) {
        return None;
    }
    let subject = match judge {
        PrimaryMetric::Rate(ThroughputUnit::Iops) => figures::random_series(language),
        PrimaryMetric::Rate(_) => figures::other_series(language),
        PrimaryMetric::Volume => figures::sequential_series(language),
    };
    CurveSet::new(survey, alike, subject).response(Metric::Mean)
}

/// More rows than this would not be looked at; the table has them all.
const SERIES_MAX: usize = 40;
/// More rules than this would crowd the rows.
const RULES_MAX: usize = 4;

/// Dots of the series with random access, and of those with sequential access, where there is
/// more than one.
pub(super) fn figures(survey: &RunView<'_>) -> Vec<Figure> {
    PrimaryMetric::ALL.into_iter().filter_map(|judge| figure(survey, judge)).collect()
}

pub(super) fn figure(survey: &RunView<'_>, judge: PrimaryMetric) -> Option<Figure> {
    let (language, rules) = (survey.language, rules(survey));
    let alike: Vec<&SeriesView<'_>> =
        survey.series.iter().filter(|series| series.judge == judge).collect();
    if !(2..=SERIES_MAX).contains(&alike.len()) || rules.len() > RULES_MAX {
        return None;
    }
    let rows: Vec<DotRow> = alike.iter().map(|series| dot_row(survey, series)).collect();
    let dots = || rows.iter().flat_map(|row| &row.dots);
    dots().next()?;
    let is_single = summary::is_single_load(survey);
    let title = match judge {
        PrimaryMetric::Rate(ThroughputUnit::Iops) => figures::dots_random(language),
        PrimaryMetric::Rate(_) => figures::dots_other(language),
        PrimaryMetric::Volume => figures::dots_sequential(language),
    };
    let notes = [
        (dots().any(|dot| dot.interval.is_some()), figures::dots_margins(language)),
        (rows.iter().any(|row| row.dots.len() <= rules.len()), figures::dots_note(language)),
        (dots().any(|dot| dot.reach != Reach::Exact), figures::dots_bounds(language)),
    ];
    let notes = notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| format!(" {note}"));
    let title = match is_single {
        // One unit of one load beside another.
        true => key_figures::at_set_load(language, judge.unit()),
        false => title.to_owned(),
    };
    let caption = notes.fold(format!("{title}."), |caption, note| caption + &note);
    let names =
        rules.iter().map(|rule| figures::at_rule(language, &common::within(language, rule)));
    let dots = Dots {
        language,
        title,
        source: survey.source(),
        value: match is_single {
            true => Axis::new(figures::throughput_in(language, judge.unit()), Scale::Linear),
            false => Axis::new(figures::sustained_in(language, judge.unit()), Scale::Linear),
        },
        series: names.chain([of_peak(survey).to_owned()]).collect(),
        reference: None,
        band: None,
        lanes: Lanes::Shared,
        rows,
    };
    Some(Figure::new(caption, Drawing::Dots(dots)))
}

/// Sustained at every rule, or the bound of it, and the peak.
fn dot_row(survey: &RunView<'_>, series: &SeriesView<'_>) -> DotRow {
    let (judge, rules) = (series.judge, rules(survey));
    let exact = |estimate: Estimate| Dot {
        value: estimate.mean,
        interval: estimate.ci95.map(|half| [estimate.mean - half, estimate.mean + half]),
        label: survey.language.rate(estimate),
        ..Dot::default()
    };
    let bound = |bound: Estimate, status: SustainedStatus| Dot {
        value: bound.mean,
        reach: match status {
            SustainedStatus::NoneMeets => Reach::AtMost,
            _ => Reach::AtLeast,
        },
        label: {
            let printed = Measured::from(bound).rounded(status.rounding());
            format!("{}\u{a0}{}", sign(status), survey.language.rate(printed))
        },
        ..Dot::default()
    };
    let sustained = rules.iter().enumerate().filter_map(|(index, rule)| {
        let summary = series.summaries.iter().find(|summary| summary.rule == *rule)?;
        let found = &summary.sustained;
        let known = judge.sustained(found).map(|value| Dot {
            label: survey.language.rate(series.printed_sustained(found).unwrap_or(value)),
            ..exact(value)
        });
        let limit = || judge.bound(found).map(|value| bound(value, found.status));
        let rule = figures::at_rule(survey.language, &common::within(survey.language, rule));
        Some((rule, Dot { series: index, ..known.or_else(limit)? }))
    });
    let peak = series.peak().map(|peak| {
        let dot = Dot { series: rules.len(), ..exact(judge.peak(&peak)) };
        (of_peak(survey).to_owned(), dot)
    });
    let told = |(what, dot): (String, Dot)| Dot {
        tooltip: format!("{what}: {} {}", dot.label, judge.unit()),
        ..dot
    };
    DotRow {
        name: series.name.to_owned(),
        weight: RowWeight::One,
        dots: sustained.chain(peak).map(told).collect(),
    }
}

/// A result with what it needs to be understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SeriesReadout {
    /// The result: a number in the unit of its table, which may be a bound, or why there is none.
    pub(super) headline: String,
    /// At which load; may be empty.
    pub(super) detail: String,
    pub(super) tone: Tone,
}

impl SeriesReadout {
    /// Nothing can be told.
    fn unknown(language: Language) -> Self {
        let headline = key_figures::unknown(language).to_owned();
        Self { headline, detail: String::new(), tone: Tone::Muted }
    }

    /// A number that is only a bound, with the response time that makes it one.
    fn bound(headline: Option<String>, detail: String) -> Self {
        Self { headline: common::known(headline), detail, tone: Tone::Plain }
    }

    /// The number with what it rests on, if that has a reservation.
    fn doubted(self, doubt: Option<String>) -> Self {
        let Some(doubt) = doubt else { return self };
        let detail = [self.detail, format!("({doubt})")];
        let detail = detail.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        Self { detail: detail.join(" "), tone: Tone::Caution, ..self }
    }
}

/// Where the series meets the summary's rule.
pub(super) fn sustained(series: &SeriesView<'_>, summary: &Summary) -> SeriesReadout {
    let (found, curve) = (&summary.sustained, series.curve());
    let response = |point: Option<&&PointResult>| {
        point.map(|point| response(series, point, summary)).unwrap_or_default()
    };
    let bounded = || {
        let bound = Measured::from(series.judge.bound(found)?).rounded(found.status.rounding());
        Some(format!("{} {}", sign(found.status), series.language.rate(bound)))
    };
    let standing = match found.status {
        SustainedStatus::Met => met(series, summary),
        SustainedStatus::NoneMeets => SeriesReadout::bound(bounded(), response(curve.first())),
        SustainedStatus::AllMeet => {
            let response = match response(curve.last()) {
                none if none.is_empty() => none,
                response => key_figures::still(series.language, &response),
            };
            SeriesReadout::bound(bounded(), response)
        }
        SustainedStatus::Unknown => SeriesReadout::unknown(series.language),
    };
    standing.doubted(doubtful(series, summary, DoubtAbout::Sustained))
}

fn met(series: &SeriesView<'_>, summary: &Summary) -> SeriesReadout {
    let language = series.language;
    let found = &summary.sustained;
    let (Some(value), Some(printed)) =
        (series.judge.sustained(found), series.printed_sustained(found))
    else {
        return SeriesReadout::unknown(language);
    };
    let load = found.load.map(|load| series.at_load(load));
    let load = load.map(|load| common::at(language, &load));
    let half = value.ci95.filter(|_| value.mean > 0.0);
    let margin = half.map(|half| format!("±{}", language.percent(100.0 * half / value.mean)));
    let detail = [margin, load].into_iter().flatten().collect::<Vec<_>>().join(", ");
    SeriesReadout { headline: language.rate(printed), tone: Tone::Plain, detail }
}

/// The response time that the rule looks at, and the load: `3.20 ms at 64 outstanding I/Os`.
fn response(series: &SeriesView<'_>, point: &PointResult, summary: &Summary) -> String {
    let language = series.language;
    let rule = summary.rule.parse::<Rule>().ok();
    let mean = point.latency_ms.estimate();
    let time = match rule {
        None | Some(Rule { metric: Metric::Mean, class: None, .. }) => language.response_time(mean),
        Some(rule) => language.response_time(rule.value_ms(point).unwrap_or(mean.mean)),
    };
    let load = series.at_load(point.load.value);
    common::what_at(language, &time, &load)
}

/// Why a number of the summary is to be read with a reservation, if it is.
pub(super) fn doubtful(
    series: &SeriesView<'_>,
    summary: &Summary,
    about: DoubtAbout,
) -> Option<String> {
    let language = series.language;
    let doubts = summary.doubts.iter().filter(|doubt| doubt.about == about);
    let phrase = |doubt: &Doubt| {
        let load = common::at_load(language, doubt.load, summary.load_unit);
        let load = series.load_of().words(language, load);
        key_figures::doubt(language, &load, common::verdict(language, doubt.verdict))
    };
    let phrases: Vec<String> = doubts.map(phrase).collect();
    (!phrases.is_empty()).then(|| common::listed(language, &phrases))
}

/// The peak as two texts: throughput, load behind a preposition.
fn peak(series: &SeriesView<'_>) -> Option<(SeriesReadout, String)> {
    let language = series.language;
    let summary = series.summaries.iter().find(|summary| summary.peak.is_some())?;
    let peak = summary.peak?;
    let standing = throughput(series, series.judge.peak(&peak), Rounding::Nearest);
    let mut load = series.at_load(peak.load);
    if let Some(collapse) = peak.collapse() {
        let percent = language.percent(collapse.percent.round());
        let at = series.at_load_of_each(collapse.load);
        load = format!("{load}{}", key_figures::collapse(language, &percent, &at));
    }
    if let Some((percent, at)) = above_peak(series, peak.load) {
        let percent = language.percent(percent.round());
        load = format!("{load}{}", key_figures::above(language, &percent, &at));
    }
    Some((standing, load))
}

/// By how many percent a higher load exceeds the peak, and the load; nothing if by less than matters.
fn above_peak(series: &SeriesView<'_>, load: f64) -> Option<(f64, String)> {
    let rate = |point: &&PointResult| series.judge.estimate(point).mean;
    let peak = rate(&series.curve.iter().find(|point| point.load.value == load)?);
    let higher = series.curve.iter().filter(|point| point.load.value > load);
    let highest = higher.max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
    let percent = 100.0 * (rate(&highest) / peak - 1.0);
    let at = series.at_load_of_each(highest.load.value);
    (percent >= PRACTICAL_PERCENT && percent.is_finite()).then_some((percent, at))
}

/// The saturation knee.
fn knee_of(series: &SeriesView<'_>) -> Option<Saturation> {
    series.summaries.iter().find_map(|summary| summary.saturation)
}

/// The saturation knee with its throughput.
fn saturation_of(series: &SeriesView<'_>) -> Option<(SeriesReadout, Saturation)> {
    let found = knee_of(series)?;
    let rates = found.ci95.throughput(found.rate, found.volume);
    let rounding = match found.status {
        SaturationStatus::Reached => Rounding::Nearest,
        SaturationStatus::Rising => Rounding::Down,
    };
    let rate = series.judge.choose(rates.0, rates.1)?;
    let mut standing = throughput(series, rate, rounding);
    if found.status == SaturationStatus::Rising {
        standing.headline = format!("≥ {}", standing.headline);
        standing.detail = key_figures::rising(series.language).to_owned();
    }
    Some((standing, found))
}

/// The throughput of the peak, in the unit that the series is judged by.
fn throughput(series: &SeriesView<'_>, number: Estimate, rounding: Rounding) -> SeriesReadout {
    let headline = series.language.rate(Measured::from(number).rounded(rounding));
    let summary = series.summaries.first();
    let doubt = summary.and_then(|summary| doubtful(series, summary, DoubtAbout::Peak));
    SeriesReadout { headline, detail: String::new(), tone: Tone::Plain }.doubted(doubt)
}
