//! What it takes to do the same again.

use kneepoint_core::result::RunState;
use serde_json::Value;

use super::survey::RunView;
use crate::language::texts;
use crate::page::{Block, Fact, Fold, Listing, Section, Text};

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let language = survey.language;
    let run = &survey.document.run;
    let mut blocks = vec![Block::paragraph(texts::reproduction::intro(language))];
    if !run.command.is_empty() {
        blocks.push(Block::Listing(Listing {
            title: texts::reproduction::command(language).to_owned(),
            text: run.command.clone(),
            fold: Fold::Open,
        }));
    }
    blocks.push(Block::Facts(facts(survey)));
    if survey.document.plan != Value::Null {
        blocks.push(Block::Listing(Listing {
            title: texts::reproduction::plan(language).to_owned(),
            text: format!("{:#}", survey.document.plan),
            fold: Fold::Folded,
        }));
    }
    Section::new("reproduction", texts::reproduction::heading(language), blocks)
}

fn facts(survey: &RunView<'_>) -> Vec<Fact> {
    let language = survey.language;
    let run = &survey.document.run;
    let label = if run.label.is_empty() { texts::words::none(language) } else { &run.label };
    let state = match run.state {
        RunState::Complete => texts::reproduction::complete(language),
        RunState::Interrupted => texts::reproduction::interrupted(language),
        RunState::Failed => texts::reproduction::failed(language),
    };
    let time = |time: &str| match time {
        "" => texts::words::not_recorded(language).to_owned(),
        time => time.to_owned(),
    };
    vec![
        Fact::new(texts::front::run(language), Text::new().code(&run.id)),
        Fact::new(texts::reproduction::label(language), label),
        Fact::new(texts::reproduction::state(language), state),
        Fact::new(texts::reproduction::started(language), time(&run.started_at)),
        Fact::new(texts::reproduction::finished(language), time(&run.finished_at)),
        Fact::new(texts::reproduction::seed(language), Text::new().code(run.seed.to_string())),
        Fact::new(texts::reproduction::plan_hash(language), Text::new().code(&run.plan_hash)),
        Fact::new(texts::reproduction::version(language), format!("Kneepoint {}", run.version)),
        Fact::new(texts::reproduction::format(language), Text::new().code(&survey.document.schema)),
    ]
}
