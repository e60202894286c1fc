//! `kneepoint compare`: two or more stored runs side by side.

use std::path::Path;

use anyhow::Context;
use kneepoint_core::analysis::comparison::{
    CompareOptions, Comparison, GateOutcome, Profiles, compare as compare_runs,
};
use kneepoint_core::result::RunDocument;

use super::stored;
use super::written::{check_writable, write};
use crate::Outcome;
use crate::cli::CompareArgs;
use crate::output::comparison::{Detail, Undecided, comparison_text, junit};
use crate::output::print::print;

/// Prints the comparison and checks the conditions.
pub(crate) fn compare(args: &CompareArgs) -> anyhow::Result<Outcome> {
    let is_printed = |path: &&Path| *path == Path::new("-");
    let json = args.json.as_deref();
    for path in [json, args.junit.as_deref()].into_iter().flatten() {
        if !is_printed(&path) {
            check_writable(path)?;
        }
    }
    let documents = args
        .runs
        .iter()
        .map(|run| stored::load(&args.store.store, run))
        .collect::<anyhow::Result<Vec<RunDocument>>>()?;
    let documents: Vec<&RunDocument> = documents.iter().collect();
    let comparison = compare_runs(&documents, &options(args))?;
    let undecided = if args.fail_if_undecided { Undecided::Fails } else { Undecided::Passes };
    if let Some(path) = &args.junit {
        write(path, junit(&comparison, undecided))?;
    }
    match json {
        Some(path) if is_printed(&path) => print(&json_of(&comparison)?)?,
        other => {
            if let Some(path) = other {
                write(path, &json_of(&comparison)?)?;
            }
            let detail = if args.points { Detail::Points } else { Detail::Series };
            print(&comparison_text(&comparison, detail))?;
        }
    }
    Ok(outcome(&comparison, undecided))
}

fn options(args: &CompareArgs) -> CompareOptions {
    CompareOptions {
        profiles: if args.different_profiles { Profiles::Different } else { Profiles::Same },
        conditions: args.fail_if.clone(),
    }
}

fn json_of(comparison: &Comparison) -> anyhow::Result<String> {
    let text =
        serde_json::to_string_pretty(comparison).context("cannot write the comparison as JSON")?;
    Ok(text + "\n")
}

fn outcome(comparison: &Comparison, undecided: Undecided) -> Outcome {
    match comparison.gate.as_ref().map(|gate| gate.outcome) {
        Some(GateOutcome::Failed) => Outcome::CheckFailed,
        Some(GateOutcome::Undecided) if undecided == Undecided::Fails => Outcome::CheckFailed,
        _ => Outcome::Done,
    }
}
