//! `kneepoint show`: the tables of a stored run.

use super::load_run;
use crate::Outcome;
use crate::cli::ShowArgs;
use crate::destination::json;
use crate::output::print::{print_json, print_page};
use crate::output::result::run_text;

/// Prints the tables, or the JSON.
pub(crate) fn show(args: &ShowArgs) -> anyhow::Result<Outcome> {
    let document = load_run::load(&args.store.store, &args.run.run)?;
    match args.json {
        true => print_json(&json(&document)?)?,
        false => print_page(args.page.page(), |width| run_text(&document, width))?,
    }
    Ok(Outcome::Done)
}
