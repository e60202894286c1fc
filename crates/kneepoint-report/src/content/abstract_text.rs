//! The abstract: what was done and what came out, in a few sentences.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{RunState, SustainedStatus, Verdict};

use super::survey::{SeriesView, Survey};
use super::{profile, standing, targets, words};
use crate::page::{Block, Section, Text};

/// With more series than this the abstract leaves the numbers to the table.
const SERIES_MAX: usize = 8;

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let texts = &survey.texts().abstract_text;
    let mut blocks = vec![Block::Paragraph(setting(survey))];
    if survey.series.len() <= SERIES_MAX {
        let results: Vec<Text> = survey.series.iter().filter_map(finding).collect();
        if !results.is_empty() {
            blocks.push(Block::List(results));
        }
    } else {
        blocks.push(Block::Paragraph((texts.many_series)(survey.series.len(), "key-figures")));
    }
    blocks.push(Block::Paragraph(trust(survey)));
    Section::new("abstract", texts.heading, blocks)
}

/// What was measured, on what, and how long.
fn setting(survey: &Survey<'_>) -> Text {
    let texts = &survey.texts().abstract_text;
    let run = &survey.document.run;
    let mut text = (texts.run_of)(&run.work);
    text = text.join(match survey.targets() {
        [] => ". ".into(),
        [only] => (texts.against_one)(&only.target, &targets::description(survey, only)),
        many => (texts.against_many)(many.len(), targets::names(survey)),
    });
    let points = survey.document.points.len();
    text = match points {
        0 => return text.plain(texts.nothing_measured),
        1 => text.plain(texts.one_point),
        _ => text.plain((texts.measured)(points, survey.series.len(), &duration(survey))),
    };
    match run.state {
        RunState::Complete => text,
        RunState::Interrupted => text.plain((texts.interrupted_after)(&survey.progress())),
        RunState::Failed => text.plain((texts.failed_after)(&survey.progress())),
    }
}

/// How long the points took together.
fn duration(survey: &Survey<'_>) -> String {
    let texts = &survey.texts().abstract_text;
    let points = &survey.document.points;
    let seconds: f64 = points.iter().map(|point| point.ramp_s + point.measured_s).sum();
    if seconds < 1.0 {
        return String::new();
    }
    let simulated = targets::are(survey, TargetKind::Sim);
    let duration = if simulated { texts.virtual_duration } else { texts.duration };
    duration(&survey.language.span(seconds))
}

/// What came out of one series.
fn finding(series: &SeriesView<'_>) -> Option<Text> {
    let texts = &series.texts().abstract_text;
    let (peak, load, response) = standing::peak(series)?;
    let mut text = Text::new().link(series.name, &series.id);
    if let Some(profile) = profile::short(series) {
        text = text.plain(format!(" ({profile})"));
    }
    text = text.plain(": ");
    for clause in clauses(series) {
        text = text.join(clause).plain("; ");
    }
    let end = (texts.at_peak)(&load, &response);
    Some(text.plain(texts.peak).strong(peak.headline).plain(end))
}

/// A clause for each rule; neighbouring rules that are missed in the same way share one.
fn clauses(series: &SeriesView<'_>) -> Vec<Text> {
    let texts = series.texts();
    let mut missed: Vec<(Vec<String>, String)> = Vec::new();
    let mut clauses = Vec::new();
    for summary in &series.summaries {
        let rule = words::rule(series.language, &summary.rule);
        let standing = standing::sustained(series, summary);
        if summary.sustained.status == SustainedStatus::Met {
            let load = summary.sustained.load;
            let load = load.map(|load| (texts.words.at_load)(load, summary.load_unit));
            let rest = match load {
                Some(load) => (texts.abstract_text.sustained)(&rule, &load),
                None => (texts.abstract_text.sustained_somewhere)(&rule),
            };
            clauses.push(Text::new().strong(standing.headline).plain(rest));
            continue;
        }
        match missed.iter_mut().find(|(_, headline)| *headline == standing.headline) {
            Some((rules, _)) => rules.push(rule),
            None => missed.push((vec![rule], standing.headline)),
        }
    }
    let missed = missed.into_iter().map(|(rules, how)| {
        let rules = words::listed(series.language, &rules);
        (texts.abstract_text.missed)(&rules, &how).into()
    });
    clauses.into_iter().chain(missed).collect()
}

/// How far the results can be trusted, in one sentence.
fn trust(survey: &Survey<'_>) -> Text {
    let texts = &survey.texts().abstract_text;
    let points = survey.document.points.len();
    let suspect = [Verdict::Drifting, Verdict::Failed, Verdict::Disturbed];
    let suspect: usize = suspect.iter().map(|verdict| survey.count(*verdict)).sum();
    let errors: u64 = survey.document.points.iter().map(|point| point.errors).sum();
    let parts = [
        (texts.suspect)(suspect, points),
        (texts.errors)(errors),
        (texts.warnings)(survey.warning_count()),
    ];
    (texts.trust)([&parts[0], &parts[1], &parts[2]], "trust")
}
