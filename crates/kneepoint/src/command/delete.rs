//! `kneepoint delete`: a run leaves the store.

use kneepoint_store::{Access, RunName, Store};

use crate::Outcome;
use crate::cli::DeleteArgs;
use crate::output::count::points;
use crate::output::print::tell;

/// Deletes the run and says what it was.
pub(crate) fn delete(args: &DeleteArgs) -> anyhow::Result<Outcome> {
    let mut store = Store::open(&args.store.store, Access::ReadWrite)?;
    let run = store.find(&args.run.parse::<RunName>()?)?;
    store.delete(&run.id)?;
    tell(&format!("deleted run {} ({}, {})", run.id, run.work, points(run.points as usize)));
    Ok(Outcome::Done)
}
