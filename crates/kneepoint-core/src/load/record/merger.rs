//! Intervals of several workers brought together in order.

use std::collections::BTreeMap;

use crate::load::record::interval::IntervalRecord;

/// Holds back intervals until every worker has delivered its part.
#[derive(Debug)]
pub struct Merger {
    worker_count: usize,
    target_count: usize,
    next_index: u64,
    partial: BTreeMap<u64, (usize, IntervalRecord)>,
}

impl Merger {
    /// A merger for `worker_count` workers, which drive `target_count` targets together.
    pub const fn new(worker_count: usize, target_count: usize) -> Self {
        Self { worker_count, target_count, next_index: 0, partial: BTreeMap::new() }
    }

    /// Takes one worker's interval; gives the intervals that are whole now, in order.
    pub fn push(&mut self, record: IntervalRecord) -> Vec<IntervalRecord> {
        match self.partial.get_mut(&record.index) {
            Some((delivered, sum)) => {
                *delivered += 1;
                sum.merge(&record);
            }
            None => {
                self.partial.insert(record.index, (1, record.of_all(self.target_count)));
            }
        }
        self.take_whole()
    }

    /// The intervals that not every worker has delivered.
    pub fn into_partial(self) -> impl Iterator<Item = IntervalRecord> {
        self.partial.into_values().map(|(_, record)| record)
    }

    fn take_whole(&mut self) -> Vec<IntervalRecord> {
        let mut whole = Vec::new();
        while let Some((delivered, _)) = self.partial.get(&self.next_index) {
            if *delivered < self.worker_count {
                break;
            }
            whole.extend(self.partial.remove(&self.next_index).map(|(_, record)| record));
            self.next_index += 1;
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::record::interval::Shape;
    use crate::load::record::recorder::{Completed, Recorder};
    use crate::words::units::Nanos;

    #[test]
    fn intervals_come_out_whole_and_in_order() {
        let record = |index, operations: u32| {
            let mut record = IntervalRecord::empty(index, Shape::io(1));
            for _ in 0..operations {
                record.classes[0].add(512, Nanos(1), Nanos::ZERO);
            }
            record
        };
        let mut merger = Merger::new(2, 1);
        assert!(merger.push(record(0, 1)).is_empty());
        assert!(merger.push(record(1, 2)).is_empty());
        let whole = merger.push(record(0, 3));
        assert_eq!(whole.len(), 1);
        assert_eq!(whole[0].classes[0].operations, 4);
        assert_eq!(merger.push(record(1, 5))[0].classes[0].operations, 7);
    }

    #[test]
    fn workers_with_targets_of_their_own_give_an_interval_of_all() {
        let recorded = |target: u32| {
            let mut recorder = Recorder::new(target..target + 1, 2);
            recorder.complete(Completed {
                target,
                class: 0,
                bytes: 512,
                latency: Nanos(u64::from(target)),
                lag: Nanos::ZERO,
            });
            recorder.fail(target);
            let record = recorder.close();
            assert_eq!((record.targets.len(), record.errors.len()), (1, 1));
            record
        };
        let mut merger = Merger::new(3, 4);
        assert!(merger.push(recorded(3)).is_empty());
        assert!(merger.push(recorded(0)).is_empty());
        let whole = merger.push(recorded(2)).remove(0);
        let latencies = whole.targets.iter().map(|target| target[0].latency_max.0);
        assert_eq!(latencies.collect::<Vec<_>>(), [0, 0, 2, 3]);
        let operations = whole.targets.iter().map(|target| target[0].operations);
        assert_eq!(operations.collect::<Vec<_>>(), [1, 0, 1, 1]);
        assert_eq!((whole.errors, whole.first_target), (vec![1, 0, 1, 1], 0));
        assert_eq!(whole.classes[0].operations, 3);
    }
}
