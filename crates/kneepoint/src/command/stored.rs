//! A run from the store, with its summaries.

use std::path::Path;

use kneepoint_core::analysis::{summarize, summarize_plan};
use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::summarize_copies;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::RunDocument;
use kneepoint_core::rule::Rule;
use kneepoint_store::{Access, RunName, Store};

/// Loads the run that `name` means.
pub(super) fn load(store: &Path, name: &str) -> anyhow::Result<RunDocument> {
    let store = Store::open(store, Access::ReadOnly)?;
    let name: RunName = name.parse()?;
    let overview = store.find(&name)?;
    summarized(store.load(&overview.id)?)
}

/// A run with its summaries.
pub(super) fn summarized(mut document: RunDocument) -> anyhow::Result<RunDocument> {
    document.summaries = match serde_json::from_value::<Plan>(document.plan.clone()) {
        Ok(plan) => summarize_plan(&document.points, &plan),
        // A plan of another version: its rules are enough to read the points.
        Err(_) => summarize(&document.points, &rules_of(&document)?),
    };
    document.copy_summaries = summarize_copies(&document.copies);
    Ok(document)
}

/// The rules in the run's plan.
fn rules_of(document: &RunDocument) -> Result<Vec<Rule>, Fault> {
    let rules = document.plan.get("rules").cloned().unwrap_or_default();
    serde_json::from_value(rules).map_err(|error| {
        Fault::new(format!("the plan of run {} has no readable rules", document.run.id))
            .because(error)
    })
}
