//! What a host keeps of a point that it has measured its part of, for whoever wants to check the controller's
//! sums.

use std::ops::Range;

use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::Straddler;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use serde::{Deserialize, Serialize};

/// A host's own part of a point: exact sums and histograms of what completed there in the intervals that
/// count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostPoint {
    /// Hash of the plan as the host has it.
    pub plan: String,
    /// The series, with its factors.
    pub series: String,
    /// The load level.
    pub load: LoadLevel,
    /// Which repetition, from 0.
    pub repetition: u32,
    /// The targets as they are called on the host.
    pub targets: Vec<String>,
    /// Length of an interval, in nanoseconds.
    pub interval: Nanos,
    /// The intervals that count, from the beginning of the point.
    pub counted: Range<usize>,
    /// What completed in them: times in nanoseconds, histograms as buckets with their counts.
    pub sum: IntervalRecord,
    /// I/Os that were in flight at the end of an interval and came back after the last one that counts.
    pub unfinished: Vec<Straddler>,
}

/// The intervals of a point as they went by.
#[derive(Debug, Default)]
pub(super) struct Course {
    records: Vec<IntervalRecord>,
    unfinished: Vec<Straddler>,
}

impl Course {
    /// Adds the next interval.
    pub(super) fn add(&mut self, record: &IntervalRecord) {
        self.records.push(record.clone());
    }

    /// Adds I/Os that ended after the last interval.
    pub(super) fn add_unfinished(&mut self, straddlers: &[Straddler]) {
        self.unfinished.extend_from_slice(straddlers);
    }

    /// The sum over the intervals `counted`, and the I/Os that were in flight at their end; `None` if there
    /// are no such intervals.
    pub(super) fn sum(
        mut self,
        counted: &Range<usize>,
    ) -> Option<(IntervalRecord, Vec<Straddler>)> {
        let later = self.records.split_off(counted.end.min(self.records.len()));
        let mut unfinished: Vec<Straddler> =
            later.into_iter().flat_map(|record| record.straddlers).collect();
        unfinished.append(&mut self.unfinished);
        let mut records = self.records.drain(counted.start.min(self.records.len())..);
        let mut sum = records.next()?;
        records.for_each(|record| sum.join(&record));
        sum.straddlers.clear();
        Some((sum, unfinished))
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::load::record::recorder::{Completed, Recorder};

    use super::*;

    #[test]
    fn only_the_intervals_that_count_are_summed() {
        let mut course = Course::default();
        let mut recorder = Recorder::new(0..1, 1);
        for millis in 1..=5 {
            let latency = Nanos::from_millis(millis);
            let lag = Nanos::ZERO;
            recorder.complete(Completed { target: 0, class: 0, bytes: 512, latency, lag });
            course.add(&recorder.close());
        }
        let (sum, unfinished) = course.sum(&(1..4)).unwrap();
        let tally = sum.total();
        assert_eq!((tally.operations, tally.bytes, tally.latency_ns_sum), (3, 3 * 512, 9_000_000));
        assert_eq!(sum.histograms[0].iter().map(|(_, count)| count).sum::<u32>(), 3);
        assert!(unfinished.is_empty());
        assert!(Course::default().sum(&(0..1)).is_none());
    }
}
