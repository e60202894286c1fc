//! Parts of a suite that the targets cannot take: they are left out, and it is said.

use super::defaults::quick;
use super::wishes::{Search, Wishes};
use crate::plan::omission::{CopyObstacle, Left, SeriesObstacle};
use crate::plan::{Omission, Plan, SeriesPlan, TargetKind, TargetPlan};
use crate::spec::file_copy::FileCopy;
use crate::words::fault::Fault;

/// Leaves out the series that a target cannot take, and says so; refuses where none is left.
pub(super) fn leave_out_impossible(
    series: Vec<SeriesPlan>,
    targets: &[TargetPlan],
) -> Result<(Vec<SeriesPlan>, Vec<Omission>), Fault> {
    let mut possible = Vec::new();
    let mut omissions: Vec<Omission> = Vec::new();
    for series in series {
        let own = targets.iter().enumerate().filter(|(number, _)| series.loads_target(*number));
        match own.into_iter().find_map(|(_, target)| obstacle(&series, target)) {
            None => possible.push(series),
            Some(left) if series.together.is_some() => {
                return Err(Fault::new(format!("{} cannot be measured", series.name))
                    .because(Omission::from(left))
                    .fix(
                        "change the [[together]] of the suite, a larger --size, or use --buffered",
                    ));
            }
            Some(left) => omissions.push(left.into()),
        }
    }
    match (possible.is_empty(), omissions.first()) {
        (true, Some(first)) => Err(Fault::new("nothing is left to measure")
            .because(first.to_string())
            .fix("choose other block sizes with --block, a larger --size, or use --buffered")),
        _ => Ok((possible, omissions)),
    }
}

/// Why a target cannot take a series.
fn obstacle(series: &SeriesPlan, target: &TargetPlan) -> Option<Left> {
    let align = target.alignment_bytes;
    let profile = series.profile.storage()?;
    let why = profile.lines.iter().find_map(|line| {
        if !line.block_bytes.is_multiple_of(align) || !line.align_bytes.is_multiple_of(align) {
            let block_bytes = line.block_bytes.min(line.align_bytes);
            return Some(SeriesObstacle::Alignment { multiple_bytes: align, block_bytes });
        }
        let range = &profile.range;
        let room = (range.end.fraction() - range.start.fraction()) * target.size_bytes as f64;
        let block_bytes = line.block_bytes;
        let gap_bytes = line.gap_bytes;
        if block_bytes as f64 > room {
            return Some(SeriesObstacle::Room { block_bytes });
        }
        (gap_bytes > 0 && (2 * block_bytes + gap_bytes) as f64 > room)
            .then_some(SeriesObstacle::Gap { gap_bytes })
    })?;
    Some(Left::Series { series: series.name.clone(), target: target.target.clone(), why })
}

/// The file copy of the run, and what is left out of it.
pub(super) fn file_copy(
    wanted: Option<&FileCopy>,
    wishes: &Wishes,
    plan: &Plan,
) -> (Option<FileCopy>, Vec<Omission>) {
    let Some(wanted) = wanted else { return (None, Vec::new()) };
    let left_out = |why| Omission::from(Left::FileCopy { why });
    let mut omissions: Vec<Omission> = Vec::new();
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
        return (None, vec![left_out(CopyObstacle::KneeOnly)]);
    }
    if wishes.is_verified {
        return (None, vec![left_out(CopyObstacle::Verified)]);
    }
    if plan.factors.is_some() {
        return (None, vec![left_out(CopyObstacle::Factors)]);
    }
    let repetitions = match wishes.is_quick() {
        true => wanted.repetitions.min(quick::COPIES),
        false => wanted.repetitions,
    };
    (Some(FileCopy { repetitions, ..wanted.clone() }), omissions)
}

/// Why no files can be copied on a target.
fn obstacle_to_copies(target: &TargetPlan) -> CopyObstacle {
    match target.kind {
        TargetKind::Sim => CopyObstacle::NotSimulated,
        TargetKind::Null
        | TargetKind::Database
        | TargetKind::Processor
        | TargetKind::Desktop
        | TargetKind::Directory => CopyObstacle::NoFiles,
        TargetKind::Block | TargetKind::File => {
            CopyObstacle::Device { target: target.target.clone() }
        }
    }
}
