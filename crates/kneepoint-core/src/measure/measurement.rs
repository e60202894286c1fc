//! A point from its intervals: the ramp cut off, the rest merged.

use std::collections::VecDeque;
use std::ops::Range;

use super::Progress;
use super::confidence::{
    Assessment, DriftBefore, IntervalSeries, Limits, Occupancy, Requirement, Schedule, Slope,
    Stability,
};
use super::stall::{Unfinished, stall_min};
use super::steady_state::{Convergence, RoundTest};
use crate::load::drive::{Flow, Watch};
use crate::load::record::histogram::Histogram;
use crate::load::record::interval::{IntervalRecord, Shape, Tally};
use crate::plan::{StopRule, Timing};
use crate::words::class::ClassName;
use crate::words::units::{MIB, Nanos};

/// A trend of more than half of this share of the mean is drifting in a point of fixed time.
const FIXED_TIME_DRIFT: f64 = 0.10;

/// Intervals that are kept at the most. A point of more joins several to one, so that its memory
/// does not depend on its length.
const KEPT_MAX: usize = 4096;

/// Intervals that are kept all the same, however many targets there are: fewer say too little of how
/// accurate a point is.
const KEPT_MIN: usize = 128;

/// Bytes that the tallies of targets take in the intervals that are kept: so few of them are kept where
/// there are many targets.
const TARGET_TALLIES_BYTES: usize = 64 << 20;

/// Tallies of the last intervals that are kept for whoever follows a point.
const RECENT_MAX: usize = 128;

/// Collects the intervals of a point over all its workers and applies the stop rule.
#[derive(Debug)]
pub struct Collector {
    /// Length of the point's intervals.
    interval: Nanos,
    /// How many of them are joined to one that is kept.
    joined: usize,
    demand: Requirement,
    /// How fast the points before changed, per interval that is kept.
    before: DriftBefore,
    /// Of the intervals that are kept.
    occupancy: Occupancy,
    goal: Goal,
    records: Vec<IntervalRecord>,
    /// The interval that is being joined, of this many.
    partial: Option<(usize, IntervalRecord)>,
    series: IntervalSeries,
    recent: VecDeque<Tally>,
    seen: usize,
    intervals_max: usize,
    ramp_min: usize,
    shape: Shape,
    classes: Vec<ClassName>,
    /// Whether the point ends once its accuracy is out of reach.
    ends_early: bool,
    /// Whether it has ended for that.
    has_given_up: bool,
}

impl Collector {
    /// A collector for a point of `target_count` targets whose operations belong to `classes`, with the
    /// phases of `timing`; `occupancy` is that of one of its intervals.
    pub fn new(
        timing: &Timing,
        occupancy: Occupancy,
        target_count: usize,
        classes: &[ClassName],
    ) -> Self {
        let shape = Shape::of_classes(target_count, classes);
        let joined = joined(timing, kept_max(shape));
        let kept = Timing { interval: Nanos(timing.interval.0 * joined as u64), ..timing.clone() };
        let count = |time: Nanos| (time.0 / timing.interval.0) as usize;
        let ramp = count(timing.ramp).div_ceil(joined);
        let measure = count(timing.stop.measure_max());
        Self {
            interval: timing.interval,
            joined,
            demand: demand(&kept, ramp),
            before: DriftBefore::default(),
            occupancy: occupancy.over(joined),
            goal: Goal::of(timing, &kept),
            records: Vec::new(),
            partial: None,
            series: IntervalSeries::default(),
            recent: VecDeque::new(),
            seen: 0,
            intervals_max: ramp * joined + measure,
            ramp_min: ramp * joined,
            shape,
            classes: classes.to_vec(),
            ends_early: false,
            has_given_up: false,
        }
    }

    /// The same, which ends the point as soon as its time will surely not do. In virtual time, which costs
    /// nothing, it goes on.
    #[must_use]
    pub fn ending_early(mut self) -> Self {
        self.ends_early = true;
        self
    }

    /// The same, with what the points before say of how fast the target changes.
    #[must_use]
    pub fn after(mut self, drift: DriftBefore) -> Self {
        self.before = drift.per_interval(Nanos(self.interval.0 * self.joined as u64));
        self
    }

    /// Adds the next interval, of all workers together.
    pub fn push(&mut self, record: IntervalRecord) -> Flow {
        self.seen += 1;
        let total = record.total();
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(total);
        // The goal sees every interval, the last one included: it may end a round.
        let flow = match &mut self.goal {
            Goal::Rounds(rounds) => rounds.push(&total),
            Goal::Volume(volume) => volume.push(&record),
            Goal::Time | Goal::Accuracy(_) => Flow::Continue,
        };
        let flow = if self.keep(record) && self.is_decided() { Flow::Stop } else { flow };
        if self.seen >= self.intervals_max { Flow::Stop } else { flow }
    }

    /// Keeps an interval; says whether one that is kept is whole now.
    fn keep(&mut self, record: IntervalRecord) -> bool {
        let (count, whole) = match self.partial.take() {
            None => (1, record),
            Some((count, mut partial)) => {
                partial.join(&record);
                (count + 1, partial)
            }
        };
        if count < self.joined {
            self.partial = Some((count, whole));
            return false;
        }
        self.series.push(&whole.total());
        self.records.push(IntervalRecord { index: self.records.len() as u64, ..whole });
        true
    }

    /// Whether the means are as accurate as asked for, or will not be within the time.
    fn is_decided(&mut self) -> bool {
        let Goal::Accuracy(schedule) = &mut self.goal else { return false };
        if !schedule.is_due(self.series.len()) {
            return false;
        }
        self.is_settled()
    }

    /// The intervals that the data leave out as the ramp so far, of those that are kept.
    pub(super) fn ramp_count(&self) -> usize {
        self.rounds_ramp().unwrap_or_else(|| self.assess().ramp_count)
    }

    /// Intervals that are left out at the least, of those that are kept; `None` if the data do not decide.
    pub(super) const fn ramp_least(&self) -> Option<usize> {
        match self.demand {
            Requirement::Accurate { ramp_min, .. } => Some(ramp_min),
            Requirement::Fixed { .. } => None,
        }
    }

    /// Leaves out this many intervals at the least, if the data decide.
    pub(super) const fn leave_out(&mut self, least: usize) {
        if let Requirement::Accurate { ramp_min, .. } = &mut self.demand {
            *ramp_min = least;
        }
    }

    /// Whether the point has nothing more to wait for: the means are as accurate as asked for, or will not be.
    pub(super) fn is_settled(&mut self) -> bool {
        if !matches!(self.goal, Goal::Accuracy(_)) {
            return true;
        }
        let assessment = self.assess();
        self.has_given_up = self.ends_early && assessment.is_out_of_reach;
        self.has_given_up || assessment.stability == Stability::Steady
    }

    /// Whether its time is over.
    pub(super) const fn is_over(&self) -> bool {
        self.seen >= self.intervals_max
    }

    fn assess(&self) -> Assessment {
        Assessment::of(&self.series, (&self.demand, &self.before), self.occupancy)
    }

    /// The last interval, and everything before it.
    pub fn progress_of_last(&self) -> Progress<'_> {
        let total = self.recent.back().copied().unwrap_or_default();
        Progress { total, collector: self }
    }

    /// Where the point is: intervals seen, of how many at the most.
    pub fn progress(&self) -> (usize, usize) {
        (self.seen, self.intervals_max)
    }

    /// Reads and writes of the last `time` (at most 128 intervals), or of everything so far, and how
    /// long that is.
    pub fn recent(&self, time: Nanos) -> (Tally, Nanos) {
        let count = (time.0.div_ceil(self.interval.0) as usize).min(self.recent.len());
        let mut total = Tally::EMPTY;
        for interval in self.recent.iter().rev().take(count) {
            total.merge(interval);
        }
        (total, Nanos(self.interval.0 * count as u64))
    }

    /// The intervals that would count if the point ended now.
    pub fn counted_so_far(&self) -> Range<usize> {
        let rounds = self.rounds_ramp();
        let ramp = rounds.unwrap_or_else(|| self.assess().ramp_count);
        (ramp * self.joined).min(self.seen)..self.seen
    }

    /// Whether the last interval belongs to the shortest ramp.
    pub fn is_ramping(&self) -> bool {
        self.seen <= self.ramp_min
    }

    /// Whether an I/O that has been in flight for `age` at the end of a point of fixed time stalled.
    pub(crate) fn is_stall(&self, age: Nanos) -> bool {
        let measured = Nanos(self.interval.0 * self.seen.saturating_sub(self.ramp_min) as u64);
        if age <= stall_min(measured, &Histogram::default()) {
            return false;
        }
        let mut histogram = Histogram::default();
        for record in self.records.iter().skip(self.ramp_min / self.joined) {
            let counted = 0..self.shape.classes - self.shape.uncounted;
            counted.for_each(|class| record.add_histogram(class, &mut histogram));
        }
        age > stall_min(measured, &histogram)
    }

    /// The measurement: everything after the ramp.
    pub fn finish(mut self) -> Measurement {
        let convergence = self.take_convergence();
        let mut assessment = self.assess();
        if let Some(convergence) = &convergence {
            assessment.stability = convergence.stability();
        }
        let partial = self.partial.take();
        let missing = partial.as_ref().map_or(0, |(count, _)| self.joined - count);
        let mut kept = self.records.split_off(assessment.ramp_count);
        kept.extend(partial.map(|(_, record)| record));
        let interval = Nanos(self.interval.0 * self.joined as u64);
        let missing = Nanos(self.interval.0 * missing as u64);
        let measurement =
            Measurement::merge((interval, missing), assessment, kept, (self.shape, &self.classes));
        let has_given_up = self.has_given_up;
        Measurement { convergence, joined: self.joined, has_given_up, ..measurement }
    }

    /// The intervals before the last rounds, of those that are kept; `None` if there are no rounds.
    fn rounds_ramp(&self) -> Option<usize> {
        match &self.goal {
            Goal::Rounds(rounds) => Some(rounds.window_start() / self.joined),
            Goal::Time | Goal::Accuracy(_) | Goal::Volume(_) => None,
        }
    }

    /// Takes the result of the rounds, if there are any; all but the last ones become the ramp.
    fn take_convergence(&mut self) -> Option<Convergence> {
        let ramp = self.rounds_ramp()?;
        let Goal::Rounds(rounds) = std::mem::replace(&mut self.goal, Goal::Time) else {
            return None;
        };
        self.demand = Requirement::Fixed { ramp, drift: FIXED_TIME_DRIFT };
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
    Rounds(RoundTest),
    /// Bytes that have moved.
    Volume(Volume),
}

impl Goal {
    fn of(timing: &Timing, kept: &Timing) -> Self {
        let count = |time: Nanos| (time.0 / kept.interval.0) as usize;
        match &timing.stop {
            StopRule::FixedTime { .. } | StopRule::Rounds { .. } => Self::Time,
            StopRule::Confidence { measure_min, .. } => {
                Self::Accuracy(Schedule::new(count(timing.ramp), count(*measure_min)))
            }
            StopRule::SteadyState(rule) => Self::Rounds(RoundTest::new(rule, timing)),
            StopRule::Volume { target_bytes, .. } => Self::Volume(Volume::new(target_bytes)),
        }
    }
}

/// Most intervals that are kept of a point of this `shape`.
fn kept_max(shape: Shape) -> usize {
    let tallies = shape.targets.saturating_mul(shape.classes);
    let bytes = tallies.saturating_mul(size_of::<Tally>());
    (TARGET_TALLIES_BYTES / bytes.max(1)).clamp(KEPT_MIN, KEPT_MAX)
}

/// How many intervals of a point are joined to one, of which at most `kept_max` are kept. Rounds stay
/// whole, and take more of them if need be.
fn joined(timing: &Timing, kept_max: usize) -> usize {
    let count = |time: Nanos| (time.0 / timing.interval.0.max(1)) as usize;
    let least = count(timing.point_max()).div_ceil(kept_max).max(1);
    match &timing.stop {
        StopRule::SteadyState(rule) => {
            let (round, ramp) = (count(rule.round), count(timing.ramp));
            let divides =
                |joined: &usize| round.is_multiple_of(*joined) && ramp.is_multiple_of(*joined);
            let below = || (1..=round).rev().find(divides);
            (least..=round).find(divides).or_else(below).unwrap_or(1)
        }
        _ => least,
    }
}

/// What the stop rule asks for, in intervals and fractions.
fn demand(timing: &Timing, ramp: usize) -> Requirement {
    let count = |time: &Nanos| (time.0 / timing.interval.0) as usize;
    match &timing.stop {
        StopRule::FixedTime { .. }
        | StopRule::SteadyState(_)
        | StopRule::Volume { .. }
        | StopRule::Rounds { .. } => Requirement::Fixed { ramp, drift: FIXED_TIME_DRIFT },
        StopRule::Confidence { accuracy, drift, measure_min, measure_max } => {
            Requirement::Accurate {
                ramp_min: ramp,
                measure_min: count(measure_min),
                measure_max: count(measure_max),
                limits: Limits { accuracy: accuracy.fraction(), drift: drift.fraction() },
            }
        }
    }
}

impl Watch for Collector {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        self.push(record)
    }
}

/// What was measured of one response class.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredClass {
    /// Its name.
    pub name: ClassName,
    /// What completed on all targets.
    pub tally: Tally,
    /// Its response times.
    pub histogram: Histogram,
}

impl MeasuredClass {
    fn empty(name: &ClassName) -> Self {
        Self { name: *name, tally: Tally::EMPTY, histogram: Histogram::default() }
    }
}

/// What was measured at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Length of each interval.
    pub interval: Nanos,
    /// By how much the last interval is shorter.
    pub missing: Nanos,
    /// Intervals of the point that were joined to each.
    pub joined: usize,
    /// Intervals that were left out as the ramp.
    pub ramp_count: usize,
    /// How accurate the means are, and whether they drift.
    pub assessment: Assessment,
    /// Whether the point ended because the rest of its time would not have made it accurate.
    pub has_given_up: bool,
    /// The rounds of a point that was measured until steady state.
    pub convergence: Option<Convergence>,
    /// The measured intervals.
    pub intervals: Vec<IntervalRecord>,
    /// The response classes, in the order of the plan.
    pub classes: Vec<MeasuredClass>,
    /// What completed on each target, as far as it is counted.
    pub targets: Vec<Tally>,
    /// I/Os that took longer than this stalled.
    pub stall_min: Nanos,
    /// The I/Os that were in flight at the end, as far as they count.
    pub unfinished: Unfinished,
}

impl Measurement {
    /// Merges the measured intervals.
    pub(crate) fn merge(
        (interval, missing): (Nanos, Nanos),
        assessment: Assessment,
        intervals: Vec<IntervalRecord>,
        (shape, names): (Shape, &[ClassName]),
    ) -> Self {
        let mut classes: Vec<MeasuredClass> = names.iter().map(MeasuredClass::empty).collect();
        let mut targets = vec![Tally::EMPTY; shape.targets];
        for record in &intervals {
            for (index, class) in classes.iter_mut().enumerate() {
                record.add_histogram(index, &mut class.histogram);
                class.tally.merge(&record.classes[index]);
            }
            for (total, target) in targets.iter_mut().zip(record.target_totals()) {
                total.merge(&target);
            }
        }
        let ramp_count = assessment.ramp_count;
        let measured = Nanos(interval.0 * intervals.len() as u64) - missing;
        Self {
            stall_min: stall_min(measured, &merged(&classes)),
            unfinished: Unfinished::default(),
            interval,
            missing,
            joined: 1,
            ramp_count,
            assessment,
            has_given_up: false,
            convergence: None,
            intervals,
            classes,
            targets,
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

    /// How fast a number changes, per second, if `slope` is how fast it does per interval.
    pub fn per_second(&self, slope: Option<Slope>) -> Option<Slope> {
        Some(Slope::of(&slope?.over(1.0), self.interval.as_secs_f64()))
    }

    /// Length of the measured time.
    pub fn measured(&self) -> Nanos {
        Nanos(self.interval.0 * self.intervals.len() as u64) - self.missing
    }

    /// Length of the ramp.
    pub fn ramp(&self) -> Nanos {
        Nanos(self.interval.0 * self.ramp_count as u64)
    }

    /// The response times of a class: those of the operations that completed, and of the stalls that
    /// outlasted the measured time.
    pub fn responses(&self, class: usize) -> Tally {
        let completed = self.classes.get(class).map(|class| &class.tally);
        Tally::of_all(completed.into_iter().chain(self.unfinished.classes.get(class)))
    }

    /// The same of all classes that are counted.
    pub fn all_responses(&self) -> Tally {
        let responses: Vec<Tally> =
            self.counted().into_iter().map(|class| self.responses(class)).collect();
        Tally::of_all(&responses)
    }

    /// The classes that are counted, by number.
    pub fn counted(&self) -> Vec<usize> {
        let classes = self.classes.iter().enumerate();
        classes.filter_map(|(index, class)| class.name.is_counted().then_some(index)).collect()
    }

    /// The same for one target.
    pub fn responses_of_target(&self, target: usize) -> Tally {
        Tally::of_all(
            self.targets.get(target).into_iter().chain(self.unfinished.targets.get(target)),
        )
    }

    /// Requests in flight on average, flushes included: the time that they spent there over the measured
    /// time.
    pub fn outstanding_mean(&self) -> f64 {
        let completed = self.classes.iter().map(|class| class.tally.latency_ns_sum).sum::<u128>();
        let completed = completed + self.unfinished.within_ns_sum;
        match self.measured() {
            Nanos::ZERO => 0.0,
            measured => completed as f64 / measured.0 as f64,
        }
    }

    /// All classes together that are counted.
    pub fn total(&self) -> Tally {
        let counted = self.classes.iter().filter(|class| class.name.is_counted());
        Tally::of_all(counted.map(|class| &class.tally))
    }

    /// The histogram of all classes together that are counted.
    pub fn histogram(&self) -> Histogram {
        merged(&self.classes)
    }
}

/// The histogram of those of `classes` that are counted.
fn merged(classes: &[MeasuredClass]) -> Histogram {
    let mut sum = Histogram::default();
    let counted = classes.iter().filter(|class| class.name.is_counted());
    counted.for_each(|class| sum.merge(&class.histogram));
    sum
}

/// Counts down the bytes that each target is still to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Volume {
    /// Bytes that are missing, in the plan's order of targets.
    missing: Vec<u64>,
}

impl Volume {
    /// Nothing was moved yet of `target_bytes`, one entry per target.
    pub(crate) fn new(target_bytes: &[u64]) -> Self {
        Self { missing: target_bytes.to_vec() }
    }

    /// Adds the next interval; `Stop` once no target lacks anything.
    pub(crate) fn push(&mut self, record: &IntervalRecord) -> Flow {
        for (missing, moved) in self.missing.iter_mut().zip(record.target_totals()) {
            *missing = missing.saturating_sub(moved.bytes);
        }
        match self.missing.iter().all(|missing| *missing == 0) {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::steady_state::tests::rule;
    use crate::plan::SteadyState;

    /// A point of `measure` in intervals of 100 ms in which one I/O of this many nanoseconds each
    /// completes.
    fn measured(measure: Nanos, stop_after: usize) -> Measurement {
        let mut collector = Collector::new(
            &Timing {
                ramp: Nanos::from_secs(1),
                interval: Nanos::from_millis(100),
                stop: StopRule::FixedTime { measure },
                drain_max: Nanos::ZERO,
            },
            Occupancy::Varying,
            1,
            &[ClassName::READ, ClassName::WRITE],
        );
        for index in 0.. {
            let mut record = IntervalRecord::empty(index, Shape::io(1));
            record.classes[0].add(4096, Nanos(1000 + index % 50), Nanos::ZERO);
            *record.targets.of_class(0, 0) = record.classes[0];
            record.histograms[0] = vec![((1000 + index % 50) as u16, 1)];
            if collector.push(record) == Flow::Stop || index + 1 == stop_after as u64 {
                break;
            }
        }
        collector.finish()
    }

    #[test]
    fn the_memory_of_a_point_does_not_depend_on_its_length() {
        let found = measured(Nanos::from_secs(10 * 3600), usize::MAX);
        assert!(found.intervals.len() <= KEPT_MAX, "{}", found.intervals.len());
        assert!(found.intervals.iter().all(|record| record.histograms[0].len() <= 50));
        assert_eq!(found.measured(), Nanos::from_secs(10 * 3600));
        assert_eq!(found.total().operations, 10 * 36_000);
        assert_eq!(found.histogram().total(), 10 * 36_000);
        let mean = found.total().latency_ns_mean();
        assert!((mean - 1024.5).abs() < 0.1, "{mean}");
        assert!(found.iops_ci95().is_some());
    }

    /// How many intervals are kept of a point with `stop` and this many targets.
    fn kept(stop: StopRule, targets: usize) -> usize {
        let interval = Nanos::from_millis(100);
        let timing = Timing { ramp: Nanos::ZERO, interval, stop, drain_max: Nanos::ZERO };
        let joined = joined(&timing, kept_max(Shape::io(targets))) as u64;
        (timing.point_max().0 / interval.0).div_ceil(joined) as usize
    }

    #[test]
    fn the_memory_of_a_point_has_bounds_however_many_targets_there_are() {
        let fixed = StopRule::FixedTime { measure: Nanos::from_secs(24 * 3600) };
        let round = Nanos::from_secs(3600);
        let steady = StopRule::SteadyState(SteadyState { round, ..rule() });
        let bytes = |kept: usize, targets| kept * targets * size_of::<[Tally; 2]>();
        for targets in [1, 100, 1_000, 3_000] {
            let most = kept_max(Shape::io(targets));
            assert!(bytes(most, targets) <= TARGET_TALLIES_BYTES, "{targets}: {most}");
            for stop in [&fixed, &steady] {
                let kept = kept(stop.clone(), targets);
                assert!(kept <= most && 2 * kept > most, "{targets}, {stop:?}: {kept}");
            }
        }
        assert_eq!(
            (kept_max(Shape::io(0)), kept_max(Shape::io(100))),
            (KEPT_MAX, KEPT_MAX),
            "the usual is not coarser"
        );
        assert_eq!(kept_max(Shape::io(100_000)), KEPT_MIN);
        // Rounds that can't be joined to so few stay whole, with as few as can be.
        let short = StopRule::SteadyState(SteadyState { rounds_max: 2_000, ..rule() });
        assert_eq!(kept(short, 1_000), 2_000);
    }

    #[test]
    fn a_long_point_that_ends_early_keeps_the_part_of_an_interval() {
        let found = measured(Nanos::from_secs(10 * 3600), 10_005);
        assert!(found.joined > 1 && found.missing > Nanos::ZERO);
        assert_eq!(found.ramp() + found.measured(), Nanos::from_millis(100 * 10_005));
        assert_eq!(
            u128::from(found.total().operations),
            u128::from(found.measured().0) / 100_000_000
        );
    }

    #[test]
    fn a_short_point_keeps_every_interval() {
        let found = measured(Nanos::from_secs(60), usize::MAX);
        assert_eq!((found.joined, found.intervals.len(), found.ramp_count), (1, 600, 10));
    }

    #[test]
    fn the_slowest_target_decides() {
        let mut volume = Volume::new(&[100, 50]);
        let mut record = IntervalRecord::empty(0, Shape::io(2));
        record.targets.of_class(0, 1).bytes = 60;
        record.targets.of_class(1, 1).bytes = 20;
        let flows: Vec<Flow> = (0..3).map(|_| volume.push(&record)).collect();
        assert_eq!(flows, [Flow::Continue, Flow::Continue, Flow::Stop]);
    }
}
