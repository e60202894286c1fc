//! The file copy of a suite: where it is made, and where it cannot be.

use std::path::PathBuf;

use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::{FileCopy, takes_copies};
use kneepoint_core::plan::{Plan, TargetKind, TargetPlan};
use kneepoint_device::file_copy::{ground_of, look};

use super::target::TargetSetup;

/// Most copies of each kind with `--quick`.
const QUICK_REPETITIONS: u32 = 3;

/// How much of the suite is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// A first impression.
    Quick,
    /// Only the search for the knee.
    Series,
}

/// The file copy of the run, and what is left out of it; looks at the directories but changes
/// nothing.
pub(super) fn file_copy(
    (wanted, extent): (Option<&FileCopy>, Extent),
    plan: &Plan,
    targets: &[TargetSetup],
) -> Result<(Option<FileCopy>, Vec<String>), Fault> {
    let Some(wanted) = wanted else { return Ok((None, Vec::new())) };
    let mut omissions: Vec<String> = Vec::new();
    for target in plan.targets.iter().filter(|target| !takes_copies(target)) {
        let omission = left_out(obstacle(target));
        if !omissions.contains(&omission) {
            omissions.push(omission);
        }
    }
    if !plan.targets.iter().any(takes_copies) {
        return Ok((None, omissions));
    }
    if extent == Extent::Series {
        return Ok((
            None,
            vec![left_out("only the knee of the series is searched for".to_owned())],
        ));
    }
    if plan.factors.is_some() {
        let why = "it is not repeated for the levels of factors; run the suite without them, too";
        return Ok((None, vec![left_out(why.to_owned())]));
    }
    for path in targets.iter().filter_map(ground) {
        look(&path)?;
    }
    let repetitions = match extent {
        Extent::Quick => wanted.repetitions.min(QUICK_REPETITIONS),
        Extent::Whole | Extent::Series => wanted.repetitions,
    };
    Ok((Some(FileCopy { repetitions, ..wanted.clone() }), omissions))
}

fn left_out(why: String) -> String {
    format!("the file copy was left out: {why}")
}

/// Why no files can be copied on a target.
fn obstacle(target: &TargetPlan) -> String {
    match target.kind {
        TargetKind::Sim => "copying by the functions of an operating system is not simulated; \
                            name a file on a real file system"
            .to_owned(),
        TargetKind::Null => "the null target has no files".to_owned(),
        TargetKind::Block | TargetKind::File => {
            format!("{} is a device and not a file on a file system", target.target)
        }
    }
}

/// The directory in which files are copied for a target; nothing where none can be.
pub(crate) fn ground(setup: &TargetSetup) -> Option<PathBuf> {
    match setup {
        TargetSetup::Real(real) => Some(ground_of(&real.facts.path)),
        TargetSetup::Sim(_) | TargetSetup::Null => None,
    }
}
