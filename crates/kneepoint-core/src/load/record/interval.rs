//! A closed slice of time: what completed in it, by direction and by target.

use crate::load::record::histogram::Histogram;
use crate::load::record::straddler::Straddler;
use crate::load::record::tally::Tally;

/// Buckets that are not empty, with their counts.
pub type SparseCounts = Vec<(u16, u32)>;

/// Everything that completed within one interval on one or several workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalRecord {
    /// Which interval, counted from the point's start.
    pub index: u64,
    /// Reads and writes of all targets.
    pub directions: [Tally; 2],
    /// The first target that it has tallies of: a worker has some of its own alone.
    pub first_target: u32,
    /// Reads and writes of each target from the first on, in the plan's order.
    pub targets: Vec<[Tally; 2]>,
    /// Histogram of each direction.
    pub histograms: [SparseCounts; 2],
    /// I/Os that failed, of the same targets.
    pub errors: Vec<u64>,
    /// I/Os that ended in the interval and were in flight at its start.
    pub straddlers: Vec<Straddler>,
}

impl IntervalRecord {
    /// An interval of all targets in which nothing completed.
    pub fn empty(index: u64, target_count: usize) -> Self {
        Self {
            index,
            directions: [Tally::EMPTY; 2],
            first_target: 0,
            targets: vec![[Tally::EMPTY; 2]; target_count],
            histograms: [SparseCounts::new(), SparseCounts::new()],
            errors: vec![0; target_count],
            straddlers: Vec::new(),
        }
    }

    /// Adds what another worker completed in the same interval.
    ///
    /// # Panics
    /// When the records are of different intervals, or this one lacks targets of the other.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.index, other.index, "records of one interval are merged");
        let first = (other.first_target - self.first_target) as usize;
        let all = first..first + other.targets.len();
        for direction in 0..2 {
            self.directions[direction].merge(&other.directions[direction]);
            self.histograms[direction].extend_from_slice(&other.histograms[direction]);
        }
        for (mine, theirs) in self.targets[all.clone()].iter_mut().zip(&other.targets) {
            mine[0].merge(&theirs[0]);
            mine[1].merge(&theirs[1]);
        }
        for (mine, theirs) in self.errors[all].iter_mut().zip(&other.errors) {
            *mine += theirs;
        }
        self.straddlers.extend_from_slice(&other.straddlers);
    }

    /// The same interval of all targets.
    #[must_use]
    pub fn of_all(self, target_count: usize) -> Self {
        if self.targets.len() == target_count {
            return self;
        }
        let mut all = Self::empty(self.index, target_count);
        all.merge(&self);
        all
    }

    /// Adds the interval that follows: the two become one. Each bucket of the histograms keeps a
    /// single entry, however many intervals are joined.
    pub fn join(&mut self, next: &Self) {
        self.merge(&Self { index: self.index, ..next.clone() });
        for counts in &mut self.histograms {
            counts.sort_unstable_by_key(|(bucket, _)| *bucket);
            counts.dedup_by(|(bucket, count), (last, sum)| match sum.checked_add(*count) {
                Some(both) if bucket == last => {
                    *sum = both;
                    true
                }
                // The rest of what a count holds gets an entry of its own.
                _ => false,
            });
        }
    }

    /// Reads and writes together.
    pub fn total(&self) -> Tally {
        let mut total = self.directions[0];
        total.merge(&self.directions[1]);
        total
    }

    /// Failed I/Os of all targets.
    pub fn error_count(&self) -> u64 {
        self.errors.iter().sum()
    }

    /// Adds this interval's histogram of one direction to `histogram`.
    pub fn add_histogram(&self, direction: usize, histogram: &mut Histogram) {
        for (bucket, count) in &self.histograms[direction] {
            histogram.add_bucket(usize::from(*bucket), u64::from(*count));
        }
    }
}
