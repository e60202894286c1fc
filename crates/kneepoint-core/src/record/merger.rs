//! Intervals of several workers brought together in order.

use std::collections::BTreeMap;

use crate::record::interval::IntervalRecord;

/// Holds back intervals until every worker has delivered its part.
#[derive(Debug)]
pub struct Merger {
    worker_count: usize,
    next_index: u64,
    partial: BTreeMap<u64, (usize, IntervalRecord)>,
}

impl Merger {
    /// A merger for `worker_count` workers.
    pub const fn new(worker_count: usize) -> Self {
        Self { worker_count, next_index: 0, partial: BTreeMap::new() }
    }

    /// Takes one worker's interval; gives the intervals that are whole now, in order.
    pub fn push(&mut self, record: IntervalRecord) -> Vec<IntervalRecord> {
        match self.partial.get_mut(&record.index) {
            Some((delivered, sum)) => {
                *delivered += 1;
                sum.merge(&record);
            }
            None => {
                self.partial.insert(record.index, (1, record));
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
    use crate::units::Nanos;

    #[test]
    fn intervals_come_out_whole_and_in_order() {
        let record = |index, operations: u32| {
            let mut record = IntervalRecord::empty(index, 1);
            for _ in 0..operations {
                record.directions[0].add(512, Nanos(1), Nanos::ZERO);
            }
            record
        };
        let mut merger = Merger::new(2);
        assert!(merger.push(record(0, 1)).is_empty());
        assert!(merger.push(record(1, 2)).is_empty());
        let whole = merger.push(record(0, 3));
        assert_eq!(whole.len(), 1);
        assert_eq!(whole[0].directions[0].operations, 4);
        assert_eq!(merger.push(record(1, 5))[0].directions[0].operations, 7);
    }
}
