//! `kneepoint run`: from the plan to the report.

use std::path::Path;

use anyhow::Context;
use kneepoint_core::result::{RunDocument, RunState};

use super::written::{check_writable, write_json};
use super::{report, stored};
use crate::Outcome;
use crate::cli::{OutputArgs, RunArgs};
use crate::output::count::points;
use crate::output::print::{print, tell};
use crate::output::result::run_text;
use crate::session::{Ended, Interrupt, measure};
use crate::work::{Search, prepare};

/// Measures and shows the result.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Outcome> {
    run_with(args, Search::AsGiven)
}

/// Searches where the rules are met and shows the result.
pub(crate) fn knee(args: &RunArgs) -> anyhow::Result<Outcome> {
    run_with(args, Search::Knee)
}

fn run_with(args: &RunArgs, search: Search) -> anyhow::Result<Outcome> {
    check_outputs(&args.output)?;
    let prepared = prepare(&args.measure, search)?;
    let interrupt = Interrupt::listen().context("cannot listen to Ctrl-C")?;
    let ended = measure(&prepared, (&args.output, &args.measure.overwrite), &interrupt)?;
    finish(ended, &args.output)
}

/// Shows what a run gave, and how it ended.
pub(super) fn finish(ended: Option<Ended>, output: &OutputArgs) -> anyhow::Result<Outcome> {
    let Some(ended) = ended else {
        tell("interrupted before anything was measured; nothing was kept");
        return Ok(Outcome::CheckFailed);
    };
    let store = &output.store.store;
    let document = stored::load(store, &ended.id)?;
    show(&document, output)?;
    tell(&kept(&document, store));
    match ended.state {
        RunState::Complete => Ok(Outcome::Done),
        RunState::Interrupted | RunState::Failed => Ok(Outcome::CheckFailed),
    }
}

/// Refuses before a long run what could not be written after it.
pub(super) fn check_outputs(output: &OutputArgs) -> anyhow::Result<()> {
    if let Some(path) = &output.report {
        report::check(path)?;
    }
    match &output.json {
        Some(path) if path.as_os_str() != "-" => Ok(check_writable(path)?),
        _ => Ok(()),
    }
}

/// Prints the tables, or the JSON, and writes the files that were asked for.
fn show(document: &RunDocument, output: &OutputArgs) -> anyhow::Result<()> {
    let json_printed = output.json.as_deref() == Some(Path::new("-"));
    if !json_printed {
        print(&run_text(document))?;
    }
    if let Some(path) = &output.json {
        write_json(path, document)?;
    }
    if let Some(path) = &output.report {
        report::write_report(document, path, output.language)?;
        tell(&format!("report written to {}", path.display()));
    }
    Ok(())
}

/// Where the run is, and how to see it again.
fn kept(document: &RunDocument, store: &Path) -> String {
    let id = &document.run.id;
    let option = match store == Path::new("kneepoint.db") {
        true => String::new(),
        false => format!(" --store {}", store.display()),
    };
    let copies = match document.copies.len() {
        0 => String::new(),
        count => format!(" and {count} copies of files"),
    };
    let points = points(document.points.len());
    let resume = match document.run.state {
        RunState::Complete => String::new(),
        RunState::Interrupted | RunState::Failed => {
            format!("; `kneepoint resume {id}{option}` measures the rest")
        }
    };
    let store = store.display();
    format!(
        "{points}{copies} kept as run {id} in {store}; see `kneepoint show {id}{option}`{resume}"
    )
}
