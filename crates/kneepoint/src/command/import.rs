//! `kneepoint import`: a run from a file enters the store.

use std::fs;

use anyhow::Context;
use kneepoint_core::fault::Fault;
use kneepoint_core::result::{RUN_SCHEMA, RunDocument};
use kneepoint_store::{Access, Store};

use crate::Outcome;
use crate::cli::ImportArgs;
use crate::output::count::points;
use crate::output::print::tell;

/// Reads the file and keeps the run.
pub(crate) fn import(args: &ImportArgs) -> anyhow::Result<Outcome> {
    let path = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {path}"))?;
    let document: RunDocument = serde_json::from_str(&text).map_err(|error| {
        Fault::new(format!("{path} is not a run"))
            .because(error)
            .fix(format!("name a JSON file of schema {RUN_SCHEMA}, as `export` writes it"))
    })?;
    if document.schema != RUN_SCHEMA {
        return Err(Fault::new(format!("{path} has the schema '{}'", document.schema))
            .because(format!("this version of Kneepoint reads {RUN_SCHEMA}"))
            .into());
    }
    Store::open(&args.store.store, Access::ReadWrite)?.import(&document)?;
    tell(&format!("imported run {} with {}", document.run.id, points(document.points.len())));
    Ok(Outcome::Done)
}
