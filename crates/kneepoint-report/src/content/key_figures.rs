//! The key figures: every series at every rule, at its saturation knee and at its peak, in one
//! table.

use kneepoint_core::result::ThroughputUnit;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Metric;

use super::curves::CurveSet;
use super::judge::PrimaryMetric;
use super::side_by_side;
use super::standing;
use super::survey::{RunView, SeriesView};
use super::words;
use crate::language::texts;
use crate::page::{Block, Cell, Column, ColumnGroup, Section, Table, Text, Tone};

/// Rules side by side in one table.
const RULES_PER_TABLE: usize = 3;
/// More curves than this in one overview figure would be a tangle.
const CURVES_MAX: usize = 12;

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let mut blocks = Vec::new();
    if survey.series.is_empty() {
        blocks.push(Block::paragraph(texts::key_figures::none(survey.language)));
        return Section::new("key-figures", texts::key_figures::heading(survey.language), blocks);
    }
    let mut chunks: Vec<&[&str]> = survey.rules.chunks(RULES_PER_TABLE).collect();
    if chunks.is_empty() {
        blocks.push(Block::paragraph(texts::key_figures::no_rule(survey.language)));
        chunks.push(&[]);
    }
    blocks.extend(chunks.into_iter().map(|rules| Block::Table(table(survey, rules))));
    blocks.push(Block::Remark(texts::key_figures::remark(survey.language)));
    let overviews = PrimaryMetric::ALL.map(|judge| overview(survey, judge));
    let figures: Vec<_> =
        side_by_side::figures(survey).into_iter().chain(overviews.into_iter().flatten()).collect();
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    Section::new("key-figures", texts::key_figures::heading(survey.language), blocks)
}

fn table(survey: &RunView<'_>, rules: &[&str]) -> Table {
    let mut groups =
        vec![ColumnGroup::new("", vec![Column::words(texts::words::series(survey.language))])];
    if !rules.is_empty() {
        let rule = |rule: &&str| Column::numbers(words::rule(survey.language, rule));
        groups.push(ColumnGroup::new(
            texts::key_figures::sustained_at(survey.language),
            rules.iter().map(rule).collect(),
        ));
    }
    let unit = common_unit(survey);
    let load = unit.map_or(texts::words::load_word(survey.language), |unit| {
        texts::words::load_title(survey.language, unit)
    });
    let saturation = [
        texts::words::throughput(survey.language),
        load,
        texts::key_figures::mean_response(survey.language),
    ]
    .map(Column::numbers);
    groups
        .push(ColumnGroup::new(texts::key_figures::saturation(survey.language), saturation.into()));
    groups.push(ColumnGroup::new(
        "",
        vec![Column::numbers(texts::key_figures::peak(survey.language))],
    ));
    let mut table = Table::new(texts::key_figures::caption(survey.language), groups);
    for series in &survey.series {
        table.push(row(series, rules, unit));
    }
    table
}

fn row(series: &SeriesView<'_>, rules: &[&str], unit: Option<LoadUnit>) -> Vec<Cell> {
    let name = Text::new().link(series.name, &series.id);
    let mut cells = vec![Cell::new(name)];
    for rule in rules {
        let summary = series.summaries.iter().find(|summary| summary.rule == *rule);
        cells.push(match summary {
            Some(summary) => {
                let standing = standing::sustained(series, summary);
                Cell::new(standing.headline).detail(standing.detail).tone(standing.tone)
            }
            None => Cell::new(words::NOTHING).tone(Tone::Muted),
        });
    }
    cells.extend(saturation(series, unit));
    cells.push(match standing::peak(series) {
        Some((peak, load, _)) => Cell::new(peak.headline)
            .detail(texts::standing::at(series.language, &load))
            .tone(peak.tone),
        None => Cell::new(words::NOTHING).tone(Tone::Muted),
    });
    cells
}

/// Throughput, load and response time of the saturation knee.
fn saturation(series: &SeriesView<'_>, unit: Option<LoadUnit>) -> [Cell; 3] {
    let Some((standing, found, response)) = standing::saturation(series) else {
        return [words::NOTHING; 3].map(|text| Cell::new(text).tone(Tone::Muted));
    };
    let throughput = Cell::new(Text::new().strong(standing.headline));
    // A number alone if the head of the column says the unit.
    let load = match unit {
        Some(_) => series.language.level(found.load),
        None => texts::words::load(series.language, found.load, series.load_unit()),
    };
    [throughput.detail(standing.detail).tone(standing.tone), Cell::new(load), Cell::new(response)]
}

/// What the loads of all series count, where it is the same.
fn common_unit(survey: &RunView<'_>) -> Option<LoadUnit> {
    let unit = survey.series.first()?.load_unit();
    survey.series.iter().all(|series| series.load_unit() == unit).then_some(unit)
}

/// Response time over throughput of all series that are judged alike, where that compares any.
fn overview(survey: &RunView<'_>, judge: PrimaryMetric) -> Option<crate::page::Figure> {
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
        PrimaryMetric::Rate(ThroughputUnit::Iops) => texts::figures::random_series(language),
        PrimaryMetric::Rate(_) => texts::figures::other_series(language),
        PrimaryMetric::Volume => texts::figures::sequential_series(language),
    };
    CurveSet::new(survey, alike, subject).response(Metric::Mean)
}
