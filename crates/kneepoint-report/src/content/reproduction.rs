//! What it takes to do the same again.

use kneepoint_core::result::RunState;
use serde_json::Value;

use super::survey::Survey;
use crate::page::{Block, Fact, Fold, Listing, Section, Text};

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let texts = &survey.texts().reproduction;
    let run = &survey.document.run;
    let mut blocks = vec![Block::paragraph(texts.intro)];
    if !run.command.is_empty() {
        blocks.push(Block::Listing(Listing {
            title: texts.command.to_owned(),
            text: run.command.clone(),
            fold: Fold::Open,
        }));
    }
    blocks.push(Block::Facts(facts(survey)));
    if survey.document.plan != Value::Null {
        blocks.push(Block::Listing(Listing {
            title: texts.plan.to_owned(),
            text: format!("{:#}", survey.document.plan),
            fold: Fold::Folded,
        }));
    }
    Section::new("reproduction", texts.heading, blocks)
}

fn facts(survey: &Survey<'_>) -> Vec<Fact> {
    let (texts, words) = (&survey.texts().reproduction, &survey.texts().words);
    let run = &survey.document.run;
    let label = if run.label.is_empty() { words.none } else { &run.label };
    let state = match run.state {
        RunState::Complete => texts.complete,
        RunState::Interrupted => texts.interrupted,
        RunState::Failed => texts.failed,
    };
    let time = |time: &str| match time {
        "" => words.not_recorded.to_owned(),
        time => time.to_owned(),
    };
    vec![
        Fact::new(survey.texts().front.run, Text::new().code(&run.id)),
        Fact::new(texts.label, label),
        Fact::new(texts.state, state),
        Fact::new(texts.started, time(&run.started_at)),
        Fact::new(texts.finished, time(&run.finished_at)),
        Fact::new(texts.seed, Text::new().code(run.seed.to_string())),
        Fact::new(texts.plan_hash, Text::new().code(&run.plan_hash)),
        Fact::new(texts.version, format!("Kneepoint {}", run.version)),
        Fact::new(texts.format, Text::new().code(&survey.document.schema)),
    ]
}
