//! The targets, opened for measuring.

use std::fs::File;

use crate::consent::{Mode, Opened, open};
use crate::facts::Subject;
use crate::layout::{Extents, extents};
use crate::observe::ObservedTarget;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::target::RealTarget;

/// Open targets in the plan's order, and what was noticed on the way.
pub(super) struct OpenTargets {
    pub(super) files: Vec<File>,
    /// The devices below them.
    pub(super) observed: Vec<ObservedTarget>,
    pub(super) warnings: Vec<Warning>,
}

/// Opens the targets: for writing only if the plan writes.
pub(super) fn open_targets<'a>(
    plan: &Plan,
    found: impl Iterator<Item = &'a RealTarget>,
) -> Result<OpenTargets, Fault> {
    let mut targets = OpenTargets { files: Vec::new(), observed: Vec::new(), warnings: Vec::new() };
    for real in found {
        let Opened { file, warnings } = open_target(plan, real)?;
        targets.warnings.extend(warnings);
        targets.warnings.extend(hole_warning(real, &file)?);
        targets.files.push(file);
        targets.observed.push(ObservedTarget::of(&real.facts));
    }
    Ok(targets)
}

fn open_target(plan: &Plan, real: &RealTarget) -> Result<Opened, Fault> {
    let mode = match plan.writes() {
        true => Mode::ReadWrite(real.judgement.consent()?),
        false => Mode::ReadOnly,
    };
    open(&real.facts.path, mode, plan.engine.caching)
}

/// What is to be said of a file with parts that were never written.
fn hole_warning(real: &RealTarget, file: &File) -> Result<Option<Warning>, Fault> {
    if matches!(real.facts.subject, Subject::Block(_)) {
        return Ok(None);
    }
    let path = real.facts.path.display();
    match extents(file, real.size) {
        Ok(Extents::Hole(Bytes(offset_bytes))) => {
            Ok(Some(Warning::NeverWritten { path: path.to_string(), offset_bytes }))
        }
        Ok(Extents::Written | Extents::Unknown) => Ok(None),
        Err(error) => {
            Err(Fault::new(format!("cannot read the extent map of {path}")).because(error))
        }
    }
}
