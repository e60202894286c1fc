//! A point from its intervals: the ramp cut off, the rest merged.

use crate::drive::{Flow, Watch};
use crate::instrument::Progress;
use crate::plan::{StopRule, Timing};
use crate::record::histogram::Histogram;
use crate::record::interval::IntervalRecord;
use crate::record::tally::Tally;
use crate::units::Nanos;

/// Collects the intervals of a point over all its workers and applies the stop rule.
#[derive(Debug)]
pub struct Collector {
    timing: Timing,
    records: Vec<IntervalRecord>,
}

impl Collector {
    /// A collector for a point with the given phases.
    pub const fn new(timing: Timing) -> Self {
        Self { timing, records: Vec::new() }
    }

    /// Intervals of the ramp.
    fn ramp_intervals(&self) -> usize {
        (self.timing.ramp.0 / self.timing.interval.0) as usize
    }

    /// Intervals that are measured at the most.
    fn measured_intervals(&self) -> usize {
        match &self.timing.stop {
            StopRule::FixedTime { measure } => (measure.0 / self.timing.interval.0) as usize,
        }
    }

    /// Adds the next interval, of all workers together.
    pub fn push(&mut self, record: IntervalRecord) -> Flow {
        self.records.push(record);
        if self.records.len() >= self.ramp_intervals() + self.measured_intervals() {
            Flow::Stop
        } else {
            Flow::Continue
        }
    }

    /// The last interval, and everything before it.
    ///
    /// # Panics
    /// When no interval was pushed yet.
    pub fn progress_of_last(&self) -> Progress<'_> {
        let record = self.records.last().expect("an interval was pushed");
        Progress { record, collector: self }
    }

    /// Where the point is: intervals seen, of how many at the most.
    pub fn progress(&self) -> (usize, usize) {
        (self.records.len(), self.ramp_intervals() + self.measured_intervals())
    }

    /// Whether the last interval belongs to the ramp.
    pub fn is_ramping(&self) -> bool {
        self.records.len() <= self.ramp_intervals()
    }

    /// The measurement: everything after the ramp.
    pub fn finish(mut self) -> Measurement {
        let ramp_count = self.ramp_intervals().min(self.records.len());
        let kept = self.records.split_off(ramp_count);
        Measurement::merge(self.timing.interval, ramp_count, kept)
    }
}

impl Watch for Collector {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        self.push(record)
    }
}

/// What was measured at one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// Length of each interval.
    pub interval: Nanos,
    /// Intervals that were left out as the ramp.
    pub ramp_count: usize,
    /// The measured intervals.
    pub intervals: Vec<IntervalRecord>,
    /// Reads and writes of all targets.
    pub directions: [Tally; 2],
    /// Reads and writes of each target.
    pub targets: Vec<[Tally; 2]>,
    /// Failed I/Os of each target in the measured time.
    pub errors: Vec<u64>,
    /// Histogram of each direction.
    pub histograms: [Histogram; 2],
}

impl Measurement {
    /// Merges the measured intervals.
    fn merge(interval: Nanos, ramp_count: usize, intervals: Vec<IntervalRecord>) -> Self {
        let target_count = intervals.first().map_or(0, |record| record.targets.len());
        let mut sum = IntervalRecord::empty(0, target_count);
        let mut histograms = [Histogram::default(), Histogram::default()];
        for record in &intervals {
            for (direction, histogram) in histograms.iter_mut().enumerate() {
                record.add_histogram(direction, histogram);
                sum.directions[direction].merge(&record.directions[direction]);
            }
            for (total, target) in sum.targets.iter_mut().zip(&record.targets) {
                total[0].merge(&target[0]);
                total[1].merge(&target[1]);
            }
            for (total, errors) in sum.errors.iter_mut().zip(&record.errors) {
                *total += errors;
            }
        }
        let IntervalRecord { directions, targets, errors, .. } = sum;
        Self { interval, ramp_count, intervals, directions, targets, errors, histograms }
    }

    /// Length of the measured time.
    pub fn measured(&self) -> Nanos {
        Nanos(self.interval.0 * self.intervals.len() as u64)
    }

    /// Length of the ramp.
    pub fn ramp(&self) -> Nanos {
        Nanos(self.interval.0 * self.ramp_count as u64)
    }

    /// Reads and writes together.
    pub fn total(&self) -> Tally {
        let mut total = self.directions[0];
        total.merge(&self.directions[1]);
        total
    }

    /// The histogram of reads and writes together.
    pub fn histogram(&self) -> Histogram {
        let mut histogram = self.histograms[0].clone();
        histogram.merge(&self.histograms[1]);
        histogram
    }
}
