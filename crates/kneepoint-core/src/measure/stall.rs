//! I/Os that took a large part of the measured time, most of all those that outlasted it.
//!
//! What is in flight when the measured time ends is in no count, and it must not be: of a queue
//! that is always full something always is, and to add its age, or only its longest I/Os, would
//! bias every mean. A stall is the exception. There the I/Os that did not come back are the
//! message, and without them a target that hangs looks fast. So an I/O in flight at the end enters
//!
//! - the maximum, if it was older by then than all that came back,
//! - the maximum, the mean and the percentiles, if it was a stall,
//!
//! with its response time, which the drain reveals; one that never comes back with the time for
//! which it was waited for, a lower bound.

use crate::load::record::histogram::Histogram;
use crate::load::record::interval::Tally;
use crate::load::record::recorder::{Fate, Straddler};
use crate::measure::measurement::Measurement;
use crate::words::units::Nanos;

/// A stall takes more than this share of the measured time.
const STALL_SHARE_MIN: f64 = 0.2;

/// A stall takes this many times as long as half of the I/Os do at the most. A target that is slow
/// throughout does not stall: of a hundred exponential response times, one is as long as that in
/// one point of ten thousand.
const STALL_MEDIANS_MIN: f64 = 20.0;

/// The I/Os that outlasted the measured time, as far as they count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unfinished {
    /// Stalls by response class, of all targets; empty if there is none. Only counts and response times
    /// are of meaning: the bytes did not move in the measured time.
    pub classes: Vec<Tally>,
    /// The same for each target, all classes together.
    pub targets: Vec<Tally>,
    /// Sum of the times for which the stalls were in flight within the measured time, in
    /// nanoseconds.
    pub within_ns_sum: u128,
    /// The longest of all that count.
    pub longest: Option<Straddler>,
}

/// The shortest response time that is a stall in `measured`, in which I/Os of `histogram` completed.
pub(crate) fn stall_min(measured: Nanos, histogram: &Histogram) -> Nanos {
    let share = STALL_SHARE_MIN * measured.0 as f64;
    let median = histogram.percentile(50.0).unwrap_or(Nanos::ZERO);
    Nanos(share.max(STALL_MEDIANS_MIN * median.0 as f64) as u64)
}

impl Measurement {
    /// The same measurement with those of `straddlers` that were in flight at its end, as far as
    /// they count.
    #[must_use]
    pub fn with_unfinished(mut self, straddlers: &[Straddler]) -> Self {
        if self.intervals.is_empty() {
            return self;
        }
        let end = self.ramp() + self.measured();
        let completed_max = self.total().latency_max;
        let mut unfinished = Unfinished::default();
        for (io, age) in straddlers.iter().filter_map(|io| Some((io, io.age_at(end)?))) {
            let target = io.target as usize;
            if !self.classes[io.class].name.is_counted() {
                let completed = &mut self.classes[io.class].tally;
                if age > completed.latency_max {
                    completed.latency_max = io.latency;
                }
                continue;
            }
            let is_stall = io.latency > self.stall_min;
            if is_stall {
                let age = age.min(self.measured());
                unfinished.within_ns_sum += u128::from(age.0);
                unfinished.classes.resize(self.classes.len(), Tally::EMPTY);
                unfinished.classes[io.class].add(0, io.latency, Nanos::ZERO);
                unfinished.targets.resize(self.targets.len(), Tally::EMPTY);
                unfinished.targets[target].add(0, io.latency, Nanos::ZERO);
                self.classes[io.class].histogram.record(io.latency, 1);
            } else if age > completed_max {
                for tally in [&mut self.classes[io.class].tally, &mut self.targets[target]] {
                    tally.latency_max = tally.latency_max.max(io.latency);
                }
            } else {
                continue;
            }
            if unfinished.longest.is_none_or(|longest| longest.latency < io.latency) {
                unfinished.longest = Some(*io);
            }
        }
        Self { unfinished, ..self }
    }

    /// The longest stall, where there is one.
    pub(crate) fn stall(&self) -> Option<Stall> {
        let outlasting = self.unfinished.longest.filter(|io| io.latency > self.stall_min);
        let completed = self.total().latency_max;
        match outlasting {
            Some(io) if io.latency >= completed => Some(match io.fate {
                Fate::Returned => Stall::Outlasting(io.latency),
                Fate::Lost => Stall::Lost(io.latency),
            }),
            _ => (completed > self.stall_min).then_some(Stall::Completed(completed)),
        }
    }
}

/// The longest I/O of a point, where it took a large part of the measured time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stall {
    /// It came back in the measured time.
    Completed(Nanos),
    /// It came back after its end.
    Outlasting(Nanos),
    /// It had not come back after this time.
    Lost(Nanos),
}

impl Stall {
    /// How long it took, or took at least.
    pub(crate) const fn time(self) -> Nanos {
        match self {
            Self::Completed(time) | Self::Outlasting(time) | Self::Lost(time) => time,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::load::record::interval::{IntervalRecord, Shape};
    use crate::measure::confidence::{
        Assessment, DriftBefore, IntervalSeries, Occupancy, Requirement,
    };
    use crate::measure::measurement::MeasuredClass;
    use crate::words::class::ClassName;

    /// Four seconds in intervals of 100 ms in which 40 I/Os of 1 ms complete each, after a second
    /// of ramp.
    pub(in crate::measure) fn measurement() -> Measurement {
        let mut series = IntervalSeries::default();
        let records: Vec<IntervalRecord> = (0..50)
            .map(|index| {
                let mut record = IntervalRecord::empty(index, Shape::io(1));
                (0..40).for_each(|_| {
                    record.targets.of_class(0, 0).add(4096, Nanos::from_millis(1), Nanos::ZERO);
                });
                record.classes[0] = record.targets.of(0)[0];
                let bucket = crate::load::record::histogram::bucket_of(1_000_000) as u16;
                record.histograms[0] = vec![(bucket, 40)];
                series.push(&record.total());
                record
            })
            .collect();
        let assessment = Assessment::of(
            &series,
            (&Requirement::Fixed { ramp: 10, drift: 0.1 }, &DriftBefore::default()),
            Occupancy::Varying,
        );
        Measurement::merge(
            (Nanos::from_millis(100), Nanos::ZERO),
            assessment,
            records[10..].to_vec(),
            (Shape::io(1), &[ClassName::READ, ClassName::WRITE]),
        )
    }

    /// An I/O that started this many milliseconds after the point's start.
    fn io(start_ms: u64, latency_ms: u64, fate: Fate) -> Straddler {
        let latency = Nanos::from_millis(latency_ms);
        Straddler {
            target: 0,
            class: 0,
            end: Nanos::from_millis(start_ms) + latency,
            latency,
            fate,
        }
    }

    fn with(straddlers: &[Straddler]) -> Measurement {
        measurement().with_unfinished(straddlers)
    }

    #[test]
    fn what_is_in_flight_at_a_normal_end_changes_nothing() {
        let normal = [io(4_999, 1, Fate::Returned), io(4_999, 40, Fate::Returned)];
        assert_eq!(with(&normal), measurement());
        let other = [io(2_000, 1_000, Fate::Returned), io(5_000, 9_000, Fate::Returned)];
        assert_eq!(with(&other), measurement(), "back before the end, or started after it");
    }

    #[test]
    fn an_io_that_was_the_oldest_at_the_end_is_the_maximum() {
        let found = with(&[io(4_900, 500, Fate::Returned)]);
        assert_eq!(found.total().latency_max, Nanos::from_millis(500));
        assert_eq!(found.targets[0].latency_max, Nanos::from_millis(500));
        assert_eq!(
            found.responses(0).latency_ns_sum,
            measurement().classes[0].tally.latency_ns_sum
        );
        assert_eq!(found.stall(), None, "an eighth of the measured time");
    }

    #[test]
    fn a_flush_that_takes_long_is_no_stall() {
        let mut measured = measurement();
        let (mut tally, histogram) = (Tally::EMPTY, Histogram::default());
        tally.add(0, Nanos::from_millis(5), Nanos::ZERO);
        measured.classes.push(MeasuredClass { name: ClassName::FLUSH, tally, histogram });
        let flush = Straddler { class: 2, ..io(3_000, 20_000, Fate::Returned) };
        let found = measured.clone().with_unfinished(&[flush]);
        assert_eq!(found.stall(), None);
        assert_eq!(found.classes[2].tally.latency_max, Nanos::from_secs(20));
        assert_eq!((found.total(), &found.targets), (measured.total(), &measured.targets));
        assert_eq!(found.unfinished, Unfinished::default());
        let shorter = Straddler { class: 2, ..io(4_998, 4, Fate::Returned) };
        assert_eq!(measured.clone().with_unfinished(&[shorter]), measured);
        // Its time is part of what is in flight.
        let (io, both) = (measurement().outstanding_mean(), measured.outstanding_mean());
        assert!((both - io - 5e-3 / 4.0).abs() < 1e-9, "{io}, {both}");
    }

    #[test]
    fn a_stall_that_spans_the_end_is_in_the_mean_and_in_the_percentiles() {
        let found = with(&[io(3_000, 20_000, Fate::Returned); 4]);
        assert_eq!(found.stall(), Some(Stall::Outlasting(Nanos::from_secs(20))));
        let responses = found.responses(0);
        assert_eq!((responses.operations, found.total().operations), (1604, 1600));
        let mean = (1600.0 + 4.0 * 20_000.0) / 1604.0;
        assert!((responses.latency_ns_mean() / 1e6 - mean).abs() < 1e-9);
        assert_eq!(found.responses_of_target(0), responses);
        let top = found.histogram().percentile(99.9).unwrap();
        assert!(top > Nanos::from_secs(19), "{top}");
        // Two of four seconds with four in flight each, and 1.6 s of I/Os of a millisecond.
        assert!((found.outstanding_mean() - (1.6 + 4.0 * 2.0) / 4.0).abs() < 1e-9);
    }

    #[test]
    fn an_io_that_never_came_back_counts_as_long_as_it_was_waited_for() {
        let found = with(&[io(500, 34_500, Fate::Lost)]);
        assert_eq!(found.stall(), Some(Stall::Lost(Nanos::from_millis(34_500))));
        assert_eq!(found.unfinished.within_ns_sum, 4_000_000_000, "not more than was measured");
    }

    #[test]
    fn a_target_that_is_slow_throughout_does_not_stall() {
        let mut slow = measurement();
        slow.stall_min = stall_min(Nanos::from_secs(4), &{
            let mut histogram = Histogram::default();
            histogram.record(Nanos::from_millis(900), 10);
            histogram
        });
        assert!(slow.stall_min > Nanos::from_secs(17), "{}", slow.stall_min);
        assert_eq!(slow.with_unfinished(&[io(4_000, 2_000, Fate::Returned)]).stall(), None);
    }

    #[test]
    fn a_stall_within_the_measured_time_is_seen_as_well() {
        let mut stalled = measurement();
        stalled.classes[0].tally.latency_max = Nanos::from_secs(1);
        assert_eq!(stalled.stall(), Some(Stall::Completed(Nanos::from_secs(1))));
    }
}
