//! A module for each command, or for those that are alike; what several of them need.

pub(crate) mod agent;
mod between;
pub(crate) mod calibrate;
mod campaign;
pub(crate) mod catalog;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod export;
pub(crate) mod guards;
pub(crate) mod hosts;
pub(crate) mod import;
pub(crate) mod inspect;
pub(crate) mod live;
pub(crate) mod manifest;
pub(crate) mod plan;
pub(crate) mod record;
mod remarks;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod sessions;
mod shares;
pub(crate) mod size;
pub(crate) mod trace;
pub(crate) mod validate;
pub(crate) mod verify;

use std::path::Path;

use clap::CommandFactory;
use clap_complete::generate;
use kneepoint_core::result::{RunAnalysis, RunDocument};
use kneepoint_core::words::fault::Fault;
use kneepoint_store::{RunName, Store, StoreAccess};

use crate::Outcome;
use crate::cli::{Cli, CompletionsArgs};
use crate::output::print::print_raw;
use crate::work::{TEXT_MAX, read_text};

/// Loads the run that `name` means.
fn load_run(store: &Path, name: &str) -> anyhow::Result<RunDocument> {
    let store = Store::open(store, StoreAccess::ReadOnly)?;
    let name: RunName = name.parse()?;
    let overview = store.find(&name)?;
    analysed(store.load(&overview.id)?)
}

/// Loads several runs.
fn load_runs(store: &Path, names: &[String]) -> anyhow::Result<Vec<RunDocument>> {
    names.iter().map(|name| load_run(store, name)).collect()
}

/// A run with its analysis.
fn analysed(mut document: RunDocument) -> anyhow::Result<RunDocument> {
    document.analysis = RunAnalysis::of(&document)?;
    Ok(document)
}

/// The text of a file; `fix` is the advice where it cannot be read.
fn read_file(path: &Path, fix: &str) -> Result<String, Fault> {
    read_text(path, TEXT_MAX).map_err(|error| {
        Fault::new(format!("cannot read {}", path.display())).because(error).fix(fix)
    })
}

/// Prints the completion script.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "kneepoint", &mut script);
    print_raw(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}
