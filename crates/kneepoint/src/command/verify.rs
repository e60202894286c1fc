//! `kneepoint verify`: whether a target holds what a run has written.

use std::path::Path;

use kneepoint_core::plan::Caching;
use kneepoint_device::testbed::refuse_misspelt;
use kneepoint_device::verification::{Basis, Manner, examine};

use crate::Outcome;
use crate::cli::VerifyArgs;
use crate::output::print::print;
use crate::output::verification::examination_text;
use crate::session::Vigil;
use crate::work::folder_of;

/// Prints what is wrong with the data of every target.
pub(crate) fn verify(args: &VerifyArgs) -> anyhow::Result<Outcome> {
    let manner = Manner {
        folder: folder_of(&args.store.store),
        basis: if args.after_power_loss { Basis::AfterPowerLoss } else { Basis::AsLeft },
        caching: if args.buffered { Caching::Buffered } else { Caching::Direct },
    };
    let vigil = Vigil::keep("verifying the targets", None);
    let mut outcome = Outcome::Done;
    for target in &args.targets {
        if !Path::new(target).exists() {
            refuse_misspelt(target)?;
        }
        let examination = examine(target, manner, &mut |_| vigil.moved())?;
        print(examination_text(target, &examination))?;
        if examination.has_failed() {
            outcome = Outcome::CheckFailed;
        }
    }
    Ok(outcome)
}
