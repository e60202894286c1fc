//! `kneepoint delete`: a run leaves the store.

use std::path::Path;

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
use kneepoint_store::{Access, RunName, RunOverview, Store};

use super::resume::{Unseen, check_not_running};
use crate::Outcome;
use crate::cli::DeleteArgs;
use crate::output::count::points;
use crate::output::print::tell;
use crate::session::store_option;

/// Deletes the run and says what it was.
pub(crate) fn delete(args: &DeleteArgs) -> anyhow::Result<Outcome> {
    let mut store = Store::open(&args.store.store, Access::ReadWrite)?;
    let name = args.run.parse::<RunName>()?;
    let run = store.find(&name)?;
    check_is_meant(&name, (&run, &args.store.store), &store.runs()?)?;
    check_not_running(&run, Unseen::of(args.abandoned), "deleted")?;
    store.delete(&run.id)?;
    let work = printable(&run.work);
    tell(format!("deleted run {} ({work}, {})", run.id, points(run.points as usize)));
    Ok(Outcome::Done)
}

/// Refuses a name that only reading commands may complete: what is deleted is gone.
fn check_is_meant(
    name: &RunName,
    (run, store): (&RunOverview, &Path),
    runs: &[RunOverview],
) -> Result<(), Fault> {
    let RunName::Text(text) = name else { return Ok(()) };
    let labelled = runs.iter().filter(|other| other.label == *text).count();
    let cause = match labelled {
        _ if run.id == *text => return Ok(()),
        1 => return Ok(()),
        0 => format!("'{text}' is only the beginning of its id"),
        count => format!("{count} runs have the label '{text}'"),
    };
    Err(Fault::new(format!("run {} is not deleted", run.id)).because(cause).fix(format!(
        "name exactly that run: `kneepoint delete {}{}`",
        run.id,
        store_option(store)
    )))
}
