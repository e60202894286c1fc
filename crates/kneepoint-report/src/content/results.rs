//! The results, profile by profile and series by series.

use kneepoint_core::rule::{Metric, Rule};

use super::curves::CurveSet;
use super::survey::{Group, SeriesView, Survey};
use super::{grid, knee, percentiles, points, profile, rounds, stability, words};
use crate::page::slug;
use crate::page::{Block, Figure, Section};

/// With more series than this, each shows its percentiles over load in its table alone.
const SERIES_FULL_MAX: usize = 12;

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let mut section = Section::new("results", "Results", Vec::new());
    if survey.series.is_empty() {
        section.blocks.push(Block::paragraph("No point was measured."));
    }
    for (index, group) in survey.groups().iter().enumerate() {
        section.sections.push(group_section(survey, group, index));
    }
    section
}

fn group_section(survey: &Survey<'_>, group: &Group<'_, '_>, index: usize) -> Section {
    if let [only] = group.series.as_slice() {
        return single(survey, only);
    }
    let id = format!("profile-{}-{}", index + 1, slug(group.profile));
    let mut section = Section::new(id.trim_end_matches('-'), group.profile, Vec::new());
    let mut figures = shared(survey, &group.series, &subject(&group.series));
    figures.extend(grid::figures(survey, group));
    if !figures.is_empty() {
        section.blocks.push(Block::Figures(figures));
    }
    for series in &group.series {
        let own = match group.series.len() {
            0..=SERIES_FULL_MAX => own(survey, series),
            _ => percentiles::by_nines(survey, series).into_iter().collect(),
        };
        section.sections.push(assemble(survey, series, own));
    }
    section
}

/// What a caption calls several series.
fn subject(series: &[&SeriesView<'_>]) -> String {
    match series {
        [first, .., last] if series.len() > 3 => {
            format!("{} series from {} to {}", series.len(), first.name, last.name)
        }
        _ => {
            let names: Vec<String> = series.iter().map(|series| series.name.to_owned()).collect();
            words::listed(&names)
        }
    }
}

/// A profile with one series: its figures stand together.
fn single(survey: &Survey<'_>, series: &SeriesView<'_>) -> Section {
    let mut figures = shared(survey, &[series], series.name);
    figures.extend(own(survey, series));
    assemble(survey, series, figures)
}

fn assemble(survey: &Survey<'_>, series: &SeriesView<'_>, figures: Vec<Figure>) -> Section {
    let mut blocks = profile::blocks(survey, series);
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    blocks.extend(knee::blocks(series));
    blocks.extend(points::blocks(series));
    blocks.extend(rounds::blocks(series));
    blocks.extend(stability::blocks(series));
    Section::new(&series.id, series.name, blocks)
}

/// Figures that several series can share.
fn shared(survey: &Survey<'_>, series: &[&SeriesView<'_>], subject: &str) -> Vec<Figure> {
    let curves = CurveSet::new(survey, series.to_vec(), subject);
    let response = metrics(series).into_iter().filter_map(|metric| curves.response(metric));
    curves.throughput().into_iter().chain(response).collect()
}

/// Figures of one series alone.
fn own(survey: &Survey<'_>, series: &SeriesView<'_>) -> Vec<Figure> {
    let over_load = percentiles::over_load(survey, series);
    over_load.into_iter().chain(percentiles::by_nines(survey, series)).collect()
}

/// The response times that rules look at; the mean always.
fn metrics(series: &[&SeriesView<'_>]) -> Vec<Metric> {
    let mut metrics = vec![Metric::Mean];
    for summary in series.iter().flat_map(|series| &series.summaries) {
        if let Ok(rule) = summary.rule.parse::<Rule>()
            && !metrics.contains(&rule.metric)
        {
            metrics.push(rule.metric);
        }
    }
    metrics
}
