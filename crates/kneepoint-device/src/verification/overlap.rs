//! Units to which several writes were in flight at once, or one that failed: which of them may have come
//! last.
//!
//! A write that began after another one to the same unit had ended comes after it. So once all have ended
//! well, a unit has one of those that were in flight when the last of them began, or that last one. The live
//! map has no room for which these are: they are kept here, in memory, for the few units that need it.

use std::collections::BTreeMap;

/// What is known of a unit beyond its words in the live map.
#[derive(Debug, Default)]
struct Overlap {
    /// Generations of the writes in flight.
    in_flight: Vec<u64>,
    /// The unit has one of these once all writes have ended well, sector by sector; `None` after a write
    /// that failed, or that another process did not see end.
    last: Option<Vec<u64>>,
}

/// The units that are not settled, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Overlaps(BTreeMap<usize, Overlap>);

impl Overlaps {
    /// Notes that a write begins while another one, of generation `other` if it is the only one, is in
    /// flight.
    pub(super) fn join(&mut self, unit: usize, (other, generation): (u64, u64)) {
        let first = || Overlap { in_flight: vec![other], last: None };
        let overlap = self.0.entry(unit).or_insert_with(first);
        overlap.in_flight.push(generation);
        overlap.last = Some(overlap.in_flight.clone());
    }

    /// Notes that a write begins with nothing else in flight, but later than one of a newer generation.
    pub(super) fn follow(&mut self, unit: usize, generation: u64) {
        let (in_flight, last) = (vec![generation], Some(vec![generation]));
        self.0.insert(unit, Overlap { in_flight, last });
    }

    /// Notes that a write has ended well.
    pub(super) fn end(&mut self, unit: usize, generation: u64) {
        self.0.entry(unit).or_default().in_flight.retain(|other| *other != generation);
    }

    /// Notes that a write has failed.
    pub(super) fn fail(&mut self, unit: usize, generation: u64) {
        self.end(unit, generation);
        self.leave(unit);
    }

    /// Notes that nothing is known of how the last writes ended.
    pub(super) fn leave(&mut self, unit: usize) {
        self.0.entry(unit).or_default().last = None;
    }

    /// Notes that the unit has a single generation, or a write in flight that will give it one.
    pub(super) fn settle(&mut self, unit: usize) {
        self.0.remove(&unit);
    }

    /// The generations of which the unit has one, if all writes have ended well.
    pub(super) fn last(&self, unit: usize) -> Option<&[u64]> {
        self.0.get(&unit)?.last.as_deref()
    }

    /// The units that are not settled, in order.
    pub(super) fn units(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_in_flight_when_the_last_write_began_may_have_come_last() {
        let mut overlaps = Overlaps::default();
        overlaps.join(3, (1, 2));
        assert_eq!(overlaps.last(3), Some(&[1, 2][..]));
        overlaps.end(3, 1);
        assert_eq!(overlaps.last(3), Some(&[1, 2][..]), "write 2 may have been before write 1");
        overlaps.join(3, (9, 4));
        assert_eq!(overlaps.last(3), Some(&[2, 4][..]), "write 1 had ended");
        overlaps.fail(3, 2);
        assert_eq!(overlaps.last(3), None);
        overlaps.join(3, (9, 5));
        assert_eq!(overlaps.last(3), Some(&[4, 5][..]), "write 2 had ended, however it did");
        assert_eq!(overlaps.units().collect::<Vec<_>>(), [3]);
        overlaps.settle(3);
        assert_eq!((overlaps.units().count(), overlaps.last(3)), (0, None));
    }
}
