//! Several measurements of one load: which of them count.

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
    points.sort_by(|a, b| a.load().value.total_cmp(&b.load().value));
    points
        .chunk_by(|a, b| a.load() == b.load())
        .filter_map(|same| {
            let point = undisturbed(same).last().copied()?;
            Some(Settled { point, count: same.len() })
        })
        .collect()
}

/// Of measurements of one load those that count: the ones that nothing disturbed, or else all.
pub(crate) fn undisturbed<'a>(points: &[&'a PointResult]) -> Vec<&'a PointResult> {
    let sound: Vec<&PointResult> =
        points.iter().copied().filter(|point| !is_disturbed(point)).collect();
    if sound.is_empty() { points.to_vec() } else { sound }
}
