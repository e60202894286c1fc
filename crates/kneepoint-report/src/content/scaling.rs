//! A setting whose levels are numbers: throughput over it, what limits, and how far more of it
//! helps. Of a stroke, the multipliers for sizing.

mod judged;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use kneepoint_core::result::{Estimate, PointResult};
use kneepoint_core::spec::factor::Factors;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::number::Measured;

pub(super) use judged::{JudgedSeries, judged};

use super::curves::chart;
use super::encoding::CURVES_MAX;
use super::view::{PrimaryMetric, RunView, SeriesView};
use crate::figure::{
    Axis, Chart, ChartPoint, ChartSeries, Drawing, Multiples, PanelPlace, Scale, SeriesLook, Zone,
};
use crate::language::Language;
use crate::language::texts::{common, figures, findings, scaling};
use crate::page::{Block, Column, ColumnGroup, Figure, Table, TableCell, Text};

/// An axis needs at least this many levels.
const LEVELS_MIN: usize = 3;
/// Curves that get a figure with the parts that limit them; more share one figure.
const OWN_FIGURE_MAX: usize = 4;
/// A part that is busy for less than this, in percent of the time, limits nothing yet.
const BUSY_MIN_PERCENT: f64 = 90.0;
/// Throughput per part within this share of that at the first level is called linear.
const LINEAR_SHARE: f64 = 0.1;
/// Settings that count parts, so that twice as many should do twice as much.
const COUNTED: [&str; 8] =
    ["drives", "disks", "arrays", "controllers", "targets", "workers", "nodes", "cpus"];

/// A setting whose levels are numbers of one unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NumericFactor<'a> {
    pub(super) name: &'a str,
    /// The unit of the numbers; empty for plain ones.
    unit: String,
    /// The levels as typed, with their numbers, rising.
    levels: Vec<(&'a str, f64)>,
}

impl<'a> NumericFactor<'a> {
    /// The factor as an axis; nothing if its levels are too few, or are no numbers of one unit.
    pub(super) fn of(name: &'a str, levels: &'a [String]) -> Option<Self> {
        let parsed: Option<Vec<(&str, f64, &str)>> = levels
            .iter()
            .map(|level| parsed(level).map(|(number, unit)| (level.as_str(), number, unit)))
            .collect();
        let parsed = parsed.filter(|levels| levels.len() >= LEVELS_MIN)?;
        let largest = parsed.iter().max_by(|a, b| base_units(a.2).total_cmp(&base_units(b.2)))?.2;
        let mut levels: Vec<(&str, f64)> = parsed
            .iter()
            .map(|(text, number, unit)| {
                let is_alike = *unit == largest;
                let scaled = number * base_units(unit) / base_units(largest);
                (is_alike || base_units(unit) > 0.0)
                    .then_some((*text, if is_alike { *number } else { scaled }))
            })
            .collect::<Option<_>>()?;
        levels.sort_by(|a, b| a.1.total_cmp(&b.1));
        let is_rising = levels.windows(2).all(|pair| pair[0].1 < pair[1].1);
        let is_positive = levels.first().is_some_and(|(_, number)| *number >= 0.0);
        let unit = largest.to_owned();
        (is_rising && is_positive).then_some(Self { name, unit, levels })
    }

    /// True if the levels count parts that should do twice as much if there are twice as many.
    fn is_count(&self) -> bool {
        let is_whole = |(_, number): &(&str, f64)| *number >= 1.0 && number.fract() == 0.0;
        self.unit.is_empty() && COUNTED.contains(&self.name) && self.levels.iter().all(is_whole)
    }

    /// The number of a level as typed.
    fn number(&self, typed: &str) -> Option<f64> {
        self.levels.iter().find(|(level, _)| *level == typed).map(|(_, number)| *number)
    }

    /// True if there is a table of what is left of the throughput at the first level.
    pub(super) fn has_multipliers(&self) -> bool {
        self.name == "stroke"
    }

    /// A level with its unit: `100 drives`, `8 %`.
    fn level(&self, language: Language, number: f64) -> String {
        let number_text = language.level(number);
        match self.unit.as_str() {
            "" if self.is_count() => {
                format!("{number_text} {}", scaling::setting(language, self.name))
            }
            "" => format!("{} {number_text}", scaling::setting(language, self.name)),
            "%" => language.percent(number),
            unit => format!("{number_text}\u{a0}{unit}"),
        }
    }

    /// The setting as a title, with its unit: `Drives`, `Disk stroke (%)`.
    fn title(&self, language: Language) -> String {
        let name = scaling::setting(language, self.name);
        let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
        let name = format!("{}{rest}", first.to_uppercase());
        match self.unit.as_str() {
            "" => name,
            unit => format!("{name} ({unit})"),
        }
    }

    /// The axis of the levels.
    fn axis(&self, language: Language) -> Axis {
        Axis::new(self.title(language), Scale::Linear)
    }
}

/// The number of a level, and its unit.
fn parsed(level: &str) -> Option<(f64, &str)> {
    let level = level.trim();
    let end = level.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(level.len());
    let number: f64 = level[..end].parse().ok()?;
    let unit = level[end..].trim();
    let is_unit = unit == "%" || unit.is_empty() || base_units(unit) > 0.0;
    is_unit.then_some((number, unit))
}

/// Bytes of a unit of capacity, Hz of one of frequency; 0 of any other.
fn base_units(unit: &str) -> f64 {
    match unit {
        "KiB" => 1_024.0,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        "TiB" => 1_099_511_627_776.0,
        "KB" | "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        "kHz" => 1e3,
        "MHz" => 1e6,
        "GHz" => 1e9,
        _ => 0.0,
    }
}

/// What is read off a series: sustained at a rule, or the peak.
type Number<'a> = Option<&'a str>;

/// A series over the levels of a setting.
#[derive(Debug, Clone, PartialEq)]
struct ScalingCurve {
    name: String,
    judge: PrimaryMetric,
    steps: Vec<ScalingStep>,
}

/// One level of it.
#[derive(Debug, Clone, PartialEq)]
struct ScalingStep {
    level: f64,
    throughput: Estimate,
    /// The same with as many digits as are printed.
    printed: Estimate,
    /// The part that is busy nearly all of the time there, of a simulated system.
    part: Option<String>,
    /// Whether it rests on a point that something disturbed.
    is_disturbed: bool,
}

/// The settings of the run whose levels are numbers.
pub(super) fn numeric_factors(factors: &Factors) -> Vec<NumericFactor<'_>> {
    let all = factors.factors.iter();
    all.filter_map(|factor| NumericFactor::of(&factor.name, &factor.levels)).collect()
}

/// What a run says of a numeric setting: the curves, and the number that they show.
fn curves<'a>(
    survey: &RunView<'a>,
    factor: &NumericFactor<'_>,
) -> Option<(Vec<ScalingCurve>, Number<'a>)> {
    let groups = groups(survey, factor);
    let number = common_number(survey, &groups)?;
    let curves: Vec<ScalingCurve> = groups
        .iter()
        .filter_map(|(name, levels)| curve(name, levels, number))
        .filter(|curve| curve.steps.len() >= LEVELS_MIN)
        .collect();
    (!curves.is_empty()).then_some((curves, number))
}

/// The figure of a numeric setting for the first page; nothing where too little is known, or the
/// curves are too many for one.
pub(super) fn figure(survey: &RunView<'_>, factor: &NumericFactor<'_>) -> Option<Figure> {
    let (curves, number) = curves(survey, factor)?;
    let writer = ScalingWriter { survey, factor, number, language: survey.language };
    match curves.as_slice() {
        [only] => Some(writer.own_figure(only)),
        // Each has its line of linear growth in its own panel.
        several if factor.is_count() && several.len() > OWN_FIGURE_MAX => None,
        _ => writer.shared_figures(&curves).into_iter().next(),
    }
}

/// How far more of it helps, a sentence for each curve; nothing if it is no number of parts.
pub(super) fn sentences(survey: &RunView<'_>, factor: &NumericFactor<'_>) -> Vec<String> {
    match curves(survey, factor).filter(|_| factor.is_count()) {
        None => Vec::new(),
        Some((curves, number)) => {
            curves.iter().map(|curve| sentence(curve, factor, number, survey.language)).collect()
        }
    }
}

/// Figures, tables and sentences on a numeric setting; nothing where too little is known. What is said of the
/// series in `judged` is not said again by the table of effects.
pub(super) fn blocks(
    survey: &RunView<'_>,
    factor: &NumericFactor<'_>,
    judged: &[JudgedSeries<'_>],
) -> Vec<Block> {
    let Some((curves, number)) = curves(survey, factor) else { return Vec::new() };
    let writer = ScalingWriter { survey, factor, number, language: survey.language };
    let mut blocks = Vec::new();
    let sentences = sentences(survey, factor);
    if !sentences.is_empty() {
        blocks.push(Block::List(sentences.into_iter().map(Text::from).collect()));
    }
    blocks.extend(Block::figures(writer.figures(&curves)));
    // Multipliers have no room for intervals: the table of effects has those, and the same throughputs.
    if judged.is_empty() || !factor.has_multipliers() {
        blocks.push(Block::Table(writer.table(&curves, judged)));
    }
    if factor.has_multipliers() {
        blocks.extend(writer.multipliers(&curves));
    }
    blocks
}

/// Series that differ in nothing but the level, by rising level.
type Group<'s, 'a> = (String, Vec<(f64, &'s SeriesView<'a>)>);

fn groups<'s, 'a>(survey: &'s RunView<'a>, factor: &NumericFactor<'_>) -> Vec<Group<'s, 'a>> {
    let mut groups: Vec<Group<'s, 'a>> = Vec::new();
    for series in &survey.series {
        let Some(point) = series.points.first() else { continue };
        let level = point.factors.get(factor.name);
        let level = factor.levels.iter().find(|(text, _)| level.is_some_and(|level| level == text));
        let Some((_, number)) = level else { continue };
        let others: BTreeMap<&String, &String> =
            point.factors.iter().filter(|(name, _)| *name != factor.name).collect();
        let base = series.base_name();
        let others: Vec<String> =
            others.iter().map(|(name, level)| format!("{name}={level}")).collect();
        let name = match others.is_empty() {
            true => base.to_owned(),
            false => format!("{base} [{}]", others.join(", ")),
        };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, levels)) => levels.push((*number, series)),
            None => groups.push((name, vec![(*number, series)])),
        }
    }
    for (_, levels) in &mut groups {
        levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    groups
}

/// The first rule that is met, and not only bounded, in all series; else the peak.
fn common_number<'a>(survey: &RunView<'a>, groups: &[Group<'_, '_>]) -> Option<Number<'a>> {
    let series = || groups.iter().flat_map(|(_, levels)| levels).map(|(_, series)| series);
    series().next()?;
    let is_met = |rule: &&&str| series().all(|series| sustained(series, rule).is_some());
    Some(survey.rules.iter().find(is_met).copied())
}

/// Sustained at a rule, with its load.
fn sustained(series: &SeriesView<'_>, rule: &str) -> Option<(Estimate, f64)> {
    let summary = series.summaries.iter().find(|summary| summary.rule == rule)?;
    let found = &summary.sustained;
    Some((series.judge.sustained(found)?, found.load?))
}

fn curve(
    name: &str,
    levels: &[(f64, &SeriesView<'_>)],
    number: Number<'_>,
) -> Option<ScalingCurve> {
    let step = |(level, series): &(f64, &SeriesView<'_>)| {
        let (throughput, load) = match number {
            Some(rule) => sustained(series, rule)?,
            None => {
                let peak = series.peak()?;
                (series.judge.peak(&peak), peak.load)
            }
        };
        let printed = number.and_then(|rule| {
            let summary = series.summaries.iter().find(|summary| summary.rule == rule)?;
            series.printed_sustained(&summary.sustained)
        });
        let part = series.curve.iter().find(|point| point.load.value >= load).and_then(busy_part);
        (throughput.mean > 0.0).then(|| ScalingStep {
            level: *level,
            throughput,
            printed: printed.unwrap_or(throughput),
            part,
            is_disturbed: series.is_disturbed(number),
        })
    };
    let judge = levels.first()?.1.judge;
    let steps = levels.iter().filter_map(step).collect();
    Some(ScalingCurve { name: name.to_owned(), judge, steps })
}

/// The kind of part that limits a point of a simulated system.
fn busy_part(point: &PointResult) -> Option<String> {
    let part = point.simulated.as_ref()?.bottleneck()?;
    (part.highest_percent >= BUSY_MIN_PERCENT).then(|| part.name.clone())
}

impl ScalingCurve {
    /// Throughput per part as a multiple of that at the first level.
    fn efficiency(&self, step: &ScalingStep) -> f64 {
        let per_part = |step: &ScalingStep| step.throughput.mean / step.level;
        self.steps.first().map_or(1.0, |first| per_part(step) / per_part(first))
    }

    /// Half of the 95 % interval of that multiple, as a share of it.
    fn uncertainty(&self, step: &ScalingStep) -> f64 {
        let share = |step: &ScalingStep| step.throughput.ci95.unwrap_or(0.0) / step.throughput.mean;
        self.steps
            .first()
            .filter(|first| first.level < step.level)
            .map_or(0.0, |first| share(step).hypot(share(first)))
    }

    /// Throughput as a multiple of that at the first level, with its 95 % interval.
    fn times(&self, step: &ScalingStep) -> Estimate {
        let first = self.steps.first().map_or(1.0, |first| first.throughput.mean);
        let mean = step.throughput.mean / first;
        let half = self.uncertainty(step) * mean;
        Estimate { mean, ci95: Some(half).filter(|half| *half > 0.0) }
    }

    /// Up to which level throughput is known to grow with the number of parts; nothing if not at all.
    fn linear_up_to(&self) -> Option<f64> {
        let is_linear = |step: &&ScalingStep| {
            let is_near = (self.efficiency(step) - 1.0).abs() <= LINEAR_SHARE + 1e-9;
            is_near && self.uncertainty(step) <= LINEAR_SHARE
        };
        self.steps.iter().take_while(is_linear).last().map(|step| step.level)
    }

    /// The part that limits up to the last level, and the level from which on it does.
    fn limit_at_the_end(&self) -> Option<(&str, f64)> {
        let part = self.steps.last()?.part.as_deref()?;
        let from = self.steps.iter().rev().take_while(|step| step.part.as_deref() == Some(part));
        Some((part, from.last()?.level))
    }

    /// The levels that each part limits, up to the middle between two levels.
    fn zones(&self, language: Language) -> Vec<Zone> {
        let runs: Vec<&[ScalingStep]> =
            self.steps.chunk_by(|left, right| left.part == right.part).collect();
        if runs.iter().all(|run| run[0].part.is_none()) {
            return Vec::new();
        }
        let mut zones: Vec<Zone> = Vec::new();
        for (index, run) in runs.iter().enumerate() {
            let from = match zones.last() {
                Some(zone) => zone.ends[1],
                None => run[0].level,
            };
            let last = run[run.len() - 1].level;
            let to = runs.get(index + 1).map_or(last, |next| f64::midpoint(last, next[0].level));
            let label = run[0].part.as_deref().map(|part| findings::part(language, part));
            let label = label.unwrap_or_default().to_owned();
            zones.push(Zone { ends: [from, to], label });
        }
        zones
    }
}

/// Writes what a run says of a numeric setting.
struct ScalingWriter<'w, 'a> {
    survey: &'w RunView<'a>,
    factor: &'w NumericFactor<'w>,
    number: Number<'w>,
    language: Language,
}

/// `sustained within 15 ms`, or `peak`.
fn number_name(number: Number<'_>, language: Language) -> String {
    match number {
        Some(rule) => figures::at_rule(language, &common::within(language, rule)),
        None => figures::peak_dot(language).to_owned(),
    }
}

/// Half of an interval with as many decimals as its number, and one at least.
fn as_fine(half: f64, printed: &str) -> String {
    let decimals = printed.rsplit_once(['.', ',']).map_or(0, |(_, decimals)| decimals.len());
    format!("{half:.*}", decimals.max(1))
}

/// How far more of it helps, and what stops it; nothing is told of what rests on disturbed points.
fn sentence(
    curve: &ScalingCurve,
    factor: &NumericFactor<'_>,
    number: Number<'_>,
    language: Language,
) -> String {
    let level = |number: f64| factor.level(language, number);
    let [first, .., last] = curve.steps.as_slice() else { return String::new() };
    let up_to = curve.linear_up_to().unwrap_or(first.level);
    let limit = curve.limit_at_the_end();
    let limit = limit.filter(|(part, _)| up_to < last.level && *part != factor.name);
    let limit = limit.map(|(part, from)| {
        scaling::limit(language, &language.level(from), findings::part(language, part))
    });
    let subject = format!("{}, {}", curve.name, number_name(number, language));
    if curve.steps.iter().any(|step| step.is_disturbed) {
        return scaling::disturbed(language, &subject);
    }
    let said = if up_to >= last.level {
        scaling::linear_throughout(language, &subject, &level(last.level))
    } else if up_to > first.level {
        scaling::linear_up_to(language, &subject, &level(up_to))
    } else {
        let times = curve.times(last);
        let printed = language.rate(times);
        let half = times
            .ci95
            .map(|half| format!(" ±\u{a0}{}", language.written(&as_fine(half, &printed))));
        let times = printed + &half.unwrap_or_default();
        scaling::times(
            language,
            &subject,
            (&language.level(first.level), &level(last.level), &times),
        )
    };
    said + &limit.unwrap_or_default() + "."
}

impl ScalingWriter<'_, '_> {
    fn number_name(&self) -> String {
        number_name(self.number, self.language)
    }

    fn figures(&self, curves: &[ScalingCurve]) -> Vec<Figure> {
        let own = if self.factor.is_count() { OWN_FIGURE_MAX } else { 1 };
        let mut figures = match curves.len() <= own {
            true => curves.iter().map(|curve| self.own_figure(curve)).collect(),
            false => self.shared_figures(curves),
        };
        if self.factor.is_count() {
            for judge in PrimaryMetric::ALL {
                figures.extend(self.per_part(judge, curves));
            }
        }
        figures
    }

    fn axes(&self, judge: PrimaryMetric) -> (Axis, Axis) {
        let y = Axis::new(figures::throughput_in(self.language, judge.unit()), Scale::Linear);
        (self.factor.axis(self.language), y)
    }

    fn series(&self, curve: &ScalingCurve) -> ChartSeries {
        let point = |step: &ScalingStep| {
            let throughput = curve.judge.print(self.language, step.printed);
            let level = self.factor.level(self.language, step.level);
            let part = step.part.as_deref().map(|part| findings::part(self.language, part));
            let part = part.map(|part| format!(" ({part})")).unwrap_or_default();
            ChartPoint {
                x: step.level,
                y: step.throughput.mean,
                margin: step.throughput.ci95,
                tooltip: format!("{level}: {throughput}{part}"),
                ..ChartPoint::default()
            }
        };
        ChartSeries::new(curve.name.clone(), curve.steps.iter().map(point).collect())
    }

    /// The line that throughput would follow if it grew with the number of parts.
    fn linear(&self, curve: &ScalingCurve) -> Option<ChartSeries> {
        let (first, last) = (curve.steps.first()?, curve.steps.last()?);
        let per_part = first.throughput.mean / first.level;
        let point = |x: f64| ChartPoint { x, y: per_part * x, ..ChartPoint::default() };
        let points = vec![point(first.level), point(last.level)];
        let name = scaling::linear(self.language);
        let series = ChartSeries { look: SeriesLook::Guide, ..ChartSeries::new(name, points) };
        self.factor.is_count().then_some(series)
    }

    fn own_figure(&self, curve: &ScalingCurve) -> Figure {
        let language = self.language;
        let name = scaling::setting(language, self.factor.name);
        let title = scaling::over(language, &curve.name, &self.number_name(), &name);
        let lines = [Some(self.series(curve)), self.linear(curve)].into_iter().flatten().collect();
        let zones = curve.zones(language);
        let mut caption = format!("{title}.");
        if self.factor.is_count() {
            caption += scaling::linear_note(language);
        }
        if !zones.is_empty() {
            caption += scaling::zones_note(language);
        }
        let chart = Chart { zones, ..chart(self.survey, &title, self.axes(curve.judge), lines) };
        Figure::new(caption, Drawing::Chart(chart))
    }

    /// One chart of all curves that are judged alike, or a panel for each if a frame would have too
    /// many lines.
    fn shared_figures(&self, curves: &[ScalingCurve]) -> Vec<Figure> {
        let language = self.language;
        let name = scaling::setting(language, self.factor.name);
        let of = |judge: PrimaryMetric| {
            let alike: Vec<&ScalingCurve> =
                curves.iter().filter(|curve| curve.judge == judge).collect();
            let subject = figures::curves(language, alike.len());
            let title = scaling::over(language, &subject, &self.number_name(), &name);
            let lines = |curve: &&ScalingCurve| {
                [Some(self.series(curve)), self.linear(curve)].into_iter().flatten()
            };
            let places = alike.iter().flat_map(|curve| {
                lines(curve).map(|line| PanelPlace {
                    heading: curve.name.clone(),
                    name: match line.look {
                        SeriesLook::Guide => line.name.clone(),
                        _ => common::throughput(language).to_owned(),
                    },
                    look: line.look,
                })
            });
            let places: Vec<PanelPlace> = places.collect();
            let lines: Vec<ChartSeries> = alike.iter().flat_map(lines).collect();
            let chart = chart(self.survey, &title, self.axes(judge), lines);
            let is_one = !self.factor.is_count() && alike.len() <= CURVES_MAX;
            let drawing = match is_one {
                true => Drawing::Chart(chart),
                false => Drawing::Multiples(Multiples::grouped(chart, &places)),
            };
            let note = if self.factor.is_count() { scaling::linear_note(language) } else { "" };
            let caption = format!("{title}.{note}");
            (!alike.is_empty()).then(|| Figure::new(caption, drawing))
        };
        PrimaryMetric::ALL.into_iter().filter_map(of).collect()
    }

    /// Throughput per part over the number of parts.
    fn per_part(&self, judge: PrimaryMetric, curves: &[ScalingCurve]) -> Option<Figure> {
        let language = self.language;
        let name = scaling::one(language, self.factor.name);
        let title = scaling::per_part(language, name, &self.number_name());
        let line = |curve: &ScalingCurve| {
            let mut series = self.series(curve);
            for point in &mut series.points {
                point.y /= point.x;
                point.margin = point.margin.map(|margin| margin / point.x);
                let per = judge.print(language, point.y);
                point.tooltip = format!("{}: {per}", self.factor.level(language, point.x));
            }
            series
        };
        let alike: Vec<&ScalingCurve> = curves.iter().filter(|one| one.judge == judge).collect();
        if alike.is_empty() || alike.len() > CURVES_MAX {
            return None;
        }
        let lines = alike.into_iter().map(line).collect();
        let (x, mut y) = self.axes(judge);
        y.title = scaling::per_part_axis(language, judge.unit(), name);
        let caption = format!("{title}. {}", scaling::per_part_note(language));
        let chart = chart(self.survey, &title, (x, y), lines);
        Some(Figure::new(caption, Drawing::Chart(chart)))
    }

    /// All levels with their numbers. Multipliers have their own table.
    fn table(&self, curves: &[ScalingCurve], judged: &[JudgedSeries<'_>]) -> Table {
        let language = self.language;
        let name = scaling::setting(language, self.factor.name);
        let mut columns = vec![
            Column::words(common::series(language)),
            Column::numbers(self.factor.title(language)),
            Column::numbers(common::throughput(language)),
        ];
        if !self.factor.has_multipliers() {
            columns.push(Column::numbers(scaling::against_first(language)));
        }
        if !judged.is_empty() {
            columns.push(Column::words(common::significant(language)));
        }
        if self.factor.is_count() {
            let one = scaling::one(language, self.factor.name);
            columns.push(Column::numbers(scaling::per_one(language, one)));
        }
        columns.push(Column::words(scaling::limited_by(language)));
        let groups: Vec<ColumnGroup> = vec![ColumnGroup::new("", columns)];
        let mut table = Table::new(scaling::table(language, &name, &self.number_name()), groups);
        for curve in curves {
            for step in &curve.steps {
                table.push(self.row(curve, step, judged));
            }
        }
        table
    }

    fn row(
        &self,
        curve: &ScalingCurve,
        step: &ScalingStep,
        judged: &[JudgedSeries<'_>],
    ) -> Vec<TableCell> {
        let language = self.language;
        let own = judged.iter().find(|one| one.series == curve.name);
        let times = curve.times(step);
        let mut name = TableCell::new(curve.name.clone());
        name.anchor = own.map(|own| own.anchor(self.factor, step.level)).unwrap_or_default();
        let mut cells = vec![
            name,
            TableCell::new(language.level(step.level)),
            TableCell::new(curve.judge.print(language, step.printed)),
        ];
        if !self.factor.has_multipliers() {
            let half = own.and_then(|own| own.half(self.factor, step.level)).or(times.ci95);
            let times = Estimate { ci95: half, ..times };
            let printed = language.rate(times);
            let half = half.map(|half| format!("±{}", language.written(&as_fine(half, &printed))));
            let times = TableCell::new(format!("×\u{a0}{printed}"));
            cells.push(times.detail(half.unwrap_or_default()));
        }
        if !judged.is_empty() {
            let said = own.and_then(|own| own.significance(language, self.factor, step.level));
            cells.push(said.map_or_else(common::nothing, TableCell::new));
        }
        if self.factor.is_count() {
            let per = Measured::from(step.throughput).scaled(1.0 / step.level);
            let per = curve.judge.print(language, per);
            cells.push(TableCell::new(per));
        }
        cells.push(match step.part.as_deref() {
            Some(part) => TableCell::new(findings::part(language, part)),
            None => common::nothing(),
        });
        cells
    }

    /// What share of the throughput at the smallest stroke is left at each, with an example.
    fn multipliers(&self, curves: &[ScalingCurve]) -> Vec<Block> {
        let language = self.language;
        let strokes: Vec<f64> =
            distinct(curves.iter().flat_map(|curve| &curve.steps).map(|step| step.level.to_bits()))
                .into_iter()
                .map(f64::from_bits)
                .collect();
        let mut columns = vec![Column::words(common::series(language))];
        columns.extend(strokes.iter().map(|stroke| Column::numbers(language.percent(*stroke))));
        let caption = scaling::multipliers(language, &self.number_name());
        let factor = |value: f64| language.written(&format!("{value:.2}"));
        let rows = curves.iter().map(|curve| {
            let first = curve.steps.first().map_or(1.0, |first| first.throughput.mean);
            let cell = |stroke: &f64| {
                let step = curve.steps.iter().find(|step| step.level == *stroke);
                step.map_or_else(common::nothing, |step| {
                    TableCell::new(factor(step.throughput.mean / first))
                })
            };
            let cells = strokes.iter().map(cell);
            [TableCell::new(curve.name.clone())].into_iter().chain(cells).collect()
        });
        let mut blocks = vec![Block::Table(Table::plain(caption, columns).filled(rows))];
        if let Some([first, .., last]) = curves.first().map(|curve| curve.steps.as_slice()) {
            let curve = &curves[0];
            let print = |step: &ScalingStep| curve.judge.print(language, step.printed);
            let example = scaling::example(
                language,
                &curve.name,
                [&print(first), &print(last)],
                [
                    &language.percent(first.level),
                    &language.percent(last.level),
                    &factor(last.throughput.mean / first.throughput.mean),
                ],
            );
            blocks.push(Block::remark(example));
        }
        blocks
    }
}
