//! Copies of files: how fast each function copies, with the page cache and without.

use kneepoint_core::result::{CopyRates, CopySummary, Estimate};
use kneepoint_core::spec::file_copy::CopyCache;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::number::Measured;

use super::view::RunView;
use crate::figure::{Axis, Dot, DotRow, Dots, Drawing, Lanes, PointStyle, RowWeight, Scale};
use crate::language::texts::{common, copies, figures};
use crate::page::{Block, Column, ColumnGroup, Figure, Section, Table, TableCell, Text, Tone};

/// The chapter; nothing for a run without copies.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let first = survey.document.copies.first()?;
    let language = survey.language;
    let mut blocks = vec![
        Block::paragraph(copies::introduction(language, first)),
        Block::paragraph(copies::caches(language)),
    ];
    let summaries = &survey.document.analysis.copies;
    let targets = distinct(summaries.iter().map(|summary| summary.target.as_str()));
    for target in &targets {
        let caption = match targets.len() {
            1 => copies::caption(language).to_owned(),
            _ => copies::caption_of(language, target),
        };
        blocks.push(Block::Table(table(survey, target, caption)));
    }
    blocks.push(Block::remark(copies::reading(language)));
    blocks.extend(figures(survey, &targets));
    blocks.extend(list(survey, copies::failures(language), |summary| {
        summary.error.iter().map(|error| common::recorded(language, error)).collect()
    }));
    blocks.extend(list(survey, copies::warnings(language), |summary| {
        summary.warnings.iter().map(|warning| crate::language::warning(language, warning)).collect()
    }));
    Some(Section::new("file-copy", copies::heading(language), blocks))
}

fn of_target<'s>(
    survey: &'s RunView<'_>,
    target: &'s str,
) -> impl Iterator<Item = &'s CopySummary> {
    survey.document.analysis.copies.iter().filter(move |summary| summary.target == target)
}

fn table(survey: &RunView<'_>, target: &str, caption: String) -> Table {
    let language = survey.language;
    let mean = common::mean(language);
    let groups = vec![
        ColumnGroup::new(
            "",
            [Column::words(copies::method(language)), Column::words(copies::cache(language))],
        ),
        ColumnGroup::new("MiB/s", [mean, "±", copies::median(language)].map(Column::numbers)),
        ColumnGroup::new(copies::files(language), [mean, "±"].map(Column::numbers)),
        ColumnGroup::new(copies::duration(language), [mean, "±"].map(Column::numbers)),
        Column::numbers(copies::copies(language)).into(),
    ];
    Table::new(caption, groups)
        .filled(of_target(survey, target).map(|summary| row(survey, summary)))
}

fn row(survey: &RunView<'_>, summary: &CopySummary) -> Vec<TableCell> {
    let language = survey.language;
    let mut row = vec![
        TableCell::new(Text::new().code(summary.method.name())),
        TableCell::new(copies::cache_name(language, summary.cache)),
    ];
    let pair = |estimate: Estimate| {
        let margin = estimate.ci95.map(|width| language.rate(Measured::margin(width)));
        [
            TableCell::new(language.rate(estimate)),
            TableCell::new(common::known(margin)).tone(Tone::Muted),
        ]
    };
    match summary.rates {
        Some(rates) => {
            row.extend(pair(rates.throughput_mib_s));
            row.push(TableCell::new(language.rate(rates.throughput_mib_s_median)));
            row.extend(pair(rates.files_per_s));
            row.extend(pair(rates.elapsed_s));
        }
        None => {
            row.push(TableCell::new(common::failed(language)).tone(Tone::Bad));
            row.extend(std::iter::repeat_with(common::nothing).take(6));
        }
    }
    row.push(TableCell::new(language.count(summary.copies as usize)));
    row
}

/// Dots for every target, a row for each function.
fn figures(survey: &RunView<'_>, targets: &[&str]) -> Option<Block> {
    let language = survey.language;
    let figure = |target: &&str| {
        let of = if targets.len() > 1 { format!(", {target}") } else { String::new() };
        let caption = format!("{}{of}. {}", copies::dots(language), copies::dots_note(language));
        Some(Figure::new(caption, Drawing::Dots(dots(survey, target)?)))
    };
    Block::figures(targets.iter().filter_map(figure).collect())
}

/// The two ways with the page cache of a function stand together.
fn dots(survey: &RunView<'_>, target: &str) -> Option<Dots> {
    let language = survey.language;
    let has = |cache: &CopyCache| of_target(survey, target).any(|one| one.cache == *cache);
    let caches: Vec<CopyCache> = CopyCache::ALL.into_iter().filter(has).collect();
    let mut rows: Vec<DotRow> = Vec::new();
    for summary in of_target(survey, target) {
        let (Some(rates), Some(series)) =
            (summary.rates, caches.iter().position(|cache| *cache == summary.cache))
        else {
            continue;
        };
        let dot = dot(survey, (series, summary), &rates);
        let name = summary.method.name();
        if let Some(row) = rows.iter_mut().find(|row| row.name == name) {
            row.dots.push(dot);
        } else {
            let name = name.to_owned();
            rows.push(DotRow { name, weight: RowWeight::One, dots: vec![dot] });
        }
    }
    let name = |cache: &CopyCache| {
        format!("{}: {}", copies::cache(language), copies::cache_name(language, *cache))
    };
    (!rows.is_empty()).then(|| Dots {
        language,
        title: copies::dots(language).to_owned(),
        source: survey.source(),
        value: Axis::new(figures::throughput_in(language, "MiB/s"), Scale::Linear),
        series: caches.iter().map(name).collect(),
        reference: None,
        band: None,
        lanes: Lanes::Own,
        rows,
    })
}

fn dot(survey: &RunView<'_>, (series, summary): (usize, &CopySummary), rates: &CopyRates) -> Dot {
    let language = survey.language;
    let throughput = rates.throughput_mib_s;
    Dot {
        series,
        value: throughput.mean,
        interval: throughput.ci95.map(|half| [throughput.mean - half, throughput.mean + half]),
        label: language.rate(throughput),
        style: match summary.warnings.is_empty() {
            true => PointStyle::Filled,
            false => PointStyle::Hollow,
        },
        tooltip: format!(
            "{}, {} {}: {}",
            summary.method.name(),
            copies::cache(language),
            copies::cache_name(language, summary.cache),
            language.mib_per_s(throughput),
        ),
        ..Dot::default()
    }
}

/// Remarks on copies, each with its function.
fn list(survey: &RunView<'_>, title: &str, said: impl Fn(&CopySummary) -> Vec<Text>) -> Vec<Block> {
    let mut items: Vec<Text> = Vec::new();
    for summary in &survey.document.analysis.copies {
        for text in said(summary) {
            let of = format!(
                " ({} {}): ",
                copies::cache(survey.language),
                copies::cache_name(survey.language, summary.cache)
            );
            let item = Text::new().code(summary.method.name()).plain(of);
            items.push(item.join(text));
        }
    }
    Block::titled_list(title, items)
}
