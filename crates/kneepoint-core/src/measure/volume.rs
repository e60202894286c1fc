//! Bytes moved against bytes asked for.

use crate::load::drive::Flow;
use crate::load::record::interval::IntervalRecord;
use crate::load::record::tally::Tally;

/// Counts down the bytes that each target is still to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Volume {
    /// Bytes that are missing, in the plan's order of targets.
    missing: Vec<u64>,
}

impl Volume {
    /// Nothing was moved yet of `target_bytes`, one entry per target.
    pub(crate) fn new(target_bytes: &[u64]) -> Self {
        Self { missing: target_bytes.to_vec() }
    }

    /// Adds the next interval; `Stop` once no target lacks anything.
    pub(crate) fn push(&mut self, record: &IntervalRecord) -> Flow {
        for (missing, classes) in self.missing.iter_mut().zip(record.targets.iter()) {
            *missing = missing.saturating_sub(Tally::of_all(classes).bytes);
        }
        match self.missing.iter().all(|missing| *missing == 0) {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::record::interval::Shape;

    #[test]
    fn the_slowest_target_decides() {
        let mut volume = Volume::new(&[100, 50]);
        let mut record = IntervalRecord::empty(0, Shape::io(2));
        record.targets.of_class(0, 1).bytes = 60;
        record.targets.of_class(1, 1).bytes = 20;
        let flows: Vec<Flow> = (0..3).map(|_| volume.push(&record)).collect();
        assert_eq!(flows, [Flow::Continue, Flow::Continue, Flow::Stop]);
    }
}
