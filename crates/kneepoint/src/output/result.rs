//! A run as tables: the summary first, then every point, the copies of files, and what limits its
//! trust.

use std::collections::BTreeMap;

use kneepoint_core::analysis::between::BetweenRuns;
use kneepoint_core::analysis::points_of_table;
use kneepoint_core::plan::is_by_turns;
use kneepoint_core::result::series_key::SeriesKey;
use kneepoint_core::result::{
    CopySummary, Doubt, DoubtAbout, Estimate, OpenLoopResult, Overload, PointResult,
    ProcessorAnalysis, ProcessorScore, RunDocument, Saturation, SaturationStatus, Summary,
    SustainedStatus, Throughput, ThroughputUnit, Verdict, Warning,
};
use kneepoint_core::spec::factor::{Combination, combination_text};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::{LoadPer, LoadUnit};
use kneepoint_core::words::number::{
    Level, Measured, MibPerS, Percentage, Rate, ResponseTime, RoundedBytes, Rounding,
};
use kneepoint_core::words::printable::printable;

use super::between::between_text;
use super::effects::effects_text;
use super::flushes::flushes_text;
use super::heading::heading;
use super::reference::reference_text;
use super::rounds::{rounds_text, told_points};
use super::rule::{within, within_title};
use super::table::{Align, TextTable};
use super::text::{Text, Tone, Width};
use super::user_counts::user_counts_text;

/// The same without earlier searches.
#[cfg(test)]
pub(crate) fn run_text(document: &RunDocument, width: Width) -> Text {
    run_text_beside(document, &[], width)
}

/// The whole run as text with what earlier searches of its plan found, its tables no wider than `width`.
pub(crate) fn run_text_beside(
    document: &RunDocument,
    earlier: &[BetweenRuns],
    width: Width,
) -> Text {
    let mut parts = vec![heading(document)];
    if document.points.is_empty() {
        parts.push(Text::from("No point was measured.\n"));
    } else {
        parts.push(summary_text(document, width));
        parts.extend(rounds_text(document).map(Text::from));
        parts.extend(search_text(&document.analysis.summaries, &document.points).map(Text::from));
        parts.extend(user_counts_text(&document.analysis.users, width));
        parts.extend(reference_text(document).map(Text::from));
        parts.extend(between_text(earlier));
        parts.extend(doubts_text(document).map(Text::from));
        parts.extend(effects_text(document, width));
        parts.push(points_text(&told_points(document), width));
        parts.extend(flushes_text(&document.points, width));
    }
    parts.extend(copies_text(document, width));
    let mut warnings = warnings_text(document);
    warnings.append(copy_warnings(document));
    parts.push(warnings);
    Text::join(parts, "\n")
}

/// Sustained throughput at each rule, and the peak as the saturation knee, one line per series.
fn summary_text(document: &RunDocument, width: Width) -> Text {
    let summaries = document.analysis.summaries.iter();
    let rules = distinct(summaries.map(|summary| summary.rule.as_str()));
    let mut columns = vec![("Series".to_owned(), Align::Left)];
    columns.extend(rules.iter().map(|rule| (within_title(rule), Align::Right)));
    let targets = targets_of(&document.points);
    let at_load = if targets.is_empty() { "at load" } else { AT_LOAD_OF_ALL };
    let rest = ["Saturation", at_load, "Response"];
    columns.extend(rest.map(|title| (title.to_owned(), Align::Right)));
    let is_overloaded = |summary: &Summary| !summary.overload.is_empty();
    let overload = document.analysis.summaries.iter().any(is_overloaded).then_some(OVERLOAD);
    columns.push((overload.unwrap_or_default().to_owned(), Align::Right));
    let mut table = TextTable::new(&columns);
    table.can_spare(&[OVERLOAD, at_load]);
    let first = first_points(&document.points);
    for (series, summaries) in series_of(&document.analysis.summaries) {
        let judge = Judge::of(first.get(&series).copied());
        let targets = targets.get(&series).copied();
        table.row(summary_row((series, judge, targets), &summaries, &rules));
    }
    let mut text = table.fitted(width);
    if !targets.is_empty() {
        text.push(Tone::Plain, TARGETS_NOTE);
    }
    text.push(Tone::Plain, rising_text(&document.analysis.summaries));
    text.push(Tone::Plain, collapse_text(&document.analysis.summaries));
    text.push(Tone::Plain, score_text(&document.analysis.summaries));
    text.push(Tone::Plain, processor_text(document.analysis.processor.as_ref()));
    text.push(Tone::Plain, disturbed_scores_text(document));
    if overload.is_some_and(|title| !text.spared().iter().any(|spared| spared == title)) {
        text.push(Tone::Plain, OVERLOAD_NOTE);
    }
    text
}

/// The scores of business operations, a line each.
fn score_text(summaries: &[Summary]) -> String {
    let line = |(series, summaries): (SeriesKey<'_>, Vec<&Summary>)| {
        let score = summaries.first()?.score?;
        Some(format!(
            "{series} scores {} op/s, the mean of {} to {} warehouses; not comparable with published \
             benchmarks\n",
            Rate(score.rate),
            score.from,
            score.to
        ))
    };
    series_of(summaries).into_iter().filter_map(line).collect()
}

/// The scores of all members of the processor suite, a line each, and what peak flags gain.
fn processor_text(processor: Option<&ProcessorAnalysis>) -> String {
    let Some(processor) = processor else { return String::new() };
    let is_of_all = |score: &&ProcessorScore| score.class.is_none();
    let mut lines = Vec::new();
    for score in processor.scores.iter().filter(is_of_all) {
        let copies = copies_at(score.copies, &score.factors);
        lines.push(match (score.flags, &score.reference) {
            (Some(flags), _) => format!(
                "{} members with {} flags, {copies}: {} times the reference machine{}{}\n",
                score.members,
                flags.name(),
                Rate(score.ratio),
                share_text(score.ratio),
                if score.is_short { ", of little work" } else { "" },
            ),
            (None, machine) => format!(
                "{} programs of your own, {copies}: {} times {}{}\n",
                score.members,
                Rate(score.ratio),
                printable(machine.as_deref().unwrap_or("the reference")),
                share_text(score.ratio),
            ),
        });
    }
    for gain in processor.gains.iter().filter(|gain| gain.class.is_none()) {
        let width = gain.percent.ci95.map_or_else(String::new, |width| format!(" +-{width:.1}"));
        lines.push(format!(
            "Peak against base flags, {}: {:+.1}{width} %\n",
            copies_at(gain.copies, &gain.factors),
            gain.percent.mean
        ));
    }
    for step in processor.steps.iter().filter(|step| step.class.is_none()) {
        let width =
            step.score_percent.ci95.map_or_else(String::new, |width| format!(" +-{width:.1}"));
        let flags =
            step.flags.map_or_else(String::new, |flags| format!("{} flags, ", flags.name()));
        lines.push(format!(
            "{} {} against {} ({:+.1} %), {flags}{}: {:+.1}{width} %\n",
            printable(&step.factor),
            printable(&step.to),
            printable(&step.from),
            step.setting_percent,
            copies_at(step.copies, &step.others),
            step.score_percent.mean
        ));
    }
    if !lines.is_empty() {
        lines.push("Geometric means; not comparable with published benchmarks\n".to_owned());
    }
    lines.concat()
}

/// The 95 % interval of a number as a share of it, where it is known.
fn share_text(estimate: Estimate) -> String {
    let share = estimate.ci95.map(|width| 100.0 * width / estimate.mean);
    share.map_or_else(String::new, |percent| format!(" (+-{percent:.1} %)"))
}

/// Copies, and the settings that were varied: `2 copies at cpus=1`.
fn copies_at(copies: u32, factors: &Combination) -> String {
    let copies = format!("{copies} {}", LoadUnit::Copies.label_of(f64::from(copies)));
    match factors.is_empty() {
        true => copies,
        false => format!("{copies} at {}", printable(&combination_text(factors))),
    }
}

/// How many of the points that scores take were disturbed, if any.
fn disturbed_scores_text(document: &RunDocument) -> String {
    let points: Vec<&PointResult> = document.points_of_scores().collect();
    match points.iter().filter(|point| point.verdict == Verdict::Disturbed).count() {
        0 => String::new(),
        count => format!("Disturbed points among the {} that scores take: {count}\n", points.len()),
    }
}

/// The columns of loads, of each target and of all.
const AT_LOAD_OF_ALL: &str = "at load (total)";
const LOAD_OF_ALL: &str = "Load (total)";

/// Their explanation.
const TARGETS_NOTE: &str =
    "Loads are those of each target (and in total); throughput is that of all targets\n";

/// How many targets each series was measured on, of those with several.
fn targets_of(points: &[PointResult]) -> BTreeMap<SeriesKey<'_>, usize> {
    let is_each = |point: &&PointResult| point.load.unit.per() == LoadPer::Target;
    let several = points.iter().filter(|point| point.targets.len() > 1);
    several.filter(is_each).map(|point| (point.key(), point.targets.len())).collect()
}

/// A load, and with several targets that of all together.
fn load_text(load: f64, targets: Option<usize>) -> String {
    match targets {
        Some(count) => format!("{} ({})", Level(load), Level(load * count as f64)),
        None => Level(load).to_string(),
    }
}

/// The column for what is left of the peak beyond the saturation knee.
const OVERLOAD: &str = "Overload";

/// The explanation of this column.
const OVERLOAD_NOTE: &str =
    "Overload: of the peak, what is left at 2 and at 4 times the load of the saturation knee\n";

/// The series whose throughput falls beyond its peak, a line each.
fn collapse_text(summaries: &[Summary]) -> String {
    let line = |summary: &Summary| {
        let collapse = summary.peak?.collapse()?;
        Some(format!(
            "Throughput of {} falls by {} at {} {}.\n",
            summary.key(),
            Percentage(collapse.percent.round()),
            Level(collapse.load),
            summary.load_unit.label_of(collapse.load),
        ))
    };
    distinct(summaries.iter().filter_map(line)).concat()
}

/// The series whose throughput still rises at the highest load.
fn rising_text(summaries: &[Summary]) -> String {
    let is_rising = |found: Saturation| found.status == SaturationStatus::Rising;
    let rising = summaries.iter().filter(|summary| summary.saturation.is_some_and(is_rising));
    let rising = distinct(rising.map(|summary| summary.key().to_string()));
    match rising.as_slice() {
        [] => String::new(),
        [one] => format!("Throughput of {one} still rises at the highest load.\n"),
        several => format!(
            "Throughput of {} series still rises at the highest load: those with >= at saturation.\n",
            several.len()
        ),
    }
}

/// The results of the searches for the knee, why they ended, and how repetitions vary.
fn search_text(summaries: &[Summary], points: &[PointResult]) -> Option<String> {
    let mut text = String::new();
    let first = first_points(points);
    for summary in summaries {
        if let Some(search) = &summary.search {
            let judge = Judge::of(first.get(&summary.key()).copied());
            text.push_str(&format!(
                "{} {}: {}; {} points, stopped because {}{}\n",
                summary.key(),
                within(&summary.rule),
                found_text(summary, judge),
                search.points,
                search.stopped_because,
                disturbed_text(&search.disturbed_loads),
            ));
        }
    }
    text.push_str(&variation_text(summaries));
    (!text.is_empty()).then_some(text)
}

/// The points that a search concluded from although they were disturbed every time.
fn disturbed_text(loads: &[f64]) -> String {
    if loads.is_empty() {
        return String::new();
    }
    let loads: Vec<String> = loads.iter().map(|load| Level(*load).to_string()).collect();
    format!("; rests on what was disturbed every time, at load {}", loads.join(" and "))
}

/// The result of a search: the throughput and the load at the rule, or a bound.
fn found_text(summary: &Summary, judge: Judge) -> String {
    let sustained = &summary.sustained;
    if let Some((rate, load)) = sustained.met().and_then(|found| found.rate.zip(found.load)) {
        let ci95 =
            rate.ci95.map_or_else(String::new, |ci| format!(" +-{}", Rate(Measured::margin(ci))));
        let bracket = match sustained.bracket {
            Some([low, high]) if low < high => {
                format!(" (between {} and {})", Level(low), Level(high))
            }
            _ => String::new(),
        };
        let unit = summary.load_unit.label_of(load);
        return format!("{}{ci95} at {} {unit}{bracket}", judge.per_s(rate), Level(load));
    }
    match sustained.bound() {
        Some(bound) => {
            let rate = Measured::from(bound.throughput().0).rounded(sustained.status.rounding());
            format!("{} {}", sign(sustained.status), judge.per_s(rate))
        }
        None => "no value".to_owned(),
    }
}

/// The side on which a rate lies that is only bounded.
const fn sign(status: SustainedStatus) -> &'static str {
    if matches!(status, SustainedStatus::NoneMeets) { "<" } else { ">=" }
}

/// The numbers that rest on points that drift or are disturbed, in one line.
fn doubts_text(document: &RunDocument) -> Option<String> {
    let summaries = &document.analysis.summaries;
    let doubts = || summaries.iter().flat_map(|summary| &summary.doubts);
    let first = doubts().next()?;
    let doubted = distinct(summaries.iter().flat_map(|summary| {
        let number = |doubt: &Doubt| doubted_number(summary, doubt.about);
        let doubts = summary.doubts.iter();
        doubts.map(move |doubt| (number(doubt), doubt.load.to_bits(), doubt.verdict.name()))
    }));
    let (number, ..) = doubted.first()?;
    let verdicts = distinct(doubts().map(|doubt| doubt.verdict.name()));
    let is_disturbed = doubts().any(|doubt| doubt.verdict == Verdict::Disturbed);
    let again = match is_disturbed && !is_by_turns(&document.plan) {
        true => "; `kneepoint resume --disturbed` measures disturbed points again",
        false => "",
    };
    let verdicts = verdicts.join(" or ");
    let numbers = distinct(doubted.iter().map(|(number, ..)| number)).len();
    Some(match (numbers, doubted.len()) {
        (1, 1) => {
            let load = Level(first.load);
            format!("{number} rests on the point at load {load}, which is {verdicts}{again}\n")
        }
        (1, _) => format!("{number} rests on points that are {verdicts}{again}\n"),
        _ => format!("{numbers} numbers above rest on points that are {verdicts}{again}\n"),
    })
}

/// The number of a summary that a doubt is about; what all rules share has one name for all.
fn doubted_number(summary: &Summary, about: DoubtAbout) -> String {
    let number = match about {
        DoubtAbout::Sustained => format!("throughput {}", within(&summary.rule)),
        DoubtAbout::Peak => "peak".to_owned(),
        DoubtAbout::Saturation => "saturation knee".to_owned(),
    };
    format!("{}: the {number}", summary.key())
}

/// How the repetitions of each series vary, one line per series.
fn variation_text(summaries: &[Summary]) -> String {
    let line = |summary: &Summary| {
        // Of copies of programs every interval comes from what varies between passes.
        let variation = summary.variation.filter(|_| summary.load_unit != LoadUnit::Copies)?;
        let within = variation
            .within_percent
            .map_or_else(|| "unknown".to_owned(), |percent| format!("+-{}", Percentage(percent)));
        Some(format!(
            "{}: the peak varies by {} between {} repetitions (confidence within one: {within})\n",
            summary.key(),
            Percentage(variation.between_percent),
            variation.repetitions,
        ))
    };
    distinct(summaries.iter().filter_map(line)).concat()
}

fn summary_row(
    (series, judge, targets): (SeriesKey<'_>, Judge, Option<usize>),
    summaries: &[&Summary],
    rules: &[&str],
) -> Vec<String> {
    let mut row = vec![series.to_string()];
    row.extend(rules.iter().map(|rule| {
        let found = summaries.iter().find(|summary| summary.rule == *rule);
        found.map_or_else(String::new, |summary| judge.sustained(summary))
    }));
    let unknown = || "-".to_owned();
    let saturation = summaries.iter().find_map(|summary| summary.saturation);
    let peak = summaries.iter().find_map(|summary| summary.peak);
    row.extend(match (saturation, peak) {
        (Some(found), _) => [
            judge.saturation(&found),
            load_text(found.load, targets),
            found
                .latency_ms
                .map_or_else(unknown, |ms| ResponseTime(found.ci95.latency(ms)).to_string()),
        ],
        // One load says what is reached at the least.
        (None, Some(peak)) => [
            format!(">= {}", judge.rounded(Rounding::Down, peak.rate, peak.volume)),
            load_text(peak.load, targets),
            ResponseTime(peak.latency()).to_string(),
        ],
        (None, None) => [unknown(), unknown(), unknown()],
    });
    let overload = summaries.first().map_or(&[][..], |summary| &summary.overload);
    let left = |found: &Overload| Percentage(found.peak_percent.round()).to_string();
    row.push(overload.iter().map(left).collect::<Vec<_>>().join(", "));
    row
}

/// Sequential series are judged by MiB/s, all others by operations per second.
#[derive(Debug, Clone, Copy)]
struct Judge {
    unit: ThroughputUnit,
    is_sequential: bool,
}

impl Judge {
    /// How a series is judged whose first point this is.
    fn of(point: Option<&PointResult>) -> Self {
        Self {
            unit: point.map_or(ThroughputUnit::Iops, |point| point.rate.unit),
            is_sequential: point.is_some_and(PointResult::is_sequential),
        }
    }

    /// Operations per second with their unit.
    fn per_s(self, rate: impl Into<Measured> + Copy) -> String {
        self.unit.text(rate)
    }

    fn rate(self, rate: Estimate, volume: Option<Estimate>) -> String {
        self.rounded(Rounding::Nearest, rate, volume)
    }

    /// The number that the series is judged by; a bound on its own side.
    fn rounded(self, rounding: Rounding, rate: Estimate, volume: Option<Estimate>) -> String {
        let printed = |number: Estimate| Measured::from(number).rounded(rounding);
        match volume.filter(|_| self.is_sequential) {
            Some(volume) => MibPerS(printed(volume)).to_string(),
            None => self.per_s(printed(rate)),
        }
    }

    fn sustained(self, summary: &Summary) -> String {
        let found = &summary.sustained;
        let met = found.met().and_then(|met| Some((met.rate?, met.volume)));
        match (met, found.bound()) {
            (Some((rate, volume)), _) => self.rate(rate, volume),
            (None, Some(bound)) => {
                let (rate, volume) = bound.throughput();
                let bound = self.rounded(found.status.rounding(), rate, volume);
                format!("{} {bound}", sign(found.status))
            }
            (None, None) => "-".to_owned(),
        }
    }

    fn saturation(self, found: &Saturation) -> String {
        let (rate, volume) = found.ci95.throughput(found.rate, found.volume);
        match found.status {
            SaturationStatus::Reached => self.rate(rate, volume),
            SaturationStatus::Rising => {
                format!(">= {}", self.rounded(Rounding::Down, rate, volume))
            }
        }
    }
}

/// The series in the order of their first appearance, each with its summaries.
fn series_of(summaries: &[Summary]) -> Vec<(SeriesKey<'_>, Vec<&Summary>)> {
    let mut by_key: BTreeMap<SeriesKey<'_>, Vec<&Summary>> = BTreeMap::new();
    for summary in summaries {
        by_key.entry(summary.key()).or_default().push(summary);
    }
    let keys = distinct(summaries.iter().map(Summary::key));
    keys.into_iter().map(|key| (key, by_key.remove(&key).unwrap_or_default())).collect()
}

/// The first point of every series.
fn first_points(points: &[PointResult]) -> BTreeMap<SeriesKey<'_>, &PointResult> {
    let mut first = BTreeMap::new();
    for point in points {
        first.entry(point.key()).or_insert(point);
    }
    first
}

/// Every point, one line each.
fn points_text(points: &[PointResult], width: Width) -> Text {
    let is_late = points.iter().filter_map(|point| point.open_loop).any(|open| open.is_late());
    let targets = targets_of(points);
    let units = distinct(points.iter().map(|point| point.rate.unit.symbol()));
    let rates = units.join(" or ");
    let right = Align::Right;
    let mut table = TextTable::new(&[
        ("Series", Align::Left),
        (if targets.is_empty() { "Load" } else { LOAD_OF_ALL }, right),
        (rates.as_str(), right),
        (if points.iter().any(|point| point.volume.is_some()) { "MiB/s" } else { "" }, right),
        ("mean", right),
        (if is_late { "late" } else { "" }, right),
        ("p50", right),
        ("p99", right),
        ("p99.9", right),
        ("max", right),
        (if points.iter().any(|point| point.storage.is_some()) { "achieved" } else { "" }, right),
        ("CPU", right),
        ("Verdict", Align::Left),
    ]);
    table.can_spare(&["achieved", "CPU", "p99.9", "p50", "max", "MiB/s"]);
    for point in &points_of_table(points) {
        let late = point.open_loop.filter(|_| is_late);
        let targets = targets.get(&point.key()).copied();
        table.row_ending(verdict_tone(point), point_row((point, targets), late));
    }
    let mut text = table.fitted(width);
    if is_late {
        text.push(Tone::Plain, LATENESS);
    }
    text
}

/// The explanation of the column of the lateness.
const LATENESS: &str = "late: how long after they were due I/Os were submitted, on average; part of \
                        the response time\n";

/// A number, or nothing.
fn known(number: Option<impl Into<Measured>>) -> String {
    number.map_or_else(String::new, |number| Rate::<Measured>(number.into()).to_string())
}

/// The cells of a point; `late` if its lateness is shown.
fn point_row(
    (point, targets): (&PointResult, Option<usize>),
    late: Option<OpenLoopResult>,
) -> Vec<String> {
    let latency = &point.latency_ms;
    let time = |ms: f64| ResponseTime(ms).to_string();
    let maybe = |ms: Option<f64>| ms.map_or_else(String::new, time);
    vec![
        point.key().to_string(),
        load_text(point.load.value, targets),
        Rate(point.rate.estimate()).to_string(),
        known(point.volume.map(Throughput::estimate)),
        ResponseTime(latency.estimate()).to_string(),
        late.map_or_else(String::new, |open| time(open.lag_mean_ms)),
        maybe(latency.p50),
        maybe(latency.p99),
        maybe(latency.p99_9),
        time(latency.max),
        known(point.storage.map(|storage| storage.achieved_outstanding)),
        point.cpu_percent.map_or_else(String::new, |cpu| Percentage(cpu.round()).to_string()),
        point.verdict_text(),
    ]
}

/// The warnings about the run and its points; a warning that several points share is
/// shown once, with the first of them and the number of the others.
fn warnings_text(document: &RunDocument) -> Text {
    let mut text = Text::new();
    for warning in document.warnings.iter().chain(&document.analysis.warnings()) {
        text.append(warning_line(&warning.text()));
    }
    for (point, warning, others) in shared_warnings(&document.points) {
        let more = match others {
            0 => String::new(),
            1 => " (and 1 more point)".to_owned(),
            _ => format!(" (and {others} more points)"),
        };
        let warning = format!("{}, {}: {}{more}", point.key(), point.load, warning.text());
        text.append(warning_line(&warning));
    }
    text
}

fn warning_line(warning: &str) -> Text {
    Text::marked(Tone::Caution, "warning: ", &format!("{}\n", printable(warning)))
}

/// The first point of every kind of warning on every host, its text, and how many other points have it.
fn shared_warnings(points: &[PointResult]) -> Vec<(&PointResult, &Warning, usize)> {
    let mut kinds: Vec<(&PointResult, &Warning, usize)> = Vec::new();
    let mut places: BTreeMap<(Option<&str>, String), usize> = BTreeMap::new();
    for point in points {
        for warning in &point.warnings {
            let kind = (warning.host(), warning.bare().kind());
            let place = *places.entry(kind).or_insert(kinds.len());
            match kinds.get_mut(place) {
                Some((_, _, others)) => *others += 1,
                None => kinds.push((point, warning, 0)),
            }
        }
    }
    kinds
}

/// The copies and their rates; nothing if there are none.
pub(crate) fn copies_text(document: &RunDocument, width: Width) -> Option<Text> {
    let first = document.copies.first()?;
    let mut table = TextTable::of(
        &["File copy", "Cache", "MiB/s", "+-", "median", "files/s", "+-", "Copies", "Target"],
        &["MiB/s", "+-", "median", "files/s", "Copies"],
    );
    table.can_spare(&["+-", "median", "Copies"]);
    for summary in &document.analysis.copies {
        table.row(copy_row(summary));
    }
    let set = format!(
        "{} files in {} directories, {} ({} bytes); +- is the 95 % confidence interval\n",
        first.files,
        first.directories,
        RoundedBytes(first.bytes),
        first.bytes
    );
    let mut text = table.fitted(width);
    text.push(Tone::Plain, set);
    for summary in &document.analysis.copies {
        if let Some(error) = &summary.error {
            let failed = format!("{}: {error}\n", copy_kind(summary));
            text.append(Text::marked(Tone::Bad, "failed: ", &failed));
        }
    }
    Some(text)
}

/// The warnings of copies, each once with the kinds that have it.
fn copy_warnings(document: &RunDocument) -> Text {
    let mut kinds: Vec<(&Warning, Vec<String>)> = Vec::new();
    for summary in &document.analysis.copies {
        for warning in &summary.warnings {
            match kinds.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, of)) => of.push(copy_kind(summary)),
                None => kinds.push((warning, vec![copy_kind(summary)])),
            }
        }
    }
    let mut lines = Text::new();
    for (warning, of) in kinds {
        lines.append(warning_line(&format!("{}: {}", of.join(", "), warning.text())));
    }
    lines
}

fn copy_kind(summary: &CopySummary) -> String {
    format!("file copy by {} ({})", summary.method.name(), summary.cache.name())
}

fn copy_row(summary: &CopySummary) -> Vec<String> {
    let mut row = vec![summary.method.name().to_owned(), summary.cache.name().to_owned()];
    let margin = |estimate: Estimate| {
        estimate
            .ci95
            .map_or_else(|| "-".to_owned(), |width| Rate(Measured::margin(width)).to_string())
    };
    match summary.rates {
        Some(rates) => row.extend([
            Rate(rates.throughput_mib_s).to_string(),
            margin(rates.throughput_mib_s),
            Rate(rates.throughput_mib_s_median).to_string(),
            Rate(rates.files_per_s).to_string(),
            margin(rates.files_per_s),
        ]),
        None => row.extend(["failed", "-", "-", "-", "-"].map(str::to_owned)),
    }
    row.extend([summary.copies.to_string(), summary.target.clone()]);
    row
}

/// How the verdict is to be taken.
pub(crate) const fn verdict_tone(point: &PointResult) -> Tone {
    match point.verdict {
        Verdict::Steady => Tone::Good,
        Verdict::Fixed | Verdict::TimeLimit => Tone::Plain,
        Verdict::Drifting | Verdict::Disturbed => Tone::Caution,
        Verdict::Failed => Tone::Bad,
    }
}
