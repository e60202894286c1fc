//! The abstract: what was done and what came out, in a few sentences.

use kneepoint_core::number::Span;
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{RunState, SustainedStatus, Verdict};
use kneepoint_core::units::Nanos;

use super::survey::{SeriesView, Survey};
use super::{profile, standing, targets, words};
use crate::page::{Block, Section, Text};

/// With more series than this the abstract leaves the numbers to the table.
const SERIES_MAX: usize = 8;

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let mut blocks = vec![Block::Paragraph(setting(survey))];
    if survey.series.len() <= SERIES_MAX {
        let results: Vec<Text> = survey.series.iter().filter_map(finding).collect();
        if !results.is_empty() {
            blocks.push(Block::List(results));
        }
    } else {
        let text =
            Text::new().plain(format!("The results of all {} series are in ", survey.series.len()));
        blocks.push(Block::Paragraph(text.link("Key figures", "key-figures").plain(".")));
    }
    blocks.push(Block::Paragraph(trust(survey)));
    Section::new("abstract", "Abstract", blocks)
}

/// What was measured, on what, and how long.
fn setting(survey: &Survey<'_>) -> Text {
    let run = &survey.document.run;
    let mut text = Text::new().plain("This report describes one run of ").code(&run.work);
    text = match survey.targets() {
        [] => text,
        [only] => {
            let what = targets::description(only);
            text.plain(" against ").code(&only.target).plain(format!(" ({what})"))
        }
        many => text
            .plain(format!(" against {} targets at once (", many.len()))
            .join(targets::names(survey))
            .plain(")"),
    };
    let points = words::counted(survey.document.points.len(), "point", "points");
    let series = words::counted(survey.series.len(), "series", "series");
    text = match survey.document.points.len() {
        0 => text.plain(". No point was measured."),
        1 => text.plain(". One point was measured."),
        _ => text.plain(format!(". {points} in {series} were measured{}.", duration(survey))),
    };
    if survey.document.points.is_empty() {
        return text;
    }
    match run.state {
        RunState::Complete => text,
        RunState::Interrupted => {
            text.plain(format!(" The run was interrupted after {}.", survey.progress()))
        }
        RunState::Failed => text.plain(format!(" The run failed after {}.", survey.progress())),
    }
}

/// How long the points took together.
fn duration(survey: &Survey<'_>) -> String {
    let points = &survey.document.points;
    let seconds: f64 = points.iter().map(|point| point.ramp_s + point.measured_s).sum();
    if seconds < 1.0 {
        return String::new();
    }
    let simulated = targets::are(survey, TargetKind::Sim);
    let virtual_time = if simulated { " of virtual time" } else { "" };
    format!(" in {}{virtual_time}, warm-up included", Span(Nanos::from_secs_f64(seconds)))
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
    let end = format!(" at {load} with a mean response time of {response}.");
    Some(text.plain("peak ").strong(peak.headline).plain(end))
}

/// A clause for each rule; neighbouring rules that are missed in the same way share one.
fn clauses(series: &SeriesView<'_>) -> Vec<Text> {
    let mut missed: Vec<(Vec<String>, String)> = Vec::new();
    let mut clauses = Vec::new();
    for summary in &series.summaries {
        let rule = words::rule(&summary.rule);
        let standing = standing::sustained(series, summary);
        if summary.sustained.status == SustainedStatus::Met {
            let load = summary.sustained.outstanding;
            let load = load.map(|load| format!(" with {}", words::load(load, summary.load_unit)));
            let rest = format!(" sustained at {rule}{}", load.unwrap_or_default());
            clauses.push(Text::new().strong(standing.headline).plain(rest));
            continue;
        }
        match missed.iter_mut().find(|(_, headline)| *headline == standing.headline) {
            Some((rules, _)) => rules.push(rule),
            None => missed.push((vec![rule], standing.headline)),
        }
    }
    let missed = missed.into_iter();
    let missed = missed.map(|(rules, how)| format!("at {}, {how}", words::listed(&rules)).into());
    clauses.into_iter().chain(missed).collect()
}

/// How far the results can be trusted, in one sentence.
fn trust(survey: &Survey<'_>) -> Text {
    let points = survey.document.points.len();
    let suspect: usize = [Verdict::Drifting, Verdict::Failed, Verdict::Invalid]
        .map(|v| survey.count(v))
        .iter()
        .sum();
    let errors: u64 = survey.document.points.iter().map(|point| point.errors).sum();
    let suspect = match suspect {
        0 if points == 0 => "There is no point to judge".to_owned(),
        0 => "No point is drifting, failed or invalid".to_owned(),
        1 => format!("1 of {points} points is drifting, failed or invalid"),
        some => format!("{some} of {points} points are drifting, failed or invalid"),
    };
    let errors = match errors {
        0 => "no I/O failed".to_owned(),
        1 => "1 I/O failed".to_owned(),
        some => format!("{} I/Os failed", kneepoint_core::number::Count(some)),
    };
    let warnings = match survey.warning_count() {
        0 => "there is no warning".to_owned(),
        1 => "there is 1 warning".to_owned(),
        some => format!("there are {some} warnings"),
    };
    Text::new()
        .plain(format!("{suspect}, {errors}, and {warnings}: see "))
        .link("Trust", "trust")
        .plain(".")
}
