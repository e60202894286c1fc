//! The processor suite as a whole: what its members amount to together.

use std::collections::BTreeSet;

use kneepoint_core::result::{
    Estimate, PeakGain, PointResult, ProcessorAnalysis, ProcessorScore, ProcessorStep,
};
use kneepoint_core::spec::factor::{CPU_QUOTA, Combination};
use kneepoint_core::spec::profile::{FlagSet, MemberClass, SeriesProfile};

use serde_json::Value;

use super::chapters::Reached;
use super::curves::chart;
use super::key_figures;
use super::view::{RunView, SeriesView};
use crate::figure::{
    Axis, Chart, ChartPoint, ChartSeries, Dot, DotRow, Dots, Drawing, Lanes, RowWeight, Scale,
    SeriesLook,
};
use crate::language::Language;
use crate::language::texts::{advice, chapters, common, processor};
use crate::page::{Block, Column, Figure, Table, TableCell, Text};

/// The table of scores with what is to be known of them; nothing for other work, and unless all members of a
/// class were measured.
pub(super) fn scores(survey: &RunView<'_>) -> Vec<Block> {
    let Some(analysis) = &survey.document.analysis.processor else { return Vec::new() };
    if analysis.scores.is_empty() {
        return Vec::new();
    }
    let language = survey.language;
    let mut blocks = Vec::new();
    if analysis.scores.iter().any(|score| score.flags.is_some()) {
        blocks.push(Block::Table(table(language, analysis)));
        blocks.extend(remark(survey).map(Block::Paragraph));
    }
    let machines = machines(analysis);
    if !machines.is_empty() {
        blocks.extend(machines.iter().map(|name| Block::Table(of_file(language, analysis, name))));
        blocks.push(Block::paragraph(processor::of_file(language)));
        if is_of_tree(&survey.document.plan) {
            blocks.push(Block::paragraph(processor::of_tree(language)));
        }
    }
    blocks.extend(key_figures::disturbed_scores(survey));
    blocks
}

/// Whether `plan` has benchmarks of a licensed tree, which its own harness runs.
fn is_of_tree(plan: &Value) -> bool {
    let series = plan.get("series").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let check = "/profile/external/check/runcpu";
    series.iter().any(|series| series.pointer(check).is_some())
}

/// The reference machines of programs of the user's own, each once.
fn machines(analysis: &ProcessorAnalysis) -> Vec<&str> {
    let mut machines = Vec::new();
    for machine in analysis.scores.iter().filter_map(|score| score.reference.as_deref()) {
        if !machines.contains(&machine) {
            machines.push(machine);
        }
    }
    machines
}

/// The scores of programs of the user's own with ratios to `machine`.
fn of_file(language: Language, analysis: &ProcessorAnalysis, machine: &str) -> Table {
    let settings = Settings::of(analysis);
    let columns = settings.columns(language).into_iter().chain([
        Column::words(processor::class(language)),
        Column::numbers(processor::copies(language)),
        Column::numbers(processor::members(language)),
        Column::numbers(processor::ratio(language)),
    ]);
    let own = |score: &&ProcessorScore| score.reference.as_deref() == Some(machine);
    let row = |score: &ProcessorScore| -> Vec<TableCell> {
        let cells = [
            TableCell::new(class_name(language, score.class)),
            TableCell::new(language.count_u64(score.copies.into())),
            TableCell::new(language.count_u64(score.members.into())),
            TableCell::new(language.rate(score.ratio)),
        ];
        settings.cells(language, &score.factors).into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<TableCell>> = analysis.scores.iter().filter(own).map(row).collect();
    Table::plain(processor::caption_of_file(language, machine), columns).filled(rows)
}

/// A row for each class and number of copies.
fn table(language: Language, analysis: &ProcessorAnalysis) -> Table {
    let settings = Settings::of(analysis);
    let columns = settings.columns(language).into_iter().chain([
        Column::words(processor::class(language)),
        Column::numbers(processor::copies(language)),
        Column::numbers(processor::members(language)),
        Column::numbers(FlagSet::Base.name()),
        Column::numbers(FlagSet::Peak.name()),
        Column::numbers(processor::gain(language)),
    ]);
    let mut keys: Vec<Key<'_>> = Vec::new();
    for score in analysis.scores.iter().filter(|score| score.flags.is_some()) {
        let key = (&score.factors, score.class, score.copies);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let row = |key: Key<'_>| -> Vec<TableCell> {
        let own = |score: &&ProcessorScore| {
            score.flags.is_some() && (&score.factors, score.class, score.copies) == key
        };
        let scores: Vec<&ProcessorScore> = analysis.scores.iter().filter(own).collect();
        let of = |flags: FlagSet| scores.iter().find(|score| score.flags == Some(flags));
        let ratio = |flags| common::known(of(flags).map(|score| language.rate(score.ratio)));
        let gains = &analysis.gains;
        let gain = gains.iter().find(|gain| (&gain.factors, gain.class, gain.copies) == key);
        let members = scores.first().map_or(0, |score| score.members);
        let cells = [
            TableCell::new(class_name(language, key.1)),
            TableCell::new(language.count_u64(key.2.into())),
            TableCell::new(language.count_u64(members.into())),
            TableCell::new(ratio(FlagSet::Base)),
            TableCell::new(ratio(FlagSet::Peak)),
            TableCell::new(common::known(gain.map(|gain| percent(language, gain.percent)))),
        ];
        settings.cells(language, key.0).into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<TableCell>> = keys.into_iter().map(row).collect();
    Table::plain(processor::caption(language).to_owned(), columns).filled(rows)
}

/// What a row of the table is about: settings, class and copies.
type Key<'a> = (&'a Combination, Option<MemberClass>, u32);

/// Whether tables of scores say at which settings.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Settings {
    Fixed,
    Varied,
}

impl Settings {
    fn of(analysis: &ProcessorAnalysis) -> Self {
        match analysis.scores.iter().all(|score| score.factors.is_empty()) {
            true => Self::Fixed,
            false => Self::Varied,
        }
    }

    fn columns(self, language: Language) -> Option<Column> {
        (self == Self::Varied).then(|| Column::words(processor::settings(language)))
    }

    fn cells(self, language: Language, factors: &Combination) -> Option<TableCell> {
        (self == Self::Varied).then(|| TableCell::new(advice::combination(language, factors)))
    }
}

const fn class_name(language: Language, class: Option<MemberClass>) -> &'static str {
    match class {
        None => processor::all(language),
        Some(MemberClass::Integer) => processor::integer(language),
        Some(MemberClass::Floating) => processor::floating(language),
    }
}

/// The scores of all of Kneepoint's own members, or else of the first class that has any; none where settings
/// are varied, each of which has its own.
fn broadest<'a>(survey: &RunView<'a>) -> Vec<&'a ProcessorScore> {
    let scores = survey.document.analysis.processor.iter().flat_map(|found| &found.scores);
    let is_one = |score: &&ProcessorScore| score.flags.is_some() && score.factors.is_empty();
    let all: Vec<&ProcessorScore> = scores.filter(is_one).collect();
    let class = all.iter().map(|score| score.class).min_by_key(Option::is_some);
    all.into_iter().filter(|score| Some(score.class) == class).collect()
}

/// Whether all members of a class were measured.
pub(super) fn has_scores(survey: &RunView<'_>) -> bool {
    survey.document.analysis.processor.as_ref().is_some_and(|found| !found.scores.is_empty())
}

/// What the suite shows: what peak flags do, and how much more several copies do; nothing if something disturbed
/// every point.
pub(super) fn findings(survey: &RunView<'_>) -> Vec<Text> {
    if survey.is_disturbed() {
        return Vec::new();
    }
    let scores = broadest(survey);
    let gain = scores.iter().find_map(|score| {
        let gains = survey.document.analysis.processor.iter().flat_map(|found| &found.gains);
        let mut own = gains.filter(|gain| (gain.class, gain.copies) == (score.class, score.copies));
        own.next()
    });
    let gain = gain.map(|gain| gain_text(survey.language, gain));
    let texts = gain.into_iter().chain(scaling_text(survey.language, &scores));
    texts.chain(step_texts(survey)).map(Text::from).collect()
}

/// What more processors, or a higher clock, do; each step once.
fn step_texts(survey: &RunView<'_>) -> Vec<String> {
    let steps = survey.document.analysis.processor.iter().flat_map(|found| &found.steps);
    let is_told = |step: &&ProcessorStep| step.flags != Some(FlagSet::Peak);
    let told: Vec<&ProcessorStep> = steps.filter(is_told).collect();
    let mut texts = Vec::new();
    for group in told.chunk_by(|a, b| (&a.factor, &a.from) == (&b.factor, &b.from)) {
        let class = group.iter().map(|step| step.class).min_by_key(Option::is_some);
        let broadest = || group.iter().filter(|step| Some(step.class) == class);
        // Alone a copy shows what a clock does; only many need all processors.
        let step = match group[0].factor.as_str() {
            "frequency" => broadest().min_by_key(|step| step.copies),
            _ => broadest().rev().max_by_key(|step| step.copies),
        };
        texts.extend(step.map(|step| step_text(survey.language, step)));
    }
    texts
}

fn step_text(language: Language, step: &ProcessorStep) -> String {
    let Estimate { mean, ci95 } = step.score_percent;
    let (gain, size) = (percent(language, step.score_percent), language.percent(mean.abs()));
    let is_clear = ci95.is_some_and(|width| mean.abs() > width);
    let mut context = vec![
        processor::members_of(language, step.class).to_owned(),
        processor::copies_of(language, step.copies),
    ];
    context.extend(step.flags.map(|flags| processor::flags_of(language, flags.name())));
    if !step.others.is_empty() {
        context.push(advice::combination(language, &step.others));
    }
    if step.factor != "frequency" {
        let times = language.written(&format!("{:.2}", 1.0 + mean / 100.0));
        let context = context.join("; ");
        if step.factor == CPU_QUOTA {
            let [from, to] = [&step.from, &step.to].map(|level| language.written(level));
            let instead = processor::quota_step(language, &from, &to);
            return match is_clear {
                true => processor::quota(language, &instead, &times, &context),
                false => processor::no_clock(language, &instead, &gain, &context),
            };
        }
        let [from, to] = [&step.from, &step.to].map(|level| processor::cpus_of(language, level));
        let instead = processor::cpus_step(language, &from, &to);
        return match is_clear {
            true => processor::cpus(language, &instead, &times, &context),
            false => processor::no_cpus(language, &instead, &gain, &context),
        };
    }
    let higher = language.percent(step.setting_percent);
    let instead = processor::clock_step(language, &step.from, &step.to, &higher);
    match is_clear {
        true if mean > 0.0 => {
            let share = language.percent(100.0 * mean / step.setting_percent);
            context.insert(0, processor::share_of_step(language, &share));
            processor::clock(language, &instead, &size, &context.join("; "))
        }
        true => processor::slower_clock(language, &instead, &size, &context.join("; ")),
        false => processor::no_clock(language, &instead, &gain, &context.join("; ")),
    }
}

fn gain_text(language: Language, gain: &PeakGain) -> String {
    let class = processor::members_of(language, gain.class);
    let copies = processor::copies_of(language, gain.copies);
    let Estimate { mean, ci95 } = gain.percent;
    let size = language.percent(mean.abs());
    match ci95 {
        Some(width) if mean > width => processor::faster(language, &size, class, &copies),
        Some(width) if -mean > width => processor::slower(language, &size, class, &copies),
        _ => processor::no_gain(language, &percent(language, gain.percent), class, &copies),
    }
}

/// What the most copies do against one, with base flags.
fn scaling_text(language: Language, scores: &[&ProcessorScore]) -> Option<String> {
    let base = || scores.iter().filter(|score| score.flags == Some(FlagSet::Base));
    let one = base().find(|score| score.copies == 1)?;
    let most = base().max_by_key(|score| score.copies).filter(|most| most.copies > 1)?;
    let times = language.written(&format!("{:.2}", most.ratio.mean / one.ratio.mean));
    let copies = processor::copies_of(language, most.copies);
    Some(processor::scaled(language, &copies, &times, processor::members_of(language, one.class)))
}

/// The scores with the fewest and the most copies, as rows of the first page over several runs.
pub(super) fn reached(survey: &RunView<'_>) -> Vec<Reached> {
    let language = survey.language;
    let scores = broadest(survey);
    let copies = scores.iter().map(|score| score.copies);
    let ends = [copies.clone().min(), copies.max()].map(Option::unwrap_or_default);
    let shown = scores.into_iter().filter(|score| ends.contains(&score.copies));
    let row = |score: &ProcessorScore| {
        let copies = processor::copies_of(language, score.copies);
        let class = processor::members_of(language, score.class);
        let Estimate { mean, ci95 } = score.ratio;
        Reached {
            what: chapters::members(
                language,
                class,
                score.flags.map_or("", FlagSet::name),
                &copies,
            ),
            number: language.rate(score.ratio),
            unit: survey.series.first().map_or("", |series| series.judge.unit()).to_owned(),
            margin: ci95.map(|half| language.percent(100.0 * half / mean)),
        }
    };
    shown.map(row).collect()
}

/// What is to be known of the scores beside the numbers.
pub(super) fn remark(survey: &RunView<'_>) -> Option<Text> {
    let language = survey.language;
    let scores = survey.document.analysis.processor.iter().flat_map(|found| &found.scores);
    let scores: Vec<&ProcessorScore> = scores.filter(|score| score.flags.is_some()).collect();
    let is_short = scores.iter().any(|score| score.is_short);
    let short = if is_short { format!(" {}", processor::short(language)) } else { String::new() };
    let all = [processor::ratio_unit(language), &short, " ", processor::not_comparable(language)];
    (!scores.is_empty()).then(|| Text::from(all.concat()))
}

/// The members side by side at the fewest copies, base and peak flags on a row.
pub(super) fn by_member(survey: &RunView<'_>) -> Option<Figure> {
    let language = survey.language;
    let copies = broadest(survey).iter().map(|score| score.copies).min()?;
    let mut members: Vec<(String, Vec<Dot>)> = Vec::new();
    for series in &survey.series {
        let Some((name, flags)) = member(survey, series) else { continue };
        let at = |point: &&PointResult| point.load.value == f64::from(copies);
        let Some(point) = series.curve.iter().find(at) else { continue };
        let Estimate { mean, ci95 } = series.judge.estimate(point);
        let dot = Dot {
            series: FlagSet::ALL.iter().position(|known| *known == flags).unwrap_or_default(),
            value: mean,
            // No ratio is below zero.
            interval: ci95.map(|half| [(mean - half).max(0.0), mean + half]),
            label: language.rate(Estimate { mean, ci95 }),
            ..Dot::default()
        };
        match members.iter_mut().find(|(known, _)| *known == name) {
            Some((_, dots)) => dots.push(dot),
            None => members.push((name, vec![dot])),
        }
    }
    if members.is_empty() {
        return None;
    }
    let row = |(name, dots)| DotRow { name, weight: RowWeight::One, dots };
    let title = processor::by_member(language, &processor::copies_of(language, copies));
    let dots = Dots {
        language,
        title: title.clone(),
        source: survey.source(),
        value: Axis::new(processor::ratio_axis(language), Scale::Linear),
        series: FlagSet::ALL.map(|flags| flags.name().to_owned()).to_vec(),
        reference: Some(1.0),
        band: None,
        lanes: Lanes::Shared,
        rows: members.into_iter().map(row).collect(),
    };
    Some(Figure::new(format!("{title}."), Drawing::Dots(dots)))
}

/// The member of a series and its flags.
fn member(survey: &RunView<'_>, series: &SeriesView<'_>) -> Option<(String, FlagSet)> {
    let profile = survey.planned(series)?.get("profile")?.clone();
    match serde_json::from_value(profile).ok()? {
        SeriesProfile::Member(work) => Some((work.member, work.flags)),
        _ => None,
    }
}

/// The scores over the number of copies, beside what copies would do that do not hinder one another.
pub(super) fn over_copies(survey: &RunView<'_>) -> Option<Figure> {
    let language = survey.language;
    let scores = broadest(survey);
    let copies: BTreeSet<u32> = scores.iter().map(|score| score.copies).collect();
    if copies.len() < 2 {
        return None;
    }
    let point = |score: &&&ProcessorScore| ChartPoint {
        x: score.copies.into(),
        y: score.ratio.mean,
        margin: score.ratio.ci95,
        tooltip: format!(
            "{}: {}",
            processor::copies_of(language, score.copies),
            language.rate(score.ratio)
        ),
        ..ChartPoint::default()
    };
    let line = |flags: FlagSet| {
        let own = scores.iter().filter(|score| score.flags == Some(flags));
        let mut points: Vec<ChartPoint> = own.map(|score| point(&score)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        ChartSeries::new(flags.name(), points)
    };
    let mut lines: Vec<ChartSeries> = FlagSet::ALL.into_iter().map(line).collect();
    lines.retain(|line| !line.points.is_empty());
    let linear = linear(language, &lines);
    let class = processor::members_of(language, scores.first()?.class);
    let title = processor::over_copies(language, class);
    let note = if linear.is_some() { processor::linear_note(language) } else { "" };
    let threads = threads_note(survey, copies.last().copied().unwrap_or_default());
    lines.extend(linear);
    let axes = (
        Axis::new(processor::copies(language), Scale::Linear),
        Axis::new(processor::ratio_axis(language), Scale::Linear),
    );
    let chart: Chart = chart(survey, &title, axes, lines);
    Some(Figure::new(format!("{title}.{note}{threads}"), Drawing::Chart(chart)))
}

/// From which number of copies on they share cores as hyper-threads; nothing if the chart's `most` are fewer.
fn threads_note(survey: &RunView<'_>, most: u32) -> String {
    let settings = survey.targets().first().map(|target| &target.settings);
    let number = |name: &str| -> Option<u32> { settings?.get(name)?.parse().ok() };
    let (Some(cores), Some(cpus)) = (number("cores"), number("processors")) else {
        return String::new();
    };
    match cores < cpus && cores < most {
        true => processor::threads(survey.language, cores, cpus),
        false => String::new(),
    }
}

/// The line of base flags if each copy did as much as one alone.
fn linear(language: Language, lines: &[ChartSeries]) -> Option<ChartSeries> {
    let base = lines.iter().find(|line| line.name == FlagSet::Base.name())?;
    let (one, last) = (base.points.first().filter(|first| first.x == 1.0)?, base.points.last()?);
    let point = |x: f64| ChartPoint { x, y: one.y * x, ..ChartPoint::default() };
    let points = vec![point(1.0), point(last.x)];
    Some(ChartSeries {
        look: SeriesLook::Guide,
        ..ChartSeries::new(processor::linear(language), points)
    })
}

/// A gain in percent with its interval: `+44 % ±3`.
fn percent(language: Language, gain: Estimate) -> String {
    let sign = if gain.mean < 0.0 { "\u{2212}" } else { "+" };
    let size = language.percent(gain.mean.abs());
    let width = gain.ci95.map(|width| format!(" ±{}", language.percent(width)));
    format!("{sign}{size}{}", width.unwrap_or_default())
}
