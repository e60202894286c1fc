//! Several measurements of one load: which of them count.

use std::collections::{BTreeMap, BTreeSet};

use crate::result::{PointResult, Verdict};

/// A load with the measurement that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settled<'a> {
    /// The measurement.
    pub(super) point: &'a PointResult,
    /// How often the load was measured.
    pub(super) count: usize,
}

impl Settled<'_> {
    /// Whether every measurement of the load was disturbed.
    pub(super) fn is_disturbed(&self) -> bool {
        is_disturbed(self.point)
    }
}

fn is_disturbed(point: &PointResult) -> bool {
    point.verdict == Verdict::Disturbed
}

/// The loads of `measured`, rising, each with the measurement that counts; those that failed are
/// left out.
pub(super) fn settled<'a>(measured: &[&'a PointResult]) -> Vec<Settled<'a>> {
    let mut points: Vec<&PointResult> =
        measured.iter().copied().filter(|point| point.verdict != Verdict::Failed).collect();
    points.sort_by(|a, b| a.load.value.total_cmp(&b.load.value));
    points
        .chunk_by(|a, b| a.load == b.load)
        .filter_map(|same| {
            let point = undisturbed(same).last().copied()?;
            Some(Settled { point, count: same.len() })
        })
        .collect()
}

/// Of measurements of one load those that count: of each repetition of the plan the ones that
/// nothing disturbed, or else the one that was disturbed least.
pub(crate) fn undisturbed<'a>(points: &[&'a PointResult]) -> Vec<&'a PointResult> {
    let mut sound = BTreeSet::new();
    // The last of those that were disturbed least.
    let mut least = BTreeMap::new();
    for (index, point) in points.iter().enumerate() {
        let repetition = point.repetition_of_plan();
        if !is_disturbed(point) {
            sound.insert(repetition);
            continue;
        }
        let best = least.entry(repetition).or_insert(index);
        if share(point) <= share(points[*best]) {
            *best = index;
        }
    }
    let counts = |index: usize, point: &PointResult| {
        let repetition = point.repetition_of_plan();
        let is_least = least.get(&repetition) == Some(&index);
        !is_disturbed(point) || is_least && !sound.contains(&repetition)
    };
    let indexed = points.iter().enumerate();
    indexed.filter(|(index, point)| counts(*index, point)).map(|(_, point)| *point).collect()
}

/// How far a point was disturbed, in percent; one that does not tell is taken for the worst.
fn share(point: &PointResult) -> f64 {
    point.disturbed_percent.unwrap_or(100.0)
}

/// Whether a disturbed point was measured again without being disturbed.
pub fn is_superseded(point: &PointResult, points: &[PointResult]) -> bool {
    let same = points.iter().filter(|other| {
        other.key() == point.key()
            && other.load == point.load
            && other.repetition_of_plan() == point.repetition_of_plan()
    });
    let same: Vec<&PointResult> = same.collect();
    is_disturbed(point) && same.iter().any(|other| !is_disturbed(other))
}
