//! What a series does: block size, reads and writes, random and sequential.

use super::survey::{SeriesView, Survey};
use super::words;
use crate::language::Language;
use crate::page::{Block, Cell, Column, ColumnGroup, Section, Table, Text};

/// The chapter of load profiles: every series in one table.
pub(super) fn section(survey: &Survey<'_>) -> Section {
    let (texts, words) = (&survey.texts().profile, &survey.texts().words);
    let columns = vec![
        Column::words(words.series),
        Column::words(texts.profile),
        Column::numbers(texts.block_size),
        Column::numbers(texts.read),
        Column::numbers(texts.random),
        Column::numbers(texts.loads),
        Column::numbers(texts.points),
    ];
    let mut table = Table::new(texts.caption, vec![ColumnGroup::new("", columns)]);
    for series in survey.series.iter().filter(|series| !series.points.is_empty()) {
        table.push(row(survey, series));
    }
    let mut blocks = Vec::new();
    if table.rows.is_empty() {
        blocks.push(Block::paragraph(survey.texts().series.nothing_measured));
    } else {
        blocks.push(Block::paragraph(texts.intro));
        blocks.push(Block::Table(table));
    }
    Section::new("profiles", texts.heading, blocks)
}

fn row(survey: &Survey<'_>, series: &SeriesView<'_>) -> Vec<Cell> {
    let language = survey.language;
    let first = series.points[0];
    let planned = survey.planned(series).filter(|facts| !facts.title.is_empty());
    let title = match planned {
        Some(facts) => words::title(language, &facts.title),
        None => series.profile.into(),
    };
    let storage = first.storage;
    let known = |text: Option<String>| Cell::new(text.unwrap_or_else(|| words::NOTHING.to_owned()));
    let percent = |value: Option<f64>| known(value.map(|value| language.percent(value)));
    vec![
        Cell::new(Text::new().link(series.name, &series.id)),
        Cell::new(title),
        known(storage.map(|storage| language.block_size(storage.block_bytes))),
        percent(storage.map(|storage| storage.read_percent)),
        percent(storage.map(|storage| storage.random_percent)),
        Cell::new(loads(series)),
        Cell::new(language.count(series.points.len())),
    ]
}

/// From the lowest load to the highest.
fn loads(series: &SeriesView<'_>) -> String {
    let (language, texts) = (series.language, series.texts());
    match (series.points.first(), series.points.last()) {
        (Some(first), Some(last)) if first.load != last.load => {
            let ends = [first, last].map(|point| language.level(point.load.value));
            (texts.words.range)(&ends[0], &ends[1])
        }
        (Some(only), _) => language.level(only.load.value),
        _ => String::new(),
    }
}

/// The profile in a few words: `8 KiB blocks, 67 % read, random`.
pub(super) fn short(series: &SeriesView<'_>) -> Option<String> {
    let (texts, language) = (&series.texts().profile, series.language);
    let point = series.points.first()?.storage?;
    let read = share(
        language,
        point.read_percent,
        (texts.writes_only, texts.reads_only),
        texts.reads_short,
    );
    let random = share(
        language,
        point.random_percent,
        (texts.sequential_short, texts.random_short),
        texts.partly_random_short,
    );
    let size = language.block_size(point.block_bytes);
    Some(format!("{}, {read}, {random}", (texts.blocks_short)(&size)))
}

/// The profile in sentences, with the mix where it has several lines.
pub(super) fn blocks(survey: &Survey<'_>, series: &SeriesView<'_>) -> Vec<Block> {
    let (texts, language) = (&survey.texts().profile, survey.language);
    if series.points.is_empty() {
        return vec![Block::paragraph(texts.not_measured)];
    }
    let mut text = sentence(survey, series).plain(extent(survey, series));
    let factors = &series.points[0].factors;
    if !factors.is_empty() {
        let factors: Vec<String> =
            factors.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        text = text.plain((texts.factors)(&words::listed(language, &factors)));
    }
    let planned = survey.planned(series);
    if let Some((start, end)) = planned.and_then(|facts| facts.range_percent) {
        text = text.plain((texts.part)(&language.percent(start), &language.percent(end)));
    }
    let mut blocks = vec![Block::Paragraph(text)];
    blocks.extend(mix(survey, series));
    blocks
}

/// The title of the profile and what it does.
fn sentence(survey: &Survey<'_>, series: &SeriesView<'_>) -> Text {
    let (texts, language) = (&survey.texts().profile, survey.language);
    let planned = survey.planned(series);
    let title = planned.filter(|facts| !facts.title.is_empty());
    let title = title.map_or_else(
        || series.profile.to_owned(),
        |facts| words::title(language, &facts.title).words(),
    );
    let Some(point) = series.points[0].storage else {
        return Text::new().strong(title).plain(". ");
    };
    let mixed = planned.is_some_and(|facts| !facts.mix.is_empty());
    let blocks = if mixed { texts.blocks_on_average } else { texts.blocks };
    let read =
        share(language, point.read_percent, (texts.writes_only, texts.reads_only), texts.reads);
    let random = share(
        language,
        point.random_percent,
        (texts.sequential, texts.all_random),
        texts.partly_random,
    );
    let size = blocks(&language.block_size(point.block_bytes));
    Text::new().strong(title).plain(format!(": {size}, {read}, {random}. "))
}

/// How many points at which loads.
fn extent(survey: &Survey<'_>, series: &SeriesView<'_>) -> String {
    let (texts, language) = (survey.texts(), survey.language);
    let loads = match (series.points.first(), series.points.last()) {
        (Some(first), Some(last)) if first.load != last.load => (texts.profile.from_to)(
            &language.level(first.load.value),
            &words::at_level(language, last.load),
        ),
        (Some(only), _) => (texts.profile.at)(&words::at_level(language, only.load)),
        _ => String::new(),
    };
    let each = if survey.targets().len() > 1 { texts.profile.each_target } else { "" };
    format!("{}, {loads}{each}.", (texts.words.points)(series.points.len()))
}

/// A share in words of its own where it is none or all.
fn share(
    language: Language,
    percent: f64,
    (none, all): (&str, &str),
    part: fn(&str) -> String,
) -> String {
    match percent {
        p if p <= 0.0 => none.to_owned(),
        p if p >= 100.0 => all.to_owned(),
        p => part(&language.percent(p)),
    }
}

/// The lines of a mix.
fn mix(survey: &Survey<'_>, series: &SeriesView<'_>) -> Option<Block> {
    let (texts, language) = (&survey.texts().profile, survey.language);
    let facts = survey.planned(series).filter(|facts| !facts.mix.is_empty())?;
    let columns = [texts.share, texts.block_size, texts.read, texts.random].map(Column::numbers);
    let mut table =
        Table::new((texts.mix)(series.name), vec![ColumnGroup::new("", columns.into())]);
    for line in &facts.mix {
        let percent = |value: f64| Cell::new(language.percent(value));
        let size = Cell::new(language.block_size(line.block_bytes));
        table.push(vec![percent(line.share), size, percent(line.read), percent(line.random)]);
    }
    Some(Block::Table(table))
}
