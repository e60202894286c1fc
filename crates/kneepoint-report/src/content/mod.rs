//! What a report says about a run: from the result format to the page.
//!
//! Every sentence and number here follows from the run alone. What the run does not hold is not
//! guessed: it is left out, or said to be unknown.

mod abstract_text;
mod curves;
mod environment;
mod grid;
mod judge;
mod key_figures;
mod knee;
mod marks;
mod method;
mod percentiles;
mod plan_facts;
mod points;
mod profile;
mod reproduction;
mod results;
mod rounds;
mod side_by_side;
mod stability;
mod standing;
mod survey;
mod targets;
mod trust;
mod words;

use kneepoint_core::result::{RunDocument, RunState};

use crate::language::Language;
use crate::page::{Fact, Note, Page, Text, Tone};
use survey::Survey;

/// The report on one run.
pub(crate) fn build(document: &RunDocument, language: Language) -> Page {
    let survey = Survey::new(document, language);
    let mut sections = vec![
        abstract_text::section(&survey),
        key_figures::section(&survey),
        trust::section(&survey),
    ];
    sections.push(results::section(&survey));
    sections.extend(targets::section(&survey));
    sections.push(method::section(&survey));
    sections.push(environment::section(&survey));
    sections.push(reproduction::section(&survey));
    Page {
        language,
        kind: "Storage performance report".to_owned(),
        title: title(&survey),
        facts: facts(&survey),
        notes: notes(&survey),
        contents_after: 1,
        sections,
    }
    .numbered()
}

/// The user's own name for the run, or else that of the work.
fn title(survey: &Survey<'_>) -> String {
    let run = &survey.document.run;
    let title = survey.plan.title.as_deref().unwrap_or(&run.work);
    if run.label.is_empty() { title.to_owned() } else { run.label.clone() }
}

/// The subtitle.
fn facts(survey: &Survey<'_>) -> Vec<Fact> {
    let run = &survey.document.run;
    let work = Text::new().code(&run.work);
    let work = match &survey.plan.title {
        Some(title) if !run.label.is_empty() => work.plain(format!(" ({title})")),
        _ => work,
    };
    vec![
        Fact::new("Work", work),
        Fact::new(
            if survey.targets().len() > 1 { "Targets" } else { "Target" },
            targets::names(survey),
        ),
        Fact::new("Date", survey.language.period(&run.started_at, &run.finished_at)),
        Fact::new("Run", Text::new().code(&run.id)),
        Fact::new("Measured by", format!("Kneepoint {}", run.version)),
    ]
}

/// What the reader must know before anything else.
fn notes(survey: &Survey<'_>) -> Vec<Note> {
    let (tone, title, how) = match survey.document.run.state {
        RunState::Complete => (Tone::Bad, "No point was measured", "The run ended"),
        RunState::Interrupted => (Tone::Caution, "This run was interrupted", "It ended"),
        RunState::Failed => (Tone::Bad, "This run failed", "It was ended by errors"),
    };
    let is_empty = survey.document.points.is_empty();
    let text = if is_empty {
        format!("{how} before a point was measured. What is known of the run follows.")
    } else {
        format!(
            "{how} after {}. The numbers below stand for what was measured, not for all of what \
             was planned.",
            survey.progress()
        )
    };
    let is_whole = survey.document.run.state == RunState::Complete && !is_empty;
    let state = Note { tone, title: title.to_owned(), text: text.into() };
    (!is_whole).then_some(state).into_iter().chain(targets::reality(survey)).collect()
}
