//! Parts of a suite that the targets cannot take: they are left out, and it is said.

use super::defaults::quick;
use super::wishes::{Search, Wishes};
use crate::plan::{Plan, SeriesPlan, TargetKind, TargetPlan};
use crate::spec::file_copy::FileCopy;
use crate::words::fault::Fault;
use crate::words::units::Bytes;

/// Leaves out the series that a target cannot take, and says so; refuses where none is left.
pub(super) fn leave_out_impossible(
    series: Vec<SeriesPlan>,
    targets: &[TargetPlan],
) -> Result<(Vec<SeriesPlan>, Vec<String>), Fault> {
    let mut possible = Vec::new();
    let mut omissions = Vec::new();
    for series in series {
        match targets.iter().find_map(|target| obstacle(&series, target)) {
            None => possible.push(series),
            Some(why) => omissions.push(format!("{} was left out: {why}", series.name)),
        }
    }
    match (possible.is_empty(), omissions.first()) {
        (true, Some(first)) => Err(Fault::new("nothing is left to measure")
            .because(first)
            .fix("choose other block sizes with --block, a larger --size, or use --buffered")),
        _ => Ok((possible, omissions)),
    }
}

/// Why a target cannot take a series.
fn obstacle(series: &SeriesPlan, target: &TargetPlan) -> Option<String> {
    let align = target.alignment_bytes;
    let profile = series.profile.storage()?;
    profile.lines.iter().find_map(|line| {
        if !line.block_bytes.is_multiple_of(align) || !line.align_bytes.is_multiple_of(align) {
            return Some(format!(
                "direct I/O on {} goes in multiples of {}, not {}",
                target.target,
                Bytes(align),
                Bytes(line.block_bytes.min(line.align_bytes)),
            ));
        }
        let range = &profile.range;
        let room = (range.end.fraction() - range.start.fraction()) * target.size_bytes as f64;
        (line.block_bytes as f64 > room).then(|| {
            format!(
                "a block of {} does not fit the address range on {}",
                Bytes(line.block_bytes),
                target.target
            )
        })
    })
}

/// The file copy of the run, and what is left out of it.
pub(super) fn file_copy(
    wanted: Option<&FileCopy>,
    wishes: &Wishes,
    plan: &Plan,
) -> (Option<FileCopy>, Vec<String>) {
    let Some(wanted) = wanted else { return (None, Vec::new()) };
    let mut omissions: Vec<String> = Vec::new();
    for target in plan.targets.iter().filter(|target| !target.takes_copies()) {
        let omission = left_out(obstacle_to_copies(target));
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
fn obstacle_to_copies(target: &TargetPlan) -> String {
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
