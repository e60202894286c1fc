//! `kneepoint label`: a stored run gets another label.

use kneepoint_core::words::printable::printable;
use kneepoint_store::{Access, RunName, Store};

use crate::Outcome;
use crate::cli::LabelArgs;
use crate::output::print::tell;

/// Gives the run its label and says what it was.
pub(crate) fn label(args: &LabelArgs) -> anyhow::Result<Outcome> {
    let mut store = Store::open(&args.store.store, Access::ReadWrite)?;
    let run = store.find(&args.run.parse::<RunName>()?)?;
    store.relabel(&run.id, &args.label)?;
    let before = match run.label.as_str() {
        "" => String::new(),
        label => format!(" (it was \"{}\")", printable(label)),
    };
    tell(match args.label.as_str() {
        "" => format!("run {} has no label any more{before}", run.id),
        label => format!("run {} is labelled \"{label}\"{before}", run.id),
    });
    Ok(Outcome::Done)
}
