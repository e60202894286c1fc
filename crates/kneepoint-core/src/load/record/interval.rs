//! A closed slice of time: what completed in it, by response class and by target.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::histogram::{BUCKETS, Histogram};
use super::recorder::Straddler;
use crate::load::backend::Direction;
use crate::words::class::ClassName;
use crate::words::units::Nanos;

/// Buckets that are not empty, with their counts.
pub type SparseCounts = Vec<(u16, u32)>;

/// How many targets and response classes a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Targets.
    pub targets: usize,
    /// Response classes.
    pub classes: usize,
    /// The last this many of the classes are timed, and are no part of the throughput: flushes.
    pub uncounted: usize,
}

impl Shape {
    /// Reads and writes of this many targets.
    pub const fn io(targets: usize) -> Self {
        Self { targets, classes: Direction::ALL.len(), uncounted: 0 }
    }

    /// This many targets, with `classes`, of which those that are not counted are the last.
    pub fn of_classes(targets: usize, classes: &[ClassName]) -> Self {
        let uncounted = classes.iter().filter(|class| !class.is_counted()).count();
        Self { targets, classes: classes.len(), uncounted }
    }
}

/// Some of the targets and of the response classes of records: those of one series of several that are
/// measured at the same moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its targets.
    pub targets: Range<usize>,
    /// Its response classes.
    pub classes: Range<usize>,
    /// The last this many of these classes are no part of the throughput.
    pub uncounted: usize,
}

impl Part {
    /// Those of `straddlers` that belong to it, numbered as if it were all.
    pub fn straddlers(&self, straddlers: &[Straddler]) -> Vec<Straddler> {
        let own = straddlers.iter().filter(|io| self.classes.contains(&io.class));
        let renumbered = own.map(|io| Straddler {
            target: io.target - self.targets.start as u32,
            class: io.class - self.classes.start,
            ..*io
        });
        renumbered.collect()
    }
}

/// A tally of each response class for each target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntervalRecord {
    /// Which interval, counted from the point's start.
    pub index: u64,
    /// The response classes of all targets, in the order of the plan.
    pub classes: Vec<Tally>,
    /// The last this many classes are timed, and are no part of the throughput.
    pub uncounted: usize,
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
            uncounted: shape.uncounted,
            first_target: 0,
            targets: TargetTallies::empty(shape),
            histograms: vec![SparseCounts::new(); shape.classes],
            errors: vec![0; shape.targets],
            straddlers: Vec::new(),
        }
    }

    /// Whether the record is one of this shape with places for all of its targets and classes, and
    /// none beyond them: what comes from outside may be anything.
    pub fn has_shape(&self, shape: Shape) -> bool {
        let of_targets = shape.targets * shape.classes == self.targets.tallies.len();
        let is_inside =
            |io: &Straddler| (io.target as usize) < shape.targets && io.class < shape.classes;
        let buckets = self.histograms.iter().flatten();
        of_targets
            && self.first_target == 0
            && self.targets.classes == shape.classes
            && self.classes.len() == shape.classes
            && self.uncounted == shape.uncounted
            && self.histograms.len() == shape.classes
            && self.errors.len() == shape.targets
            && self.straddlers.iter().all(is_inside)
            && buckets.into_iter().all(|(bucket, _)| usize::from(*bucket) < BUCKETS)
    }

    /// The same record of targets that begin at number `first` of a larger plan.
    #[must_use]
    pub fn of_targets_from(mut self, first: u32) -> Self {
        self.first_target += first;
        self.straddlers.iter_mut().for_each(|io| io.target += first);
        self
    }

    /// What `part` of it says of the same interval, as a record by itself.
    pub fn part(&self, part: &Part) -> Self {
        let Part { targets, classes, uncounted } = part;
        let tallies: Vec<Tally> = targets
            .clone()
            .flat_map(|target| self.targets.of(target).get(classes.clone()).unwrap_or_default())
            .copied()
            .collect();
        Self {
            index: self.index,
            classes: self.classes[classes.clone()].to_vec(),
            uncounted: *uncounted,
            first_target: 0,
            targets: TargetTallies { classes: classes.len(), tallies },
            histograms: self.histograms[classes.clone()].to_vec(),
            errors: self.errors[targets.clone()].to_vec(),
            straddlers: part.straddlers(&self.straddlers),
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
        let (classes, uncounted) = (self.classes.len(), self.uncounted);
        let shape = Shape { targets: target_count, classes, uncounted };
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

    /// Reads and writes together, without what is not counted.
    pub fn total(&self) -> Tally {
        Tally::of_all(self.counted(&self.classes))
    }

    /// The same of each target from the first on.
    pub fn target_totals(&self) -> impl Iterator<Item = Tally> {
        self.targets.iter().map(|classes| Tally::of_all(self.counted(classes)))
    }

    /// Those of `classes`, which are all of the record, that are part of the throughput.
    fn counted<'a>(&self, classes: &'a [Tally]) -> &'a [Tally] {
        &classes[..classes.len().saturating_sub(self.uncounted)]
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

/// Counts and sums over completed I/Os; a mean comes from here, never from a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// I/Os completed without error.
    pub operations: u64,
    /// Bytes they moved.
    pub bytes: u64,
    /// Sum of their response times in nanoseconds.
    pub latency_ns_sum: u128,
    /// Smallest response time; `Nanos::MAX` where nothing completed.
    pub latency_min: Nanos,
    /// Largest response time.
    pub latency_max: Nanos,
    /// Sum of the times by which they were submitted late, in nanoseconds; open loop only.
    pub lag_ns_sum: u128,
    /// Largest such time.
    pub lag_max: Nanos,
}

impl Tally {
    /// Nothing completed.
    pub const EMPTY: Self = Self {
        operations: 0,
        bytes: 0,
        latency_ns_sum: 0,
        latency_min: Nanos::MAX,
        latency_max: Nanos::ZERO,
        lag_ns_sum: 0,
        lag_max: Nanos::ZERO,
    };

    /// Adds one completed I/O.
    #[inline]
    pub fn add(&mut self, bytes: u32, latency: Nanos, lag: Nanos) {
        self.operations += 1;
        self.bytes += u64::from(bytes);
        self.latency_ns_sum += u128::from(latency.0);
        self.latency_min = self.latency_min.min(latency);
        self.latency_max = self.latency_max.max(latency);
        self.lag_ns_sum += u128::from(lag.0);
        self.lag_max = self.lag_max.max(lag);
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.operations += other.operations;
        self.bytes += other.bytes;
        self.latency_ns_sum += other.latency_ns_sum;
        self.latency_min = self.latency_min.min(other.latency_min);
        self.latency_max = self.latency_max.max(other.latency_max);
        self.lag_ns_sum += other.lag_ns_sum;
        self.lag_max = self.lag_max.max(other.lag_max);
    }

    /// Mean time in nanoseconds by which I/Os were submitted late, zero where nothing completed.
    pub fn lag_ns_mean(&self) -> f64 {
        match self.operations {
            0 => 0.0,
            operations => self.lag_ns_sum as f64 / operations as f64,
        }
    }

    /// The sum of `tallies`.
    pub fn of_all<'a>(tallies: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::EMPTY;
        tallies.into_iter().for_each(|tally| sum.merge(tally));
        sum
    }

    /// Mean response time in nanoseconds, zero where nothing completed.
    pub fn latency_ns_mean(&self) -> f64 {
        match self.operations {
            0 => 0.0,
            operations => self.latency_ns_sum as f64 / operations as f64,
        }
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::record::recorder::{Completed, Recorder};

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
    fn a_part_is_a_record_by_itself() {
        let shape = Shape { targets: 3, classes: 5, uncounted: 0 };
        let mut recorder = Recorder::of_shape(0, shape);
        let latency = |class: usize| Nanos(10 * (class as u64 + 1));
        // The first series has two targets and two classes, the second one target and three.
        for (target, class) in [(0, 0), (1, 1), (2, 2), (2, 3), (2, 4), (2, 4)] {
            let (latency, lag) = (latency(class), Nanos::ZERO);
            recorder.complete(Completed { target, class, bytes: 512, latency, lag });
        }
        recorder.fail(2);
        let io = Straddler {
            target: 2,
            class: 3,
            end: Nanos(1),
            latency: Nanos(1),
            fate: crate::load::record::recorder::Fate::Returned,
        };
        recorder.note(io);
        let record = recorder.close();
        let first = record.part(&Part { targets: 0..2, classes: 0..2, uncounted: 0 });
        let second = record.part(&Part { targets: 2..3, classes: 2..5, uncounted: 1 });
        assert_eq!((first.total().operations, second.total().operations), (2, 2));
        assert_eq!(second.classes[2].operations, 2, "not counted");
        assert_eq!((first.errors, second.errors), (vec![0, 0], vec![1]));
        assert_eq!(first.straddlers, []);
        assert_eq!(second.straddlers, [Straddler { target: 0, class: 1, ..io }]);
        let mut histogram = Histogram::default();
        record
            .part(&Part { targets: 2..3, classes: 2..5, uncounted: 1 })
            .add_histogram(0, &mut histogram);
        assert_eq!(histogram.total(), 1);
        assert_eq!(second.targets.of(0)[0].latency_max, latency(2));
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
