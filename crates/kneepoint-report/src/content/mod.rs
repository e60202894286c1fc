//! The content of a report on a run: from the result format to the page.
//!
//! Every sentence and number here follows from the run alone. What the run does not hold is not
//! guessed: it is left out, or said to be unknown. The words come from the texts of the report's
//! language; here is only what is said, and when.

mod advice;
mod appendix;
mod applications;
mod badge;
pub(crate) mod chapters;
pub(crate) mod comparison;
mod copies;
mod curves;
mod encoding;
mod excerpt;
mod factors;
pub(crate) mod glossary;
mod grid;
mod hosts;
mod key_figures;
mod parts;
mod plateaus;
mod points;
mod processor;
mod profile;
mod published;
mod recorded;
mod reference;
mod results;
mod rounds;
mod scaling;
mod setup;
mod statements;
mod summary;
mod system;
mod trust;
mod users;
mod view;
mod waits;

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{RunDocument, RunState};

use super::language::Language;
use super::language::texts::trust::makes_the_numbers;
use super::language::texts::{front, imported, sizing, titles};
use super::page::{Fact, Note, Page, Section, Text, Tone};
use glossary::Field;
use view::RunView;

/// The report on one run, as blocks that any format can render.
pub fn page(document: &RunDocument, language: Language) -> Page {
    glossary::explained(unexplained(document, language), field(document, language))
}

/// What a run is about.
fn field(document: &RunDocument, language: Language) -> Field {
    match RunView::new(document, language).is_io() {
        true => Field::Io,
        false => Field::Work,
    }
}

/// The report as a part of a longer one, which explains its terms itself.
fn unexplained(document: &RunDocument, language: Language) -> Page {
    let counted = rounds::counted(document);
    let separated = factors::separated(&counted);
    let survey = RunView::new(&separated, language);
    let mut sections = vec![summary::section(&survey), key_figures::section(&survey)];
    sections.extend(rounds::section(document, &survey));
    sections.extend(statements::findings(&survey));
    sections.extend(users::section(&survey));
    sections.extend(factors::section(document, &survey));
    sections.extend(applications::section(document, &survey));
    sections.extend(published::section(&survey));
    let results = results::section(&survey);
    // Of programs the scores are read, and their figures.
    let (read, looked_up) = match processor::has_scores(&survey) {
        true => (None, results),
        false => (results, None),
    };
    sections.extend(read);
    sections.extend(hosts::section(&survey));
    sections.extend(copies::section(&survey));
    sections.push(trust::section(&survey));
    sections.extend(statements::conclusions(&survey));
    let mut details =
        vec![setup::method(&survey), profile::section(&survey), setup::environment(&survey)];
    details.extend(appendix::long_tables(&mut sections, language));
    details.extend(looked_up);
    details.extend(results::details(&survey));
    details.extend(setup::hosts(&survey));
    details.extend(setup::targets(&survey));
    details.push(setup::reproduction(&survey));
    sections.extend(details.into_iter().map(Section::folded));
    Page {
        language,
        kind: match survey.is_io() {
            true => front::kind(language),
            false => front::kind_of_server(language),
        }
        .to_owned(),
        title: title(&survey),
        date: document.run.started_at.clone(),
        badge: Some(badge::of_run(&survey)),
        stamp: survey.stamp().to_owned(),
        facts: facts(&survey),
        notes: notes(&survey),
        contents_after: 1,
        sections,
    }
    .stamped()
}

/// The user's own name for the run, or else that of the work.
fn title(survey: &RunView<'_>) -> String {
    let run = &survey.document.run;
    let title = survey.title().unwrap_or(&run.work);
    if run.label.is_empty() {
        titles::title(survey.language, title).words()
    } else {
        run.label.clone()
    }
}

/// The subtitle.
fn facts(survey: &RunView<'_>) -> Vec<Fact> {
    let run = &survey.document.run;
    let work = Text::new().code(&run.work);
    let work = match survey.title() {
        Some(title) if !run.label.is_empty() => {
            work.plain(" (").join(titles::title(survey.language, title)).plain(")")
        }
        _ => work,
    };
    let language = survey.language;
    let mut facts = vec![Fact::new(front::work(language), work)];
    facts.extend(system::facts(survey));
    let by_whom = match &survey.document.environment.imported {
        Some(origin) => {
            format!("{}, {}, ", origin.measured_by(), imported::read_with(language, &run.version))
        }
        None => format!("Kneepoint {}, ", run.version),
    };
    let measured_by = Text::from(by_whom).plain(front::run_id(language)).code(&run.id);
    let by = match setup::targets_are(survey, TargetKind::Sim) {
        true => sizing::simulated_by(language),
        false => front::measured_by(language),
    };
    facts.extend([
        Fact::new(front::date(language), language.period(&run.started_at, &run.finished_at)),
        Fact::new(by, measured_by),
    ]);
    facts
}

/// Notes that the reader must see before anything else.
fn notes(survey: &RunView<'_>) -> Vec<Note> {
    let language = survey.language;
    let (tone, title) = match survey.document.run.state {
        RunState::Complete => (Tone::Bad, front::nothing_measured(language)),
        RunState::Interrupted => (Tone::Caution, front::interrupted(language)),
        RunState::Failed => (Tone::Bad, front::failed(language)),
    };
    let text = match (survey.document.run.state, survey.document.points.is_empty()) {
        (RunState::Complete, false) => String::new(),
        (RunState::Complete, true) => front::ended_before_a_point(language).to_owned(),
        (RunState::Interrupted, true) => front::interrupted_before_a_point(language).to_owned(),
        (RunState::Interrupted, false) => front::interrupted_after(language, &survey.progress()),
        (RunState::Failed, true) => front::failed_before_a_point(language).to_owned(),
        (RunState::Failed, false) => front::failed_after(language, &survey.progress()),
    };
    let state = (!text.is_empty()).then(|| Note::new(tone, title, text));
    let limits = trust::limits(survey).into_iter();
    let limits = limits.map(|limit| Note::new(Tone::Bad, makes_the_numbers(language), limit));
    let imported = survey.document.environment.imported.iter().map(|origin| {
        let tool = origin.measured_by();
        let text = imported::note(language, &tool, &origin.format, &origin.file);
        Note::new(Tone::Caution, imported::title(language), text)
    });
    imported.chain(state).chain(limits).collect()
}
