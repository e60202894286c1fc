//! The first page of a comparison: what was compared, what was found, one figure, one table, and how far
//! it goes.

use std::cmp::Ordering;

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, ComparedRun, OverallDifference, Reading, SeriesComparison,
};
use kneepoint_core::analysis::findings::change;
use kneepoint_core::result::{
    Change, Finding, Measure, Place, Quantity, RunDocument, Verdict, Warning, is_practical,
};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::rule::Metric;

use super::figures::{ComparedNumber, DOTS_MAX, find, is_measured, is_of, judge_of, number};
use super::{ComparisonWriter, printed, series_title};
use crate::content::view::{RunView, is_suspect};
use crate::content::{summary, system};
use crate::language::texts::{abstract_text, common, comparison, findings, front};
use crate::page::{Block, Column, Fact, Section, Table, TableCell, Text, Tone};

/// More findings than these are for the chapter behind.
const FINDINGS_MAX: usize = 5;
/// With more series than these the table and the figure have one of each profile.
const ROWS_MAX: usize = 12;
/// The id of the section on a series.
type SectionOf<'f> = &'f dyn Fn(&str) -> String;

/// More runs than these are too many for a table beside the figure: the bars in the table tell as much, and
/// the figure stands before the comparison of each series, or the first page would be no page.
pub(super) const BESIDE_MAX: usize = 2;

/// With the ids of more runs than this the first page would not be one screen; they stand at the end.
const IDS_MAX: usize = 3;

/// What was compared, in words: what the runs share, then each run with what it has for itself.
pub(super) fn facts(writer: &ComparisonWriter<'_>, surveys: &[RunView<'_>]) -> Vec<Fact> {
    let language = writer.language;
    let of_runs: Vec<Vec<Fact>> = surveys.iter().map(of_run).collect();
    let Some(first) = of_runs.first() else { return Vec::new() };
    let is_shared = |fact: &&Fact| of_runs.iter().all(|facts| facts.contains(fact));
    let shared: Vec<Fact> = first.iter().filter(is_shared).cloned().collect();
    let run = |(index, (run, facts)): (usize, (&ComparedRun, &Vec<Fact>))| {
        let head = match index {
            0 => comparison::reference(language),
            _ => front::run(language),
        };
        let mut text = Text::new().strong(writer.names[index]);
        let own = facts.iter().filter(|fact| !shared.contains(fact));
        for (place, fact) in own.enumerate() {
            text = text.plain(if place == 0 { ": " } else { "; " }).join(fact.value.clone());
        }
        match writer.names.len() <= IDS_MAX {
            true => Fact::new(head, text.plain(" (").code(&run.id).plain(")")),
            false => Fact::new(head, text),
        }
    };
    let runs = writer.comparison.runs.iter().zip(&of_runs).enumerate().map(run);
    runs.chain(shared.iter().cloned()).collect()
}

/// The ids of the runs, where there was no room for them before.
pub(super) fn ids(writer: &ComparisonWriter<'_>) -> Option<Text> {
    let runs = writer.comparison.runs.iter().zip(writer.names).enumerate();
    let text = Text::new().plain(comparison::run_ids(writer.language));
    let ids = runs.fold(text, |text, (index, (run, name))| {
        let mark = if index == 0 { " " } else { ", " };
        text.plain(mark).strong(*name).plain(" (").code(&run.id).plain(")")
    });
    (writer.names.len() > IDS_MAX).then(|| ids.plain("."))
}

/// What was measured in a run: the workload and the system.
fn of_run(survey: &RunView<'_>) -> Vec<Fact> {
    let work = Text::new().code(&survey.document.run.work);
    let work = Fact::new(front::work(survey.language), work);
    [work].into_iter().chain(system::facts(survey)).collect()
}

/// The first chapter.
pub(super) fn section(
    writer: &ComparisonWriter<'_>,
    documents: &[&RunDocument],
    (changes, id_of): (&[Finding], SectionOf<'_>),
) -> Section {
    let language = writer.language;
    let mut blocks = vec![Block::List(findings(writer, changes, id_of))];
    let chosen = chosen(writer);
    let number = chosen.number.filter(|_| writer.names.len() <= BESIDE_MAX);
    let figure = number.and_then(|number| writer.forest_figure(&chosen.series, number));
    let figure = figure.map(|figure| Block::Figures(vec![figure]));
    let table = table(writer, &chosen, id_of).map(Block::Table);
    blocks.extend([figure, table].into_iter().flatten());
    blocks.push(Block::Remark(caveats(writer, documents).into()));
    Section::new(summary::ID, crate::language::texts::summary::heading(language), blocks)
}

/// The series that are on the first page, and the number that they are compared by.
pub(super) struct ChosenSeries<'a> {
    series: Vec<&'a SeriesComparison>,
    number: Option<ComparedNumber<'a>>,
    /// Whether these are all that have the number.
    pub(super) has_all: bool,
}

/// All series, or of many the first of each profile.
pub(super) fn chosen<'a>(writer: &ComparisonWriter<'a>) -> ChosenSeries<'a> {
    let all: Vec<&SeriesComparison> = writer.comparison.series.iter().collect();
    let number = number(&all);
    let has = |series: &&&SeriesComparison| {
        number.is_some_and(|number| find(series, number).is_some_and(is_measured))
    };
    let all: Vec<&SeriesComparison> = all.iter().filter(has).copied().collect();
    let others = writer.names.len().saturating_sub(1).max(1);
    let most = (DOTS_MAX / others).clamp(1, ROWS_MAX);
    let has_all = all.len() <= most;
    let series = match has_all {
        true => all,
        false => {
            let profile = |series: &SeriesComparison| {
                series.series.split('/').next().unwrap_or_default().to_owned()
            };
            let profiles = distinct(all.iter().map(|series| profile(series)));
            let first = |name: &String| all.iter().copied().find(|of| profile(of) == *name);
            profiles.iter().filter_map(first).take(most).collect()
        }
    };
    ChosenSeries { series, number, has_all }
}

/// What was found, the most important first: each run as a whole, or that nothing can be told of it, the
/// largest and the smallest difference, response times.
fn findings(writer: &ComparisonWriter<'_>, changes: &[Finding], id_of: SectionOf<'_>) -> Vec<Text> {
    let language = writer.language;
    let changes: Vec<&Change> = changes
        .iter()
        .filter_map(|finding| match finding {
            Finding::Change(change) => Some(change),
            _ => None,
        })
        .collect();
    let mut found = of_runs(writer);
    let has_whole = (1..writer.names.len()).any(|run| is_told(writer, run));
    found.extend(ends(writer, &extremes(&of_throughput(writer, &changes)), id_of));
    found.extend(response(writer).map(|change| {
        let head = Text::new().strong(comparison::response(language)).plain(": ");
        let series = head.link(&change.series, id_of(&change.series));
        series.plain(format!(": {}", findings::change(language, &change, writer.names)))
    }));
    if changes.is_empty() && !has_whole {
        found.push(writer.nothing_found().into());
    }
    found.truncate(FINDINGS_MAX);
    found
}

/// The differences at both ends: a sentence each, or one if they cannot be told apart.
fn ends(
    writer: &ComparisonWriter<'_>,
    extremes: &[(Extreme, Change)],
    id_of: SectionOf<'_>,
) -> Vec<Text> {
    let language = writer.language;
    if let [(extreme, one), (_, other)] = extremes
        && are_alike(one, other)
    {
        let head = match extreme {
            Extreme::LargestGain | Extreme::SmallestGain => comparison::gains_alike(language),
            Extreme::LargestLoss | Extreme::SmallestLoss => comparison::losses_alike(language),
        };
        let told = |text: Text, change: &Change| {
            let text = text.plain(language.change(change.percent)).plain(" (");
            text.link(&change.series, id_of(&change.series)).plain(")")
        };
        let text = told(Text::new().strong(head).plain(": "), other);
        let text = told(text.plain(crate::language::texts::summary::to(language)), one);
        return vec![text.plain(".")];
    }
    let sentence = |(extreme, change): &(Extreme, Change)| {
        let head = Text::new().strong(extreme.words(writer)).plain(": ");
        let series = head.link(&change.series, id_of(&change.series));
        series.plain(format!(": {}", findings::change(language, change, writer.names)))
    };
    extremes.iter().map(sentence).collect()
}

/// Whether two changes of one run, in one direction and of one number, have intervals that overlap.
fn are_alike(one: &Change, other: &Change) -> bool {
    let ([low, high], [least, most]) = (one.interval_percent, other.interval_percent);
    let is_one_number = one.run == other.run && one.measure.place == other.measure.place;
    let is_one_way = one.percent.is_sign_positive() == other.percent.is_sign_positive();
    let is_exact = one.bound == Bound::Exact && other.bound == Bound::Exact;
    is_one_number
        && is_one_way
        && is_exact
        && one.rule == other.rule
        && low <= most
        && least <= high
}

/// How each run does over all series.
fn of_runs(writer: &ComparisonWriter<'_>) -> Vec<Text> {
    let sentence = |run: usize| {
        let (number, difference) = (chosen(writer).number, whole(writer, run));
        match writer.comparison.is_disturbed(run) {
            true => Some(of_disturbed(writer, run, difference)),
            false => overall_of(writer, (number?, run), difference),
        }
    };
    (1..writer.names.len()).filter_map(sentence).collect()
}

/// How a run does over all series by the number of the first page.
fn whole<'a>(writer: &ComparisonWriter<'a>, run: usize) -> Option<&'a OverallDifference> {
    let number = chosen(writer).number?;
    let mut overall = writer.comparison.overall.iter();
    overall.find(|one| is_of(one, number))?.differences.get(run)?.as_ref()
}

/// Whether it is known how a run does over all series, or known that it cannot be told.
fn is_told(writer: &ComparisonWriter<'_>, run: usize) -> bool {
    let has_interval = |whole: &OverallDifference| whole.interval_percent.is_some();
    writer.comparison.is_disturbed(run) || whole(writer, run).is_some_and(has_interval)
}

/// That nothing can be told of a run, and what was measured all the same.
fn of_disturbed(
    writer: &ComparisonWriter<'_>,
    run: usize,
    measured: Option<&OverallDifference>,
) -> Text {
    let language = writer.language;
    let text = comparison::disturbed_run(language, writer.names[run], writer.names[0]);
    let measured = measured.map(|found| {
        let series = common::all_series(language, found.series as usize);
        comparison::measured_all_the_same(language, &language.change(found.percent), &series)
    });
    Text::new().strong(text).plain(measured.unwrap_or_default())
}

/// How a run does over all series, or why that is not known; nothing where it is of no run.
fn overall_of(
    writer: &ComparisonWriter<'_>,
    ((place, rule), run): (ComparedNumber<'_>, usize),
    difference: Option<&OverallDifference>,
) -> Option<Text> {
    let (language, name, reference) = (writer.language, writer.names[run], writer.names[0]);
    let Some(difference) = difference else {
        // Of no run where there are too few series.
        writer.overall((place, rule))?;
        return Some(comparison::whole_of_too_few(language, name, reference).into());
    };
    let Some(interval_percent) = difference.interval_percent else {
        let (what, size) = (of_what(writer, rule), language.change(difference.percent));
        let text = comparison::whole_unknown(language, [name, reference, &what, &size]);
        return Some(Text::new().plain(text).plain(means_and_counts(writer, difference)));
    };
    let change = Change {
        series: String::new(),
        measure: Measure { place, quantity: Quantity::Iops },
        rule: rule.map(str::to_owned),
        run,
        percent: difference.percent,
        interval_percent,
        bound: Bound::Exact,
        factor: None,
    };
    Some(on_the_whole(writer, &change, difference))
}

fn on_the_whole(
    writer: &ComparisonWriter<'_>,
    change: &Change,
    difference: &OverallDifference,
) -> Text {
    let language = writer.language;
    let [low, high] = change.interval_percent;
    let is_known = low > 0.0 || high < 0.0;
    if is_practical(change.percent) && is_known {
        let sentence = Text::new().strong(findings::change(language, change, writer.names));
        return sentence.plain(means_and_counts(writer, difference));
    }
    let is_small = !is_practical(low) && !is_practical(high);
    let [size, low, high] = [change.percent, low, high].map(|end| language.change(end));
    let size = format!("{size} ({})", common::range(language, &low, &high));
    let what = of_what(writer, change.rule.as_deref());
    let parts = [writer.names[change.run], writer.names[0], &what, &size];
    let text = match is_known {
        _ if is_small => comparison::no_difference(language, parts),
        true => comparison::small(language, parts),
        false => comparison::undecided(language, parts),
    };
    Text::new().plain(text).plain(means_and_counts(writer, difference))
}

/// The number that runs are compared by: the throughput at a rule, or the peak.
fn of_what(writer: &ComparisonWriter<'_>, rule: Option<&str>) -> String {
    let language = writer.language;
    match rule {
        Some(rule) => comparison::in_throughput(language, &common::within(language, rule)),
        None => comparison::in_peak(language).to_owned(),
    }
}

/// What a mean over all series is made of.
fn means_and_counts(writer: &ComparisonWriter<'_>, difference: &OverallDifference) -> String {
    let language = writer.language;
    let series = common::all_series(language, difference.series as usize);
    let bounded = match difference.bounded() {
        0 => String::new(),
        count => comparison::bounded(language, &common::all_series(language, count as usize)),
    };
    let (mean, counts) =
        (comparison::mean_of(language, &series), comparison::counts(language, difference));
    format!("{mean}{bounded}{counts}")
}

/// The place of a difference among all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Extreme {
    LargestGain,
    SmallestGain,
    LargestLoss,
    SmallestLoss,
}

impl Extreme {
    const fn words(self, writer: &ComparisonWriter<'_>) -> &'static str {
        let language = writer.language;
        match self {
            Self::LargestGain => comparison::largest_gain(language),
            Self::SmallestGain => comparison::smallest_gain(language),
            Self::LargestLoss => comparison::largest_loss(language),
            Self::SmallestLoss => comparison::smallest_loss(language),
        }
    }
}

/// All differences of throughput: those of the findings, which have one number of each series, and those at
/// every rule and of the peak. What is called the largest is then larger than all that the tables have.
fn of_throughput(writer: &ComparisonWriter<'_>, findings: &[&Change]) -> Vec<Change> {
    let is_of_series = |figure: &&ComparedFigure| figure.measure.place != Place::EqualLoad;
    let all = writer.comparison.series.iter().flat_map(|series| {
        let figures = series.figures.iter().filter(is_of_series);
        figures.flat_map(move |figure| {
            (1..figure.differences.len()).filter_map(move |run| change(series, figure, run))
        })
    });
    let is_rate = |change: &Change| !matches!(change.measure.quantity, Quantity::Latency(_));
    let mut found: Vec<Change> = Vec::new();
    for change in
        findings.iter().map(|change| Change { factor: None, ..(*change).clone() }).chain(all)
    {
        if is_rate(&change) && !found.contains(&change) {
            found.push(change);
        }
    }
    found
}

/// The differences at both ends; the only one is the larger.
fn extremes(changes: &[Change]) -> Vec<(Extreme, Change)> {
    let mut throughput: Vec<&Change> = changes.iter().collect();
    throughput.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    let (Some(most), Some(least)) = (throughput.first(), throughput.last()) else {
        return Vec::new();
    };
    let ends = match (most.percent > 0.0, least.percent > 0.0) {
        (true, true) => [(Extreme::LargestGain, most), (Extreme::SmallestGain, least)],
        (true, false) => [(Extreme::LargestGain, most), (Extreme::LargestLoss, least)],
        _ => [(Extreme::LargestLoss, least), (Extreme::SmallestLoss, most)],
    };
    let count = throughput.len().min(ends.len());
    ends.into_iter().take(count).map(|(extreme, change)| (extreme, Change::clone(change))).collect()
}

/// The largest difference of mean response times at equal loads.
fn response(writer: &ComparisonWriter<'_>) -> Option<Change> {
    let quantity = Quantity::Latency(Metric::Mean);
    let wanted = Measure { place: Place::EqualLoad, quantity };
    let is_wanted = |figure: &&ComparedFigure| figure.measure == wanted;
    let runs = 1..writer.names.len();
    let all = writer.comparison.series.iter().flat_map(|series| {
        let figures = series.figures.iter().filter(is_wanted);
        let runs = runs.clone();
        figures
            .flat_map(move |figure| runs.clone().filter_map(move |run| change(series, figure, run)))
    });
    let size = |change: &Change| (1.0 + change.percent / 100.0).ln().abs();
    all.max_by(|a, b| size(a).partial_cmp(&size(b)).unwrap_or(Ordering::Equal))
}

/// The chosen series in all runs.
fn table(
    writer: &ComparisonWriter<'_>,
    chosen: &ChosenSeries<'_>,
    id_of: SectionOf<'_>,
) -> Option<Table> {
    let language = writer.language;
    let number = chosen.number?;
    let mut caption = match number {
        (Place::Sustained, Some(rule)) => {
            let within = common::within(language, rule);
            crate::language::texts::summary::sustained(language, &within)
        }
        _ => crate::language::texts::summary::at_peak(language).to_owned(),
    };
    if !chosen.has_all {
        caption += comparison::first_of_profile(language);
    }
    let mut columns = vec![Column::words(common::series(language))];
    columns.extend(writer.names.iter().map(|name| Column::numbers(*name)));
    let is_pair = writer.names.len() == BESIDE_MAX;
    columns.extend(is_pair.then(|| Column::numbers(common::change(language))));
    let row = |series: &&SeriesComparison| {
        let figure = find(series, number)?;
        let name = Text::new().link(series_title(series), id_of(&series.series));
        let name = name.plain(format!(", {}", judge_of(series).unit()));
        let mut cells = vec![TableCell::new(name)];
        cells.extend(values(writer, figure));
        if is_pair {
            let difference = figure.differences.get(1).and_then(Option::as_ref);
            cells.push(match difference {
                Some(difference) => writer.difference(difference)[0].clone(),
                None => common::nothing(),
            });
        }
        Some(cells)
    };
    let rows: Vec<Vec<TableCell>> = chosen.series.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table::plain(caption, columns).filled(rows))
}

/// A number in every run, with its share of the largest.
fn values(writer: &ComparisonWriter<'_>, figure: &ComparedFigure) -> Vec<TableCell> {
    let readings = figure.readings.iter().flatten();
    let most = readings.map(|reading| reading.value).fold(0.0, f64::max);
    let cell = |reading: &Reading| {
        let sign = match reading.bound {
            Bound::Exact => "",
            Bound::AtMost => "≤\u{a0}",
            Bound::AtLeast => "≥\u{a0}",
        };
        let number = format!("{sign}{}", writer.language.rate(printed(reading)));
        let tone = if reading.reservations.is_empty() { Tone::Plain } else { Tone::Caution };
        let cell = TableCell::new(number).tone(tone);
        match reading.bound {
            Bound::AtMost => cell,
            _ if most > 0.0 => cell.bar(reading.value / most),
            _ => cell,
        }
    };
    let cells = figure.readings.iter();
    cells.map(|reading| reading.as_ref().map_or_else(common::nothing, cell)).collect()
}

/// How far the numbers can be trusted, in two lines.
fn caveats(writer: &ComparisonWriter<'_>, documents: &[&RunDocument]) -> String {
    let language = writer.language;
    let points = || documents.iter().flat_map(|document| &document.points);
    let suspects: Vec<Verdict> =
        points().map(|point| point.verdict).filter(|verdict| is_suspect(*verdict)).collect();
    let words = distinct(suspects.iter().map(|one| common::verdict(language, *one).to_owned()));
    let words = common::either(language, &words);
    let valid = abstract_text::suspect(language, suspects.len(), points().count(), &words);
    let intervals = match writer.comparison.runs.iter().any(|run| run.is_simulated) {
        true => comparison::sampling_error(language),
        false => comparison::intervals(language),
    };
    let warned = |document: &&RunDocument| {
        let of_points = document.points.iter().flat_map(|point| &point.warnings);
        distinct(document.warnings.iter().chain(of_points).map(Warning::text)).len()
    };
    match documents.iter().map(warned).sum() {
        0 => format!("{valid}.{intervals}"),
        count => {
            let warnings = abstract_text::warnings(language, count);
            format!("{}{intervals}", comparison::warned(language, &valid, &warnings))
        }
    }
}
