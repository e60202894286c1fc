//! The abstract: what was done and what came out, in a few sentences.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{RunState, SustainedStatus, Verdict};

use super::survey::{RunView, SeriesView};
use super::{profile, standing, targets, words};
use crate::language::texts;
use crate::page::{Block, Section, Text};

/// With more series than this the abstract leaves the numbers to the table.
const SERIES_MAX: usize = 8;

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let mut blocks = vec![Block::Paragraph(setting(survey))];
    if survey.series.len() <= SERIES_MAX {
        let results: Vec<Text> = survey.series.iter().filter_map(finding).collect();
        if !results.is_empty() {
            blocks.push(Block::List(results));
        }
    } else {
        blocks.push(Block::Paragraph(texts::abstract_text::many_series(
            survey.language,
            survey.series.len(),
            "key-figures",
        )));
    }
    blocks.push(Block::Paragraph(trust(survey)));
    Section::new("abstract", texts::abstract_text::heading(survey.language), blocks)
}

/// What was measured, on what, and how long.
fn setting(survey: &RunView<'_>) -> Text {
    let language = survey.language;
    let run = &survey.document.run;
    let mut text = texts::abstract_text::run_of(language, &run.work);
    text = text.join(match survey.targets() {
        [] => ". ".into(),
        [only] => texts::abstract_text::against_one(
            language,
            &only.target,
            &targets::description(survey, only),
        ),
        many => texts::abstract_text::against_many(language, many.len(), targets::names(survey)),
    });
    let points = survey.document.points.len();
    text = match points {
        0 => return text.plain(texts::abstract_text::nothing_measured(language)),
        1 => text.plain(texts::abstract_text::one_point(language)),
        _ => text.plain(texts::abstract_text::measured(
            language,
            points,
            survey.series.len(),
            &duration(survey),
        )),
    };
    match run.state {
        RunState::Complete => text,
        RunState::Interrupted => {
            text.plain(texts::abstract_text::interrupted_after(language, &survey.progress()))
        }
        RunState::Failed => {
            text.plain(texts::abstract_text::failed_after(language, &survey.progress()))
        }
    }
}

/// How long the points took together.
fn duration(survey: &RunView<'_>) -> String {
    let language = survey.language;
    let points = &survey.document.points;
    let seconds: f64 = points.iter().map(|point| point.ramp_s + point.measured_s).sum();
    if seconds < 1.0 {
        return String::new();
    }
    let simulated = targets::are(survey, TargetKind::Sim);
    let span = language.span(seconds);
    match simulated {
        true => texts::abstract_text::virtual_duration(language, &span),
        false => texts::abstract_text::duration(language, &span),
    }
}

/// What came out of one series.
fn finding(series: &SeriesView<'_>) -> Option<Text> {
    let (peak, load, response) = standing::peak(series)?;
    let mut text = Text::new().link(series.name, &series.id);
    if let Some(profile) = profile::short(series) {
        text = text.plain(format!(" ({profile})"));
    }
    text = text.plain(": ");
    for clause in clauses(series) {
        text = text.join(clause).plain("; ");
    }
    let end = texts::abstract_text::at_peak(series.language, &load, &response);
    Some(text.plain(texts::abstract_text::peak(series.language)).strong(peak.headline).plain(end))
}

/// A clause for each rule; neighbouring rules that are missed in the same way share one.
fn clauses(series: &SeriesView<'_>) -> Vec<Text> {
    let mut missed: Vec<(Vec<String>, String)> = Vec::new();
    let mut clauses = Vec::new();
    for summary in &series.summaries {
        let rule = words::rule(series.language, &summary.rule);
        let standing = standing::sustained(series, summary);
        if summary.sustained.status == SustainedStatus::Met {
            let load = summary.sustained.load;
            let load =
                load.map(|load| texts::words::at_load(series.language, load, summary.load_unit));
            let rest = match load {
                Some(load) => texts::abstract_text::sustained(series.language, &rule, &load),
                None => texts::abstract_text::sustained_somewhere(series.language, &rule),
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
        texts::abstract_text::missed(series.language, &rules, &how).into()
    });
    clauses.into_iter().chain(missed).collect()
}

/// How far the results can be trusted, in one sentence.
fn trust(survey: &RunView<'_>) -> Text {
    let language = survey.language;
    let points = survey.document.points.len();
    let suspect = [Verdict::Drifting, Verdict::Failed, Verdict::Disturbed];
    let suspect: usize = suspect.iter().map(|verdict| survey.count(*verdict)).sum();
    let errors: u64 = survey.document.points.iter().map(|point| point.errors).sum();
    let parts = [
        texts::abstract_text::suspect(language, suspect, points),
        match survey.is_io() {
            true => texts::abstract_text::errors(language, errors),
            false => texts::abstract_text::operation_errors(language, errors),
        },
        texts::abstract_text::warnings(language, survey.warning_count()),
    ];
    texts::abstract_text::trust(language, [&parts[0], &parts[1], &parts[2]], "trust")
}
