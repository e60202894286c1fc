//! The recorder of one worker: a few additions per completed I/O, no allocation, no lock.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::histogram::{BUCKETS, bucket_of};
use super::interval::{IntervalRecord, Shape, SparseCounts, Tally, TargetTallies};
use crate::words::units::Nanos;

/// One I/O that completed without error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completed {
    /// Index into the plan's targets.
    pub target: u32,
    /// Index into the plan's response classes.
    pub class: usize,
    /// Bytes that it moved.
    pub bytes: u32,
    /// Its response time.
    pub latency: Nanos,
    /// Part of the response time that passed before it was submitted: zero in a closed loop.
    pub lag: Nanos,
}

/// Collects the interval that is under way.
#[derive(Debug)]
pub struct Recorder {
    index: u64,
    first_target: u32,
    targets: TargetTallies,
    errors: Vec<u64>,
    counts: Vec<Box<[u32]>>,
    uncounted: usize,
    straddlers: Vec<Straddler>,
}

impl Recorder {
    /// A recorder for these of the plan's targets, at interval 0.
    pub fn new(targets: Range<u32>, class_count: usize) -> Self {
        Self::of_shape(
            targets.start,
            Shape { targets: targets.len(), classes: class_count, uncounted: 0 },
        )
    }

    /// A recorder of this `shape`, whose targets begin at number `first_target`, at interval 0.
    pub fn of_shape(first_target: u32, shape: Shape) -> Self {
        let counts = || vec![0; BUCKETS].into_boxed_slice();
        Self {
            index: 0,
            first_target,
            targets: TargetTallies::empty(shape),
            errors: vec![0; shape.targets],
            counts: (0..shape.classes).map(|_| counts()).collect(),
            uncounted: shape.uncounted,
            straddlers: Vec::new(),
        }
    }

    /// Counts one I/O that completed without error.
    ///
    /// # Panics
    /// When the target is none of the recorder's.
    #[inline]
    pub fn complete(&mut self, io: Completed) {
        self.targets
            .of_class((io.target - self.first_target) as usize, io.class)
            .add(io.bytes, io.latency, io.lag);
        self.counts[io.class][bucket_of(io.latency.0)] += 1;
    }

    /// Counts one I/O that failed.
    ///
    /// # Panics
    /// When the target is none of the recorder's.
    pub fn fail(&mut self, target: u32) {
        self.errors[(target - self.first_target) as usize] += 1;
    }

    /// Notes an I/O that has ended and was in flight at the start of the interval.
    ///
    /// Room for it is there after [`Self::expect`].
    #[cold]
    pub fn note(&mut self, straddler: Straddler) {
        self.straddlers.push(straddler);
    }

    /// Makes room for as many I/Os as are in flight at the start of an interval.
    pub fn expect(&mut self, in_flight: u32) {
        self.straddlers.reserve_exact(in_flight as usize);
    }

    /// Makes the interval that is under way interval 0, at the start of which this many I/Os were in
    /// flight.
    pub fn restart(&mut self, in_flight: u32) {
        self.index = 0;
        self.expect(in_flight);
    }

    /// The I/Os noted since the last interval ended.
    pub fn take_straddlers(&mut self) -> Vec<Straddler> {
        std::mem::take(&mut self.straddlers)
    }

    /// Ends the interval, hands it out and begins the next.
    pub fn close(&mut self) -> IntervalRecord {
        let uncounted = self.uncounted;
        let shape = Shape { targets: self.targets.len(), classes: self.counts.len(), uncounted };
        let empty = IntervalRecord::empty(self.index, shape);
        let mut record = IntervalRecord { first_target: self.first_target, ..empty };
        std::mem::swap(&mut record.targets, &mut self.targets);
        std::mem::swap(&mut record.errors, &mut self.errors);
        std::mem::swap(&mut record.straddlers, &mut self.straddlers);
        for target in record.targets.iter() {
            record.classes.iter_mut().zip(target).for_each(|(class, tally)| class.merge(tally));
        }
        let counts = self.counts.iter_mut().zip(&record.classes);
        record.histograms = counts.map(|(counts, tally)| take_counts(counts, tally)).collect();
        self.index += 1;
        record
    }
}

/// Moves the counts out; only buckets between the smallest and the largest value are looked at.
fn take_counts(counts: &mut [u32], tally: &Tally) -> SparseCounts {
    if tally.operations == 0 {
        return SparseCounts::new();
    }
    let first = bucket_of(tally.latency_min.0);
    let last = bucket_of(tally.latency_max.0);
    let mut sparse = SparseCounts::new();
    for (number, chunk) in counts[first..=last].chunks_mut(CHUNK).enumerate() {
        // Most buckets are empty: one test for several of them.
        if chunk.iter().fold(0, |any, count| any | *count) == 0 {
            continue;
        }
        let buckets = chunk.iter_mut().zip(first + number * CHUNK..);
        let used = buckets.filter(|(count, _)| **count > 0);
        sparse.extend(used.map(|(count, bucket)| (bucket as u16, std::mem::take(count))));
    }
    sparse
}

/// Buckets that are looked at together.
const CHUNK: usize = 32;

/// An I/O that was in flight at the end of an interval, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Straddler {
    /// Index into the plan's targets.
    pub target: u32,
    /// Index into the plan's response classes.
    pub class: usize,
    /// When it ended, was given up or was looked at last, since the start of the point. It may have
    /// been in flight before that start already.
    pub end: Nanos,
    /// How long it was in flight until then: its response time if it came back.
    pub latency: Nanos,
    /// How it ended.
    pub fate: Fate,
}

/// How an I/O ended that was in flight for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It came back.
    Returned,
    /// It had not come back by then.
    Lost,
}

impl Straddler {
    /// How long it had been in flight at `moment` since the start of the point; `None` if it was
    /// not in flight then.
    pub fn age_at(&self, moment: Nanos) -> Option<Nanos> {
        let age = self.latency.0.checked_sub(self.end.0.checked_sub(moment.0)?)?;
        (age > 0).then_some(Nanos(age))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::record::histogram::Histogram;

    #[test]
    fn an_interval_holds_what_completed_and_the_next_begins_empty() {
        let mut recorder = Recorder::new(0..2, 2);
        let io = |target, class, bytes, nanos| Completed {
            target,
            class,
            bytes,
            latency: Nanos(nanos),
            lag: Nanos::ZERO,
        };
        recorder.complete(io(0, 0, 4096, 1_000));
        recorder.complete(io(1, 1, 8192, 3_000));
        recorder.complete(io(1, 1, 8192, 9_000_000));
        recorder.fail(1);
        let record = recorder.close();
        assert_eq!(record.total().operations, 3);
        assert_eq!(record.total().bytes, 4096 + 2 * 8192);
        assert_eq!(record.targets.of(1)[1].operations, 2);
        assert_eq!(record.errors, vec![0, 1]);
        let mut histogram = Histogram::default();
        record.add_histogram(1, &mut histogram);
        assert_eq!(histogram.total(), 2);
        assert_eq!(recorder.close(), IntervalRecord::empty(1, Shape::io(2)));
    }
}
