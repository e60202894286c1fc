//! `kneepoint show`: the tables of a stored run.

use super::{stored, written};
use crate::Outcome;
use crate::cli::ShowArgs;
use crate::output::print::print;
use crate::output::result::run_text;

/// Prints the tables, or the JSON.
pub(crate) fn show(args: &ShowArgs) -> anyhow::Result<Outcome> {
    let document = stored::load(&args.store.store, &args.run.run)?;
    match args.json {
        true => print(&written::json(&document)?)?,
        false => print(&run_text(&document))?,
    }
    Ok(Outcome::Done)
}
