//! The results, profile by profile and series by series.

use kneepoint_core::words::rule::{Metric, Rule};

use super::curves::CurveSet;
use super::survey::{Group, RunView, SeriesView};
use super::{data, grid, knee, percentiles, points, profile, rounds, stability, words};
use crate::language::texts;
use crate::page::{Block, Figure, Section, Text, slug};

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let mut section = Section::new("results", texts::series::heading(survey.language), Vec::new());
    if survey.series.is_empty() {
        section.blocks.push(Block::paragraph(texts::series::nothing_measured(survey.language)));
    }
    for (index, group) in survey.groups().iter().enumerate() {
        section.sections.push(group_section(survey, group, index));
    }
    section
}

fn group_section(survey: &RunView<'_>, group: &Group<'_, '_>, index: usize) -> Section {
    if let [only] = group.series.as_slice() {
        return single(survey, only);
    }
    let id = format!("profile-{}-{}", index + 1, slug(group.profile));
    let mut section = Section::new(id.trim_end_matches('-'), group.profile, Vec::new());
    let mut figures = shared(survey, &group.series, &subject(survey, &group.series));
    figures.extend(grid::figures(survey, group));
    if !figures.is_empty() {
        section.blocks.push(Block::Figures(figures));
    }
    for series in &group.series {
        section.sections.push(assemble(survey, series, own(survey, series)));
    }
    section
}

/// What a caption calls several series.
fn subject(survey: &RunView<'_>, series: &[&SeriesView<'_>]) -> String {
    match series {
        [first, .., last] if series.len() > 3 => {
            texts::figures::series_between(survey.language, series.len(), first.name, last.name)
        }
        _ => {
            let names: Vec<String> = series.iter().map(|series| series.name.to_owned()).collect();
            words::listed(survey.language, &names)
        }
    }
}

/// A profile with one series: its figures stand together.
fn single(survey: &RunView<'_>, series: &SeriesView<'_>) -> Section {
    let mut figures = shared(survey, &[series], series.name);
    figures.extend(own(survey, series));
    assemble(survey, series, figures)
}

fn assemble(survey: &RunView<'_>, series: &SeriesView<'_>, figures: Vec<Figure>) -> Section {
    let mut blocks = profile::blocks(survey, series);
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    blocks.extend(knee::blocks(series));
    blocks.extend(values(series));
    blocks.extend(rounds::blocks(series));
    blocks.extend(stability::blocks(series));
    Section::new(&series.id, series.name, blocks)
}

/// The numbers of the curve, and where all others are.
fn values(series: &SeriesView<'_>) -> Vec<Block> {
    let language = series.language;
    let Some(table) = points::curve(series) else { return Vec::new() };
    let mut remark = texts::series::more(language, &format!("{}-{}", data::ID, series.id));
    if series.repetitions() > 1 {
        let variation = series.summaries.iter().find_map(|summary| summary.variation);
        let variation = variation.map_or_else(String::new, |variation| {
            let percent = language.percent(variation.between_percent);
            texts::series::variation(language, &percent, variation.repetitions as usize)
        });
        let repeated = texts::series::repeated(language, series.repetitions());
        remark = Text::new().plain(repeated + &variation + " ").join(remark);
    }
    vec![Block::Table(table), Block::Remark(remark)]
}

/// Figures that several series can share.
fn shared(survey: &RunView<'_>, series: &[&SeriesView<'_>], subject: &str) -> Vec<Figure> {
    let curves = CurveSet::new(survey, series.to_vec(), subject);
    let response = metrics(series).into_iter().filter_map(|metric| curves.response(metric));
    curves.throughput().into_iter().chain(response).collect()
}

/// With more series than this, their percentiles over load are left to the tables.
const SERIES_WITH_PERCENTILES_MAX: usize = 12;

/// Figures of one series alone.
fn own(survey: &RunView<'_>, series: &SeriesView<'_>) -> Vec<Figure> {
    let few = survey.series.len() <= SERIES_WITH_PERCENTILES_MAX;
    let over_load = few.then(|| percentiles::over_load(survey, series)).flatten();
    over_load.into_iter().chain(percentiles::by_nines(survey, series)).collect()
}

/// The response times that rules look at; the mean always.
fn metrics(series: &[&SeriesView<'_>]) -> Vec<Metric> {
    let mut metrics = vec![Metric::Mean];
    for summary in series.iter().flat_map(|series| &series.summaries) {
        let line = summary.rule.parse::<Rule>().ok().and_then(|rule| rule.line_ms());
        if let Some((metric, _)) = line
            && !metrics.contains(&metric)
        {
            metrics.push(metric);
        }
    }
    metrics
}
