//! `kneepoint inspect`: what a target is, and whether it may be written.

use kneepoint_core::fault::Fault;
use kneepoint_device::consent::{Overwrite, inspection};

use crate::Outcome;
use crate::cli::InspectArgs;
use crate::output::print::print;
use crate::work::inspect_target;

/// Prints facts and judgement of every target.
pub(crate) fn inspect(args: &InspectArgs) -> anyhow::Result<Outcome> {
    let overwrites: Vec<Overwrite> =
        args.overwrite.iter().map(|text| text.parse()).collect::<Result<_, Fault>>()?;
    for path in &args.targets {
        let (facts, judgement) = inspect_target(path, &overwrites)?;
        print(&inspection(&facts, &judgement))?;
    }
    Ok(Outcome::Done)
}
