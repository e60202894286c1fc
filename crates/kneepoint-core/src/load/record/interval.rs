//! A closed slice of time: what completed in it, by response class and by target.

use crate::load::backend::Direction;
use crate::load::record::histogram::Histogram;
use crate::load::record::straddler::Straddler;
use crate::load::record::tally::Tally;

/// Buckets that are not empty, with their counts.
pub type SparseCounts = Vec<(u16, u32)>;

/// How many targets and response classes a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Targets.
    pub targets: usize,
    /// Response classes.
    pub classes: usize,
}

impl Shape {
    /// Reads and writes of this many targets.
    pub const fn io(targets: usize) -> Self {
        Self { targets, classes: Direction::ALL.len() }
    }
}

/// A tally of each response class for each target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetTallies {
    classes: usize,
    tallies: Vec<Tally>,
}

impl TargetTallies {
    /// Nothing completed yet.
    pub fn empty(shape: Shape) -> Self {
        Self { classes: shape.classes, tallies: vec![Tally::EMPTY; shape.targets * shape.classes] }
    }

    /// Number of targets.
    pub fn len(&self) -> usize {
        self.tallies.len() / self.classes.max(1)
    }

    /// Whether there is no target.
    pub const fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// The classes of `target`; empty if it is not among them.
    pub fn of(&self, target: usize) -> &[Tally] {
        let start = target * self.classes;
        self.tallies.get(start..start + self.classes).unwrap_or_default()
    }

    /// One class of one target.
    ///
    /// # Panics
    /// When it is not among them.
    #[inline]
    pub fn of_class(&mut self, target: usize, class: usize) -> &mut Tally {
        &mut self.tallies[target * self.classes + class]
    }

    /// The classes of every target.
    pub fn iter(&self) -> impl Iterator<Item = &[Tally]> {
        self.tallies.chunks_exact(self.classes.max(1))
    }

    /// Adds `others`, the first of which is target number `first` here.
    fn merge_from(&mut self, first: usize, others: &Self) {
        let start = first * self.classes;
        let mine = &mut self.tallies[start..start + others.tallies.len()];
        mine.iter_mut().zip(&others.tallies).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

/// Everything that completed within one interval on one or several workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalRecord {
    /// Which interval, counted from the point's start.
    pub index: u64,
    /// The response classes of all targets, in the order of the plan.
    pub classes: Vec<Tally>,
    /// The first target that it has tallies of: a worker records only the targets that it drives.
    pub first_target: u32,
    /// The classes of each target from the first on, in the plan's order.
    pub targets: TargetTallies,
    /// Histogram of each class.
    pub histograms: Vec<SparseCounts>,
    /// I/Os that failed, of the same targets.
    pub errors: Vec<u64>,
    /// I/Os that ended in the interval and were in flight at its start.
    pub straddlers: Vec<Straddler>,
}

impl IntervalRecord {
    /// An interval of all targets in which nothing completed.
    pub fn empty(index: u64, shape: Shape) -> Self {
        Self {
            index,
            classes: vec![Tally::EMPTY; shape.classes],
            first_target: 0,
            targets: TargetTallies::empty(shape),
            histograms: vec![SparseCounts::new(); shape.classes],
            errors: vec![0; shape.targets],
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
        for (mine, theirs) in self.classes.iter_mut().zip(&other.classes) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.histograms.iter_mut().zip(&other.histograms) {
            mine.extend_from_slice(theirs);
        }
        self.targets.merge_from(first, &other.targets);
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
        let shape = Shape { targets: target_count, classes: self.classes.len() };
        let mut all = Self::empty(self.index, shape);
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
                // The rest of what a count holds gets its own entry.
                _ => false,
            });
        }
    }

    /// Reads and writes together.
    pub fn total(&self) -> Tally {
        Tally::of_all(&self.classes)
    }

    /// Failed I/Os of all targets.
    pub fn error_count(&self) -> u64 {
        self.errors.iter().sum()
    }

    /// Adds this interval's histogram of one direction to `histogram`.
    pub fn add_histogram(&self, class: usize, histogram: &mut Histogram) {
        for (bucket, count) in &self.histograms[class] {
            histogram.add_bucket(usize::from(*bucket), u64::from(*count));
        }
    }
}
