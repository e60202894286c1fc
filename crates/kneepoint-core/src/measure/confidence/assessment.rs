//! All of a point's means together: what was cut, how accurate they are, whether they drift.

use super::drift::{DriftBefore, Slope, SlopesBefore};
use super::mean::{Batches, Independence, MeanEstimate, Trend, mean};
use super::student::two_sided_quantile;
use crate::load::record::interval::Tally;

/// Fewer I/Os than this have no confidence interval: a mean of a handful is not normally
/// distributed.
const OPERATIONS_MIN: f64 = 30.0;

/// What was cut as the ramp may be at most this share of what remains, or the ramp is not over:
/// a series that drifts all the time looks level for a while if enough of it is cut off.
const RAMP_SHARE_MAX: f64 = 0.5;

/// Where batches are not independent because of a regular swing, the interval of the mean must not be wider than
/// this share of what is asked for: how regular the swing stays is not known.
const SWING_SHARE: f64 = 0.5;

/// Before this share of the longest time has passed nothing is said of what the rest would bring: the target may
/// still warm up.
const OUTLOOK_SHARE_MIN: f64 = 0.25;

/// How a measurement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stability {
    /// Accurate as asked for, and any drift is surely below its limit.
    Steady,
    /// None of the others: the time ran out.
    #[default]
    TimeLimit,
    /// There is a trend of more than half the limit for drift.
    Drifting,
}

/// What a measurement must reach to be steady; all fractions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Largest half-width of the 95 % confidence intervals of IO/s and of the mean response time.
    pub accuracy: f64,
    /// Largest change of either over the measured time.
    pub drift: f64,
}

/// What is asked of a measurement; counts are in intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Requirement {
    /// A given time after a given ramp: confidence intervals and drift are told, nothing is cut.
    Fixed {
        /// Intervals of the ramp.
        ramp: usize,
        /// A trend of more than half of this is drifting.
        drift: f64,
    },
    /// Accurate as asked for.
    Accurate {
        /// Fewest intervals of the ramp.
        ramp_min: usize,
        /// Fewest intervals after the ramp.
        measure_min: usize,
        /// Most intervals after the shortest ramp.
        measure_max: usize,
        /// When it is accurate.
        limits: Limits,
    },
}

/// The mean of one quantity and its trend.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Finding {
    mean: MeanEstimate,
    /// The same as it would be if its values did not remember for longer than can be told.
    outlook: MeanEstimate,
    /// What the batches show: a trend that is found.
    trend: Trend,
    /// What a regular swing leaves open: a trend that is ruled out.
    open_trend: Trend,
    independence: Independence,
}

/// What the intervals of a point say about its means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assessment {
    /// Intervals that belong to the ramp.
    pub ramp_count: usize,
    /// I/Os per interval; `None` where there are too few intervals or I/Os, as below.
    pub operations: Option<MeanEstimate>,
    /// Bytes per interval.
    pub bytes: Option<MeanEstimate>,
    /// Response time in nanoseconds.
    pub latency_ns: Option<MeanEstimate>,
    /// How fast the operations change, per interval.
    pub operations_slope: Option<Slope>,
    /// How fast the response time changes, per interval.
    pub latency_slope: Option<Slope>,
    /// Whether the measurement is steady or drifts.
    pub stability: Stability,
    /// Whether it will surely not be accurate within the time that it has. Not told where the number of
    /// requests in flight varies: busy spells of a queue come together, and where few of them were measured
    /// even the interval that there is holds less often than it says.
    pub is_out_of_reach: bool,
}

impl Assessment {
    /// The assessment of `series`, measured at `occupancy`, after points that changed so much per
    /// interval as `before` says.
    pub fn of(
        series: &IntervalSeries,
        (demand, before): (&Requirement, &DriftBefore),
        occupancy: Occupancy,
    ) -> Self {
        let round = occupancy.round(&series.from(0));
        let ramp_count = match demand {
            Requirement::Fixed { ramp, .. } => (*ramp).min(series.len()),
            Requirement::Accurate { ramp_min, .. } => {
                let ramp_min = round.min(series.len() / 2).max(*ramp_min).min(series.len());
                ramp_min + ramp_count(&series.from(ramp_min))
            }
        };
        let window = series.from(ramp_count);
        let operations = finding(&window, PointMean::Operations);
        let is_fixed = occupancy.is_fixed(&window);
        let latency = match is_fixed {
            true => {
                operations.map(|rate| rate.reciprocal(window.latency_ns() / window.operations()))
            }
            false => finding(&window, PointMean::Latency),
        };
        let findings = operations.zip(latency).map(|(operations, latency)| [operations, latency]);
        let cut = Cut { intervals: ramp_count, round };
        let stability = findings.map_or(Stability::TimeLimit, |findings| {
            stability(findings, &window, (cut, demand, before))
        });
        let mean = |finding: Option<Finding>| finding.map(|finding| finding.mean);
        let time = window.len() as f64;
        let slope =
            |finding: Option<Finding>| finding.map(|found| Slope::of(&found.open_trend, time));
        Self {
            ramp_count,
            operations: mean(operations),
            bytes: mean(finding(&window, PointMean::Bytes)),
            latency_ns: mean(latency),
            operations_slope: slope(operations),
            latency_slope: slope(latency),
            stability,
            is_out_of_reach: is_fixed
                && findings.is_some_and(|found| is_out_of_reach(&found, &window, demand)),
        }
    }
}

/// Whether so much of the time has passed that it can be told, and the rest of it will surely not do.
fn is_out_of_reach(findings: &[Finding], window: &Window<'_>, demand: &Requirement) -> bool {
    let Requirement::Accurate { measure_min, measure_max, limits, .. } = demand else {
        return false;
    };
    let (time, time_max) = (window.len() as f64, *measure_max as f64);
    let is_early = window.len() < *measure_min || time < OUTLOOK_SHARE_MIN * time_max;
    let time_left = (time_max / time).max(1.0);
    !is_early && findings.iter().any(|finding| finding.is_out_of_reach(limits, time_left))
}

fn finding(window: &Window<'_>, quantity: PointMean) -> Option<Finding> {
    if window.operations() < OPERATIONS_MIN {
        return None;
    }
    let values = window.values(quantity);
    let batches = Batches::choose(&values)?;
    let (mean, swings) = MeanEstimate::with_swing(&values, &batches);
    let independence = match batches.independence {
        Independence::Open if swings => Independence::Swing,
        found => found,
    };
    let outlook = mean;
    let mean = if independence == Independence::Open { mean.of_open() } else { mean };
    let trend = Trend::of(&batches);
    let open_trend = if swings { trend.of_mean(&mean) } else { trend };
    Some(Finding { mean, outlook, trend, open_trend, independence })
}

/// What was cut off as the ramp, in intervals.
#[derive(Debug, Clone, Copy)]
struct Cut {
    intervals: usize,
    /// What a request takes to come around.
    round: usize,
}

impl Cut {
    /// Whether the ramp is over: what is left is long against what was cut off beyond what every ramp takes.
    fn is_over(self, ramp_min: usize, window: &Window<'_>) -> bool {
        let beyond = self.intervals.saturating_sub(ramp_min.max(self.round));
        window.len() >= self.round && beyond as f64 <= RAMP_SHARE_MAX * window.len() as f64
    }
}

fn stability(
    findings: [Finding; 2],
    window: &Window<'_>,
    (cut, demand, before): (Cut, &Requirement, &DriftBefore),
) -> Stability {
    let drift = match demand {
        Requirement::Fixed { drift, .. } => *drift,
        Requirement::Accurate { ramp_min, measure_min, measure_max, limits } => {
            let time_left = *measure_max as f64 / window.len() as f64;
            let time = window.len() as f64;
            let mut with_before = findings.iter().zip([before.operations, before.latency]);
            let are_steady = with_before.all(|(finding, before)| {
                finding.is_steady(limits, time_left)
                    && finding.rules_out((limits.drift, time_left), (time, before))
            });
            if window.len() >= *measure_min && cut.is_over(*ramp_min, window) && are_steady {
                return Stability::Steady;
            }
            limits.drift
        }
    };
    match findings.iter().any(|finding| finding.trend.is_found_above(drift / 2.0)) {
        true => Stability::Drifting,
        false => Stability::TimeLimit,
    }
}

impl Finding {
    /// The same of a quantity that is a constant over this one: the response time, if the number of
    /// I/Os in flight is fixed.
    fn reciprocal(self, mean: f64) -> Self {
        let reciprocal = |trend: Trend| Trend { change: -trend.change, ..trend };
        Self {
            mean: self.mean.reciprocal(mean),
            outlook: self.outlook.reciprocal(mean),
            trend: reciprocal(self.trend),
            open_trend: reciprocal(self.open_trend),
            ..self
        }
    }

    /// Whether the mean is accurate, and would not surely drift if what is measured could go on for
    /// `time_left` (at least 1) times as long as it did.
    fn is_steady(&self, limits: &Limits, time_left: f64) -> bool {
        let accuracy = match self.independence {
            Independence::Passed | Independence::Open => limits.accuracy,
            Independence::Swing => SWING_SHARE * limits.accuracy,
        };
        self.mean.is_within(accuracy) && !self.trend.is_surely_above(limits.drift / time_left)
    }

    /// Whether the mean will surely not be accurate when what is measured has gone on for `time_left` (at
    /// least 1) times as long.
    fn is_out_of_reach(&self, limits: &Limits, time_left: f64) -> bool {
        self.outlook.stays_wider(limits.accuracy, time_left)
    }

    /// Whether a drift of `limit` over the measured time is ruled out, by this point alone or together
    /// with those `before` it.
    fn rules_out(
        &self,
        (limit, time_left): (f64, f64),
        (time, before): (f64, SlopesBefore),
    ) -> bool {
        self.open_trend.is_surely_below(limit)
            || before.rule_out((&self.open_trend, time), (limit, time_left))
    }
}

/// One of the three means that a point is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointMean {
    /// I/Os per interval.
    Operations,
    /// Bytes per interval.
    Bytes,
    /// Response time per I/O, in nanoseconds.
    Latency,
}

/// Sums per interval, from the point's start on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntervalSeries {
    operations: Vec<f64>,
    bytes: Vec<f64>,
    latency_ns: Vec<f64>,
}

impl IntervalSeries {
    /// Adds the next interval.
    pub fn push(&mut self, interval: &Tally) {
        self.operations.push(interval.operations as f64);
        self.bytes.push(interval.bytes as f64);
        self.latency_ns.push(interval.latency_ns_sum as f64);
    }

    /// Number of intervals.
    pub const fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there is no interval yet.
    pub const fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The intervals from number `start` on; none where there are fewer.
    pub fn from(&self, start: usize) -> Window<'_> {
        let start = start.min(self.len());
        Window {
            operations: &self.operations[start..],
            bytes: &self.bytes[start..],
            latency_ns: &self.latency_ns[start..],
        }
    }
}

/// A part of a series, up to its end.
#[derive(Debug, Clone, Copy)]
pub struct Window<'a> {
    operations: &'a [f64],
    bytes: &'a [f64],
    latency_ns: &'a [f64],
}

impl Window<'_> {
    /// Number of intervals.
    pub const fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there is no interval.
    pub const fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// I/Os of all intervals.
    pub fn operations(&self) -> f64 {
        self.operations.iter().sum()
    }

    /// Response times of all I/Os, in nanoseconds.
    pub fn latency_ns(&self) -> f64 {
        self.latency_ns.iter().sum()
    }

    /// The intervals from number `start` of this window on.
    pub fn from(&self, start: usize) -> Self {
        Self {
            operations: &self.operations[start..],
            bytes: &self.bytes[start..],
            latency_ns: &self.latency_ns[start..],
        }
    }

    /// One value per interval whose mean over the window is the estimate of `quantity`.
    ///
    /// For the response time, with R the sum of response times over the number of I/Os, that is
    /// R + (sum_i - R count_i) / mean count: the linearised ratio estimator (delta method; W. G.
    /// Cochran, "Sampling Techniques", 1977, chapter 6). Intervals in which nothing completed
    /// need no special care, and busy ones weigh more than idle ones.
    pub fn values(&self, quantity: PointMean) -> Vec<f64> {
        match quantity {
            PointMean::Operations => self.operations.to_vec(),
            PointMean::Bytes => self.bytes.to_vec(),
            PointMean::Latency => self.latency_values(),
        }
    }

    fn latency_values(&self) -> Vec<f64> {
        let operations = self.operations();
        if operations == 0.0 {
            return vec![0.0; self.len()];
        }
        let ratio = self.latency_ns() / operations;
        let count_mean = operations / self.len() as f64;
        let intervals = self.latency_ns.iter().zip(self.operations);
        intervals.map(|(sum, count)| ratio + (sum - ratio * count) / count_mean).collect()
    }
}

/// The queue counts as full if the response times add up to the outstanding I/Os within this share.
const FULL_WITHIN: f64 = 0.05;

/// The I/Os in flight over a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Occupancy {
    /// As many as arrive and do not leave: an open loop.
    Varying,
    /// Always the same number: a closed loop. By Little's law the response times that complete in an
    /// interval add up to this on average, in nanoseconds.
    Constant {
        /// Outstanding I/Os of all targets.
        outstanding: f64,
        /// The same times the length of an interval.
        ns_per_interval: f64,
    },
}

impl Occupancy {
    /// The same for intervals of which `joined` are one.
    #[must_use]
    pub fn over(self, joined: usize) -> Self {
        match self {
            Self::Varying => Self::Varying,
            Self::Constant { outstanding, ns_per_interval } => {
                let ns_per_interval = ns_per_interval * joined as f64;
                Self::Constant { outstanding, ns_per_interval }
            }
        }
    }

    /// Intervals that a request takes to come around, by Little's law; none in an open loop. The first
    /// requests of a closed loop find no one before them.
    fn round(self, series: &Window<'_>) -> usize {
        match (self, series.operations()) {
            (Self::Constant { outstanding, .. }, operations) if operations > 0.0 => {
                (outstanding * series.len() as f64 / operations).ceil() as usize
            }
            _ => 0,
        }
    }

    /// Whether the number in flight was fixed over `window`, so that throughput times response time
    /// is a constant. A closed loop whose I/Os pause between one another is not.
    fn is_fixed(self, window: &Window<'_>) -> bool {
        let Self::Constant { ns_per_interval, .. } = self else { return false };
        let full = ns_per_interval * window.len() as f64;
        (window.latency_ns() - full).abs() <= FULL_WITHIN * full && !window.is_empty()
    }
}

/// Intervals that are joined before the rule is applied: the 5 of MSER-5.
const GROUP: usize = 5;

/// What is cut off differs from the rest by more than chance would bring about with this
/// probability. Small, because the cut was placed where the difference is largest.
const CHANCE: f64 = 1e-5;

/// A difference of less than this fraction of the mean is not worth cutting; it keeps rounding
/// errors from being taken for a ramp where nothing scatters.
const DIFFERENCE_MIN: f64 = 1e-3;

/// Number of intervals at the front of `window` that belong to the warm-up.
///
/// The marginal standard error rule on means of five intervals (K. P. White, "An effective
/// truncation heuristic for bias reduction in simulation output", Simulation 69, 1997; K. P. White,
/// M. J. Cobb and S. C. Spratt, "A comparison of five steady-state truncation heuristics for
/// simulation", Winter Simulation Conference, 2000): the cut, in the first half at the latest,
/// that leaves the smallest standard error of the mean of the rest. On its own it also takes a
/// busy spell near the start of a stationary queue for warm-up and so lowers the mean (by 3 % in
/// 30 s of an M/M/1 queue at 90 % utilisation). So a cut is made only where the mean before it
/// differs from the mean after it significantly, by the batch means of the rest.
pub fn ramp_count(window: &Window<'_>) -> usize {
    [PointMean::Operations, PointMean::Latency]
        .map(|quantity| significant_cut(&window.values(quantity)))
        .into_iter()
        .fold(0, usize::max)
}

/// The cut by the marginal standard error rule, zero where it makes no difference.
fn significant_cut(values: &[f64]) -> usize {
    let cut = marginal_cut(values);
    let (ramp, rest) = values.split_at(cut);
    let Some(batches) = Batches::choose(rest).filter(|_| cut > 0) else { return 0 };
    let estimate = MeanEstimate::of_batches(rest, &batches);
    let lengths = rest.len() as f64 / ramp.len() as f64 + 1.0;
    let chance =
        two_sided_quantile(CHANCE, estimate.dof) * estimate.standard_error * libm::sqrt(lengths);
    let difference = (mean(ramp) - estimate.mean).abs();
    if difference > chance.max(DIFFERENCE_MIN * estimate.mean.abs()) { cut } else { 0 }
}

/// The cut that makes the squared deviations of the rest, over its squared length, smallest.
fn marginal_cut(values: &[f64]) -> usize {
    let groups: Vec<f64> = values.chunks_exact(GROUP).map(mean).collect();
    let centre = mean(&groups);
    let (mut sum, mut squares) = (0.0, 0.0);
    let (mut best, mut cut) = (f64::INFINITY, 0);
    for (index, group) in groups.iter().enumerate().rev() {
        let deviation = group - centre;
        sum += deviation;
        squares += deviation * deviation;
        let count = (groups.len() - index) as f64;
        let marginal = (squares - sum * sum / count) / (count * count);
        if index <= groups.len() / 2 && marginal <= best {
            (best, cut) = (marginal, index);
        }
    }
    cut * GROUP
}

/// Each look has this much more data than the one before, as a fraction.
///
/// Stopping at the first interval at which the estimate happens to look accurate stops when the
/// scatter was underestimated (for what the theory promises of such rules see Y. S. Chow and
/// H. Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals for the
/// mean", Annals of Mathematical Statistics 36, 1965). Few looks, at sizes that grow
/// geometrically, keep the coverage; the price is that a point is measured a tenth longer than
/// needed on average.
const GROWTH: f64 = 0.2;

/// The numbers of intervals at which an assessment is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    ramp_min: usize,
    next: usize,
}

impl Schedule {
    /// The first look is after `measure_min` intervals behind a ramp of `ramp_min`.
    pub const fn new(ramp_min: usize, measure_min: usize) -> Self {
        Self { ramp_min, next: ramp_min + measure_min }
    }

    /// Whether it is time for a look at `count` intervals; the next one is later.
    pub fn is_due(&mut self, count: usize) -> bool {
        if count < self.next {
            return false;
        }
        let measured = count.saturating_sub(self.ramp_min) as f64;
        self.next = count + ((measured * GROWTH) as usize).max(1);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::units::Nanos;

    /// A series of intervals of this many I/Os of this many nanoseconds each.
    fn series_of(intervals: impl IntoIterator<Item = (u64, u64)>) -> IntervalSeries {
        let mut series = IntervalSeries::default();
        for (operations, nanos) in intervals {
            let mut tally = Tally::EMPTY;
            (0..operations).for_each(|_| tally.add(512, Nanos(nanos), Nanos::ZERO));
            series.push(&tally);
        }
        series
    }

    #[test]
    fn the_mean_response_time_weighs_ios_not_intervals() {
        let series = series_of([(1, 10), (0, 0), (3, 50)]);
        let values = series.from(0).values(PointMean::Latency);
        assert!((mean(&values) - 40.0).abs() < 1e-9);
        assert_eq!(mean(&series.from(0).values(PointMean::Operations)), 4.0 / 3.0);
        assert_eq!(series.from(2).operations(), 3.0);
        assert!(series.from(9).is_empty());
    }

    #[test]
    fn nothing_completed_has_no_response_time() {
        let series = series_of([(0, 0); 40]);
        assert_eq!(series.from(0).values(PointMean::Latency), [0.0; 40]);
    }

    /// I/Os of equal response time, however unevenly they come, leave no doubt about its mean.
    #[test]
    fn uneven_counts_do_not_widen_the_interval_of_the_response_time() {
        let series = series_of((0..200).map(|index| (index * index % 7, 1000)));
        let half_width = |quantity| {
            let values = series.from(0).values(quantity);
            MeanEstimate::of(&values, &Batches::choose(&values).unwrap()).half_width
        };
        assert_eq!(half_width(PointMean::Latency), 0.0);
        assert!(half_width(PointMean::Operations) > 0.0);
    }

    /// 1,500 intervals at most, after a ramp of 15; 5 % and a drift of 10 %.
    const DEMAND: Requirement = Requirement::Accurate {
        ramp_min: 15,
        measure_min: 25,
        measure_max: 1_500,
        limits: Limits { accuracy: 0.05, drift: 0.10 },
    };

    fn closed(outstanding: f64) -> Occupancy {
        Occupancy::Constant { outstanding, ns_per_interval: outstanding * 20e6 }
    }

    /// 20 s of intervals of these I/Os, 16 in flight.
    fn stability_of(operations: impl Fn(u32) -> u64) -> Stability {
        let of = |index| (operations(index), 320_000_000 / operations(index));
        let series = series_of((0..1_000).map(of));
        Assessment::of(&series, (&DEMAND, &DriftBefore::default()), closed(16.0)).stability
    }

    /// A drive that stops writing once a second swings, and can be known all the same; one whose speed
    /// wanders cannot.
    #[test]
    fn a_regular_swing_may_be_steady() {
        let swings = |index: u32| if index % 50 < 9 { 8 } else { 60 };
        assert_eq!(stability_of(swings), Stability::Steady);
        let wanders =
            |index: u32| if (index / 60).is_multiple_of(2) || index > 700 { 8 } else { 60 };
        assert_ne!(stability_of(wanders), Stability::Steady);
    }

    #[test]
    fn what_a_request_takes_to_come_around_belongs_to_the_ramp() {
        let ramp_of = |outstanding, operations| {
            let series = series_of((0..200).map(|_| (operations, 1_000_000)));
            Assessment::of(&series, (&DEMAND, &DriftBefore::default()), closed(outstanding))
                .ramp_count
        };
        assert_eq!(ramp_of(8.0, 4), 15, "the shortest ramp is longer");
        assert_eq!(ramp_of(200.0, 4), 50);
        assert_eq!(ramp_of(4_000.0, 4), 100, "half of what there is");
    }

    #[test]
    fn looks_become_rarer() {
        let mut schedule = Schedule::new(10, 100);
        let looks: Vec<usize> = (0..=300).filter(|count| schedule.is_due(*count)).collect();
        assert_eq!(looks, [110, 130, 154, 182, 216, 257]);
    }
}
