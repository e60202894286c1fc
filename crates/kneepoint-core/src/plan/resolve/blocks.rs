//! Whether the targets can take the blocks that the series issue.

use crate::plan::{SeriesPlan, TargetPlan};
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
