//! What a candidate would sustain with fewer drives or with more.

use kneepoint_core::words::fault::Fault;

use super::candidate::{Found, found, sustained};
use super::demand::Demand;

/// Numbers of drives that are measured besides the candidate's own, as shares of it.
const SHARES: [f64; 4] = [0.5, 0.75, 1.5, 2.0];

/// What a system sustains with a number of drives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthPoint {
    /// Drives of all arrays.
    pub drives: u32,
    /// I/Os per second that they sustain at the rule.
    pub sustained_iops: f64,
}

/// What a candidate sustains with about half to twice its number of drives, at most `drives_max`,
/// rising. The data are spread over the drives that there are; numbers of drives that do not hold
/// them are left out.
///
/// # Errors
/// When the load does not fit the system.
pub fn growth(
    candidate: &Found,
    demand: &Demand,
    drives_max: u32,
) -> Result<Vec<GrowthPoint>, Fault> {
    let counts = candidate.shape.counts(drives_max);
    let nearest = |share: &f64| {
        let wanted = share * f64::from(candidate.drives);
        let distance = |drives: &&u32| (f64::from(**drives) - wanted).abs();
        counts.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied()
    };
    let mut drives: Vec<u32> = SHARES.iter().filter_map(nearest).collect();
    drives.push(candidate.drives);
    drives.sort_unstable();
    drives.dedup();
    let mut points = Vec::new();
    for drives in drives {
        let Some(found) = found(&candidate.shape, demand, drives) else { continue };
        let sustained_iops = sustained(&found.system, demand)?.iops;
        points.push(GrowthPoint { drives, sustained_iops });
    }
    Ok(points)
}
