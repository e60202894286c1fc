//! The file copy of a suite, and where it cannot be made.

use super::defaults::quick;
use super::wishes::{Search, Wishes};
use crate::plan::{Plan, TargetKind, TargetPlan};
use crate::spec::file_copy::FileCopy;

/// The file copy of the run, and what is left out of it.
pub(super) fn file_copy(
    wanted: Option<&FileCopy>,
    wishes: &Wishes,
    plan: &Plan,
) -> (Option<FileCopy>, Vec<String>) {
    let Some(wanted) = wanted else { return (None, Vec::new()) };
    let mut omissions: Vec<String> = Vec::new();
    for target in plan.targets.iter().filter(|target| !target.takes_copies()) {
        let omission = left_out(obstacle(target));
        if !omissions.contains(&omission) {
            omissions.push(omission);
        }
    }
    if !plan.targets.iter().any(TargetPlan::takes_copies) {
        return (None, omissions);
    }
    if wishes.search == Search::Knee {
        let why = "only the knee of the series is searched for";
        return (None, vec![left_out(why.to_owned())]);
    }
    if plan.factors.is_some() {
        let why = "it is not repeated for the levels of factors; run the suite without them, too";
        return (None, vec![left_out(why.to_owned())]);
    }
    let repetitions = match wishes.is_quick() {
        true => wanted.repetitions.min(quick::COPIES),
        false => wanted.repetitions,
    };
    (Some(FileCopy { repetitions, ..wanted.clone() }), omissions)
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
