//! The reference of a run that another one has measured.

use kneepoint_core::plan::Reference;
use kneepoint_core::words::rule::Rule;

use super::view::RunView;
use crate::language::texts::{common, key_figures};
use crate::page::{Block, Text};

/// Which rules refer to another run, and to what there; nothing if the run has measured its own reference.
pub(super) fn stored(survey: &RunView<'_>) -> Option<Block> {
    let found = survey.document.plan.get("reference")?.clone();
    let reference: Reference = serde_json::from_value(found).ok()?;
    let language = survey.language;
    let origin = &reference.origin;
    let told = |rule: &Rule| {
        let value = language.response_time(reference.value_ms(rule)?);
        let rule = common::rule(language, &rule.to_string());
        let run = match origin.label.as_str() {
            "" => origin.run.clone(),
            label => format!("{label} ({})", origin.run),
        };
        Some(Text::from(key_figures::stored_reference(language, &rule, &value, &run)))
    };
    let all: Vec<Text> = reference.rules.iter().filter_map(told).collect();
    (!all.is_empty()).then_some(Block::List(all))
}
