//! What it takes to do the same again.

use serde_json::Value;

use super::survey::Survey;
use crate::page::{Block, Fact, Fold, Listing, Section, Text};

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let run = &survey.document.run;
    let mut blocks = vec![Block::paragraph(
        "The plan holds everything that influences the measurement, the seed of all randomness \
         included; its hash names the experiment. Two runs with the same hash did the same.",
    )];
    if !run.command.is_empty() {
        blocks.push(Block::Listing(Listing {
            title: "The command as it was typed".to_owned(),
            text: run.command.clone(),
            fold: Fold::Open,
        }));
    }
    let label = if run.label.is_empty() { "none" } else { &run.label };
    blocks.push(Block::Facts(vec![
        Fact::new("Run", Text::new().code(&run.id)),
        Fact::new("Label", label),
        Fact::new("State", run.state.name()),
        Fact::new("Started", time(&run.started_at)),
        Fact::new("Finished", time(&run.finished_at)),
        Fact::new("Seed", Text::new().code(run.seed.to_string())),
        Fact::new("Plan hash (SHA-256)", Text::new().code(&run.plan_hash)),
        Fact::new("Version", format!("Kneepoint {}", run.version)),
        Fact::new("Result format", Text::new().code(&survey.document.schema)),
    ]));
    if survey.document.plan != Value::Null {
        blocks.push(Block::Listing(Listing {
            title: "The plan".to_owned(),
            text: format!("{:#}", survey.document.plan),
            fold: Fold::Folded,
        }));
    }
    Section::new("reproduction", "Reproduction", blocks)
}

fn time(time: &str) -> &str {
    if time.is_empty() { "not recorded" } else { time }
}
