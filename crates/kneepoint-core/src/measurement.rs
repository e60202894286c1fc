//! A point from its intervals: the ramp cut off, the rest merged.

use crate::confidence::{Assessment, Demand, Limits, Schedule, Series, Stability};
use crate::drive::{Flow, Watch};
use crate::instrument::Progress;
use crate::plan::{StopRule, Timing};
use crate::record::histogram::Histogram;
use crate::record::interval::IntervalRecord;
use crate::record::tally::Tally;
use crate::stall::{Unfinished, stall_min};
use crate::steady_state::{Convergence, Rounds};
use crate::units::{MIB, Nanos};
use crate::volume::Volume;

/// A trend of more than half of this share of the mean is drifting in a point of fixed time.
const FIXED_TIME_DRIFT: f64 = 0.10;

/// Collects the intervals of a point over all its workers and applies the stop rule.
#[derive(Debug)]
pub struct Collector {
    interval: Nanos,
    demand: Demand,
    goal: Goal,
    records: Vec<IntervalRecord>,
    series: Series,
    intervals_max: usize,
    ramp_min: usize,
}

impl Collector {
    /// A collector for a point with the given phases.
    pub fn new(timing: &Timing) -> Self {
        let count = |time: Nanos| (time.0 / timing.interval.0) as usize;
        let ramp = count(timing.ramp);
        Self {
            interval: timing.interval,
            demand: demand(timing, ramp),
            goal: Goal::of(timing),
            records: Vec::new(),
            series: Series::default(),
            intervals_max: ramp + count(timing.stop.measure_max()),
            ramp_min: ramp,
        }
    }

    /// Adds the next interval, of all workers together.
    pub fn push(&mut self, record: IntervalRecord) -> Flow {
        self.series.push(&record.total());
        self.records.push(record);
        // The goal sees every interval, the last one included: it may end a round.
        let flow = self.flow_of_goal();
        if self.records.len() >= self.intervals_max { Flow::Stop } else { flow }
    }

    /// Whether the last interval reached what the point goes on for.
    fn flow_of_goal(&mut self) -> Flow {
        let Some(record) = self.records.last() else { return Flow::Continue };
        match &mut self.goal {
            Goal::Time => Flow::Continue,
            Goal::Accuracy(schedule) => match schedule.is_due(self.series.len()) {
                true if self.assess().stability == Stability::Steady => Flow::Stop,
                _ => Flow::Continue,
            },
            Goal::Rounds(rounds) => rounds.push(&record.total()),
            Goal::Volume(volume) => volume.push(record),
        }
    }

    fn assess(&self) -> Assessment {
        Assessment::of(&self.series, &self.demand)
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
        (self.records.len(), self.intervals_max)
    }

    /// Reads and writes of the last `time`, or of everything so far, and how long that is.
    pub fn recent(&self, time: Nanos) -> (Tally, Nanos) {
        let count = (time.0.div_ceil(self.interval.0) as usize).min(self.records.len());
        let mut total = Tally::EMPTY;
        for record in &self.records[self.records.len() - count..] {
            total.merge(&record.total());
        }
        (total, Nanos(self.interval.0 * count as u64))
    }

    /// Whether the last interval belongs to the shortest ramp.
    pub fn is_ramping(&self) -> bool {
        self.records.len() <= self.ramp_min
    }

    /// The measurement: everything after the ramp.
    pub fn finish(mut self) -> Measurement {
        let convergence = self.take_convergence();
        let mut assessment = self.assess();
        if let Some(convergence) = &convergence {
            assessment.stability = convergence.stability();
        }
        let kept = self.records.split_off(assessment.ramp_count);
        let measurement = Measurement::merge(self.interval, assessment, kept);
        Measurement { convergence, ..measurement }
    }

    /// What the rounds came to, where there are any; all but the last ones become the ramp.
    fn take_convergence(&mut self) -> Option<Convergence> {
        let Goal::Rounds(rounds) = std::mem::replace(&mut self.goal, Goal::Time) else {
            return None;
        };
        self.demand = Demand::Fixed { ramp: rounds.window_start(), drift: FIXED_TIME_DRIFT };
        Some(rounds.finish(self.interval))
    }
}

/// What a point goes on for until its time is up.
#[derive(Debug)]
enum Goal {
    /// The time itself.
    Time,
    /// Means that are accurate enough; looked at on schedule.
    Accuracy(Schedule),
    /// Rounds that are steady.
    Rounds(Rounds),
    /// Bytes that have moved.
    Volume(Volume),
}

impl Goal {
    fn of(timing: &Timing) -> Self {
        let count = |time: Nanos| (time.0 / timing.interval.0) as usize;
        match &timing.stop {
            StopRule::FixedTime { .. } => Self::Time,
            StopRule::Confidence { measure_min, .. } => {
                Self::Accuracy(Schedule::new(count(timing.ramp), count(*measure_min)))
            }
            StopRule::SteadyState(rule) => Self::Rounds(Rounds::new(rule, timing)),
            StopRule::Volume { target_bytes, .. } => Self::Volume(Volume::new(target_bytes)),
        }
    }
}

/// What the stop rule asks for, in intervals and fractions.
fn demand(timing: &Timing, ramp: usize) -> Demand {
    let count = |time: &Nanos| (time.0 / timing.interval.0) as usize;
    match &timing.stop {
        StopRule::FixedTime { .. } | StopRule::SteadyState(_) | StopRule::Volume { .. } => {
            Demand::Fixed { ramp, drift: FIXED_TIME_DRIFT }
        }
        StopRule::Confidence { accuracy, drift, measure_min, measure_max } => Demand::Accurate {
            ramp_min: ramp,
            measure_min: count(measure_min),
            measure_max: count(measure_max),
            limits: Limits { accuracy: accuracy.fraction(), drift: drift.fraction() },
        },
    }
}

impl Watch for Collector {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        self.push(record)
    }
}

/// What was measured at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Length of each interval.
    pub interval: Nanos,
    /// Intervals that were left out as the ramp.
    pub ramp_count: usize,
    /// How accurate the means are, and whether they drift.
    pub assessment: Assessment,
    /// The rounds of a point that was measured until steady state.
    pub convergence: Option<Convergence>,
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
    /// I/Os that took longer than this stalled.
    pub stall_min: Nanos,
    /// The I/Os that were in flight at the end, as far as they count.
    pub unfinished: Unfinished,
}

impl Measurement {
    /// Merges the measured intervals.
    pub(crate) fn merge(
        interval: Nanos,
        assessment: Assessment,
        intervals: Vec<IntervalRecord>,
    ) -> Self {
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
        let ramp_count = assessment.ramp_count;
        let measured = Nanos(interval.0 * intervals.len() as u64);
        let mut histogram = histograms[0].clone();
        histogram.merge(&histograms[1]);
        Self {
            stall_min: stall_min(measured, &histogram),
            unfinished: Unfinished::default(),
            interval,
            ramp_count,
            assessment,
            convergence: None,
            intervals,
            directions,
            targets,
            errors,
            histograms,
        }
    }

    /// Half-width of the 95 % confidence interval of IO/s.
    pub fn iops_ci95(&self) -> Option<f64> {
        let estimate = self.assessment.operations?;
        Some(estimate.half_width / self.interval.as_secs_f64())
    }

    /// Half-width of the 95 % confidence interval of throughput in MiB/s.
    pub fn mib_s_ci95(&self) -> Option<f64> {
        let estimate = self.assessment.bytes?;
        Some(estimate.half_width / MIB as f64 / self.interval.as_secs_f64())
    }

    /// Half-width of the 95 % confidence interval of the mean response time, in milliseconds.
    pub fn latency_ms_ci95(&self) -> Option<f64> {
        Some(self.assessment.latency_ns?.half_width / 1e6)
    }

    /// Length of the measured time.
    pub fn measured(&self) -> Nanos {
        Nanos(self.interval.0 * self.intervals.len() as u64)
    }

    /// Length of the ramp.
    pub fn ramp(&self) -> Nanos {
        Nanos(self.interval.0 * self.ramp_count as u64)
    }

    /// What the response times of a direction are: those of the I/Os that completed, and of the
    /// stalls that outlasted the measured time.
    pub fn responses(&self, direction: usize) -> Tally {
        let mut responses = self.directions[direction];
        responses.merge(&self.unfinished.directions[direction]);
        responses
    }

    /// The same for one target, reads and writes together.
    pub fn responses_of_target(&self, target: usize) -> Tally {
        let mut responses = Tally::EMPTY;
        for tallies in
            self.targets.get(target).into_iter().chain(self.unfinished.targets.get(target))
        {
            responses.merge(&tallies[0]);
            responses.merge(&tallies[1]);
        }
        responses
    }

    /// Requests in flight on average: the time that they spent there over the measured time.
    pub fn outstanding_mean(&self) -> f64 {
        let completed = self.total().latency_ns_sum + self.unfinished.within_ns_sum;
        match self.measured() {
            Nanos::ZERO => 0.0,
            measured => completed as f64 / measured.0 as f64,
        }
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
